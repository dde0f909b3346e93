import ArgumentParser
import Foundation
import Import
import ParleyClient
import Reactor

/// Brings in what people have elsewhere.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring in people with their conversations and messages, of a Firebase app or of another Parley.",
        subcommands: [ImportFirebaseCommand.self, ImportParleyCommand.self])
}

struct ImportFirebaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firebase",
        abstract: "Bring in the people, conversations and messages of a Firebase app.",
        discussion: """
            FOLDER has what was exported, any of: rtdb.json (Realtime Database), firestore.json (as \
            node-firestore-import-export or firestore-export-import write it, or documents of the REST interface), \
            auth.json (firebase auth:export, or with hashes of another system what auth:import takes), \
            hash-config.json (the parameters of the password hashes) and storage (the objects of the bucket, under \
            their names). Files of messages come in through a running server, with --upload-to. Repeating it changes \
            nothing, and after an interruption it goes on. Nobody is told of what comes in: apps find it when they \
            sync. The report has a line of JSON for each record: what became of it, and why.

            Examples:
              parley import firebase export --dry-run
              parley import firebase export --report report.jsonl --ids ids.jsonl
              parley import firebase export --upload-to ws://127.0.0.1:8080
              parley import firebase --print-map >map.yaml
              parley import firebase export --map map.yaml
            """)

    @Argument(help: ArgumentHelp("The folder of the export.", valueName: "folder")) var export: String?
    @Flag(help: "Also change what an earlier export brought in, where this one is newer: edits, deletions, marks.")
    var follow = false
    @Option(help: ArgumentHelp("Where the app keeps what, where it is not as usual.", valueName: "file"))
    var map: String?
    @Flag(help: "Print the built-in map.") var printMap = false
    @OptionGroup var options: ImportOptions

    func run() async throws {
        if printMap { return Output.line(Places.text) }
        guard let export else {
            throw Failure(.invalid, "Name the folder of the export.", exitCode: .usage)
        }
        try await options.bringIn(export, places: places, follow: follow)
    }

    private func places() throws -> Places {
        guard let map else { return .builtIn }
        guard let text = try? String(contentsOfFile: map, encoding: .utf8) else {
            throw Failure(.noFile, "Cannot read the map \(map) as UTF-8.")
        }
        return try Places(yaml: text)
    }
}

struct ImportParleyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley",
        abstract: "Bring in what people exported from another Parley.",
        discussion: """
            FOLDER has one or more files that people wrote by "parley export --to NAME.json --files NAME", and beside \
            each the folder of its files; a single file will do. The people keep their ids, usernames, conversations, \
            messages, reminders, decisions and events. Passwords are not in exports: people set new ones by a mail to \
            their address. Whoever writes to them and has no export comes in by name, and can bring an export later. \
            Import exports of people who share conversations together. Nothing proves what an export says: import only \
            those of people whom you trust. Files come in through a running server, with --upload-to. Repeating it \
            changes nothing, and after an interruption it goes on. Nobody is told of what comes in: apps find it when \
            they sync. The report has a line of JSON for each record: what became of it, and why.

            Examples:
              parley import parley exports --dry-run
              parley import parley exports --upload-to ws://127.0.0.1:8080
              parley import parley parley-dana.json --report report.jsonl
            """)

    @Argument(help: ArgumentHelp("The folder of the exports, or one of them.", valueName: "folder")) var export: String
    @OptionGroup var options: ImportOptions

    func run() async throws {
        try await options.bringIn(export, places: { nil }, follow: false)
    }
}
