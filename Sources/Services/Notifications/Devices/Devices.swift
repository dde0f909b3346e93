import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

// Its transports have a name of the contract.
import enum PushSenders.WebPush

/// What a device registers for pushes, checked. Pure.
struct Registration: Sendable, Equatable {
    var transport: PushTransport
    var token: String
    var app: String
    var language: String
    var contentKey: [UInt8]?
    var authSecret: [UInt8]?

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: RegisterPushRequest) throws(Refusal) {
        switch request.transport {
        case .apns, .apnsSandbox, .fcm, .fcmInstallation, .webPush: transport = request.transport
        case .unspecified, .unrecognized: throw .invalid("transport", "is none that this server knows")
        }
        token = try Self.token(request.token, transport)
        app = request.app
        let isApple = transport == .apns || transport == .apnsSandbox
        guard !isApple || !app.isEmpty else { throw .invalid("app", "must be the app's bundle id") }
        guard app.utf8.allSatisfy({ Self.isOfName($0) }) else {
            throw .invalid("app", "must be a bundle id or project: letters, digits, dots, hyphens and underscores")
        }
        language = request.language
        guard language.utf8.allSatisfy({ Self.isOfName($0) }) else {
            throw .invalid("language", "must be a BCP 47 tag such as \"de-CH\"")
        }
        (contentKey, authSecret) = try Self.keys(request, isNeeded: transport == .webPush)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Checks what can be told without the push service: what it will never accept is refused here.
    private static func token(_ text: String, _ transport: PushTransport) throws(Refusal) -> String {
        guard !text.isEmpty else { throw .invalid("token", "must be what the push service gave the app") }
        // From "!" to "~": what can be part of a header or a path.
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .invalid("token", "must be as the push service gave it, without blanks")
        }
        switch transport {
        case .apns, .apnsSandbox:
            // Apple says that the length may change; tokens have 32 bytes, those of live activities up to 100.
            let isToken = 32...400 ~= text.utf8.count && text.utf8.count % 2 == 0 && text.allSatisfy(\.isHexDigit)
            guard isToken else { throw .invalid("token", "must be the device token in hexadecimal") }
            return text.lowercased()
        case .webPush:
            guard WebPush.accepts(text) else {
                throw .invalid(
                    "token", "must be the endpoint of the subscription, an https URL of at most 2,048 characters")
            }
        default: break
        }
        return text
    }

    private static func keys(
        _ request: RegisterPushRequest, isNeeded: Bool
    ) throws(Refusal) -> ([UInt8]?, [UInt8]?) {
        let (key, secret) = (request.contentKey, request.authSecret)
        guard !key.isEmpty || !secret.isEmpty || isNeeded else { return (nil, nil) }
        guard key.count == 65, key[0] == 4 else {
            throw .invalid("content_key", "must be a point of P-256, uncompressed: 65 bytes that begin with 4")
        }
        guard secret.count == 16 else { throw .invalid("auth_secret", "must have 16 bytes") }
        return (key, secret)
    }

    /// The same for the same token of the same app.
    var hash: [UInt8] {
        var parts = [Array("\(transport.rawValue)\n\(app)\n\(token)".utf8)]
        return Sodium.sha256 { parts.popLast() ?? [] }
    }
}

/// Devices that are registered for pushes.
extension NotificationsService {
    /// Registers the caller's device.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`.
    func registerPush(_ request: RegisterPushRequest, _ call: RequestContext) async throws -> PushDevice {
        let caller = call.caller
        let device = try Registration(request)
        try allowChange(by: caller)
        let registered = try await context.database.first(
            DevicesStore.register, .number(caller.account), .text(caller.device),
            .int16(Int16(device.transport.rawValue)), .text(device.token), .bytes(device.hash), .text(device.app),
            .text(device.language), .optional(device.contentKey), .optional(device.authSecret),
            .int64(Int64(devicesMax)))
        // Signed out meanwhile: the gateway ends the session.
        guard let registered else { throw Refusal(.revoked, "This device was signed out. Sign in again.") }
        if senders?.canSend(over: Int16(device.transport.rawValue)) == true {
            registry.note(caller.account, hasDevices: true)
        }
        return PushDevice(
            device: caller.device, transport: device.transport, app: device.app, language: device.language,
            encrypted: device.contentKey != nil, registeredAtUs: registered.registeredAt.rawValue,
            tokenEnd: String(device.token.suffix(DevicesStore.tokenEnd)), lastSentUs: registered.lastSentAt.rawValue,
            lastResult: registered.lastResult)
    }

