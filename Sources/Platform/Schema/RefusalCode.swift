/// Why a request was refused, as a stable snake_case word. Clients act on it, and it is a label in metrics. The
/// contract's are generated.
public struct RefusalCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Whether the same request may be sent again.
    public enum Repetition: Sendable {
        /// It would be refused again.
        case never
        case afterWait
        case aFewTimes
        case onceSignedIn
        /// It may have taken effect, and is safe to repeat.
        case uncertain
    }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: StaticString) { rawValue = value.description }

    public var description: String { rawValue }
}
