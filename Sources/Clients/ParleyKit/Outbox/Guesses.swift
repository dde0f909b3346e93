import Foundation
import ParleyClient

/// What the server will most likely say to what I do. A guess is put on top of what the server has said so far, again
/// each time that says something else, and falls away with the intent.
extension UnsentItem {
    private var doneAt: Date { Date(microseconds: doneAtUs) }

    /// The message that it sends.
    /// - Parameter uploaded: how many bytes of its file the server has.
    func message(from me: UserID, uploaded: Int64 = 0) -> Message? {
        guard case .send(let request) = intent else { return nil }
        var message = Message(
            unsent: request.text, id: MessageID(request.id), in: ConversationID(rawValue: request.conversation),
            from: me, at: doneAt, status: failure.map { .failed($0) } ?? .sending)
        message.replyTo = request.replyToSeq == 0 ? nil : request.replyToSeq
        message.mentions = request.mentions.map(UserID.init(rawValue:))
        if request.hasMedia {
            message.kind = Message.Kind(request.kind)
            let isUploading = file != nil && failure == nil
            let progress = Double(uploaded) / Double(max(request.media.sizeBytes, 1))
            message.setFile(Attachment(request.media), progress: isUploading ? progress : nil)
        }
        return message
    }

    func apply(to message: inout Message) {
        guard failure == nil else { return }
        switch intent {
        case .edit(let request) where !message.isDeleted:
            (message.text, message.editedAt) = (request.text, doneAt)
            message.mentions = request.mentions.map(UserID.init(rawValue:))
        case .delete: message.empty()
        case .react(let request) where !message.isDeleted: message.react(request.emoji, remove: request.remove)
        case .messageState(let request):
            if let isStarred = request.starred.flag { message.isStarred = isStarred }
            if request.hide { message.isHidden = true }
        default: break
        }
    }

    func apply(to summary: inout ConversationSummary, me: UserID) {
        guard failure == nil else { return }
        if let guess, intent.creates, summary.facts?.section == nil {
            summary.facts = .init(guess, me: me)
            summary.section = .inbox
        }
        switch intent {
        case .send: summary.key.activeAt = max(summary.key.activeAt, doneAtUs)
        case .createGroup, .startDirect: summary.key.activeAt = max(summary.key.activeAt, doneAtUs)
        case .inboxState(let request): apply(request, to: &summary)
        case .marks(let request):
            summary.own.readUpTo = max(summary.own.readUpTo, request.marks.first?.readSeq ?? 0)
            summary.own.unread.isMarked = false
        case .acceptRequest:
            summary.section = .inbox
            change(&summary) { ($0.section, $0.request, $0.hasLeft) = (.inbox, .accepted, false) }
        case .declineRequest, .withdrawRequest:
            summary.section = nil
            change(&summary) { $0.section = nil }
        case .leaveGroup:
            summary.section = .left
            change(&summary) { ($0.section, $0.hasLeft) = (.left, true) }
        case .block:
            summary.section = .blocked
            change(&summary) { ($0.section, $0.request) = (.blocked, .blocked) }
        case .unblock:
            if summary.section == .blocked { summary.section = .inbox }
            change(&summary) { if $0.section == .blocked { ($0.section, $0.request) = (.inbox, .accepted) } }
        case .updateGroup(let request):
            change(&summary) { facts in
                if case .name(let name) = request.changeName { facts.name = name }
                if case .photoURL(let photo) = request.changePhoto { facts.photo = URL(string: photo) }
            }
        case .removeMember(let request):
            change(&summary) { facts in
                let count = facts.members.count
                facts.members.removeAll { $0.id.rawValue == request.user }
                facts.memberCount -= count - facts.members.count
            }
        case .setMemberRole(let request):
            change(&summary) { $0.setRole(request.role == .admin ? .admin : .member, of: request.user) }
        case .transferOwnership(let request):
            change(&summary) { facts in
                facts.setRole(.admin, of: me.rawValue)
                facts.setRole(.owner, of: request.user)
            }
        default: break
        }
    }

    private func change(_ summary: inout ConversationSummary, _ body: (inout Conversation.Facts) -> Void) {
        guard var facts = summary.facts else { return }
        body(&facts)
        summary.facts = facts
    }

    private func apply(_ request: Parley_V1_UpdateInboxStateRequest, to summary: inout ConversationSummary) {
        if let isPinned = request.pinned.flag, isPinned != (summary.own.pinnedAt != nil) {
            summary.own.pinnedAt = isPinned ? doneAt : nil
            summary.key.pinnedAt = isPinned ? doneAtUs : 0
        }
        if let isArchived = request.archived.flag { summary.own.isArchived = isArchived }
        if let isMarked = request.markedUnread.flag { summary.own.unread.isMarked = isMarked }
        if let isMuted = request.muted.flag {
            let end = request.mutedUntilUs == 0 ? Date.distantFuture : Date(microseconds: request.mutedUntilUs)
            summary.own.mutedUntil = isMuted ? end : nil
        }
    }

