import Foundation
import PackagePlugin

/// Gives a target the files of its folder `SQL` as `SQLFiles.all`, and those of `Web` as `WebFiles.all`, so that a new
/// file needs no line of Swift. The target Conformance gets those of `proto/vectors` as `VectorFiles.all`, and
/// GatewayService the chat for browsers as `ChatFiles.all`.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        var folders = ["SQL", "Web"].map { target.directoryURL.appending(path: $0) }
        if target.name == "Conformance" { folders.append(root.appending(path: "proto/vectors")) }
        folders = folders.filter { FileManager.default.fileExists(atPath: $0.path) }
        let embed = try context.tool(named: "embed-files").url
        var commands = try folders.map { folder in
            let name = folder.lastPathComponent == "vectors" ? "Vector" : folder.lastPathComponent
            let files = try files(in: folder).filter { file in
                name == "Vector" ? file.hasSuffix(".json") : (name == "SQL") == file.hasSuffix(".sql")
            }
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Files.swift")
            let tools = name == "Web" ? ["brotli=\(program("brotli"))"] : []
            return Command.buildCommand(
                displayName: "Embedding \(name) of \(target.name)", executable: embed,
                arguments: [folder.path, output.path] + tools + files,
                inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
        }
        if target.name == "GatewayService" { commands.append(try chat(root, embed, context.pluginWorkDirectoryURL)) }
        return commands
    }

    /// Bundles the chat. What the tools are is said as arguments, so that the chat is made once they are installed.
    private func chat(_ root: URL, _ embed: URL, _ place: URL) throws -> Command {
        let folder = root.appending(path: "Sources/Clients/WebChat")
        let sources = try ["WebChat", "Web"].flatMap { name in
            let folder = root.appending(path: "Sources/Clients/\(name)")
            return try files(in: folder).filter { !$0.hasSuffix(".md") }.map { folder.appending(path: $0) }
        }
        let modules = "/usr/share/nodejs"
        let hasModules = ["react", "react-dom", "qrcode-generator"].allSatisfy { name in
            FileManager.default.fileExists(atPath: "\(modules)/\(name)/package.json")
        }
        let tools = [
            "esbuild=\(program("esbuild"))", "modules=\(hasModules ? modules : "")", "brotli=\(program("brotli"))",
        ]
        let output = place.appending(path: "ChatFiles.swift")
        return .buildCommand(
            displayName: "Bundling the chat for browsers", executable: embed,
            arguments: [folder.path, output.path] + tools, inputFiles: sources, outputFiles: [output])
    }

    private func files(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") && $0.contains(".") }.sorted()
    }

    /// Returns where a program is; empty: it is not installed.
    private func program(_ name: String) -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) } ?? ""
    }
}
