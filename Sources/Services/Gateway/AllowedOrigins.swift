import NIOHTTP1

/// Which web pages may use this gateway: its sessions and all its paths over HTTP. Apps send no origin, and always may.
/// Pure.
public struct AllowedOrigins: Sendable {
    private enum Others: Sendable {
        case listed(Set<String>), any
    }

    private let others: Others
    /// Whether the gateway itself encrypts. Then a page of its own host without encryption is another's page.
    private let isEncrypted: Bool

    /// Allows pages of the host that they connect to.
    public init() { self.init(.listed([]), isEncrypted: false) }

    private init(_ others: Others, isEncrypted: Bool) { (self.others, self.isEncrypted) = (others, isEncrypted) }

    /// - Parameters:
    ///   - origins: which other pages are allowed, such as those of `https://chat.example.com`; one `*` allows all.
    ///   - isEncrypted: whether the gateway itself encrypts.
    /// - Returns: nil and the first that is not an origin.
    static func list(_ origins: [String], isEncrypted: Bool = false) -> (allowed: AllowedOrigins?, wrong: String) {
        if origins == ["*"] { return (AllowedOrigins(.any, isEncrypted: isEncrypted), "") }
        let wrong = origins.first { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\/?#@*\s]+/) == nil }
        if let wrong { return (nil, wrong) }
        return (AllowedOrigins(.listed(Set(origins.map(plain))), isEncrypted: isEncrypted), "")
    }

    /// Whether a request with these headers may be answered.
    func allow(_ headers: HTTPHeaders) -> Bool {
        let origins = headers["origin"]
        guard let first = origins.first else { return true }
        guard origins.count == 1 else { return false }
        let origin = Self.plain(first)
        switch others {
        case .any: return true
        case .listed(let listed): return listed.contains(origin) || isOwn(origin, headers["host"])
        }
    }

    /// Whether an origin is that of the page which the gateway itself serves at the host of the request.
    private func isOwn(_ origin: String, _ hosts: [String]) -> Bool {
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return false }
        let schemes = isEncrypted ? ["https"] : ["https", "http"]
        return schemes.contains { Self.plain("\($0)://\(host)") == origin }
    }

    /// In lower case, without the port that the scheme says anyway.
    private static func plain(_ origin: String) -> String {
        let origin = origin.lowercased()
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where origin.hasPrefix(scheme) {
            let host = origin.dropFirst(scheme.count)
            if host.hasSuffix(port), host.count > port.count { return String(origin.dropLast(port.count)) }
        }
        return origin
    }
}
