import NIOCore

/// Requests a gateway's health.
enum Health {
    /// - Parameter url: `http://HOST:PORT`
    /// - Returns: nil if everything is ready, else the end of the reply or the error.
    static func problem(at url: String, on group: any EventLoopGroup) async -> String? {
        let authority = url.dropFirst("http://".count)
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...])
        else { return "\(url) has no port" }
        do {
            let text = try await PlainHTTP.get("/health", host: String(authority[..<colon]), port: port, on: group)
            guard let text else { return "no reply within 5 s" }
            return text.hasPrefix("HTTP/1.1 200 ") ? nil : String(text.suffix(500))
        } catch {
            return "\(error)"
        }
    }
}
