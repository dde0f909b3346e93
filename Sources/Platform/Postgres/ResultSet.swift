import CPostgres

/// The answer to one request.
public final class ResultSet: @unchecked Sendable {
    // Sendable: the result is never changed once received; only deinit frees it.

    let handle: OpaquePointer

    /// Takes over `handle`.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// How many rows were returned.
    public var count: Int { Int(PQntuples(handle)) }

    /// How many rows an INSERT, UPDATE, DELETE or MERGE changed, or a SELECT returned.
    public var affected: Int {
        guard let text = PQcmdTuples(handle) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// What was done, as `COMMIT` or `INSERT 0 1`.
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

/// What libpq's result says, in our words.
extension OpaquePointer {
    /// What failed, and whether it took the connection with it.
    func failure() -> (error: DatabaseError, isFatal: Bool) {
        func field(_ letter: Unicode.Scalar) -> String {
            PQresultErrorField(self, CInt(letter.value)).map { String(cString: $0) } ?? ""
        }
        // libpq's header has these as character macros, which Swift does not see: PG_DIAG_SQLSTATE and so on.
        let sqlstate = field("C")
        let message = field("M")
        let severity = field("V")
        if sqlstate.isEmpty || severity == "FATAL" || severity == "PANIC" {
            let text = message.isEmpty ? String(cString: PQresultErrorMessage(self)).trimmed : message
            return (.unavailable(text), true)
        }
        return (
            .failed(sqlstate: sqlstate, message: message, detail: field("D"), constraint: field("n")), false
        )
    }
}

extension String {
    /// Without the white space at its end and with one line only.
    var trimmed: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