    /// Ends pushes to a device of the caller's.
    /// - Throws: ``Refusal`` `rate_limited`.
    func unregisterPush(_ request: UnregisterPushRequest, _ call: RequestContext) async throws -> Done {
        try allowChange(by: call.caller)
        try await context.database.execute(
            DevicesStore.forget, .numbers([call.caller.account]),
            .texts([request.device.isEmpty ? call.caller.device : request.device]))
        return Done()
    }

    /// Returns the caller's registered devices, and over what pushes are sent.
    func listPushDevices(
        _ request: ListPushDevicesRequest, _ call: RequestContext
    ) async throws -> ListPushDevicesReply {
        ListPushDevicesReply(
            devices: try await context.database.query(DevicesStore.all, .number(call.caller.account)),
            transports: (senders?.transports ?? []).map { PushTransport(rawValue: Int32($0)) },
            webPushKey: senders?.webKey ?? [])
    }

    /// Queues a push that says that pushes arrive.
    /// - Throws: ``Refusal`` `not_found`, `rate_limited`.
    func testPush(_ request: TestPushRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        try allowChange(by: caller)
        let device = request.device.isEmpty ? caller.device : request.device
        let now = context.clock.now
        return try await journal.change { [self] change in
            let queued = try await change.execute(
                QueueStore.addTest, .number(caller.account), .text(device),
                .text("t/\(Sodium.randomText(16))"), .number(now), .number(now + Self.testLifetime))
            guard queued > 0 else {
                throw Refusal(.notFound, "The device is not registered for pushes. Register it first.", field: "device")
            }
            try await scheduler.wake(in: change)
            return Done()
        }
    }
}

enum DevicesStore {
    /// How many characters of a token its owner is shown.
    static let tokenEnd = 8

    /// $1 account, $2 device, $3 transport, $4 token, $5 its hash, $6 app, $7 language, $8 key, $9 secret, $10 the most
    /// devices. Returns no row if the device is not signed in.
    static let register = Statement(
        """
        SELECT registered_at, last_sent_at, last_result
        FROM notifications.register_device($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """
    ) { row in
        (registeredAt: try row.time(0), lastSentAt: try row.time(1), lastResult: try row.text(2))
    }

    /// $1 accounts, $2 devices beside them: forgets the devices, with what waits to be sent to them.
    static let forget = Statement<Void>(
        """
        WITH gone AS (
            DELETE FROM notifications.devices AS d
            USING unnest($1::bigint[], $2::text[]) AS g (account, device)
            WHERE d.account = g.account
                AND d.device = g.device
            RETURNING d.account, d.device
        ),
        changed AS (
            UPDATE notifications.people AS p
            SET changed_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            FROM (SELECT DISTINCT account FROM gone) AS g
            WHERE p.account = g.account
        )
        DELETE FROM notifications.queue AS q
        USING gone AS g
        WHERE q.account = g.account
            AND q.device = g.device
        """)

    /// $1 account.
    static let all = Statement(
        """
        SELECT device, transport, app, language, content_key IS NOT NULL, registered_at, right(token, \(tokenEnd)),
            last_sent_at, last_result
        FROM notifications.devices
        WHERE account = $1
        ORDER BY registered_at DESC, device
        LIMIT 100
        """
    ) { row in
        PushDevice(
            device: try row.text(0), transport: PushTransport(rawValue: Int32(try row.int16(1))),
            app: try row.text(2), language: try row.text(3), encrypted: try row.bool(4),
            registeredAtUs: try row.int64(5), tokenEnd: try row.text(6), lastSentUs: try row.int64(7),
            lastResult: try row.text(8))
    }

    /// $1 accounts: their devices that are no longer signed in.
    static let signedOut = Statement(
        """
        SELECT d.account, d.device
        FROM notifications.devices AS d
        WHERE d.account = ANY ($1)
            AND NOT EXISTS (
                SELECT
                FROM conversations.signed_in AS s
                WHERE s.account = d.account
                    AND s.device_id BETWEEN d.device AND d.device
            )
        """
    ) { row in (account: try row.account(0), device: try row.text(1)) }

    /// $1 account, $2 the most rows to delete.
    static let erase = erasing("notifications.devices")
}
