import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Signs people in whom somebody else knows: Apple, Google, a company's own directory (A2).
extension ConversationsService {
    /// Signs in a device with an ID token. The first token of a person makes their account.
    /// - Throws: ``Refusal`` as ``Issuers/verified(_:nonce:)``; `token_used`, `account_suspended`, `rate_limited`; for
    ///   a new account also `registration_closed`, `registration_code_refused` and `proof_required`.
    func signInWithToken(_ request: SignInWithTokenRequest, _ call: RequestContext) async throws -> SignedIn {
        let id = try UUIDv7(request.id)
        try id.checkWindow(now: context.clock.now)
        let deviceName = try AccountRules.deviceName(request.deviceName)
        let place = Address.place(of: call.caller.address)
        let token = try await countingWrong(place) {
            try await self.issuers.verified(request.token, nonce: request.nonce)
        }
        let newcomer = Newcomer(
            displayName: request.displayName, code: request.code, proof: request.proof,
            work: Hex.text(Sodium.sha256(of: Array(request.token.utf8))))
        let (account, isNew) = try await self.account(of: token, newcomer, at: place)
        try signIns.take(account.account)
        return try await signInDevice(
            of: account, deviceName, for: call,
            by: grant(UseOfToken(token: token, requestID: id.bytes, makesAccount: isNew), of: account.account))
    }

    /// Lists the issuers whose tokens are accepted, and says whether guests may come.
    func listIssuers(_ request: ListIssuersRequest, _ call: RequestContext) async throws -> ListIssuersReply {
        ListIssuersReply(
            issuers: issuers.blocks.map { block in
                Issuer(
                    name: block.name, url: block.url, audiences: block.audiences,
                    makesAccounts: block.mayRegister && registration != .closed,
                    nonce: block.nonce.inContract, pages: block.page != nil)
            }, guests: guests.isOn && registration != .closed)
    }

    /// Runs the check of a token. Wrong ones of an address count together, in all replicas; right ones do not count.
    func countingWrong<Right>(_ place: String, _ check: () async throws -> Right) async throws -> Right {
        let limit = SignInLimit(
            SignInKeys.token(place), context.settings.integer("limits.wrong-tokens-per-address"))
        try attempts.requireRoom([limit.key])
        do {
            return try await check()
        } catch let refusal as Refusal {
            if refusal.code != .unavailable { try await attempts.count([limit]) }
            throw refusal
        }
    }

    /// Whom a token names. Somebody new gets an account.
    func account(
        of token: VerifiedToken, _ newcomer: Newcomer, at place: String
    ) async throws -> (Account, isNew: Bool) {
        let key: [Parameter] = [.text(token.issuer.url), .text(token.claims.subject)]
        if let known = try await context.database.first(IdentitiesStore.accountOfIdentity, key) {
            return (known, false)
        }
        if token.issuer.namesImported, let found = try await imported(token) { return (found, false) }
        try await requireNewcomer(token, newcomer, at: place)
        // Each try knows of one more taken username, or of the account that another device made meanwhile.
        for _ in 0..<Self.namingsMax {
            if let made = try await addAccount(of: token, newcomer) { return (made, true) }
            if let known = try await context.database.first(IdentitiesStore.accountOfIdentity, key) {
                return (known, false)
            }
        }
        throw Refusal.unavailable("No username is free at the moment. Try again shortly.", retryAfter: .seconds(1))
    }

    private nonisolated static let namingsMax = 8

    /// Gives the identity to the account of this id in the system that people were imported from.
    private func imported(_ token: VerifiedToken) async throws -> Account? {
        guard
            let found = try await context.database.first(
                IdentitiesStore.importedAccount, .text(token.claims.subject))
        else { return nil }
        let isAdded = try await context.database.transaction { transaction in
            guard try await transaction.first(ConversationsStore.lockAccount, .number(found.account)) != nil else {
                return false
            }
            return try await self.add(token, to: found.account, in: transaction)
        }
        if isAdded { return found }
        return try await context.database.first(
            IdentitiesStore.accountOfIdentity, .text(token.issuer.url), .text(token.claims.subject))
    }

    /// Decides whether somebody whom nobody knows here may come.
    private func requireNewcomer(
        _ token: VerifiedToken, _ newcomer: Newcomer, at place: String
    ) async throws {
        guard token.issuer.mayRegister else {
            throw Refusal(
                .registrationClosed,
                "\(token.issuer.name) signs in only people who have an account here. Ask whoever runs this server.")
        }
        if registration == .closed { try await requireRegistration(code: newcomer.code) }
        try await proof.check(newcomer.proof, for: newcomer.work)
        try await attempts.count([
            SignInLimit(SignInKeys.register(place), context.settings.integer("limits.registrations-per-minute"))
        ])
        try await requireRegistration(code: newcomer.code)
        try await proof.spend(newcomer.proof, at: place)
    }

