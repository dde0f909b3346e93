import ArgumentParser
import Foundation
import Import
import Logging
import ParleyClient
import Postgres
import Reactor

/// Brings in what an app has elsewhere.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring in the people, conversations and messages of a Firebase app.",
        subcommands: [ImportFirebaseCommand.self])
}

struct ImportFirebaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firebase",
        abstract: "Bring in the people, conversations and messages of a Firebase app.",
        discussion: """
            FOLDER has what was exported, any of: rtdb.json (Realtime Database), firestore.json (as \
            node-firestore-import-export or firestore-export-import write it, or documents of the REST interface), \
            auth.json (firebase auth:export), hash-config.json (the parameters of the password hashes) and storage \
            (the objects of the bucket, under their names). Files of messages come in through a running server, with \
            --upload-to. Repeating it changes nothing, and after an interruption it goes on. Nobody is told of what \
            comes in: apps find it when they sync. The report has a line of JSON for each record: what became of it, \
            and why.

            Examples:
              parley import firebase export --dry-run
              parley import firebase export --report report.jsonl --ids ids.jsonl
              parley import firebase export --upload-to ws://127.0.0.1:8080
              parley import firebase --print-map >map.yaml
              parley import firebase export --map map.yaml
            """)

    @Argument(help: ArgumentHelp("The folder of the export.", valueName: "folder")) var export: String?
    @Flag(help: "Only read it and write the report. Needs no database.") var dryRun = false
    @Flag(help: "Also change what an earlier export brought in, where this one is newer: edits, deletions, marks.")
    var follow = false
    @Option(help: ArgumentHelp("Where the app keeps what, where it is not as usual.", valueName: "file"))
    var map: String?
    @Flag(help: "Print the built-in map.") var printMap = false
    @Option(help: ArgumentHelp("Write the report to this file.", valueName: "file"))
    var report = "parley-import-report.jsonl"
    @Option(help: ArgumentHelp("Write to this file which id of the export became which.", valueName: "file"))
    var ids: String?
    @Option(help: ArgumentHelp("Bring in the files of storage, too, through the gateway there.", valueName: "url"))
    var uploadTo: String?
    @Option(help: ArgumentHelp("A folder with room for twice the export.", valueName: "folder")) var work: String?
    @OptionGroup var database: OperatorOptions

    private struct SummaryJSON: Encodable {
        var type = "import"
        var records: [String: [String: Int]]
        var missing: [String]
        var dryRun: Bool
    }

    func validate() throws {
        guard let uploadTo else { return }
        do throws(ParleyError) {
            _ = try LinkAddress(uploadTo)
        } catch {
            throw ValidationError("--upload-to: \(error.message)")
        }
    }

    func run() async throws {
        if printMap { return Output.line(Places.text) }
        guard let export else {
            throw Failure(.invalid, "Name the folder of the export.", exitCode: .usage)
        }
        do {
            try await bringIn(export)
        } catch let error as ImportError {
            throw Failure(.init(rawValue: error.code.rawValue), error.message, advice: error.advice)
        }
    }

    @ReactorActor
    private func bringIn(_ export: String) async throws {
        // Before anything is written, everything is read.
        let url = dryRun ? nil : try database.url()
        let conversion = Conversion(
            folder: export, places: try places(), report: try Report(path: report),
            work: work ?? NSTemporaryDirectory())
        try conversion.read()
        let list = try ids.map { try IDList(path: $0) }
        if let url {
            let files = uploadTo.map { ImportFiles(of: export, to: $0, conversion.report) }
            do {
                try await ImportWriter.onDatabase(url, follow: follow, files: files) { writer in
                    try await writer.write(conversion, listing: list)
                }
            } catch {
                await files?.close()
                throw error
            }
            await files?.close()
        } else {
            try rehearse(conversion, list, in: export)
        }
        try conversion.report.flush()
        try list?.flush()
        show(conversion)
    }

    @ReactorActor
    private func rehearse(_ conversion: Conversion, _ list: IDList?, in export: String) throws {
        while let person = try conversion.nextPerson() { try list?.add(person) }
        try conversion.arrange()
        while let item = try conversion.nextItem() {
            try list?.add(item)
            guard uploadTo != nil, case .message(let message) = item, let file = message.file else { continue }
            if try ImportFiles.size(of: file, in: export, message.path, conversion.report) != nil {
                try conversion.report.note("files", message.path, .kept)
            }
        }
        while try conversion.nextEntity() != nil {}
    }

    private func places() throws -> Places {
        guard let map else { return .builtIn }
        guard let text = try? String(contentsOfFile: map, encoding: .utf8) else {
            throw Failure(.noFile, "Cannot read the map \(map) as UTF-8.")
        }
        return try Places(yaml: text)
    }

    private func show(_ conversion: Conversion) {
        let counts = conversion.report.counts
        if database.json {
            let records = counts.mapValues { kinds in
                Dictionary(uniqueKeysWithValues: kinds.map { ($0.key.rawValue, $0.value) })
            }
            return Output.json(SummaryJSON(records: records, missing: conversion.missing, dryRun: dryRun))
        }
        Output.line(dryRun ? "Nothing was changed. What would come in:" : "What came in:")
        for (kind, whats) in counts.sorted(by: { $0.key < $1.key }) {
            let shown = Report.What.allCases.compactMap { what in whats[what].map { "\($0) \(what.rawValue)" } }
            Output.line("  \(PlainText.padded(kind, 14))\(shown.joined(separator: ", "))")
        }
        if !conversion.missing.isEmpty {
            Output.line("Not in the folder: \(conversion.missing.joined(separator: ", "))")
        }
        if uploadTo == nil, conversion.hasStorage {
            Output.line("Files stay where they are, and their messages have the addresses: see --upload-to.")
        }
        Output.line("Each record is in \(report).")
    }
}

/// Which id of an export became which: a line of JSON each.
final class IDList {
    private let file: FileHandle
    private var piece: [UInt8] = []
    private var conversation = ""

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Failure(.fileFailed, "Cannot write the list of ids \(path).") }
        self.file = file
    }

    func add(_ person: ImportedPerson) throws { try add("person", person.source, person.id) }

    func add(_ item: Conversion.Item) throws {
        switch item {
        case .talk(let talk):
            conversation = talk.id
            for source in talk.sources { try add("conversation", source, talk.id) }
        case .message(let message): try add("message", message.source, DerivedID.hex(message.uuid), in: conversation)
        case .state: break
        }
    }

    private func add(_ kind: String, _ source: String, _ id: String, in conversation: String? = nil) throws {
        var fields: [JSON.Field] = [.init("kind", .text(kind)), .init("source", .text(source)), .init("id", .text(id))]
        if let conversation { fields.append(.init("conversation", .text(conversation))) }
        JSON.object(fields).write(to: &piece)
        piece.append(0x0A)
        if piece.count > 1 << 16 { try flush() }
    }

    func flush() throws {
        do {
            try file.write(contentsOf: piece)
        } catch {
            throw Failure(.fileFailed, "Cannot write the list of ids: \(error.localizedDescription)")
        }
        piece.removeAll(keepingCapacity: true)
    }
}
