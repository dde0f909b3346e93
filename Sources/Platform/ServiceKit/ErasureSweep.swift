import Logging
import Postgres
import Reactor
import Wire

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
public final class ErasureSweep {
    /// The maximum number of rows that one statement deletes.
    private static let chunk: Int64 = 500

    private let database: any Queryable
    private let log: Logger
    private let steps: [Statement<Void>]
    private let unless: Statement<Bool>?
    private let statements: ErasureStatements
    private let interval: Duration
    /// Everyone erased before this time is done.
    private var since: Int64 = 0
    /// The accounts for which the last sweep found nothing.
    private var clean: Set<Int64> = []
    private var timer: Reactor.Timer?
    private var isStopping = false
    private var isWorking = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))

    /// - Parameters:
    ///   - steps: statements that delete a person's data. Each takes $1 account, $2 maximum number of rows.
    ///   - unless: returns whether more data of $1 account may still appear; nil if it cannot.
    public convenience init(_ context: ServiceContext, steps: [Statement<Void>], unless: Statement<Bool>? = nil) {
        self.init(
            schema: context.journal.schema, database: context.database, log: context.log, steps: steps, unless: unless)
    }

    init(
        schema: String, database: any Queryable, log: Logger, interval: Duration = .seconds(3),
        steps: [Statement<Void>], unless: Statement<Bool>?
    ) {
        self.database = database
        self.log = log
        self.steps = steps
        self.unless = unless
        self.interval = interval
        statements = ErasureStatements(schema: schema)
    }

    /// Starts sweeping.
    public func start() { tick() }

    /// Stops sweeping and waits for the work under way.
    public func stop() async {
        isStopping = true
        if let timer { Reactor.shared.cancel(timer) }
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
    }

    private func tick() {
        guard !isStopping, !isWorking else { return }
        isWorking = true
        Task.immediate { @ReactorActor [self] in
            do {
                try await sweep()
            } catch {
                note(error)
            }
            isWorking = false
            for waiting in onIdle { waiting.resume() }
            onIdle = []
            guard !isStopping else { return }
            timer = Reactor.shared.after(interval) { [weak self] in self?.tick() }
        }
    }

    /// Sweeps everyone who is not done, once.
    func sweep() async throws {
        let found = try await database.query(statements.open, .int64(since))
        guard let first = found.first else { return }
        for person in found where !isStopping {
            guard let account = person.account else { continue }
            // Checked before deleting, so that the next sweep finds what is written meanwhile.
            let mayGrow = if let unless { try await database.first(unless, .int64(account)) ?? false } else { false }
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
            try await database.execute(statements.done, .int64(account))
        }
        // Another replica may have recorded someone who was clean here.
        clean.formIntersection(found.compactMap(\.account))
        // An erasure gets its time a little before it becomes visible.
        since = max(0, first.erasedAt - 600_000_000)
    }

    /// Deletes a person's data in chunks.
    /// - Returns: the number of deleted rows.
    private func delete(_ account: Int64) async throws -> Int {
        var deleted = 0
        for step in steps {
            while !isStopping {
                let now = try await database.execute(step, .int64(account), .int64(Self.chunk))
                deleted += now
                guard now >= Self.chunk else { break }
            }
        }
        return deleted
    }

    private func note(_ error: any Error) {
        guard let more = failureLine.pass(at: .now) else { return }
        log.warning(
            "the data of erased people cannot be deleted for now", metadata: ["error": "\(error)", "more": "\(more)"])
    }
}

private struct ErasureStatements: Sendable {
    /// $1 erased after. Returns the people who are not done, oldest first, with the time of their erasure and whether
    /// that is so long ago that nothing is under way any longer. The last row has the current time and no account, so
    /// that there is always one.
    let open: Statement<(account: Int64?, erasedAt: Int64, isSettled: Bool)>
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
            (account: try row.optionalInt64(0), erasedAt: try row.int64(1), isSettled: try row.bool(2))
        }
        done = Statement(
            """
            INSERT INTO \(schema).erased (account, at)
            VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
            ON CONFLICT DO NOTHING
            """)
    }
}
