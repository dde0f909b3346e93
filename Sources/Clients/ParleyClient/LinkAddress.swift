/// Where a server's WebSocket is: `ws://host:port` with an optional path (otherwise `/v1/socket`).
public struct LinkAddress: Hashable, Sendable {
    /// A name, or an IP address without brackets.
    public let host: String
    /// 80 unless the URL says otherwise.
    public let port: Int
    /// What is asked for.
    public let path: String

    /// Reads a URL.
    /// - Throws: ``ParleyError`` with code `unsupported_url`.
    public init(_ url: String) throws(ParleyError) {
        func refuse(_ why: String) -> ParleyError {
            ParleyError(code: "unsupported_url", message: "\(why): \(url)")
        }
        guard !url.hasPrefix("wss://") else { throw refuse("wss:// is not supported yet, use ws://") }
        guard url.hasPrefix("ws://") else { throw refuse("The URL must begin with ws://") }
        let rest = url.dropFirst("ws://".count)
        guard !rest.contains(where: { $0.isWhitespace || $0 == "@" || $0 == "#" }) else {
            throw refuse("The URL has characters that do not belong there")
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let path = String(rest[end...])
        var host = rest[..<end]
        var port = 80
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
    }

    /// For the Host header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? name : "\(name):\(port)"
    }
}
