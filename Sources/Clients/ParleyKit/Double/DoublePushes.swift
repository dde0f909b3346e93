import Foundation
import ParleyClient

/// Pushes, as a double knows them: it sends none.
struct DoublePushes {
    var device: Parley_V1_PushDevice?
    var settings = Parley_V1_PushSettings.with {
        ($0.level, $0.content, $0.version) = (.allMessages, .fullText, 1)
        ($0.requests, $0.reminders, $0.events) = (true, true, true)
    }
}

extension ParleyDouble {
    func answerAboutPushes(_ answers: inout DoubleAnswers) {
        answers.on(NotificationsMethods.registerPush) { [unowned self] request throws(ParleyError) in
            let device = Parley_V1_PushDevice.with {
                ($0.device, $0.transport) = (devices.last { $0.current }?.id ?? "", request.transport)
                ($0.app, $0.language, $0.encrypted) = (request.app, request.language, !request.contentKey.isEmpty)
                ($0.registeredAtUs, $0.tokenEnd) = (Date.now.microseconds, String(request.token.suffix(8)))
            }
            pushes.device = device
            return device
        }
        answers.on(NotificationsMethods.unregisterPush) { [unowned self] _ throws(ParleyError) in
            pushes.device = nil
            return .init()
        }
        answers.on(NotificationsMethods.listPushDevices) { [unowned self] _ throws(ParleyError) in
            .with { $0.devices = [pushes.device].compactMap(\.self) }
        }
        answers.on(NotificationsMethods.testPush) { [unowned self] _ throws(ParleyError) in
            guard pushes.device != nil else { throw .missing("device that is registered for pushes") }
            return .init()
        }
        answers.on(NotificationsMethods.getPushSettings) { [unowned self] _ throws(ParleyError) in pushes.settings }
        answers.on(NotificationsMethods.updatePushSettings) { [unowned self] request throws(ParleyError) in
            pushes.settings.take(request)
            return pushes.settings
        }
    }
}

extension Parley_V1_PushSettings {
    fileprivate mutating func take(_ change: Parley_V1_UpdatePushSettingsRequest) {
        version += 1
        if change.level != .unspecified { level = change.level }
        if change.hasConversation {
            conversations.removeAll { $0.conversation == change.conversation.conversation }
            if change.conversation.level != .unspecified { conversations.append(change.conversation) }
        }
        if change.content != .unspecified { content = change.content }
        reactions = change.reactions.flag ?? reactions
        requests = change.requests.flag ?? requests
        reminders = change.reminders.flag ?? reminders
        events = change.events.flag ?? events
        mentionsWhenMuted = change.mentionsWhenMuted.flag ?? mentionsWhenMuted
        if change.hasQuiet { quiet = change.quiet }
        if case .sound(let name) = change.changeSound { sound = name }
    }
}
