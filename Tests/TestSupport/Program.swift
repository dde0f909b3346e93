import Foundation
import Glibc

/// The `parley` command, run as a person would: a process of its own, with a home of its own.
public final class Program: Sendable {
    /// What came of a run that ended.
    public struct Outcome: Sendable {
        public var status: Int32
        public var output: String
        public var errors: String

        /// The lines of the output, each a JSON object.
        public var objects: [[String: String]] {
            output.split(separator: "\n").compactMap { line in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?.mapValues { "\($0)" }
            }
        }
    }

    private let folder: TestFolder
    private let binary: String

    /// - Parameter name: another of the programs than the command.
    public init(_ name: String = "parley") throws {
        folder = try TestFolder()
        binary = try TestCluster.binaries() + "/\(name)"
    }

    /// A folder for `parley up`, not made yet.
    public var place: String { "\(folder.path)/place" }

    public func remove() { folder.remove() }

    /// Runs it to its end.
    public func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let process = prepare(arguments, environment)
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        return try await onThread {
            try process.run()
            let said = output.fileHandleForReading.readDataToEndOfFile()
            let complained = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
                errors: String(decoding: complained, as: UTF8.self))
        }
    }

    /// Starts it and leaves it running; what it prints goes to a file.
    public func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        let path = "\(folder.path)/output-\(UInt32.random(in: 0...(.max)))"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        let process = prepare(arguments, environment)
        (process.standardOutput, process.standardError) = (file, file)
        try process.run()
        AtExit.add { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        return Running(process: process, path: path)
    }

    private func prepare(_ arguments: [String], _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "HOME": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config",
                "PARLEY_RETRY_SECONDS": "\(60 * patience)",
            ]
        ) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// A run that goes on.
    public final class Running: @unchecked Sendable {
        // Sendable: Foundation's Process may be asked and signalled from any thread; the rest does not change.
        private let process: Process
        private let path: String

        init(process: Process, path: String) { (self.process, self.path) = (process, path) }

        public var isRunning: Bool { process.isRunning }

        /// All it printed so far.
        public var output: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        /// The objects it printed so far.
        public var objects: [[String: String]] { Outcome(status: 0, output: output, errors: "").objects }

        public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

        /// Waits for its end.
        /// - Returns: its exit code; that of a killed one is the signal.
        public func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
            try await eventually(within: limit, "the end of parley") { !isRunning }
            return process.terminationStatus
        }
    }
}
