/// Why a request to the database came to nothing.
public enum DatabaseError: Error, Sendable, Equatable {
    /// Not connected, or the connection was lost before or while the request ran. Whether a write happened is then
    /// unknown: repeat it only if it is retry-safe.
    case unavailable(String)

    /// PostgreSQL refused it; nothing of it happened.
    /// - Parameters:
    ///   - sqlstate: the five characters of PostgreSQL's appendix A, as `23505`.
    ///   - message: for the log, never for a client: it may contain values.
    ///   - detail: empty when there is none.
    ///   - constraint: the name of the constraint that was violated, else empty.
    case failed(sqlstate: String, message: String, detail: String, constraint: String)

    /// Too many requests wait for a connection. Nothing was sent.
    case busy

    /// A row is not what the statement's decode expects: a fault of ours.
    case unexpected(String)

    /// The SQLSTATE of ``failed(sqlstate:message:detail:constraint:)``, else nil.
    public var sqlstate: String? {
        if case .failed(let sqlstate, _, _, _) = self { sqlstate } else { nil }
    }

    /// Whether the whole transaction may succeed when it is run again: serialization failure or deadlock.
    public var isTransient: Bool { sqlstate == "40001" || sqlstate == "40P01" }

    /// Whether a value was to blame rather than the statement or the state of the server (classes 22 and 23): one bad
    /// item of a batch does this, and the rest would pass without it.
    public var isAboutValues: Bool { sqlstate.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false }

    /// A failure found on this side, in PostgreSQL's own terms.
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
        case .busy: "too many requests wait for the database"
        case .unexpected(let what): "unexpected answer from the database: \(what)"
        }
    }
}
