import Foundation
import Glibc

/// Waits on this machine, at a port that is free, for a browser that comes back from a page (RFC 8252 §7.3).
final class LoopbackPage: Sendable {
    /// What whoever runs a server lists so that this command can sign people in on pages.
    static let listed = "http://127.0.0.1\(path)"
    private static let path = "/parley"
    private static let headBytesMax = 32 * 1024

    /// A browser that came back.
    struct Visit: Sendable {
        /// Path and query.
        let target: String
        fileprivate let descriptor: CInt

        /// Shows a sentence in the browser.
        func answer(_ sentence: String) {
            LoopbackPage.write("200 OK", sentence, to: descriptor)
            close(descriptor)
        }
    }

    private let listener: CInt
    let port: UInt16

    init() throws {
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else {
            let why = String(cString: strerror(errno))
            close(listener)
            throw Failure(.inUse, "No port of this machine is free: \(why).", exitCode: .temporary)
        }
        port = UInt16(bigEndian: name.sin_port)
    }

    deinit { close(listener) }

    /// Where the browser is to come back to.
    var address: String { "http://127.0.0.1:\(port)\(Self.path)" }

    /// Waits for the next browser, in a thread of its own.
    /// - Throws: ``Failure`` when the time is over.
    func visit(until end: ContinuousClock.Instant) async throws -> Visit {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(with: Result { try next(until: end) })
            }
        }
    }

    private func next(until end: ContinuousClock.Instant) throws -> Visit {
        while true {
            let left = (end - .now) / .milliseconds(1)
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard left > 0 else {
                throw Failure(.deadline, "Nobody signed in on the page in time.", exitCode: .temporary)
            }
            guard poll(&waiting, 1, CInt(min(left, 60_000))) > 0 else { continue }
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            // Another program that connects and says nothing keeps the browser waiting only so long.
            var patience = timeval(tv_sec: 3, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            if let target = Self.target(from: descriptor) { return Visit(target: target, descriptor: descriptor) }
            Self.write("404 Not Found", "There is nothing here.", to: descriptor)
            close(descriptor)
        }
    }

    /// The path and query of a request for the page; nil: it is for something else, such as the page's icon.
    private static func target(from descriptor: CInt) -> String? {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0, head.count <= headBytesMax else { return nil }
            head += piece[..<count]
        }
        let line = head.prefix { $0 != UInt8(ascii: "\r") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix(path + "?") else { return nil }
        return String(words[1])
    }

    private static func write(_ status: String, _ sentence: String, to descriptor: CInt) {
        let shown = sentence.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        let body = "<!doctype html><meta charset=\"utf-8\"><title>Parley</title><p>\(shown)</p>\n"
        let text =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n"
            + body
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    }
}
