import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Each member's view of a conversation. Replies, Updates and Sync all take it from here, so that they agree.
extension ConversationsService {
    /// Returns a conversation of the caller's, with names and photos of its members (C10).
    /// - Throws: ``Refusal`` `not_found`, also for a conversation of other people.
    func getConversation(_ request: GetConversationRequest, _ call: RequestContext) async throws -> ConversationReply {
        guard let id = ConversationID(request.conversation),
            let conversation = try await view(of: id, for: call.caller.account, in: context.database)
        else { throw Refusal.notFound }
        return ConversationReply(conversation: conversation, created: false)
    }

    /// Returns conversations of the caller's in the order asked for, as many as fit a page.
    func getConversations(
        _ request: GetConversationsRequest, _ call: RequestContext
    ) async throws -> GetConversationsReply {
        let ids = request.conversations.compactMap { ConversationID($0)?.rawValue }
        let rows = try await context.database.query(
            ViewsStore.conversations, .number(call.caller.account), .texts(ids))
        let found = try await withMembers(rows, in: context.database)
        let page = Self.withinPage(found)
        return GetConversationsReply(conversations: page, more: page.count < found.count)
    }

    /// Returns the first conversations that fit in the bytes of a page, and at least one.
    private static func withinPage(_ conversations: [Conversation]) -> [Conversation] {
        var bytes = 0
        let fitting = conversations.prefix { conversation in
            bytes += conversation.encode().count
            return bytes <= Page.bytesMax
        }
        return Array(fitting.isEmpty ? conversations.prefix(1) : fitting)
    }

    /// Returns the changes of the caller's stream since a position, in order. The cost grows with their number.
    func sync(_ request: ConversationsSyncRequest, _ call: RequestContext) async throws -> ConversationsSyncReply {
        let limit = Page.limit(request.limit)
        guard let head = try await context.database.first(ViewsStore.streamHead, .number(call.caller.account))
        else {
            throw DatabaseError.unexpected("no epoch")
        }
        let start = SyncStart(request.sincePosition, of: request.epoch, current: head.epoch, head: head.position)
        let since = start.since
        let rows =
            since == head.position
            ? []
            : try await context.database.query(
                ViewsStore.changedConversations, .number(call.caller.account), .number(since),
                .int64(Int64(limit + 1)), .number(head.position))
        let conversations = Self.withinPage(
            try await withMembers(Array(rows.prefix(limit)), in: context.database))
        let more = rows.count > conversations.count
        let profile =
            since == 0 || head.profilePosition > since
            ? try await context.database.first(ViewsStore.profile, .number(call.caller.account)) : nil
        return ConversationsSyncReply(
            epoch: head.epoch, startOver: start.startOver,
            // Changes of any kind after the head was read come with the next call.
            position: more ? conversations.last?.position ?? since.rawValue : head.position.rawValue,
            conversations: conversations, more: more, requests: head.requests, profile: profile,
            blocksChanged: head.blocksPosition > since)
    }

    // MARK: Shared steps

    /// Returns a conversation of which the caller must be a present or former member.
    func known(_ id: ConversationID, to caller: Caller, in change: Change) async throws -> Conversation {
        guard let conversation = try await view(of: id, for: caller.account, in: change) else {
            throw DatabaseError.unexpected("the caller is not a member of \(id.rawValue)")
        }
        return conversation
    }

    /// Returns a present or former member's view; nil for a person who is not shown the conversation.
    func view(of id: ConversationID, for account: AccountNumber, in database: some Queryable) async throws
        -> Conversation?
    {
        let rows = try await database.query(ViewsStore.conversation, .number(account), .text(id.rawValue))
        return try await withMembers(rows, in: database).first
    }

