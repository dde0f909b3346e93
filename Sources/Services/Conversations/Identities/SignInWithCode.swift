import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Signs in a device whose person signed in on a page (A2).
extension ConversationsService {
    /// Signs in the device that began, with the code that its return address got.
    /// - Throws: ``Refusal`` `code_refused`, `account_suspended`, `rate_limited`, `unavailable`; for a new account also
    ///   `registration_closed`, `registration_code_refused` and `proof_required`.
    func signInWithCode(_ request: SignInWithCodeRequest, _ call: RequestContext) async throws -> SignedIn {
        let id = try UUIDv7(request.id)
        try id.checkWindow(now: context.clock.now)
        let deviceName = try AccountRules.deviceName(request.deviceName)
        let place = Address.place(of: call.caller.address)
        let hash = PageCode.hash(request.code)
        let token = try await countingWrong(place) {
            try await self.token(of: request.code, request.verifier, usedBy: id)
        }
        let newcomer = Newcomer(
            displayName: request.displayName, code: request.registrationCode, proof: request.proof,
            work: request.code)
        let (account, isNew) = try await self.account(of: token, newcomer, at: place)
        try signIns.take(account.account)
        return try await signInDevice(
            of: account, deviceName, for: call,
            by: grant(UseOfToken(token: token, requestID: id.bytes, makesAccount: isNew), of: account.account)
        ) { [self] change in
            let used = try await change.first(
                PageSignInsStore.useCode, .bytes(hash), .uuid(id.bytes), .number(context.clock.now),
                .number(context.clock.now - PageCode.grace))
            guard used != nil else { throw Refusal.pageCodeRefused }
        }
    }

    /// Returns the token that a request gives, or that the code of a page stands for.
    /// - Throws: ``Refusal`` `invalid` for both, `code_refused`; those of a token.
    func verified(
        _ token: String, nonce: String, or code: String, _ verifier: String
    ) async throws -> VerifiedToken {
        guard !code.isEmpty else { return try await issuers.verified(token, nonce: nonce) }
        guard token.isEmpty else { throw Refusal.invalid("code", "must be empty, since there is a token") }
        return try await self.token(of: code, verifier, usedBy: nil)
    }

    /// Returns the token that a code is for. It signs somebody in once, so the code does, too.
    /// - Parameter id: the request that may have used it before.
    private func token(of code: String, _ verifier: String, usedBy id: UUIDv7?) async throws -> VerifiedToken {
        let now = context.clock.now
        let none = [UInt8](repeating: 0, count: 16)
        guard
            let stored = try await context.database.first(
                PageSignInsStore.code, .bytes(PageCode.hash(code)), .uuid(id?.bytes ?? none), .number(now),
                .number(now - PageCode.grace)),
            stored.challenge == PageState.challenge(of: verifier),
            let held = PageCode.opened(stored.sealedToken, by: code)
        else { throw Refusal.pageCodeRefused }
        do {
            var token = try await issuers.verified(held.token, nonce: held.nonce)
            token.isOfPage = true
            return token
        } catch let refusal as Refusal where refusal.code != .unavailable {
            // It was right a minute ago: its issuer was taken out meanwhile.
            throw Refusal.pageCodeRefused
        }
    }
}

/// A sign-in on a page that waits for its device.
struct StoredPageCode: Sendable {
    var challenge: [UInt8]
    var sealedToken: [UInt8]
}

/// The SQL of sign-ins on pages.
enum PageSignInsStore {
    /// $1 hash of the state, $2 end. Returns no row if somebody came back with it before.
    static let come = Statement(
        """
        INSERT INTO conversations.page_sign_ins (state_hash, ends_at)
        VALUES ($1, $2)
        ON CONFLICT (state_hash) DO NOTHING
        RETURNING ends_at
        """
    ) { row in try row.time(0) }

    /// $1 hash of the state, $2 hash of the code, $3 challenge, $4 sealed token, $5 end of the code.
    static let keepToken = Statement(
        """
        UPDATE conversations.page_sign_ins
        SET code_hash = $2,
            challenge = $3,
            sealed_token = $4,
            code_ends_at = $5
        WHERE state_hash = $1
        """)

    /// $1 hash of the code, $2 request, $3 now, $4 the end of one that this request may have used.
    static let code = Statement(
        """
        SELECT challenge, sealed_token
        FROM conversations.page_sign_ins
        WHERE code_hash = $1
            AND (code_ends_at > $3 AND request_id IS NULL OR code_ends_at > $4 AND request_id = $2)
        """
    ) { row in StoredPageCode(challenge: try row.bytes(0), sealedToken: try row.bytes(1)) }

    /// As above. Returns no row if another request used it.
    static let useCode = Statement(
        """
        UPDATE conversations.page_sign_ins
        SET request_id = $2
        WHERE code_hash = $1
            AND (code_ends_at > $3 AND request_id IS NULL OR code_ends_at > $4 AND request_id = $2)
        RETURNING code_ends_at
        """
    ) { row in try row.time(0) }

    /// $1 time: deletes those that ended before.
    static let forget = Statement("DELETE FROM conversations.page_sign_ins WHERE ends_at < $1")
}

extension Refusal {
    static let pageCodeRefused = Refusal(
        .codeRefused, "This code is wrong, was used, or is too old. Sign in once more.", field: "code")
}
