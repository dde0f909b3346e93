import Postgres
import Reactor
import Schema
import ServiceKit
import Signatures
import Wire

extension ConversationsService {
    /// Creates an account and signs in its first device (A1). Retry-safe: repeating id, username and password signs in.
    /// - Throws: ``Refusal`` `username_taken`, `invalid`, `rate_limited`, `registration_closed`,
    ///   `registration_code_refused`, `proof_required`, `account_suspended`.
    func register(_ request: RegisterRequest, _ call: RequestContext) async throws -> SignedIn {
        let id = try UUIDv7(request.id)
        try id.checkWindow(now: context.clock.now)
        if guests.isOn, request.username.isEmpty, request.password.isEmpty {
            return try await registerGuest(request, id, call)
        }
        let username = try AccountRules.username(request.username)
        try requireUnreserved(username)
        let password = try AccountRules.password(request.password)
        let displayName = try AccountRules.displayName(request.displayName, username: username)
        let deviceName = try AccountRules.deviceName(request.deviceName)
        let place = Address.place(of: call.caller.address)
        // Before it counts: an app learns by its first attempt that a proof is wanted. The work is for what it sends.
        if registration != .closed { try await proof.check(request.proof, for: request.username) }
        try await attempts.count([
            SignInLimit(SignInKeys.register(place), context.settings.integer("limits.registrations-per-minute"))
        ])
        if registration != .open || proof.kind == .verifier {
            // A repeated registration succeeds, also when its code is used up, its token spent, or nobody else can
            // register any more.
            let before = try await repeated(id, username: username, password: password, at: place)
            if let before { return try await signInDevice(of: before, deviceName, for: call) }
            try await requireRegistration(code: request.code)
            try await proof.spend(request.proof, at: place)
        }
        let hash = try await registerQueue.hashed(password, for: place)
        let values: [Parameter] = [
            .text(Sodium.randomText(16)), .text(username), .uuid(id.bytes), .text(hash), .text(displayName),
            .number(context.clock.now),
        ]
        if let made = try await addAccount(values, code: request.code) {
            return try await signInDevice(of: made, deviceName, for: call)
        }
        guard let before = try await repeated(id, username: username, password: password, at: place) else {
            throw Refusal.usernameTaken
        }
        return try await signInDevice(of: before, deviceName, for: call)
    }

    /// Returns what registering takes here.
    func getChallenge(_ request: GetChallengeRequest, _ call: RequestContext) async throws -> Challenge {
        try proof.challenge()
    }

    /// Returns the account that the same registration made before.
    private func repeated(
        _ id: UUIDv7, username: String, password: String, at place: String
    ) async throws -> Account? {
        guard let known = try await context.database.first(ConversationsStore.accountByUsername, .text(username)),
            known.registerID == id.bytes, let hash = known.passwordHash,
            try await registerQueue.verified(password, against: hash, for: place)
        else { return nil }
        return known
    }

    /// - Returns: nil if the username is taken.
    private func addAccount(_ values: [Parameter], code: String) async throws -> Account? {
        do {
            guard registration == .invited else {
                return try await context.database.first(ConversationsStore.addAccount, values)
            }
            return try await context.database.transaction { transaction in
                let made = try await transaction.first(ConversationsStore.addAccount, values)
                if made != nil { try await self.useCode(code, in: transaction) }
                return made
            }
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            // The username belonged to an erased account.
            throw Refusal.usernameTaken
        }
    }

    /// Signs in a device with username and password (A1).
    /// - Throws: ``Refusal`` `wrong_credentials` (whichever of the two is wrong), `account_suspended`, `rate_limited`.
    func signIn(_ request: SignInRequest, _ call: RequestContext) async throws -> SignedIn {
        let deviceName = try AccountRules.deviceName(request.deviceName)
        let place = Address.place(of: call.caller.address)
        let username = AccountRules.meantUsername(request.username)
        let account = try await context.database.first(ConversationsStore.accountByUsername, .text(username))
        let isKnown = try await tokens.isKnown(request.knownDevice, to: account?.account)
        // An unknown name costs the same time as a wrong password, so that nobody can probe usernames.
        let hash = account?.passwordHash ?? decoyHash
        if let account, let wait = signIns.wait(of: account.account) { throw Refusal.tooOften(wait: wait) }
        var counted: [String] = []
        let password = AccountRules.typedPassword(request.password)
        let isRight = try await signInQueue.verified(password, against: hash, for: isKnown ? nil : place) {
            counted = try await countAttempt(username, request.knownDevice, at: place, isKnown: isKnown)
        }
        guard isRight, let account, account.passwordHash != nil else {
            signInQueue.failed(from: place)
            throw Refusal.wrongCredentials
        }
        try await attempts.takeBack(counted)
        try signIns.take(account.account)
        guard ImportedPassword(hash) != nil else {
            return try await signInDevice(of: account, deviceName, for: call)
        }
        let own = try await signInQueue.hashed(password, for: nil)
        return try await signInDevice(of: account, deviceName, for: call) { change in
            try await change.execute(
                ConversationsStore.replaceImportedPassword, .number(account.account), .text(hash), .text(own))
        }
    }

