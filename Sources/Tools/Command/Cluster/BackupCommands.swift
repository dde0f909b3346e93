import ArgumentParser
import Cluster
import Foundation
import Logging

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the database, and the files of messages, into a folder.",
        discussion: """
            Parley goes on meanwhile; the copy is of one moment. Files that are kept in S3 are that store's to keep.

            Examples:
              parley backup /var/backups/parley/monday --database-url-file /etc/parley/superuser_url
              parley backup monday --files /var/lib/parley/files
            """)

    @Argument(help: ArgumentHelp("The folder to make; it must not be there yet.", valueName: "folder")) var to: String
    @OptionGroup var database: DatabaseOptions
    @Option(help: ArgumentHelp("The folder of messages' files (files.folder).", valueName: "folder")) var files: String?

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let (folder, manager) = (Backup.absolute(to), FileManager.default)
        guard !manager.fileExists(atPath: folder) else {
            throw Failure("file_failed", "\(to) is there already.", advice: "Name a folder that is not.")
        }
        if let files { try Backup.mustBeFolder(files) }
        // Nothing that is half done has the name of a backup.
        let half = folder + ".unfinished"
        try Backup.attempt("Cannot make \(half)") {
            try? manager.removeItem(atPath: half)
            try manager.createDirectory(
                atPath: half, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try await DatabaseBackup.make(of: url, in: half)
        // After the database: a file is there before a message has it.
        if let files { try Backup.copy(files, to: "\(half)/files") }
        sync()
        try Backup.attempt("Cannot make \(folder)") { try manager.moveItem(atPath: half, toPath: folder) }
        Output.line("The backup is in \(to).")
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts back what \"parley backup\" copied.",
        discussion: """
            Parley must be stopped. The database is put back as a whole or not at all; clients notice by its new epoch, and \
            read anew what they hold. A backup of an earlier version is brought up to date.

            Example:
              parley restore /var/backups/parley/monday --database-url-file /etc/parley/superuser_url --replace
            """)

    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "folder")) var from: String
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var passwords: SecretsOptions
    @Option(help: ArgumentHelp("The folder of messages' files (files.folder).", valueName: "folder")) var files: String?
    @Flag(help: "What Parley has in the database now goes.") var replace = false

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let folder = Backup.absolute(from)
        try Backup.mustBeFolder(folder)
        let copied = "\(folder)/files"
        let hasFiles = FileManager.default.fileExists(atPath: copied)
        guard hasFiles == (files != nil) else {
            throw Failure(
                "invalid",
                hasFiles
                    ? "The backup has files of messages: say with --files where they belong."
                    : "The backup has no files of messages: leave out --files.", exitCode: .usage)
        }
        let secrets = try passwords.file()
        let binaries = try Cluster.binaries(passwords.binaries, for: ClusterConfiguration.services)
        try await DatabaseBackup.examine(folder, for: url, replacing: replace, secrets: secrets, binaries: binaries)
        // Before the database: a message is there only with its file. More of them than needed do no harm.
        if let files { try Backup.copy(copied, to: files) }
        sync()
        try await DatabaseBackup.restore(from: folder, to: url, replacing: replace, secrets: secrets)
        try await Bootstrap.run(database: url, secrets: secrets, binaries: binaries)
        Output.line("The database is as it was in \(from). Start Parley again.")
    }
}

/// Folders of backups.
private enum Backup {
    /// PostgreSQL's programs run elsewhere.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    static func mustBeFolder(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw Failure("file_failed", "\(path) is no folder.")
        }
    }

    static func attempt(_ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw Failure("file_failed", "\(what): \(error.localizedDescription)")
        }
    }

    /// What is there already stays: names of files are never used twice. A file has its name once it is whole.
    static func copy(_ folder: String, to target: String) throws {
        let manager = FileManager.default
        let owner = Owner(of: target)
        try attempt("Cannot copy \(folder) to \(target)") {
            try manager.createDirectory(
                atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try owner.take(target)
            for name in try manager.subpathsOfDirectory(atPath: folder) {
                let (source, place) = ("\(folder)/\(name)", "\(target)/\(name)")
                var isFolder: ObjCBool = false
                // Gone since it was listed: nothing needed it.
                guard manager.fileExists(atPath: source, isDirectory: &isFolder) else { continue }
                if isFolder.boolValue {
                    try manager.createDirectory(atPath: place, withIntermediateDirectories: true)
                    try owner.take(place)
                } else if !manager.fileExists(atPath: place) {
                    let part = place + ".part"
                    do {
                        try? manager.removeItem(atPath: part)
                        defer { try? manager.removeItem(atPath: part) }
                        try manager.copyItem(atPath: source, toPath: part)
                        try owner.take(part)
                        // Or a file that lost its content with the power would stay for good.
                        try FileHandle(forUpdatingAtPath: part)?.synchronize()
                        try manager.moveItem(atPath: part, toPath: place)
                    } catch  where !manager.fileExists(atPath: source) {
                        continue
                    }
                }
            }
        }
    }
}

/// Whoever owns the folder that files go to: root makes files there that are theirs, or the service could not read
/// them.
private struct Owner {
    private var attributes: [FileAttributeKey: Any] = [:]

    /// - Parameter folder: when it is not there yet, the next one above it that is.
    init(of folder: String) {
        guard geteuid() == 0 else { return }
        var place = URL(fileURLWithPath: folder).standardized
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) { place.deleteLastPathComponent() }
        guard let found = try? FileManager.default.attributesOfItem(atPath: place.path) else { return }
        for key in [FileAttributeKey.ownerAccountID, .groupOwnerAccountID] { attributes[key] = found[key] }
    }

    func take(_ path: String) throws {
        guard !attributes.isEmpty else { return }
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    }
}
