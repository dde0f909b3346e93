import Signatures

/// The ids that records have in Parley. They follow from those of the export alone, so that each import gives the same.
package enum DerivedID {
    /// Whether Parley allows it as the id of a person.
    static func isAllowed(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }

    package static func person(_ id: String) -> String { isAllowed(id) ? id : hex(uuid("users/\(id)")) }
    /// The id of a group in Parley is a UUID in hexadecimal digits.
    package static func group(_ id: String) -> String {
        let digits = Set("0123456789abcdef".utf8)
        let isAllowed = id.utf8.count == 32 && id.utf8.allSatisfy { digits.contains($0) }
        return isAllowed ? id : hex(uuid("conversations/\(id)"))
    }

    /// - Parameter people: one, of their notes, or two, by their ids in Parley.
    package static func direct(_ people: [String]) -> String {
        let sorted = people.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return "\(sorted.first ?? "")_\(sorted.last ?? "")"
    }

    /// - Parameters:
    ///   - conversation: its id in Parley.
    ///   - part: of a text that was split: 1, 2 …; 0: its beginning, or all of it.
    package static func message(_ id: String, in conversation: String, part: Int = 0) -> [UInt8] {
        uuid("messages/\(conversation)/\(id)\(part == 0 ? "" : "#\(part)")")
    }

    /// The id of an identity that signs somebody in.
    package static func identity(_ issuer: String, _ subject: String) -> String {
        hex(uuid("identities/\(issuer)/\(subject)"))
    }

    /// A UUID of version 8 (RFC 9562): the first bits of the SHA-256 of a path.
    static func uuid(_ path: String) -> [UInt8] {
        var bytes = Array(Digest.sha256(Array(path.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }

    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
