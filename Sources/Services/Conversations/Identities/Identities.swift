import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The identities that sign a person in (A2).
extension ConversationsService {
    nonisolated static let identitiesMax = 16

    /// Lists the caller's identities, and whether they have a password.
    func listIdentities(
        _ request: ListIdentitiesRequest, _ call: RequestContext
    ) async throws -> ListIdentitiesReply {
        try await identities(of: call.caller.account, in: context.database)
    }

    /// Adds an identity to the caller's account.
    /// - Throws: ``Refusal`` `identity_in_use`, `too_many_identities`, `code_refused`; those of ``evidence(_:of:)`` and
    ///   of a token.
    func linkIdentity(_ request: LinkIdentityRequest, _ call: RequestContext) async throws -> ListIdentitiesReply {
        let account = call.caller.account
        let evidence = try await evidence(request.owner ?? .init(), of: call.caller)
        let token = try await verified(request.token, nonce: request.nonce, or: request.code, request.verifier)
        do {
            return try await link(token, to: account, evidence)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw Refusal.unavailable(
                "Somebody took the username that the token suggests. Try again.", retryAfter: .seconds(1))
        }
    }

    private func link(
        _ token: VerifiedToken, to account: AccountNumber, _ evidence: OwnerEvidence
    ) async throws -> ListIdentitiesReply {
        try await context.journal.change { change in
            try await self.requireAccount(account, in: change)
            let now = try await Self.now(in: change)
            try await self.accept(evidence, of: account, at: now, in: change)
            let known = try await change.query(IdentitiesStore.identities, .number(account))
            let isMine = known.contains {
                $0.identity.url == token.issuer.url && $0.subject == token.claims.subject
            }
            if !isMine {
                guard known.count < Self.identitiesMax else {
                    throw Refusal(
                        .tooManyIdentities,
                        "You have \(known.count) identities, as many as you may. Remove one first.")
                }
                guard try await self.add(token, to: account, in: change) else {
                    throw Refusal(
                        .identityInUse, "This identity of \(token.issuer.name) signs somebody else in.", field: "token")
                }
            }
            try await self.use(UseOfToken(token: token), of: account, device: nil, at: now, in: change)
            try await self.upgrade(account, by: token, in: change)
            return try await self.identities(of: account, in: change)
        }
    }

    /// Removes an identity of the caller.
    /// - Throws: ``Refusal`` `not_found`, `last_way_in`; those of ``evidence(_:of:)``.
    func unlinkIdentity(_ request: UnlinkIdentityRequest, _ call: RequestContext) async throws -> Done {
        let account = call.caller.account
        let evidence = try await evidence(request.owner ?? .init(), of: call.caller)
        try await context.journal.change { change in
            try await self.requireAccount(account, in: change)
            let now = try await Self.now(in: change)
            try await self.accept(evidence, of: account, at: now, in: change)
            let known = try await self.identities(of: account, in: change)
            guard known.identities.contains(where: { $0.id == request.identity }) else { throw Refusal.notFound }
            // One of an issuer that signs nobody in any more is no way in.
            let others = known.identities.filter { $0.id != request.identity && !$0.issuer.isEmpty }
            guard known.withPassword || !others.isEmpty else {
                throw Refusal(
                    .lastWayIn,
                    "Nothing else signs you in. Set a password or add another identity before you remove this one.")
            }
            try await change.execute(
                IdentitiesStore.removeIdentity, .number(account), .text(request.identity))
        }
        return Done()
    }

    private func identities(
        of account: AccountNumber, in database: some Queryable
    ) async throws -> ListIdentitiesReply {
        guard let credentials = try await database.first(JobsStore.readCredentials, .number(account)) else {
            throw Refusal.unauthenticated
        }
        let known = try await database.query(IdentitiesStore.identities, .number(account))
        return ListIdentitiesReply(
            identities: known.map { stored in
                var identity = stored.identity
                identity.issuer = issuers.block(of: identity.url)?.name ?? ""
                return identity
            }, withPassword: credentials.passwordHash != nil)
    }

    /// Locks the caller's account until the transaction ends.
    func requireAccount(_ account: AccountNumber, in change: Change) async throws {
        guard try await change.first(ConversationsStore.lockAccount, .number(account)) != nil else {
            // It was erased meanwhile.
            throw Refusal.unauthenticated
        }
    }
}
