import NIOHTTP1
import Testing

@testable import GatewayService

@Suite("Where a client connects from")
struct ClientAddressTests {
    private static let behind = ClientAddress(
        header: "X-Forwarded-For", proxies: ["10.0.0.0/8", "192.168.7.1", "fd00::/9"].compactMap { AddressBlock($0) })

    @Test(
        "only trusted proxies are believed, and only about the address they append",
        arguments: [
            // The header of anybody but a trusted proxy is ignored.
            ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"), ("192.168.7.2", ["198.51.100.1"], "192.168.7.2"),
            ("", ["198.51.100.1"], ""),
            ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"), ("192.168.7.1", ["198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"), ("fd7f::1", ["2001:db8::5"], "2001:db8::5"),
            ("fd80::1", ["2001:db8::5"], "fd80::1"),
            // Entries written by the client precede those appended by a proxy.
            ("10.1.2.3", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["1.1.1.1", " 198.51.100.1 "], "198.51.100.1"),
            ("10.1.2.3", ["1.1.1.1, 198.51.100.1, 10.9.9.9, fd00::2"], "198.51.100.1"),
            ("10.1.2.3", ["10.9.9.9, 10.8.8.8"], "10.9.9.9"),
            // An entry that is not an address ends the search.
            ("10.1.2.3", [], "10.1.2.3"), ("10.1.2.3", [""], "10.1.2.3"), ("10.1.2.3", ["unknown"], "10.1.2.3"),
            ("10.1.2.3", ["198.51.100.1, nonsense, 10.9.9.9"], "10.9.9.9"),
            ("10.1.2.3", [String(repeating: "1", count: 5000)], "10.1.2.3"),
        ] as [(String, [String], String)])
    func believed(peer: String, listed: [String], address: String) {
        let headers = HTTPHeaders(listed.map { ("x-forwarded-for", $0) })
        #expect(Self.behind.of(headers, peer: peer) == address)
        #expect(ClientAddress().of(headers, peer: peer) == peer, "without a configured header no proxy is trusted")
    }

    @Test("a block contains exactly the addresses with its prefix")
    func blocks() {
        let inside: [(String, String, Bool)] = [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.0.0/15", "10.0.0.1", true),
            ("10.1.0.0/16", "10.0.0.1", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false),
            ("::/0", "::1", true), ("::1", "::1", true), ("::1", "::2", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1/32", "127.0.0.2", false), ("2001:db8::/33", "2001:db8:8000::1", false),
        ]
        for (block, address, isInside) in inside {
            let bytes = AddressBlock.bytes(of: address) ?? []
            #expect(AddressBlock(block)?.contains(bytes) == isInside, "\(block) \(address)")
        }
        for text in [
            "", "10", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0.0/", "a.b.c.d", "1.2.3.4/8/9",
        ] {
            #expect(AddressBlock(text) == nil, "\(text)")
        }
        #expect(AddressBlock.list("10.0.0.0/8, ::1").blocks?.count == 2)
        #expect(AddressBlock.list("10.0.0.0/8,nonsense").wrong == "nonsense")
        #expect(AddressBlock.list("").blocks == [])
    }
}
