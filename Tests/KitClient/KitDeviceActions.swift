import Foundation
import ParleyKit

/// What a person does in an app: to what, `pick` decides.
extension KitDevice {
    private static let emoji = ["👍", "❤️", "🎉"]

    /// The conversation to act in; nil: none.
    private func chat(_ command: DeviceCommand) async -> Conversation? {
        let chosen = command.chat.map { parley.conversation(ConversationID(rawValue: $0)) }
        guard let chat = chosen ?? parley.inbox.conversations.picked(command.pick), chat.section == .inbox else {
            return nil
        }
        if !chat.isLoaded { await chat.load() }
        return chat
    }

    func performInConversation(_ command: DeviceCommand, _ answer: inout DeviceAnswer) async throws(Refusal) {
        switch command.action {
        case .start, .group: return try await begin(command, &answer)
        case .accept, .decline:
            guard let request = parley.requests.conversations.picked(command.pick) else {
                return answer.isNothing = true
            }
            answer.id = request.id.rawValue
            if command.action == .accept { try await request.accept() } else { try await request.decline() }
            return
        case .archive: await parley.archived.loadMore()
        default: break
        }
        var chosen = await chat(command)
        // Who archived all goes on with what is archived.
        if command.action == .archive, chosen == nil || command.pick % 3 == 0 {
            chosen = parley.archived.conversations.picked(command.pick) ?? chosen
        }
        guard let chat = chosen else { return answer.isNothing = true }
        let place = chat.id.rawValue
        switch command.action {
        case .send, .reply: try await send(command, in: chat, &answer)
        case .edit, .delete, .react, .star: try await change(command, in: chat, &answer)
        case .read:
            guard let seq = chat.messages.last(where: { $0.seq != nil })?.seq else { return answer.isNothing = true }
            try await keep(command, "read \(place)", "\(seq)") { () throws(Refusal) in try await chat.markRead() }
        case .pin:
            let isPinned = !chat.isPinned
            try await keep(command, "pin \(place)", "\(isPinned)") { () throws(Refusal) in
                try await chat.pin(isPinned)
            }
        case .mute:
            let isMuted = chat.mutedUntil == nil
            try await keep(command, "mute \(place)", "\(isMuted)") { () throws(Refusal) in
                if isMuted { try await chat.mute() } else { try await chat.unmute() }
            }
        case .archive: try await chat.archive(!chat.isArchived)
        case .draft: chat.setDraft(command.text ?? "")
        default: try await changeGroup(command, chat, &answer)
        }
    }

    private func begin(_ command: DeviceCommand, _ answer: inout DeviceAnswer) async throws(Refusal) {
        let people = try await parley.users(command.users.map(UserID.init(rawValue:)))
        if command.action == .group {
            answer.id = try await parley.createGroup(command.text ?? "", with: people).id.rawValue
        } else if let person = people.first {
            answer.id = try await parley.startConversation(with: person).id.rawValue
        } else {
            answer.isNothing = true
        }
    }

    private func changeGroup(
        _ command: DeviceCommand, _ chat: Conversation, _ answer: inout DeviceAnswer
    ) async throws(Refusal) {
        guard chat.kind == .group else { return answer.isNothing = true }
        let users = command.users.map(UserID.init(rawValue:))
        switch command.action {
        case .rename:
            let name = command.text ?? ""
            try await keep(command, "name \(chat.id)", name) { () throws(Refusal) in try await chat.rename(name) }
        case .add: try await chat.add(users)
        case .remove:
            guard let user = users.first, chat.members.contains(where: { $0.id == user }) else {
                return answer.isNothing = true
            }
            try await chat.remove(user)
        case .leave: try await chat.leave()
        default: answer.isNothing = true
        }
    }

    // MARK: Messages

