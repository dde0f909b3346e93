import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Creates an account and signs in its first device (A1). Retry-safe: repeating id, username and password signs in.
    /// - Throws: ``Refusal`` `username_taken`, `invalid`, `rate_limited`.
    func register(_ request: RegisterRequest, _ call: RequestContext) async throws -> SignedIn {
        let id = try UUIDv7(request.id)
        try id.checkWindow(now: context.clock.now)
        let username = try AccountRules.username(request.username)
        let password = try AccountRules.password(request.password)
        let displayName = try AccountRules.displayName(request.displayName, username: username)
        let deviceName = try AccountRules.deviceName(request.deviceName)
        try await allow(
            "register:\(call.caller.address)", perMinute: context.settings.integer("limits.registrations-per-minute"))
        let hash = try await hashed(password)
        let now = context.clock.now

        let made = try await addAccount([
            .text(Sodium.randomText(16)), .text(username), .uuid(id.bytes), .text(hash), .text(displayName),
            .number(now),
        ])
        if let made { return try await signInDevice(of: made, deviceName) }

        // The username is taken, unless this repeats the same registration.
        guard let known = try await context.database.first(ConversationsStore.accountByUsername, .text(username)),
            known.registerID == id.bytes, let knownHash = known.passwordHash,
            try await verified(password, against: knownHash)
        else { throw Refusal.usernameTaken }
        return try await signInDevice(of: known, deviceName)
    }

    private func addAccount(_ values: [Parameter]) async throws -> Account? {
        do {
            return try await context.database.first(ConversationsStore.addAccount, values)
        } catch let error where error.code == .uniqueViolation {
            // The username belonged to an erased account.
            throw Refusal.usernameTaken
        }
    }

    /// Signs in a device with username and password (A1).
    /// - Throws: ``Refusal`` `wrong_credentials` (whichever of the two is wrong), `rate_limited`.
    func signIn(_ request: SignInRequest, _ call: RequestContext) async throws -> SignedIn {
        let deviceName = try AccountRules.deviceName(request.deviceName)
        let limit = context.settings.integer("limits.sign-ins-per-minute")
        // The address first: an address beyond its limit must not use up other people's attempts.
        try await allow(Self.attempts(from: call.caller.address), perMinute: limit)
        try await allow(Self.attempts(as: request.username), perMinute: limit)
        let account = try await context.database.first(ConversationsStore.accountByUsername, .text(request.username))
        // An unknown name costs the same time as a wrong password, so that nobody can probe usernames.
        let hash = account?.passwordHash ?? decoyHash
        guard try await verified(request.password, against: hash), let account, account.passwordHash != nil else {
            throw Refusal("wrong_credentials", "Wrong username or password.")
        }
        return try await signInDevice(of: account, deviceName)
    }

    /// Adds a device to the account. The least recently used devices beyond the limit are signed out.
    private func signInDevice(of account: Account, _ deviceName: String) async throws -> SignedIn {
        let device = Sodium.randomText(16)
        let family = Sodium.randomBytes(16)
        let refresh = try tokens.makeRefresh(account: account.account)
        let now = try await context.journal.change { change in
            // Serializes the sign-ins of an account, so that the number of devices is right, and keeps them apart from
            // signing out everywhere.
            guard try await change.first(ConversationsStore.lockAccount, .number(account.account)) != nil else {
                // The account was erased after the check of the password.
                throw Refusal("wrong_credentials", "Wrong username or password.")
            }
            let now = try await Self.now(in: change)
            let crowded = try await change.query(
                ConversationsStore.devicesBeyond, .number(account.account), .int64(Int64(AccountRules.devicesMax - 1)))
            for old in crowded { try await self.revoke(device: old, of: account.account, in: change) }
            try await change.execute(
                ConversationsStore.addDevice, .number(account.account), .text(device), .text(deviceName), .number(now))
            try await change.execute(
                ConversationsStore.addRefreshToken, .number(account.account), .bytes(refresh.hash), .text(device),
                .uuid(family), .number(now), .number(refresh.expiresAt))
            return now
        }
        return try tokens.signedIn(account.user, account: account.account, device: device, at: now, refresh: refresh)
    }

    /// Counts an attempt under `key`, in the database: with several replicas, nobody may guess more passwords.
    /// - Throws: ``Refusal`` `rate_limited` beyond `perMinute` in the current minute.
    func allow(_ key: String, perMinute limit: Int) async throws {
        let window = Duration.seconds(60)
        let now = context.clock.now
        let counted = try await context.database.first(
            ConversationsStore.countAttempt, .text(key), .number(now), .number(now - window))
        guard let counted, counted.attempts > limit else { return }
        throw Refusal.tooOften(wait: max(counted.windowStartedAt + window - now, .seconds(1)))
    }

    func hashed(_ password: String) async throws -> String {
        let hash = try await onPool { Sodium.hashPassword(password) }
        guard let hash else {
            throw Refusal.unavailable("The server is short of memory. Try again shortly.", retryAfter: .seconds(1))
        }
        return hash
    }

    func verified(_ password: String, against hash: String) async throws -> Bool {
        try await onPool { Sodium.verifyPassword(password, against: hash) }
    }

    private func onPool<T: Sendable>(_ work: @escaping @Sendable () -> T) async throws -> T {
        do {
            return try await context.pool.run(work)
        } catch is WorkPool.Overloaded {
            throw Refusal.rateLimited(.seconds(1))
        }
    }
}
