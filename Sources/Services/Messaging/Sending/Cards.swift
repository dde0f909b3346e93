import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// An entity that appears in a conversation, as entities publishes it.
struct Card: Sendable {
    var number: Int64
    var kind: SystemNoteKind
    var entity: [UInt8]
    var conversation: ConversationNumber
    /// The person who shared it.
    var account: AccountNumber
    /// The id of its message.
    var message: [UInt8]
    var supersedes: [UInt8]
    var isWithdrawn: Bool
    /// How often the entity has changed.
    var changes: Int64

    func note(_ users: [AccountNumber: String]) -> SystemNote {
        SystemNote(
            kind: kind, actor: users[account] ?? "", entity: entity, supersedes: supersedes, changes: changes)
    }
}

/// Writes a system message for each card of entities, changes it with the entity, and deletes it with the entity. Each
/// message is committed together with the position in the journal that it comes from, and its id follows from the
/// entity, so it is written once.
///
/// A card names its current state. So a card that was withdrawn before its message was written has none.
@ReactorActor
struct CardWriter {
    let notes: NoteWriter

    /// Writes and deletes the messages of journal entries, and publishes them after the commit.
    /// - Throws: ``Refusal`` `unavailable` if others keep a conversation locked. Retry a moment later.
    func write(_ entries: [JournalEntry], in change: Change) async throws {
        let numbers = Set(entries.filter { $0.is(EntitiesKind.card) }.map(\.object)).sorted()
        guard !numbers.isEmpty else { return }
        let named = try await change.query(CardMessagesStore.cards, .int64s(numbers))
        let conversations = Set(named.map(\.conversation)).sorted()
        let ids = try await change.conversationIDs(of: conversations).mapValues(\.id)
        let users = try await change.userIDs(of: named.map(\.account))
        // A direct conversation has no head before its first message.
        for card in named where !card.isWithdrawn {
            try await change.execute(RetentionStore.makeHead, .number(card.conversation), .number(card.account))
        }
        try await change.lockHeads(of: conversations)
        // Under the lock, as for a message: once a block is acknowledged, nothing of the blocked person appears.
        let cards = try await change.query(CardMessagesStore.cards, .int64s(numbers))
        for card in cards where card.isWithdrawn { try await delete(card, ids[card.conversation] ?? "", in: change) }
        var unwritten: [Card] = []
        for card in cards where !card.isWithdrawn {
            if card.changes > 0, try await update(card, ids[card.conversation] ?? "", users, in: change) { continue }
            unwritten.append(card)
        }
        guard !unwritten.isEmpty else { return }
        let mayWrite = Set(
            try await change.query(
                CardMessagesStore.sharers, .int64s(unwritten.map(\.number)), .numbers(unwritten.map(\.conversation)),
                .numbers(unwritten.map(\.account))))
        try await notes.store(
            unwritten.filter { mayWrite.contains($0.number) }.map {
                SystemMessage(conversation: $0.conversation, id: $0.message, note: $0.note(users))
            }, ids, in: change)
    }

    /// Says in the message of a card how often the entity has changed. After a block nothing of the blocked person
    /// changes.
    /// - Returns: whether the message is there.
    private func update(
        _ card: Card, _ conversation: String, _ users: [AccountNumber: String], in change: Change
    ) async throws -> Bool {
        let found = try await change.first(CardMessagesStore.message, .number(card.conversation), .uuid(card.message))
        guard let found else { return false }
        guard let note = try? SystemNote.decode(found.note), note.changes < card.changes,
            try await change.first(
                CardMessagesStore.isBlocked, .number(card.conversation), .number(card.account)) != true
        else { return true }
        let position = try await MessagingService.nextPosition(
            of: card.conversation, for: found.membersVersion, in: change)
        let changed = card.note(users)
        try await change.execute(
            CardMessagesStore.update, .number(card.conversation),
            .int64s(found.readers.rawValues + found.others.rawValues), .number(found.seq), .bytes(changed.encode()),
            .number(notes.clock.now), .number(position))
        let message = Message(
            conversation: conversation, seq: found.seq.rawValue, id: card.message, kind: .system,
            sentAtUs: found.sentAt.rawValue, position: position.rawValue, system: changed,
            expiresAtUs: found.expiresAt?.rawValue ?? 0)
        MessagingService.publish(
            message, of: card.conversation, conversation, found.readers, found.others, in: change)
        return true
    }

