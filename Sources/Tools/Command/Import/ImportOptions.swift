import ArgumentParser
import Foundation
import Import
import ParleyClient
import Reactor

/// What all imports have in common.
struct ImportOptions: ParsableArguments {
    @Flag(help: "Only read it and write the report. Needs no database.") var dryRun = false
    @Option(help: ArgumentHelp("Write the report to this file.", valueName: "file"))
    var report = "parley-import-report.jsonl"
    @Option(help: ArgumentHelp("Write to this file which id of the export became which.", valueName: "file"))
    var ids: String?
    @Option(help: ArgumentHelp("Bring in the files of messages, too, through the gateway there.", valueName: "url"))
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

    /// - Parameter places: nil: the export is of Parley.
    func bringIn(_ export: String, places: () throws -> Places?, follow: Bool) async throws {
        do {
            // Before anything is written, everything is read.
            let url = dryRun ? nil : try database.url()
            let conversion = Conversion(
                folder: export, places: try places(), report: try Report(path: report),
                work: work ?? NSTemporaryDirectory())
            try await bringIn(conversion, to: url, follow: follow)
        } catch let error as ImportError {
            throw Failure(.init(rawValue: error.code.rawValue), error.message, advice: error.advice)
        }
    }

    @ReactorActor
    private func bringIn(_ conversion: sending Conversion, to url: String?, follow: Bool) async throws {
        try conversion.read()
        let list = try ids.map { try IDList(path: $0) }
        if let url {
            let files = uploadTo.map { ImportFiles(of: conversion.filesFolder, to: $0, conversion.report) }
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
            try rehearse(conversion, list)
        }
        try conversion.report.flush()
        try list?.flush()
        show(conversion)
    }

    @ReactorActor
    private func rehearse(_ conversion: Conversion, _ list: IDList?) throws {
        while let person = try conversion.nextPerson() { try list?.add(person) }
        try conversion.arrange()
        while let item = try conversion.nextItem() {
            try list?.add(item)
            guard uploadTo != nil, case .message(let message) = item, let file = message.file else { continue }
            let size = try ImportFiles.size(of: file, in: conversion.filesFolder, message.path, conversion.report)
            if size != nil { try conversion.report.note("files", message.path, .kept) }
        }
        while try conversion.nextEntity() != nil {}
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