    /// Publishes a conversation to people as each of them now sees it, at the positions that their rows have. Skips
    /// people who are not shown it.
    /// - Parameter accounts: present or former members; nil for all present members.
    func publishViews(
        of id: ConversationID, to accounts: Set<AccountNumber>? = nil, in change: Change
    ) async throws {
        let recipients = try await change.query(
            ViewsStore.memberViews, .text(id.rawValue), .numbers(accounts?.sorted() ?? []), .bool(accounts == nil))
        let views = try await withMembers(recipients.map(\.row), in: change)
        var encoder = ConversationEncoder()
        for (recipient, conversation) in zip(recipients, views) {
            // Most views differ only in the position.
            var update = PendingUpdate(
                Conversation(position: conversation.position), as: ConversationsKind.conversation,
                subject: recipient.account, object: recipient.row.number, owner: recipient.user,
                position: Position(conversation.position), audience: [recipient.account])
            update.body = encoder.encode(conversation)
            change.publish(update)
        }
    }

    /// Publishes to each person how many requests they have. The change must have locked their heads already.
    func publishRequestCounts(of accounts: Set<AccountNumber>, in change: Change) async throws {
        for (account, user, count) in try await change.query(
            ViewsStore.countRequests, .numbers(accounts.sorted()))
        {
            change.publish(
                PendingUpdate(
                    count, as: ConversationsKind.requestCount, subject: account, owner: user,
                    position: Position(count.position), audience: [account]))
        }
    }

    func withMembers(_ rows: [ConversationRow], in database: some Queryable) async throws -> [Conversation] {
        // Whoever left or is only invited, and those for whom it is gone, do not see the members.
        let showsMembers = { (conversation: Conversation) in conversation.leftAtUs == 0 && conversation.section != .gone
        }
        let numbers = Set(rows.filter { showsMembers($0.conversation) }.map(\.number)).sorted()
        guard !numbers.isEmpty else { return rows.map(\.conversation) }
        let members = try await database.query(ViewsStore.members, .numbers(numbers))
        let byConversation = Dictionary(grouping: members, by: \.conversation)
        return rows.map { row in
            var conversation = row.conversation
            guard showsMembers(conversation) else { return conversation }
            conversation.members = byConversation[row.number]?.map(\.member) ?? []
            return conversation
        }
    }
}

/// The SQL that reads conversations, and everything else in a person's own stream, as that person sees it.
enum ViewsStore {
    /// Columns of `c`, a row of conversations, and `m`, one person's row of members.
    static let columns =
        """
        c.conversation, c.conversation_id, c.kind, COALESCE(m.left_name, c.name), c.status, requester.user_id, c.created_at,
            creator.user_id, m.position, m.left_at, COALESCE(m.left_photo_url, c.photo_url), m.section, c.member_count,
            c.requested_at, m.request_read_at, m.joined_version > 0, m.invited_count, m.request_at,
            CASE WHEN m.invited_by IS NOT NULL THEN (
                SELECT user_id FROM conversations.accounts WHERE account = m.invited_by
            ) END,
            CASE WHEN m.invited_by IS NOT NULL AND m.request_read_at IS NOT NULL THEN (
                SELECT user_id FROM conversations.accounts WHERE account = m.account
            ) END,
            m.returned_position
        """
    static let joins =
        """
        LEFT JOIN conversations.accounts AS requester ON requester.account = c.requester
        LEFT JOIN conversations.accounts AS creator ON creator.account = c.created_by
        """

