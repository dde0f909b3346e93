import Foundation

/// The pages of an export received so far, in `FILE.part`. Each line holds a page and the cursor of the next one. An
/// incomplete last line is removed, and its page is requested again.
struct ExportFile {
    /// A line without its items.
    struct Mark: Codable, Equatable {
        var section: ParleyClient.ExportSection
        /// The conversation that the pages belong to; empty: the section is not divided by conversation.
        var of = ""
        /// The cursor of the next page; nil: this was the last one.
        var next: String?
    }

    private(set) var last: Mark?
    private(set) var conversations = ExportedConversations()
    private let destination: String
    private let user: String
    private let handle: FileHandle

    private var path: String { destination + ".part" }
    /// The first line of `FILE.part`. `FILE.new` begins with ``openHeader(of:)`` and continues the same object.
    private static func header(of user: String) -> String { openHeader(of: user) + "}\n" }
    private static func openHeader(of user: String) -> String { #"{"parley_export":1,"user":"\#(user)""# }

    /// Opens the interrupted export of this person, or begins a new one.
    /// - Throws: ``ParleyError`` `export_failed`.
    init(destination: String, user: String) throws {
        (self.destination, self.user) = (destination, user)
        let header = Self.header(of: user)
        try ExportOwnFile.checkDestination(destination)
        try ExportOwnFile.check(destination + ".new", header: Self.openHeader(of: user))
        handle = try ExportOwnFile.open(destination + ".part", header: header)
        var good: UInt64 = 0
        var (last, conversations) = (Mark?.none, ExportedConversations())
        try Self.lines(of: handle) { line, isWhole in
            guard isWhole else { return false }
            if good > 0 {
                guard let mark = Self.mark(of: line), conversations.note(Self.items(of: line), of: mark.section) else {
                    return false
                }
                last = mark
            }
            good += UInt64(line.count) + 1
            return true
        }
        (self.last, self.conversations) = (last, conversations)
        try handle.truncate(atOffset: good)
        try handle.seek(toOffset: good)
        if good == 0 { try handle.write(contentsOf: Data(header.utf8)) }
    }

    /// Adds a page.
    mutating func append(_ items: [String], _ mark: Mark) throws {
        let joined = Data(items.joined(separator: ",").utf8)
        guard conversations.note(joined, of: mark.section) else {
            throw ParleyError.export("this version cannot read the server's conversations. Use a newer one.")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = try encoder.encode(mark)
        line.removeLast()
        line.append(Data(Self.itemsKey.utf8))
        line.append(joined)
        line.append(Data("]}\n".utf8))
        try handle.write(contentsOf: line)
        last = mark
    }

    /// Combines the pages into one JSON object and replaces the file at the destination with it.
    func finish() throws {
        try handle.synchronize()
        let new = destination + ".new"
        let output = try ExportOwnFile.open(new, header: Self.openHeader(of: user))
        try output.truncate(atOffset: 0)
        try output.write(contentsOf: Data(Self.openHeader(of: user).utf8))
        var section: ParleyClient.ExportSection?
        var isFirstItem = true
        var isHeader = true
        let lasts = conversations.lastItems
        var conversationItems = 0
        try Self.lines(of: handle) { line, _ in
            guard !isHeader, let mark = Self.mark(of: line) else {
                isHeader = false
                return true
            }
            if mark.section != section {
                let opening = section == nil ? "" : "\n]"
                try output.write(contentsOf: Data("\(opening),\n\"\(mark.section.rawValue)\":[".utf8))
                section = mark.section
                isFirstItem = true
            }
            var items = [Self.items(of: line)]
            if mark.section == .conversations {
                items = ExportedConversations.split(items[0]).filter { _ in
                    defer { conversationItems += 1 }
                    return lasts.contains(conversationItems)
                }
            }
            for item in items where !item.isEmpty {
                try output.write(contentsOf: Data((isFirstItem ? "\n" : ",\n").utf8) + item)
                isFirstItem = false
            }
            return true
        }
        try output.write(contentsOf: Data("\n]}\n".utf8))
        try output.synchronize()
        try output.close()
        guard rename(new, destination) == 0 else { throw ParleyError.export("cannot write \(destination).") }
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

    /// Reads a file from its beginning, holding one line at a time in memory.
    /// - Parameter body: called with each line and whether the line is complete; false stops.
    private static func lines(of input: FileHandle, _ body: (Data, Bool) throws -> Bool) throws {
        try input.seek(toOffset: 0)
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

/// The conversations received so far. A conversation that changes during the export appears again; its last version
/// counts.
struct ExportedConversations {
    private struct Last {
        var item: Int
        var isLarge: Bool
    }

    /// In the order of their first appearance.
    private var ids: [String] = []
    private var indexes: [String: Int] = [:]
    private var lasts: [Last] = []
    private var items = 0

    /// The indexes, from 0, of the items that are the last version of their conversation.
    var lastItems: Set<Int> { Set(lasts.map(\.item)) }

    /// Returns the conversation after a given one; nil: there is none.
    /// - Parameter large: whether only conversations count whose members were not all included.
    func next(after id: String?, large: Bool) -> String? {
        guard let id else { return first(from: 0, large: large) }
        return indexes[id].flatMap { first(from: $0 + 1, large: large) }
    }

    private func first(from start: Int, large: Bool) -> String? {
        ids[start...].indices.first { !large || lasts[$0].isLarge }.map { ids[$0] }
    }

    /// Notes the items of a page.
    /// - Returns: false when they cannot be read as conversations.
    mutating func note(_ items: Data, of section: ParleyClient.ExportSection) -> Bool {
        guard section == .conversations else { return true }
        struct Known: Decodable {
            var id: String
            var members: [Member]?
            var memberCount: Int?
            struct Member: Decodable {}
        }
        guard let known = try? JSONDecoder().decode([Known].self, from: Data("[".utf8) + items + Data("]".utf8)) else {
            return false
        }
        for conversation in known {
            let last = Last(
                item: self.items, isLarge: conversation.memberCount ?? 0 > conversation.members?.count ?? 0)
            self.items += 1
            if let index = indexes[conversation.id] {
                lasts[index] = last
            } else {
                indexes[conversation.id] = ids.count
                ids.append(conversation.id)
                lasts.append(last)
            }
        }
        return true
    }

    /// Splits a JSON list into its elements, byte for byte.
    static func split(_ items: Data) -> [Data] {
        var found: [Data] = []
        var start = items.startIndex
        var (depth, isText, isEscaped) = (0, false, false)
        for index in items.indices {
            let byte = items[index]
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                found.append(items[start..<index])
                start = items.index(after: index)
            default: break
            }
        }
        if start < items.endIndex { found.append(items[start...]) }
        return found
    }
}

extension ParleyError {
    static func export(_ why: String) -> ParleyError {
        ParleyError(.exportFailed, "The export failed: \(why)")
    }
}
