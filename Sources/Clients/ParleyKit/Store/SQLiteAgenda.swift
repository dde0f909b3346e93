import Foundation
import GRDB
import ParleyClient

/// What the server answered for agendas.
extension SQLiteRows {
    func agenda(_ days: AgendaDays) throws -> StoredAgenda? {
        try first(
            """
            SELECT first, last, body
            FROM agenda
            WHERE zone = ? AND conversation = ? AND first <= ? AND last >= ?
            ORDER BY number DESC
            LIMIT 1
            """, [days.zone, days.conversation, days.first, days.last]
        ) { row in
            var days = days
            (days.first, days.last) = (row[0], row[1])
            return Parley_V1_ListEventsReply.stored(row[2]).map { StoredAgenda(days: days, dates: $0) }
        } ?? nil
    }

    func put(_ agenda: StoredAgenda) throws {
        let days = agenda.days
        try run(
            "DELETE FROM agenda WHERE zone = ? AND conversation = ? AND first = ? AND last = ?",
            [days.zone, days.conversation, days.first, days.last])
        try run(
            "INSERT INTO agenda (zone, conversation, first, last, body) VALUES (?, ?, ?, ?, ?)",
            [days.zone, days.conversation, days.first, days.last, try agenda.dates.serializedData()])
        try run(
            """
            DELETE FROM agenda
            WHERE number <= (SELECT number FROM agenda ORDER BY number DESC LIMIT 1 OFFSET \(AgendaDays.keptMax))
            """)
    }
}
