import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Signing in a device by another one of the same person, who reads a code from its screen (A1).
extension ConversationsService {
    /// Begins with a device that nobody is signed in on.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`.
    func beginDeviceLink(_ request: BeginDeviceLinkRequest, _ call: RequestContext) async throws -> DeviceLinkBegun {
        let name = try AccountRules.deviceName(request.deviceName)
        let place = Address.place(of: call.caller.address)
        try await attempts.count([
            SignInLimit(SignInKeys.link(place), context.settings.integer("limits.device-links-per-address"))
        ])
        let (code, secret) = (DeviceLinkRules.newText(), DeviceLinkRules.newText())
        let now = context.clock.now
        let endsAt = now + DeviceLinkRules.lifetime
        try await context.database.execute(
            DeviceLinksStore.add, .bytes(DeviceLinkRules.hash(code)), .bytes(DeviceLinkRules.hash(secret)), .text(name),
            .text(place), .number(now), .number(endsAt))
        return DeviceLinkBegun(code: code, secret: secret, endsAtUs: endsAt.rawValue)
    }

    /// Returns what a person approves.
    /// - Throws: ``Refusal`` `code_refused`.
    func getDeviceLink(_ request: GetDeviceLinkRequest, _ call: RequestContext) async throws -> DeviceLink {
        let found = try await context.database.first(
            DeviceLinksStore.open, .bytes(DeviceLinkRules.hash(request.code)), .number(context.clock.now),
            .number(call.caller.account))
        guard let found else { throw Refusal.linkRefused }
        return found
    }

    /// Lets a device sign in as the caller.
    /// - Throws: ``Refusal`` `code_refused`.
    func approveDeviceLink(_ request: ApproveDeviceLinkRequest, _ call: RequestContext) async throws -> Done {
        let approved = try await context.database.first(
            DeviceLinksStore.approve, .bytes(DeviceLinkRules.hash(request.code)), .number(context.clock.now),
            .number(call.caller.account), .text(call.caller.device))
        guard approved != nil else { throw Refusal.linkRefused }
        return Done()
    }

    /// Signs in a device that was approved.
    /// - Throws: ``Refusal`` `link_pending`, `code_refused`, `account_suspended`, `rate_limited`, `unavailable`.
    func finishDeviceLink(_ request: FinishDeviceLinkRequest, _ call: RequestContext) async throws -> SignedIn {
        let code = DeviceLinkRules.hash(request.code)
        let link = try await context.database.first(DeviceLinksStore.link, .bytes(code))
        let now = context.clock.now
        guard let link, link.secretHash == DeviceLinkRules.hash(request.secret) else { throw Refusal.linkRefused }
        guard let account = link.account else {
            guard link.endsAt > now else { throw Refusal.linkRefused }
            throw Refusal(
                .linkPending, "Nobody approved this device yet. Read its code on another device of yours.",
                retryAfter: DeviceLinkRules.pause)
        }
        guard DeviceLinkRules.mayFinish(link, at: now),
            let owner = try await context.database.first(DeviceLinksStore.owner, .number(account))
        else { throw Refusal.linkRefused }
        try signIns.take(account)
        let finish: @ReactorActor @Sendable (String, Timestamp, Change) async throws -> Void = { device, now, change in
            try await change.execute(DeviceLinksStore.finish, .bytes(code), .text(device), .number(now))
        }
        let grant = SignInGrant { device, now, change in
            let locked = try await change.first(DeviceLinksStore.lock, .bytes(code))
            guard let locked, DeviceLinkRules.mayFinish(locked, at: now) else { throw Refusal.linkRefused }
            if locked.device == nil { try await finish(device, now, change) }
            return SignInGrant.Use(before: locked.device)
        } note: { device, now, change in
            try await finish(device, now, change)
        }
        return try await signInDevice(of: owner, link.deviceName, for: call, by: grant)
    }
}

/// A device that asks to be signed in.
struct StoredDeviceLink: Sendable {
    var secretHash: [UInt8]
    var deviceName: String
    var endsAt: Timestamp
    var account: AccountNumber?
    /// Whether the device that approved it is still signed in: whoever signs it out ends what it let in.
    var isVouchedFor: Bool
    var finishedAt: Timestamp?
    var device: String?
}

