import Foundation
import Glibc
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("Servers whose contents are kept between runs")
@ReactorActor
struct KeptPostgresTests {
    private let name = "kept-test-\(getpid())"
    private let folder = MigratedDatabase.root.appending(path: ".build").path

    /// What is kept under the test's name.
    private var kept: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("\(name)-") }
        }
    }

    /// Starts a server, and returns the number that its contents were made with, and whether they were made now.
    private func number(madeFrom source: String, _ number: Int) async throws -> (number: Int64?, isNew: Bool) {
        var isNew = false
        let server = try await KeptPostgres.start(name, madeFrom: [source]) { server in
            let connection = try await Connection.open(DatabaseConfiguration(test: server.url()))
            try await connection.execute(Statement("CREATE TABLE kept AS SELECT \(number)::bigint AS number"))
            connection.close()
            isNew = true
        }
        let connection = try await Connection.open(DatabaseConfiguration(test: server.url()))
        let found = try await connection.first(Statement("SELECT number FROM kept") { try $0.int64(0) })
        // Every run has a copy of its own.
        try await connection.execute(Statement("UPDATE kept SET number = 0"))
        connection.close()
        await server.end()
        return (found, isNew)
    }

    @Test("contents are made once; other sources make them again; what is incomplete or damaged is never used")
    func keeps() async throws {
        defer {
            for one in (try? kept) ?? [] { try? FileManager.default.removeItem(atPath: "\(folder)/\(one)") }
        }
        #expect(try await number(madeFrom: "a", 1) == (1, true))
        #expect(try await number(madeFrom: "a", 2) == (1, false))
        let first = try #require(try kept.first)

        // A process that was killed while it copied, and one that still copies.
        let (killed, running) = ("\(first)-of-\(Int32.max)", "\(first)-of-\(getpid())")
        for half in [killed, running] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(half)", withIntermediateDirectories: false)
        }
        #expect(try await number(madeFrom: "b", 3) == (3, true))
        let after = try kept
        #expect(!after.contains(first) && !after.contains(killed))

        let second = try #require(after.first { !$0.contains("-of-") })
        try FileManager.default.removeItem(atPath: "\(folder)/\(second)/password")
        try FileManager.default.removeItem(atPath: "\(folder)/\(second)/data/global")
        #expect(try await number(madeFrom: "b", 4) == (4, true))
    }
}