    func apply(to profile: inout Profile) {
        guard case .updateProfile(let request) = intent else { return }
        if case .failed = profile.syncStatus {} else { profile.syncStatus = status }
        guard failure == nil else { return }
        if case .username(let name) = request.changeUsername { profile.user.username = name }
        if case .displayName(let name) = request.changeDisplayName { profile.user.displayName = name }
        if case .photoURL(let photo) = request.changePhoto { profile.user.photo = URL(string: photo) }
        if case .email(let email) = request.changeEmail { profile.email = email.isEmpty ? nil : email }
        if case .findableByEmail(let isFindable) = request.changeFindable { profile.isFindableByEmail = isFindable }
    }

    /// Applies it to the people whom I block.
    func apply(to blocked: inout [User]) {
        guard failure == nil, let person = guess?.members.first.map({ User($0.user) }) else { return }
        switch intent {
        case .block where !blocked.contains { $0.id == person.id }: blocked.append(person)
        case .unblock: blocked.removeAll { $0.id == person.id }
        default: break
        }
    }

    func apply(to reminders: inout [Reminder]) {
        switch intent {
        case .createReminder(let request):
            guard !reminders.contains(where: { $0.id.data == request.id }) else { return }
            reminders.append(Reminder(request, at: doneAt, status))
        case .updateReminder(let request):
            change(&reminders, request.id) { reminder in
                if case .title(let title) = request.changeTitle { reminder.title = title }
                if case .dueAtUs(let due) = request.changeDue { reminder.dueAt = Date(microseconds: due) }
            }
        case .completeReminder(let request):
            change(&reminders, request.id) { $0.isCompleted = request.completed }
        case .deleteReminder(let request):
            if failure == nil {
                reminders.removeAll { $0.id.data == request.id }
            } else {
                change(&reminders, request.id) { _ in }
            }
        default: break
        }
    }

    private func change(_ reminders: inout [Reminder], _ id: Data, _ body: (inout Reminder) -> Void) {
        guard let index = reminders.firstIndex(where: { $0.id.data == id }) else { return }
        if failure == nil { body(&reminders[index]) }
        reminders[index].syncStatus = status
    }

    func apply(to decisions: inout [Decision], me: UserID) {
        switch intent {
        case .createDecision(let request):
            guard !decisions.contains(where: { $0.id.data == request.id }) else { return }
            decisions.append(Decision(request, by: me, at: doneAt, status))
        case .deleteDecision(let request):
            if failure == nil {
                decisions.removeAll { $0.id.data == request.id }
            } else if let index = decisions.firstIndex(where: { $0.id.data == request.id }) {
                decisions[index].syncStatus = status
            }
        default: break
        }
    }

    func apply(to events: inout [Event], me: UserID) {
        switch intent {
        case .createEvent(let request):
            guard !events.contains(where: { $0.id.data == request.id }) else { return }
            events.append(Event(request, by: me, at: doneAt, status))
        case .answerEvent(let request):
            guard let index = events.firstIndex(where: { $0.id.data == request.id }) else { return }
            if failure == nil { events[index].take(request, from: me) }
            events[index].syncStatus = status
        default: break
        }
    }

    /// Whether the server has what it is about.
    var status: SyncStatus { failure.map { .failed($0) } ?? .pending }
}

extension Event {
    /// Becomes what it is once the server has my answer.
    fileprivate mutating func take(_ request: Parley_V1_AnswerEventRequest, from me: UserID) {
        if request.status != .unspecified { (answer, guests) = (Answer(request.status), Int(request.guests)) }
        if case .host(let hosts) = request.changeHost { (isHost, isAskedToHost) = (hosts, false) }
        if request.status == .declined, creator != me { (isHost, isAskedToHost) = (false, false) }
    }
}

extension Message {
    /// Becomes what a deleted message is.
    fileprivate mutating func empty() {
        (isDeleted, text, editedAt, mentions, reactions) = (true, "", nil, [], [])
        dropContent()
    }

    fileprivate mutating func react(_ emoji: String, remove: Bool) {
        guard let index = reactions.firstIndex(where: { $0.emoji == emoji }) else {
            if !remove { reactions.append(Reaction(emoji: emoji, count: 1, isMine: true)) }
            return
        }
        guard reactions[index].isMine == remove else { return }
        reactions[index].isMine = !remove
        reactions[index].count += remove ? -1 : 1
        if reactions[index].count == 0 { reactions.remove(at: index) }
    }
}

extension Conversation.Facts {
    fileprivate mutating func setRole(_ role: Member.Role, of user: String) {
        guard let index = members.firstIndex(where: { $0.id.rawValue == user }) else { return }
        members[index].role = role
    }
}
