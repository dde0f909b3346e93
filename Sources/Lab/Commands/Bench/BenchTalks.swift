import Command
import Postgres
import Reactor

/// Conversations of a bench with one message each, imported because 10,000 requests take a while.
enum BenchTalks {
    /// Creates one conversation (a group of two) of `person` with each of `others`, last touched at a time; by default
    /// an hour ago.
    /// - Returns: their ids, in the order of `others`.
    @ReactorActor
    static func make(
        of person: BenchPerson, with others: [BenchPerson], at time: Int64 = Times.now() - 3_600_000_000,
        in connection: Connection
    ) async throws -> [String] {
        let own = try await connection.query(BenchPeople.accountNumbers, .texts([person.user]))
        let peers = try await connection.query(BenchPeople.accountNumbers, .texts(others.map(\.user)))
        guard let account = own.first, peers.count == others.count else {
            throw Failure(.failed, "Some people of the bench are not in the database.")
        }
        let run = BenchPeople.hex(.random(in: 0 ... .max))
        let ids = others.indices.map { run + BenchPeople.hex(UInt64($0)) }
        let numbers = try await BenchPeople.importGroups(
            zip(ids, peers).map { ($0, [account, $1]) }, at: time, in: connection)
        for start in stride(from: 0, to: numbers.count, by: BenchPeople.together) {
            let part = start..<min(start + BenchPeople.together, numbers.count)
            try await connection.execute(
                say, .int64(time), .int64s(Array(numbers[part])), .int64s(Array(peers[part])))
        }
        try await connection.execute(BenchPeople.settle)
        return ids
    }

    /// Has someone say something in each conversation, without words to search for. $1 the time, $2 conversations, $3
    /// who says it in each.
    private static let say = Statement<Void>(
        """
        SELECT messaging.import_messages($1, array_agg(conversation), array_agg(gen_random_uuid()), array_agg(sender),
            array_agg(1::smallint), array_agg('An hour ago.'::text), array_agg($1), '{}', array_agg(''::text))
        FROM unnest($2, $3) AS said (conversation, sender)
        """)

    /// Reads the numbers of the conversations with the ids $1, in that order.
    static let conversationNumbers = Statement(
        """
        SELECT c.conversation
        FROM unnest($1) WITH ORDINALITY AS i (conversation_id, place)
        JOIN conversations.conversation_ids AS c USING (conversation_id)
        ORDER BY i.place
        """
    ) { row in try row.int64(0) }
}
