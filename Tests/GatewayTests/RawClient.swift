import Glibc
import Schema

/// A TCP connection with handmade WebSocket frames. It sends exactly the bytes it is given, valid or not.
final class RawClient {
    /// MSG_NOSIGNAL
    private static let noSignal: CInt = 0x4000

    struct Frame: Equatable {
        var opcode: UInt8
        var payload: [UInt8]
    }

    enum Failure: Error {
        case connect(CInt)
        case closed, timedOut
        case notHTTP(String)
    }

    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var isClosed = false

    /// - Parameters:
    ///   - host: connects from 127.0.0.`host`.
    ///   - receiveBuffer: the size of the kernel's buffer, for tests that depend on how much an idle reader takes.
    ///   - sendBuffer: the same for tests that depend on how much the other side takes.
    init(
        _ address: String, from host: UInt8 = 1, receiveBuffer: CInt? = nil, sendBuffer: CInt? = nil, timeout: Int = 10
    ) throws {
        let port = UInt16(address.split(separator: ":").last ?? "") ?? 0
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        if var size = sendBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var (own, server) = (Self.loopback(host, port: 0), Self.loopback(1, port: port))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeBytes(of: &own) {
            bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) == 0
        }
        let isConnected = withUnsafeBytes(of: &server) {
            connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) == 0
        }
        guard isBound, isConnected else { throw Failure.connect(errno) }
    }

    private static func loopback(_ host: UInt8, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        return address
    }

    deinit { close() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    // MARK: Bytes

    func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let sent = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
            }
            guard sent > 0 else { return }  // The other side has closed; its last bytes can still be read.
            offset += sent
        }
    }

    /// Sends `bytes` again and again until the other side has taken nothing for half a second.
    /// - Parameter limit: how many bytes are enough.
    /// - Returns: how many bytes were taken, at least.
    func sendUntilFull(_ bytes: [UInt8], atMost limit: Int) -> Int {
        var (sent, offset) = (0, 0)
        while sent < limit {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Self.noSignal | CInt(MSG_DONTWAIT))
            }
            guard count < 0 else {
                (sent, offset) = (sent + count, (offset + count) % bytes.count)
                continue
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard errno == EAGAIN, poll(&entry, 1, 500) > 0 else { return sent }
        }
        return sent
    }

    /// Ends this side of the connection.
    func finishSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0 { throw errno == EAGAIN ? Failure.timedOut : Failure.closed }
        guard count > 0 else { throw Failure.closed }
        buffer.append(contentsOf: chunk[..<count])
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Whether the other side ends the connection without sending another byte.
    func isEnded() -> Bool {
        do {
            try fill()
            return false
        } catch Failure.closed {
            return true
        } catch {
            return false
        }
    }

    /// Reads everything until the other side ends the connection.
    func readAll() -> String {
        while (try? fill()) != nil {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Counts what can still be read.
    func countRest() -> Int {
        while (try? fill()) != nil {}
        defer { buffer = [] }
        return buffer.count
    }

    // MARK: HTTP

    static let handshake = """
        GET /v1/socket HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Protocol: parley.v1\r\n\r\n
        """

    func readHead() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            try fill()
        }
    }

    /// Reads a response whose headers announce its length.
    func readResponse(ofHead isHead: Bool = false) throws -> (head: String, body: String) {
        let head = try readHead()
        let length = head.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
        return (head, isHead ? "" : String(decoding: try take(length), as: UTF8.self))
    }

    @discardableResult
    func upgrade() throws -> String {
        send(Self.handshake)
        let head = try readHead()
        guard head.hasPrefix("HTTP/1.1 101") else { throw Failure.notHTTP(head) }
        return head
    }

    // MARK: WebSocket

    static func frame(_ opcode: UInt8, _ payload: [UInt8], first bits: UInt8 = 0x80, masked: Bool = true) -> [UInt8] {
        let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        var bytes: [UInt8] = [bits | opcode]
        let flag: UInt8 = masked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(flag | UInt8(payload.count))
        case ...65_535: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [flag | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        if masked { bytes += mask }
        return bytes + payload.enumerated().map { masked ? $1 ^ mask[$0 % 4] : $1 }
    }

    func send(_ frame: ClientFrame.Frame) {
        send(Self.frame(2, ClientFrame(frame: frame).encode()))
    }

    func readFrame() throws -> Frame {
        let head = try take(2)
        var count = Int(head[1] & 0x7F)
        if count == 126 { count = try take(2).reduce(0) { $0 << 8 | Int($1) } }
        if count == 127 { count = try take(8).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(opcode: head[0] & 0x0F, payload: try take(count))
    }

    func read() throws -> ServerFrame.Frame? {
        let frame = try readFrame()
        guard frame.opcode == 2 else { return nil }
        return try ServerFrame.decode(frame.payload).frame
    }

    /// Reads until the close frame.
    /// - Returns: the codes of the Goodbye before it and of the close; nil if one did not arrive.
    func readClose() -> (goodbye: Int32?, close: UInt16?) {
        var goodbye: Int32?
        while let frame = try? readFrame() {
            if frame.opcode == 8 {
                return (
                    goodbye, frame.payload.count >= 2 ? UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]) : 0
                )
            }
            if frame.opcode == 2, case .goodbye(let goodbyeFrame) = try? ServerFrame.decode(frame.payload).frame {
                goodbye = goodbyeFrame.closeCode.rawValue
            }
        }
        return (goodbye, nil)
    }

    // MARK: Parley

    @discardableResult
    func hello(_ token: String = "") throws -> Welcome {
        send(.hello(Hello(version: 1, token: token, client: "raw")))
        guard case .welcome(let welcome) = try read() else { throw Failure.closed }
        return welcome
    }

    func call(_ id: UInt64, _ method: String, _ body: [UInt8] = [], key: String = "") throws -> Reply {
        send(.request(Request(id: id, method: method, key: key, body: body)))
        while true { if case .reply(let reply) = try read(), reply.id == id { return reply } }
    }
}
