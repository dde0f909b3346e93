import Foundation
import GRDB
import ParleyClient

/// Reading what I did and the server does not have.
extension SQLiteRows {
    static let selectUnsent = """
        SELECT id, lane, method, body, target, guess, done_at, was_tried, failure_code, failure_message, failure_field,
          file
        FROM unsent
        """

    static func unsent(_ row: Row) throws -> UnsentItem {
        let guess: Data? = row[5]
        let code: String? = row[8]
        return UnsentItem(
            id: row[0], lane: row[1], intent: try Intent(method: row[2], body: row[3]), target: row[4],
            guess: try guess.map { try Parley_V1_Conversation(serializedBytes: $0) }, file: row[11], doneAtUs: row[6],
            wasTried: row[7],
            failure: code.map { Refusal(Refusal.Code(rawValue: $0), row[9] ?? "", field: row[10]) })
    }
}
