import Glibc

/// Addresses of clients, as text. Pure.
public enum Address {
    /// Returns the bytes of an IPv4 or IPv6 address. An IPv4-mapped address (`::ffff:10.0.0.1`) counts as IPv4.
    public static func bytes(of address: String) -> [UInt8]? {
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &sixteen) == 1 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return sixteen.starts(with: mapped) ? Array(sixteen[12...]) : sixteen
    }

    /// Returns what limits by address count: the address, of IPv6 its /64, which is what one customer has. An
    /// IPv4-mapped address is the IPv4 address.
    public static func place(of address: String) -> String {
        guard let bytes = bytes(of: address) else { return address }
        return bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : Hex.text(Array(bytes.prefix(8)))
    }
}
