import Schema
import ServiceKit

/// A code that is mailed to show whose an address is. Pure but for its randomness.
enum MailedCode {
    static let triesMax = 5
    static let lifetime = Duration.seconds(900)
    private static let length = 8
    /// Without those that people take for others.
    private static let letters = Array("23456789abcdefghjkmnpqrstuvwxyz".utf8)

    /// Makes a code of 8 characters, of which there are 8 · 10¹¹.
    static func make() -> String {
        var code: [UInt8] = []
        while code.count < length {
            // Each character as often: the few highest bytes are left out.
            for byte in Sodium.randomBytes(length) where Int(byte) < letters.count * (256 / letters.count) {
                if code.count < length { code.append(letters[Int(byte) % letters.count]) }
            }
        }
        return String(decoding: code, as: UTF8.self)
    }

    /// As a mail shows it.
    static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.dropFirst(4))" }

    /// The characters that somebody means: case, spaces and hyphens do not matter.
    static func meant(_ typed: String) -> String {
        String(decoding: typed.lowercased().utf8.filter(letters.contains), as: UTF8.self)
    }

    /// What a code is for: of a reset the address, of a confirmation also the account. Nil: that kind has no code.
    static func key(_ kind: MailKind, _ address: String, _ account: AccountNumber?) -> [UInt8]? {
        switch kind {
        case .reset: Sodium.hash(Array("reset:\(address.lowercased())".utf8))
        case .confirm: Sodium.hash(Array("confirm:\(account?.rawValue ?? 0):\(address)".utf8))
        case .addressChanged: nil
        }
    }

    static func hash(_ code: String, _ key: [UInt8]) -> [UInt8] { Sodium.hash(key + Array(code.utf8)) }
}
