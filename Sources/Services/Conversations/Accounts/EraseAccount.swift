import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Erases accounts when their owners request it (A5).
extension ConversationsService {
    /// Erases the caller. After the reply nobody can sign in as them, find them or read their profile. A job then
    /// removes them from groups and publishes the change to the people they wrote with. Other services read the view
    /// `conversations.erased`.
    ///
    /// The emptied row of the account stays, so that its ids are never reused. So does a keyed hash of the username.
    /// - Throws: ``Refusal`` as ``evidence(_:of:)``.
    func eraseAccount(_ request: EraseAccountRequest, _ call: RequestContext) async throws -> Done {
        let account = call.caller.account
        let proof = OwnerProof(password: request.password, token: request.token, nonce: request.nonce)
        let evidence = try await evidence(proof, of: call.caller)
        try await context.journal.change { change in
            try await self.requireAccount(account, in: change)
            try await self.accept(evidence, of: account, at: try await Self.now(in: change), in: change)
            try await self.eraseNow(account, in: change)
        }
        return Done()
    }

    /// Does everything that must take effect before the reply.
    func eraseNow(_ account: AccountNumber, in change: Change) async throws {
        // Lock out sign-ins, changes of the profile, and conversations that are being started.
        guard let credentials = try await change.first(JobsStore.credentials, .number(account)) else { return }
        _ = try await change.query(ConversationsStore.lockDevices, .number(account), .null)
        let now = try await Self.now(in: change)
        change.publish(Self.revocation(account: account, device: "", at: now))
        try await change.execute(JobsStore.deleteAttempts, .text(SignInKeys.person(credentials.username) + "%"))
        try await change.execute(JobsStore.eraseAccount, .number(account), .number(now))
        jobs.wake(after: change)
    }

    /// Removes an erased person from one group, or their data from direct conversations. Publishes the result to the
    /// other members.
    func removeErased(_ account: AccountNumber, from conversations: [JobConversation], in change: Change) async throws {
        if let group = conversations.first, group.kind == .group {
            return try await leave(group.id, erased: account, in: change)
        }
        let numbers = try await change.query(JobsStore.lockConversations, .numbers(conversations.map(\.number)))
        // All together, because two of the steps below each lock some of them.
        _ = try await change.query(JobsStore.lockHeads, .numbers(numbers))
        // The rules know which of the two is erased. `settle` stores the consequences for both.
        let pairs = try await pairs(numbers, in: change)
        try await settle(pairs.map { ($0, $0.pair) }, in: change)
        try await publishPerson(account, in: numbers, change)
    }

    private func leave(_ group: String, erased account: AccountNumber, in change: Change) async throws {
        guard let id = ConversationID(group),
            let user = try await change.first(JobsStore.userID, .number(account)),
            let locked = try await change.first(MembersStore.lockConversation, .text(group))
        else { return }
        let lockedGroup = try await lockedGroup(id, locked.number, naming: [user], in: change)
        guard let person = lockedGroup.person(user) else { return }
        if !person.isFormer {
            try await end(person, in: lockedGroup, by: account, in: change)
        } else if person.invitedBy != nil {
            try await endInvitations(of: [account], in: lockedGroup, change)
        }
    }
}
