import CCounters

/// What one operation of the SDK does, counted in all threads. Unlike times, it is the same on every machine.
struct Counts: Sendable {
    /// Statements of SQLite.
    var statements: Double
    /// Bytes that SQLite writes to its write-ahead logs. When it carries those over into the database differs from run
    /// to run.
    var bytes: Double
    var allocations: Double

    /// Lets the databases that are opened from now on count their statements.
    static func prepare() {
        guard counters_prepare() == 0 else { preconditionFailure("SQLite takes no extension") }
    }

    /// - Parameter operations: the number of those that `body` performs.
    nonisolated(nonsending) static func of(_ operations: Int, _ body: () async -> Void) async -> Counts {
        counters_start()
        await body()
        let all = counters_stop()
        func each(_ number: UInt64) -> Double { Double(number) / Double(operations) }
        return Counts(
            statements: each(all.statements), bytes: each(all.bytes_written), allocations: each(all.allocations))
    }

    /// The least of each: what other threads happen to do meanwhile only adds to it.
    func least(_ other: Counts) -> Counts {
        Counts(
            statements: min(statements, other.statements), bytes: min(bytes, other.bytes),
            allocations: min(allocations, other.allocations))
    }
}
