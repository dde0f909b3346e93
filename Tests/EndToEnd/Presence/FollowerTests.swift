import Cluster
import Logging
import ParleyClient
import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

/// Follows who uses the app at a replica of presence, as LINKS.md describes.
@ReactorActor
private final class Following {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private let client: RequestClient
    private let subscriber: UpdateSubscriber
    private(set) var people: Set<Int64> = []
    private(set) var epoch = ""
    /// The streams of all that came.
    private(set) var streams: Set<String> = []
    /// How often the whole picture came.
    private(set) var pictures = 0
    /// How many of the next changes to lose.
    var losing = 0
    private var position: Int64 = 0
    private var isWhole = false
    private var isAsking = false
    private var kept: [(position: Int64, change: ForegroundChange)] = []

    init(_ cluster: TestCluster, as role: String = "follower") async throws {
        let security = try cluster.cluster.keys.security(of: role)
        let requests = try await cluster.endpoint(of: "presence-1", "REQUESTS")
        let changes = try await cluster.endpoint(of: "presence-1", "FOLLOWERS")
        client = RequestClient(
            service: "presence", endpoints: [requests], instance: "test", security: security, log: Self.quiet)
        subscriber = UpdateSubscriber(endpoints: [changes], of: "presence", security: security, log: Self.quiet)
        subscriber.onConnected = { [weak self] _ in self?.ask() }
        try client.start()
        try subscriber.start { [weak self] header, body in self?.hear(header, body) }
    }

    var isConnected: Bool { subscriber.isConnected }

    func close() {
        client.close()
        subscriber.close()
    }

    func call<Request: WireMessage, Reply: WireMessage>(
        _ method: Schema.Method<Request, Reply>, _ request: Request
    ) async throws(Refusal) -> Reply {
        try await client.call(method, request, deadline: .seconds(2))
    }

    private func ask() {
        isWhole = false
        guard !isAsking else { return }
        isAsking = true
        Task.onLoop { await self.readPicture() }
    }

    private func readPicture() async {
        while let reply = try? await call(ForegroundMethods.list, ForegroundRequest()) {
            (people, epoch, position) = (Set(reply.accounts), reply.epoch, reply.position)
            (isWhole, isAsking) = (true, false)
            pictures += 1
            let changes = kept.filter { $0.change.epoch == epoch }
            kept = []
            return changes.forEach(apply)
        }
        try? await Reactor.shared.sleep(for: .milliseconds(200))
        await readPicture()
    }

    private func hear(_ header: UpdateHeader, _ body: [UInt8]) {
        streams.insert(header.stream)
        guard let change = try? ForegroundChange.decode(body) else { return }
        if losing > 0, !change.came.isEmpty || !change.went.isEmpty {
            losing -= 1
        } else if isWhole {
            apply((header.position, change))
        } else {
            kept.append((header.position, change))
        }
    }

    private func apply(_ next: (position: Int64, change: ForegroundChange)) {
        let isRepeat = next.change.came.isEmpty && next.change.went.isEmpty
        guard next.change.epoch == epoch, next.position <= position + (isRepeat ? 0 : 1) else { return ask() }
        guard next.position > position else { return }
        people.subtract(next.change.went)
        people.formUnion(next.change.came)
        position = next.position
    }
}

