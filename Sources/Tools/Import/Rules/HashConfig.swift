import Foundation

/// How a Firebase project hashes its passwords: Firebase's own scrypt, or what `auth:import` was once given.
package struct HashConfig: Equatable, Sendable {
    var signerKey: [UInt8]
    var saltSeparator: [UInt8]
    var rounds: Int
    var memoryCost: Int

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
        guard let algorithm = values["algorithm"] else { throw Self.wrong("it names no algorithm") }
        guard algorithm.uppercased() == "SCRYPT" else {
            throw Self.wrong("its algorithm is \(algorithm), and only Firebase's SCRYPT is understood")
        }
        guard let key = values["base64_signer_key"].flatMap(Self.bytes), key.count <= 256, !key.isEmpty else {
            throw Self.wrong("base64_signer_key is missing or not in base 64")
        }
        guard let separator = Self.bytes(values["base64_salt_separator"] ?? ""), separator.count <= 64 else {
            throw Self.wrong("base64_salt_separator is not in base 64")
        }
        guard let rounds = values["rounds"].flatMap(Int.init), (1...8).contains(rounds) else {
            throw Self.wrong("rounds must be 1 to 8")
        }
        guard let memory = values["mem_cost"].flatMap(Int.init), (1...14).contains(memory) else {
            throw Self.wrong("mem_cost must be 1 to 14")
        }
        (signerKey, saltSeparator, self.rounds, memoryCost) = (key, separator, rounds, memory)
    }

    /// The form that the service checks: settings, salt and hash in one text. Nil if hash or salt are not in base 64.
    func stored(_ hash: String, salt: String) -> String? {
        guard let hash = Self.bytes(hash), let salt = Self.bytes(salt), (16...128).contains(hash.count),
            salt.count <= 128
        else { return nil }
        let parts = [saltSeparator, signerKey, salt, hash].map { Data($0).base64EncodedString() }
        return "$firebase-scrypt$ln=\(memoryCost),r=\(rounds)$" + parts.joined(separator: "$")
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
            advice: "Paste what the console shows under Authentication, Users, Password hash parameters.")
    }
}
