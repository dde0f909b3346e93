/// A piece of an HTTP exchange: an `HttpRequest` whose body is a part of the bytes that it came in. So a large body is
/// neither parsed nor copied.
public struct HttpPiece: WireMessage {
    /// The most bytes of a body in one piece.
    public static let bodyBytesMax = 262_144
    /// The tag of `HttpRequest.body`: field 4, with a length.
    private static let bodyTag: UInt64 = 4 << 3 | 2

    /// Without its body.
    public var request: HttpRequest
    public var body: ArraySlice<UInt8>

    public init() { self.init(HttpRequest()) }

    public init(_ request: HttpRequest, body: ArraySlice<UInt8> = []) { (self.request, self.body) = (request, body) }

    public static var messageName: String { HttpRequest.messageName }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> HttpPiece {
        try decode([UInt8](bytes))
    }

    public static func decode(_ bytes: [UInt8]) throws(DecodeFailure) -> HttpPiece {
        guard let (field, body) = lastBody(of: bytes) else {
            var request = try HttpRequest.decode(bytes[...])
            let body = request.body
            request.body = []
            return HttpPiece(request, body: body[...])
        }
        guard bytes.count - body <= bodyBytesMax else { throw DecodeFailure(reason: .outOfLimit, field: "body") }
        var request = try HttpRequest.decode(bytes[..<field])
        request.body = []
        return HttpPiece(request, body: bytes[body...])
    }

    public func encode() -> [UInt8] { Self.head(of: request, bodyBytes: body.count) + body }

    /// Returns what comes before the bytes of a body in the encoded piece.
    public static func head(of request: HttpRequest, bodyBytes: Int) -> [UInt8] {
        var bytes = request.encode()
        guard bodyBytes > 0 else { return bytes }
        bytes.append(UInt8(bodyTag))
        var left = bodyBytes
        while left > 0x7F {
            bytes.append(UInt8(left & 0x7F) | 0x80)
            left >>= 7
        }
        bytes.append(UInt8(left))
        return bytes
    }

    /// Returns where the body's field and its bytes begin, if it is the last field.
    private static func lastBody(of bytes: [UInt8]) -> (field: Int, bytes: Int)? {
        var at = 0
        while at < bytes.count {
            let field = at
            guard let tag = number(in: bytes, at: &at) else { return nil }
            switch tag & 7 {
            case 0: if number(in: bytes, at: &at) == nil { return nil }
            case 2:
                guard let length = number(in: bytes, at: &at), length <= UInt64(bytes.count - at) else { return nil }
                if tag == bodyTag, Int(length) == bytes.count - at { return (field, at) }
                at += Int(length)
            default: return nil
            }
        }
        return nil
    }

    /// Reads a varint.
    private static func number(in bytes: [UInt8], at place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}

extension Method where Request == HttpRequest {
    /// The same method, whose requests keep their bodies where they arrived.
    public var inPieces: Method<HttpPiece, Reply> {
        Method<HttpPiece, Reply>(name: name, access: access, isExpensive: isExpensive)
    }
}
