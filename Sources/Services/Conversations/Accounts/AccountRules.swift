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
    static let displayNameBytesMax = 128
    static let deviceNameBytesMax = 64

    /// Reserved so that nobody can pose as the operator. The setting `usernames.reserved` adds others.
    static let reservedUsernames: Set<String> = [
        "abuse", "admin", "administrator", "deleted", "help", "hostmaster", "info", "moderator", "noreply", "no-reply",
        "official", "operator", "parley", "postmaster", "root", "security", "staff", "support", "sysadmin", "system",
        "webmaster",
    ]

    /// Returns a username that matches `[a-z0-9][a-z0-9.-]{1,31}` and is not reserved.
    static func username(_ text: String) throws(Refusal) -> String {
        let bytes = Array(text.utf8)
        guard (2...32).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else {
            throw .invalid("username", "must be 2 to 32 of a-z, 0-9, \".\" or \"-\", and begin with a letter or digit")
        }
        if reservedUsernames.contains(text) { throw .usernameReserved }
        return text
    }

    static func password(_ text: String) throws(Refusal) -> String {
        guard text.count >= passwordCharactersMin else {
            throw .invalid("password", "must be at least \(passwordCharactersMin) characters")
        }
        return text
    }

    static func displayName(_ text: String, username: String) throws(Refusal) -> String {
        text.isEmpty ? username : try Text.name(text, field: "display_name", bytes: displayNameBytesMax)
    }

    static func deviceName(_ text: String) throws(Refusal) -> String {
        text.isEmpty ? "unnamed device" : try Text.name(text, field: "device_name", bytes: deviceNameBytesMax)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
