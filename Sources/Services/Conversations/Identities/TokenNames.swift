import Schema
import ServiceKit
import Wire

/// What a new account is called and shows, from what its first token says. Pure.
enum TokenNames {
    /// As long as a username may be with a number after it.
    private static let baseBytesMax = 24
    /// How many numbers are tried before chance decides.
    private static let numbersMax = 20
    private static let stem = "user"

    /// Usernames for somebody new, of which the first free one is taken: alice, alice-2, alice-3 … and some with six
    /// random characters, so that one is always free.
    /// - Parameter random: returns so many random letters and digits.
    static func usernames(
        from claims: IdentityToken.Claims, by keys: [String], isReserved: (String) -> Bool, random: (Int) -> String
    ) -> [String] {
        let base = keys.lazy.compactMap { key in claims.texts[key].flatMap { self.base($0, ofAddress: key == "email") }
        }
        .first { !isReserved($0) }
        let name = base ?? stem
        // Nobody is to look like the operator, or like one of many without a name.
        let plain = base == nil ? [] : [name] + (2...numbersMax).map { "\(name)-\($0)" }
        return plain + (0..<3).map { _ in "\(name)-\(random(6).lowercased())" }
    }

    /// What of a text can be a username: its letters without accents and its digits, with hyphens between words.
    /// - Returns: nil if that is too little.
    private static func base(_ text: String, ofAddress: Bool) -> String? {
        let meant = ofAddress ? String(text.prefix { $0 != "@" }) : text
        var base: [UInt8] = []
        for scalar in Folding.folded(String(meant.prefix(64))).unicodeScalars {
            let isKept =
                ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || (scalar == "." && !base.isEmpty)
            if isKept {
                base.append(UInt8(ascii: scalar))
            } else if scalar.isASCII, let last = base.last, last != UInt8(ascii: "-") {
                base.append(UInt8(ascii: "-"))
            }
        }
        base = Array(base.prefix(baseBytesMax))
        while let last = base.last, last == UInt8(ascii: "-") || last == UInt8(ascii: ".") { base.removeLast() }
        return base.count >= 2 ? String(decoding: base, as: UTF8.self) : nil
    }

    /// The name that others see: the token's, or what the app says, or the username.
    /// - Parameter said: what the app says. It must be a name; what the token says and cannot be one is left out.
    /// - Throws: ``Refusal`` `invalid` naming `display_name`.
    static func displayName(
        from claims: IdentityToken.Claims, said: String
    ) throws(Refusal) -> String? {
        let parts = [claims.texts["given_name"], claims.texts["family_name"]].compactMap { $0 }
        let spelled = claims.texts["name"] ?? parts.joined(separator: " ")
        let short = String(String.UnicodeScalarView(spelled.unicodeScalars.prefix(AccountRules.displayNameLettersMax)))
        if let name = try? Text.name(short, field: "display_name", letters: AccountRules.displayNameLettersMax) {
            return name
        }
        return said.isEmpty
            ? nil : try Text.name(said, field: "display_name", letters: AccountRules.displayNameLettersMax)
    }

    /// The address of a new account's photo; empty: none.
    static func photo(from claims: IdentityToken.Claims) -> String {
        (try? PhotoURL.checked(claims.texts["picture"] ?? "")) ?? ""
    }

    /// The address of a new account; nil: none, since nobody who is trusted says that it is theirs.
    static func email(from claims: IdentityToken.Claims, of issuer: IssuerBlock) -> String? {
        guard issuer.trustsEmail, claims.isEmailVerified, let email = claims.texts["email"] else { return nil }
        return try? ProfileRules.email(email)
    }
}