    /// Counts an attempt. The address comes first: one beyond its limit must not use up other people's attempts. A
    /// device that signed in before has attempts of its own.
    ///
    /// When guesses have used up a person's attempts of the hour, an address still has a few turns in a day. So whoever
    /// guesses from many addresses keeps the person out of a new one only while each of those has its turns.
    /// - Returns: what it counted under.
    /// - Throws: ``Refusal`` `rate_limited`.
    private func countAttempt(
        _ username: String, _ knownDevice: String, at place: String, isKnown: Bool
    ) async throws -> [String] {
        let settings = context.settings
        let few = settings.integer("limits.sign-ins-per-minute")
        if isKnown { return try await attempts.count([SignInLimit(SignInKeys.device(knownDevice), few)]) }
        return try await attempts.count(
            [
                SignInLimit(SignInKeys.person(username, at: place), few),
                SignInLimit(SignInKeys.place(place), settings.integer("limits.sign-ins-per-address")),
                SignInLimit(
                    SignInKeys.person(username), settings.integer("limits.sign-ins-per-person"), SignInLimit.hour),
            ],
            insteadOfLast: [
                SignInLimit(SignInKeys.turns(username, at: place), AccountRules.turnsMax, SignInLimit.day),
                SignInLimit(SignInKeys.turns(username), settings.integer("limits.sign-in-turns-per-person")),
            ])
    }

    /// Adds a device to the account. The least recently used devices beyond the limit are signed out.
    /// - Parameters:
    ///   - grant: what signs it in and is used up; nil: a password does. Repeated, it signs in the same device.
    ///   - also: what the same transaction does, once the account is locked.
    /// - Throws: ``Refusal`` `account_suspended`; what using the grant throws; if the account was erased meanwhile
    ///   `wrong_credentials` or, with a grant, `unavailable`, which also says that the request was answered as too
    ///   slow.
    func signInDevice(
        of account: Account, _ deviceName: String, for call: RequestContext, by grant: SignInGrant? = nil,
        _ also: (@ReactorActor @Sendable (Change) async throws -> Void)? = nil
    ) async throws -> SignedIn {
        let refresh = try tokens.makeRefresh(account: account.account)
        let (device, now, isNew) = try await context.journal.change { change in
            // Serializes the sign-ins of an account, so that the number of devices is right, and keeps them apart from
            // signing out everywhere.
            guard let locked = try await change.first(ConversationsStore.lockAccount, .number(account.account)) else {
                // The account was erased after the check.
                throw grant == nil
                    ? Refusal.wrongCredentials
                    : Refusal.unavailable("This account was erased meanwhile. Try again.", retryAfter: .seconds(1))
            }
            // Nobody waits for the tokens any more: whoever repeats the request gets a device of their own.
            try call.requireUnanswered()
            let now = try await Self.now(in: change)
            if let suspension = locked.suspension, suspension.until.map({ $0 > now }) ?? true {
                throw Refusal.accountSuspended(suspension, now: now)
            }
            let new = Sodium.randomText(16)
            let use = try await grant?.use(new, now, change)
            try await also?(change)
            let device: String, family: [UInt8]
            if let before = use?.before, let its = try await self.unusedFamily(of: before, account.account, in: change)
            {
                (device, family) = (before, its)
            } else {
                if let before = use?.before {
                    try await self.revoke(device: before, of: account.account, in: change)
                    try await grant?.note(new, now, change)
                }
                (device, family) = (new, Sodium.randomBytes(16))
                try await self.addDevice(new, deviceName, to: account.account, at: now, in: change)
            }
            try await change.execute(
                ConversationsStore.addRefreshToken, .number(account.account), .bytes(refresh.hash), .text(device),
                .uuid(family), .number(now), .number(refresh.expiresAt))
            return (device, now, use?.madeAccount ?? false)
        }
        signInQueue.signedIn(from: Address.place(of: call.caller.address))
        var signedIn = try tokens.signedIn(
            account.user, account: account.account, device: device, at: now, refresh: refresh)
        signedIn.newAccount = isNew
        return signedIn
    }

    private func addDevice(
        _ device: String, _ name: String, to account: AccountNumber, at now: Timestamp, in change: Change
    ) async throws {
        let crowded = try await change.query(
            ConversationsStore.devicesBeyond, .number(account), .int64(Int64(AccountRules.devicesMax - 1)))
        for old in crowded { try await revoke(device: old, of: account, in: change) }
        try await change.execute(
            ConversationsStore.addDevice, .number(account), .text(device), .text(name), .number(now))
    }

    /// Returns the family of tokens of a device that signed in but used none of them yet, and makes room for one more.
    /// - Returns: nil if the device ended, or went on: then whoever repeats its sign-in is perhaps somebody else.
    private func unusedFamily(
        of device: String, _ account: AccountNumber, in change: Change
    ) async throws -> [UInt8]? {
        let family = try await change.first(ConversationsStore.unusedFamily, .number(account), .text(device))
        guard let family else { return nil }
        try await change.execute(
            ConversationsStore.forgetSuccessors, .number(account), .text(device), .uuid(family), .int64(0),
            .int64(Int64(RefreshRules.successorsMax - 1)))
        return family
    }
}

/// What signs in one device and is used up by it: a token, a code, the id of a registration. The same request may come
/// again, since its reply was lost or late, and either may be the one that reaches the app. So both sign in the same
/// device, and either's tokens are good until those of one are used (``RefreshRules``).
struct SignInGrant: Sendable {
    struct Use: Sendable {
        /// The device that the same request signed in before; nil: it is the first one.
        var before: String?
        var madeAccount = false
    }

    /// Uses it up for a device, under the account's lock.
    var use: @ReactorActor @Sendable (_ device: String, _ now: Timestamp, Change) async throws -> Use
    /// Notes that it signed in another device, since the one before ended.
    var note: @ReactorActor @Sendable (_ device: String, _ now: Timestamp, Change) async throws -> Void
}

extension Refusal {
    static let wrongCredentials = Refusal(.wrongCredentials, "Wrong username or password.")
}
