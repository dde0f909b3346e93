import Foundation
import ParleyClient

/// What an export reads, as a double has it. Files are left out.
extension ParleyDouble {
    func answerAboutExports(_ answers: inout DoubleAnswers) {
        answers.on(ConversationsMethods.getProfile) { [unowned self] _ throws(ParleyError) in profile }
        answers.on(PresenceMethods.getPresence) { _ throws(ParleyError) in .init() }
        answers.on(ConversationsMethods.listBlocked) { [unowned self] _ throws(ParleyError) in
            .with { reply in
                reply.blocks = parley.blocked.map { user in .with { ($0.user, $0.blocked) = (user.stored, true) } }
            }
        }
        answers.on(ConversationsMethods.listImported) { _ throws(ParleyError) in .init() }
        answers.on(ConversationsMethods.sync) { [unowned self] _ throws(ParleyError) in
            .with { $0.conversations = sorted(conversations.values.filter { $0.section != .requests }) }
        }
        answers.on(ConversationsMethods.listRequests) { [unowned self] _ throws(ParleyError) in
            .with { $0.requests = sorted(conversations.values.filter { $0.section == .requests }) }
        }
        answers.on(MessagingMethods.sync) { [unowned self] _ throws(ParleyError) in
            .with { reply in
                reply.entries = sorted(Array(conversations.values)).map { conversation in
                    let state = records[ConversationID(rawValue: conversation.id)]?.unread.state
                    return .with {
                        $0.conversation = conversation.id
                        if let state { $0.state = state }
                    }
                }
            }
        }
        answers.on(MessagingMethods.getHistory) { [unowned self] request throws(ParleyError) in
            let chat = parley.conversation(ConversationID(rawValue: request.conversation))
            var found: [Parley_V1_Message] = []
            for seq in chat.messages.compactMap(\.seq) { found.append(try await message(request.conversation, seq)) }
            let messages = found
            return .with { $0.messages = messages }
        }
        answers.on(MessagingMethods.listAttachments) { _ throws(ParleyError) in .init() }
        answers.on(EntitiesMethods.listReminders) { [unowned self] _ throws(ParleyError) in
            .with { $0.reminders = entities.reminders.values.filter { $0.deletedAtUs == 0 } }
        }
        answers.on(EntitiesMethods.listDecisions) { [unowned self] _ throws(ParleyError) in
            .with { $0.decisions = entities.decisions.values.filter { $0.deletedAtUs == 0 } }
        }
        answers.on(EntitiesMethods.sync) { [unowned self] _ throws(ParleyError) in
            .with { $0.events = Array(entities.events.values) }
        }
        answers.on(EntitiesMethods.listSuggestions) { [unowned self] _ throws(ParleyError) in
            .with { $0.suggestions = entities.suggestions.values.filter { $0.state == .open } }
        }
    }

    private func sorted(_ conversations: [Parley_V1_Conversation]) -> [Parley_V1_Conversation] {
        conversations.sorted { $0.id < $1.id }
    }
}
