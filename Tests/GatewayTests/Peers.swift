import Glibc
import Logging
import Reactor
import Schema
import ServiceKit
import TestSupport
import Wire

@testable import GatewayService

/// A gateway with real links to simulated services, which answer as a test needs.
@ReactorActor
final class Peers {
    nonisolated static let key = Sodium.SigningKey.make()
    nonisolated static let seal = Sodium.randomBytes(32)
    static let quiet: Logger = {
        var log = Logger(label: "test")
        log.logLevel = .critical
        return log
    }()

    let folder: String
    private var servers: [String: RequestServer] = [:]
    private(set) var publishers: [String: UpdatePublisher] = [:]
    private(set) var gateway: Gateway?
    private(set) var address = ""
    /// The reply of conversations to `authority.Keys`.
    var authority = AuthorityReply(keys: [PublicKey(id: "k1", ed25519: key.publicKey, seal: seal)], revoked: [])
    var authorityRequests = 0
    private(set) var reports: [SessionsReport] = []
    /// Whether presence requests a full list.
    var sendFull = false
    private(set) var unanswered: [Responder] = []
    var isReady = true
    /// Whether checks of health get no reply.
    var holdsHealth = false
    /// The journals of the services, by service, lane and number.
    private(set) var journal: [String: [UInt32: [Int64: ReplayedUpdate]]] = [:]
    var epoch = "e1"
    /// Whether requests to the journal are refused.
    var journalIsDown = false
    /// Whether the journal reports ranges as incomplete.
    var journalIsIncomplete = false
    /// How many numbers a page of a replay covers.
    var page: Int64 = 1000
    private(set) var replays: [ReplayRequest] = []
    private(set) var replaysRefused = 0
    private(set) var lanesRequests = 0
    /// Whether replies of Authority are held until ``releaseAuthority()``.
    var holdsAuthority = false
    /// The HTTP paths that each service declares. All of them answer with ``answer``.
    var routes: [String: [HttpRoute]] = [:]
    /// What messaging lets gateways tell clients of a text's length.
    nonisolated let textBytes: UInt32 = 1000
    private(set) var exchanges: [(service: String, request: HttpRequest)] = []
    var answer: (HttpRequest) -> HttpReply = { request in
        request.bodyEnds ? HttpReply(status: 200, body: Array("\(request.method) \(request.path)".utf8)) : HttpReply()
    }
    private var heldAuthority: [@ReactorActor () -> Void] = []

    init() {
        folder = "/tmp/parley-gateway-test-\(Sodium.randomText(8))"
        mkdir(folder, 0o700)
    }

    nonisolated static let names = ["conversations", "messaging", "presence", "entities"]

    static func start(
        without missing: [String] = [], routes: [String: [HttpRoute]] = [:], log: Logger = quiet,
        _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) async throws -> Peers {
        let peers = Peers()
        peers.routes = routes
        for name in names where !missing.contains(name) { try peers.add(name) }
        var configuration = peers.configuration
        change(&configuration)
        let gateway = try Gateway(configuration, log: log)
        peers.gateway = gateway
        peers.address = try await gateway.start() ?? ""
        return peers
    }

    var configuration: GatewayConfiguration {
        var limits = GatewayLimits()
        limits.tick = .milliseconds(20)
        limits.reportDelay = .milliseconds(10)
        limits.connections = 3000
        limits.anonymousPerAddress = 2500
        limits.newcomers = 100_000
        limits.newcomersPerAddress = 2500
        limits.addressConnectionsBurst = 10_000
        limits.closeTimeout = .seconds(1)
        return GatewayConfiguration(
            instance: "gateway-test", listen: "127.0.0.1:0",
            services: Self.names.map {
                .init(
                    name: $0, requests: ["ipc://\(folder)/\($0)-requests"], updates: ["ipc://\(folder)/\($0)-updates"])
            }, limits: limits)
    }

    func add(_ name: String) throws {
        let server = RequestServer(endpoint: "ipc://\(folder)/\(name)-requests", log: Self.quiet)
        _ = try server.start { [unowned self] envelope, body, responder in answer(name, envelope, body, responder) }
        servers[name] = server
        let publisher = UpdatePublisher(endpoint: "ipc://\(folder)/\(name)-updates", log: Self.quiet)
        _ = try publisher.start()
        publishers[name] = publisher
    }

    /// Ends the request link of a service.
    func drop(_ name: String) { servers.removeValue(forKey: name)?.close() }

    func stop() async {
        await gateway?.stop()
        for server in servers.values { server.close() }
        for publisher in publishers.values { publisher.close() }
        for name in Self.names {
            unlink("\(folder)/\(name)-requests")
            unlink("\(folder)/\(name)-updates")
        }
        rmdir(folder)
    }

