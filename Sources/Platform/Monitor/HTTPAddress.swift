import NIOCore

/// Where HTTP is served: `127.0.0.1:8080`, `[::1]:8080`, `*:8080` (on all addresses).
public struct HTTPAddress: Equatable, Sendable, CustomStringConvertible {
    public var host: String
    /// Zero takes a free one.
    public var port: Int

    /// nil when the text is no address.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        (self.host, self.port) = (host == "*" ? "0.0.0.0" : String(host), Int(port))
    }

    /// What was really bound; nil for what is no address of IP.
    public init?(_ bound: SocketAddress?) {
        guard let ip = bound?.ipAddress, let port = bound?.port else { return nil }
        (host, self.port) = (ip, port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
