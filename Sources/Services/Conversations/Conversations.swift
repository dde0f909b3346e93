import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds a person by username.
    /// - Throws: ``Refusal`` `user_not_found`.
    func findUser(_ request: FindUserRequest, _ call: RequestContext) async throws -> FindUserReply {
        guard
            let account = try await context.database.first(
                ConversationsStore.accountByUsername, .text(request.username))
        else { throw Refusal.userNotFound }
        return FindUserReply(user: account.user)
    }

    /// Starts the conversation of two people, or finds it (C1 to C5). Retry-safe.
    ///
    /// However many start it at once, one is made: they meet at its id.
    /// - Throws: ``Refusal`` `user_not_found`, `user_blocked`.
    func startDirect(_ request: StartDirectRequest, _ call: RequestContext) async throws -> ConversationReply {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user) else { throw Refusal.userNotFound }
        let now = context.clock.now
        return try await context.journal.change { change in
            guard
                let peer = try await change.query(
                    ConversationsStore.peers, .int64(caller.account), .texts([other.rawValue])
                ).first
            else { throw Refusal.userNotFound }
            if peer.isBlocked { throw Refusal.userBlocked }
            let made = try await change.first(
                ConversationsStore.addConversation, .text(ConversationID(me, other).rawValue),
                .int16(Int16(ConversationKind.direct.rawValue)), .text(""), .int64(caller.account), .int64(now))
            if let made {
                let members = Set([caller.account, peer.account])
                try await self.addMembers(members, owner: nil, to: made, at: now, in: change)
            }
            if made != nil { try await self.tellMembers(of: ConversationID(me, other), in: change) }
            let conversation = try await self.known(ConversationID(me, other), to: caller, in: change)
            return ConversationReply(conversation: conversation, created: made != nil)
        }
    }

    /// Makes a group with the caller as its owner (C9). Retry-safe: the same id again returns the first result.
    /// - Throws: ``Refusal`` `user_not_found`, `user_blocked`, `id_in_use`, `invalid`.
    func createGroup(_ request: CreateGroupRequest, _ call: RequestContext) async throws -> ConversationReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let name = try Text.name(request.name, field: "name", bytes: 128)
        let users = Set(request.users).subtracting([caller.user])
        guard users.allSatisfy({ UserID($0) != nil }) else { throw Refusal.userNotFound }
        let now = context.clock.now
        let conversationID = ConversationID(group: id)
        return try await context.journal.change { change in
            if let owner = try await change.first(ConversationsStore.creator, .text(conversationID.rawValue)) {
                guard owner == caller.account else {
                    throw Refusal("id_in_use", "Somebody else's conversation has this id; make a new one.", field: "id")
                }
                let known = try await self.known(conversationID, to: caller, in: change)
                return ConversationReply(conversation: known, created: false)
            }
            try id.checkWindow(now: now)
            let peers = try await change.query(ConversationsStore.peers, .int64(caller.account), .texts(users.sorted()))
            guard peers.count == users.count else { throw Refusal.userNotFound }
            if peers.contains(where: \.isBlocked) { throw Refusal.userBlocked }
            let made = try await change.first(
                ConversationsStore.addConversation, .text(conversationID.rawValue),
                .int16(Int16(ConversationKind.group.rawValue)), .text(name), .int64(caller.account), .int64(now))
            // Made by the same request in another try, a moment ago.
            guard let made else {
                throw Refusal.unavailable("The same request is under way.", retryAfter: .milliseconds(50))
            }
            let members = Set(peers.map(\.account) + [caller.account])
            try await self.addMembers(members, owner: caller.account, to: made, at: now, in: change)
            try await self.tellMembers(of: conversationID, in: change)
            let conversation = try await self.known(conversationID, to: caller, in: change)
            return ConversationReply(conversation: conversation, created: true)
        }
    }

    /// A conversation of the caller's (C10: with names and photos of its members).
    /// - Throws: ``Refusal`` `not_found`, the same for one that is not theirs.
    func getConversation(_ request: GetConversationRequest, _ call: RequestContext) async throws -> ConversationReply {
        guard let id = ConversationID(request.conversation),
            let conversation = try await view(of: id, for: call.caller.account, in: context.database)
        else { throw Refusal.notFound }
        return ConversationReply(conversation: conversation, created: false)
    }

    /// The caller's conversations changed since a position, in its order. Its cost follows what changed.
    func sync(_ request: ConversationsSyncRequest, _ call: RequestContext) async throws -> ConversationsSyncReply {
        let limit = Page.limit(request.limit)
        guard let head = try await context.database.first(ConversationsStore.streamHead, .int64(call.caller.account))
        else {
            throw DatabaseError.unexpected("no epoch")
        }
        // A position that was never reached is of a time before a restore, whatever the epoch says.
        let startOver = !request.epoch.isEmpty && (request.epoch != head.epoch || request.sincePosition > head.position)
        let since = startOver ? 0 : max(0, request.sincePosition)
        let rows = try await context.database.query(
            ConversationsStore.changedConversations, .int64(call.caller.account), .int64(since),
            .int64(Int64(limit + 1)))
        var bytes = 0
        let conversations = try await withMembers(Array(rows.prefix(limit)), in: context.database).prefix {
            conversation in
            bytes += conversation.encode().count
            // At least one, however large.
            return bytes <= Page.bytesMost || conversation.position == rows[0].conversation.position
        }
        let more = rows.count > conversations.count
        return ConversationsSyncReply(
            epoch: head.epoch, startOver: startOver,
            // Read before the rows: a change in between is told again rather than missed.
            position: more
                ? conversations.last?.position ?? since : max(head.position, conversations.last?.position ?? 0),
            conversations: Array(conversations), more: more)
    }

    // MARK: Shared steps

    /// The next position of each account's own stream, in order of account so that two such changes never wait for
    /// each other in a circle.
    func advanceHeads(of accounts: Set<Int64>, in change: Change) async throws -> [(account: Int64, position: Int64)] {
        try await change.query(ConversationsStore.advanceHeads, .int64s(accounts.sorted()))
    }

    /// The first members of a conversation.
    private func addMembers(
        _ accounts: Set<Int64>, owner: Int64?, to conversation: Int64, at now: Int64, in change: Change
    )
        async throws
    {
        let heads = try await advanceHeads(of: accounts, in: change)
        let roles = heads.map { Int16(($0.account == owner ? MemberRole.owner : .member).rawValue) }
        try await change.execute(
            ConversationsStore.addMembers, .int64(conversation), .int64s(heads.map(\.account)), .int16s(roles),
            .int64(now),
            .int64s(heads.map(\.position)))
    }

    /// A conversation that must be the caller's, or have been.
    func known(_ id: ConversationID, to caller: Caller, in change: Change) async throws -> Conversation {
        guard let conversation = try await view(of: id, for: caller.account, in: change) else {
            throw DatabaseError.unexpected("the caller is no member of \(id.rawValue)")
        }
        return conversation
    }

    /// Tells every member of a conversation as it now stands.
    func tellMembers(of id: ConversationID, in change: Change) async throws {
        let places = try await change.query(ConversationsStore.places, .text(id.rawValue))
        guard let first = places.first, let seen = try await view(of: id, for: first.account, in: change) else {
            return
        }
        for place in places {
            var theirs = seen
            theirs.position = place.position
            change.publish(update(theirs, place.conversation, to: place.account, user: place.user))
        }
    }

    func update(_ conversation: Conversation, _ number: Int64, to account: Int64, user: String) -> PendingUpdate {
        PendingUpdate(
            conversation, kindNumber: JournalKind.conversationChanged, subject: account, object: number,
            stream: "conversations/u/" + user, position: conversation.position, audience: [account])
    }

    /// As a member sees it, or a former one.
    func view(of id: ConversationID, for account: Int64, in database: some Queryable) async throws
        -> Conversation?
    {
        let rows = try await database.query(ConversationsStore.conversation, .int64(account), .text(id.rawValue))
        return try await withMembers(rows, in: database).first
    }

    private func withMembers(_ rows: [ConversationRow], in database: some Queryable) async throws -> [Conversation] {
        // Who left sees no more who is there.
        let numbers = rows.filter { $0.conversation.leftAtUs == 0 }.map(\.number)
        guard !numbers.isEmpty else { return rows.map(\.conversation) }
        let members = try await database.query(ConversationsStore.members, .int64s(numbers))
        let byConversation = Dictionary(grouping: members, by: \.conversation)
        return rows.map { row in
            var conversation = row.conversation
            guard conversation.leftAtUs == 0 else { return conversation }
            conversation.members = byConversation[row.number]?.map(\.member) ?? []
            return conversation
        }
    }
}

extension Refusal {
    static let userNotFound = Refusal("user_not_found", "User not found. Please check the username and try again.")
    static let userBlocked = Refusal("user_blocked", "You cannot message this user.")
}
