import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Changes the caller's password, or gives them their first one (A6). Somebody without a username gets one.
    /// - Throws: ``Refusal`` `invalid`, `username_taken`; those of ``evidence(_:of:)``.
    func changePassword(_ request: ChangePasswordRequest, _ call: RequestContext) async throws -> Done {
        let (account, device) = (call.caller.account, call.caller.device)
        let password = try AccountRules.password(request.newPassword, field: "new_password")
        let username = request.username.isEmpty ? nil : try AccountRules.username(request.username)
        if let username { try requireUnreserved(username) }
        let evidence = try await evidence(request.owner ?? .init(), of: call.caller)
        let hash = try await signInQueue.hashed(password, for: nil)
        do {
            try await context.journal.change { change in
                try await self.requireAccount(account, in: change)
                let now = try await Self.now(in: change)
                try await self.accept(evidence, of: account, at: now, in: change)
                try await self.name(account, username, in: change)
                try await change.execute(IdentitiesStore.setPassword, .number(account), .text(hash))
                guard request.endOtherDevices else { return }
                for other in try await change.query(ConversationsStore.devices, .number(account))
                where other.id != device { try await self.revoke(device: other.id, of: account, in: change) }
            }
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw Refusal.usernameTaken
        }
        return Done()
    }

    /// Gives somebody who has no username the one that they chose with their first password.
    /// - Throws: ``Refusal`` `invalid` if they have one, or need one and chose none.
    private func name(_ account: AccountNumber, _ username: String?, in change: Change) async throws {
        guard let profile = try await change.first(PeopleStore.lockProfile, .number(account)), let user = profile.user
        else { throw Refusal.unauthenticated }
        guard user.username.isEmpty else {
            guard username == nil else {
                throw Refusal.invalid("username", "must be empty: you have one, which UpdateProfile changes")
            }
            return
        }
        guard let username else { throw Refusal.invalid("username", "must be given: a password signs in with one") }
        try await upgrade(account, to: username, displayName: nil, of: profile, in: change)
    }
}
