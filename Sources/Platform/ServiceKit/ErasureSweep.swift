import Logging
import Postgres
import Reactor
import Wire

/// Deletes what a service keeps of people who had themselves erased (A5): at start and every few seconds it asks
/// `conversations.erased` for those who are not done.
///
/// It deletes in chunks, each a statement and transaction of its own, so it goes on where a process died, and replicas
/// may do it at the same time. A person is looked at again until nothing was left for a while after the erasure: what
/// was under way when it was asked for may still write. Then they are noted in the service's own schema:
///
/// ```sql CREATE TABLE messaging.erased (
///     account bigint PRIMARY KEY,
///     at bigint NOT NULL ); ```
@ReactorActor
public final class ErasureSweep {
    /// Rows a statement deletes at most.
    private static let chunk: Int64 = 500

    private let database: any Queryable
    private let log: Logger
    private let steps: [Statement<Void>]
    private let unless: Statement<Bool>?
    private let statements: ErasureStatements
    private let interval: Duration
    /// Those erased before are all done.
    private var since: Int64 = 0
    /// Of whom the last sweep found nothing.
    private var clean: Set<Int64> = []
    private var timer: Reactor.Timer?
    private var isStopping = false
    private var isWorking = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))

    /// - Parameters:
    ///   - steps: statements that delete what is kept of a person. Each: $1 account, $2 how many rows at most.
    ///   - unless: $1 account: whether more of them may still come to be; nil: it may not.
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

    /// Begins to sweep.
    public func start() { tick() }

    /// Ends what is under way and sweeps no more.
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

    /// Everybody who is not done, once.
    func sweep() async throws {
        let found = try await database.query(statements.open, .int64(since))
        guard let first = found.first else { return }
        for person in found where !isStopping {
            guard let account = person.account else { continue }
            // Asked before: what was still written meanwhile is found by the next sweep.
            let mayGrow = if let unless { try await database.first(unless, .int64(account)) ?? false } else { false }
            let deleted = try await delete(account)
            guard person.isSettled, deleted == 0, !mayGrow else {
                clean.remove(account)
                continue
            }
            // Once is no proof: a row that another held was passed by.
            guard clean.remove(account) != nil else {
                clean.insert(account)
                continue
            }
            try await database.execute(statements.done, .int64(account))
        }
        // Another replica may have noted who was clean here.
        clean.formIntersection(found.compactMap(\.account))
        // Who is erased gets a time a little before others can see it.
        since = max(0, first.erasedAt - 600_000_000)
    }

    /// - Returns: how many rows.
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
        log.warning("erased people are not swept for now", metadata: ["error": "\(error)", "more": "\(more)"])
    }
}

private struct ErasureStatements: Sendable {
    /// $1 erased after: who is not done, oldest first, with when, and whether that is so long ago that nothing is under
    /// way any more. The last row is without account: now, so that there is always one.
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
