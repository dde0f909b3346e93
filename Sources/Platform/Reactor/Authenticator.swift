import CZeroMQ

/// Decides which peers may connect to this process's sockets, as the process's ZAP handler (ZeroMQ's RFC 27).
///
/// ZeroMQ calls it for every connection to a socket with a key, after the peer has proven that it holds its key. Each
/// such socket has its own domain, so that sockets of one process can admit different peers.
@ReactorActor
public final class Authenticator {
    public static let shared = Authenticator()

    /// Returns the name under which a peer is admitted, or nil to refuse it.
    public typealias Decision = @ReactorActor (_ key: CurvePublicKey) -> String?

    private static let endpoint = "inproc://zeromq.zap.01"

    private var socket: Socket?
    private var domains: [String: Decision] = [:]
    private var lastDomain = 0

    /// Number of connections refused so far, because the key was unknown or not admitted to the socket.
    public private(set) var refused = 0
    /// Number of malformed requests so far, which admitted no peer.
    public private(set) var malformed = 0

    private init() {}

    /// Registers a socket's rule and returns the domain to set on the socket before it binds.
    func admit(_ decide: @escaping Decision) throws(ZeroMQError) -> String {
        try start()
        lastDomain += 1
        let domain = "parley-\(lastDomain)"
        domains[domain] = decide
        return domain
    }

    /// Removes a rule. From now on no peer is admitted to the domain's socket.
    func forget(_ domain: String) { domains[domain] = nil }

    /// Binds the handler. Call it before any socket with a key binds, because without a handler ZeroMQ admits everyone.
    private func start() throws(ZeroMQError) {
        guard socket == nil else { return }
        // A ROUTER, so that requests of many connections can be answered in any order.
        let socket = try Socket(.router)
        try socket.bind(Self.endpoint)
        socket.onMessage { [unowned self, unowned socket] parts in  // Both live as long as the process.
            // A peer that gets no answer is not admitted, and is dropped when its handshake times out.
            if let reply = answer(parts) { _ = try? socket.send(parts: reply) }
        }
        self.socket = socket
    }

    /// Returns the reply to a ZAP request, including its address, or nil when no reply is possible.
    func answer(_ parts: [[UInt8]]) -> [[UInt8]]? {
        let request: ZAPRequest
        do {
            request = try ZAPRequest(parts)
        } catch {
            malformed += 1
            return error.replyTarget.map { $0.reply(status: "500", "not understood") }
        }
        guard let name = domains[request.domain]?(request.key) else {
            refused += 1
            return request.reply(status: "400", "not admitted")
        }
        return request.reply(status: "200", "OK", userID: name)
    }
}

/// A ZAP request, which asks whether the holder of a key may connect to a socket of a domain.
struct ZAPRequest {
    /// The address and request id of the reply.
    struct ReplyTarget {
        var address: [UInt8]
        var id: [UInt8]

        func reply(status: String, _ text: String, userID: String = "") -> [[UInt8]] {
            [address, [], Array("1.0".utf8), id, Array(status.utf8), Array(text.utf8), Array(userID.utf8), []]
        }
    }

    struct Malformed: Error {
        /// nil when the request cannot be answered.
        var replyTarget: ReplyTarget?
    }

    let replyTarget: ReplyTarget
    let domain: String
    let key: CurvePublicKey

    /// - Parameter parts: the message as a ROUTER receives it, with address, empty part, version, request id, domain,
    ///   peer's address, routing id, mechanism, and for CURVE the peer's key.
    init(_ parts: [[UInt8]]) throws(Malformed) {
        guard parts.count >= 4, parts[1].isEmpty else { throw Malformed() }
        let replyTarget = ReplyTarget(address: parts[0], id: parts[3])
        guard parts.count == 9, parts[2] == Array("1.0".utf8), parts[7] == Array("CURVE".utf8),
            let domain = String(validating: parts[4], as: UTF8.self), let key = CurvePublicKey(bytes: parts[8])
        else { throw Malformed(replyTarget: replyTarget) }
        (self.replyTarget, self.domain, self.key) = (replyTarget, domain, key)
    }

    func reply(status: String, _ text: String, userID: String = "") -> [[UInt8]] {
        replyTarget.reply(status: status, text, userID: userID)
    }
}