    private func send(
        _ command: DeviceCommand, in chat: Conversation, _ answer: inout DeviceAnswer
    ) async throws(Refusal) {
        let text = command.text ?? ""
        let answered = command.action == .reply ? chat.messages.suffix(20).picked(command.pick) : nil
        var made: Message?
        try await keep(command, Self.place(of: text, in: chat.id.rawValue), "there") { () throws(Refusal) in
            made = try await chat.send(text, replyingTo: answered)
        }
        answer.id = made?.id.description
    }

    private func change(
        _ command: DeviceCommand, in chat: Conversation, _ answer: inout DeviceAnswer
    ) async throws(Refusal) {
        let all = chat.messages.filter { !$0.isDeleted && !$0.isHidden && $0.kind == .text }
        let mine = all.filter { $0.sender == parley.user }
        let isOwn = command.action == .edit || command.action == .delete
        guard let message = (isOwn ? mine : all).suffix(40).picked(command.pick) else { return answer.isNothing = true }
        answer.id = message.id.description
        switch command.action {
        case .edit:
            let text = "\(Self.name(message.text)) \(command.text ?? "")"
            try await keep(command, "edit \(message.id)", text) { () throws(Refusal) in
                try await chat.edit(message, to: text)
            }
        case .delete:
            let name = Self.name(message.text)
            try await keep(command, "delete \(message.id)", "deleted", name: name) { () throws(Refusal) in
                try await chat.delete(message)
            }
        case .star:
            let isStarred = !message.isStarred
            try await keep(command, "star \(message.id)", "\(isStarred)") { () throws(Refusal) in
                try await chat.star(message, isStarred)
            }
        default:
            guard let emoji = Self.emoji.picked(command.pick / 64) else { return }
            let isMine = message.reactions.contains { $0.emoji == emoji && $0.isMine }
            try await keep(command, "react \(emoji) \(message.id)", "\(!isMine)") { () throws(Refusal) in
                if isMine {
                    try await chat.removeReaction(emoji, from: message)
                } else {
                    try await chat.react(emoji, to: message)
                }
            }
        }
    }

    // MARK: Entities

    func performOnEntity(_ command: DeviceCommand, _ answer: inout DeviceAnswer) async throws(Refusal) {
        let text = command.text ?? ""
        let far = Date(timeIntervalSince1970: 4_000_000_000 + Double(command.pick % 1_000_000))
        switch command.action {
        case .remind:
            try await keep(command, "reminder \(text)", "there") { () throws(Refusal) in
                try await parley.addReminder(text, dueAt: far)
            }
        case .complete:
            guard let reminder = parley.reminders.filter({ !$0.isCompleted }).picked(command.pick) else {
                return answer.isNothing = true
            }
            try await keep(command, "completed \(reminder.id)", "true") { () throws(Refusal) in
                try await parley.complete(reminder)
            }
        case .forget:
            guard let reminder = parley.reminders.picked(command.pick) else { return answer.isNothing = true }
            try await keep(command, "forgotten \(reminder.title)", "true") { () throws(Refusal) in
                try await parley.delete(reminder)
            }
        case .decide:
            let chat = parley.inbox.conversations.picked(command.pick)?.id
            try await keep(command, "decision \(text)", "there") { () throws(Refusal) in
                try await parley.addDecision(text, in: chat, isShared: command.isForced)
            }
        case .event:
            let chats = parley.inbox.conversations.picked(command.pick).map { [$0.id] } ?? []
            try await keep(command, "event \(text)", "there") { () throws(Refusal) in
                try await parley.addEvent(text, on: "2031-05-\(10 + command.pick % 20)", inviting: chats)
            }
        case .answerEvent:
            guard let event = parley.events.filter({ !$0.isCancelled }).picked(command.pick) else {
                return answer.isNothing = true
            }
            let isCertain = command.pick % 2 == 0
            try await keep(command, "answer \(event.id)", isCertain ? "accepted" : "tentative") { () throws(Refusal) in
                try await parley.answer(event.id, isCertain ? .accepted : .tentative, guests: Int(command.pick % 4))
            }
        default:
            try await keep(command, "profile", text) { () throws(Refusal) in
                try await parley.updateProfile(displayName: text)
            }
        }
    }
}