    /// - Returns: nil if another device did it at the same time, or somebody took the username.
    private func addAccount(
        of token: VerifiedToken, _ newcomer: Newcomer
    ) async throws -> Account? {
        let names = TokenNames.usernames(
            from: token.claims, by: token.issuer.usernameFrom, isReserved: isReserved, random: Sodium.randomText)
        let said = try TokenNames.displayName(from: token.claims, said: newcomer.displayName)
        let email = TokenNames.email(from: token.claims, of: token.issuer)
        do {
            return try await context.database.transaction { transaction in
                guard let username = try await transaction.first(IdentitiesStore.freeUsername, .texts(names)),
                    let made = try await transaction.first(
                        IdentitiesStore.addAccount, .text(Sodium.randomText(16)), .text(username),
                        .text(said ?? username), .text(TokenNames.photo(from: token.claims)),
                        email.map { .text($0) } ?? .null, .number(self.context.clock.now))
                else { return nil }
                guard try await self.add(token, to: made.account, in: transaction) else { throw KnownMeanwhile() }
                try await self.useCode(newcomer.code, in: transaction)
                return made
            }
        } catch is KnownMeanwhile {
            return nil
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            // The username belonged to an account that was erased meanwhile.
            return nil
        }
    }

    /// - Returns: false if the identity signs somebody in already.
    func add(_ token: VerifiedToken, to account: AccountNumber, in database: some Queryable) async throws -> Bool {
        try await database.first(
            IdentitiesStore.addIdentity, .number(account), .text(Sodium.randomText(16)), .text(token.issuer.url),
            .text(token.claims.subject), .text(token.label), .number(context.clock.now)) != nil
    }
}

/// What somebody new says of themselves, beside their token.
struct Newcomer: Sendable {
    var displayName: String
    /// A code of the operator.
    var code: String
    var proof: String
    /// What work is for, where an account takes work.
    var work: String
}

/// Another device made the account of this identity: the transaction is for nothing.
private struct KnownMeanwhile: Error {}

/// What a token is used for, once.
struct UseOfToken: Sendable {
    /// How long a request may be repeated with the same token, because the reply was lost.
    static let grace: Duration = .seconds(60)
    /// Tokens are remembered so much longer than they count: the clocks of replicas and database differ.
    static let margin: Duration = .seconds(600)

    var token: VerifiedToken
    /// Of the request that may be repeated; nil: none may.
    var requestID: [UInt8]?
    var makesAccount = false
}

extension ConversationsService {
    /// Signs in a device by a token.
    func grant(_ use: UseOfToken, of account: AccountNumber) -> SignInGrant {
        SignInGrant { [self] device, now, change in
            try await self.use(use, of: account, device: device, at: now, in: change)
        } note: { device, _, change in
            try await change.execute(
                IdentitiesStore.replaceDevice, .number(account), .bytes(use.token.hash), .text(device))
        }
    }

    /// Uses a token up, in the transaction of what it allows. The account is locked.
    /// - Parameter device: the device that it signs in; nil: none.
    /// - Throws: ``Refusal`` `token_used`, of a page `code_refused`; `unavailable` if the identity was removed
    ///   meanwhile.
    @discardableResult
    func use(
        _ use: UseOfToken, of account: AccountNumber, device: String?, at now: Timestamp, in change: Change
    ) async throws -> SignInGrant.Use {
        let (token, claims) = (use.token, use.token.claims)
        let identity = try await change.first(
            IdentitiesStore.useIdentity, .number(account), .text(token.issuer.url), .text(claims.subject),
            .text(token.label), .number(now))
        guard identity != nil else {
            throw Refusal.unavailable("This identity was removed meanwhile. Try again.", retryAfter: .seconds(1))
        }
        let added = try await change.first(
            IdentitiesStore.useToken, .number(account), .bytes(token.hash), .number(token.endsAt + UseOfToken.margin),
            .number(now),
            use.requestID.map { .uuid($0) } ?? .null, device.map { .text($0) } ?? .null, .bool(use.makesAccount))
        if let added { return SignInGrant.Use(madeAccount: added) }
        let before = try await change.first(IdentitiesStore.usedToken, .number(account), .bytes(token.hash))
        guard let before, device != nil, before.requestID != nil, before.requestID == use.requestID,
            now - before.usedAt <= UseOfToken.grace
        else {
            guard !token.isOfPage else { throw Refusal.pageCodeRefused }
            throw Refusal(
                .tokenUsed, "This token of \(token.issuer.name) was used before. Get a new one and try again.",
                field: "token")
        }
        return SignInGrant.Use(before: before.device, madeAccount: before.madeAccount)
    }
}

extension IssuerBlock.Nonce {
    var inContract: IssuerNonce {
        switch self {
        case .none: .noNonce
        case .plain: .plainNonce
        case .sha256: .sha256Nonce
        }
    }
}
