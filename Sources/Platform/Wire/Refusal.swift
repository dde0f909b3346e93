import Schema

/// An expected "no" to a request, on its way to the client: a stable code, and the reason in words for people.
public struct Refusal: Error, Equatable, Sendable {
    public typealias Code = RefusalCode

    public var code: Code
    /// For people. Cut at 512 bytes on the wire.
    public var message: String
    /// The field of the request that it is about, if any.
    public var field: String
    /// How long to wait before sending the request again; nil if sending it again will not help.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, field: String = "", retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }
}

// MARK: Refusals of every service

extension Refusal {
    /// The request itself is wrong. `why` describes what is wrong with `field`.
    public static func invalid(_ field: String, _ why: String) -> Refusal {
        Refusal(.invalid, why, field: field)
    }

    /// Nobody is signed in, or the token is no longer valid.
    public static let unauthenticated = Refusal(.unauthenticated, "Sign in first.")

    /// The caller is known but is not allowed to do this.
    public static func forbidden(_ why: String) -> Refusal { Refusal(.forbidden, why) }

    public static let notFound = Refusal(.notFound, "This does not exist, or you may not see it.")

    /// Too many requests at a time, from this caller or from all.
    public static func rateLimited(_ retryAfter: Duration) -> Refusal {
        Refusal(.rateLimited, "Too many requests. Wait a moment, then try again.", retryAfter: retryAfter)
    }

    public static let tooLarge = Refusal(.tooLarge, "The request is larger than allowed.")

    /// The service that should answer cannot do so now.
    public static func unavailable(_ why: String, retryAfter: Duration = .milliseconds(500)) -> Refusal {
        Refusal(.unavailable, why, retryAfter: retryAfter)
    }

    public static let deadline = Refusal(
        .deadline,
        "No answer came in time. The request may have taken effect; sending it again with the same id is safe.",
        retryAfter: .milliseconds(500))

    /// An error in the server; the log has the details.
    public static let `internal` = Refusal(
        .internal, "The server failed. Your request did not cause it. Try again later.",
        retryAfter: .seconds(1))

    public static let unknownMethod = Refusal(.unknownMethod, "This version of the server has no such method.")
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
    /// Whole milliseconds, rounded up, within the range of the wire format.
    var milliseconds: UInt32 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return UInt32(clamping: product &+ (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension String {
    /// Returns the longest prefix of at most `count` bytes that ends between characters.
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
