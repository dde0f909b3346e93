import Foundation

/// Writes files as Swift: `embed-files FOLDER OUTPUT FILE…`. The plugin EmbedFiles calls it while building. The name of
/// the folder says what they are: `SQL` or `Web`.
@main
enum EmbedFiles {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { fail("usage: embed-files FOLDER OUTPUT FILE…") }
        let folder = URL(filePath: arguments[0], directoryHint: .isDirectory)
        let files = Array(arguments.dropFirst(2))
        let swift =
            switch folder.lastPathComponent {
            case "Web": try WebFiles.swift(folder, files)
            case "vectors": try VectorFiles.swift(folder, files)
            default: try SQLFiles.swift(folder, files)
            }
        let output = URL(filePath: arguments[1])
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
