import Schema

/// An expected "no" to a request, on its way to the client: a stable code, and a text for people that says why.
public struct Refusal: Error, Equatable, Sendable {
    /// A stable snake_case word. Clients decide by it, and it is a label in metrics.
    public struct Code: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: StaticString) { rawValue = value.description }

        public var description: String { rawValue }
    }

    public var code: Code
    /// For people. Cut at 512 bytes on the wire.
    public var message: String
    /// The request's field it is about, if one.
    public var field: String
    /// How long to wait before the request is sent again; nil: sending it again will not help.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, field: String = "", retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }
}

// MARK: What every service says

extension Refusal.Code {
    public static let invalid: Self = "invalid"
    public static let unauthenticated: Self = "unauthenticated"
    public static let forbidden: Self = "forbidden"
    public static let notFound: Self = "not_found"
    public static let conflict: Self = "conflict"
    public static let rateLimited: Self = "rate_limited"
    public static let tooLarge: Self = "too_large"
    /// The request may have taken effect; sending it again with the same id is right.
    public static let unavailable: Self = "unavailable"
    /// As ``unavailable``: the request may have taken effect.
    public static let deadline: Self = "deadline"
    public static let `internal`: Self = "internal"
    public static let unknownMethod: Self = "unknown_method"
}

extension Refusal {
    /// The request itself is wrong. `why` is a sentence about `field`.
    public static func invalid(_ field: String, _ why: String) -> Refusal {
        Refusal(.invalid, why, field: field)
    }

    /// Nobody is signed in, or the token is no longer good.
    public static let unauthenticated = Refusal(.unauthenticated, "Sign in first.")

    /// The caller is known and may not.
    public static func forbidden(_ why: String) -> Refusal { Refusal(.forbidden, why) }

    public static let notFound = Refusal(.notFound, "There is no such thing, or you may not see it.")

    /// Too much at a time, from this caller or from all.
    public static func rateLimited(_ retryAfter: Duration) -> Refusal {
        Refusal(.rateLimited, "Too many requests. Wait a moment, then send it again.", retryAfter: retryAfter)
    }

    public static let tooLarge = Refusal(.tooLarge, "This is larger than allowed.")

    /// Whoever would answer cannot now.
    public static func unavailable(_ why: String, retryAfter: Duration = .milliseconds(500)) -> Refusal {
        Refusal(.unavailable, why, retryAfter: retryAfter)
    }

    public static let deadline = Refusal(
        .deadline,
        "No answer came in time. It may have taken effect; sending it again with the same id is safe.",
        retryAfter: .milliseconds(500))

    /// A mistake of ours; the log knows more.
    public static let `internal` = Refusal(
        .internal, "Something went wrong on our side. It is not because of what you sent.",
        retryAfter: .seconds(1))

    public static let unknownMethod = Refusal(.unknownMethod, "There is no such method in this version of the server.")
}

// MARK: On the wire

extension Refusal {
    /// This refusal in the contract's form, cut to the contract's limits so that any receiver can read it.
    public var problem: Problem {
        Problem(
            code: code.rawValue.prefix(utf8: 64), message: message.prefix(utf8: 512), field: field.prefix(utf8: 64),
            retryAfterMs: retryAfter.map { max(1, $0.milliseconds) } ?? 0)
    }

    public init(_ problem: Problem) {
        self.init(
            Code(rawValue: problem.code), problem.message, field: problem.field,
            retryAfter: problem.retryAfterMs == 0 ? nil : .milliseconds(Int64(problem.retryAfterMs)))
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, within what the wire can say.
    var milliseconds: UInt32 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return UInt32(clamping: product &+ (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension String {
    /// The longest beginning of at most `count` bytes that ends between characters.
    func prefix(utf8 count: Int) -> String {
        guard utf8.count > count else { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= count
            })
    }
}
