import Postgres
import Reactor
import Schema
import Wire

/// A committed change as the journal records it, with its subject and audience but without its content.
public struct JournalEntry: Sendable, Equatable {
    public var lane: Int
    /// Dense within the lane, in order of commit.
    public var number: Int64
    /// When it was made, by the clock of the database.
    public var at: Timestamp
    /// The owner's own number for the kind of change.
    public var kind: Int16
    /// The conversation or account in whose stream it was published.
    public var subject: Int64
    /// The number of the conversation or message that changed in it; zero if the subject is enough.
    public var object: Int64
    /// The position in that stream; zero if it has none.
    public var position: Position
    /// For a note, the account that made the change.
    public var audience: Audience

    public init(
        lane: Int, number: Int64, at: Timestamp, kind: Int16, subject: Int64, object: Int64 = 0,
        position: Position = 0, audience: Audience = []
    ) {
        self.lane = lane
        self.number = number
        self.at = at
        self.kind = kind
        self.subject = subject
        self.object = object
        self.position = position
        self.audience = audience
    }

    /// Whether it is of this kind of its owner.
    public func `is`(_ kind: some JournalKind) -> Bool { self.kind == kind.number }

    /// Rebuilds the Update published under this number, with the current `body`. The session that caused it is no
    /// longer known, so it receives the Update too.
    public func replayed<Body: WireMessage>(_ body: Body, stream: String) -> ReplayedUpdate {
        ReplayedUpdate(header: header(stream: stream, kind: Body.messageName), body: body.encode())
    }

    /// Makes an Update that only fills a position that nothing has any longer. Its object has changed again, and the
    /// later change has its own number.
    public func superseded(stream: String) -> ReplayedUpdate {
        ReplayedUpdate(header: header(stream: stream, kind: PendingUpdate.superseded), body: [])
    }

    /// Makes a control message to the gateways.
    public func replayed(control: Control) -> ReplayedUpdate {
        ReplayedUpdate(
            header: UpdateHeader(
                lane: UInt32(lane), number: number, stream: PendingUpdate.controlStream, class: .durable,
                control: control), body: [])
    }

    private func header(stream: String, kind: String) -> UpdateHeader {
        UpdateHeader(
            lane: UInt32(lane), number: number, stream: stream, position: position.rawValue, kind: kind,
            class: .durable, audience: audience.rawValues)
    }
}

/// A row of a journal: the changes of one transaction or batch, with its columns as they are stored.
struct JournalRow: Sendable {
    var number: Int64
    var at: Int64
    var kinds: [Int16]
    var subjects: [Int64]
    var objects: [Int64]
    var positions: [Int64]
    var audienceCounts: [Int16]
    var audience: [Int64]

    /// Returns its entries numbered `first` to `last`.
    /// - Throws: ``DatabaseError/unexpected(_:)`` when its columns do not match.
    func entries(of lane: Int, from first: Int64, to last: Int64) throws(DatabaseError) -> [JournalEntry] {
        let count = positions.count
        let columns = [kinds.count, subjects.count, objects.count, audienceCounts.count]
        guard columns.allSatisfy({ $0 == count }) else { throw misfit(lane) }
        var entries: [JournalEntry] = []
        // A row lists an audience once; a count of -1 repeats that of the nearest earlier entry of the same subject.
        var audiences: [Int64: ArraySlice<Int64>] = [:]
        var rest = audience[...]
        for index in 0..<count {
            let subject = subjects[index]
            if audienceCounts[index] >= 0 {
                let size = Int(audienceCounts[index])
                guard size <= rest.count else { throw misfit(lane) }
                audiences[subject] = rest.prefix(size)
                rest = rest.dropFirst(size)
            }
            guard let audience = audiences[subject] else { throw misfit(lane) }
            let number = number + Int64(index)
            guard first...last ~= number else { continue }
            entries.append(
                JournalEntry(
                    lane: lane, number: number, at: Timestamp(at), kind: kinds[index], subject: subject,
                    object: objects[index], position: Position(positions[index]),
                    audience: Audience(Array(audience))))
        }
        return entries
    }

    private func misfit(_ lane: Int) -> DatabaseError {
        .unexpected("the journal's row \(number) of lane \(lane) is inconsistent")
    }
}

