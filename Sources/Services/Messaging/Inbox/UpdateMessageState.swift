import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Stars messages, takes their stars, or hides them from the caller alone, for ever (M8, M11). Repeatable: what is
    /// so already stays so, and nothing is told.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `too_many_starred`, `invalid`.
    func updateMessageState(_ request: UpdateMessageStateRequest, _ call: RequestContext) async throws
        -> UpdateMessageStateReply
    {
        let isStarred = try request.starred.change("starred")
        guard !(request.hide && isStarred == true) else {
            throw Refusal.invalid("starred", "goes not with hide")
        }
        let starredMax = starredMax
        // Hiding changes what is unread, and with it the row of the inbox.
        return try await changeOwn(
            of: request.conversation, by: call.caller, isLocked: request.hide || request.starred == .yes
        ) { own in
            var head = try await own.positions(0)
            let seqs = MessageStateRules.seqs(request.seqs)
            let found = try await own.change.query(
                OwnStateStore.messageStates, .int64(call.caller.account), .int64(own.conversation),
                .int64s(seqs.filter { own.window.lowest <= $0 && $0 <= own.window.highest }), .int64(own.now))
            let changed = { (head: Int64) throws(Refusal) in
                try MessageStateRules.changed(
                    found, seqs: seqs, isStarred: isStarred, hides: request.hide, after: head, at: own.now)
            }
            var messages = try changed(head)
            let more = messages.count { $0.position > head && $0.starredAt == own.now }
            let room = more > 0 ? try await own.roomForStars(more, most: starredMax) : 0
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
    /// Makes room for more stars. Those of messages that are deleted or have disappeared go when they are in the way.
    /// - Returns: how many positions of the person's stream it took.
    /// - Throws: ``Refusal`` `too_many_starred`.
    @ReactorActor
    fileprivate func roomForStars(_ more: Int, most: Int64) async throws -> Int64 {
        let account = Parameter.int64(caller.account)
        let counts = try await change.query(OwnStateStore.starredCount, [account, .int64(most)])
        let over = counts.reduce(0, +) + Int64(more) - most
        guard over > 0 else { return 0 }
        let head = try await positions(0)
        let gone = try await change.query(
            OwnStateStore.unstarGone, [account, .int64(now), .int64(max(over, 100)), .int64(head)])
        guard gone.count >= over else { throw Refusal.tooManyStarred(most) }
        _ = try await positions(gone.count)
        for (conversation, state) in gone {
            tell(state, JournalKind.messageState, at: state.ownPosition, of: conversation, isInReply: false)
        }
        return Int64(gone.count)
    }

    /// Writes what is done with messages and tells of it; of what is hidden also how the conversation stands then.
    @ReactorActor
    fileprivate func store(_ changed: [OwnMessage]) async throws {
        guard !changed.isEmpty else { return }
        let hides = changed.contains { $0.isNewlyHidden }
        let last = try await positions(changed.count + (hides ? 1 : 0))
        try await change.execute(
            OwnStateStore.setMessageStates, .int64(caller.account), .int64(conversation), .int64s(changed.map(\.seq)),
            .optionalInt64s(changed.map(\.starredAt)), .bools(changed.map(\.isHidden)),
            .int64s(changed.map(\.position)), .int64(now))
        for message in changed { tell(message.state(in: id), JournalKind.messageState, at: message.position) }
        guard hides else { return }
        try await change.execute(
            OwnStateStore.recount, .int64(caller.account), .int64(conversation), .int64(last))
        _ = try await tellState(isInReply: false)
    }
}

/// What one person did with one message.
struct OwnMessage: Sendable, Equatable {
    var seq: Int64
    var starredAt: Int64?
    var isHidden = false
    /// Of the last change; zero: none yet.
    var position: Int64 = 0
    /// Neither deleted nor disappeared.
    var saysSomething = true
    var isNewlyHidden = false

    func state(in conversation: ConversationID) -> MessageState {
        MessageState(
            conversation: conversation.rawValue, seq: seq, ownPosition: position, starred: starredAt != nil,
            hidden: isHidden)
    }
}

/// What may be done with messages by one person alone. Pure.
enum MessageStateRules {
    /// Each once, in their order.
    static func seqs(_ asked: [Int64]) -> [Int64] {
        var known: Set<Int64> = []
        var seqs: [Int64] = []
        for seq in asked where known.insert(seq).inserted { seqs.append(seq) }
        return seqs
    }

    /// The messages as they are flagged then, in the order of `seqs`; those that change under the positions after
    /// `head`.
    /// - Throws: ``Refusal`` `message_not_found`: one is not there, or there is nothing in it to be starred.
    static func changed(
        _ found: [OwnMessage], seqs: [Int64], isStarred: Bool?, hides: Bool, after head: Int64, at now: Int64
    ) throws(Refusal) -> [OwnMessage] {
        let bySeq = Dictionary(found.map { ($0.seq, $0) }, uniquingKeysWith: { first, _ in first })
        var position = head
        var messages: [OwnMessage] = []
        for seq in seqs {
            guard var message = bySeq[seq] else { throw .messageNotFound("seqs") }
            let before = message
            if isStarred == true {
                guard message.saysSomething, !message.isHidden else { throw .messageNotFound("seqs") }
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
    static func tooManyStarred(_ most: Int64) -> Refusal {
        Refusal("too_many_starred", "At most \(most) messages can be starred.", field: "seqs")
    }
}
