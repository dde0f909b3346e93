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
            that of a superuser, or of a role that may create roles and schemas; a file or PARLEY_DATABASE_URL keeps it \
            out of the list of processes. The services' passwords are kept in FOLDER/secrets, or stand in a file of yours.

            Examples:
              parley migrate --database-url postgresql://postgres@localhost/parley
              parley migrate --database-url-file /run/secrets/superuser_url --secrets /run/secrets/roles
            """)

    @Option(help: ArgumentHelp("The database. Otherwise PARLEY_DATABASE_URL.", valueName: "url")) var databaseURL:
        String?
    @Option(help: ArgumentHelp("A file with the database's URL.", valueName: "file")) var databaseURLFile: String?
    @Option(help: ArgumentHelp("Where the services' passwords are kept.", valueName: "folder")) var folder = ".parley"
    @Option(
        help: ArgumentHelp(
            "A file of the services' passwords, lines SERVICE=PASSWORD; otherwise FOLDER/secrets.", valueName: "file"))
    var secrets: String?
    @Option(
        help: ArgumentHelp(
            "The folder of parley-conversations and the others; otherwise beside this program.", valueName: "folder"))
    var binaries: String?
    @Flag(name: .customLong("print-urls"), help: "Print the services' database URLs, which contain passwords.")
    var printURLs = false
    @Flag(help: "Print one JSON object, for programs.") var json = false

    func run() async throws {
        let url = try url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let secrets = try secrets ?? madeFolder() + "/secrets"
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

    private func url() throws -> String {
        var url = databaseURL ?? ProcessInfo.processInfo.environment["PARLEY_DATABASE_URL"] ?? ""
        if let databaseURLFile {
            guard databaseURL == nil else {
                throw Failure("invalid", "Give --database-url or --database-url-file, not both.", exitCode: .usage)
            }
            guard let text = try? String(contentsOfFile: databaseURLFile, encoding: .utf8) else {
                throw Failure("file_failed", "Cannot read \(databaseURLFile), which should hold the database's URL.")
            }
            url = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard !url.isEmpty else {
            throw Failure(
                "invalid",
                "Which database? Give --database-url URL, --database-url-file FILE, or set PARLEY_DATABASE_URL.",
                exitCode: .usage)
        }
        return url
    }

    private func madeFolder() throws -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return folder
        } catch {
            throw Failure("no_permission", "Cannot make the folder \(folder).", advice: "Name another with --folder.")
        }
    }
}
