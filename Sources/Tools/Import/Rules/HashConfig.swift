import Foundation
import Signatures

/// How the passwords of an export were hashed.
package enum HashConfig: Equatable, Sendable {
    /// Firebase's own scrypt.
    case scrypt(ScryptSettings)
    case pbkdf2(PBKDF2Password.Digest, rounds: Int)
    case bcrypt
    /// Firebase takes hashes of this kind, and Parley does not check them.
    case unchecked(String)

    package struct ScryptSettings: Equatable, Sendable {
        var signerKey: [UInt8]
        var saltSeparator: [UInt8]
        var rounds: Int
        var memoryCost: Int
    }

    /// Why a hash does not come in.
    struct Useless: Error, Equatable {
        var why: String
    }

    private static let unchecked: Set = [
        "STANDARD_SCRYPT", "HMAC_SHA512", "HMAC_SHA256", "HMAC_SHA1", "HMAC_MD5", "SHA512", "SHA256", "SHA1", "MD5",
    ]

    /// - Parameter text: JSON, or the console's text as pasted.
    /// - Throws: ``ImportError`` `import_hash_config`.
    package init(_ text: String) throws(ImportError) {
        guard text.utf8.count <= 65_536 else { throw Self.wrong("it is larger than such a file can be") }
        var values: [String: String] = [:]
        // Keys and values look alike in both: base64_signer_key: ABC==, and "base64_signer_key": "ABC==".
        for match in text.matches(
            of: /"?(algorithm|base64_signer_key|base64_salt_separator|rounds|mem_cost)"?\s*:\s*"?([A-Za-z0-9+\/=_-]*)"?/
        ) {
            values[String(match.1)] = String(match.2)
        }
        guard let algorithm = values["algorithm"]?.uppercased() else { throw Self.wrong("it names no algorithm") }
        switch algorithm {
        case "SCRYPT": self = .scrypt(try Self.scrypt(values))
        case "PBKDF_SHA1": self = .pbkdf2(.sha1, rounds: try Self.rounds(values, PBKDF2Password.roundsMax))
        case "PBKDF2_SHA256": self = .pbkdf2(.sha256, rounds: try Self.rounds(values, PBKDF2Password.roundsMax))
        case "BCRYPT": self = .bcrypt
        default:
            guard Self.unchecked.contains(algorithm) else {
                throw Self.wrong("its algorithm is \(algorithm), which is none of those that Firebase names")
            }
            self = .unchecked(algorithm)
        }
    }

    private static func scrypt(_ values: [String: String]) throws(ImportError) -> ScryptSettings {
        guard let key = values["base64_signer_key"].flatMap(bytes), key.count <= 256, !key.isEmpty else {
            throw wrong("base64_signer_key is missing or not in base 64")
        }
        guard let separator = bytes(values["base64_salt_separator"] ?? ""), separator.count <= 64 else {
            throw wrong("base64_salt_separator is not in base 64")
        }
        guard let memory = values["mem_cost"].flatMap(Int.init), (1...14).contains(memory) else {
            throw wrong("mem_cost must be 1 to 14")
        }
        return ScryptSettings(
            signerKey: key, saltSeparator: separator, rounds: try rounds(values, 8), memoryCost: memory)
    }

    private static func rounds(_ values: [String: String], _ most: Int) throws(ImportError) -> Int {
        guard let rounds = values["rounds"].flatMap(Int.init), (1...most).contains(rounds) else {
            throw wrong("rounds must be 1 to \(most)")
        }
        return rounds
    }

    /// The form that the service checks: settings, salt and hash in one text.
    /// - Parameter config: nil: the export says nothing of its hashes.
    static func stored(_ hash: String, salt: String, _ config: HashConfig?) throws(Useless) -> String {
        // A hash by bcrypt has its settings with it, and none of another kind looks like it.
        if let text = bcryptText(hash) {
            guard let password = BcryptPassword(text) else {
                throw Useless(why: "the hash of the password is damaged, or takes longer than a sign-in may")
            }
            return password.text
        }
        guard let config else { throw Useless(why: "there is no hash-config.json") }
        if case .unchecked(let algorithm) = config { throw Useless(why: "hashes by \(algorithm) are not checked") }
        guard let hash = bytes(hash), let salt = bytes(salt), let text = config.stored(hash, salt) else {
            throw Useless(why: "the hash of the password is none")
        }
        return text
    }

    private func stored(_ hash: [UInt8], _ salt: [UInt8]) -> String? {
        switch self {
        case .bcrypt, .unchecked: return nil
        case .pbkdf2(let digest, let rounds):
            return PBKDF2Password(digest, rounds: rounds, salt: salt, hash: hash)?.text
        case .scrypt(let settings):
            guard (16...128).contains(hash.count), salt.count <= 128 else { return nil }
            let parts = [settings.saltSeparator, settings.signerKey, salt, hash].map { Data($0).base64EncodedString() }
            return "$firebase-scrypt$ln=\(settings.memoryCost),r=\(settings.rounds)$" + parts.joined(separator: "$")
        }
    }

    /// A text that begins as one of crypt(5) does, as it is or in base 64, as `auth:import` wants it.
    private static func bcryptText(_ hash: String) -> String? {
        if hash.hasPrefix("$2") { return hash }
        guard let bytes = bytes(hash), bytes.starts(with: Array("$2".utf8)) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap { $0.dropFirst(3).hasPrefix("$") ? $0 : nil }
    }

    /// Base 64 in either alphabet: the export of accounts uses that for URLs.
    private static func bytes(_ text: String) -> [UInt8]? {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        while plain.last == "=" { plain.removeLast() }
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain).map { [UInt8]($0) }
    }

    private static func wrong(_ why: String) -> ImportError {
        ImportError(
            .hashConfig, "hash-config.json is not understood: \(why).",
            advice: """
                Paste what the console shows under Authentication, Users, Password hash parameters. Without the file \
                everything else comes in, and people set new passwords by mail.
                """)
    }
}
