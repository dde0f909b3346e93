import Postgres
import Schema
import ServiceKit

extension ConversationsService {
    func currentConversations(_ entries: [JournalEntry]) async throws -> [CurrentState<Conversation>] {
        let found = try await context.database.query(
            ReplayStore.conversations, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)),
            .numbers(entries.map(\.position)))
        var views = try await withMembers(found.compactMap(\.row), in: context.database)[...]
        return found.map { ordinal, user, row in
            CurrentState(ordinal: ordinal, owner: user, state: row == nil ? nil : views.popFirst())
        }
    }

    func currentRequestCounts(_ entries: [JournalEntry]) async throws -> [CurrentState<RequestCount>] {
        try await newest(entries) { account in
            let count = try await self.context.database.first(ViewsStore.streamHead, .int64(account))?.requests
            return count.map { ($0.position, $0) }
        }
    }

    func currentProfiles(_ entries: [JournalEntry]) async throws -> [CurrentState<Profile>] {
        try await newest(entries) { account in
            let profile = try await self.context.database.first(ViewsStore.profile, .int64(account))
            return profile.map { ($0.position, $0) }
        }
    }

    /// Returns the state of each person that the last of their entries has. It supersedes the earlier ones.
    private func newest<State: StreamState>(
        _ entries: [JournalEntry], _ read: (Int64) async throws -> (position: Int64, state: State)?
    ) async throws -> [CurrentState<State>] {
        let accounts = Set(entries.map(\.subject)).sorted()
        let users = Dictionary(
            uniqueKeysWithValues: try await context.database.query(ReplayStore.userIDs, .int64s(accounts)))
        var states: [Int64: (position: Int64, state: State)] = [:]
        for account in accounts { states[account] = try await read(account) }
        return entries.enumerated().map { index, entry in
            let current = states[entry.subject].flatMap { $0.position == entry.position.rawValue ? $0.state : nil }
            return CurrentState(ordinal: index + 1, owner: users[entry.subject] ?? "", state: current)
        }
    }

    func currentBlocks(_ entries: [JournalEntry]) async throws -> [CurrentState<Block>] {
        let found = try await context.database.query(
            ReplayStore.blocks, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)))
        return found.map { ordinal, me, block in
            var block = block
            block.position = entries[ordinal - 1].position.rawValue
            return CurrentState(ordinal: ordinal, owner: me, state: block)
        }
    }

    /// The journal names only the account. Its first entry replays all its revocations that may still matter.
    func replayRevocations(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        let since = try await Self.now(in: context.database) - revocationsMatterFor
        let revoked = try await context.database.query(
            ReplayStore.revokedOf, .int64s(Set(entries.map(\.subject)).sorted()), .number(since))
        var byAccount = Dictionary(grouping: revoked, by: \.account)
        return entries.flatMap { entry in
            (byAccount.removeValue(forKey: entry.subject) ?? []).map {
                entry.replayed(control: Control(control: .deviceRevoked($0)))
            }
        }
    }

    /// How long a revocation matters: tokens from before it have expired by then.
    var revocationsMatterFor: Duration { .seconds(context.settings.integer("tokens.access-seconds") + 60) }
}

/// The SQL that reads the current state of journal entries.
enum ReplayStore {
    /// $1 accounts, $2 conversations, $3 positions. Returns for each triple its ordinal, the user id and the account's
    /// view of the conversation, without members. The view is null if the conversation no longer has that position.
    static let conversations = Statement(
        """
        SELECT e.ordinal, u.user_id, \(ViewsStore.columns)
        FROM \(replayedEntries)
        JOIN conversations.accounts AS u ON u.account = e.subject
        LEFT JOIN LATERAL \(oneRow(
            "*", from: "conversations.members", where: "conversation = e.object", by: "account", is: "e.subject"
        )) AS m ON m.position = e.position AND m.section > \(Section.hidden.rawValue)
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
