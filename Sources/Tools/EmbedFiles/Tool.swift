import Foundation

/// A program that the build uses.
enum Tool {
    /// Runs a program, and ends this one if it fails.
    /// - Returns: what it writes.
    static func run(
        _ program: String, _ arguments: [String], input: Data = Data(), in environment: [String: String] = [:]
    ) throws -> Data {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        // Beside the reading: neither pipe has room for a whole file.
        let writer = Thread {
            try? stdin.fileHandleForWriting.write(contentsOf: input)
            try? stdin.fileHandleForWriting.close()
        }
        writer.start()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            EmbedFiles.fail("\(program) \(arguments.joined(separator: " ")) failed")
        }
        return output
    }
}
