import ArgumentParser
import Cluster
import Foundation
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Prepare a PostgreSQL database, or bring it up to date.",
        discussion: """
            Creates the roles and schemas, then runs each service's migrations. Repeating it changes nothing. The URL \
            is that of a superuser, or of a role that may create roles and schemas. Use PARLEY_DATABASE_URL or a file \
            so that the URL (and its password) does not show in the process list. The services' passwords are kept in \
            FOLDER/secrets, or in a file you name.

            Examples:
              parley migrate --database-url postgresql://postgres@localhost/parley
              parley migrate --database-url-file /run/secrets/superuser_url --secrets /run/secrets/roles
            """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var passwords: SecretsOptions
    @Flag(name: .customLong("print-urls"), help: "Print the services' database URLs, which contain passwords.")
    var printURLs = false
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let secrets = try passwords.file()
        let binaries = try Cluster.binaries(passwords.binaries, for: ClusterConfiguration.services)
        try await Bootstrap.run(database: url, secrets: secrets, binaries: binaries)
        var urls: [String: String] = [:]
        for service in ClusterConfiguration.services {
            urls[service] = try Bootstrap.url(of: service, database: url, secrets: secrets)
        }
        if json { return Output.json(printURLs ? urls : ["migrated": "true"]) }
        Output.line("The database is up to date. The services' passwords are in \(secrets).")
        guard printURLs else { return }
        for service in ClusterConfiguration.services { Output.line("\(service): \(urls[service] ?? "")") }
    }
}