extension JournalRow {
    /// Reads the columns of ``JournalReader``, from this one on.
    init(_ row: borrowing RowReader, from column: Int) throws {
        number = try row.int64(column)
        at = try row.int64(column + 1)
        kinds = try row.int16s(column + 2)
        subjects = try row.int64s(column + 3)
        objects = try row.int64s(column + 4)
        positions = try row.int64s(column + 5)
        audienceCounts = try row.int16s(column + 6)
        audience = try row.int64s(column + 7)
    }
}

/// A range of one lane's journal.
struct JournalPage: Sendable, Equatable {
    /// In order of number.
    var entries: [JournalEntry] = []
    /// The last number that this page covers.
    var through: Int64
    /// How many of the covered numbers the journal does not list, or no longer lists.
    var missing: Int64 = 0
    /// The lane's last committed number.
    var committed: Int64
}

/// Reads a journal: the service's own, or one it follows.
@ReactorActor
struct JournalReader {
    private let rows: Statement<(committed: Int64, row: JournalRow?)>
    private let next: Statement<Int64>
    private let named: Statement<JournalRow>
    private let ofKinds: OfKinds?

    /// The SQL that reads a page, for tests of its cost.
    var pageSQL: String { (ofKinds?.rows ?? rows).text.sql }
    /// The SQL that reads named entries, for the same.
    var namedSQL: String { named.text.sql }

    /// The statements that read only some kinds.
    private struct OfKinds {
        let kinds: Set<Int16>
        let rows: Statement<(committed: Int64, row: JournalRow?)>
        let covered: Statement<Int64>
    }

    /// How many numbers one page of some kinds covers at most.
    static let strideMax: Int64 = 10_000

    /// - Parameters:
    ///   - schema: the schema of the journal.
    ///   - kinds: the kinds of entries to return; nil returns all. Of rows without any of them only the kinds are read.
    init(schema: String, kinds: Set<Int16>? = nil) {
        rows = Self.rows(schema, "")
        next = Statement(
            """
            SELECT number
            FROM \(schema).journal
            WHERE lane = $1
                AND number > $2
            ORDER BY number
            LIMIT 1
            """
        ) { row in try row.int64(0) }
        named = Statement(
            """
            SELECT j.*
            FROM unnest($2::bigint[]) AS g (number)
            CROSS JOIN LATERAL (
                SELECT \(Self.columns)
                FROM \(schema).journal
                WHERE lane = $1
                    AND number <= g.number
                ORDER BY number DESC
                LIMIT 1
            ) AS j
            """
        ) { row in try JournalRow(row, from: 0) }
        ofKinds = kinds.map { kinds in
            OfKinds(
                kinds: kinds,
                rows: Self.rows(schema, "AND kinds && $4", "LIMIT $5"),
                covered: Self.covered(schema))
        }
    }

    /// $1 lane, $2 from, $3 to. Returns the lane's last committed number beside each row that covers one of these
    /// numbers.
    /// - Parameters:
    ///   - condition: a further condition on the rows.
    ///   - limit: a limit on the number of rows.
    private static func rows(
        _ schema: String, _ condition: String, _ limit: String = ""
    ) -> Statement<(committed: Int64, row: JournalRow?)> {
        // The row that covers $2 may begin before it; then it is the last such row. Reads one range of each partition's
        // index.
        return Statement(
            """
            SELECT l.number, j.*
            FROM \(schema).lanes AS l
            LEFT JOIN LATERAL (
                (
                    SELECT *
                    FROM (
                        SELECT \(Self.columns)
                        FROM \(schema).journal
                        WHERE lane = $1
                            AND number < $2
                        ORDER BY number DESC
                        LIMIT 1
                    ) AS before
                    WHERE true
                        \(condition)
                )
                UNION ALL
                (
                    SELECT \(Self.columns)
                    FROM \(schema).journal
                    WHERE lane = $1
                        AND number BETWEEN $2 AND $3
                        \(condition)
                    ORDER BY number
                    \(limit)
                )
            ) AS j ON true
            WHERE l.lane = $1
            """
        ) { row in
            let committed = try row.int64(0)
            if row.isNull(1) { return (committed, nil) }
            return (committed, try JournalRow(row, from: 1))
        }
    }

    private static let columns = "number, at, kinds, subjects, objects, positions, audience_counts, audience"

