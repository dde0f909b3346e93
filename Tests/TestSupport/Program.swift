import Foundation
import Glibc

/// Runs the `parley` command as a person would, in its own process with its own home folder.
public final class Program: Sendable {
    private let folder: TestFolder
    private let binary: String

    /// - Parameter name: the program to run.
    public init(_ name: String = "parley") throws {
        folder = try TestFolder()
        binary = try TestCluster.binaries() + "/\(name)"
    }

    /// The path of a folder for `parley up`, which does not exist yet.
    public var clusterFolder: String { "\(folder.path)/data" }

    public func remove() { folder.remove() }

    /// Runs the program to its end, for at most four minutes.
    /// - Parameter input: its standard input.
    /// - Throws: ``NeverHappened`` if it does not end in time. Then it is killed.
    public func run(
        _ arguments: [String], environment: [String: String] = [:], input: FileHandle = .nullDevice
    ) async throws -> Ended {
        try await runToEnd(
            [binary] + arguments, environment: self.environment(with: environment), input: input)
    }

    /// Starts the program and leaves it running. Its output goes to a file.
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

    /// A shell that runs tests in the background has them ignore SIGINT, and what they start inherits that.
    private static let takesInterrupts: Void = {
        signal(SIGINT, SIG_DFL)
        signal(SIGQUIT, SIG_DFL)
    }()

    private func prepare(_ arguments: [String], _ environment: [String: String]) -> Process {
        Self.takesInterrupts
        let process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = arguments
        process.environment = self.environment(with: environment)
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private func environment(with settings: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(
            [
                "HOME": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config",
                "PARLEY_RETRY_SECONDS": "\(60 * patience)",
            ]
        ) { $1 }.merging(settings) { $1 }
    }

    /// A run that has not ended yet.
    public final class Running: @unchecked Sendable {
        // Sendable: Foundation's Process may be read and signalled from any thread; the rest does not change.
        private let process: Process
        private let path: String

        init(process: Process, path: String) { (self.process, self.path) = (process, path) }

        public var isRunning: Bool { process.ending == nil }
        public var id: Int32 { process.processIdentifier }

        /// Everything printed so far.
        public var output: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        /// The JSON objects printed so far.
        public var objects: [[String: String]] { Ended(status: 0, output: output, errors: "").objects }

        public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

        /// Waits for the end of the program.
        /// - Returns: its exit code; after a signal, the number of the signal.
        public func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
            try await eventually(within: limit, "the end of parley") { !isRunning }
            return process.ending?.status ?? 0
        }
    }
}

extension Ended {
    /// The lines of the output that are JSON objects.
    public var objects: [[String: String]] {
        output.split(separator: "\n").compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?.mapValues { "\($0)" }
        }
    }
}

extension Process {
    /// How it ended: with an exit code, or the number of a signal; nil: it runs. Foundation learns of the end of a
    /// process over a thread of its own, on a busy machine minutes late. The kernel knows.
    fileprivate var ending: (status: Int32, isSignal: Bool)? {
        var info = siginfo_t()
        if waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let child = info._sifields._sigchld
            return child.si_pid == processIdentifier ? (child.si_status, info.si_code != CLD_EXITED) : nil
        }
        // Foundation has taken its status, or is about to.
        return isRunning ? nil : (terminationStatus, terminationReason == .uncaughtSignal)
    }
}
