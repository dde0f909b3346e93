import Foundation
import GRDB
import ParleyClient

/// What I did and the server does not have.
extension SQLiteRows {
    func unsent() throws -> [UnsentItem] { try all("\(Self.selectUnsent) ORDER BY id", [], Self.unsent) }

    func unsent(about message: Data) throws -> [UnsentItem] {
        try all("\(Self.selectUnsent) WHERE target = ? AND target <> x'' ORDER BY id", [message], Self.unsent)
    }

    func put(_ item: UnsentItem) throws {
        try noteChange()
        try run(
            """
            INSERT OR REPLACE INTO unsent (
              id, lane, method, body, target, target_seq, guess, done_at, was_tried, failure_code, failure_message,
              failure_field, file)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                item.id, item.lane, item.method, item.body, item.target, item.targetSeq,
                try item.guess?.serializedData(), item.doneAtUs, item.wasTried, item.failure?.code.rawValue,
                item.failure?.message, item.failure?.field, item.file,
            ])
    }

    func removeUnsent(_ id: Data) throws {
        try noteChange()
        try run("DELETE FROM unsent WHERE id = ?", [id])
    }

    static let selectUnsent = """
        SELECT id, lane, method, body, target_seq, done_at, target, guess, file, was_tried, failure_code,
          failure_message, failure_field
        FROM unsent
        """

    static func unsent(_ row: Row) -> UnsentItem {
        var item = UnsentItem(
            id: row[0], lane: row[1], method: row[2], body: row[3], targetSeq: row[4], doneAtUs: row[5])
        (item.target, item.file, item.wasTried) = (row[6], row[8], row[9])
        // It is only shown, until the server says how it is.
        item.guess = (row[7] as Data?).flatMap(Parley_V1_Conversation.stored)
        let code: String? = row[10]
        item.failure = code.map { Refusal(Refusal.Code(rawValue: $0), row[11] ?? "", field: row[12]) }
        return item
    }

    /// Puts in rows as another file has them, whatever they are.
    func putUnsent(_ rows: [Row]) throws {
        let known = Set(try db.columns(in: "unsent").map(\.name))
        for row in rows {
            let columns = row.columnNames.filter(known.contains)
            let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
            try db.execute(
                sql: "INSERT OR REPLACE INTO unsent (\(columns.joined(separator: ", "))) VALUES (\(places))",
                arguments: StatementArguments(columns.map { row[$0] as DatabaseValue }))
        }
    }
}
