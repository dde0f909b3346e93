import NIOHTTP1
import ServiceKit

/// Determines the address of a client. A header with the address is trusted only if it comes from a configured proxy.
/// Pure.
public struct ClientAddress: Sendable {
    /// In lower case; empty if no header is read.
    private let header: String
    private let proxies: [AddressBlock]

    /// - Parameters:
    ///   - header: the header in which proxies state the client's address, such as `X-Forwarded-For`.
    ///   - proxies: the trusted proxies.
    public init(header: String = "", proxies: [AddressBlock] = []) {
        (self.header, self.proxies) = (header.lowercased(), proxies)
    }

    /// Returns the last address in the header that is not a trusted proxy's. Each proxy appends the address of its
    /// peer.
    /// - Parameter peer: the address of the connection's other end.
    func of(_ headers: HTTPHeaders, peer: String) -> String {
        guard !header.isEmpty, isProxy(peer) else { return peer }
        let listed = headers[canonicalForm: header].map { String($0).trimmedOfSpaces }
        var last = peer
        for address in listed.reversed() {
            // An entry that is not an address ends the search.
            guard let bytes = AddressBlock.bytes(of: address) else { break }
            last = address
            if !proxies.contains(where: { $0.contains(bytes) }) { break }
        }
        return last
    }

    /// See ``Address/place(of:)``.
    static func place(of address: String) -> String { Address.place(of: address) }

    /// Returns the ``place(of:)`` of a connection's other end; nil if that is a trusted proxy, whose connections are of
    /// many people.
    func place(ofPeer peer: String) -> String? { isProxy(peer) ? nil : Self.place(of: peer) }

    private func isProxy(_ address: String) -> Bool {
        guard let bytes = AddressBlock.bytes(of: address) else { return false }
        return proxies.contains { $0.contains(bytes) }
    }
}

/// A block of addresses with a common prefix, such as `10.0.0.0/8` or `::1`. Pure.
public struct AddressBlock: Equatable, Sendable {
    /// 4 or 16 bytes.
    private let bytes: [UInt8]
    private let bits: Int

    /// Returns nil if the text is not an address or a block.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        let all = bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    /// Parses blocks separated by commas.
    /// - Returns: the blocks, or nil and the first part that is not a block.
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

    /// See ``Address/bytes(of:)``.
    static func bytes(of address: String) -> [UInt8]? { Address.bytes(of: address) }
}

extension String {
    fileprivate var trimmedOfSpaces: String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return String(text)
    }
}
