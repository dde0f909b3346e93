/// The reason why bytes could not be decoded as a message.
public struct DecodeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The bytes are not protobuf, or not of this type.
        case malformed
        /// Decoding would take more memory than a frame may (``Arena/bound(for:)``).
        case tooLarge
        /// A string is not UTF-8.
        case notUTF8
        /// A string contains a zero byte.
        case containsNUL
        /// A field is longer than the contract allows, or not of the required length.
        case outOfLimit
    }

    public var reason: Reason
    /// The path of the field in the contract's names, such as "message.text"; empty for the message as a whole.
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
        case .outOfLimit: return "\(subject) is longer than allowed or not of the required length."
        }
    }

    /// Returns the same failure with its path from the enclosing message.
    func inside(_ outer: StaticString) -> DecodeFailure {
        DecodeFailure(reason: reason, field: field.isEmpty ? "\(outer)" : "\(outer).\(field)")
    }
}
