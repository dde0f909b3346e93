/// The address of a server's WebSocket: `wss://host:port`, or `ws://host:port` without TLS, and an optional path.
/// Without a path it is `/v1/socket`.
public struct LinkAddress: Hashable, Sendable {
    /// A host name, or an IP address without brackets.
    public let host: String
    /// The port. Without one in the URL: 443 with TLS, 80 without.
    public let port: Int
    /// The path of the WebSocket.
    public let path: String
    /// Whether the connection uses TLS. The server's certificate must be valid for ``host``.
    public let isSecure: Bool

    /// Parses a URL.
    /// - Throws: ``ParleyError`` with code `unsupported_url`.
    public init(_ url: String) throws(ParleyError) {
        func refuse(_ why: String) -> ParleyError {
            ParleyError(.unsupportedURL, "Cannot use the URL \(url). \(why)")
        }
        let isSecure = url.hasPrefix("wss://")
        guard isSecure || url.hasPrefix("ws://") else { throw refuse("It must begin with wss:// or ws://.") }
        let rest = url.dropFirst(isSecure ? "wss://".count : "ws://".count)
        guard !rest.contains(where: { $0.isWhitespace || $0 == "@" || $0 == "#" }) else {
            throw refuse("It must not contain spaces, @ or #.")
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let path = String(rest[end...])
        var host = rest[..<end]
        var port = Self.usualPort(isSecure)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else {
                throw refuse("Its port must be a number from 1 to 65535.")
            }
            port = Int(number)
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw refuse("It must name a host.") }
        self.host = String(host)
        self.port = port
        self.path = path.isEmpty || path == "/" ? Self.usualPath : path
        self.isSecure = isSecure
    }

    private static let usualPath = "/v1/socket"

    private static func usualPort(_ isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// The URL, written in one way.
    package var url: String {
        let path = path == Self.usualPath ? "" : path
        return "\(isSecure ? "wss" : "ws")://\(authority.lowercased())\(path)"
    }

    /// The value of the Host header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.usualPort(isSecure) ? name : "\(name):\(port)"
    }
}