    private func answer(_ name: String, _ envelope: Envelope, _ body: [UInt8], _ responder: Responder) {
        switch envelope.method {
        case "authority.Keys":
            authorityRequests += 1
            let reply = authority.encode()
            if holdsAuthority { heldAuthority.append { responder.reply(reply) } } else { responder.reply(reply) }
        case "journal.Lanes":
            lanesRequests += 1
            if journalIsDown { return responder.refuse(.unavailable("down")) }
            responder.reply(LanesReply(heartbeat: heartbeat(of: name)).encode())
        case "journal.Replay":
            guard let request = try? ReplayRequest.decode(body), !journalIsDown else {
                replaysRefused += 1
                return responder.refuse(.unavailable("down"))
            }
            replays.append(request)
            responder.reply(replay(request, of: name).encode())
        case "health.Check" where holdsHealth: unanswered.append(responder)
        case "health.Check":
            let reasons = isReady ? [] : ["no \"database\""]
            responder.reply(
                HealthReply(service: name, instance: "\(name)-test", ready: isReady, reasons: reasons).encode())
        case "sessions.Report":
            if let report = try? SessionsReport.decode(body) { reports.append(report) }
            responder.reply(SessionsReportReply(sendFull: sendFull).encode())
            sendFull = false
        case "http.Routes":
            let text = name == "messaging" ? textBytes : 0
            responder.reply(HttpRoutesReply(routes: routes[name] ?? [], textBytes: text).encode())
        case "http.Exchange":
            guard let request = try? HttpRequest.decode(body) else { return responder.refuse(.internal) }
            exchanges.append((name, request))
            responder.reply(answer(request).encode())
        case "messaging.Echo": responder.reply(body)
        case "messaging.Who": responder.reply(envelope.encode())
        case "messaging.Refuse": responder.refuse(Refusal("not_member", "You are not a member.", field: "conversation"))
        case "messaging.Later": unanswered.append(responder)
        default: responder.refuse(.unknownMethod)
        }
    }

    func change(_ body: @ReactorActor @Sendable (Peers) -> Void) { body(self) }

    func answerLate(_ body: [UInt8]) {
        for responder in unanswered { responder.reply(body) }
        unanswered = []
    }

    func publish(
        to audience: [Int64], _ kind: UpdateClass = .durable, from origin: String = "", position: Int64 = 1,
        stream: String = "messaging/c/x", body: [UInt8] = [1, 2, 3]
    ) {
        publishers["messaging"]?.publish(
            UpdateHeader(
                stream: stream, position: position, kind: "Message", class: kind, audience: audience,
                originSession: origin), body)
    }

    // MARK: Journals

    private func heartbeat(of name: String) -> Heartbeat {
        Heartbeat(
            epoch: epoch,
            lanes: (journal[name] ?? [:]).map { LaneNumber(lane: $0, number: $1.keys.max() ?? 0) })
    }

    /// Publishes a heartbeat with the last numbers of the service's lanes.
    func beat(_ name: String = "messaging") {
        publishers[name]?.publish(
            UpdateHeader(stream: "control", control: Control(control: .heartbeat(heartbeat(of: name)))), [])
    }

    /// Adds a change to a lane, and publishes it unless it is to be lost.
    func commit(_ header: UpdateHeader, lane: UInt32 = 1, of name: String = "messaging", isLost: Bool = false) {
        var header = header
        let number = (journal[name]?[lane]?.keys.max() ?? 0) + 1
        (header.lane, header.number) = (lane, number)
        journal[name, default: [:]][lane, default: [:]][number] = ReplayedUpdate(header: header, body: [7])
        if !isLost { publishers[name]?.publish(header, [7]) }
    }

    func commit(to audience: [Int64], position: Int64, lane: UInt32 = 1, isLost: Bool = false) {
        commit(
            UpdateHeader(
                stream: "messaging/c/x", position: position, kind: "Message", class: .durable, audience: audience),
            lane: lane, isLost: isLost)
    }

    private func replay(_ request: ReplayRequest, of name: String) -> ReplayReply {
        let lane = journal[name]?[request.lane] ?? [:]
        let last = min(request.to, lane.keys.max() ?? 0, request.from + page - 1)
        let held = (request.from...max(request.from, last)).compactMap { lane[$0] }
        guard request.accountsOnly else {
            return ReplayReply(updates: held, through: last, incomplete: journalIsIncomplete)
        }
        return ReplayReply(
            through: last, accounts: Array(Set(held.flatMap { $0.header?.audience ?? [] })),
            incomplete: journalIsIncomplete)
    }

    func releaseAuthority() {
        let held = heldAuthority
        (holdsAuthority, heldAuthority) = (false, [])
        for answer in held { answer() }
    }

    func revoke(_ account: Int64, device: String = "", at: Timestamp = WallClock.system.now) {
        let revoked = DeviceRevoked(account: account, device: device, atUs: at.rawValue)
        publishers["conversations"]?.publish(
            UpdateHeader(stream: "conversations/u/x", control: Control(control: .deviceRevoked(revoked))), [])
    }

    nonisolated static func token(
        _ account: AccountNumber, device: String = "phone", issuedAt: Timestamp = WallClock.system.now - .seconds(5),
        lasts seconds: Int64 = 900,
        key: Sodium.SigningKey = Peers.key, keyID: String = "k1"
    ) -> String {
        AccessToken(
            user: "u\(account)", account: account, device: device, issuedAt: issuedAt,
            expiresAt: WallClock.system.now + .seconds(seconds)
        ).signed(with: AccessToken.Key(id: keyID, signing: key, seal: seal))
    }

    /// Waits until `condition` holds.
    static func until(
        file: String = #fileID, line: Int = #line, _ condition: @ReactorActor () -> Bool
    ) async throws {
        try await eventually("the condition of \(file):\(line)", condition)
    }
}
