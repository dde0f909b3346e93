/// The reason why a database request failed.
public enum DatabaseError: Error, Sendable, Equatable {
    /// There is no connection, or it was lost before or during the request. The outcome of a write is then unknown;
    /// repeat it only if it is retry-safe.
    case unavailable(String)

    /// PostgreSQL refused the request, which had no effect.
    /// - Parameters:
    ///   - sqlstate: the five-character code from PostgreSQL's appendix A, such as `23505`.
    ///   - message: for the log, never for a client, because it may contain values.
    ///   - detail: empty when there is none.
    ///   - constraint: the name of the violated constraint, or empty.
    case failed(sqlstate: String, message: String, detail: String, constraint: String)

    /// Too many requests wait for a connection. Nothing was sent.
    case busy

    /// A programming error of ours, such as a row that the statement's decoder does not expect.
    case unexpected(String)

    /// The SQLSTATE of ``failed(sqlstate:message:detail:constraint:)``; nil for other errors.
    public var sqlstate: String? {
        if case .failed(let sqlstate, _, _, _) = self { sqlstate } else { nil }
    }

    /// Whether the whole transaction may succeed if run again, after a serialization failure or deadlock.
    public var isTransient: Bool { sqlstate == "40001" || sqlstate == "40P01" }

    /// Whether a value caused the failure, not the statement or the state of the server (classes 22 and 23). One bad
    /// item of a batch is enough; the other items would succeed without it.
    public var isAboutValues: Bool { sqlstate.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false }

    /// A failure detected on this side, with a SQLSTATE of PostgreSQL.
    static func refused(_ sqlstate: String, _ message: String) -> DatabaseError {
        .failed(sqlstate: sqlstate, message: message, detail: "", constraint: "")
    }
}

extension DatabaseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable(let why): "database unavailable: \(why)"
        case .failed(let sqlstate, let message, let detail, _):
            "\(message) (SQLSTATE \(sqlstate))" + (detail.isEmpty ? "" : ": \(detail)")
        case .busy: "too many requests are waiting for the database"
        case .unexpected(let what): "unexpected answer from the database: \(what)"
        }
    }
}
