import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Answers requests for Updates published before, by number. Any replica answers for all lanes.
@ReactorActor
final class Replay {
    /// The limits of one reply.
    nonisolated static let numbersMax = 500
    static let bytesMax = 512 * 1024
    static let updatesMax = 1000
    /// The contract's limit on the body of one Update.
    static let bodyBytesMax = 122_880
    /// The limits of one reply with accounts: numbers covered, and accounts listed.
    static let accountNumbersMax = 100_000
    static let accountsMax = 100_000
    /// How many entries are rendered first; after that, as many as seem to fit.
    private static let firstSlice = 16

    private let schema: String
    private let database: Database
    private let reader: JournalReader
    private let log: Logger
    private let render: @ReactorActor ([JournalEntry]) async throws -> [ReplayedUpdate]
    private let audiences: Statement<Audiences>
    private var oddLine = LogThrottle(every: .seconds(10))

    /// - Parameter render: returns the Updates of some entries: ``States/replay(_:)``.
    init(
        schema: String, database: Database, log: Logger,
        render: @escaping @ReactorActor ([JournalEntry]) async throws -> [ReplayedUpdate]
    ) {
        self.schema = schema
        self.database = database
        self.log = log
        self.render = render
        reader = JournalReader(schema: schema)
        // Rows are read whole. Those that extend beyond the range only add accounts.
        audiences = Statement(
            """
            SELECT l.number, r.named, r.next, a.accounts
            FROM \(schema).lanes AS l
            CROSS JOIN LATERAL (
                SELECT COALESCE(sum(
                        LEAST(j.number + j.count - 1, $3, l.number) - GREATEST(j.number, $2) + 1
                    ) FILTER (WHERE j.number + j.count > $2), 0)::bigint AS named,
                    (
                        SELECT n.number
                        FROM \(schema).journal AS n
                        WHERE n.lane = $1
                            AND n.number > $3
                        ORDER BY n.number
                        LIMIT 1
                    ) AS next
                FROM (
                    (
                        SELECT number, cardinality(positions) AS count
                        FROM \(schema).journal
                        WHERE lane = $1
                            AND number < $2
                        ORDER BY number DESC
                        LIMIT 1
                    )
                    UNION ALL
                    (
                        SELECT number, cardinality(positions)
                        FROM \(schema).journal
                        WHERE lane = $1
                            AND number BETWEEN $2 AND $3
                    )
                ) AS j
            ) AS r
            CROSS JOIN LATERAL (
                SELECT COALESCE(array_agg(d.account), '{}') AS accounts
                FROM (
                    SELECT DISTINCT u.account
                    FROM (
                        (
                            SELECT audience
                            FROM \(schema).journal
                            WHERE lane = $1
                                AND number < $2
                            ORDER BY number DESC
                            LIMIT 1
                        )
                        UNION ALL
                        (
                            SELECT audience
                            FROM \(schema).journal
                            WHERE lane = $1
                                AND number BETWEEN $2 AND $3
                        )
                    ) AS j
                    CROSS JOIN LATERAL unnest(j.audience) AS u (account)
                    LIMIT $4
                ) AS d
            ) AS a
            WHERE l.lane = $1
            """
        ) { row in
            Audiences(
                committed: try row.int64(0), named: try row.int64(1), next: try row.optionalInt64(2),
                accounts: try row.int64s(3))
        }
    }

    private struct Audiences: Sendable {
        var committed: Int64
        var named: Int64
        /// The number of the first row after the range.
        var next: Int64?
        var accounts: [Int64]
    }

    /// - Throws: ``Refusal`` `invalid`; ``DatabaseError``; errors of rendering.
    func answer(_ request: ReplayRequest) async throws -> ReplayReply {
        guard 1...UInt32(Lane.numberMax) ~= request.lane else {
            throw Refusal.invalid("lane", "must be 1 to \(Lane.numberMax)")
        }
        guard request.from >= 1 else { throw Refusal.invalid("from", "must be at least 1") }
        guard request.to >= request.from else { throw Refusal.invalid("to", "must not be less than from") }
        return request.accountsOnly ? try await accounts(request) : try await updates(request)
    }

