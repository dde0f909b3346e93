import Glibc

/// The address `HOST:PORT` at which a process listens.
struct ListenAddress: Equatable, Sendable {
    var host: String
    var port: UInt16

    init(host: String, port: UInt16) {
        (self.host, self.port) = (host, port)
    }

    init(_ text: String) throws(ClusterError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Self.refusal(of: text)
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains(where: { $0 == "[" || $0 == "]" }) else { throw Self.refusal(of: text) }
        self.init(host: String(host), port: port)
    }

    private static func refusal(of text: String) -> ClusterError {
        ClusterError(.invalid, "\(text) is not a listen address. Write HOST:PORT, such as 127.0.0.1:8080.")
    }

    var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// The address for clients on this machine, with loopback in place of a wildcard.
    var reachable: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }

    /// Binds to the address briefly, so that a used port is reported before anything is started.
    func requireFree() throws(ClusterError) {
        guard port != 0 else { return }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let address = found else {
            throw ClusterError(.invalid, "Cannot listen at \(text): \(String(cString: gai_strerror(code))).")
        }
        defer { freeaddrinfo(address) }
        let descriptor = socket(address.pointee.ai_family, address.pointee.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        if bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, Glibc.listen(descriptor, 1) == 0
        {
            return
        }
        switch errno {
        case EADDRINUSE:
            throw ClusterError(
                .portInUse,
                "\(text) is in use by another program. Stop it, or choose another port (0 takes any free one).")
        case EACCES:
            throw ClusterError(.noPermission, "Only root can use port \(port). Choose one from 1024 up.")
        case let code:
            throw ClusterError(.invalid, "Cannot listen at \(text): \(String(cString: strerror(code))).")
        }
    }
}
