import Foundation
import ParleyClient

/// More of what the server would send: what happened in a group, threads, deliveries, suggestions.
extension ParleyDouble {
    /// Receives the message that says what happened in a conversation. Nothing else changes.
    @discardableResult
    public func receive(_ note: SystemNote, in conversation: ConversationID) async -> Message {
        Message(
            await receive(
                "", from: UserID(rawValue: ""), in: conversation, mentions: [], id: Data(nextID().bytes), kind: .system,
                note: note.stored))
    }

    /// Notes that all messages so far have reached a device of another member.
    public func deliver(_ conversation: ConversationID, to user: UserID) async {
        let seq = records[conversation]?.newest.seq ?? 0
        let readUpTo = parley.conversation(conversation).receipts[user]?.readUpTo ?? 0
        await commit([
            .receipt(
                .with {
                    ($0.conversation, $0.user) = (conversation.rawValue, user.rawValue)
                    ($0.readSeq, $0.deliveredSeq, $0.deliveredAtUs) = (readUpTo, seq, Date.now.microseconds)
                })
        ])
    }

    /// Lets as much of a file through as ``uploadsUpTo`` says.
    func upload(_ sizeBytes: Int64, _ progress: @Sendable (Int64) -> Void) async throws(ParleyError) {
        while true {
            progress(Int64(Double(sizeBytes) * min(max(uploadsUpTo, 0), 1)))
            if uploadsUpTo >= 1 { return }
            do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .closed }
        }
    }

    // MARK: Threads

    /// Returns the number of the first message of the thread to which an answer belongs; 0: it answers nothing.
    func thread(of answered: Int64, in conversation: ConversationID) async -> Int64 {
        guard answered != 0 else { return 0 }
        let known = await parley.read { try $0.message(conversation.rawValue, answered) }
        return (known ?? nil).map { $0.threadSeq == 0 ? answered : $0.threadSeq } ?? 0
    }

    /// Notes on each message of a thread that it has another reply.
    func noteReply(_ reply: Parley_V1_Message) async {
        let (first, conversation, now) = (reply.threadSeq, reply.conversation, reply.position)
        let loaded = parley.conversation(ConversationID(rawValue: conversation)).messages
        let seqs = loaded.filter { $0.seq == first || $0.threadStart == first }.compactMap(\.seq)
        let replies = Int64(loaded.count { $0.threadStart == first && !$0.isDeleted })
        for seq in seqs {
            await change(conversation, seq) {
                ($0.thread.replies, $0.thread.lastSeq, $0.thread.position) = (replies, reply.seq, now)
            }
        }
    }

    // MARK: Events and suggestions

    /// Shows an event of mine in the conversations that it invites.
    func share(_ event: Data, _ conversations: [String]) async {
        for conversation in conversations.map(ConversationID.init(rawValue:)) {
            await receive(.eventShared(EventID(event), by: me.id), in: conversation)
        }
    }

    /// Another host gives an event another title. What I changed of it without seeing that is refused with
    /// `event_changed`.
    public func change(_ event: EventID, title: String) async {
        guard var changed = entities.events[event.data] else { return }
        (changed.title, changed.version) = (title, changed.version + 1)
        await put(changed)
    }

    /// Suggests an event, as if a message said it.
    /// - Parameters:
    ///   - date: "2026-12-01".
    ///   - time: "19:30"; nil: the whole day.
    ///   - message: the one that says it.
    public func suggestEvent(
        _ title: String, on date: String, at time: String? = nil, in zone: TimeZone = .current,
        from message: Message? = nil
    ) async {
        await suggest(title, from: message) {
            $0.kind = .event
            ($0.when.date, $0.when.time) = (date, time ?? "")
            $0.when.timeZone = time == nil ? "" : zone.identifier
        }
    }

    /// Suggests a reminder, as if a message said it.
    /// - Parameter message: the one that says it.
    public func suggestReminder(_ title: String, dueAt: Date, from message: Message? = nil) async {
        await suggest(title, from: message) { ($0.kind, $0.dueAtUs) = (.reminder, dueAt.microseconds) }
    }

    /// Suggests a decision, as if a message said it.
    /// - Parameter message: the one that says it.
    public func suggestDecision(_ text: String, from message: Message? = nil) async {
        await suggest(text, from: message) { $0.kind = .decision }
    }

    private func suggest(
        _ title: String, from message: Message?, _ fill: (inout Parley_V1_Suggestion) -> Void
    ) async {
        var suggestion = Parley_V1_Suggestion()
        (suggestion.id, suggestion.title, suggestion.state) = (Data(nextID().bytes), title, .open)
        (suggestion.createdAtUs, suggestion.expiresAtUs) = (Date.now.microseconds, .max)
        if let message {
            (suggestion.conversation, suggestion.sourceMessage) = (message.conversation.rawValue, message.id.data)
            suggestion.sourceSeq = message.seq ?? 0
        }
        fill(&suggestion)
        await put(suggestion)
    }
}

extension SystemNote {
    /// The note as the server has it.
    fileprivate var stored: Parley_V1_SystemNote {
        switch self {
        case .joined(let people, let actor): Self.note(.membersJoined, actor, people)
        case .left(let person): Self.note(.memberLeft, person, [person])
        case .removed(let people, let actor): Self.note(.memberRemoved, actor, people)
        case .renamed(let name, let actor): Self.note(.groupRenamed, actor) { $0.name = name }
        case .photoChanged(let actor): Self.note(.groupPhotoChanged, actor)
        case .ownerChanged(let person, let actor): Self.note(.ownerChanged, actor, [person])
        case .adminsAdded(let people, let actor): Self.note(.adminAdded, actor, people)
        case .adminsRemoved(let people, let actor): Self.note(.adminRemoved, actor, people)
        case .retentionChanged(let time, let actor):
            Self.note(.retentionChanged, actor) { $0.seconds = time.map { Int64($0 / .seconds(1)) } ?? 0 }
        case .decisionShared(let id, let actor): Self.note(.decisionShared, actor) { $0.entity = id.data }
        case .eventShared(let id, let actor): Self.note(.eventShared, actor) { $0.entity = id.data }
        case .other: Parley_V1_SystemNote()
        }
    }

    private static func note(
        _ kind: Parley_V1_SystemNoteKind, _ actor: UserID, _ users: [UserID] = [],
        _ fill: (inout Parley_V1_SystemNote) -> Void = { _ in }
    ) -> Parley_V1_SystemNote {
        var note = Parley_V1_SystemNote()
        (note.kind, note.actor, note.users) = (kind, actor.rawValue, users.map(\.rawValue))
        fill(&note)
        return note
    }
}
