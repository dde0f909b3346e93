import Foundation

/// What an export has got so far, in `FILE.part`: a line for each page, with where the next one begins. A line that was
/// not written to its end is cut off, and its page is asked for again.
struct ExportFile {
    /// A line without its items.
    struct Mark: Codable, Equatable {
        var section: ParleyClient.ExportSection
        /// The conversation whose pages these are; empty: the section has no such parts.
        var of = ""
        /// Where the next page begins; nil: this was the last one.
        var next: String?
    }

    let path: String
    private(set) var last: Mark?
    /// The conversations whose messages are to be had, and those whose members did not come with them, in order.
    private(set) var conversations: [String] = []
    private(set) var large: [String] = []
    private let handle: FileHandle

    private static let header = #"{"parley_export":1,"user":""#

    /// Opens what is there of this person's, or begins anew.
    /// - Throws: ``ParleyError`` `export_failed`.
    init(path: String, user: String) throws {
        self.path = path
        let first = Self.header + user + "\"}\n"
        if !FileManager.default.fileExists(atPath: path) {
            guard
                FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw ParleyError.export("cannot write \(path)") }
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else { throw ParleyError.export("cannot write \(path)") }
        self.handle = handle
        var good: UInt64 = 0
        var isFirst = true
        try Self.lines(of: path) { line, isWhole in
            guard isWhole else { return false }
            if isFirst {
                isFirst = false
                guard line == Data(first.dropLast().utf8) else {
                    if line.starts(with: Data(Self.header.utf8)) {
                        throw ParleyError.export(
                            "\(path) is of another person's export: remove it, or name another file")
                    }
                    throw ParleyError.export("\(path) is no export: remove it, or name another file")
                }
            } else {
                guard let mark = Self.mark(of: line) else { return false }
                last = mark
                note(Self.items(of: line), of: mark.section)
            }
            good += UInt64(line.count) + 1
            return true
        }
        try handle.truncate(atOffset: good)
        try handle.seek(toOffset: good)
        if good == 0 { try handle.write(contentsOf: Data(first.utf8)) }
    }

    /// Adds a page.
    mutating func append(_ items: [String], _ mark: Mark) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = try encoder.encode(mark)
        line.removeLast()
        line.append(Data(Self.itemsKey.utf8))
        line.append(Data(items.joined(separator: ",").utf8))
        line.append(Data("]}\n".utf8))
        try handle.write(contentsOf: line)
        last = mark
        note(Data(items.joined(separator: ",").utf8), of: mark.section)
    }

    /// Makes one JSON object of it, in place of what stands at `destination`.
    func finish(as destination: String) throws {
        try handle.synchronize()
        let new = destination + ".new"
        guard FileManager.default.createFile(atPath: new, contents: nil, attributes: [.posixPermissions: 0o600]),
            let output = FileHandle(forWritingAtPath: new)
        else { throw ParleyError.export("cannot write \(new)") }
        var section: ParleyClient.ExportSection?
        var isFirstItem = true
        var isHeader = true
        try Self.lines(of: path) { line, _ in
            if isHeader {
                isHeader = false
                try output.write(contentsOf: line.dropLast())
                return true
            }
            guard let mark = Self.mark(of: line) else { return true }
            if mark.section != section {
                let opening = section == nil ? "" : "\n]"
                try output.write(contentsOf: Data("\(opening),\n\"\(mark.section.rawValue)\":[".utf8))
                section = mark.section
                isFirstItem = true
            }
            let items = Self.items(of: line)
            guard !items.isEmpty else { return true }
            try output.write(contentsOf: Data((isFirstItem ? "\n" : ",\n").utf8) + items)
            isFirstItem = false
            return true
        }
        try output.write(contentsOf: Data("\n]}\n".utf8))
        try output.synchronize()
        try output.close()
        guard rename(new, destination) == 0 else { throw ParleyError.export("cannot write \(destination)") }
        try FileManager.default.removeItem(atPath: path)
        try handle.close()
    }

    // MARK: Lines

    private static let itemsKey = #","items":["#

    private static func mark(of line: Data) -> Mark? {
        guard line.last == UInt8(ascii: "}"), let items = line.range(of: Data(itemsKey.utf8)) else { return nil }
        return try? JSONDecoder().decode(Mark.self, from: line[..<items.lowerBound] + [UInt8(ascii: "}")])
    }

    private static func items(of line: Data) -> Data {
        guard let items = line.range(of: Data(itemsKey.utf8)) else { return Data() }
        return line[items.upperBound...].dropLast(2)
    }

    private mutating func note(_ items: Data, of section: ParleyClient.ExportSection) {
        guard section == .conversations else { return }
        struct Known: Decodable {
            var id: String
            var members: [Member]?
            var memberCount: Int?
            struct Member: Decodable {}
        }
        guard let known = try? JSONDecoder().decode([Known].self, from: Data("[".utf8) + items + Data("]".utf8)) else {
            return
        }
        conversations += known.map(\.id)
        large += known.filter { $0.memberCount ?? 0 > $0.members?.count ?? 0 }.map(\.id)
    }

    /// Reads a file line by line, in memory of one line.
    /// - Parameter body: gets also whether the line was ended; false stops.
    private static func lines(of path: String, _ body: (Data, Bool) throws -> Bool) throws {
        guard let input = FileHandle(forReadingAtPath: path) else { throw ParleyError.export("cannot read \(path)") }
        defer { try? input.close() }
        var rest = Data()
        while let read = try input.read(upToCount: 256 * 1024), !read.isEmpty {
            rest += read
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                guard try body(Data(rest[..<end]), true) else { return }
                rest = Data(rest[(end + 1)...])
            }
        }
        if !rest.isEmpty { _ = try body(rest, false) }
    }
}

extension ParleyError {
    static func export(_ why: String) -> ParleyError {
        ParleyError(code: "export_failed", message: "The export was not made: \(why)")
    }
}
