import Foundation

/// Writes files as Swift: `embed-files FOLDER OUTPUT [TOOL=PATH]… FILE…`. The plugin EmbedFiles calls it while
/// building. The name of the folder says what they are: `SQL`, `Web`, `WebChat` or `vectors`.
@main
enum EmbedFiles {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { fail("usage: embed-files FOLDER OUTPUT [TOOL=PATH]… FILE…") }
        let folder = URL(filePath: arguments[0], directoryHint: .isDirectory)
        let output = URL(filePath: arguments[1])
        var (files, tools): ([String], [String: String]) = ([], [:])
        for word in arguments.dropFirst(2) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { tools[parts[0]] = parts[1] } else { files.append(word) }
        }
        let swift =
            switch folder.lastPathComponent {
            case "Web": try WebFiles.swift(folder, files, brotli: tools["brotli"] ?? "")
            case "WebChat": try ChatFiles.swift(folder, output, tools)
            case "vectors": try VectorFiles.swift(folder, files)
            default: try SQLFiles.swift(folder, files)
            }
        // SwiftPM links this tool again with every change of any file. What it makes then is the same as before, and a
        // file that is written again would be compiled again.
        guard (try? String(contentsOf: output, encoding: .utf8)) != swift else { return }
        try swift.write(to: output, atomically: true, encoding: .utf8)
    }

    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(64)
    }
}
