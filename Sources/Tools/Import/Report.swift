import Foundation

/// What became of each record: a line of JSON each, and counts.
package final class Report {
    package enum What: String, CaseIterable, Sendable {
        case kept
        case changed
        case keptBeside = "kept beside"
        case leftOut = "left out"
    }

    private static let pieceBytesMax = 1 << 16

    private let file: FileHandle?
    private let name: String
    private var piece: [UInt8] = []
    /// How many records of each kind each of it happened to.
    package private(set) var counts: [String: [What: Int]] = [:]
    /// The lines, if there is no file.
    package private(set) var lines: [String] = []

    /// Keeps the lines in memory, for tests.
    package init() { (file, name) = (nil, "") }

    /// - Throws: ``ImportError`` if the file cannot be written. One that exists is replaced.
    package init(path: String) throws(ImportError) {
        name = path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else {
            throw ImportError(.fileFailed, "Cannot write the report \(path).", advice: "Name another with --report.")
        }
        self.file = file
    }

    /// - Parameter kind: what is counted: `people`, `conversations`, `messages` …
    package func note(_ kind: String, _ path: String, _ what: What, _ why: String = "") throws(ImportError) {
        counts[kind, default: [:]][what, default: 0] += 1
        let start = piece.count
        JSON.object([
            .init("path", .text(path)), .init("what", .text(what.rawValue)), .init("why", .text(why)),
        ]).write(to: &piece)
        if file == nil {
            lines.append(String(decoding: piece[start...], as: UTF8.self))
            piece.removeAll()
            return
        }
        piece.append(0x0A)
        if piece.count >= Self.pieceBytesMax { try flush() }
    }

    package func flush() throws(ImportError) {
        do {
            try file?.write(contentsOf: piece)
        } catch {
            throw ImportError(.fileFailed, "Cannot write the report \(name): \(error.localizedDescription)")
        }
        piece.removeAll(keepingCapacity: true)
    }
}
