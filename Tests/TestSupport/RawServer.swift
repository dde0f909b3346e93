import Glibc
import Synchronization

/// An HTTP server on 127.0.0.1 that answers with the bytes a test gives, on threads of its own.
public final class RawServer: Sendable {
    /// A connection, used by one thread. Its calls block.
    public struct Connection {
        public let socket: CInt

        /// Reads a request's head and a body of `Content-Length` bytes; nil at the end of the connection.
        public func request() -> (head: String, body: [UInt8])? {
            var bytes: [UInt8] = []
            let end = Array("\r\n\r\n".utf8)
            while !bytes.suffix(4).elementsEqual(end) {
                guard let next = read(1) else { return nil }
                bytes += next
            }
            let head = String(decoding: bytes, as: UTF8.self)
            let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            guard let count = length?.split(separator: " ").last.flatMap({ Int($0) }), count > 0 else {
                return (head, [])
            }
            var body: [UInt8] = []
            while body.count < count {
                guard let next = read(count - body.count) else { return nil }
                body += next
            }
            return (head, body)
        }

        private func read(_ count: Int) -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: min(count, 65536))
            let got = Glibc.read(socket, &buffer, buffer.count)
            return got > 0 ? Array(buffer.prefix(got)) : nil
        }

        public func write(_ text: String) { write(Array(text.utf8)) }

        public func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    public let port: UInt16
    private let listener: CInt
    private let state = State()

    private final class State: Sendable {
        struct Sockets {
            var connections = 0
            var open: Set<CInt> = []
        }
        private let sockets = Mutex(Sockets())

        func withLock<T: Sendable>(_ body: (inout Sockets) -> T) -> T { sockets.withLock { body(&$0) } }
    }

    /// - Parameter serve: runs once per connection, which is closed after it.
    public init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 16)
                _ = getsockname(listener, $0, &length)
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let state = state
        thread {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                state.withLock {
                    $0.connections += 1
                    $0.open.insert(socket)
                }
                thread {
                    serve(Connection(socket: socket))
                    state.withLock {
                        $0.open.remove(socket)
                        close(socket)
                    }
                }
            }
            close(listener)
        }
    }

    deinit {
        // The threads close what they use.
        shutdown(listener, CInt(SHUT_RDWR))
        state.withLock { for socket in $0.open { shutdown(socket, CInt(SHUT_RDWR)) } }
    }

    public var url: String { "http://127.0.0.1:\(port)" }
    /// The number of connections accepted so far.
    public var connections: Int { state.withLock { $0.connections } }

    /// A server that answers every request with the same text.
    public static func answering(_ text: String) -> RawServer {
        RawServer { connection in while connection.request() != nil { connection.write(text) } }
    }
}

private func thread(_ body: @escaping @Sendable () -> Void) {
    final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var handle = pthread_t()
    pthread_create(
        &handle, nil,
        { context in
            Unmanaged<Start>.fromOpaque(context!).takeRetainedValue().body()  // the context passed below
            return nil
        }, Unmanaged.passRetained(Start(body)).toOpaque())
    pthread_detach(handle)
}