    static func conversation(_ row: borrowing RowReader, from first: Int) throws -> ConversationRow {
        let section = ConversationSection(rawValue: Int32(try row.int16(first + 11)))
        let id = try row.text(first + 1)
        if section == .gone {
            // They no longer see anything else of it.
            return ConversationRow(
                number: try row.conversation(first),
                conversation: Conversation(
                    id: id, kind: ConversationKind(rawValue: Int32(try row.int16(first + 2))),
                    position: try row.int64(first + 8), section: section))
        }
        let kind = ConversationKind(rawValue: Int32(try row.int16(first + 2)))
        let leftAt = try row.optionalInt64(first + 9) ?? 0
        if section == .requests, kind == .group {
            return ConversationRow(
                number: try row.conversation(first),
                conversation: Conversation(
                    id: id, kind: kind, name: try row.text(first + 3), conversationStatus: .pending,
                    requesterId: try row.optionalText(first + 18) ?? "", position: try row.int64(first + 8),
                    leftAtUs: try row.bool(first + 15) ? leftAt : try row.optionalInt64(first + 17) ?? leftAt,
                    photoUrl: try row.text(first + 10), section: section,
                    memberCount: UInt32(try row.optionalInt32(first + 16) ?? 0),
                    requestReadBy: try row.optionalText(first + 19).map { [$0] } ?? [],
                    requestedAtUs: try row.optionalInt64(first + 17) ?? 0))
        }
        let requester = try row.optionalText(first + 5) ?? ""
        let status = ConversationStatus(rawValue: Int32(try row.int16(first + 4)))
        let wasSeen = status == .accepted || !row.isNull(first + 14)
        let recipient = requester.isEmpty ? nil : id.split(separator: "_").first { $0 != requester }
        return ConversationRow(
            number: try row.conversation(first),
            conversation: Conversation(
                id: id, kind: kind, name: try row.text(first + 3), members: [],
                conversationStatus: section == .blockedPeople ? .blocked : status, requesterId: requester,
                createdAtUs: try row.int64(first + 6), createdBy: try row.optionalText(first + 7) ?? "",
                position: try row.int64(first + 8), leftAtUs: leftAt, photoUrl: try row.text(first + 10),
                section: section, memberCount: leftAt == 0 ? UInt32(try row.int32(first + 12)) : 0,
                requestReadBy: wasSeen ? recipient.map { [String($0)] } ?? [] : [],
                requestedAtUs: try row.optionalInt64(first + 13) ?? 0,
                returnedPosition: leftAt == 0 ? try row.int64(first + 20) : 0))
    }

    static func user(_ row: borrowing RowReader, from first: Int) throws -> User {
        User(
            id: try row.text(first), username: try row.optionalText(first + 1) ?? "",
            displayName: try row.text(first + 2), photoUrl: try row.text(first + 3),
            createdAtUs: try row.int64(first + 4), deleted: !row.isNull(first + 5))
    }

    /// Columns of `a`, a row of accounts, for ``user(_:from:)``.
    static let userColumns = "a.user_id, a.username, a.display_name, a.photo_url, a.created_at, a.erased_at"

    /// $1 my account, $2 conversation id. Former members see it, too.
    static let conversation = Statement(
        """
        SELECT \(columns)
        FROM conversations.conversations AS c
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        \(joins)
        WHERE c.conversation_id = $2
            AND m.section BETWEEN 1 AND 4
        """
    ) { row in try conversation(row, from: 0) }

    /// $1 my account, $2 conversation ids: those that are mine, in this order. Former members see them, too.
    static let conversations = Statement(
        """
        SELECT \(columns)
        FROM unnest($2::text[]) WITH ORDINALITY AS named (conversation_id, ordinal)
        JOIN conversations.conversations AS c ON c.conversation_id = named.conversation_id
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "conversations.members", where: "conversation = c.conversation", by: "account", is: "$1"
        )) AS m
        \(joins)
        WHERE m.section BETWEEN 1 AND 4
        ORDER BY named.ordinal
        """
    ) { row in try conversation(row, from: 0) }

    /// $1 my account, $2 since, $3 limit, $4 up to. Includes conversations left. Includes gone ones only if $2 is not
    /// zero, because only then a device may hold them.
    static let changedConversations = Statement(
        """
        SELECT \(columns)
        FROM conversations.members AS m
        JOIN conversations.conversations AS c ON c.conversation = m.conversation
        \(joins)
        WHERE m.account = $1
            AND m.position > $2
            AND m.position <= $4
            AND m.section BETWEEN \(Section.inbox.rawValue)
                AND CASE WHEN $2 = 0 THEN \(Section.left.rawValue) ELSE \(Section.gone.rawValue) END
        ORDER BY m.position
        LIMIT $3
        """
    ) { row in try conversation(row, from: 0) }

