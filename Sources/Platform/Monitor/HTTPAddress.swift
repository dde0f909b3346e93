import NIOCore

/// An address that serves HTTP, such as `127.0.0.1:8080`, `[::1]:8080` or `*:8080` (all IPv4 addresses).
public struct HTTPAddress: Equatable, Sendable, CustomStringConvertible {
    public var host: String
    /// Zero selects a free port.
    public var port: Int

    /// - Returns: nil when `text` is not an address.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        (self.host, self.port) = (host == "*" ? "0.0.0.0" : String(host), Int(port))
    }

    /// Creates the address that was actually bound; nil if it is not an IP address.
    public init?(_ bound: SocketAddress?) {
        guard let ip = bound?.ipAddress, let port = bound?.port else { return nil }
        (host, self.port) = (ip, port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
