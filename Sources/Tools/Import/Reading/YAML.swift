/// Reads the part of YAML that a mapping file needs: nested keys, lists, texts and comments.
enum YAML {
    private struct Line {
        var number: Int
        var indent: Int
        var text: Substring
    }

    private static let bytesMax = 1_048_576
    private static let depthMax = 8

    /// - Throws: ``ImportError`` `import_map` with the number of the line.
    static func value(of text: String) throws(ImportError) -> JSON {
        guard text.utf8.count <= bytesMax else { throw wrong(1, "the file is larger than a map can be") }
        var lines: [Line] = []
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = withoutComment(raw.last == "\r" ? raw.dropLast() : raw)
            let body = line.drop { $0 == " " }
            if body.isEmpty { continue }
            guard !line.contains("\t") else { throw wrong(index + 1, "a tab; YAML is indented by spaces") }
            lines.append(Line(number: index + 1, indent: line.count - body.count, text: trimmed(body)))
        }
        var rest = lines[...]
        let value = try block(&rest, indent: rest.first?.indent ?? 0, depth: 0)
        if let more = rest.first { throw wrong(more.number, "an indentation that fits nothing above") }
        return value
    }

    private static func block(_ rest: inout ArraySlice<Line>, indent: Int, depth: Int) throws(ImportError) -> JSON {
        guard let first = rest.first else { return .object([]) }
        guard depth < depthMax else { throw wrong(first.number, "too many levels") }
        if first.text.hasPrefix("- ") {
            var items: [JSON] = []
            while let line = rest.first, line.indent == indent, line.text.hasPrefix("- ") {
                items.append(try scalar(trimmed(line.text.dropFirst(2)), line.number))
                rest.removeFirst()
            }
            return .list(items)
        }
        var fields: [JSON.Field] = []
        while let line = rest.first, line.indent == indent {
            guard let colon = line.text.firstIndex(of: ":") else { throw wrong(line.number, "no \":\" after a key") }
            let key = unquoted(trimmed(line.text[..<colon]))
            let after = trimmed(line.text[line.text.index(after: colon)...])
            rest.removeFirst()
            guard !fields.contains(where: { $0.key == key }) else { throw wrong(line.number, "\(key) a second time") }
            if !after.isEmpty {
                fields.append(JSON.Field(key, try scalar(after, line.number)))
            } else if let next = rest.first, next.indent > indent || next.indent == indent && next.text.hasPrefix("- ")
            {
                fields.append(JSON.Field(key, try block(&rest, indent: next.indent, depth: depth + 1)))
            } else {
                fields.append(JSON.Field(key, .null))
            }
        }
        return .object(fields)
    }

    private static func scalar(_ text: Substring, _ number: Int) throws(ImportError) -> JSON {
        guard text.first == "[" else { return .text(unquoted(text)) }
        guard text.last == "]" else { throw wrong(number, "a list without its end") }
        return .list(text.dropFirst().dropLast().split(separator: ",").map { .text(unquoted(trimmed($0))) })
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var before: Character = " "
        for index in line.indices {
            if line[index] == "#", before == " " { return trimmed(line[..<index], atStart: false) }
            before = line[index]
        }
        return trimmed(line, atStart: false)
    }

    private static func trimmed(_ text: Substring, atStart: Bool = true) -> Substring {
        var text = text
        while text.last == " " { text.removeLast() }
        return atStart ? text.drop { $0 == " " } : text
    }

    private static func wrong(_ line: Int, _ what: String) -> ImportError {
        ImportError(
            .map, "Line \(line) of the map: \(what).",
            advice: "Begin with the built-in one: parley import firebase --print-map")
    }
}
