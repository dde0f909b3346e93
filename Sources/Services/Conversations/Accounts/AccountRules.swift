import Schema
import ServiceKit
import Wire

/// Validates usernames, passwords and names. Pure.
enum AccountRules {
    /// Right passwords of a person in a minute.
    static let signInsMax = 20
    /// Wrong passwords for a person that an address has in a day, once others used up those of the hour.
    static let turnsMax = 2
    static let devicesMax = 10
    static let passwordCharactersMin = 8
    /// Letters are code points, as many in every script.
    static let displayNameLettersMax = 128
    static let deviceNameLettersMax = 64

    /// Reserved so that nobody can pose as the operator. The setting `usernames.reserved` adds others.
    static let reservedUsernames: Set<String> = [
        "abuse", "admin", "administrator", "deleted", "help", "hostmaster", "info", "moderator", "noreply", "no-reply",
        "official", "operator", "parley", "postmaster", "root", "security", "staff", "support", "sysadmin", "system",
        "webmaster",
    ]

    /// Returns the username that somebody means by a text: phones begin it with a capital and end it with a space.
    /// Every request that names a person by it asks here. What cannot be a username stays something else.
    static func meantUsername(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Blanks.isLeftOut(scalar) { shown.append(scalar) }
        let name = Direction.unwrapped(NormalForm.nfkc(String(shown)))
        return name.utf8.allSatisfy { $0 < 0x80 } ? Folding.folded(name) : name
    }

    /// Returns the username that is meant, which matches `[a-z0-9][a-z0-9.-]{1,31}` and is not reserved.
    static func username(_ typed: String) throws(Refusal) -> String {
        let text = meantUsername(typed)
        let bytes = Array(text.utf8)
        guard (2...32).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else {
            throw .invalid("username", "must be 2 to 32 of a-z, 0-9, \".\" or \"-\", and begin with a letter or digit")
        }
        if reservedUsernames.contains(text) { throw .usernameReserved }
        return text
    }

    /// Returns a password as it is hashed (RFC 8265, OpaqueString): keyboards and systems write the same letters in
    /// different normal forms, and spaces of different widths.
    static func typedPassword(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return NormalForm.nfc(String(scalars))
    }

    static func password(_ typed: String, field: String = "password") throws(Refusal) -> String {
        let text = typedPassword(typed)
        guard text.count >= passwordCharactersMin else {
            throw .invalid(field, "must be at least \(passwordCharactersMin) characters")
        }
        return text
    }

    static func displayName(_ text: String, username: String) throws(Refusal) -> String {
        text.isEmpty ? username : try Text.name(text, field: "display_name", letters: displayNameLettersMax)
    }

    static func deviceName(_ text: String) throws(Refusal) -> String {
        text.isEmpty ? "unnamed device" : try Text.name(text, field: "device_name", letters: deviceNameLettersMax)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
