import Foundation
import ParleyClient
import Postgres
import TestSupport
import Testing

/// A cluster whose pushes go to servers that behave as those of Apple, Google and browsers' makers do.
actor PushScene {
    static let app = "com.example.chat"

    /// A device that is registered for pushes.
    struct Phone: Sendable {
        var device: Device
        /// As conversations.ListDevices names it.
        var id: String
        /// What its requests are known by: Apple's or Google's token, or the path of a subscription.
        var token: String
    }

    nonisolated let cluster: TestCluster
    nonisolated let servers: PushServers
    private nonisolated let monitors: [Int]
    private var came: [PushServers.JSON] = []
    private var reading: Task<Void, any Error>?
    private var database: Task<Connection, any Error>?

    /// - Parameters:
    ///   - settings: of notifications, besides keys and addresses.
    ///   - others: of other processes.
    init(
        replicas: Int = 1, settings: [String: String] = [:], others: [String: [String: String]] = [:]
    ) async throws {
        servers = try await PushServers()
        monitors = try (0..<replicas).map { _ in try freePort() }
        var all = others
        all["notifications"] = try Self.keys(servers).merging(settings) { $1 }
        for (index, port) in monitors.enumerated() {
            all["notifications-\(index + 1)"] = ["PARLEY_LISTEN_MONITOR": "127.0.0.1:\(port)"]
        }
        cluster = try await TestCluster(.init(replicas: ["notifications": replicas], settings: all))
    }

    /// The settings of notifications with the keys that the servers know.
    static func keys(_ servers: PushServers) throws -> [String: String] {
        [
            "PARLEY_PUSH_APNS_KEY": String(decoding: try servers.file("apple.p8"), as: UTF8.self),
            "PARLEY_PUSH_APNS_KEY_ID": "ABC123DEFG", "PARLEY_PUSH_APNS_TEAM_ID": "TEAM456789",
            "PARLEY_PUSH_FCM_ACCOUNT": String(decoding: try servers.file("account.json"), as: UTF8.self),
            "PARLEY_PUSH_VAPID_KEY": String(decoding: try servers.file("vapid.pem"), as: UTF8.self),
            "PARLEY_PUSH_VAPID_CONTACT": "mailto:operator@chat.example",
            "PARLEY_PUSH_APNS_URL": servers.url(.apns), "PARLEY_PUSH_APNS_SANDBOX_URL": servers.url(.apnsSandbox),
            "PARLEY_PUSH_FCM_URL": servers.url(.fcm), "PARLEY_PUSH_AUTHORITIES": servers.authorities,
            "PARLEY_PUSH_INSIDE": "yes",
        ]
    }

    func end() async {
        if let database, let connection = try? await database.value { await connection.close() }
        await cluster.end()
        servers.end()
    }

    // MARK: People and devices

    /// A person with two devices that are registered with Apple, on neither of which the app was ever in front.
    func person(_ name: String) async throws -> (phone: Phone, tablet: Phone) {
        let device = try await away(name)
        let other = try await another(of: device)
        return (try await phone(device), try await phone(other))
    }

    /// A person who does not have the app in front.
    func away(_ name: String) async throws -> Device { try await cluster.person(name, isInForeground: false) }

    /// Another device of a person, on which the app is not in front either.
    func another(of device: Device) async throws -> Device {
        try await cluster.device(of: device, gateway: 1, isInForeground: false)
    }

    /// Registers a device with Apple.
    func phone(_ device: Device, encrypted: Bool = false) async throws -> Phone {
        let token = (0..<4).map { _ in String(format: "%016llx", UInt64.random(in: .min ... .max)) }.joined()
        try await servers.ask([
            "do": "device", "provider": "apple", "service": "apns", "token": .text(token), "topic": .text(Self.app),
        ])
        let asked: PushServers.JSON = ["do": "device_key", "provider": "apple", "token": .text(token)]
        let key = encrypted ? try await servers.ask(asked) : .null
        let made = try await device.client.registerPush(
            .apns, token: token, app: Self.app, contentKey: Self.bytes(key.key.text),
            authSecret: Self.bytes(key.secret.text))
        return Phone(device: device, id: made.device, token: token)
    }

    /// Registers a device with Google.
    func android(_ device: Device) async throws -> Phone {
        let token = "fcm:\(UInt64.random(in: .min ... .max))"
        try await servers.ask(["do": "device", "provider": "google", "token": .text(token)])
        let made = try await device.client.registerPush(.fcm, token: token, app: "")
        return Phone(device: device, id: made.device, token: token)
    }

    /// Subscribes a browser, as a page does with the key that the server names.
    func browser(_ device: Device, of service: PushServers.Service = .web) async throws -> Phone {
        let sender = try await device.client.pushDevices().webPushKey
        let made = try await servers.ask([
            "do": "subscribe", "provider": "browsers", "sender": .text(Self.text(Array(sender))),
            "service_port": .number(servers.port(service)),
        ])
        let registered = try await device.client.registerPush(
            .webPush, token: made.endpoint.text, app: "", contentKey: Self.bytes(made.key.text),
            authSecret: Self.bytes(made.secret.text))
        return Phone(device: device, id: registered.device, token: made.path.text)
    }

    private static func bytes(_ base64URL: String) -> [UInt8] {
        let text = base64URL.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Array(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data())
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    // MARK: What came

    /// All requests that the servers got for a device.
    func pushes(to phone: Phone) async throws -> [PushServers.JSON] {
        try await read()
        return came.filter { push in
            push.path.text == "/3/device/\(phone.token)" || push.path.text == phone.token
                || push.payload.token.text == phone.token
        }
    }

    /// All requests that the servers got for one of Apple's devices, each with its place among all that came.
    func numbered(to phone: Phone) async throws -> [(number: Int, push: PushServers.JSON)] {
        try await read()
        let path = "/3/device/\(phone.token)"
        return came.enumerated().filter { $1.path.text == path }.map { (number: $0, push: $1) }
    }

    /// How many requests came so far.
    func count() async throws -> Int {
        try await read()
        return came.count
    }

    /// Reads what came since the last time, for all who ask meanwhile together.
    private func read() async throws {
        // One that began before may have missed what has come since.
        if let reading { try await reading.value }
        if let reading { return try await reading.value }
        let task = Task {
            defer { reading = nil }
            for service in [PushServers.Service.apns, .fcm, .web, .web2] {
                came += try await servers.seen(service).requests
            }
        }
        reading = task
        try await task.value
    }

    /// Those that show something.
    func shown(on phone: Phone) async throws -> [PushServers.JSON] {
        try await pushes(to: phone).filter { push in
            push.payload.aps.alert != .null || push.opened.notification != .null || push.payload.notification != .null
        }
    }

    /// Of which messages a device showed notices.
    func seqs(on phone: Phone) async throws -> Set<Int64> {
        Set(try await shown(on: phone).compactMap { $0.payload.parley.seq.number.map { Int64($0) } })
    }

    /// The most requests that a service had under way since this was last asked.
    func underWay(_ service: PushServers.Service) async throws -> Int {
        let seen = try await servers.seen(service)
        came += seen.requests
        return seen.together
    }

    /// What was wrong with all requests so far.
    func faults() -> [String] { came.flatMap { $0.faults.list.map(\.text) } }

    /// Waits for the first notice that shows something.
    func first(on phone: Phone, _ what: String = "a push") async throws -> PushServers.JSON {
        try await eventually(what) { try await !shown(on: phone).isEmpty }
        return try #require(try await shown(on: phone).first)
    }

    // MARK: What notifications is at

    /// Waits until notifications knows how many people have the app in front, of all in the cluster.
    func inFront(_ count: Int) async throws {
        try await eventually("\(count) people have the app in front") {
            try await metrics().contains("parley_push_in_front \(count)\n")
        }
    }

    /// Waits until each replica knows how many people have registered devices.
    func registered(_ count: Int) async throws {
        for replica in monitors.indices {
            try await eventually("replica \(replica + 1) knows \(count) people") {
                try await metrics(of: replica).contains("parley_push_people \(count)\n")
            }
        }
    }

    func metrics(of replica: Int = 0) async throws -> String {
        let server = "http://127.0.0.1:\(monitors[replica])"
        return try await onThread {
            try RawHTTP.send("GET", "/metrics", to: server, headers: ["Connection": "close"])?.text ?? ""
        }
    }

    /// Returns the number that a query reads in the database. All share a connection, since conditions are asked often.
    func number(_ sql: String) async throws -> Int64 {
        let url = cluster.endpoints.database
        let opening = database ?? Task { try await Connection.open(DatabaseConfiguration(test: url)) }
        database = opening
        return try await opening.value.first(Statement(sql) { try $0.int64(0) }) ?? -1
    }

    /// Waits until notifications has followed everything.
    func followed() async throws {
        let behind = ["messaging", "conversations", "entities"].map { source in
            """
            (
                SELECT count(*)
                FROM \(source).lanes AS l
                LEFT JOIN notifications.followed AS f ON f.source = '\(source)' AND f.lane = l.lane
                WHERE coalesce(f.number, 0) < l.number
            )
            """
        }
        try await eventually("notifications has followed everything") {
            try await number("SELECT \(behind.joined(separator: " + "))") == 0
        }
    }

    /// Waits until notifications has followed everything, and sent what it decided to show.
    func settled(within limit: Duration = defaultLimit) async throws {
        try await followed()
        try await eventually(within: limit, "nothing waits to be shown") {
            try await number("SELECT count(*) FROM notifications.queue WHERE kind <> 8") == 0
        }
    }
}
