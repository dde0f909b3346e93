import Command
import Logging
import Postgres
import Reactor

/// Measures PostgreSQL alone with messages, 256 per statement over one connection, each statement a commit.
@ReactorActor
struct DatabaseLimit {
    private static let batch = 256
    private let connection: Connection
    private let seconds: Int
    private let text: String

    init(_ connection: Connection, seconds: Int, bodyBytes: Int) {
        (self.connection, self.seconds) = (connection, seconds)
        text = String(repeating: "x", count: bodyBytes)
    }

    /// Returns the rows per second into a table that has only the columns and keys of messages.
    /// - Parameter spread: the number of conversations that they go to.
    func bareRows(spread: Int) async throws -> Double {
        try await connection.execute(Statement("CREATE SCHEMA bench"))
        try await connection.execute(
            Statement(
                """
                CREATE TABLE bench.rows (
                    conversation bigint NOT NULL,
                    seq bigint NOT NULL,
                    id uuid NOT NULL,
                    sender bigint,
                    kind smallint NOT NULL,
                    text text NOT NULL,
                    sent_at bigint NOT NULL,
                    position bigint NOT NULL,
                    PRIMARY KEY (conversation, seq),
                    UNIQUE (conversation, id)
                )
                """))
        var number: Int64 = 0
        let conversations = Int64(max(spread, 1))
        return try await repeated { ids, now in
            let numbers = (0..<Int64(Self.batch)).map { number + $0 }
            number += Int64(Self.batch)
            let seqs = numbers.map { $0 / conversations + 1 }
            try await connection.execute(
                Self.insertRows, .int64s(numbers.map { $0 % conversations }), .int64s(seqs), .uuids(ids),
                .texts(Array(repeating: text, count: Self.batch)), .int64(now))
        }
    }

    /// Returns the messages per second of the service's own statement alone, on a lane of its own.
    func sameStatement(_ conversations: [String], _ database: DatabaseConfiguration) async throws -> Double {
        let found = try await connection.query(Self.sendersOf, .texts(conversations))
        guard !found.isEmpty else { return 0 }
        let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let lane = try await Lane.claim(schema: "messaging", database, log: quiet)
        defer { lane.close() }
        var next = 0
        return try await repeated { ids, now in
            let items = (0..<Self.batch).map { found[(next + $0) % found.count] }
            next += Self.batch
            _ = try await connection.query(
                Self.sendBatch, .int32(Int32(lane.number)), .int64(now), .int64s(items.map(\.conversation)),
                .int64s(items.map(\.sender)),
                .uuids(ids), .int16s(Array(repeating: 1, count: Self.batch)),
                .texts(Array(repeating: text, count: Self.batch)))
        }
    }

    /// Runs batches one after the other for ``seconds``, and returns items per second.
    private func repeated(_ run: ([[UInt8]], Int64) async throws -> Void) async throws -> Double {
        var message = MessageNumber(sender: 0, run: .random(in: 0 ... .max), number: 0)
        func once() async throws {
            let now = Times.now()
            let ids = (0..<Self.batch).map { _ in
                message.number += 1
                return message.bytes(at: UInt64(now / 1000))
            }
            try await run(ids, now)
        }
        for _ in 0..<10 { try await once() }
        let began = ContinuousClock.now
        var batches = 0
        while ContinuousClock.now - began < .seconds(seconds) {
            try Task.checkCancellation()
            try await once()
            batches += 1
        }
        return Double(batches * Self.batch) / ((ContinuousClock.now - began) / .seconds(1))
    }

    /// $1 conversations, $2 seqs, $3 ids, $4 texts, $5 time.
    private static let insertRows = Statement(
        """
        INSERT INTO bench.rows (conversation, seq, id, sender, kind, text, sent_at, position)
        SELECT conversation, seq, id, 1, 1, text, $5, seq
        FROM unnest($1, $2, $3, $4) AS i (conversation, seq, id, text)
        """)

    /// Reads the numbers of the conversations with the ids $1, and a member of each.
    private static let sendersOf = Statement(
        """
        SELECT c.conversation, min(m.account)
        FROM conversations.conversation_ids AS c
        JOIN conversations.access AS m USING (conversation)
        WHERE c.conversation_id = ANY ($1)
        GROUP BY c.conversation
        ORDER BY c.conversation
        """
    ) { row in (conversation: try row.int64(0), sender: try row.int64(1)) }

    private static let sendBatch = Statement(
        """
        SELECT ordinal, outcome, seq, position, sent_at, number, audience
        FROM messaging.send_batch($1, $2, $3, $4, $5, $6, $7)
        """
    ) { row in try row.int16(1) }
}
