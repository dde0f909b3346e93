import Foundation

/// SQL as texts, and the numbers that `names.sql` names as enums.
enum SQLFiles {
    static func swift(_ folder: URL, _ files: [String]) throws -> String {
        let entries = try files.map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return "        (path: \"\(path)\", text: ###\"\"\"\n\(text)\n\"\"\"###),\n"
        }
        let names = folder.appending(path: "names.sql")
        return """
            /// The files of the folder SQL, by path.
            enum SQLFiles {
                static let all: [(path: String, text: String)] = [
            \(entries.joined())    ]
            }

            """ + enums((try? String(contentsOf: names, encoding: .utf8)) ?? "")
    }

    /// The numbers that `names.sql` names, as Swift: `-- Name  what it is`, then `--   1 case  what it means`.
    private static func enums(_ text: String) -> String {
        var swift = ""
        for line in text.split(separator: "\n") where line.hasPrefix("--") {
            let words = line.dropFirst(2).split(separator: " ").map(String.init)
            let rest = words.dropFirst(2).joined(separator: " ")
            if words.count == 1, words[0].first?.isUppercase == true {
                swift += (swift.isEmpty ? "" : "}\n") + "\nenum \(words[0]): Int16, CaseIterable, Sendable {\n"
            } else if words.count >= 2, Int(words[0]) != nil {
                swift += (rest.isEmpty ? "" : "    /// \(rest)\n") + "    case \(words[1]) = \(words[0])\n"
            }
        }
        return swift.isEmpty ? "" : swift + "}\n"
    }
}
