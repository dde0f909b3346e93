import CPostgres
import Reactor

/// Several statements sent as one query, and their first error.
@ReactorActor
final class Script {
    let sql: String
    var continuation: CheckedContinuation<(error: DatabaseError, line: Int?)?, Never>?
    private var failure: (error: DatabaseError, line: Int?)?

    init(_ sql: String) { self.sql = sql }

    /// - Parameter position: the character that the error points to, counted from 1.
    func note(_ error: DatabaseError, at position: Int?) {
        guard failure == nil else { return }
        let line = position.map { 1 + sql.unicodeScalars.prefix($0 - 1).count { $0 == "\n" } }
        failure = (error, line)
    }

    func finish(_ error: DatabaseError?) {
        continuation?.resume(returning: failure ?? error.map { ($0, nil) })
        continuation = nil
    }
}

extension ResultSet {
    /// The character of the statement that the error points to, counted from 1.
    var errorPosition: Int? {
        // PG_DIAG_STATEMENT_POSITION
        PQresultErrorField(handle, CInt(UInt8(ascii: "P"))).flatMap { Int(String(cString: $0)) }
    }
}