    /// Returns the entries with these numbers, in their order. Those of other kinds, and those that are not there, are
    /// left out.
    /// - Parameter numbers: ascending.
    func entries(
        of lane: Int, _ numbers: [Int64], in database: some Queryable
    ) async throws(DatabaseError) -> [JournalEntry] {
        var rows: [Int64: JournalRow] = [:]
        for row in try await database.query(named, .int32(Int32(lane)), .int64s(numbers)) { rows[row.number] = row }
        let wanted = Set(numbers)
        var entries: [JournalEntry] = []
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) {
            entries += try row.entries(of: lane, from: 1, to: .max).filter { entry in
                wanted.contains(entry.number) && ofKinds?.kinds.contains(entry.kind) ?? true
            }
        }
        return entries
    }

    /// $1 lane, $2 from, $3 to. Returns how many of these numbers the journal lists.
    private static func covered(_ schema: String) -> Statement<Int64> {
        Statement(
            """
            SELECT COALESCE(
                sum(GREATEST(0, LEAST(number + cardinality(kinds) - 1, $3) - GREATEST(number, $2) + 1)), 0)::bigint
            FROM (
                (
                    SELECT number, kinds
                    FROM \(schema).journal
                    WHERE lane = $1
                        AND number < $2
                    ORDER BY number DESC
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT number, kinds
                    FROM \(schema).journal
                    WHERE lane = $1
                        AND number BETWEEN $2 AND $3
                )
            ) AS j
            """
        ) { row in try row.int64(0) }
    }

    /// Returns the committed entries numbered `from` to `to`, or as many of them as `limit` allows.
    func page(
        of lane: Int, from: Int64, to: Int64, limit: Int, in database: some Queryable
    ) async throws(DatabaseError) -> JournalPage {
        if let ofKinds {
            return try await page(of: lane, from: from, to: to, limit: limit, ofKinds, in: database)
        }
        let last = to - from < Int64(limit) ? to : from + Int64(limit) - 1
        let rows = try await database.query(rows, .int32(Int32(lane)), .int64(from), .int64(last))
        let committed = rows.first?.committed ?? 0
        let end = min(last, committed)
        guard end >= from else { return JournalPage(through: from - 1, committed: committed) }
        var entries: [JournalEntry] = []
        // SQL guarantees no order of a union's rows.
        for row in rows.compactMap(\.row).sorted(by: { $0.number < $1.number }) {
            entries += try row.entries(of: lane, from: from, to: end)
        }
        let missing = end - from + 1 - Int64(entries.count)
        guard entries.isEmpty else {
            return JournalPage(entries: entries, through: end, missing: missing, committed: committed)
        }
        return try await hole(of: lane, from: from, to: to, nothingUpTo: end, committed, in: database)
    }

    /// Returns at most `limit` entries of some kinds, and skips those between them.
    private func page(
        of lane: Int, from: Int64, to: Int64, limit: Int, _ wanted: OfKinds, in database: some Queryable
    ) async throws(DatabaseError) -> JournalPage {
        let last = to - from < Self.strideMax ? to : from + Self.strideMax - 1
        let rows = try await database.query(
            wanted.rows, .int32(Int32(lane)), .int64(from), .int64(last), .int16s(wanted.kinds.sorted()),
            .int64(Int64(limit)))
        let committed = rows.first?.committed ?? 0
        let end = min(last, committed)
        guard end >= from else { return JournalPage(through: from - 1, committed: committed) }
        let found = rows.compactMap(\.row).sorted { $0.number < $1.number }
        var entries: [JournalEntry] = []
        for row in found {
            entries += try row.entries(of: lane, from: from, to: end).filter { wanted.kinds.contains($0.kind) }
        }
        var through = end
        if entries.count > limit {
            entries.removeLast(entries.count - limit)
            through = entries[limit - 1].number
        } else if let row = found.last, found.count(where: { $0.number >= from }) >= limit {
            // More such rows may follow.
            through = min(end, row.number + Int64(row.kinds.count) - 1)
        }
        let covered =
            try await database.first(wanted.covered, .int32(Int32(lane)), .int64(from), .int64(through)) ?? 0
        guard covered > 0 else {
            return try await hole(of: lane, from: from, to: to, nothingUpTo: through, committed, in: database)
        }
        return JournalPage(
            entries: entries, through: through, missing: through - from + 1 - covered, committed: committed)
    }

    /// Returns an empty page that ends before the next number the journal lists.
    private func hole(
        of lane: Int, from: Int64, to: Int64, nothingUpTo end: Int64, _ committed: Int64, in database: some Queryable
    ) async throws(DatabaseError) -> JournalPage {
        let next = try await database.first(next, .int32(Int32(lane)), .int64(end))
        let through = min(to, committed, next.map { $0 - 1 } ?? committed)
        return JournalPage(through: through, missing: through - from + 1, committed: committed)
    }
}
