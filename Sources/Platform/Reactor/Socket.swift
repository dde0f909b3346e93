import CZeroMQ
import Glibc

/// The failure of a ZeroMQ call. `operation` and `reason` are for the log.
public struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
    public var operation: String
    public var code: CInt

    public var reason: String { String(cString: zmq_strerror(code)) }
    public var description: String { "\(operation): \(reason)" }

    public init(operation: String, code: CInt = EINVAL) {
        self.operation = operation
        self.code = code
    }

    static func last(_ operation: String) -> ZeroMQError { ZeroMQError(operation: operation, code: zmq_errno()) }
}

/// A message of one part in ZeroMQ's memory, valid only during the handler's call.
@ReactorActor
public struct IncomingFrame {
    /// The connection that the message came from, on a ROUTER; empty on other sockets.
    public let peer: [UInt8]
    public let bytes: UnsafeRawBufferPointer
    /// Whether the message had no further parts. If it had, they were dropped.
    public let isWhole: Bool
    fileprivate let message: UnsafeMutablePointer<zmq_msg_t>

    /// The name under which the ``Authenticator`` admitted the peer's key. On a socket without a key the peer chooses
    /// it itself.
    public var userID: String? { property("User-Id") }

    /// The routing id that the peer set, although it should not. An id that begins with a zero byte, like those that a
    /// ROUTER makes, cannot be distinguished from none. The ROUTER does not let a peer take an id that is in use.
    public var chosenRoutingID: String? {
        guard let id = property("Identity"), !id.isEmpty else { return nil }
        return id
    }

    private func property(_ name: StaticString) -> String? {
        name.withUTF8Buffer { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { zmq_msg_gets(message, $0.baseAddress) }.map(String.init(cString:))
        }
    }
}

/// A ZeroMQ socket on the process's loop. Messages are multipart; a part is an array of bytes.
///
/// Sending never blocks. Options deliberately have no defaults here. Wire sets each one that it relies on.
@ReactorActor
public final class Socket {
    public enum Kind: Sendable {
        /// `publisher` is an XPUB, which can receive its peers' subscriptions.
        case router, dealer, publisher, subscriber, pair

