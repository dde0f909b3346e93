import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The number of a card.
struct CardNumber: TypedNumber {
    let rawValue: Int64
}

/// The conversation of a card.
struct CardPlace: Sendable {
    /// What the system message of a card has at most, about.
    private static let bytes = 200

    var conversation: ConversationNumber
    var members: Int

    init(_ row: borrowing RowReader, from column: Int) throws {
        (conversation, members) = (try row.conversation(column), Int(try row.int32(column + 1)))
    }

    /// What goes out to the members for a change of the card.
    var deliveredBytes: Int { Self.bytes * members }
}

/// Cards, by which entities appear in conversations. Messaging follows their kind of the journal and writes a system
/// message for each. Who may read that message may read the entity, so messaging alone decides who sees it.
extension EntitiesService {
    /// Makes an entity appear in a conversation.
    /// - Parameters:
    ///   - kind: what the system message says.
    ///   - message: the id of the message; nil: that of ``cardMessage(_:)``.
    ///   - statement: adds the card, and what belongs to it.
    func share(
        _ entity: UUIDv7, as kind: SystemNoteKind, in conversation: ConversationNumber, message: [UInt8]? = nil,
        supersedes: [UInt8], by caller: Caller, _ change: Change,
        adding statement: Statement<(card: CardNumber, place: CardPlace)> = CardsStore.add
    ) async throws -> CardNumber {
        let added = try await change.first(
            statement, .int16(Int16(kind.rawValue)), .uuid(entity.bytes), .number(conversation),
            .number(caller.account), .uuid(message ?? Self.cardMessage(entity)),
            supersedes.isEmpty ? .null : .uuid(supersedes))
        guard let added else { throw DatabaseError.unexpected("the card was not added") }
        note(added.card, in: added.place, by: caller.account, change)
        return added.card
    }

    /// Removes an entity from a conversation, for everyone.
    func withdraw(_ card: CardNumber, by caller: Caller, at now: Timestamp, _ change: Change) async throws {
        let place = try await change.first(CardsStore.withdraw, .number(card), .number(now))
        guard let place else { return }
        note(card, in: place, by: caller.account, change)
    }

    /// Tells messaging that a card was made, has changed or was withdrawn, and counts what it sends to the members.
    func note(_ card: CardNumber, in place: CardPlace, by actor: AccountNumber, _ change: Change) {
        change.publish(
            PendingUpdate(note: EntitiesKind.card, subject: place.conversation, named: card, actor: actor))
        change.causes(bytes: place.deliveredBytes)
    }

    /// The id of the message: that of the entity with version 8 (RFC 9562), which no client's id has. It is the same
    /// whenever the card is written, so it is written once.
    nonisolated static func cardMessage(_ entity: UUIDv7) -> [UInt8] {
        var bytes = entity.bytes
        bytes[6] = 0x80 | bytes[6] & 0x0f
        return bytes
    }

    /// Returns the number of a conversation in which the caller may write, and so may share.
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `request_pending`.
    func sharedConversation(
        _ text: String, by caller: Caller, in database: any Queryable
    ) async throws -> ConversationNumber {
        let found = try await database.first(CardsStore.standing, .text(text), .number(caller.account))
        guard let found else { throw Refusal.notMember }
        try found.requireSharing()
        return found.conversation
    }

    /// The refusal of somebody who may not write in a conversation.
    nonisolated static func standing(_ refusal: String) -> Refusal {
        switch Refusal.Code(rawValue: refusal) {
        case .userBlocked:
            Refusal(.userBlocked, "You cannot write to this user, so you cannot share with them.")
        case .acceptFirst:
            Refusal(.acceptFirst, "You have not accepted this request. Accept it before you share anything.")
        default: .notMember
        }
    }
}

/// How somebody stands in a conversation that they see.
struct ConversationStanding: Sendable {
    var conversation: ConversationNumber
    /// The code with which they may not write there; empty: they may.
    var refusal: String
    var isPending: Bool

    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `request_pending`, unless they may share.
    func requireSharing() throws(Refusal) {
        guard refusal.isEmpty else { throw EntitiesService.standing(refusal) }
        if isPending { throw .requestPending }
    }
}

/// The SQL of cards.
enum CardsStore {
    /// $1 kind, $2 entity, $3 conversation, $4 account, $5 message, $6 supersedes.
    static let insertion = """
        INSERT INTO entities.cards (kind, entity, conversation, account, message, supersedes)
        VALUES ($1, $2, $3, $4, $5, $6::uuid)
        """

    /// ``insertion``. Returns the card.
    static let add = Statement(
        """
        \(insertion)
        RETURNING card, conversation, \(members(of: "cards.conversation"))
        """
    ) { row in (card: CardNumber(try row.int64(0)), place: try CardPlace(row, from: 1)) }

    /// An expression: how many members a conversation has.
    static func members(of conversation: String) -> String {
        "COALESCE("
            + oneRow("member_count", from: "conversations.conversation_ids", by: "conversation", is: conversation)
            + ", 0)"
    }

    /// $1 card, $2 now. Returns its conversation, or no row if it was withdrawn before.
    static let withdraw = Statement(
        """
        UPDATE entities.cards
        SET withdrawn_at = $2
        WHERE card = $1
            AND withdrawn_at IS NULL
        RETURNING conversation, \(members(of: "cards.conversation"))
        """
    ) { row in try CardPlace(row, from: 0) }

    /// $1 conversation id, $2 account. Returns no row if the account is not a member or does not see it.
    static let standing = Statement(
        """
        SELECT c.conversation, a.refusal, a.is_pending
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL \(oneRow(
            "is_reader, refusal, is_pending", from: "conversations.access",
            where: "conversation = c.conversation", by: "account", is: "$2"
        )) AS a
        WHERE c.conversation_id = $1
            AND a.is_reader
        """
    ) { row in
        ConversationStanding(
            conversation: try row.conversation(0), refusal: try row.text(1), isPending: try row.bool(2))
    }

    /// A condition: whether an account is a member who may read the message with a card. One row of each view by its
    /// key.
    static func isReadable(card: String, conversation: String, account: String) -> String {
        """
        EXISTS (
            SELECT
            FROM \(oneRow(
                "may_read", from: "conversations.access", where: "conversation = \(conversation)", by: "account",
                is: account
            )) AS member
            CROSS JOIN \(oneRow("message", from: "entities.cards", by: "card", is: card)) AS k
            CROSS JOIN LATERAL \(oneRow(
                "seq", from: "messaging.readable",
                where: "conversation = \(conversation) AND account BETWEEN \(account) AND \(account)", by: "id",
                is: "k.message"
            )) AS m
            WHERE member.may_read
        )
        """
    }
}
