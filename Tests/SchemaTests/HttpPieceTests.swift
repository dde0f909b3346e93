import Testing

@testable import Schema

@Suite("A piece of an HTTP exchange") struct HttpPieceTests {
    private static let request = HttpRequest(
        method: "PATCH", path: "/f/1", headers: [HttpHeader(name: "range", value: "a")], bodyOffset: 7, bodyEnds: true,
        state: [1, 2])

    @Test("a body comes back, of any length, and its request without it")
    func roundTrip() throws {
        for count in [0, 1, 127, 128, 16_383, 16_384, HttpPiece.bodyBytesMax] {
            let piece = HttpPiece(Self.request, body: [UInt8](repeating: 9, count: count)[...])
            #expect(try HttpPiece.decode(piece.encode()) == piece)
            #expect(try piece.encode().withUnsafeBytes { try HttpPiece.decode($0) } == piece)
        }
    }

    @Test("a body is a part of the bytes that it came in: decoding copies none of it")
    func inPlace() throws {
        let bytes = HttpPiece(Self.request, body: [UInt8](repeating: 9, count: 100_000)[...]).encode()
        let body = try HttpPiece.decode(bytes).body
        let (whole, part) = bytes.withUnsafeBytes { whole in
            body.withUnsafeBytes { (whole.baseAddress, $0.baseAddress) }
        }
        #expect(try #require(part) == #require(whole) + (bytes.count - 100_000))
    }

    @Test("it is an HttpRequest on the wire, also for who puts the body elsewhere")
    func compatible() throws {
        var whole = Self.request
        whole.body = [1, 2, 3]
        let piece = HttpPiece(Self.request, body: [1, 2, 3])
        #expect(try HttpRequest.decode(piece.encode()) == whole)
        #expect(try HttpPiece.decode(whole.encode()) == piece)
    }

    @Test("a body that is too long, cut off or twice there is refused, or its last one counts")
    func wrong() throws {
        let long = HttpPiece(Self.request, body: [UInt8](repeating: 9, count: HttpPiece.bodyBytesMax + 1)[...])
        #expect(throws: DecodeFailure(reason: .outOfLimit, field: "body")) { try HttpPiece.decode(long.encode()) }
        let piece = HttpPiece(Self.request, body: [1, 2, 3])
        #expect(throws: DecodeFailure.self) { try HttpPiece.decode(Array(piece.encode().dropLast())) }
        let twice = HttpPiece(Self.request, body: [7]).encode() + [4 << 3 | 2, 3, 1, 2, 3]
        #expect(try HttpPiece.decode(twice) == piece)
        var sampler = Sampler(seed: 3)
        for _ in 0..<10_000 {
            var bytes = piece.encode()
            for _ in 0..<2 { bytes[sampler.pick(bytes.count)] = UInt8(sampler.pick(256)) }
            guard let decoded = try? HttpPiece.decode(bytes) else { continue }
            #expect(try HttpPiece.decode(decoded.encode()) == decoded)
        }
    }
}
