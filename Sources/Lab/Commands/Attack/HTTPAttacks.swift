import Foundation

/// Bytes of HTTP requests, as an attacker sends them.
enum HTTPBytes {
    /// As many small requests as fit into 16 KiB.
    static let heads = Array(String(repeating: "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", count: 400).utf8)
    static let chunkedHead = Array(
        "PUT /v1/files/nobody HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    static let chunks = Array(String(repeating: "1\r\na\r\n", count: 2700).utf8)
}

/// Sends requests one after the other from many addresses, and reads no answer.
final class HeadsAttack: Attack {
    private static let bytesMax = 360_000_000
    private static let addresses = 50
    private let target: AttackTarget
    private var openings = Pace(perSecond: 1000)
    private var number = 0
    /// What was sent on connections that have ended.
    private var sentBefore = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ target: AttackTarget) { self.target = target }

    func round(after elapsed: Duration) throws {
        for socket in sockets {
            socket.look()
            if !socket.isOpen { sentBefore += socket.sent }
        }
        sockets.removeAll { !$0.isOpen }
        for _ in 0..<min(openings.take(after: elapsed), 2000 - sockets.count) {
            number += 1
            // Its own kernel keeps little, so that what is measured is the server's.
            sockets.append(
                try AttackSocket(
                    to: target.port, from: UInt8(2 + number % Self.addresses), receiveBuffer: 4096, sendBuffer: 4096,
                    sending: HTTPBytes.heads))
        }
        guard sockets.reduce(sentBefore, { $0 + $1.sent }) < Self.bytesMax else { return }
        for socket in sockets { socket.send(HTTPBytes.heads) }
    }
}

/// Sends on a few connections whatever the kernel takes, and opens them again when they end.
final class FullSpeedAttack: Attack {
    private let target: AttackTarget
    private let count: Int
    private let opening: [UInt8]
    private let bytes: [UInt8]
    private var openings = Pace(perSecond: 100)
    private(set) var sockets: [AttackSocket] = []

    /// - Parameters:
    ///   - count: of connections.
    ///   - opening: sent once on each.
    ///   - bytes: sent again and again.
    init(_ target: AttackTarget, count: Int, opening: [UInt8], repeating bytes: [UInt8]) {
        (self.target, self.count, self.opening, self.bytes) = (target, count, opening, bytes)
    }

    func round(after elapsed: Duration) throws {
        sockets.removeAll { !$0.isOpen }
        for _ in 0..<min(openings.take(after: elapsed), count - sockets.count) {
            sockets.append(try AttackSocket(to: target.port, from: 2, sending: opening))
        }
        for socket in sockets {
            for _ in 0..<8 {
                socket.send(bytes)
                guard socket.isReady else { break }
            }
            socket.drain()
        }
    }
}

/// Sends requests as fast as they are answered, on a connection that a proxy shares with the friends.
final class ProxiedAttack: Attack {
    private let shared: SharedConnection
    let sockets: [AttackSocket] = []

    init(_ shared: SharedConnection) { self.shared = shared }

    func round(after elapsed: Duration) throws {
        let end = ContinuousClock.now + .milliseconds(20)
        while ContinuousClock.now < end { try shared.ask(for: "192.0.2.66", isFriend: false) }
    }
}

/// A connection to the gateway that a proxy uses for many clients in turn, each request after the response before.
final class SharedConnection: @unchecked Sendable {
    // Sendable: `condition` guards everything else.

    private let port: UInt16
    private let condition = NSCondition()
    private var descriptor: Int32 = -1
    private var isBusy = false
    private var friends = 0

    init(to port: UInt16) { self.port = port }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sends a request of the client with this address, once it is its turn, and waits for the response.
    func ask(for client: String, isFriend: Bool) throws {
        condition.lock()
        if isFriend { friends += 1 }
        // Somebody who sends all the time gets no more turns than others.
        while isBusy || !isFriend && friends > 0 { condition.wait() }
        isBusy = true
        if isFriend { friends -= 1 }
        condition.unlock()
        defer {
            condition.lock()
            isBusy = false
            condition.broadcast()
            condition.unlock()
        }
        try exchange(client)
    }

    private func exchange(_ client: String) throws {
        if descriptor < 0 { try connectAgain() }
        let request = Array("GET /nothing HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return try fail() }
        var response = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return try fail() }
            response += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = response.firstRange(of: "\r\n\r\n"),
                let length = response.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) }),
                response[end.upperBound...].utf8.count >= length
            else { continue }
            if response.contains("Connection: close") { disconnect() }
            return
        }
    }

    private func disconnect() {
        close(descriptor)
        descriptor = -1
    }

    private func fail() throws {
        disconnect()
        throw POSIXError(.ECONNRESET)
    }

    private func connectAgain() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var limit = timeval(tv_sec: 15, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafeBytes(of: &address) {
            connect(
                descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
        if !isConnected { try fail() }
    }
}