    // MARK: Updates

    private func updates(_ request: ReplayRequest) async throws -> ReplayReply {
        let page = try await reader.page(
            of: Int(request.lane), from: request.from, to: request.to, limit: Self.numbersMax, in: database)
        var reply = ReplayReply(through: page.through, incomplete: page.missing > 0)
        var rest = page.entries[...]
        var budget = ReplayBudget(bytes: Self.bytesMax, updates: Self.updatesMax)
        var slice = Self.firstSlice
        while !rest.isEmpty {
            let entries = Array(rest.prefix(slice))
            rest = rest.dropFirst(entries.count)
            let rendered = Dictionary(grouping: try await render(entries)) { $0.header?.number ?? 0 }
            for entry in entries {
                let all = rendered[entry.number] ?? []
                let updates = withinSizeLimit(all)
                guard budget.take(updates) else {
                    reply.through = entry.number - 1
                    return reply
                }
                reply.updates += updates
                if updates.count < all.count { reply.incomplete = true }
            }
            slice = budget.fit(after: page.entries.count - rest.count)
        }
        return reply
    }

    /// Drops Updates that are too large for a link. The reply is then incomplete, and every client must fetch changes
    /// itself.
    private func withinSizeLimit(_ updates: [ReplayedUpdate]) -> [ReplayedUpdate] {
        let fitting = updates.filter { $0.body.count <= Self.bodyBytesMax }
        if fitting.count < updates.count, let more = oddLine.pass(at: .now) {
            log.error("an Update is too large to be replayed", metadata: ["more": "\(more)"])
        }
        return fitting
    }

    // MARK: Accounts

    private func accounts(_ request: ReplayRequest) async throws -> ReplayReply {
        let (from, limit) = (request.from, Int64(Self.accountNumbersMax))
        let last = request.to - from < limit ? request.to : from + limit - 1
        let found = try await database.first(
            audiences, .int32(Int32(request.lane)), .int64(from), .int64(last), .int64(Int64(Self.accountsMax) + 1))
        guard let found, found.committed >= from else { return ReplayReply(through: from - 1) }
        let end = min(last, found.committed)
        var reply = ReplayReply(through: end, incomplete: found.named < end - from + 1)
        if found.named == 0 {
            // A gap: continue after it.
            reply.through = min(request.to, found.committed, found.next.map { $0 - 1 } ?? found.committed)
        }
        guard found.accounts.count <= Self.accountsMax else {
            reply.incomplete = true
            return reply
        }
        reply.accounts = found.accounts
        return reply
    }
}

/// Tracks how much room is left in a page. Pure.
struct ReplayBudget {
    private let bytesMax: Int
    private let updatesMax: Int
    private(set) var bytes = 0
    private(set) var updates = 0

    init(bytes: Int, updates: Int) {
        bytesMax = bytes
        updatesMax = updates
    }

    /// Returns whether the Updates of one number fit or are the first of the page, and counts them if so.
    mutating func take(_ batch: [ReplayedUpdate]) -> Bool {
        let size = batch.reduce(0) { $0 + Self.size($1) }
        let isFirst = updates == 0
        guard isFirst || (bytes + size <= bytesMax && updates + batch.count <= updatesMax) else { return false }
        bytes += size
        updates += batch.count
        return true
    }

    /// Estimates how many more entries fit, at least one, from the size of the first `count`.
    func fit(after count: Int) -> Int {
        let left = max(0, bytesMax - bytes)
        return max(1, min(Replay.numbersMax, left * count / max(1, bytes)))
    }

    /// An upper bound of the encoded size.
    private static func size(_ update: ReplayedUpdate) -> Int {
        guard let header = update.header else { return update.body.count }
        let names = header.stream.utf8.count + header.kind.utf8.count + header.collapseKey.utf8.count
        return update.body.count + names + 10 * header.audience.count + (header.control == nil ? 0 : 256) + 64
    }
}
