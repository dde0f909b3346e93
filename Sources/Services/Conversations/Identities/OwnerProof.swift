import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// What showed that an account's owner asks: changes of how people sign in take it, so that nobody who finds an
/// unlocked phone keeps the account.
enum OwnerEvidence: Sendable {
    /// The hash that the password is of.
    case password(hash: String)
    case token(VerifiedToken)
    /// The session of a guest, who has nothing else.
    case guest
}

extension ConversationsService {
    /// Checks the password of the caller, or a token or code of one of their identities. The transaction of the change
    /// then asks ``accept(_:of:at:in:)``.
    ///
    /// Each counts, also a right one, since a check takes tens of milliseconds. It counts for this device alone: nobody
    /// who guesses elsewhere keeps the owner from changing anything.
    /// - Throws: ``Refusal`` `wrong_credentials`, `owner_unproven`, `rate_limited`; those of a token.
    func evidence(_ proof: OwnerProof, of caller: Caller) async throws -> OwnerEvidence {
        let stored = try await context.database.first(JobsStore.readCredentials, .number(caller.account))
        guard let credentials = stored else { throw Refusal.unauthenticated }
        let key = SignInKeys.owner(caller.account, caller.device)
        let limit = SignInLimit(key, context.settings.integer("limits.sign-ins-per-minute"))
        try await attempts.count([limit])
        let hasToken = !proof.token.isEmpty || !proof.code.isEmpty
        if proof.password.isEmpty, !hasToken,
            try await context.database.first(GuestsStore.isGuest, .number(caller.account)) != nil
        {
            return .guest
        }
        if proof.password.isEmpty, hasToken {
            return .token(try await tokenOfOwner(proof, caller.account))
        }
        guard let hash = credentials.passwordHash, !proof.password.isEmpty else {
            throw Refusal.ownerUnproven(hasPassword: credentials.passwordHash != nil)
        }
        let password = AccountRules.typedPassword(proof.password)
        guard try await signInQueue.verified(password, against: hash, for: nil) else { throw Refusal.wrongPassword }
        return .password(hash: hash)
    }

    private func tokenOfOwner(_ proof: OwnerProof, _ account: AccountNumber) async throws -> VerifiedToken {
        let token = try await verified(proof.token, nonce: proof.nonce, or: proof.code, proof.verifier)
        let owner = try await context.database.first(
            IdentitiesStore.accountOfIdentity, .text(token.issuer.url), .text(token.claims.subject))
        guard owner?.account == account else { throw Refusal.identityOfAnother }
        return token
    }

    /// Accepts the evidence in the transaction of what it allows, with the account locked: nothing may have changed.
    /// - Throws: ``Refusal`` `wrong_credentials`, `token_used`, `code_refused`, `unavailable`,
    ///   `owner_unproven`.
    func accept(
        _ evidence: OwnerEvidence, of account: AccountNumber, at now: Timestamp, in change: Change
    ) async throws {
        switch evidence {
        case .password(let hash):
            let stored = try await change.first(JobsStore.readCredentials, .number(account))
            guard stored?.passwordHash == hash else { throw Refusal.wrongPassword }
        case .token(let token):
            try await use(UseOfToken(token: token), of: account, device: nil, at: now, in: change)
        case .guest:
            guard try await change.first(GuestsStore.isGuest, .number(account)) != nil else {
                // Another device made them more than that meanwhile.
                throw Refusal.ownerUnproven(hasPassword: true)
            }
        }
    }
}

extension Refusal {
    static let wrongPassword = Refusal(.wrongCredentials, "Wrong password.", field: "password")

    static let identityOfAnother = Refusal(
        .ownerUnproven, "This token is of an identity that does not sign you in.", field: "token")

    static func ownerUnproven(hasPassword: Bool) -> Refusal {
        Refusal(
            .ownerUnproven,
            hasPassword
                ? "This takes your password, or a new token of one of your identities."
                : "This takes a new token of one of your identities. Sign in with it once more.",
            field: hasPassword ? "password" : "token")
    }
}
