import Glibc
import NIOHTTP1

/// Where a client connects from, as far as it can be known: who connects says nothing about itself that is believed,
/// but for proxies that are known. Pure.
public struct ClientAddress: Sendable {
    /// Lower case; empty: no header is looked at.
    private let header: String
    private let proxies: [AddressBlock]

    /// - Parameters:
    ///   - header: in which proxies say whom they speak for: `X-Forwarded-For`.
    ///   - proxies: who is believed.
    public init(header: String = "", proxies: [AddressBlock] = []) {
        (self.header, self.proxies) = (header.lowercased(), proxies)
    }

    /// The last address that no proxy of ours has: each adds whom it was asked by behind what it was told.
    /// - Parameter peer: who is connected.
    func of(_ headers: HTTPHeaders, peer: String) -> String {
        guard !header.isEmpty, isProxy(peer) else { return peer }
        let told = headers[canonicalForm: header].map { String($0).trimmedOfSpaces }
        var last = peer
        for address in told.reversed() {
            // What is no address is nobody's.
            guard let bytes = AddressBlock.bytes(of: address) else { break }
            last = address
            if !proxies.contains(where: { $0.contains(bytes) }) { break }
        }
        return last
    }

    private func isProxy(_ address: String) -> Bool {
        guard let bytes = AddressBlock.bytes(of: address) else { return false }
        return proxies.contains { $0.contains(bytes) }
    }
}

/// Addresses that have their first bits in common: `10.0.0.0/8`, `::1`. Pure.
public struct AddressBlock: Equatable, Sendable {
    /// 4 or 16.
    private let bytes: [UInt8]
    private let bits: Int

    /// nil when the text is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        let all = bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    /// Several, separated by commas.
    /// - Returns: nil and the first part that is none.
    static func list(_ text: String) -> (blocks: [AddressBlock]?, wrong: String) {
        var blocks: [AddressBlock] = []
        for part in text.split(separator: ",") {
            guard let block = AddressBlock(String(part).trimmedOfSpaces) else { return (nil, String(part)) }
            blocks.append(block)
        }
        return (blocks, "")
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard address[..<whole].elementsEqual(bytes[..<whole]) else { return false }
        return rest == 0 || (address[whole] ^ bytes[whole]) >> (8 - rest) == 0
    }

    /// Those of an address of IPv4 or IPv6; one of IPv4 within IPv6 (`::ffff:10.0.0.1`) is one of IPv4.
    static func bytes(of address: String) -> [UInt8]? {
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &sixteen) == 1 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return sixteen.starts(with: mapped) ? Array(sixteen[12...]) : sixteen
    }
}

extension String {
    fileprivate var trimmedOfSpaces: String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return String(text)
    }
}
