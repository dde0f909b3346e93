import Foundation
import GRDB
import ParleyClient

/// The index of words, and searching it.
extension SQLiteRows {
    /// The place of a message in the index of words: its conversation, then its seq.
    static func place(_ number: Int64, _ seq: Int64) -> Int64 { number << 32 | min(seq, 0xffff_ffff) }

    func putWords(of message: Parley_V1_Message, _ number: Int64) throws {
        let place = Self.place(number, message.seq)
        let words = message.isGone(at: 0) ? "" : SearchWord.line(of: message.text)
        guard !words.isEmpty else { return try run("DELETE FROM message_words WHERE rowid = ?", [place]) }
        try run(
            "INSERT OR REPLACE INTO message_words (rowid, words, sent_at) VALUES (?, ?, ?)",
            [place, words, message.sentAtUs])
    }

    /// Messages up to this seq are in the index. Those above are added by the next search: they cost nothing when they
    /// arrive.
    func indexedTo(_ number: Int64) throws -> Int64 {
        if let known = indexed[number] { return known }
        let seq: Int64 = try first("SELECT indexed_to FROM conversation WHERE number = ?", [number]) { $0[0] } ?? 0
        indexed[number] = seq
        return seq
    }

    func indexWords(atMost count: Int) throws -> Bool {
        var left = count
        let behind = try all(
            """
            SELECT number, indexed_to FROM conversation AS c
            WHERE EXISTS (SELECT 1 FROM message WHERE conversation = c.number AND seq > c.indexed_to)
            ORDER BY active_at DESC
            """
        ) { ($0[0] as Int64, $0[1] as Int64) }
        for (number, seq) in behind {
            guard left > 0 else { return false }
            let messages = try all(
                "SELECT body FROM message WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?", [number, seq, left]
            ) { try Parley_V1_Message(serializedBytes: $0[0] as Data) }
            for message in messages { try putWords(of: message, number) }
            let last = messages.last?.seq ?? seq
            try run("UPDATE conversation SET indexed_to = ? WHERE number = ?", [last, number])
            indexed[number] = last
            left -= messages.count
        }
        return left > 0
    }

    func search(
        _ query: SearchQuery, in conversation: String?, before: Int64, limit: Int, at now: Int64
    ) throws -> [Parley_V1_Message] {
        // Words have letters, digits and emoji only.
        let words = query.terms.map { "\"\($0.word)\"" + ($0.isBeginning ? "*" : "") }.joined(separator: " AND ")
        var (first, last) = (Int64(0), Int64.max)
        if let conversation {
            guard let number = try number(conversation) else { return [] }
            (first, last) = (Self.place(number, 0), Self.place(number, .max))
        }
        return try all(
            """
            SELECT message.body, conversation.id FROM message_words
            CROSS JOIN message ON message.conversation = message_words.rowid >> 32
              AND message.seq = message_words.rowid & 4294967295
            JOIN conversation ON conversation.number = message.conversation
            WHERE message_words MATCH ? AND message_words.rowid BETWEEN ? AND ? AND sent_at < ?
              AND (message.expires_at = 0 OR message.expires_at > ?)
            ORDER BY sent_at DESC, conversation.id DESC, message.seq DESC LIMIT ?
            """, [words, first, last, before, now, limit]
        ) { try decode($0[0], $0[1]) }.filter { query.matches(in: $0.text) != nil }
    }
}
