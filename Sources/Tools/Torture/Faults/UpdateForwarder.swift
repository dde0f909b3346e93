import Cluster
import Foundation
import Logging
import Reactor
import Schema
import Wire

/// Subscribes to a replica as a gateway does and publishes what it hears to that gateway, but for what the seed says
/// is lost: single Updates, and now and then a run of them.
///
/// It is there when the replica is: a gateway that is connected to it is not told more, or less, than on the real link.
@ReactorActor
final class UpdateForwarder {
    private let subscriber: UpdateSubscriber
    private let log: Logger
    /// Where it publishes: the proxy before it is told each new place.
    private let place: (Int) -> String
    private let proxy: LinkProxy
    private let security: (gateway: LinkSecurity, service: LinkSecurity)
    private var publisher: UpdatePublisher?
    private var places = 0
    private var random: SeededRandom
    private var perMille = 0
    private var burst = 0
    private(set) var dropped = 0
    private(set) var passed = 0

    /// - Parameters:
    ///   - keys: the cluster's: it is a gateway to the replica, and the replica to the gateway.
    ///   - place: a path for each socket that it listens at, counted from 1.
    init(
        of endpoint: String, service: String, for proxy: LinkProxy, seed: UInt64, name: String, keys: KeyFolder,
        log: Logger, place: @escaping (Int) -> String
    ) throws {
        (self.proxy, self.log, self.place) = (proxy, log, place)
        security = (try Self.security(of: "gateway", keys), try Self.security(of: service, keys))
        random = SeededRandom(seed: seed, part: "drop \(name)")
        subscriber = UpdateSubscriber(endpoints: [endpoint], of: service, security: security.gateway, log: log)
    }

    private static func security(of role: String, _ keys: KeyFolder) throws -> LinkSecurity {
        let peers = try LinkPeers(String(contentsOfFile: keys.peersPath, encoding: .utf8))
        let text = try String(contentsOfFile: keys.keyPath(of: role), encoding: .utf8)
        guard let key = CurveSecretKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ClusterError(.invalid, "\(keys.keyPath(of: role)) holds no key")
        }
        return .curve(own: CurveKeyPair(key), peers: peers)
    }

    func start() throws {
        subscriber.onConnected = { [weak self] _ in self?.connected() }
        subscriber.onDisconnected = { [weak self] _ in self?.disconnected() }
        try subscriber.start { [weak self] header, body in self?.heard(header, body) }
    }

    func close() {
        subscriber.close()
        disconnected()
    }

    /// So many of 1,000 vanish from now on.
    func drop(_ perMille: Int) {
        self.perMille = perMille
        burst = 0
    }

    private func connected() {
        publisher?.close()
        places += 1
        // A path of its own each time: a closing socket removes its file late, which must not be the next one's.
        let path = place(places)
        let publisher = UpdatePublisher(endpoint: "ipc://\(path)", security: security.service, log: log)
        do {
            try publisher.start()
            self.publisher = publisher
            proxy.setUpstream(path)
        } catch {
            log.error("\(error)")
        }
    }

    private func disconnected() {
        proxy.setUpstream(nil)
        publisher?.close()
        publisher = nil
    }

    private func heard(_ header: UpdateHeader, _ body: [UInt8]) {
        guard !isLost() else {
            dropped += 1
            return
        }
        passed += 1
        publisher?.publish(header, body)
    }

    private func isLost() -> Bool {
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
