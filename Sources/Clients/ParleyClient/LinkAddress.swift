/// Where a server's WebSocket is: `wss://host:port`, or `ws://host:port` without TLS, with an optional path (otherwise
/// `/v1/socket`).
public struct LinkAddress: Hashable, Sendable {
    /// A name, or an IP address without brackets.
    public let host: String
    /// 443 unless the URL says otherwise, 80 without TLS.
    public let port: Int
    /// What is asked for.
    public let path: String
    /// Whether TLS is spoken: the server shows a certificate for ``host``, which is checked.
    public let isSecure: Bool

    /// Reads a URL.
    /// - Throws: ``ParleyError`` with code `unsupported_url`.
    public init(_ url: String) throws(ParleyError) {
        func refuse(_ why: String) -> ParleyError {
            ParleyError(code: "unsupported_url", message: "\(why): \(url)")
        }
        let isSecure = url.hasPrefix("wss://")
        guard isSecure || url.hasPrefix("ws://") else { throw refuse("The URL must begin with wss:// or ws://") }
        let rest = url.dropFirst(isSecure ? "wss://".count : "ws://".count)
        guard !rest.contains(where: { $0.isWhitespace || $0 == "@" || $0 == "#" }) else {
            throw refuse("The URL has characters that do not belong there")
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let path = String(rest[end...])
        var host = rest[..<end]
        var port = Self.usualPort(isSecure)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else {
                throw refuse("The port is not a number from 1 to 65535")
            }
            port = Int(number)
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw refuse("The URL names no host") }
        self.host = String(host)
        self.port = port
        self.path = path.isEmpty || path == "/" ? "/v1/socket" : path
        self.isSecure = isSecure
    }

    private static func usualPort(_ isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// For the Host header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.usualPort(isSecure) ? name : "\(name):\(port)"
    }
}
