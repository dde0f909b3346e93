import Foundation
import Glibc

/// HTTP written by hand over its own connection, so that a test controls every byte. It blocks: use it with
/// ``onThread(_:)``.
public enum RawHTTP {
    public struct Answer: Sendable {
        public var status: Int
        public var headers: [String: String]
        public var body: [UInt8]

        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    public struct Failure: Error {
        public var why: String
    }

    /// Sends a request and reads the answer until the server closes the connection.
    /// - Parameters:
    ///   - server: `http://ADDRESS:PORT`
    ///   - length: the value of Content-Length; nil: the length of the body.
    ///   - cut: whether to close the connection after the body without reading an answer; then the result is nil.
    public static func send(
        _ method: String, _ path: String, to server: String, headers: [String: String] = [:], body: [UInt8] = [],
        length: Int? = nil, cut: Bool = false
    ) throws -> Answer? {
        let address = URL(string: server)
        let port = UInt16(address?.port ?? 0)
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(address?.host() ?? "")
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(why: "connect: \(errno)") }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: tests\r\nConnection: close\r\n"
        if !body.isEmpty || length != nil { head += "Content-Length: \(length ?? body.count)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let bytes = Array((head + "\r\n").utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
            // A server that answers early stops reading.
            guard count > 0 else { break }
            sent += count
        }
        return cut ? nil : try answer(from: descriptor)
    }

    private static func answer(from descriptor: CInt) throws -> Answer {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure(why: "no answer") }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        return Answer(status: status, headers: headers, body: Array(bytes[end.upperBound...]))
    }
}
