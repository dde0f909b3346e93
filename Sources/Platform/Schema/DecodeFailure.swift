/// Why bytes were not the message they should be.
public struct DecodeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// Not protobuf, or not of this type.
        case malformed
        /// Would take more memory than a frame may (``Arena/bound(for:)``).
        case tooLarge
        /// A string is not UTF-8.
        case notUTF8
        /// A string contains a zero byte.
        case containsNUL
        /// Longer, or of another length, than the contract says.
        case outOfLimit
    }

    public var reason: Reason
    /// The path of the field in the contract's names, "message.text"; empty when it is the message as a whole.
    public var field: String

    public init(reason: Reason, field: String = "") {
        self.reason = reason
        self.field = field
    }

    public var description: String {
        let subject = field.isEmpty ? "The message" : "\"\(field)\""
        switch reason {
        case .malformed: return "\(subject) cannot be read."
        case .tooLarge: return "\(subject) is too large."
        case .notUTF8: return "\(subject) is not valid UTF-8."
        case .containsNUL: return "\(subject) contains a zero byte."
        case .outOfLimit: return "\(subject) is longer than allowed, or not of the length required."
        }
    }

    /// The same failure, seen from the message that holds it.
    func inside(_ outer: StaticString) -> DecodeFailure {
        DecodeFailure(reason: reason, field: field.isEmpty ? "\(outer)" : "\(outer).\(field)")
    }
}