    /// Deletes the message of a card for everyone, as its author's messages are deleted.
    private func delete(_ card: Card, _ conversation: String, in change: Change) async throws {
        let found = try await change.first(CardMessagesStore.message, .number(card.conversation), .uuid(card.message))
        guard let found else { return }
        let (seq, sentAt, readers, others) = (found.seq, found.sentAt, found.readers, found.others)
        let position = try await MessagingService.nextPosition(
            of: card.conversation, for: found.membersVersion, in: change)
        let now = notes.clock.now
        _ = try await change.first(
            ActionsStore.delete, .number(card.conversation), .int64s(readers.rawValues + others.rawValues),
            .number(seq), .number(now), .number(position), .null)
        let deleted = Message(
            conversation: conversation, seq: seq.rawValue, id: card.message, kind: .system, sentAtUs: sentAt.rawValue,
            position: position.rawValue, deletedAtUs: now.rawValue)
        MessagingService.publish(deleted, of: card.conversation, conversation, readers, others, in: change)
    }
}

/// The SQL of cards and their messages.
enum CardMessagesStore {
    /// $1 numbers of cards.
    static let cards = Statement(
        """
        SELECT card, kind, entity, conversation, account, message, supersedes, is_withdrawn, changes
        FROM entities.published_cards
        WHERE card = ANY ($1)
        ORDER BY card
        """
    ) { row in
        Card(
            number: try row.int64(0), kind: SystemNoteKind(rawValue: Int32(try row.int16(1))),
            entity: try row.uuid(2), conversation: try row.conversation(3), account: try row.account(4),
            message: try row.uuid(5), supersedes: try row.optionalUUID(6) ?? [], isWithdrawn: try row.bool(7),
            changes: try row.int64(8))
    }

    /// $1 cards, $2 their conversations, $3 the people who shared them: the cards whose person may write there.
    static let sharers = Statement(
        """
        SELECT s.card
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS s (card, conversation, account)
        CROSS JOIN LATERAL \(oneRow(
            "may_write, is_pending", from: "conversations.access", where: "conversation = s.conversation",
            by: "account", is: "s.account"
        )) AS a
        WHERE a.may_write
            AND NOT a.is_pending
        """
    ) { row in try row.int64(0) }

    /// $1 conversation, $2 id: a message that is not deleted, and the members to whom it is shown and the others. The
    /// head is locked.
    static let message = Statement(
        """
        SELECT m.seq, m.sent_at, r.readers, r.others, m.extra, m.expires_at, c.members_version
        FROM \(oneRow(
            "seq, sent_at, deleted_at, extra, expires_at", from: "messaging.messages", where: "conversation = $1", by: "id", is: "$2"
        )) AS m
        CROSS JOIN LATERAL messaging.readers($1, m.seq) AS r
        JOIN conversations.conversation_ids AS c ON c.conversation = $1
        WHERE m.deleted_at IS NULL
        """
    ) { row in
        (
            seq: try row.seq(0), sentAt: try row.time(1), readers: try row.audience(2), others: try row.audience(3),
            note: try row.optionalBytes(4) ?? [], expiresAt: try row.optionalTime(5), membersVersion: try row.int64(6)
        )
    }

    /// $1 conversation, $2 account: whether a block keeps it from writing there.
    static let isBlocked = Statement(
        """
        SELECT refusal = 'user_blocked'
        FROM \(oneRow(
            "refusal, account", from: "conversations.access", where: "conversation = $1", by: "account", is: "$2"
        )) AS a
        """
    ) { row in try row.bool(0) }

    /// $1 conversation, $2 members, $3 seq, $4 note, $5 now, $6 position.
    static let update = Statement<Void>(
        """
        WITH changed AS (
            UPDATE messaging.messages
            SET extra = $4, changed_at = $5, position = $6
            WHERE ctid = ANY (ARRAY\(oneRow(
                "ctid", from: "messaging.messages", where: "conversation = $1", by: "seq", is: "$3"
            )))
        ),
        \(ActionsStore.touched)
        SELECT
        """)
}
