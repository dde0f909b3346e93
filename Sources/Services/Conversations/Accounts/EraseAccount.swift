import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// People who have themselves erased (A5).
extension ConversationsService {
    /// Erases the caller. Once it is answered nobody can sign in as them, find them or read their profile; a job then
    /// takes them out of groups and tells those they wrote with. Other services follow by the view
    /// `conversations.erased`.
    ///
    /// The account's row stays and says nothing, so that its ids are never given out again; so does a keyed hash of the
    /// username.
    /// - Throws: ``Refusal`` `wrong_credentials`, `rate_limited`.
    func eraseAccount(_ request: EraseAccountRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        guard let held = try await context.database.first(JobsStore.readCredentials, .int64(caller.account)) else {
            throw Refusal.unauthenticated
        }
        let limit = context.settings.integer("limits.sign-ins-per-minute")
        try await allow(Self.attempts(from: caller.address), perMinute: limit)
        try await allow(Self.attempts(as: held.username), perMinute: limit)
        guard try await verified(request.password, against: held.passwordHash ?? nobodysHash), held.passwordHash != nil
        else { throw Refusal("wrong_credentials", "Wrong password.", field: "password") }
        try await context.journal.change { change in
            try await self.eraseNow(caller.account, in: change)
        }
        return Done()
    }

    /// What must be true with the answer.
    private func eraseNow(_ account: Int64, in change: Change) async throws {
        // Against sign-ins, changes of the profile, and conversations that are just being started.
        guard let held = try await change.first(JobsStore.credentials, .int64(account)) else { return }
        _ = try await change.query(ConversationsStore.lockDevices, .int64(account), .null)
        let now = try await Self.now(in: change)
        try await change.execute(ConversationsStore.revokeAllDevices, .int64(account), .int64(now))
        change.publish(Self.revocation(account: account, device: "", at: now))
        try await change.execute(JobsStore.deleteRefreshTokens, .int64(account))
        try await change.execute(JobsStore.deleteDevices, .int64(account))
        try await change.execute(JobsStore.deleteBlocks, .int64(account))
        try await change.execute(JobsStore.deleteAttempts, .texts([Self.attempts(as: held.username)]))
        if !held.username.isEmpty {
            // Before the name is free for whoever waits for it.
            try await change.execute(JobsStore.retireUsername, .text(held.username), .int64(now))
        }
        try await change.execute(JobsStore.eraseAccount, .int64(account), .int64(now))
        try await jobs.cancel(.tellProfile, of: account, in: change)
        try await jobs.begin(.erase, of: account, in: change)
    }

    /// Takes an erased person out of some conversations: out of a group, or all that is theirs out of direct ones,
    /// whose others are told.
    func takeOut(_ account: Int64, of conversations: [JobConversation], in change: Change) async throws {
        if let group = conversations.first, group.kind == .group {
            return try await leave(group.id, erased: account, in: change)
        }
        let numbers = try await change.query(JobsStore.lockConversations, .int64s(conversations.map(\.number)))
        // All at once, as two steps below each take some of them.
        _ = try await change.query(JobsStore.lockHeads, .int64s(numbers))
        // The rules know that one of the two is erased: what follows from it for both is stored.
        let pairs = try await pairs(numbers, in: change)
        try await settle(pairs.map { ($0, $0.pair) }, in: change)
        try await tell(of: account, in: numbers, change)
    }

    private func leave(_ group: String, erased account: Int64, in change: Change) async throws {
        guard let id = ConversationID(group),
            let user = try await change.first(JobsStore.userID, .int64(account)),
            let locked = try await change.first(MembersStore.lockConversation, .text(group))
        else { return }
        let roster = try await change.query(MembersStore.roster, .int64(locked.number), .texts([user]))
        let held = LockedGroup(id: id, number: locked.number, roster: roster)
        guard let person = held.person(user), !person.isFormer else { return }
        try await end(person, in: held, by: account, in: change)
    }

    // MARK: What attempts are counted under

    nonisolated static func attempts(from address: String) -> String { "address:\(address)" }

    /// By a hash: what somebody typed may name a person who wants to be forgotten.
    nonisolated static func attempts(as username: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let hash = Sodium.hash(Array(username.utf8)).prefix(16)
        return "person:"
            + String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
