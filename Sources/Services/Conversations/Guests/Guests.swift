import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Whether guests may come, and what they may do.
///
/// A guest is an account without username, password and identity: nothing signs it in but its device. A way in makes it
/// an account like others, which keeps everything.
@ReactorActor
final class Guests {
    /// What guests may do only if the setting `guests.may` says so.
    enum Right: String, CaseIterable, Sendable {
        /// Write to people first.
        case requests
        /// Create groups, and add people to them.
        case groups
        /// Search for people.
        case search
    }

    nonisolated static var settings: [Setting] {
        [
            Setting(
                "guests", .choice(["on", "off"]), default: "off",
                "whether whoever may register may also come as a guest, without username and password"),
            Setting(
                "guests.may", .text,
                "what guests may do besides answering, separated by commas: requests (writing to people first), groups "
                    + "(creating groups and adding people), search (for people)"),
            Setting(
                "guests.unused-days", .integer(1...3650), default: "30",
                "days after which a guest is erased whose device was not used"),
        ]
    }

    let isOn: Bool
    private let rights: Set<Right>
    private let unknown: [String]
    let unusedFor: Duration

    init(_ context: ServiceContext) {
        isOn = context.settings.text("guests") == "on"
        let words = context.settings.list("guests.may")
        rights = Set(words.compactMap(Right.init))
        unknown = words.filter { Right(rawValue: $0) == nil }
        unusedFor = SignInLimit.day * context.settings.integer("guests.unused-days")
    }

    /// - Throws: ``StartRefused`` for a word that is no right.
    func checkSettings() throws {
        guard let word = unknown.first else { return }
        let known = Right.allCases.map(\.rawValue).joined(separator: ", ")
        throw StartRefused("guests.may: there is no \"\(word)\"; give some of: \(known)", code: 64)
    }

    /// - Throws: ``Refusal`` `guest_may_not` if the account is a guest's and guests may not do this.
    func require(_ right: Right, of account: AccountNumber, in database: some Queryable) async throws {
        guard !rights.contains(right) else { return }
        if try await database.first(GuestsStore.isGuest, .number(account)) != nil {
            throw Refusal.guestMayNot(right == .requests ? .writeFirst : right == .groups ? .groups : .search)
        }
    }
}

extension ConversationsService {
    /// How long a registration may be repeated, because the reply was lost: its id is all that it has.
    private nonisolated static let guestGrace: Duration = .seconds(60)

    /// Creates a guest and signs in their device. Repeated within a minute, it signs in the same device.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`, `registration_closed`, `registration_code_refused`,
    ///   `proof_required`, `account_suspended`.
    func registerGuest(_ request: RegisterRequest, _ id: UUIDv7, _ call: RequestContext) async throws -> SignedIn {
        let place = Address.place(of: call.caller.address)
        let displayName = try AccountRules.displayName(request.displayName, username: GuestRules.newName())
        let deviceName = try AccountRules.deviceName(request.deviceName)
        if registration != .closed { try await proof.check(request.proof, for: Hex.text(id.bytes)) }
        try await attempts.count([
            SignInLimit(SignInKeys.register(place), context.settings.integer("limits.registrations-per-minute"))
        ])
        if let before = try await repeatedGuest(id) { return try await signInGuest(before, deviceName, call) }
        try await requireRegistration(code: request.code)
        try await proof.spend(request.proof, at: place)
        let made = try await context.database.transaction { transaction in
            let made = try await transaction.first(
                GuestsStore.add, .text(Sodium.randomText(16)), .uuid(id.bytes), .text(displayName),
                .number(self.context.clock.now))
            if made != nil { try await self.useCode(request.code, in: transaction) }
            return made
        }
        if let made { return try await signInGuest(made, deviceName, call) }
        // The same request came twice at once, or the id is of another registration.
        guard let before = try await repeatedGuest(id) else {
            throw Refusal.invalid("id", "must be new: an account was made with this one")
        }
        return try await signInGuest(before, deviceName, call)
    }

    /// Returns the guest whom the same registration made a moment ago.
    private func repeatedGuest(_ id: UUIDv7) async throws -> Account? {
        try await context.database.first(
            GuestsStore.made, .uuid(id.bytes), .number(context.clock.now - Self.guestGrace))
    }

    private func signInGuest(
        _ guest: Account, _ deviceName: String, _ call: RequestContext
    ) async throws -> SignedIn {
        let grant = SignInGrant { _, _, change in
            let devices = try await change.query(ConversationsStore.devices, .number(guest.account))
            return SignInGrant.Use(before: devices.min { $0.signedInUs < $1.signedInUs }?.id)
        } note: { _, _, _ in
            // The account names its devices.
        }
        return try await signInDevice(of: guest, deviceName, for: call, by: grant)
    }

