import ArgumentParser
import Foundation

/// Which database an operator's command is about.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database. Otherwise PARLEY_DATABASE_URL.", valueName: "url")) var databaseURL:
        String?
    @Option(help: ArgumentHelp("A file with the database's URL.", valueName: "file")) var databaseURLFile: String?

    /// - Throws: ``Failure`` when none is named, or its file cannot be read.
    func url() throws -> String {
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
}

/// Where the services' passwords are.
struct SecretsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where the services' passwords are kept.", valueName: "folder")) var folder = ".parley"
    @Option(
        help: ArgumentHelp(
            "A file of the services' passwords, lines SERVICE=PASSWORD; otherwise FOLDER/secrets.", valueName: "file"))
    var secrets: String?
    @Option(
        help: ArgumentHelp(
            "The folder of parley-conversations and the others; otherwise beside this program.", valueName: "folder"))
    var binaries: String?

    /// The file of the passwords; its folder is made where none is named.
    func file() throws -> String {
        if let secrets { return secrets }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return folder + "/secrets"
        } catch {
            throw Failure("no_permission", "Cannot make the folder \(folder).", advice: "Name another with --folder.")
        }
    }
}
