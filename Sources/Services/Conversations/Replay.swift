import Postgres
import Schema
import ServiceKit

extension ConversationsService {
    /// Returns the entries of users' own streams with their current state, and the revocations that may still matter.
    /// Notes are not replayed.
    public func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        try await conversations(entries.filter { $0.kind == JournalKind.conversationChanged })
            + heads(
                entries.filter { $0.kind == JournalKind.requestsCounted || $0.kind == JournalKind.profileChanged })
            + blocks(entries.filter { $0.kind == JournalKind.blockChanged })
            + revocations(entries.filter { $0.kind == JournalKind.deviceRevoked })
    }

    private func conversations(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let found = try await context.database.query(
            ReplayStore.conversations, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)),
            .int64s(entries.map(\.position)))
        let views = try await withMembers(found.compactMap(\.row), in: context.database)
        let byPosition = Dictionary(
            zip(found.compactMap { $0.row == nil ? nil : $0.ordinal }, views)
        ) { first, _ in first }
        return found.map { ordinal, user, _ in
            let entry = entries[ordinal - 1]
            let stream = Self.stream(of: user)
            guard let conversation = byPosition[ordinal] else { return entry.superseded(stream: stream) }
            return entry.replayed(conversation, stream: stream)
        }
    }

    /// Counts and profiles. The newest of each person is published; it supersedes the earlier ones.
    private func heads(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let accounts = Set(entries.map(\.subject)).sorted()
        let users = Dictionary(
            uniqueKeysWithValues: try await context.database.query(ReplayStore.userIDs, .int64s(accounts)))
        var profiles: [Int64: Profile] = [:]
        var counts: [Int64: RequestCount] = [:]
        for account in accounts {
            profiles[account] = try await context.database.first(ViewsStore.profile, .int64(account))
            counts[account] = try await context.database.first(ViewsStore.streamHead, .int64(account))?.requests
        }
        return entries.map { entry in
            let stream = Self.stream(of: users[entry.subject] ?? "")
            if entry.kind == JournalKind.profileChanged {
                let profile = profiles[entry.subject]
                if let profile, profile.position == entry.position { return entry.replayed(profile, stream: stream) }
            } else if let count = counts[entry.subject], count.position == entry.position {
                return entry.replayed(count, stream: stream)
            }
            return entry.superseded(stream: stream)
        }
    }

    private func blocks(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let found = try await context.database.query(
            ReplayStore.blocks, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)))
        return found.map { ordinal, me, block in
            let entry = entries[ordinal - 1]
            var block = block
            block.position = entry.position
            return entry.replayed(block, stream: Self.stream(of: me))
        }
    }

    /// The journal names only the account. Its first entry replays all its revocations that may still matter.
    private func revocations(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        guard !entries.isEmpty else { return [] }
        let since = try await Self.now(in: context.database) - revocationsMatterFor
        let revoked = try await context.database.query(
            ReplayStore.revokedOf, .int64s(Set(entries.map(\.subject)).sorted()), .int64(since))
        var byAccount = Dictionary(grouping: revoked, by: \.account)
        return entries.flatMap { entry in
            (byAccount.removeValue(forKey: entry.subject) ?? []).map {
                entry.replayed(control: Control(control: .deviceRevoked($0)))
            }
        }
    }

    /// How long a revocation matters, in microseconds: tokens from before it have expired by then.
    var revocationsMatterFor: Int64 { Int64(context.settings.integer("tokens.access-seconds") + 60) * 1_000_000 }
}

/// The SQL that reads the current state of journal entries.
enum ReplayStore {
    /// $1 accounts, $2 conversations, $3 positions. Returns for each triple its ordinal, the user id and the account's
    /// view of the conversation, without members. The view is null if the conversation no longer has that position.
    static let conversations = Statement(
        """
        SELECT e.ordinal, u.user_id, \(ViewsStore.columns)
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY
            AS e (account, conversation, position, ordinal)
        JOIN conversations.accounts AS u ON u.account = e.account
        LEFT JOIN LATERAL (
            SELECT *
            FROM conversations.members
            WHERE conversation = e.conversation
                AND account BETWEEN e.account AND e.account
            ORDER BY account
            LIMIT 1
        ) AS m ON m.position = e.position AND m.place > 0
        LEFT JOIN conversations.conversations AS c ON c.conversation = m.conversation
        \(ViewsStore.joins)
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), user: try row.text(1),
            row: row.isNull(2) ? nil : try ViewsStore.conversation(row, from: 2)
        )
    }

    /// $1 accounts.
    static let userIDs = Statement(
        """
        SELECT account, user_id
        FROM conversations.accounts
        WHERE account = ANY ($1)
        """
    ) { row in (try row.int64(0), try row.text(1)) }

    /// $1 accounts, $2 others. Returns for each pair its ordinal, the account's user id, and whether the account now
    /// blocks the other.
    static let blocks = Statement(
        """
        SELECT e.ordinal, me.user_id, \(ViewsStore.userColumns), b.at
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS e (account, other, ordinal)
        JOIN conversations.accounts AS me ON me.account = e.account
        JOIN conversations.accounts AS a ON a.account = e.other
        LEFT JOIN conversations.blocks AS b ON b.account = e.account AND b.blocked = e.other
        """
    ) { row in
        (
            ordinal: Int(try row.int64(0)), me: try row.text(1),
            block: Block(
                user: try ViewsStore.user(row, from: 2), blocked: !row.isNull(8), atUs: try row.optionalInt64(8) ?? 0)
        )
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
