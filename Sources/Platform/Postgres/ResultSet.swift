import CPostgres

/// The answer to one request.
public final class ResultSet: @unchecked Sendable {
    // Sendable: a received result never changes, and only deinit frees it.

    let handle: OpaquePointer

    /// Takes ownership of `handle`.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// Number of rows returned.
    public var count: Int { Int(PQntuples(handle)) }

    /// Number of rows that an INSERT, UPDATE, DELETE or MERGE changed, or a SELECT returned.
    public var affected: Int {
        guard let text = PQcmdTuples(handle) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// The command tag, such as `COMMIT` or `INSERT 0 1`.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    func decode<Row>(_ statement: Statement<Row>) throws(DatabaseError) -> [Row] {
        let count = PQntuples(handle)
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        for index in 0..<count { rows.append(try decode(statement, row: index)) }
        return rows
    }

    func decode<Row>(_ statement: Statement<Row>, row: CInt) throws(DatabaseError) -> Row {
        do {
            return try statement.decode(RowReader(result: handle, row: row))
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw .unexpected("\(error)")
        }
    }
}

/// A result of libpq.
extension OpaquePointer {
    /// Returns the error of a failed result, and whether the connection is lost.
    func failure() -> (error: DatabaseError, isFatal: Bool) {
        func field(_ letter: Unicode.Scalar) -> String {
            PQresultErrorField(self, CInt(letter.value)).map { String(cString: $0) } ?? ""
        }
        // Swift does not import the character macros of libpq's header: PG_DIAG_SQLSTATE and so on.
        let code = field("C")
        let message = field("M")
        let severity = field("V")
        if code.isEmpty || severity == "FATAL" || severity == "PANIC" {
            let text = message.isEmpty ? String(cString: PQresultErrorMessage(self)).trimmed : message
            return (.unavailable(text), true)
        }
        return (
            DatabaseError(DatabaseError.Code(code), message, detail: field("D"), constraint: field("n")), false
        )
    }
}

extension String {
    /// The text with its non-empty lines joined by spaces.
    var trimmed: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
