import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Stars, unstars or permanently hides messages for the caller alone (M8, M11). Repeatable; a request that changes
    /// nothing publishes nothing.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `too_many_starred`, `invalid`.
    func updateMessageState(_ request: UpdateMessageStateRequest, _ call: RequestContext) async throws
        -> UpdateMessageStateReply
    {
        let isStarred = try request.starred.change("starred")
        guard !(request.hide && isStarred == true) else {
            throw Refusal.invalid("starred", "cannot be combined with hide")
        }
        let starredMax = starredMax
        // Hiding changes the unread counts, and with them the inbox row.
        return try await changeOwn(
            of: request.conversation, by: call.caller, isLocked: request.hide || request.starred == .yes
        ) { own in
            var head = try await own.positions(0)
            let seqs = MessageStateRules.seqs(request.seqs)
            let found = try await own.change.query(
                OwnStateStore.messageStates, .number(call.caller.account), .number(own.conversation),
                .numbers(seqs.filter { own.window.lowest <= $0 && $0 <= own.window.highest }), .number(own.now))
            let changed = { (head: Position) throws(Refusal) in
                try MessageStateRules.changed(
                    found, seqs: seqs, isStarred: isStarred, hides: request.hide, after: head, at: own.now)
            }
            var messages = try changed(head)
            let more = messages.count { $0.position > head && $0.starredAt == own.now }
            let room = more > 0 ? try await own.roomForStars(more, max: starredMax) : 0
            if room > 0 {
                head += room
                messages = try changed(head)
            }
            try await own.store(messages.filter { $0.position > head })
            return UpdateMessageStateReply(states: messages.map { $0.state(in: own.id) })
        }
    }
}

extension OwnChange {
    /// Makes room for more stars. If necessary, removes the stars of deleted and disappeared messages.
    /// - Returns: the number of positions taken from the person's stream.
    /// - Throws: ``Refusal`` `too_many_starred`.
    @ReactorActor
    fileprivate func roomForStars(_ more: Int, max starredMax: Int64) async throws -> Int64 {
        let account = Parameter.number(caller.account)
        let counts = try await change.query(OwnStateStore.starredCount, [account, .int64(starredMax)])
        let over = counts.reduce(0, +) + Int64(more) - starredMax
        guard over > 0 else { return 0 }
        let head = try await positions(0)
        let gone = try await change.query(
            OwnStateStore.unstarGone, [account, .number(now), .int64(max(over, 100)), .number(head)])
        guard gone.count >= over else { throw Refusal.tooManyStarred(starredMax) }
        _ = try await positions(gone.count)
        for (conversation, state) in gone {
            publish(state, MessagingKind.messageState, at: Position(state.ownPosition), of: conversation)
        }
        return Int64(gone.count)
    }

    /// Stores message states and publishes them. After hiding messages, also publishes the inbox state.
    @ReactorActor
    fileprivate func store(_ changed: [OwnMessage]) async throws {
        guard !changed.isEmpty else { return }
        let hides = changed.contains { $0.isNewlyHidden }
        let last = try await positions(changed.count + (hides ? 1 : 0))
        try await change.execute(
            OwnStateStore.setMessageStates, .number(caller.account), .number(conversation),
            .numbers(changed.map(\.seq)),
            .optionalNumbers(changed.map(\.starredAt)), .bools(changed.map(\.isHidden)),
            .numbers(changed.map(\.position)), .number(now))
        for message in changed { publish(message.state(in: id), MessagingKind.messageState, at: message.position) }
        guard hides else { return }
        try await change.execute(
            OwnStateStore.recount, .number(caller.account), .number(conversation), .number(last))
        _ = try await publishState()
    }
}

/// One person's state of one message.
struct OwnMessage: Sendable, Equatable {
    var seq: Seq
    var starredAt: Timestamp?
    var isHidden = false
    /// The position of the last change; zero when never changed.
    var position: Position = 0
    /// Whether the message is neither deleted nor disappeared.
    var hasContent = true
    var isNewlyHidden = false

    func state(in conversation: ConversationID) -> MessageState {
        MessageState(
            conversation: conversation.rawValue, seq: seq.rawValue, ownPosition: position.rawValue,
            starred: starredAt != nil,
            hidden: isHidden)
    }
}

/// The rules of a person's own message states. Pure.
enum MessageStateRules {
    /// Removes duplicates and keeps the order.
    static func seqs(_ requested: [Int64]) -> [Seq] {
        var known: Set<Seq> = []
        var seqs: [Seq] = []
        for seq in requested.map({ Seq($0) }) where known.insert(seq).inserted { seqs.append(seq) }
        return seqs
    }

    /// Returns the new message states in the order of `seqs`. Changed ones get the positions after `head`.
    /// - Throws: ``Refusal`` `message_not_found` if a message does not exist, or has no content to star.
    static func changed(
        _ found: [OwnMessage], seqs: [Seq], isStarred: Bool?, hides: Bool, after head: Position, at now: Timestamp
    ) throws(Refusal) -> [OwnMessage] {
        let bySeq = Dictionary(found.map { ($0.seq, $0) }, uniquingKeysWith: { first, _ in first })
        var position = head
        var messages: [OwnMessage] = []
        for seq in seqs {
            guard var message = bySeq[seq] else { throw .messageNotFound("seqs") }
            let before = message
            if isStarred == true {
                guard message.hasContent, !message.isHidden else { throw .messageNotFound("seqs") }
                message.starredAt = message.starredAt ?? now
            } else if isStarred == false {
                message.starredAt = nil
            }
            if hides, !message.isHidden {
                message.isHidden = true
                message.isNewlyHidden = true
                message.starredAt = nil
            }
            if message != before {
                position += 1
                message.position = position
            }
            messages.append(message)
        }
        return messages
    }
}

extension Refusal {
    static func tooManyStarred(_ max: Int64) -> Refusal {
        Refusal(.tooManyStarred, "At most \(max) messages can be starred.", field: "seqs")
    }
}
