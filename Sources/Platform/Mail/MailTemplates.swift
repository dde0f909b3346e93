import Glibc

/// The texts of mails, with words in braces for what differs: `{code}`. An operator may replace each by a file.
public struct MailTemplates: Sendable {
    /// Why a file cannot be used.
    public struct Problem: Error, CustomStringConvertible {
        public let description: String
    }

    private struct Template: Sendable {
        var subject: String
        var text: String
        var html: String?
    }

    /// A text that mails have if no file replaces it.
    public struct Standard: Sendable {
        var name: String
        var text: String
        var words: Set<String>

        /// - Parameters:
        ///   - name: the name of its file, without ".txt".
        ///   - text: "Subject: …", an empty line, and the text.
        ///   - words: those that it may have in braces.
        public init(_ name: String, words: Set<String>, _ text: String) {
            (self.name, self.words, self.text) = (name, words, text)
        }
    }

    private static let bytesMax = 64 * 1024
    private var templates: [String: Template] = [:]

    /// - Parameters:
    ///   - standards: all that there are.
    ///   - folder: where NAME.txt and NAME.html replace them; empty: nowhere.
    /// - Throws: ``Problem``.
    public init(_ standards: [Standard], folder: String) throws(Problem) {
        if !folder.isEmpty, access(folder, R_OK | X_OK) != 0 {
            throw Problem(description: "the folder \(folder) cannot be read")
        }
        for standard in standards {
            let path = "\(folder)/\(standard.name)"
            let text = folder.isEmpty ? nil : try Self.content(of: "\(path).txt")
            let html = folder.isEmpty ? nil : try Self.content(of: "\(path).html")
            let file = text == nil ? "the text of \(standard.name)" : "\(path).txt"
            var template = try Self.template(text ?? standard.text, file)
            template.html = html
            for (part, place) in [(template.subject, file), (template.text, file), (html ?? "", "\(path).html")] {
                if let word = Self.words(in: part).first(where: { !standard.words.contains($0) }) {
                    let known = standard.words.sorted().map { "{\($0)}" }.joined(separator: ", ")
                    throw Problem(description: "\(place): there is no {\(word)}; it may have \(known)")
                }
            }
            templates[standard.name] = template
        }
    }

    /// Returns the mail of this name.
    /// - Parameter values: by the words in braces.
    public func message(_ name: String, to recipient: String, _ values: [String: String]) -> MailMessage {
        guard let template = templates[name] else { preconditionFailure("there is no mail \"\(name)\"") }
        return MailMessage(
            to: recipient, subject: Self.filled(template.subject, values), text: Self.filled(template.text, values),
            html: template.html.map { Self.filled($0, values.mapValues(Self.escaped)) })
    }

    private static func template(_ text: String, _ file: String) throws(Problem) -> Template {
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("Subject: "), first.count > 9, lines.count > 2, lines[1].isEmpty
        else { throw Problem(description: "\(file) must begin with \"Subject: …\" and an empty line") }
        return Template(subject: String(first.dropFirst(9)), text: lines.dropFirst(2).joined(separator: "\n"))
    }

    /// - Returns: nil if there is no such file.
    private static func content(of path: String) throws(Problem) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Problem(description: "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress.map { $0 + count }, $0.count - count) }
            guard more >= 0 else { throw Problem(description: "\(path) cannot be read") }
            if more == 0 { break }
            count += more
        }
        guard count <= bytesMax else { throw Problem(description: "\(path) is longer than \(bytesMax) bytes") }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw Problem(description: "\(path) is not in UTF-8")
        }
        return text
    }

    /// The words in braces; a brace that begins no word stays as it is.
    private static func words(in text: String) -> [String] {
        text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { piece in
            guard let end = piece.firstIndex(of: "}") else { return nil }
            let word = piece[..<end]
            return !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isLetter } ? String(word) : nil
        }
    }

    /// One pass: what a value says is never taken for a word.
    private static func filled(_ text: String, _ values: [String: String]) -> String {
        var (filled, rest) = ("", Substring(text))
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            guard let end = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: open)..<end])]
            else {
                filled.append("{")
                rest = rest.dropFirst()
                continue
            }
            filled += value
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
