import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Profiles: names, photos and email addresses (A3).
extension ConversationsService {
    /// Returns the caller's own profile, with the fields that nobody else sees.
    func getProfile(_ request: GetProfileRequest, _ call: RequestContext) async throws -> Profile {
        guard let profile = try await context.database.first(ViewsStore.profile, .number(call.caller.account)),
            profile.user?.deleted == false
        else { throw Refusal.unauthenticated }
        return profile
    }

    /// Changes the fields that the request names. A job then publishes the person to everyone who sees them in a
    /// conversation (C10).
    /// - Throws: ``Refusal`` `username_taken`, `invalid`, `guest_may_not`.
    func updateProfile(_ request: UpdateProfileRequest, _ call: RequestContext) async throws -> Profile {
        let changes = try ProfileRules.Changes(request)
        if let username = changes.username { try requireUnreserved(username) }
        // The change is published to everyone who sees the person.
        try allow(.changeProfile, by: call.caller)
        do {
            return try await context.journal.change { change in
                try await self.update(call.caller, changes, in: change)
            }
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw Refusal.usernameTaken
        }
    }

    private func update(
        _ caller: Caller, _ changes: ProfileRules.Changes, in change: Change
    ) async throws -> Profile {
        let account = caller.account
        guard let before = try await change.first(PeopleStore.lockProfile, .number(account)) else {
            // The account was erased meanwhile.
            throw Refusal.unauthenticated
        }
        if changes.username != nil, before.guest { throw Refusal.guestMayNot(.username) }
        let after = changes.apply(to: before)
        if before.emailConfirmed, !after.emailConfirmed {
            try await self.mails.add(.addressChanged, to: before.email, of: account, in: change)
        }
        if after != before, let user = after.user {
            try await change.execute(
                PeopleStore.updateProfile, .number(account), user.username.isEmpty ? .null : .text(user.username),
                .text(user.displayName), .text(user.photoUrl), .text(after.email), .bool(after.findableByEmail),
                .bool(after.emailConfirmed))
            // The job's row before the head, the order in which the job locks them.
            if user != before.user { try await self.jobs.begin(.publishProfile, of: account, in: change) }
        }
        guard after == before else { return try await self.publishProfile(of: account, in: change) }
        guard let profile = try await change.first(ViewsStore.profile, .number(account)) else {
            throw DatabaseError.unexpected("no account")
        }
        return profile
    }

    /// Publishes a profile that changed to its owner.
    @discardableResult
    func publishProfile(of account: AccountNumber, in change: Change) async throws -> Profile {
        _ = try await change.first(PeopleStore.moveProfile, .number(account))
        guard let profile = try await change.first(ViewsStore.profile, .number(account)) else {
            throw DatabaseError.unexpected("no account")
        }
        change.publish(
            PendingUpdate(
                profile, as: ConversationsKind.profile, subject: account,
                owner: profile.user?.id ?? "", position: Position(profile.position),
                audience: [account]))
        return profile
    }

    /// Returns people in the order of the requested ids. Deleted people have only their id. Unknown ids are left out.
    func getUsers(_ request: GetUsersRequest, _ call: RequestContext) async throws -> GetUsersReply {
        var seen: Set<String> = []
        let ids = request.users.filter { UserID($0) != nil && seen.insert($0).inserted }
        return GetUsersReply(users: try await context.database.query(PeopleStore.users, .texts(ids)))
    }
}

extension Refusal {
    static let usernameReserved = Refusal(
        .usernameTaken, "This username is reserved. Choose another.", field: "username")

    static let usernameTaken = Refusal(
        .usernameTaken, "This username is taken. Choose another.", field: "username")
}
