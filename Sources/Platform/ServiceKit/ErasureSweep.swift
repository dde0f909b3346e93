import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Deletes what a table has of one person, a few rows at most: a step of their erasure.
public func erasing(_ table: String) -> Statement<Void> {
    Statement(
        """
        DELETE FROM \(table)
        WHERE account = $1
            AND $2::bigint > 0
        """)
}

/// Deletes a service's data of erased people (A5). At start and every few seconds it queries `conversations.erased` for
/// people who are not done.
///
/// It deletes in chunks, each in its own statement and transaction. So it continues where a process died, and several
/// replicas may sweep at the same time. Requests under way at the erasure may still write, so a person is checked again
/// until nothing has been left for a while. Then they are recorded in the service's own schema:
///
/// ```sql
/// CREATE TABLE messaging.erased (
///     account bigint PRIMARY KEY,
///     at bigint NOT NULL
/// );
/// ```
@ReactorActor
final class ErasureSweep {
    /// The maximum number of rows that one statement deletes.
    private static let chunk: Int64 = 500

    private let database: any Queryable
    private let steps: [Statement<Void>]
    private let unless: Statement<Bool>?
    private let statements: ErasureStatements
    private let worker: Worker
    /// Everyone erased before this time is done.
    private var since: Timestamp = 0
    /// The accounts for which the last sweep found nothing.
    private var clean: Set<AccountNumber> = []

    /// - Parameters:
    ///   - steps: statements that delete a person's data. Each takes $1 account, $2 maximum number of rows.
    ///   - unless: returns whether more data of $1 account may still appear; nil if it cannot.
    init(
        schema: String, database: any Queryable, log: Logger, interval: Duration = .seconds(3),
        steps: [Statement<Void>], unless: Statement<Bool>?
    ) {
        self.database = database
        self.steps = steps
        self.unless = unless
        worker = Worker(every: interval, log: log, failed: "the data of erased people cannot be deleted for now")
        statements = ErasureStatements(schema: schema)
    }

    /// Starts sweeping.
    func start() { worker.start { [weak self] in try await self?.sweep() } }

    /// Stops sweeping and waits for the work under way.
    func stop() async { await worker.stop() }

    /// Sweeps everyone who is not done, once.
    func sweep() async throws {
        let found = try await database.query(statements.open, .number(since))
        guard let first = found.first else { return }
        for person in found where !worker.isStopping {
            guard let account = person.account else { continue }
            // Checked before deleting, so that the next sweep finds what is written meanwhile.
            let mayGrow = if let unless { try await database.first(unless, .number(account)) ?? false } else { false }
            let deleted = try await delete(account)
            guard person.isSettled, deleted == 0, !mayGrow else {
                clean.remove(account)
                continue
            }
            // One clean sweep is no proof, since it skips rows that another transaction has locked.
            guard clean.remove(account) != nil else {
                clean.insert(account)
                continue
            }
            try await database.execute(statements.done, .number(account))
        }
        // Another replica may have recorded someone who was clean here.
        clean.formIntersection(found.compactMap(\.account))
        // An erasure gets its time a little before it becomes visible.
        since = max(0, first.erasedAt - .seconds(600))
    }

    /// Deletes a person's data in chunks.
    /// - Returns: the number of deleted rows.
    private func delete(_ account: AccountNumber) async throws -> Int {
        var deleted = 0
        for step in steps {
            while !worker.isStopping {
                let now = try await database.execute(step, .number(account), .int64(Self.chunk))
                deleted += now
                guard now >= Self.chunk else { break }
            }
        }
        return deleted
    }
}

private struct ErasureStatements: Sendable {
    /// $1 erased after. Returns the people who are not done, oldest first, with the time of their erasure and whether
    /// that is so long ago that nothing is under way any longer. The last row has the current time and no account, so
    /// that there is always one.
    let open: Statement<(account: AccountNumber?, erasedAt: Timestamp, isSettled: Bool)>
    /// $1 account.
    let done: Statement<Void>

    init(schema: String) {
        open = Statement(
            """
            SELECT p.account, p.erased_at, p.erased_at <= t.now - 60000000
            FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t
            CROSS JOIN LATERAL (
                (
                    SELECT e.account, e.erased_at
                    FROM conversations.erased AS e
                    WHERE e.erased_at > $1
                        AND NOT EXISTS (SELECT FROM \(schema).erased AS d WHERE d.account = e.account)
                    ORDER BY e.erased_at
                    LIMIT 1000
                )
                UNION ALL
                SELECT NULL, t.now
            ) AS p
            ORDER BY p.erased_at
            """
        ) { row in
            (account: try row.optionalAccount(0), erasedAt: try row.time(1), isSettled: try row.bool(2))
        }
        done = Statement(
            """
            INSERT INTO \(schema).erased (account, at)
            VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
            ON CONFLICT DO NOTHING
            """)
    }
}
