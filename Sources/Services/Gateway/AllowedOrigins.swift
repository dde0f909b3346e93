import NIOHTTP1

/// Which web pages may open sessions. Apps send no origin, and always may. Pure.
public struct AllowedOrigins: Sendable {
    private enum Rule: Sendable {
        case sameHost, any
        case listed(Set<String>)
    }

    private let rule: Rule

    /// Allows pages of the host that they connect to.
    public init() { rule = .sameHost }

    /// - Parameter origins: such as `https://chat.example.com`, or one `*` for all.
    /// - Returns: nil and the first that is not an origin.
    static func list(_ origins: [String]) -> (allowed: AllowedOrigins?, wrong: String) {
        if origins.isEmpty { return (AllowedOrigins(), "") }
        if origins == ["*"] { return (AllowedOrigins(rule: .any), "") }
        let wrong = origins.first { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\/?#@*\s]+/) == nil }
        if let wrong { return (nil, wrong) }
        return (AllowedOrigins(rule: .listed(Set(origins.map { $0.lowercased() }))), "")
    }

    private init(rule: Rule) { self.rule = rule }

    /// Whether a handshake with these headers may become a session.
    func allow(_ headers: HTTPHeaders) -> Bool {
        let origins = headers["origin"]
        guard let origin = origins.first?.lowercased() else { return true }
        guard origins.count == 1 else { return false }
        switch rule {
        case .any: return true
        case .listed(let listed): return listed.contains(origin)
        case .sameHost:
            guard let host = headers["host"].first?.lowercased(), let scheme = origin.firstRange(of: "://") else {
                return false
            }
            let port = origin.hasPrefix("https:") ? ":443" : ":80"
            return Self.without(port, origin[scheme.upperBound...]) == Self.without(port, host[...])
        }
    }

    private static func without(_ port: String, _ host: Substring) -> Substring {
        host.hasSuffix(port) ? host.dropLast(port.count) : host
    }
}
