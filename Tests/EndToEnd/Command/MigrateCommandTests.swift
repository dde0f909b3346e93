import Foundation
import Postgres
import Reactor
import TestSupport
import Testing

@Suite("The command migrate")
@ReactorActor
struct MigrateCommandTests {
    @Test(
        "D1 D4 URL and passwords can come from files, as in containers; a repeat changes nothing; mistakes are reported"
    )
    func files() async throws {
        let server = try await TestPostgres()
        let (program, folder) = (try Program(), try TestFolder())
        let (url, roles, empty) = ("\(folder.path)/url", "\(folder.path)/roles", "\(folder.path)/empty")
        let passwords = MigratedDatabase.services.map { "\($0)=secret-of-\($0)\n" }.joined()
        for (path, text) in [(url, server.url() + "\n"), (roles, passwords), (empty, "\n")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        // As in its image, which has no gateway.
        let services = "\(folder.path)/services"
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        for name in MigratedDatabase.services.map({ "parley-\($0)" }) {
            try FileManager.default.createSymbolicLink(
                atPath: "\(services)/\(name)", withDestinationPath: "\(try TestCluster.binaries())/\(name)")
        }
        for _ in 1...2 {
            let outcome = try await program.run([
                "migrate", "--database-url-file", url, "--secrets", roles, "--print-urls", "--json", "--binaries",
                services,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let urls = try #require(outcome.objects.first)
            for service in MigratedDatabase.services {
                let own = try #require(urls[service])
                #expect(own.contains("parley_\(service):secret-of-\(service)@"))
                let connection = try await Connection.open(
                    DatabaseConfiguration(test: own))
                let count = Statement("SELECT count(*) FROM \(service).migrations") { try $0.int64(0) }
                #expect(try await connection.first(count) ?? 0 > 0, "\(service)")
                connection.close()
            }
        }
        #expect(try String(contentsOfFile: roles, encoding: .utf8) == passwords, "the file is unchanged")
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["--database-url-file", "\(folder.path)/none"], 1, "Cannot read"),
            (["--database-url-file", empty], 64, "No database is named"),
            (["--database-url-file", url, "--database-url", server.url()], 64, "not both"),
            ([], 64, "No database is named"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await program.run(["migrate"] + arguments, environment: ["PARLEY_DATABASE_URL": ""])
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
        program.remove()
        folder.remove()
        await server.end()
    }
}
