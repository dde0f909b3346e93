import Postgres
import Reactor

/// Reads what another service commits to its journal from now on, for what a process keeps in memory.
///
/// Nothing is stored: each replica has its own. A ``JournalFollower`` is for effects in the database.
@ReactorActor
public final class JournalTail {
    /// A longer backlog of a lane is not read, since reading everything anew costs less.
    private static let backlogMax: Int64 = 10_000
    private static let pageMax = 500

    private let database: any Queryable
    private let reader: JournalReader
    private let lanes: Statement<(lane: Int, number: Int64)>
    /// How far each lane was read; nil before the first call and after ``pause()``.
    private var read: [Int: Int64]?

    /// - Parameters:
    ///   - source: the service whose journal it reads: "conversations".
    ///   - kinds: the kinds of entries to return.
    public convenience init(_ context: ServiceContext, of source: String, kinds: Set<Int16>) {
        self.init(source: source, kinds: kinds, database: context.database)
    }

    init(source: String, kinds: Set<Int16>, database: any Queryable) {
        self.database = database
        reader = JournalReader(schema: source, kinds: kinds)
        lanes = Statement(
            """
            SELECT lane, number
            FROM \(source).lanes
            ORDER BY lane
            """
        ) { row in (lane: Int(try row.int32(0)), number: try row.int64(1)) }
    }

    /// Returns everything committed between the beginnings of the last call and of this one, perhaps with later
    /// entries. Entries of a lane come in order. A call that throws counts as none.
    /// - Returns: nil if anything may have changed: at the first call, after ``pause()``, or if entries are missing.
    public func news() async throws(DatabaseError) -> [JournalEntry]? {
        var ends: [Int: Int64] = [:]
        for row in try await database.query(lanes) { ends[row.lane] = row.number }
        var entries: [JournalEntry]? = read == nil ? nil : []
        for (lane, end) in ends.sorted(by: { $0.key < $1.key }) {
            guard let begin = read.map({ $0[lane] ?? 0 }), begin != end, entries != nil else { continue }
            let news = try await entriesOf(lane, after: begin, through: end)
            entries = news.flatMap { news in entries.map { $0 + news } }
        }
        read = ends
        return entries
    }

    /// Stops reading until the next call of ``news()``.
    public func pause() { read = nil }

    /// - Returns: nil if some are missing, or they are too many.
    private func entriesOf(
        _ lane: Int, after begin: Int64, through end: Int64
    ) async throws(DatabaseError) -> [JournalEntry]? {
        // Numbers go back when a backup is restored.
        guard (1...Self.backlogMax).contains(end - begin) else { return nil }
        var (entries, done): ([JournalEntry], Int64) = ([], begin)
        while done < end {
            let page = try await reader.page(of: lane, from: done + 1, to: end, limit: Self.pageMax, in: database)
            guard page.missing == 0, page.through > done else { return nil }
            entries += page.entries
            done = page.through
        }
        return entries
    }
}