    /// $1 conversation id, $2 accounts, $3 whether to take all members instead. Returns the view of each.
    static let memberViews = Statement(
        """
        SELECT m.account, u.user_id, \(columns)
        FROM conversations.conversations AS c
        JOIN conversations.members AS m ON m.conversation = c.conversation
        JOIN conversations.accounts AS u ON u.account = m.account
        \(joins)
        WHERE c.conversation_id = $1
            AND CASE WHEN $3 THEN m.left_at IS NULL ELSE m.account = ANY ($2) END
            AND m.section > \(Section.hidden.rawValue)
        ORDER BY m.account
        """
    ) { row in
        (account: try row.account(0), user: try row.text(1), row: try conversation(row, from: 2))
    }

    /// $1 conversations. Returns all members of those with up to 64, the first 16 of larger ones.
    static let members = Statement(
        """
        SELECT m.conversation, m.role, m.joined_at, \(userColumns)
        FROM unnest($1::bigint[]) AS named (conversation)
        JOIN conversations.conversations AS c ON c.conversation = named.conversation
        CROSS JOIN LATERAL (
            SELECT conversation, account, role, joined_at, joined_version
            FROM conversations.members
            WHERE conversation = c.conversation
                AND left_at IS NULL
            ORDER BY -role, joined_version, account
            LIMIT CASE WHEN c.member_count <= 64 THEN 64 ELSE 16 END
        ) AS m
        JOIN conversations.accounts AS a ON a.account = m.account
        ORDER BY m.conversation, -m.role, m.joined_version, m.account
        """
    ) { row in
        (
            conversation: try row.conversation(0),
            member: Member(
                user: try user(row, from: 3), role: MemberRole(rawValue: Int32(try row.int16(1))),
                joinedAtUs: try row.int64(2))
        )
    }

    /// $1 account.
    static let streamHead = Statement(
        """
        SELECT conversations.epoch(), COALESCE(h.position, 0), COALESCE(h.requests_position, 0),
            COALESCE(h.profile_position, 0), COALESCE(h.blocks_position, 0), r.unread, r.total
        FROM (SELECT $1::bigint AS account) AS me
        LEFT JOIN conversations.heads AS h ON h.account = me.account
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE request_read_at IS NULL)::integer AS unread, count(*)::integer AS total
            FROM conversations.members
            WHERE account = me.account
                AND section = \(Section.requests.rawValue)
        ) AS r
        """
    ) { row in
        (
            epoch: try row.text(0), position: try row.position(1),
            requests: RequestCount(
                unread: UInt32(try row.int32(5)), total: UInt32(try row.int32(6)), position: try row.int64(2)),
            profilePosition: try row.position(3), blocksPosition: try row.position(4)
        )
    }

    /// $1 accounts. Their heads must be locked, so that each count belongs to its position.
    static let countRequests = Statement(
        """
        UPDATE conversations.heads AS h
        SET position = h.position + 1,
            requests_position = h.position + 1
        FROM unnest($1::bigint[]) AS named (account)
        JOIN conversations.accounts AS a ON a.account = named.account
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE request_read_at IS NULL)::integer AS unread, count(*)::integer AS total
            FROM conversations.members
            WHERE account = named.account
                AND section = \(Section.requests.rawValue)
        ) AS r
        WHERE h.account = named.account
        RETURNING h.account, a.user_id, r.unread, r.total, h.position
        """
    ) { row in
        (
            account: try row.account(0), user: try row.text(1),
            count: RequestCount(
                unread: UInt32(try row.int32(2)), total: UInt32(try row.int32(3)), position: try row.int64(4))
        )
    }

    /// $1 account.
    static let profile = Statement(
        """
        SELECT \(userColumns), a.email, a.findable_by_email, COALESCE(h.profile_position, 0),
            a.email_confirmed_at IS NOT NULL, a.guest_since IS NOT NULL
        FROM conversations.accounts AS a
        LEFT JOIN conversations.heads AS h ON h.account = a.account
        WHERE a.account = $1
        """
    ) { row in
        Profile(
            user: try user(row, from: 0), email: try row.optionalText(6) ?? "", findableByEmail: try row.bool(7),
            position: try row.int64(8), emailConfirmed: try row.bool(9), guest: try row.bool(10))
    }
}
