import CZeroMQ

/// Says who may connect to this process's sockets: the process's ZAP handler (ZeroMQ's RFC 27).
///
/// ZeroMQ asks it for every connection to a socket with a key, after the peer has proven which key it has. Each such
/// socket has a domain of its own, so that sockets of one process can admit different peers.
@ReactorActor
public final class Authenticator {
    public static let shared = Authenticator()

    /// The name under which a peer is admitted, or nil: refused.
    public typealias Decision = @ReactorActor (_ key: CurvePublicKey) -> String?

    private static let endpoint = "inproc://zeromq.zap.01"

    private var socket: Socket?
    private var domains: [String: Decision] = [:]
    private var lastDomain = 0

    /// Connections refused so far: a key that is not known, or not admitted to the socket.
    public private(set) var refused = 0
    /// Questions that could not be understood so far; nobody was admitted by them.
    public private(set) var malformed = 0

    private init() {}

    /// Registers a socket's rule; gives the domain to set at the socket, before it binds.
    func admit(_ decide: @escaping Decision) throws(ZeroMQError) -> String {
        try start()
        lastDomain += 1
        let domain = "parley-\(lastDomain)"
        domains[domain] = decide
        return domain
    }

    /// From now on nobody is admitted to the domain's socket.
    func forget(_ domain: String) { domains[domain] = nil }

    /// Must have succeeded before a socket with a key binds: where no handler is bound, ZeroMQ admits everyone.
    private func start() throws(ZeroMQError) {
        guard socket == nil else { return }
        // A ROUTER, so that questions of many connections are answered in any order.
        let socket = try Socket(.router)
        try socket.bind(Self.endpoint)
        socket.onMessage { [unowned self, unowned socket] parts in  // Both live as long as the process.
            // Whoever cannot be answered is not admitted, and dropped when its handshake has taken too long.
            if let reply = answer(parts) { _ = try? socket.send(parts: reply) }
        }
        self.socket = socket
    }

    /// The reply to a ZAP request with the address to send it to, or nil when there is nobody to answer.
    func answer(_ parts: [[UInt8]]) -> [[UInt8]]? {
        let request: ZAPRequest
        do {
            request = try ZAPRequest(parts)
        } catch {
            malformed += 1
            return error.request.map { $0.reply(status: "500", "not understood") }
        }
        guard let name = domains[request.domain]?(request.key) else {
            refused += 1
            return request.reply(status: "400", "not admitted")
        }
        return request.reply(status: "200", "OK", userID: name)
    }
}

/// A question of ZeroMQ's: may the holder of this key connect to a socket of this domain?
struct ZAPRequest {
    /// How to answer it.
    struct Way {
        var address: [UInt8]
        var id: [UInt8]

        func reply(status: String, _ text: String, userID: String = "") -> [[UInt8]] {
            [address, [], Array("1.0".utf8), id, Array(status.utf8), Array(text.utf8), Array(userID.utf8), []]
        }
    }

    struct Malformed: Error {
        /// nil: it cannot be answered.
        var request: Way?
    }

    let way: Way
    let domain: String
    let key: CurvePublicKey

    /// - Parameter parts: as a ROUTER gives them: address, empty, version, request id, domain, peer's address, routing
    ///   id, mechanism, and for CURVE the peer's key.
    init(_ parts: [[UInt8]]) throws(Malformed) {
        guard parts.count >= 4, parts[1].isEmpty else { throw Malformed() }
        let way = Way(address: parts[0], id: parts[3])
        guard parts.count == 9, parts[2] == Array("1.0".utf8), parts[7] == Array("CURVE".utf8),
            let domain = String(validating: parts[4], as: UTF8.self), let key = CurvePublicKey(bytes: parts[8])
        else { throw Malformed(request: way) }
        (self.way, self.domain, self.key) = (way, domain, key)
    }

    func reply(status: String, _ text: String, userID: String = "") -> [[UInt8]] {
        way.reply(status: status, text, userID: userID)
    }
}
