import ArgumentParser
import Cluster
import Foundation
import Logging

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database, and the files of messages, to a folder.",
        discussion: """
            Parley keeps running, and the backup is a consistent snapshot. Files in S3 are not included. Back up that \
            store separately.

            Examples:
              parley backup /var/backups/parley/monday --database-url-file /etc/parley/superuser_url
              parley backup monday --files /var/lib/parley/files
            """)

    @Argument(help: ArgumentHelp("The folder to create. It must not exist yet.", valueName: "folder")) var to: String
    @OptionGroup var database: DatabaseOptions
    @Option(help: ArgumentHelp("The folder of messages' files (files.folder).", valueName: "folder")) var files: String?

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let (folder, manager) = (Backup.absolute(to), FileManager.default)
        guard !manager.fileExists(atPath: folder) else {
            throw Failure(.fileFailed, "\(to) already exists.", advice: "Choose another folder.")
        }
        if let files { try Backup.mustBeFolder(files) }
        // An unfinished backup never has the final name.
        let half = folder + ".unfinished"
        try Backup.attempt("Cannot create \(half)") {
            try? manager.removeItem(atPath: half)
            try manager.createDirectory(
                atPath: half, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        do {
            try await DatabaseBackup.make(of: url, in: half)
        } catch {
            try? manager.removeItem(atPath: half)
            throw error
        }
        // Files follow the database, because a file is stored before the message that refers to it.
        if let files { try Backup.copy(files, named: true, to: "\(half)/files") }
        sync()
        try Backup.attempt("Cannot create \(folder)") { try manager.moveItem(atPath: half, toPath: folder) }
        Output.line("The backup is in \(to).")
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup made with \"parley backup\".",
        discussion: """
            Stop Parley first. The database is restored completely or not at all. Clients notice its new epoch and \
            read everything again. A backup of an earlier version is migrated.

            Example:
              parley restore /var/backups/parley/monday --database-url-file /etc/parley/superuser_url --replace
            """)

    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "folder")) var from: String
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var passwords: SecretsOptions
    @Option(help: ArgumentHelp("The folder of messages' files (files.folder).", valueName: "folder")) var files: String?
    @Flag(help: "Replace everything that Parley now has in the database.") var replace = false

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let folder = Backup.absolute(from)
        try Backup.mustBeFolder(folder)
        let copied = "\(folder)/files"
        let hasFiles = FileManager.default.fileExists(atPath: copied)
        guard hasFiles == (files != nil) else {
            throw Failure(
                .invalid,
                hasFiles
                    ? "The backup has files of messages. Name their folder with --files."
                    : "The backup has no files of messages. Leave out --files.", exitCode: .usage)
        }
        let secrets = try passwords.file()
        let binaries = try Cluster.binaries(passwords.binaries, for: ClusterConfiguration.services)
        try await DatabaseBackup.examine(folder, for: url, replacing: replace, secrets: secrets, binaries: binaries)
        // Files precede the database, so that every restored message has its file. Extra files do no harm.
        if let files { try Backup.copy(copied, named: false, to: files) }
        sync()
        try await DatabaseBackup.restore(from: folder, to: url, replacing: replace, secrets: secrets)
        try await Bootstrap.run(database: url, secrets: secrets, binaries: binaries)
        Output.line("The database is restored from \(from). Start Parley again.")
    }
}

/// Operations on backup folders.
private enum Backup {
    /// Returns the absolute path, because PostgreSQL's programs run in another folder.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    static func mustBeFolder(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw Failure(.fileFailed, "\(path) is not a folder.")
        }
    }

    static func attempt(_ problem: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw Failure(.fileFailed, "\(problem): \(error.localizedDescription)")
        }
    }

    /// Copies files, and says what it left out.
    static func copy(_ folder: String, named isOwn: Bool, to target: String) throws {
        let leftOut = try FileCopy.copy(folder, named: isOwn, to: target)
        if leftOut > 0 { Output.note("Left out in \(folder): \(leftOut) links or other things that are no files.") }
    }
}
