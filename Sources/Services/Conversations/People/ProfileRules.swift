import Schema
import ServiceKit
import Wire

/// Validates changes of profiles. Pure.
enum ProfileRules {
    static let emailBytesMax = 254

    /// The fields of a profile that a request changes.
    struct Changes: Equatable, Sendable {
        var username: String?
        var displayName: String?
        var photoURL: String?
        var email: String?
        var isFindableByEmail: Bool?

        /// - Throws: ``Refusal`` `invalid`, `username_taken`.
        init(_ request: UpdateProfileRequest) throws(Refusal) {
            if case .username(let text) = request.changeUsername { username = try AccountRules.username(text) }
            if case .displayName(let text) = request.changeDisplayName {
                displayName = try Text.name(text, field: "display_name", letters: AccountRules.displayNameLettersMax)
            }
            if case .photoUrl(let text) = request.changePhoto { photoURL = try PhotoURL.checked(text) }
            if case .email(let text) = request.changeEmail { email = try ProfileRules.email(text) }
            if case .findableByEmail(let isFindable) = request.changeFindable { isFindableByEmail = isFindable }
        }

        /// - Parameter profile: must contain its user.
        func apply(to profile: Profile) -> Profile {
            var after = profile
            if let username { after.user?.username = username }
            if let displayName { after.user?.displayName = displayName }
            if let photoURL { after.user?.photoUrl = photoURL }
            if let email {
                after.emailConfirmed = after.emailConfirmed && email == after.email
                after.email = email
            }
            if let isFindableByEmail { after.findableByEmail = isFindableByEmail }
            return after
        }
    }

    /// Returns a syntactically valid email address.
    /// - Throws: ``Refusal`` `invalid`.
    static func wholeEmail(_ text: String) throws(Refusal) -> String {
        let address = try email(text)
        guard !address.isEmpty else { throw .invalid("email", "must be an email address") }
        return address
    }

    /// Returns a syntactically valid email address, or an empty one for none. It does not check whose address it is.
    /// - Throws: ``Refusal`` `invalid`.
    static func email(_ text: String) throws(Refusal) -> String {
        let address = Array(text.utf8)
        guard !address.isEmpty else { return "" }
        let wrong = Refusal.invalid("email", "must be an email address, or empty for none")
        guard address.count <= emailBytesMax, let at = address.lastIndex(of: UInt8(ascii: "@")) else { throw wrong }
        let (name, domain) = (address[..<at], address[(at + 1)...])
        guard (1...64).contains(name.count), name.allSatisfy({ isPlain($0) }) else { throw wrong }
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ isLabel($0) }) else { throw wrong }
        return try Text.name(text, field: "email", bytes: emailBytesMax)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !Array("@\"(),:;<>[]\\".utf8).contains(byte)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen, 0x80...:
                true
            default: false
            }
        }
    }
}
