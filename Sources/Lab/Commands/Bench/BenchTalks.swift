import Command
import Postgres
import Reactor

/// Conversations of a bench with one message each, created in the database because 10,000 requests take a while.
enum BenchTalks {
    /// Creates one conversation (a group of two) of `person` with each of `others`, last touched an hour ago.
    /// - Returns: their ids, in the order of `others`.
    @ReactorActor
    static func make(
        of person: BenchPerson, with others: [BenchPerson], in connection: Connection
    ) async throws -> [String] {
        let own = try await connection.query(BenchPeople.accountNumbers, .texts([person.user]))
        let peers = try await connection.query(BenchPeople.accountNumbers, .texts(others.map(\.user)))
        guard let account = own.first, peers.count == others.count else {
            throw Failure("failed", "Some people of the bench are not in the database.")
        }
        let run = BenchPeople.hex(.random(in: 0 ... .max))
        let ids = others.indices.map { run + BenchPeople.hex(UInt64($0)) }
        let hourAgo = Times.now() - 3_600_000_000
        try await connection.execute(add, .texts(ids), .int64(account), .int64s(peers), .int64(hourAgo))
        for statement in BenchPeople.prepared + prepared { try await connection.execute(Statement(statement)) }
        return ids
    }

    /// $1 conversation ids, $2 a member of all, $3 the other member of each, $4 the time.
    private static let add = Statement(
        """
        WITH asked AS (
            SELECT id, peer, place
            FROM unnest($1::text[], $3::bigint[]) WITH ORDINALITY AS i (id, peer, place)
        ),
        made AS (
            INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at)
            SELECT id, 2, $2, $4
            FROM asked
            RETURNING conversation, conversation_id
        ),
        talk AS (
            SELECT m.conversation, a.peer, a.place
            FROM made AS m
            JOIN asked AS a ON a.id = m.conversation_id
        ),
        member AS (
            SELECT conversation, $2 AS account, place AS position
            FROM talk
            UNION ALL
            SELECT conversation, peer, row_number() OVER (PARTITION BY peer ORDER BY place)
            FROM talk
        ),
        joined AS (
            INSERT INTO conversations.members (conversation, account, joined_at, position)
            SELECT conversation, account, $4, position
            FROM member
        ),
        placed AS (
            INSERT INTO conversations.heads AS h (account, position)
            SELECT account, max(position)
            FROM member
            GROUP BY account
            ON CONFLICT (account) DO UPDATE
            SET position = GREATEST(h.position, excluded.position)
        ),
        headed AS (
            INSERT INTO messaging.heads (conversation, seq, position)
            SELECT conversation, 1, 1
            FROM talk
        ),
        said AS (
            INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position)
            SELECT conversation, 1, gen_random_uuid(), peer, 1, 'An hour ago.', $4, 1
            FROM talk
        )
        INSERT INTO messaging.inbox (account, conversation, touched_at)
        SELECT account, conversation, $4
        FROM member
        """)

    private static let prepared = [
        "VACUUM ANALYZE messaging.messages", "VACUUM ANALYZE messaging.inbox", "VACUUM ANALYZE conversations.heads",
    ]
}
