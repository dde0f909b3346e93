import Foundation

/// Vectors as texts.
enum VectorFiles {
    static func swift(_ folder: URL, _ files: [String]) throws -> String {
        let entries = try files.map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return "        ###\"\"\"\n\(text)\n\"\"\"###,\n"
        }
        return """
            /// The files of the folder vectors: JSON, in order of their names.
            enum VectorFiles {
                static let all: [String] = [
            \(entries.joined())    ]
            }

            """
    }
}
