/// The reason why a database request failed.
///
/// When PostgreSQL refused the request, it had no effect. Its code then bears PostgreSQL's name for it; every other
/// code is one of ``Code/unavailable``, ``Code/busy`` and ``Code/unexpected``.
public struct DatabaseError: Error, Sendable, Equatable {
    /// What kind of failure it is.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The five characters of an SQLSTATE, or a word for a failure that PostgreSQL did not report.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    public let code: Code
    /// For the log, never for a client, because it may contain values.
    public let message: String
    /// Empty when there is none.
    public let detail: String
    /// The name of the violated constraint, or empty.
    public let constraint: String

    init(_ code: Code, _ message: String, detail: String = "", constraint: String = "") {
        self.code = code
        self.message = message
        self.detail = detail
        self.constraint = constraint
    }

    /// There is no connection, or it was lost before or during the request. The outcome of a write is then unknown;
    /// repeat it only if it is retry-safe.
    public static func unavailable(_ why: String) -> DatabaseError { DatabaseError(.unavailable, why) }

    /// Too many requests wait for a connection. Nothing was sent.
    public static let busy = DatabaseError(.busy, "too many requests are waiting for the database")

    /// A programming error of ours, such as a row that the statement's decoder does not expect.
    public static func unexpected(_ what: String) -> DatabaseError { DatabaseError(.unexpected, what) }

    /// Whether the whole transaction may succeed if run again, after a serialization failure or deadlock.
    public var isTransient: Bool { code == .serializationFailure || code == .deadlockDetected }

    /// Whether a value caused the failure, not the statement or the state of the server (classes 22 and 23). One bad
    /// item of a batch is enough; the other items would succeed without it.
    public var isAboutValues: Bool { code.isOfClass("22") || code.isOfClass("23") }

    /// Whether the state of the server caused the failure: it is out of resources (class 53), or it is stopping or
    /// starting (57P).
    public var isAboutServer: Bool { code.isOfClass("53") || code.isOfClass("57P") }
}

extension DatabaseError.Code {
    public static let unavailable = Self("unavailable")
    public static let busy = Self("busy")
    public static let unexpected = Self("unexpected")

    // By the names of PostgreSQL's appendix A, in its order.

    public static let featureNotSupported = Self("0A000")
    public static let characterNotInRepertoire = Self("22021")
    public static let invalidParameterValue = Self("22023")
    public static let invalidBinaryRepresentation = Self("22P03")
    public static let uniqueViolation = Self("23505")
    public static let checkViolation = Self("23514")
    public static let inFailedSQLTransaction = Self("25P02")
    public static let idleInTransactionSessionTimeout = Self("25P03")
    public static let invalidSQLStatementName = Self("26000")
    public static let invalidSchemaName = Self("3F000")
    public static let serializationFailure = Self("40001")
    public static let deadlockDetected = Self("40P01")
    public static let insufficientPrivilege = Self("42501")
    public static let undefinedFunction = Self("42883")
    public static let undefinedTable = Self("42P01")
    public static let programLimitExceeded = Self("54000")
    public static let tooManyArguments = Self("54023")
    public static let lockNotAvailable = Self("55P03")
    public static let queryCanceled = Self("57014")

    fileprivate func isOfClass(_ prefix: String) -> Bool { description.hasPrefix(prefix) }
}

extension DatabaseError: CustomStringConvertible {
    public var description: String {
        switch code {
        case .unavailable: "database unavailable: \(message)"
        case .busy: message
        case .unexpected: "unexpected answer from the database: \(message)"
        default: "\(message) (SQLSTATE \(code))" + (detail.isEmpty ? "" : ": \(detail)")
        }
    }
}
