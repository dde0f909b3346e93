import Foundation
import PackagePlugin

/// Gives a target the files of its folder `SQL` as `SQLFiles.all`, and those of `Web` as `WebFiles.all`, so that a new
/// file needs no line of Swift. The target Conformance gets those of `proto/vectors` as `VectorFiles.all`.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        var folders = ["SQL", "Web"].map { target.directoryURL.appending(path: $0) }
        if target.name == "Conformance" {
            folders.append(context.package.directoryURL.appending(path: "proto/vectors"))
        }
        return try folders.filter { FileManager.default.fileExists(atPath: $0.path) }.map { folder in
            let name = folder.lastPathComponent == "vectors" ? "Vector" : folder.lastPathComponent
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { file in
                    let isWanted =
                        name == "Vector" ? file.hasSuffix(".json") : (name == "SQL") == file.hasSuffix(".sql")
                    return isWanted && !file.hasPrefix(".") && file.contains(".")
                }.sorted()
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Files.swift")
            return .buildCommand(
                displayName: "Embedding \(name) of \(target.name)",
                executable: try context.tool(named: "embed-files").url, arguments: [folder.path, output.path] + files,
                inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
        }
    }
}
