import ServiceKit
import Wire

/// Validates addresses of photos, which clients load. Pure.
enum PhotoURL {
    static let bytesMax = 1024

    /// Returns a valid address: empty for no photo, otherwise `https` in printable ASCII, so that clients only ever
    /// contact a web server.
    /// - Throws: ``Refusal`` `invalid` naming `field`.
    static func checked(_ text: String, field: String = "photo_url") throws(Refusal) -> String {
        guard !text.isEmpty else { return "" }
        let address = Array(text.utf8)
        guard address.count <= bytesMax else { throw .invalid(field, "must be at most \(bytesMax) bytes") }
        let scheme = Array("https://".utf8)
        guard address.prefix(scheme.count).elementsEqual(scheme) else {
            throw .invalid(field, "must be an https address, or empty for no photo")
        }
        let host = address.dropFirst(scheme.count).prefix { !Array("/?#".utf8).contains($0) }
        guard let first = host.first, isNameByte(first), host.allSatisfy({ isNameByte($0) || isPortByte($0) }) else {
            throw .invalid(field, "must name a web server")
        }
        guard address.allSatisfy({ 0x21...0x7E ~= $0 && !Array("\"<>\\^`{|}".utf8).contains($0) }) else {
            throw .invalid(field, "must contain only the characters of a URL; encode all others as %XX")
        }
        return text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "["):
            true
        default: false
        }
    }

    private static func isPortByte(_ byte: UInt8) -> Bool { Array(".-_:]".utf8).contains(byte) }
}