extension ReplicaClusters {
    @Test("P1 D3 a follower has the whole picture of who uses the app, then hears all come and go, after losses, too")
    @ReactorActor
    func follower() async throws {
        let lease = 12  // Longer than the 10 s between a gateway's reports.
        let cluster = try await TestCluster(
            .init(settings: ["presence": ["PARLEY_LIMITS_LEASE_SECONDS": "\(lease)"]], repeats: false))
        let alice = try await cluster.person("alice")
        let accounts = try await Self.accounts(cluster)
        let following = try await Following(cluster)
        func follows(_ people: TestSupport.Device...) throws -> Bool {
            try following.people == Set(people.map { try #require(accounts.number(of: $0)) })
        }
        try await eventually("the picture has alice") { @ReactorActor in try follows(alice) }
        #expect(following.pictures == 1)

        let bob = try await cluster.person("bob", gateway: 1)
        try await accounts.read()
        try await eventually("bob came") { @ReactorActor in try follows(alice, bob) }
        await bob.client.setActivity(isInForeground: false)
        try await eventually("bob's app is in the background") { @ReactorActor in try follows(alice) }
        await bob.client.setActivity(isInForeground: true)
        try await eventually("and again in the foreground") { @ReactorActor in try follows(alice, bob) }
        let tablet = try await cluster.session(of: bob, gateway: 0)
        await bob.client.setActivity(isInForeground: false)
        await tablet.client.setActivity(isInForeground: false)
        try await eventually("neither of his devices has it there") { @ReactorActor in try follows(alice) }
        await tablet.client.setActivity(isInForeground: true)
        try await eventually("his tablet has") { @ReactorActor in try follows(alice, bob) }
        #expect(following.pictures == 1, "all of this by changes")
        following.losing = 1
        await tablet.client.close()
        try await eventually("the loss of a change is noticed") { @ReactorActor in
            try following.pictures == 2 && follows(alice)
        }

        await bob.client.setActivity(isInForeground: true)
        try await eventually("bob is back") { @ReactorActor in try follows(alice, bob) }
        try cluster.cluster.kill("gateway-2")
        await bob.client.close()
        try await eventually(within: .seconds(60), "bob went with his gateway") { @ReactorActor in
            try follows(alice)
        }
        let epoch = following.epoch
        try cluster.cluster.kill("presence-1")
        try await eventually(within: .seconds(60), "another picture from the new process") { @ReactorActor in
            try following.epoch != epoch && follows(alice)
        }
        #expect(following.streams == ["presence/foreground"])
        following.close()
        await cluster.end()
    }

    @Test("P1 D3 a follower may ask and hear nothing else, and nobody else follows")
    @ReactorActor
    func followersOnly() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let follower = try await Following(cluster)
        try await eventually("it follows") { @ReactorActor in follower.pictures == 1 }
        for (method, expected) in [("presence.GetPresence", "forbidden"), ("health.Check", "forbidden")] {
            do throws(Refusal) {
                _ = try await follower.call(
                    Schema.Method<HealthRequest, HealthReply>(name: method, access: .gateway), HealthRequest())
                Issue.record("\(method) was answered")
            } catch {
                #expect(error.code.rawValue == expected)
            }
        }
        for role in ["monitor", "entities"] {
            let other = try await Following(cluster, as: role)
            try await Task.sleep(for: .seconds(1))
            #expect(!other.isConnected, "\(role)")
            do throws(Refusal) {
                _ = try await other.call(ForegroundMethods.list, ForegroundRequest())
                Issue.record("\(role) was answered")
            } catch {
                #expect(["forbidden", "unavailable", "deadline"].contains(error.code.rawValue), "\(role)")
            }
            other.close()
        }
        let gateway = try await Following(cluster, as: "gateway")
        try await Task.sleep(for: .seconds(1))
        #expect(!gateway.isConnected)
        gateway.close()
        follower.close()
        await cluster.end()
    }

    /// The account numbers of people, as processes know them.
    @ReactorActor
    private final class Accounts {
        private let database: String
        private var numbers: [String: Int64] = [:]

        init(_ database: String) { self.database = database }

        func number(of device: TestSupport.Device) -> Int64? { numbers[device.user] }

        func read() async throws {
            let connection = try await Connection.open(DatabaseConfiguration(test: database))
            defer { connection.close() }
            let rows = try await connection.query(
                Statement("SELECT user_id, account FROM conversations.accounts") { row in
                    (try row.text(0), try row.int64(1))
                })
            numbers = Dictionary(rows) { $1 }
        }
    }

    @ReactorActor
    private static func accounts(_ cluster: TestCluster) async throws -> Accounts {
        let accounts = Accounts(cluster.endpoints.database)
        try await accounts.read()
        return accounts
    }
}
