import Glibc

/// The address of a host. Pure.
struct NetworkAddress: Equatable {
    /// 4 bytes of IPv4 or 16 of IPv6.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil for another family than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            let found = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            bytes = withUnsafeBytes(of: found) { Array($0) }
        case AF_INET6:
            let found = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
            bytes = withUnsafeBytes(of: found) { Array($0) }
        default: return nil
        }
    }

    /// Whether it is not an address of one host of the public Internet: private, of this machine or link, multicast,
    /// or reserved (RFC 6890). IPv6 addresses that contain one of IPv4 count like it.
    var isInside: Bool {
        if bytes.count == 4 { return Self.isInside(bytes[0], bytes[1], bytes[2]) }
        guard bytes.count == 16 else { return true }
        let mapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        let translated = bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        if mapped || translated { return NetworkAddress(bytes: Array(bytes[12...])).isInside }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return NetworkAddress(bytes: Array(bytes[2..<6])).isInside }
        // Outside 2000::/3 nothing is public. Within it, 2001::/23 and 2001:db8::/32 have special purposes.
        guard bytes[0] & 0xE0 == 0x20 else { return true }
        return bytes[0] == 0x20 && bytes[1] == 0x01 && (bytes[2] < 2 || bytes[2] == 0x0D && bytes[3] == 0xB8)
    }

    private static func isInside(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second, third) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): true
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): true
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113), (192, 88, 99): true
        default: false
        }
    }
}
