import ArgumentParser
import Command
import Foundation
import Postgres
import Reactor

struct BenchImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Measure an import from Firebase, beside bare COPY of the same rows.",
        discussion: """
            An export is made, then "parley import firebase" brings it into a cluster that runs. What it stored is \
            written by COPY into tables that have nothing but its columns and keys, and into tables without keys. Then \
            the same export comes again, and one with 1% more messages, with --follow. Searches find the messages when \
            the backlog of the index is empty.
            """)

    @Option(help: "The number of messages.") var messages = 100_000
    @Option(help: "The number of people.") var people = 2_000
    @OptionGroup var bench: BenchOptions

    struct Result: Encodable, Sendable {
        var people: Int
        var conversations: Int
        var messages: Int
        var exportMib: Double
        /// How long `parley import` took, and how many people, conversations and messages that is a second.
        var importS: Double
        var recordsPerS: Double
        /// The most memory that the importer had resident.
        var memoryMib: Double
        /// From the end of the import until the index had everything.
        var searchS: Double
        /// COPY of all rows that the import wrote, into tables with their keys, and into tables without.
        var rows: Int64
        var copyS: Double
        var copyWithoutKeysS: Double
        /// How fast the import is beside COPY: 1 is as fast.
        var ratio: Double
        var ratioWithoutKeys: Double
        /// The same export again, which changes nothing.
        var againS: Double
        /// An export with so many more messages, with --follow; and from its end until the index has them.
        var news: Int
        var followS: Double
        var followSearchS: Double
    }

    private var load: ImportLoad { ImportLoad(people: people, messages: messages) }

    func validate() throws {
        guard (1_000...10_000_000).contains(messages) else {
            throw ValidationError("--messages must be 1000 to 10000000, not \(messages).")
        }
        guard (100...1_000_000).contains(people) else {
            throw ValidationError("--people must be 100 to 1000000, not \(people).")
        }
        guard load.isPossible else {
            throw ValidationError("\(people) people have too few pairs for \(messages) messages: give more --people.")
        }
    }

    func run() async throws {
        let result = try await BenchCluster.with(bench) { [self] cluster in try await measure(cluster) }
        if bench.json { Output.json(result) } else { show(result) }
    }

    @ReactorActor
    private func measure(_ cluster: BenchCluster) async throws -> Result {
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(3_600)))
        defer { connection.close() }
        let (first, later) = ("\(cluster.folder)/bench-first", "\(cluster.folder)/bench-later")
        bench.progress("writing an export of \(messages) messages of \(people) people")
        try load.write(to: first, withNews: false)
        try load.write(to: later, withNews: true)
        let bytes = try FileManager.default.attributesOfItem(atPath: "\(first)/rtdb.json")[.size] as? Int ?? 0

        let importer = ImportRun(bench, cluster)
        bench.progress("importing it")
        let imported = try await importer.run(first)
        try check(imported, has: messages)
        let search = try await indexing(connection)
        bench.progress("copying the same rows")
        let withKeys = try await CopiedRows(connection).copy(withKeys: true)
        let withoutKeys = try await CopiedRows(connection).copy(withKeys: false)
        bench.progress("importing it again")
        let again = try await importer.run(first)
        bench.progress("importing \(load.news) messages more")
        let follow = try await importer.run(later, "--follow")
        try check(follow, has: messages + load.news)
        let followSearch = try await indexing(connection)
        let records = Double(people + load.conversations + messages)
        return Result(
            people: people, conversations: load.conversations, messages: messages,
            exportMib: Double(bytes) / 1_048_576, importS: imported.seconds, recordsPerS: records / imported.seconds,
            memoryMib: max(imported.memoryMiB, follow.memoryMiB), searchS: search, rows: withKeys.rows,
            copyS: withKeys.seconds, copyWithoutKeysS: withoutKeys.seconds, ratio: withKeys.seconds / imported.seconds,
            ratioWithoutKeys: withoutKeys.seconds / imported.seconds, againS: again.seconds, news: load.news,
            followS: follow.seconds, followSearchS: followSearch)
    }

    private func check(_ run: ImportRun.Outcome, has expected: Int) throws {
        guard run.messages == expected else {
            throw Failure(.failed, "Of \(expected) messages of the export, \(run.messages) came in.")
        }
    }

    /// Returns the seconds until everything is indexed.
    @ReactorActor
    private func indexing(_ connection: Connection) async throws -> Double {
        bench.progress("waiting for the index of words")
        let began = ContinuousClock.now
        let waiting = Statement("SELECT messaging.import_unindexed()") { row in try row.int64(0) }
        while try await connection.first(waiting) != 0 {
            guard ContinuousClock.now - began < .seconds(3_600) else {
                throw Failure(.failed, "The index of words was not complete after an hour.")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return (ContinuousClock.now - began) / .seconds(1)
    }

    private func show(_ result: Result) {
        let what = "\(result.messages) messages in \(result.conversations) conversations of \(result.people) people"
        Output.line(Style().bold("Importing \(what)"))
        printTable([
            ("the export, MiB", rounded(result.exportMib)),
            ("import, s", "\(rounded(result.importS))   records/s \(rounded(result.recordsPerS))"),
            ("memory of the importer, MiB", rounded(result.memoryMib)),
            ("until searches find everything, s", rounded(result.searchS)),
            (
                "COPY of the same \(result.rows) rows, s",
                "\(rounded(result.copyS))   without keys \(rounded(result.copyWithoutKeysS))"
            ),
            (
                "as fast as COPY, 1 is equal",
                "\(rounded(result.ratio))   without keys \(rounded(result.ratioWithoutKeys))"
            ),
            ("the same export again, s", rounded(result.againS)),
            ("\(result.news) messages more with --follow, s", rounded(result.followS)),
            ("until searches find them, s", rounded(result.followSearchS)),
        ])
    }
}

/// Runs `parley import firebase` as an operator does.
private struct ImportRun {
    struct Outcome {
        var seconds: Double
        var memoryMiB: Double
        /// Those that came in, or were there.
        var messages: Int
    }

    private struct Summary: Decodable {
        var records: [String: [String: Int]]
    }

    private let program: String
    private let folder: String
    private let database: String

    init(_ bench: BenchOptions, _ cluster: BenchCluster) {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
        program = "\(bench.binaries ?? own)/parley"
        (folder, database) = (cluster.folder, cluster.endpoints.database)
    }

    func run(_ export: String, _ more: String...) async throws -> Outcome {
        let (output, errors) = ("\(folder)/bench-import-output", "\(folder)/bench-import-errors")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments =
            ["import", "firebase", export, "--report", "\(folder)/bench-report.jsonl", "--work", folder, "--json"]
            + more
        process.environment = ProcessInfo.processInfo.environment.merging(["PARLEY_DATABASE_URL": database]) { $1 }
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        let began = ContinuousClock.now
        do {
            try process.run()
        } catch {
            throw Failure(
                .noFile, "\(program) cannot be run.", advice: "Build it, or name its folder with --binaries.",
                exitCode: .usage)
        }
        defer { if process.isRunning { process.terminate() } }
        var kib = 0.0
        while process.isRunning {
            kib = max(kib, ProcessUsage.peakKiB(of: process.processIdentifier))
            try await Task.sleep(for: .milliseconds(10))
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        guard process.terminationStatus == 0 else {
            let why = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw Failure(.failed, "The import ended with \(process.terminationStatus): \(why)")
        }
        let summary = try JSONDecoder().decode(Summary.self, from: Data(contentsOf: URL(filePath: output)))
        let messages = summary.records["messages"] ?? [:]
        return Outcome(
            seconds: seconds, memoryMiB: kib / 1024, messages: (messages["kept"] ?? 0) + (messages["changed"] ?? 0))
    }
}

/// Copies what an import stored, as fast as PostgreSQL can.
@ReactorActor
private struct CopiedRows {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Writes the rows of all tables once more, one table after the other, each by one COPY from a file.
    /// - Returns: the time of these COPYs alone.
    func copy(withKeys: Bool) async throws -> (rows: Int64, seconds: Double) {
        let folder = try await connection.first(
            Statement("SELECT current_setting('data_directory')") { try $0.text(0) })
        guard let folder else { throw Failure(.failed, "The database does not say where its files are.") }
        let file = "\(folder)/parley-bench.copy"
        var (rows, time) = (Int64(0), Duration.zero)
        for table in try await connection.query(Self.tables) {
            let count = Statement("SELECT count(*) FROM \(table)") { try $0.int64(0) }
            let found = try await connection.first(count) ?? 0
            if found == 0 { continue }
            rows += found
            try await connection.execute(Statement("COPY \(table) TO '\(file)'"))
            try await connection.execute(
                Statement("CREATE TABLE bench_copy (LIKE \(table)\(withKeys ? " INCLUDING INDEXES" : ""))"))
            try await connection.execute(Statement("CHECKPOINT"))
            let began = ContinuousClock.now
            try await connection.execute(Statement("COPY bench_copy FROM '\(file)'"))
            time += ContinuousClock.now - began
            try await connection.execute(Statement("DROP TABLE bench_copy"))
        }
        try? FileManager.default.removeItem(atPath: file)
        return (rows, time / .seconds(1))
    }

    /// The index of words is filled later, and who has no rows is quick.
    private static let tables = Statement(
        """
        SELECT format('%I.%I', n.nspname, c.relname)
        FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('conversations', 'messaging', 'entities')
            AND c.relkind = 'r' AND NOT c.relispartition
            AND c.relname NOT IN ('search', 'search_backlog', 'journal')
        ORDER BY 1
        """
    ) { row in try row.text(0) }
}
