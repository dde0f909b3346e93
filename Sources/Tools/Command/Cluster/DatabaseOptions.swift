import ArgumentParser
import Foundation

/// The database that an operator's command uses.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The database's URL. Default: PARLEY_DATABASE_URL.", valueName: "url"))
    var databaseURL: String?
    @Option(help: ArgumentHelp("Read the database's URL from this file.", valueName: "file"))
    var databaseURLFile: String?

    /// - Throws: ``Failure`` if no database is named, or the file cannot be read.
    func url() throws -> String {
        var url = databaseURL ?? ProcessInfo.processInfo.environment["PARLEY_DATABASE_URL"] ?? ""
        if let databaseURLFile { url = try Self.url(of: databaseURLFile, unless: databaseURL) }
        guard !url.isEmpty else {
            throw Failure(
                .invalid,
                "No database is named. Use --database-url URL or --database-url-file FILE, or set PARLEY_DATABASE_URL.",
                exitCode: .usage)
        }
        return url
    }

    /// Returns the URL in a file.
    /// - Parameter other: a URL that was given, too.
    static func url(of file: String, unless other: String?) throws -> String {
        guard other == nil else {
            throw Failure(.invalid, "Give --database-url or --database-url-file, not both.", exitCode: .usage)
        }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Failure(.fileFailed, "Cannot read \(file), which should hold the database's URL.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The database of an operator's command about people, which by default is that of "parley up".
struct OperatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database's URL. Default: PARLEY_DATABASE_URL, then that of the folder.", valueName: "url"))
    var databaseURL: String?
    @Option(help: ArgumentHelp("Read the database's URL from this file.", valueName: "file"))
    var databaseURLFile: String?
    @Option(help: ArgumentHelp("The folder of \"parley up\".", valueName: "folder")) var folder = ".parley"
    @Flag(help: "Print one JSON object per line.") var json = false

    /// - Throws: ``Failure`` if no database is named, or the file cannot be read.
    func url() throws -> String {
        if let databaseURLFile { return try DatabaseOptions.url(of: databaseURLFile, unless: databaseURL) }
        let found = try? String(contentsOfFile: "\(folder)/database-url", encoding: .utf8)
        let url =
            databaseURL ?? ProcessInfo.processInfo.environment["PARLEY_DATABASE_URL"]
            ?? found.map { String($0.prefix { $0 != "\n" }) } ?? ""
        guard !url.isEmpty else {
            throw Failure(
                .invalid,
                "There is no database of \"parley up\" in \(folder). Use --folder or --database-url URL, or set "
                    + "PARLEY_DATABASE_URL.", exitCode: .usage)
        }
        return url
    }
}

/// The services' passwords, and the folder of the services' programs.
struct SecretsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the services' passwords.", valueName: "folder")) var folder = ".parley"
    @Option(
        help: ArgumentHelp(
            "The file of the services' passwords, lines SERVICE=PASSWORD. Default: FOLDER/secrets.", valueName: "file"))
    var secrets: String?
    @Option(
        help: ArgumentHelp(
            "The folder of Parley's programs. Default: that of this program.", valueName: "folder"))
    var binaries: String?

    /// Returns the file of the passwords. Creates its folder unless a file is named.
    func file() throws -> String {
        if let secrets { return secrets }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return folder + "/secrets"
        } catch {
            throw Failure(
                .noPermission, "Cannot create the folder \(folder).", advice: "Choose another with --folder.")
        }
    }
}