        var rawValue: CInt {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher: ZMQ_XPUB
            case .subscriber: ZMQ_SUB
            case .pair: ZMQ_PAIR
            }
        }
    }

    /// Integer options, by ZeroMQ's names.
    public enum Option: Sendable {
        case sendHighWaterMark, receiveHighWaterMark, linger, heartbeatInterval, heartbeatTimeout, handshakeInterval
        case reconnectInterval, reconnectIntervalMax, maxMessageSize, routerMandatory, routerHandover, immediate, ipv6
        case allSubscriptions, curveServer

        var rawValue: CInt {
            switch self {
            case .sendHighWaterMark: ZMQ_SNDHWM
            case .receiveHighWaterMark: ZMQ_RCVHWM
            case .linger: ZMQ_LINGER
            case .heartbeatInterval: ZMQ_HEARTBEAT_IVL
            case .heartbeatTimeout: ZMQ_HEARTBEAT_TIMEOUT
            case .handshakeInterval: ZMQ_HANDSHAKE_IVL
            case .reconnectInterval: ZMQ_RECONNECT_IVL
            case .reconnectIntervalMax: ZMQ_RECONNECT_IVL_MAX
            case .maxMessageSize: ZMQ_MAXMSGSIZE
            case .routerMandatory: ZMQ_ROUTER_MANDATORY
            case .routerHandover: ZMQ_ROUTER_HANDOVER
            case .immediate: ZMQ_IMMEDIATE
            case .ipv6: ZMQ_IPV6
            case .allSubscriptions: ZMQ_XPUB_VERBOSE
            case .curveServer: ZMQ_CURVE_SERVER
            }
        }
    }

    /// A change of a connection of this socket, reported by ``monitor(_:)``.
    public enum ConnectionEvent: Sendable, Equatable {
        /// The peer is connected and speaks our protocol.
        case ready(endpoint: String)
        case disconnected(endpoint: String)
        /// The peer does not speak our protocol, or does not have the expected key.
        case handshakeFailed(endpoint: String)
        /// The peer did not admit our key.
        case refused(endpoint: String)
    }

    private static let context: UnsafeMutableRawPointer = {
        guard let context = zmq_ctx_new() else { preconditionFailure("zmq_ctx_new: out of memory") }
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, 4096)
        return context
    }()

    private let kind: Kind
    private let handle: UnsafeMutableRawPointer
    private var watch: Reactor.Watch?
    private var monitorSocket: Socket?
    private var handler: (@ReactorActor ([[UInt8]]) -> Void)?
    private var domain: String?
    private var isClosed = false

    public init(_ kind: Kind) throws(ZeroMQError) {
        guard let handle = zmq_socket(Self.context, kind.rawValue) else { throw .last("zmq_socket") }
        self.kind = kind
        self.handle = handle
    }

    isolated deinit { close() }

    public func close() {
        guard !isClosed else { return }
        isClosed = true
        handler = nil
        if let watch { Reactor.shared.unwatch(watch) }
        if let domain { Authenticator.shared.forget(domain) }
        if let monitorSocket {
            zmq_socket_monitor(handle, nil, 0)
            monitorSocket.close()
        }
        zmq_close(handle)
    }

    public func set(_ option: Option, _ value: Int) throws(ZeroMQError) {
        if option == .maxMessageSize {
            var wide = Int64(value)
            guard zmq_setsockopt(handle, option.rawValue, &wide, MemoryLayout<Int64>.size) == 0 else {
                throw .last("zmq_setsockopt \(option)")
            }
            return
        }
        var narrow = CInt(value)
        guard zmq_setsockopt(handle, option.rawValue, &narrow, MemoryLayout<CInt>.size) == 0 else {
            throw .last("zmq_setsockopt \(option)")
        }
    }

    /// The name under which a ROUTER peer knows this socket. Set it before connecting.
    public func setRoutingID(_ id: [UInt8]) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, ZMQ_ROUTING_ID, id, id.count) == 0 else { throw .last("routing id") }
    }

    /// Makes this the server end with its own `keys`, and admits the peers that `decide` names. Call it before
    /// `bind`.
    public func secure(asServer keys: CurveKeyPair, _ decide: @escaping Authenticator.Decision) throws(ZeroMQError) {
        let domain = try Authenticator.shared.admit(decide)
        self.domain = domain
        try set(.curveServer, 1)
        try set(ZMQ_CURVE_SECRETKEY, keys.secretKey.revealed, "secret key")
        try set(ZMQ_ZAP_DOMAIN, domain, "ZAP domain")
    }

    /// Makes this the client end with its own `keys`, which talks only to the holder of `server`. Call it before
    /// `connect`.
    public func secure(asClient keys: CurveKeyPair, of server: CurvePublicKey) throws(ZeroMQError) {
        try set(ZMQ_CURVE_SERVERKEY, server.text, "server's key")
        try set(ZMQ_CURVE_PUBLICKEY, keys.publicKey.text, "public key")
        try set(ZMQ_CURVE_SECRETKEY, keys.secretKey.revealed, "secret key")
    }

    private func set(_ option: CInt, _ text: String, _ name: String) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, option, text, text.utf8.count) == 0 else { throw .last(name) }
    }

    /// Subscribes to messages whose first part begins with `prefix`; an empty prefix subscribes to all.
    public func subscribe(_ prefix: [UInt8] = []) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count) == 0 else { throw .last("subscribe") }
    }

    /// - Returns: the bound endpoint, with the actual port in place of `*`.
    @discardableResult
    public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        guard zmq_bind(handle, endpoint) == 0 else { throw .last("bind \(endpoint)") }
        var buffer = [CChar](repeating: 0, count: 1024)
        var size = buffer.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &buffer, &size) == 0 else { throw .last("last endpoint") }
        return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }  // never nil: it has elements
    }

    public func connect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_connect(handle, endpoint) == 0 else { throw .last("connect \(endpoint)") }
    }

    public func disconnect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_disconnect(handle, endpoint) == 0 else { throw .last("disconnect \(endpoint)") }
    }

    // MARK: Messages

    /// Sends one message of one part.
    /// - Returns: false if the queue is full or there is no peer. Nothing was sent then.
    public func send(_ frame: [UInt8]) throws(ZeroMQError) -> Bool {
        try put(frame, 0)
    }

    /// Sends one message of one part that is in two places, such as a long body behind its head. Copies both once,
    /// into the message itself.
    /// - Returns: the same as for one array.
    public func send(_ first: [UInt8], followedBy rest: UnsafeRawBufferPointer) throws(ZeroMQError) -> Bool {
        guard !isClosed else { return false }
        return try withUnsafeTemporaryAllocation(of: zmq_msg_t.self, capacity: 1) {
            (memory) throws(ZeroMQError) -> Bool in
            guard let message = memory.baseAddress, zmq_msg_init_size(message, first.count + rest.count) == 0 else {
                throw .last("zmq_msg_init_size")
            }
            // It is empty once it was sent.
            defer { zmq_msg_close(message) }
            let bytes = UnsafeMutableRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
            bytes.copyBytes(from: first)
            UnsafeMutableRawBufferPointer(rebasing: bytes[first.count...]).copyMemory(from: rest)
            while zmq_msg_send(message, handle, ZMQ_DONTWAIT) < 0 {
                switch zmq_errno() {
                case EINTR: continue
                case EAGAIN, EHOSTUNREACH: return false
                case let code: throw ZeroMQError(operation: "send", code: code)
                }
            }
            return true
        }
    }

    /// Sends one message of any number of parts.
    /// - Returns: the same as for two parts.
    public func send(parts: [[UInt8]]) throws(ZeroMQError) -> Bool {
        var isSent = true
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let wasTaken = try put(part, isLast ? 0 : ZMQ_SNDMORE)
            if index == 0, !wasTaken { return false }
            // If the peer disconnects between two parts, ZeroMQ drops the whole message, but still needs its last part.
            isSent = isSent && wasTaken
        }
        return isSent
    }

    /// Sends one message of two parts.
    /// - Returns: false if the queue is full, there is no peer, or a ROUTER does not know the peer. Nothing was sent
    ///   then.
    public func send(_ first: [UInt8], _ last: [UInt8]) throws(ZeroMQError) -> Bool {
        guard try put(first, ZMQ_SNDMORE) else { return false }
        return try put(last, 0)
    }

    /// Sends one message of three parts.
    /// - Returns: the same as for two parts.
    public func send(_ first: [UInt8], _ second: [UInt8], _ last: [UInt8]) throws(ZeroMQError) -> Bool {
        guard try put(first, ZMQ_SNDMORE) else { return false }
        // If the peer disconnects between two parts, ZeroMQ drops the whole message, but still needs its last part.
        let wasTaken = try put(second, ZMQ_SNDMORE)
        return try put(last, 0) && wasTaken
    }

    /// Passes one part to ZeroMQ, which sends all parts of a message or none.
    private func put(_ part: [UInt8], _ more: CInt) throws(ZeroMQError) -> Bool {
        while zmq_send(handle, part, part.count, ZMQ_DONTWAIT | more) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN, EHOSTUNREACH: return false
            case let code: throw ZeroMQError(operation: "send", code: code)
            }
        }
        return true
    }

    /// Returns the next message, or nil when none waits.
    public func receive() throws(ZeroMQError) -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        return try receive(into: &parts) ? parts : nil
    }

    /// Reads the next message into `parts`, reusing its storage.
    /// - Returns: false when none waits.
    private func receive(into parts: inout [[UInt8]]) throws(ZeroMQError) -> Bool {
        parts.removeAll(keepingCapacity: true)
        var message = zmq_msg_t()
        zmq_msg_init(&message)
        defer { zmq_msg_close(&message) }
        repeat {
            while zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) < 0 {
                switch zmq_errno() {
                case EINTR: continue
                case EAGAIN where parts.isEmpty: return false
                case let code: throw ZeroMQError(operation: "receive", code: code)
                }
            }
            parts.append([UInt8](UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))))
        } while zmq_msg_more(&message) != 0
        return true
    }

    /// Calls `handler` with each message as it arrives, a bounded number per turn, until the socket is closed.
    public func onMessage(_ handler: @escaping @ReactorActor ([[UInt8]]) -> Void) {
        self.handler = handler
        watch = Reactor.shared.watch(socket: handle) { [weak self] _ in self?.deliver() }
    }

    /// Calls `handler` with each message of one part as it arrives, a bounded amount per turn, until the socket is
    /// closed. Copies nothing except the connection's name on a ROUTER.
    public func onFrame(_ handler: @escaping @ReactorActor (IncomingFrame) -> Void) {
        watch = Reactor.shared.watch(socket: handle) { [weak self] _ in self?.deliverFrames(handler) }
    }

    private func deliverFrames(_ handler: @ReactorActor (IncomingFrame) -> Void) {
        var bytesLeft = 1 << 20
        var framesLeft = 1000
        while !isClosed, bytesLeft > 0, framesLeft > 0 {
            guard let count = try? receiveFrame(handler) else { return }
            bytesLeft -= count
            framesLeft -= 1
        }
    }

    /// - Returns: the number of bytes, or nil when no message waits.
    private func receiveFrame(_ handler: @ReactorActor (IncomingFrame) -> Void) throws(ZeroMQError) -> Int? {
        var peer: [UInt8] = []
        // The message has a fixed address, because ``IncomingFrame`` holds a pointer to it.
        return try withUnsafeTemporaryAllocation(of: zmq_msg_t.self, capacity: 2) {
            (pair) throws(ZeroMQError) -> Int? in
            guard let message = pair.baseAddress else { return nil }
            zmq_msg_init(message)
            defer { zmq_msg_close(message) }
            guard try take(message) else { return nil }
            if kind == .router, zmq_msg_more(message) != 0 {
                peer = [UInt8](Self.bytes(of: message))
                guard try take(message) else { return nil }
            }
            let isWhole = zmq_msg_more(message) == 0
            if !isWhole { try dropRest(using: message + 1) }
            let bytes = Self.bytes(of: message)
            handler(IncomingFrame(peer: peer, bytes: bytes, isWhole: isWhole, message: message))
            return bytes.count
        }
    }

    private func dropRest(using message: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) {
        zmq_msg_init(message)
        defer { zmq_msg_close(message) }
        repeat {
            guard try take(message) else { return }
        } while zmq_msg_more(message) != 0
    }

    /// Receives one part, or returns false when none waits.
    private func take(_ message: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) -> Bool {
        while zmq_msg_recv(message, handle, ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            case let code: throw ZeroMQError(operation: "receive", code: code)
            }
        }
        return true
    }

    private static func bytes(of message: UnsafeMutablePointer<zmq_msg_t>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
    }

    private func deliver() {
        guard let handler else { return }
        var parts: [[UInt8]] = []
        for _ in 0..<1000 {
            guard !isClosed, (try? receive(into: &parts)) ?? false else { break }
            handler(parts)
        }
    }

    /// Calls the handler of ``monitor(_:)`` for all events up to now. Afterwards every connection from which a message
    /// has been read is known to be ready.
    public func deliverConnectionEvents() {
        monitorSocket?.deliver()
    }

    /// Calls `handler` when a connection of this socket becomes ready, fails or is lost. Call it before `connect` or
    /// `bind`.
    public func monitor(_ handler: @escaping @ReactorActor (ConnectionEvent) -> Void) throws(ZeroMQError) {
        let endpoint = "inproc://monitor-\(UInt(bitPattern: handle))"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        guard zmq_socket_monitor(handle, endpoint, events) == 0 else { throw .last("monitor") }
        let reader = try Socket(.pair)
        try reader.connect(endpoint)
        reader.onMessage { [weak self] parts in
            guard let self, parts.count == 2, parts[0].count >= 2 else { return }
            let event = CInt(UInt16(parts[0][0]) | UInt16(parts[0][1]) << 8)
            let peer = String(decoding: parts[1], as: UTF8.self)
            switch event {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
                takeCommands()
                handler(.ready(endpoint: peer))
            case ZMQ_EVENT_DISCONNECTED: handler(.disconnected(endpoint: peer))
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: handler(.refused(endpoint: peer))
            default: handler(.handshakeFailed(endpoint: peer))
            }
        }
        monitorSocket = reader
    }

    /// Makes the socket process the commands of its I/O thread. `zmq_send` does so at most once per millisecond, so a
    /// send right after "ready" would find no peer.
    private func takeCommands() {
        var events: CInt = 0
        var size = MemoryLayout<CInt>.size
        zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size)
    }
}