/// How long links of devices are good. Pure but for its randomness.
enum DeviceLinkRules {
    static let lifetime = Duration.seconds(120)
    /// How long an approved device may take to sign in, and how long it may repeat that.
    private static let grace = Duration.seconds(60)
    static let pause = Duration.seconds(2)
    /// After its end.
    static let keptFor = Duration.seconds(600)
    private static let bytes = 16

    static func newText() -> String { Base64URL.encode(Sodium.randomBytes(bytes)) }

    static func hash(_ text: String) -> [UInt8] { Sodium.hash(Array(text.utf8)) }

    static func mayFinish(_ link: StoredDeviceLink, at now: Timestamp) -> Bool {
        link.isVouchedFor && now < (link.finishedAt ?? link.endsAt) + grace
    }
}

/// The SQL of links of devices.
enum DeviceLinksStore {
    /// $1 hash of the code, $2 of the secret, $3 device name, $4 place, $5 now, $6 end.
    static let add = Statement(
        """
        INSERT INTO conversations.device_links (code_hash, secret_hash, device_name, place, begun_at, ends_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        """)

    /// $1 hash of the code, $2 now, $3 account: that of the caller, who alone sees it once they approved it.
    static let open = Statement(
        """
        SELECT device_name, place, begun_at
        FROM conversations.device_links
        WHERE code_hash = $1
            AND ends_at > $2
            AND (account IS NULL OR account = $3)
        """
    ) { row in DeviceLink(deviceName: try row.text(0), address: try row.text(1), begunAtUs: try row.int64(2)) }

    /// As above, $4 device of the caller. Returns no row if nobody can approve it, or somebody else did.
    static let approve = Statement(
        """
        UPDATE conversations.device_links
        SET account = $3,
            approved_by = $4
        WHERE code_hash = $1
            AND ends_at > $2
            AND (account IS NULL OR account = $3)
        RETURNING begun_at
        """
    ) { row in try row.int64(0) }

    private static let columns =
        """
        l.secret_hash, l.device_name, l.ends_at, l.account, EXISTS (
                SELECT
                FROM conversations.devices AS d
                WHERE d.account = l.account
                    AND d.device_id = l.approved_by
                    AND d.revoked_at IS NULL
            ), l.finished_at, l.device_id
        """

    private static func link(_ row: borrowing RowReader) throws -> StoredDeviceLink {
        StoredDeviceLink(
            secretHash: try row.bytes(0), deviceName: try row.text(1), endsAt: try row.time(2),
            account: try row.optionalAccount(3), isVouchedFor: try row.bool(4),
            finishedAt: try row.optionalTime(5), device: try row.optionalText(6))
    }

    /// $1 hash of the code.
    static let link = Statement(
        """
        SELECT \(columns)
        FROM conversations.device_links AS l
        WHERE l.code_hash = $1
        """
    ) { row in try link(row) }

    /// As above, locked until the transaction ends.
    static let lock = Statement(
        """
        SELECT \(columns)
        FROM conversations.device_links AS l
        WHERE l.code_hash = $1
        FOR UPDATE
        """
    ) { row in try link(row) }

    /// $1 hash of the code, $2 device, $3 now.
    static let finish = Statement(
        """
        UPDATE conversations.device_links
        SET device_id = $2,
            finished_at = COALESCE(finished_at, $3)
        WHERE code_hash = $1
        """)

    /// $1 account. Returns no row if it is erased.
    static let owner = Statement(
        """
        SELECT account, user_id, username, display_name, photo_url, created_at
        FROM conversations.accounts
        WHERE account = $1
            AND erased_at IS NULL
        """
    ) { row in
        Account(
            account: try row.account(0),
            user: User(
                id: try row.text(1), username: try row.optionalText(2) ?? "", displayName: try row.text(3),
                photoUrl: try row.text(4), createdAtUs: try row.int64(5)),
            registerID: nil, passwordHash: nil)
    }

    /// $1 time: deletes those that ended before.
    static let forget = Statement("DELETE FROM conversations.device_links WHERE ends_at < $1")
}

extension Refusal {
    static let linkRefused = Refusal(
        .codeRefused, "This code is wrong, was used, or is too old. Begin again on the new device.", field: "code")
}
