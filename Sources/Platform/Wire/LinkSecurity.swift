import Reactor

/// Who is believed on the links of this process.
public enum LinkSecurity: Sendable {
    /// Everyone who can connect, as a gateway: for ipc sockets and the loopback device, where the machine decides who
    /// can.
    case plain
    /// Those whose keys are in `peers`, as what they are there; all that is said is encrypted (CURVE).
    case curve(own: CurveKeyPair, peers: LinkPeers)
}

extension PeerRole {
    /// Which requests a process of this role may send.
    func mayCall(_ method: String) -> Bool {
        switch self {
        case .gateway: true
        case .monitor: method == "health.Check"
        case .service: false
        }
    }

    /// True when it may send requests at all.
    var maySendRequests: Bool {
        switch self {
        case .gateway, .monitor: true
        case .service: false
        }
    }
}

@ReactorActor
extension LinkSecurity {
    /// Secures a socket that others connect to. Whoever could do nothing there is not let in.
    func secure(asServer socket: Socket, admitting mayEnter: @escaping @Sendable (PeerRole) -> Bool)
        throws(ZeroMQError)
    {
        guard case .curve(let own, let peers) = self else { return }
        try socket.secure(asServer: own) { key in
            guard let peer = peers.peer(of: key), mayEnter(peer.role) else { return nil }
            return peer.name
        }
    }

    /// Secures a socket that connects to a process of `service`.
    func secure(asClient socket: Socket, of service: String) throws(ZeroMQError) {
        guard case .curve(let own, let peers) = self else { return }
        guard let role = PeerRole(service), let key = peers.key(of: role) else {
            throw ZeroMQError(operation: "the peers' keys have none of \(service)")
        }
        try socket.secure(asClient: own, of: key)
    }

    /// What the sender of a frame is; nil: not known.
    func role(of frame: IncomingFrame) -> PeerRole? {
        switch self {
        case .plain: .gateway
        case .curve(_, let peers): frame.userID.flatMap(peers.role(of:))
        }
    }
}
