import Foundation

/// What people exported from another Parley: files of `parley export`, and beside each a folder of its name with the
/// files that the person sent.
extension Conversion {
    /// Where the files of messages are, and how their paths begin in what people read.
    package struct FilesFolder: Sendable {
        package var path: String
        package var shown: String
    }

    package var filesFolder: FilesFolder {
        guard exporters != nil else { return FilesFolder(path: "\(folder)/storage", shown: "storage/") }
        let own = isFolder ? folder : URL(fileURLWithPath: folder).deletingLastPathComponent().path
        return FilesFolder(path: own, shown: "")
    }

    /// Whether a conversation that is known takes only what is newer than all that came in before.
    package var addsOnlyNewer: Bool { exporters != nil }

    private var isFolder: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    func readExports() throws(ImportError) {
        var names = [URL(fileURLWithPath: folder).lastPathComponent]
        if isFolder {
            let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            names = found.filter { $0.hasSuffix(".json") }.sorted()
        }
        guard !names.isEmpty else {
            throw ImportError(
                .nothing, "\(folder) has no file that ends in .json.",
                advice: "Put into it what people wrote by: parley export --to NAME.json --files NAME")
        }
        for name in names {
            var reading = try ExportReading(
                path: "\(filesFolder.path)/\(name)", name: name, ExportIntake(conversion: self))
            try reading.read()
            if let before = exporters?.updateValue(name, forKey: reading.user) {
                throw ImportError(
                    .samePerson, "\(before) and \(name) are of one person.", advice: "Leave only the newer one.")
            }
        }
    }
}

/// Sorts what is found in exports of Parley.
private struct ExportIntake: ExportReading.Visitor {
    let conversion: Conversion

    func found(_ fragment: Fragment) throws(ImportError) { try conversion.take(fragment) }

    func seen(_ user: JSON, _ id: String) throws(ImportError) {
        guard conversion.seen.insert(id).inserted else { return }
        try conversion.add(.seen(user), toPerson: id)
    }

    func beside(_ value: JSON, _ path: String, of person: String) throws(ImportError) {
        try conversion.add(.beside(value, path: path), toPerson: person)
    }

    func note(_ kind: String, _ path: String, _ what: Report.What, _ why: String) throws(ImportError) {
        try conversion.report.note(kind, path, what, why)
    }
}
