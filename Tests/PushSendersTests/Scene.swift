import Reactor
import Synchronization
import TestSupport

@testable import PushSenders

/// Senders with the keys of the push servers, and a clock that the test moves.
@ReactorActor
final class Scene {
    let servers: PushServers
    let clock = MovedClock()
    private(set) var problems: [PushProblem] = []
    private(set) var senders: PushSenders

    init(_ servers: PushServers, _ change: (inout PushOptions) throws -> Void = { _ in }) throws {
        self.servers = servers
        var options = try Self.options(servers)
        let clock = clock
        options.clock = PushClock(wall: { clock.wall }, steady: { clock.steady })
        try change(&options)
        let box = ProblemBox()
        senders = PushSenders(options) { box.scene?.problems.append($0) }
        box.scene = self
    }

    static func options(_ servers: PushServers) throws -> PushOptions {
        var options = PushOptions(
            apns: try APNsKey(
                pem: try servers.file("apple.p8"), file: "apple.p8", keyID: "ABC123DEFG", teamID: "TEAM456789"),
            fcm: try FCMAccount(json: try servers.file("account.json"), file: "account.json"),
            vapid: try VAPIDKey(pem: vapidPEM, file: "vapid.pem", contact: "mailto:operator@chat.example"))
        options.addresses.apns = servers.url(.apns)
        options.addresses.apnsSandbox = servers.url(.apnsSandbox)
        options.addresses.fcm = servers.url(.fcm)
        options.authorities = servers.authorities
        options.mayReachInside = true
        return options
    }

    nonisolated static let vapidPEM = Array(VAPIDKey.make().pem.utf8)

    func send(_ notice: PushNotice) async -> PushResult { await senders.send(notice) }

    /// Sends all at once.
    func send(_ notices: [PushNotice]) async -> [PushResult] {
        let tasks = notices.map { notice in Task.onLoop { await self.send(notice) } }
        var results: [PushResult] = []
        for task in tasks { results.append(await task.value) }
        return results
    }
}

@ReactorActor
private final class ProblemBox {
    weak var scene: Scene?
}

/// The system's clocks, moved.
final class MovedClock: Sendable {
    private let moved = Mutex((wall: Int64(0), steady: Int64(0)))
    private let system = PushClock()

    var wall: Int64 { system.wall() + moved.withLock { $0.wall } }
    var steady: Int64 { system.steady() + moved.withLock { $0.steady } }

    /// Lets time pass.
    func pass(seconds: Int64) {
        moved.withLock { $0 = ($0.wall + seconds * 1_000_000, $0.steady + seconds * 1_000_000) }
    }
    /// The same for the clock alone by which senders wait.
    func wait(seconds: Int64) { moved.withLock { $0.steady += seconds * 1_000_000 } }
    /// Sets the clock on the wall alone wrong.
    func set(aheadSeconds: Int64) { moved.withLock { $0.wall = aheadSeconds * 1_000_000 } }
}

extension PushNotice {
    /// A message as a test sends it.
    static func message(
        _ transport: PushTransport = .apns, to token: String, app: String = "", title: String = "Alice",
        body: String = "See you at 8 “tomorrow” \\o/ 👩‍👩‍👧", _ change: (inout PushNotice) -> Void = { _ in }
    ) -> PushNotice {
        let payload = PushPayload(
            kind: "message", title: title, body: body, conversation: "c_9fK2", seq: 9_007_199_254_740_993,
            sender: "Alice", link: "/#/c/c_9fK2")
        var notice = PushNotice(
            id: (0..<16).map { _ in UInt8.random(in: 0...255) }, transport: transport, token: token, app: app,
            payload: payload, collapse: "c_9fK2/4711", thread: "c_9fK2", badge: 7,
            expires: PushClock().wall() + 3_600_000_000)
        change(&notice)
        return notice
    }

    /// The notice for a device that reads encrypted content.
    func encrypted(_ key: PushServers.JSON) -> PushNotice {
        var notice = self
        notice.payload.encrypted = true
        (notice.contentKey, notice.authSecret) = (bytes(key.key.text), bytes(key.secret.text))
        return notice
    }

    /// The notice for a browser's subscription.
    func subscribed(_ subscription: PushServers.JSON) -> PushNotice {
        var notice = self
        notice.token = subscription.endpoint.text
        (notice.contentKey, notice.authSecret) = (bytes(subscription.key.text), bytes(subscription.secret.text))
        return notice
    }
}

extension PushResult {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
    var isLater: Bool { if case .later = self { true } else { false } }
    /// The code of a refusal.
    var code: String? { if case .refused(let code, _) = self { code } else { nil } }
    /// After how many seconds to send again.
    var seconds: Double? { if case .later(let time) = self { Double(time) / 1_000_000 } else { nil } }
}
