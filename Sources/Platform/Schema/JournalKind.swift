/// A kind of change in the journal of a service: one of the enums at the end of link.proto.
public protocol JournalKind: Sendable, Hashable {
    var rawValue: Int32 { get }
    /// The kinds that this version knows.
    static var allCases: [Self] { get }
}

/// The kinds of a service that has no journal.
public enum NoKind: JournalKind {
    public var rawValue: Int32 { switch self {} }
    public static var allCases: [NoKind] { [] }
}

extension JournalKind {
    /// As journals store it.
    public var number: Int16 { Int16(truncatingIfNeeded: rawValue) }
}
