import ArgumentParser
import Cluster
import Foundation
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Prepares a PostgreSQL database, or brings it up to date.",
        discussion: """
            Makes the roles and schemas, then runs each service's migrations. Repeating it changes nothing. The URL is \
            that of a superuser, or of a role that may create roles and schemas; PARLEY_DATABASE_URL keeps it out of \
            the list of processes. The services' passwords are kept in FOLDER/secrets.

            Example:
              parley migrate --database-url postgresql://postgres@localhost/parley
            """)

    @Option(help: ArgumentHelp("The database. Otherwise PARLEY_DATABASE_URL.", valueName: "url")) var databaseURL:
        String?
    @Option(help: ArgumentHelp("Where the services' passwords are kept.", valueName: "folder")) var folder = ".parley"
    @Option(
        help: ArgumentHelp(
            "The folder of parley-conversations and the others; otherwise beside this program.", valueName: "folder"))
    var binaries: String?
    @Flag(help: "Print the services' database URLs, which contain passwords.") var printURLs = false
    @Flag(help: "Print one JSON object, for programs.") var json = false

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment["PARLEY_DATABASE_URL"] ?? ""
        let url = databaseURL ?? environment
        guard !url.isEmpty else {
            throw Failure(
                "invalid", "Which database? Give --database-url URL, or set PARLEY_DATABASE_URL.", exitCode: .usage)
        }
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure("no_permission", "Cannot make the folder \(folder).", advice: "Name another with --folder.")
        }
        let secrets = "\(folder)/secrets"
        try await Bootstrap.run(database: url, secrets: secrets, binaries: Cluster.binaries(binaries))
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
