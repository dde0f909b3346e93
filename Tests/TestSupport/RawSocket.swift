import Foundation
import Glibc
import ParleyClient
import SwiftProtobuf

/// A TCP connection with WebSocket frames made by hand, so that a test controls every byte, valid or not.
///
/// It blocks: use it with ``onThread(_:)``.
public final class RawSocket: @unchecked Sendable {
    // Sendable: only one thread at a time uses it.

    public enum Failure: Error {
        case connect(CInt)
        case closed, timedOut
        case notHTTP(String)
    }

    /// How the server closed the connection.
    public struct Closing: Equatable, Sendable {
        /// The code of the Goodbye's error.
        public var goodbye: String?
        /// The WebSocket close code.
        public var code: UInt16?

        public init(goodbye: String?, code: UInt16?) { (self.goodbye, self.code) = (goodbye, code) }
    }

    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var isClosed = false
    /// The number of messages that ``readClosing()`` skipped.
    public private(set) var messagesRead = 0

    /// Connects and upgrades to a WebSocket.
    /// - Parameters:
    ///   - url: `ws://ADDRESS:PORT/…`
    ///   - upgrades: whether to upgrade to a WebSocket.
    ///   - receiveBuffer: the size of the kernel's buffer in bytes, which limits how much an idle reader receives.
    ///   - timeout: the limit for each read and write in seconds.
    ///   - client: the address to state in X-Forwarded-For, as a proxy does.
    public init(
        _ url: String, upgrades: Bool = true, receiveBuffer: CInt? = nil, timeout: Int = 15, from client: String? = nil
    ) throws {
        let address = URL(string: url)
        let port = UInt16(address?.port ?? 0)
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(address?.host() ?? "")
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.connect(errno) }
        if upgrades { try upgrade(client.map { "X-Forwarded-For: \($0)\r\n" } ?? "") }
    }

    deinit { close() }

    public func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    // MARK: Bytes

    public func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let sent = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }  // The server has closed; its last bytes can still be read.
            offset += sent
        }
    }

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

    /// Reads until the server ends the connection.
    /// - Throws: ``Failure/timedOut`` if it sends nothing and does not end it within the limit for each read.
    public func readToEnd() throws -> [UInt8] {
        do {
            while true { try fill() }
        } catch Failure.closed {
            defer { buffer = [] }
            return buffer
        }
    }

    /// Whether the server has ended the connection without sending another byte. It does not wait.
    public var isEnded: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    private func upgrade(_ headers: String) throws {
        let handshake = """
            GET /v1/socket HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Protocol: parley.v1\r\n\(headers)\r\n
            """
        send(Array(handshake.utf8))
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                guard head.hasPrefix("HTTP/1.1 101") else { throw Failure.notHTTP(head) }
                return
            }
            try fill()
        }
    }

    // MARK: WebSocket frames

    public static func frame(_ opcode: UInt8, _ payload: [UInt8], bits: UInt8 = 0x80, masked: Bool = true) -> [UInt8] {
        let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        var bytes: [UInt8] = [bits | opcode]
        let maskBit: UInt8 = masked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(maskBit | UInt8(payload.count))
        case ...65_535: bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [maskBit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        if masked { bytes += mask }
        return bytes + payload.enumerated().map { masked ? $1 ^ mask[$0 % 4] : $1 }
    }

    /// Sends bytes as one binary message.
    public func sendMessage(_ payload: [UInt8]) { send(Self.frame(2, payload)) }

    public func send(_ frame: Parley_V1_ClientFrame) {
        sendMessage((try? frame.serializedBytes()) ?? [])
    }

    private func readFrame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try take(2)
        var count = Int(head[1] & 0x7F)
        if count == 126 { count = try take(2).reduce(0) { $0 << 8 | Int($1) } }
        if count == 127 { count = try take(8).reduce(0) { $0 << 8 | Int($1) } }
        return (head[0] & 0x0F, try take(count))
    }

    /// Returns the next message.
    /// - Throws: ``Failure/closed`` when the server closes the connection.
    public func read() throws -> Parley_V1_ServerFrame {
        while true {
            let frame = try readFrame()
            if frame.opcode == 8 { throw Failure.closed }
            if frame.opcode == 2 { return try Parley_V1_ServerFrame(serializedBytes: frame.payload) }
        }
    }

    /// Reads until the server sends a close frame or ends the connection.
    public func readClosing() -> Closing {
        var closing = Closing(goodbye: nil, code: nil)
        while let frame = try? readFrame() {
            if frame.opcode == 8 {
                closing.code = frame.payload.count >= 2 ? UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]) : 0
                return closing
            }
            if frame.opcode == 2, let message = try? Parley_V1_ServerFrame(serializedBytes: frame.payload),
                case .goodbye(let goodbye) = message.frame
            {
                closing.goodbye = goodbye.error.code
            }
            if frame.opcode == 2 { messagesRead += 1 }
        }
        return closing
    }

    /// Runs ``readClosing()`` on its own thread.
    public func closing() async -> Closing {
        (try? await onThread { self.readClosing() }) ?? Closing(goodbye: nil, code: nil)
    }

    // MARK: Parley's frames

    @discardableResult
    public func hello(_ token: String = "") throws -> Parley_V1_Welcome {
        send(.with { $0.hello = .with { ($0.version, $0.token, $0.client) = (1, token, "raw") } })
        guard case .welcome(let welcome) = try read().frame else { throw Failure.closed }
        return welcome
    }

    /// Sends a request and waits for its reply.
    public func call(_ id: UInt64, _ method: String, _ body: [UInt8] = [], key: String = "") throws -> Parley_V1_Reply {
        send(
            .with {
                $0.request = .with {
                    ($0.id, $0.method, $0.key, $0.body) = (id, method, key, Data(body))
                }
            })
        while true { if case .reply(let reply) = try read().frame, reply.id == id { return reply } }
    }
}
