import CZeroMQ
import Glibc

/// A ZeroMQ call failed; `operation` and `reason` are for the log.
public struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
    public var operation: String
    public var code: CInt

    public var reason: String { String(cString: zmq_strerror(code)) }
    public var description: String { "\(operation): \(reason)" }

    static func last(_ operation: String) -> ZeroMQError { ZeroMQError(operation: operation, code: zmq_errno()) }
}

/// A ZeroMQ socket on the process's loop. Messages are multipart; a part is an array of bytes.
///
/// Sending never blocks. Options have no defaults here on purpose: Wire sets each one it relies on.
@ReactorActor
public final class Socket {
    public enum Kind: Sendable {
        /// `publisher` is an XPUB: it can receive its peers' subscriptions.
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
        case allSubscriptions

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
            }
        }
    }

    /// What a connection of this socket came to, from ``monitor(_:)``.
    public enum ConnectionEvent: Sendable, Equatable {
        /// The peer is there and speaks our protocol.
        case ready(endpoint: String)
        case disconnected(endpoint: String)
        case handshakeFailed(endpoint: String)
    }

    private static let context: UnsafeMutableRawPointer = {
        guard let context = zmq_ctx_new() else { preconditionFailure("zmq_ctx_new: out of memory") }
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, 4096)
        return context
    }()

    private let handle: UnsafeMutableRawPointer
    private var watch: Reactor.Watch?
    private var monitorSocket: Socket?
    private var handler: (@ReactorActor ([[UInt8]]) -> Void)?
    private var isClosed = false

    public init(_ kind: Kind) throws(ZeroMQError) {
        guard let handle = zmq_socket(Self.context, kind.rawValue) else { throw .last("zmq_socket") }
        self.handle = handle
    }

    isolated deinit { close() }

    public func close() {
        guard !isClosed else { return }
        isClosed = true
        handler = nil
        if let watch { Reactor.shared.unwatch(watch) }
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

    /// Receives messages whose first part begins with `prefix`; an empty one: all.
    public func subscribe(_ prefix: [UInt8] = []) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count) == 0 else { throw .last("subscribe") }
    }

    /// - Returns: the endpoint really bound, with the port where `*` was asked for.
    @discardableResult
    public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        guard zmq_bind(handle, endpoint) == 0 else { throw .last("bind \(endpoint)") }
        var buffer = [CChar](repeating: 0, count: 1024)
        var size = buffer.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &buffer, &size) == 0 else { throw .last("last endpoint") }
        return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }  // never nil: it is not empty
    }

    public func connect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_connect(handle, endpoint) == 0 else { throw .last("connect \(endpoint)") }
    }

    public func disconnect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_disconnect(handle, endpoint) == 0 else { throw .last("disconnect \(endpoint)") }
    }

    // MARK: Messages

    /// Sends one message of two parts.
    /// - Returns: false when it cannot go now: queue full, no peer, or (ROUTER) an unknown one. Nothing was sent then.
    public func send(_ first: [UInt8], _ last: [UInt8]) throws(ZeroMQError) -> Bool {
        guard try put(first, ZMQ_SNDMORE) else { return false }
        return try put(last, 0)
    }

    /// Sends one message of three parts.
    /// - Returns: as the one of two parts.
    public func send(_ first: [UInt8], _ second: [UInt8], _ last: [UInt8]) throws(ZeroMQError) -> Bool {
        guard try put(first, ZMQ_SNDMORE) else { return false }
        // When the peer goes away in between, ZeroMQ takes the whole message back, but wants to see its end.
        let wentOn = try put(second, ZMQ_SNDMORE)
        return try put(last, 0) && wentOn
    }

    /// Hands one part over. The parts of a message go together or not at all.
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

    /// Takes the next message, or nil when none waits.
    public func receive() throws(ZeroMQError) -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        return try receive(into: &parts) ? parts : nil
    }

    /// Takes the next message into `parts`, whose storage it uses again.
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

    /// Calls `handler` with each message as it comes, a bounded number a turn, until the socket is closed.
    public func onMessage(_ handler: @escaping @ReactorActor ([[UInt8]]) -> Void) {
        self.handler = handler
        watch = Reactor.shared.watch(socket: handle) { [unowned self] _ in deliver() }  // Ends before `self`.
    }

    private func deliver() {
        guard let handler else { return }
        var parts: [[UInt8]] = []
        for _ in 0..<1000 {
            guard !isClosed, (try? receive(into: &parts)) ?? false else { break }
            handler(parts)
        }
    }

    /// Calls ``monitor(_:)``'s handler for what has happened up to now. After it, whatever a message read before came
    /// from is known to be ready.
    public func deliverConnectionEvents() {
        monitorSocket?.deliver()
    }

    /// Calls `handler` when a connection of this socket becomes ready or is lost. Call before `connect` or `bind`.
    public func monitor(_ handler: @escaping @ReactorActor (ConnectionEvent) -> Void) throws(ZeroMQError) {
        let endpoint = "inproc://monitor-\(UInt(bitPattern: handle))"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        guard zmq_socket_monitor(handle, endpoint, events) == 0 else { throw .last("monitor") }
        let reader = try Socket(.pair)
        try reader.connect(endpoint)
        reader.onMessage { [unowned self] parts in  // Closed before `self` ends.
            guard parts.count == 2, parts[0].count >= 2 else { return }
            let event = CInt(UInt16(parts[0][0]) | UInt16(parts[0][1]) << 8)
            let peer = String(decoding: parts[1], as: UTF8.self)
            switch event {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
                takeCommands()
                handler(.ready(endpoint: peer))
            case ZMQ_EVENT_DISCONNECTED: handler(.disconnected(endpoint: peer))
            default: handler(.handshakeFailed(endpoint: peer))
            }
        }
        monitorSocket = reader
    }

    /// Makes the socket look at what its I/O thread told it. `zmq_send` does so at most once a millisecond, so that a
    /// send just after "ready" would find no peer.
    private func takeCommands() {
        var events: CInt = 0
        var size = MemoryLayout<CInt>.size
        zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size)
    }
}
