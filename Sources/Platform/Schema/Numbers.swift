/// A number that stands for one kind of thing, so that the compiler refuses any other kind in its place. The contract
/// and the database hold the bare number.
public protocol TypedNumber: RawRepresentable<Int64>, Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByIntegerLiteral
{
    init(rawValue: Int64)
}

extension TypedNumber {
    @inlinable
    public init(_ rawValue: Int64) { self.init(rawValue: rawValue) }

    @inlinable
    public init(integerLiteral value: Int64) { self.init(rawValue: value) }

    /// Returns nil if the text is no number.
    public init?(_ text: some StringProtocol, radix: Int = 10) {
        guard let number = Int64(text, radix: radix) else { return nil }
        self.init(rawValue: number)
    }

    /// Less than every number in use.
    @inlinable
    public static var min: Self { Self(rawValue: .min) }

    /// Greater than every number in use.
    @inlinable
    public static var max: Self { Self(rawValue: .max) }

    @inlinable
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    public var description: String { "\(rawValue)" }
}

/// The number of an account; zero stands for nobody.
public struct AccountNumber: TypedNumber {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The number of a conversation; zero stands for none.
public struct ConversationNumber: TypedNumber {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The number of a message in its conversation, from 1 without gaps.
public struct Seq: TypedNumber {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    public static func + (seq: Seq, count: Int64) -> Seq { Seq(seq.rawValue + count) }

    @inlinable
    public static func - (seq: Seq, count: Int64) -> Seq { Seq(seq.rawValue - count) }
}

/// The number of a change in its stream, from 1.
public struct Position: TypedNumber {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable
    public static func + (position: Position, count: Int64) -> Position { Position(position.rawValue + count) }

    @inlinable
    public static func - (position: Position, count: Int64) -> Position { Position(position.rawValue - count) }

    @inlinable
    public static func += (position: inout Position, count: Int64) { position = position + count }

    /// Returns how many positions lie after `since`, up to this one.
    @inlinable
    public func count(since: Position) -> Int64 { rawValue - since.rawValue }
}

/// A point in time in microseconds since 1970, UTC. Zero often stands for "never".
///
/// Arithmetic on it cannot fail: what is beyond ``min`` or ``max`` becomes these.
public struct Timestamp: TypedNumber {
    public let rawValue: Int64

    @inlinable
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whole seconds since 1970, without the fraction.
    public var seconds: Int64 { rawValue / 1_000_000 }

    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(time.rawValue.addingSaturated(duration.microseconds))
    }

    public static func - (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(time.rawValue.subtractingSaturated(duration.microseconds))
    }

    public static func - (time: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(time.rawValue.subtractingSaturated(earlier.rawValue))
    }
}

extension Duration {
    /// Whole microseconds, for arithmetic with stored times.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return isTooLong ? (seconds < 0 ? .min : .max) : whole.addingSaturated(attoseconds / 1_000_000_000_000)
    }
}

extension FixedWidthInteger {
    /// The sum, or the greatest or least number if it is beyond.
    @inlinable
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the greatest or least number if it is beyond.
    @inlinable
    public func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        return isBeyond ? (other > 0 ? .min : .max) : difference
    }
}

/// The accounts that may see something, held as the contract and the database hold them, so that no list is copied on
/// its way from one to the other.
public struct Audience: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable, Sendable {
    public let rawValues: [Int64]

    @inlinable
    public init(_ rawValues: [Int64]) { self.rawValues = rawValues }

    public init(arrayLiteral accounts: AccountNumber...) { self.init(accounts) }

    public init(_ accounts: some Sequence<AccountNumber>) { rawValues = accounts.map(\.rawValue) }

    @inlinable
    public var startIndex: Int { 0 }

    @inlinable
    public var endIndex: Int { rawValues.count }

    @inlinable
    public subscript(index: Int) -> AccountNumber { AccountNumber(rawValues[index]) }
}