    /// Makes a guest an account like others, by an identity that was added. Does nothing for others.
    func upgrade(_ account: AccountNumber, by token: VerifiedToken, in change: Change) async throws {
        guard let profile = try await change.first(PeopleStore.lockProfile, .number(account)), profile.guest else {
            return
        }
        let names = TokenNames.usernames(
            from: token.claims, by: token.issuer.usernameFrom, isReserved: isReserved, random: Sodium.randomText)
        guard let username = try await change.first(IdentitiesStore.freeUsername, .texts(names)) else {
            throw Refusal.unavailable("No username is free at the moment. Try again shortly.", retryAfter: .seconds(1))
        }
        let name = try TokenNames.displayName(from: token.claims, said: "")
        try await upgrade(account, to: username, displayName: name, of: profile, in: change)
    }

    /// Gives somebody a username, after which they are no guest. A name that nobody chose gives way to a better one.
    /// - Parameter profile: theirs, which is locked.
    func upgrade(
        _ account: AccountNumber, to username: String, displayName: String?, of profile: Profile, in change: Change
    ) async throws {
        let old = profile.user?.displayName ?? ""
        let name = GuestRules.isGiven(old) || old.isEmpty ? displayName ?? username : old
        try await change.execute(GuestsStore.upgrade, .number(account), .text(username), .text(name))
        try await jobs.begin(.publishProfile, of: account, in: change)
        try await publishProfile(of: account, in: change)
    }

    /// Erases guests whose devices nobody used for long: nobody can come back to them.
    func eraseUnusedGuests() async throws {
        let before = context.clock.now - guests.unusedFor
        let unused = try await context.database.query(
            GuestsStore.unused, .number(before), .int64(Int64(GuestRules.erasedMax)))
        for account in unused {
            try await context.journal.change { change in
                guard try await change.first(ConversationsStore.lockAccount, .number(account)) != nil,
                    try await change.first(GuestsStore.isUnused, .number(account), .number(before)) != nil
                else { return }
                try await self.eraseNow(account, in: change)
            }
        }
    }
}

/// What guests are called. Pure.
enum GuestRules {
    /// Unused guests that are erased in one go.
    static let erasedMax = 200
    private static let word = "Guest "

    /// "Guest 4711". Several may be called the same.
    static func newName() -> String { "\(word)\(Int.random(in: 1000...9999))" }

    /// Whether nobody chose this name.
    static func isGiven(_ name: String) -> Bool {
        let number = name.utf8.dropFirst(word.utf8.count)
        return name.hasPrefix(word) && number.count == 4
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// The SQL of guests.
enum GuestsStore {
    private static func account(_ row: borrowing RowReader) throws -> Account {
        Account(
            account: try row.account(0),
            user: User(
                id: try row.text(1), displayName: try row.text(2), photoUrl: try row.text(3),
                createdAtUs: try row.int64(4)),
            registerID: nil, passwordHash: nil)
    }

    /// $1 user id, $2 id of the registration, $3 display name, $4 now. Returns no row if an id is taken.
    static let add = Statement(
        """
        INSERT INTO conversations.accounts (user_id, register_id, display_name, created_at, guest_since)
        VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT DO NOTHING
        RETURNING account, user_id, display_name, photo_url, created_at
        """
    ) { row in try account(row) }

    /// $1 id of the registration, $2 time. Returns the guest whom it made since then.
    static let made = Statement(
        """
        SELECT account, user_id, display_name, photo_url, created_at
        FROM conversations.accounts
        WHERE register_id = $1
            AND guest_since >= $2
            AND erased_at IS NULL
        """
    ) { row in try account(row) }

    /// $1 account. Returns a row if it is a guest's.
    static let isGuest = Statement(
        """
        SELECT guest_since
        FROM conversations.accounts
        WHERE account = $1
            AND guest_since IS NOT NULL
        """
    ) { row in try row.int64(0) }

    /// $1 account, $2 username, $3 display name. Fails with `uniqueViolation` if the username is taken or retired.
    static let upgrade = Statement(
        """
        UPDATE conversations.accounts
        SET username = $2,
            display_name = $3,
            guest_since = NULL
        WHERE account = $1
        """)

    private static let isUnusedSince =
        """
        NOT EXISTS (
            SELECT
            FROM conversations.devices AS d
            WHERE d.account = a.account
                AND d.last_used_at >= $1
                AND d.revoked_at IS NULL
        )
        """

    /// $1 time, $2 limit. Returns guests of before whose devices nobody used since.
    static let unused = Statement(
        """
        SELECT a.account
        FROM conversations.accounts AS a
        WHERE a.guest_since < $1
            AND \(isUnusedSince)
        ORDER BY a.guest_since, a.account
        LIMIT $2
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 time. Returns a row if it is such a guest.
    static let isUnused = Statement(
        """
        SELECT a.account
        FROM conversations.accounts AS a
        WHERE a.account = $1
            AND a.guest_since < $2
            AND \(isUnusedSince.replacing("$1", with: "$2"))
        """
    ) { row in try row.account(0) }
}

extension Refusal {
    /// What a guest may not do.
    enum OfGuests: String {
        case writeFirst = "write to people who did not write to them"
        case groups = "create groups or add people"
        case search = "search for people"
        case username = "choose a username alone"
        case email = "confirm an address"
    }

    static func guestMayNot(_ what: OfGuests) -> Refusal {
        Refusal(
            .guestMayNot,
            "Guests may not \(what.rawValue) here. Choose a username and a password, or add an identity, first.")
    }
}
