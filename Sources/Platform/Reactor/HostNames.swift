import Glibc

/// Names of hosts to addresses, off the loop.
public enum HostNames {
    private static let pool = WorkPool(threads: 8, queue: 64)

    /// Why a name has no address now.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Whether it is an address already.
    public static func isNumeric(_ name: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
    }

    /// - Returns: numeric addresses, each once, in the system's order.
    public static func addresses(of name: String) async throws(Failure) -> [String] {
        do {
            return try await pool.run { try lookUp(name) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "too many names wait for resolution")
        }
    }

    private static func lookUp(_ name: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        // No question for addresses of a kind that this machine has none of: some servers of names stand still over it.
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else {
            throw Failure(description: "cannot resolve \(name): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                current.ai_addr, current.ai_addrlen, &text, socklen_t(text.count), nil, 0, CInt(NI_NUMERICHOST)) == 0
            {
                // Never nil: it is not empty.
                let address = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
                if !addresses.contains(address) { addresses.append(address) }
            }
            entry = current.ai_next
        }
        return addresses
    }
}
