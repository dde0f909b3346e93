import Foundation
import PackagePlugin

/// Gives a target the files of its folder `SQL` as `SQLFiles.all`, and those of `Web` as `WebFiles.all`, so that a new
/// file needs no line of Swift.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        try ["SQL", "Web"].compactMap { name in
            let folder = target.directoryURL.appending(path: name)
            guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { (name == "SQL") == $0.hasSuffix(".sql") && !$0.hasPrefix(".") && $0.contains(".") }.sorted()
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Files.swift")
            return .buildCommand(
                displayName: "Embedding \(name) of \(target.name)",
                executable: try context.tool(named: "embed-files").url, arguments: [folder.path, output.path] + files,
                inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
        }
    }
}
