import Logging
import Reactor

/// Logs once in a while that a link was refused, since whoever is refused tries again.
@ReactorActor
final class RefusedLinks {
    private let endpoint: String
    private let log: Logger
    private var line = LogThrottle(every: .seconds(10))

    init(endpoint: String, log: Logger) { (self.endpoint, self.log) = (endpoint, log) }

    /// - Parameter peer: whose key it is; nil if it is in no line of the peers file.
    func note(_ key: CurvePublicKey, _ peer: LinkPeers.Peer?) {
        guard let more = line.pass(at: .now) else { return }
        log.warning(
            peer == nil
                ? "refused a link whose key is not in the peers file"
                : "refused a link, since processes with its role have no business here",
            metadata: ["key": "\(key)", "peer": "\(peer?.name ?? "")", "endpoint": "\(endpoint)", "more": "\(more)"])
    }
}
