import Cluster
import Foundation
import Logging
import NIOCore
import Reactor
import Schema
import Wire

/// Subscribes to a replica as a gateway does and publishes its Updates to that gateway, except those that the seed
/// drops: single Updates, and now and then a run of them.
///
/// It accepts connections only while it is connected to the replica, so the gateway sees the same as on the real link.
@ReactorActor
final class UpdateForwarder {
    private let subscriber: UpdateSubscriber
    private let log: Logger
    /// Returns the path of the numbered socket at which it publishes. The proxy is switched to each new socket.
    private let socketPath: (Int) -> String
    private let proxy: LinkProxy
    private let security: (gateway: LinkSecurity, service: LinkSecurity)
    private var publisher: UpdatePublisher?
    private var socketCount = 0
    private var random: SeededRandom
    private var perMille = 0
    private var burst = 0
    private(set) var dropped = 0
    private(set) var forwarded = 0

    /// - Parameters:
    ///   - keys: the cluster's keys. Towards the replica it uses the gateway's key, towards the gateway the service's.
    ///   - socketPath: returns the path of each socket at which it publishes, counted from 1.
    init(
        of endpoint: String, service: String, for proxy: LinkProxy, seed: UInt64, name: String, keys: KeyFolder,
        log: Logger, socketPath: @escaping (Int) -> String
    ) throws {
        (self.proxy, self.log, self.socketPath) = (proxy, log, socketPath)
        security = (try Self.security(of: "gateway", keys), try Self.security(of: service, keys))
        random = SeededRandom(seed: seed, part: "drop \(name)")
        subscriber = UpdateSubscriber(endpoints: [endpoint], of: service, security: security.gateway, log: log)
    }

    private static func security(of role: String, _ keys: KeyFolder) throws -> LinkSecurity {
        let peers = try LinkPeers(String(contentsOfFile: keys.peersPath, encoding: .utf8))
        let text = try String(contentsOfFile: keys.keyPath(of: role), encoding: .utf8)
        guard let key = CurveSecretKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ClusterError(.invalid, "There is no key in \(keys.keyPath(of: role)).")
        }
        return .curve(own: CurveKeyPair(key), peers: peers)
    }

    func start() throws {
        subscriber.onConnected = { [weak self] _ in self?.connected() }
        subscriber.onDisconnected = { [weak self] _ in self?.disconnected() }
        try subscriber.start { [weak self] header, body in self?.received(header, body) }
    }

    func close() {
        subscriber.close()
        disconnected()
    }

    /// Drops `perMille` of 1,000 Updates from now on.
    func drop(_ perMille: Int) {
        self.perMille = perMille
        burst = 0
    }

    private func connected() {
        publisher?.close()
        socketCount += 1
        // A new path each time, since a closing socket removes its file late and must not remove the next one's.
        let path = socketPath(socketCount)
        let publisher = UpdatePublisher(
            endpoint: "ipc://\(path)", security: security.service, admitting: [.gateway, .service("entities")], log: log
        )
        do {
            try publisher.start()
            self.publisher = publisher
            proxy.setUpstream(try SocketAddress(unixDomainSocketPath: path))
        } catch {
            log.error("\(error)")
        }
    }

    private func disconnected() {
        proxy.setUpstream(nil)
        publisher?.close()
        publisher = nil
    }

    private func received(_ header: UpdateHeader, _ body: [UInt8]) {
        guard !isDropped() else {
            dropped += 1
            return
        }
        forwarded += 1
        publisher?.publish(header, body)
    }

    private func isDropped() -> Bool {
        guard perMille > 0 else { return false }
        if burst > 0 {
            burst -= 1
            return true
        }
        guard random.chance(perMille) else { return false }
        if random.chance(200) { burst = random.number(1...20) }
        return true
    }
}
