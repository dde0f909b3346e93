import Glibc

/// Resolves host names to addresses, off the loop.
public enum HostNames {
    private static let pool = WorkPool(threads: 8, queue: 64)

    /// The reason why a name could not be resolved.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Whether `name` is already an address.
    public static func isNumeric(_ name: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
    }

    /// - Returns: the numeric addresses without duplicates, in the system's order.
    public static func addresses(of name: String) async throws(Failure) -> [String] {
        do {
            return try await pool.run { try lookUp(name) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "too many host names are waiting to be resolved")
        }
    }

    private static func lookUp(_ name: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_family = AF_UNSPEC
        // Queries only address families that this machine has, because some name servers do not answer others.
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
                // Never nil: the buffer is not empty.
                let address = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
                if !addresses.contains(address) { addresses.append(address) }
            }
            entry = current.ai_next
        }
        return addresses
    }
}
