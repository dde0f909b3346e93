import Postgres
import Schema
import ServiceKit

extension ConversationsService {
    /// Conversations as their members now see them, and revocations that may still matter. Notes are told to nobody.
    public func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        try await conversations(entries.filter { $0.kind == JournalKind.conversationChanged })
            + revocations(entries.filter { $0.kind == JournalKind.deviceRevoked })
    }

    private func conversations(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let found = try await context.database.query(
            ConversationsStore.conversationsNamed, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)),
            .int64s(entries.map(\.position)))
        let numbers = Set(found.compactMap { $0.conversation?.leftAtUs == 0 ? entries[$0.ordinal - 1].object : nil })
        let members = try await context.database.query(ConversationsStore.members, .int64s(numbers.sorted()))
        let byConversation = Dictionary(grouping: members, by: \.conversation).mapValues { $0.map(\.member) }
        return found.map { ordinal, user, conversation in
            let entry = entries[ordinal - 1]
            let stream = "conversations/u/" + user
            guard var conversation else { return entry.superseded(stream: stream) }
            if conversation.leftAtUs == 0 { conversation.members = byConversation[entry.object] ?? [] }
            return entry.replayed(conversation, stream: stream)
        }
    }

    /// The journal says of whom, not what: everything of theirs that was revoked while tokens lasted, once.
    private func revocations(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let since = try await Self.now(in: context.database) - revocationsMatterFor
        let revoked = try await context.database.query(
            ConversationsStore.revokedOf, .int64s(Set(entries.map(\.subject)).sorted()), .int64(since))
        var byAccount = Dictionary(grouping: revoked, by: \.account)
        return entries.flatMap { entry in
            (byAccount.removeValue(forKey: entry.subject) ?? []).map {
                entry.replayed(control: Control(control: .deviceRevoked($0)))
            }
        }
    }

    /// What was revoked longer ago than this no token contradicts any more; in microseconds.
    var revocationsMatterFor: Int64 { Int64(context.settings.integer("tokens.access-seconds") + 60) * 1_000_000 }
}

extension ConversationsStore {
    /// $1 accounts, $2 conversations, $3 positions: for each three their place in the lists, the user's id, and the
    /// conversation as the account sees it, without its members; none where it no longer has that position.
    static let conversationsNamed = Statement(
        """
        SELECT e.ordinal, u.user_id, c.conversation_id, c.kind, c.name, c.status, requester.user_id, c.created_at,
            creator.user_id, m.position, m.left_at
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
            AS e (account, conversation, position, ordinal)
        JOIN conversations.accounts AS u ON u.account = e.account
        LEFT JOIN LATERAL (
            SELECT conversation, position, left_at
            FROM conversations.members
            WHERE conversation = e.conversation
                AND account BETWEEN e.account AND e.account
            ORDER BY account
            LIMIT 1
        ) AS m ON m.position = e.position
        LEFT JOIN conversations.conversations AS c ON c.conversation = m.conversation
        LEFT JOIN conversations.accounts AS requester ON requester.account = c.requester
        LEFT JOIN conversations.accounts AS creator ON creator.account = c.created_by
        """
    ) { row in
        (ordinal: Int(try row.int64(0)), user: try row.text(1), conversation: try conversationNamed(row))
    }

    private static func conversationNamed(_ row: borrowing RowReader) throws -> Conversation? {
        guard let id = try row.optionalText(2) else { return nil }
        return Conversation(
            id: id, kind: ConversationKind(rawValue: Int32(try row.int16(3))), name: try row.text(4), members: [],
            conversationStatus: ConversationStatus(rawValue: Int32(try row.int16(5))),
            requesterId: try row.optionalText(6) ?? "", createdAtUs: try row.int64(7),
            createdBy: try row.optionalText(8) ?? "", position: try row.int64(9),
            leftAtUs: try row.optionalInt64(10) ?? 0)
    }

    /// $1 accounts, $2 since.
    static let revokedOf = Statement(
        """
        SELECT account, device_id, revoked_at
        FROM conversations.devices
        WHERE account = ANY ($1)
            AND revoked_at > $2
        UNION ALL
        SELECT account, '', tokens_void_before
        FROM conversations.accounts
        WHERE account = ANY ($1)
            AND tokens_void_before > $2
        """
    ) { row in DeviceRevoked(account: try row.int64(0), device: try row.text(1), atUs: try row.int64(2)) }
}
