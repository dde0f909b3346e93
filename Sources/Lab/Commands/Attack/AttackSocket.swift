import Command
import Foundation
import NIOCore
import ParleyClient

/// A raw connection of an attacker, over loopback and from an address of its own. It sends the bytes it is given, valid
/// or not, and never waits.
final class AttackSocket {
    private static let noSignal = Int32(MSG_NOSIGNAL)

    private let descriptor: Int32
    private(set) var isOpen = true
    /// What the kernel has not taken yet.
    private var unsent: ArraySlice<UInt8>
    /// How many times an attack has used it.
    var turns = 0
    /// How many bytes the kernel has taken.
    private(set) var sent = 0

    /// Connects from 127.0.0.`host`.
    /// - Parameters:
    ///   - receiveBuffer: the size of the kernel's buffer; nil: as the kernel chooses.
    ///   - sendBuffer: the same for what is sent.
    ///   - bytes: sent once connected.
    init(
        to port: UInt16, from host: UInt8, receiveBuffer: Int32? = nil, sendBuffer: Int32? = nil,
        sending bytes: [UInt8]
    ) throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        unsent = bytes[...]
        guard descriptor >= 0 else {
            throw Failure(
                .noDescriptors, "The attacker has no descriptors left: \(String(cString: strerror(errno))).",
                advice: "Raise the limit of open files with ulimit -n.")
        }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        if var size = sendBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var isOn: Int32 = 1
        // Many small segments cost more than few large ones.
        setsockopt(descriptor, Int32(IPPROTO_TCP), Int32(TCP_NODELAY), &isOn, socklen_t(MemoryLayout<Int32>.size))
        var own = Self.loopback(host, port: 0)
        var server = Self.loopback(1, port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeBytes(of: &own) { _ = bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) }
        withUnsafeBytes(of: &server) {
            _ = connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
        }
    }

    deinit { Foundation.close(descriptor) }

    private static func loopback(_ host: UInt8, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        return address
    }

    /// Whether nothing waits to be sent.
    var isReady: Bool { unsent.isEmpty }

    /// Sends `bytes` unless earlier ones still wait.
    func send(_ bytes: @autoclosure () -> [UInt8]) {
        if unsent.isEmpty { unsent = bytes()[...] }
        flush()
    }

    private func flush() {
        guard isOpen, !unsent.isEmpty else { return }
        let count = unsent.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
        if count > 0 {
            sent += count
            unsent = unsent.dropFirst(count)
        } else if count < 0, errno != EAGAIN, errno != EINPROGRESS, errno != ENOTCONN {
            isOpen = false
        }
    }

    /// Reads what has arrived, and forgets it.
    func drain() {
        while isOpen {
            let count = Self.scratch.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count == 0 || count < 0 && errno != EAGAIN && errno != ENOTCONN { isOpen = false }
            if count < Self.scratch.count { return }
        }
    }

    /// Notices that the other side has ended, without reading.
    func look() {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, 0) > 0, Int32(entry.revents) & (POLLHUP | POLLERR) != 0 { isOpen = false }
    }

    /// Only the attacker's thread uses it.
    nonisolated(unsafe) private static var scratch = [UInt8](repeating: 0, count: 65_536)
}

/// Bytes of WebSocket frames and requests, as an attacker sends them.
enum AttackBytes {
    /// The handshake and a hello.
    static func session(token: String = "") throws -> [UInt8] {
        var hello = Parley_V1_ClientFrame()
        (hello.hello.version, hello.hello.token, hello.hello.client) = (1, token, "parley-attack")
        let handshake =
            "GET /v1/socket HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: parley.v1\r\n\r\n"
        return Array(handshake.utf8) + frame(2, Array(try hello.frame().readableBytesView))
    }

    static func request<Request, Reply>(
        _ id: Int, _ method: Method<Request, Reply>, key: String = "", _ request: Request
    ) throws -> [UInt8] {
        let body = try OutgoingRequest.frame(id: UInt64(id), method, key: key, request)
        return frame(2, Array(body.readableBytesView))
    }

    /// An empty WebSocket ping.
    static let ping = frame(9, [])

    /// A ping of Parley's own in 200 fragments, of which all but the last are empty.
    static func fragments() throws -> [UInt8] {
        var ping = Parley_V1_ClientFrame()
        ping.ping.id = 1
        return frame(2, [], isLast: false) + (0..<198).flatMap { _ in frame(0, [], isLast: false) }
            + frame(0, Array(try ping.frame().readableBytesView))
    }

    /// A frame masked with zeros, so that its payload is as it was.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        return bytes + [0, 0, 0, 0] + payload
    }
}
