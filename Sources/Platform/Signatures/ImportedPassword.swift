/// A password as another system hashed it: what an import brings in, until its owner signs in and Parley hashes it.
package enum ImportedPassword: Equatable, Sendable {
    case firebase(FirebasePassword)
    case pbkdf2(PBKDF2Password)
    case bcrypt(BcryptPassword)

    /// - Returns: nil if the text is none, or one whose check would take longer than a sign-in may.
    package init?(_ text: String) {
        if let password = FirebasePassword(text) {
            self = .firebase(password)
        } else if let password = PBKDF2Password(text) {
            self = .pbkdf2(password)
        } else if let password = BcryptPassword(text) {
            self = .bcrypt(password)
        } else {
            return nil
        }
    }

    /// Whether this password was hashed. Takes up to some seconds of a core, so call it on a WorkPool.
    package func verifies(_ password: String) -> Bool {
        switch self {
        case .firebase(let hashed): hashed.verifies(password)
        case .pbkdf2(let hashed): hashed.verifies(password)
        case .bcrypt(let hashed): hashed.verifies(password)
        }
    }
}
