import Logging
import Reactor

/// Which peers are trusted on the links of this process.
public enum LinkSecurity: Sendable {
    /// Trusts everyone who can connect, as a gateway. Meant for ipc sockets and the loopback device, where the machine
    /// decides who can connect.
    case plain
    /// Trusts the processes whose keys are in `peers`, in the roles given there. All traffic is encrypted (CURVE).
    case curve(own: CurveKeyPair, peers: LinkPeers)
}

extension PeerRole {
    /// Whether a process of this role may call `method`.
    func mayCall(_ method: String) -> Bool {
        switch self {
        case .gateway: true
        case .monitor: method == "health.Check"
        case .follower: method == "foreground.List"
        case .service: false
        }
    }

    /// Whether a process of this role may send requests at all.
    var maySendRequests: Bool {
        switch self {
        case .gateway, .monitor, .follower: true
        case .service: false
        }
    }
}

@ReactorActor
extension LinkSecurity {
    /// Secures a socket that others connect to. Only roles that `mayEnter` accepts are admitted.
    func secure(
        asServer socket: Socket, at endpoint: String, log: Logger,
        admitting mayEnter: @escaping @Sendable (PeerRole) -> Bool
    ) throws(ZeroMQError) {
        guard case .curve(let own, let peers) = self else { return }
        let refusals = RefusedLinks(endpoint: endpoint, log: log)
        try socket.secure(asServer: own) { key in
            let peer = peers.peer(of: key)
            guard let peer, mayEnter(peer.role) else {
                refusals.note(key, peer)
                return nil
            }
            return peer.name
        }
    }

    /// Secures a socket that connects to a process of `service`.
    func secure(asClient socket: Socket, of service: String) throws(ZeroMQError) {
        guard case .curve(let own, let peers) = self else { return }
        guard let role = PeerRole(service), let key = peers.key(of: role) else {
            throw ZeroMQError(operation: "the peers file has no key of \(service)")
        }
        try socket.secure(asClient: own, of: key)
    }

    /// The role of a frame's sender; nil if the sender is unknown.
    func role(of frame: IncomingFrame) -> PeerRole? {
        switch self {
        case .plain: .gateway
        case .curve(_, let peers): frame.userID.flatMap(peers.role(of:))
        }
    }
}
