import Foundation
import Synchronization

/// The client under test: a child process that reads lines from standard input and answers on standard output. It ends
/// at the latest when its standard input does.
package final class ClientProcess: Sendable {
    /// What becomes of a client, in the order in which it is known.
    package enum Report: Sendable {
        /// A line of its standard output.
        case line(String)
        /// Nothing more comes of its standard output.
        case drained
        /// It ended, in words.
        case exited(String)
    }

    private struct Output {
        var unfinished = Data()
        var errors = Data()
        var hasExited = false
    }

    /// Room for what a crash says of all threads.
    private static let errorBytesMax = 256 << 10
    private let process = Process()
    private let input = Pipe()
    private let output = Mutex(Output())
    private let report: @Sendable (Report) -> Void

    /// Starts the client.
    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - variables: are added to this process's environment.
    ///   - report: called on other threads.
    package init(
        _ command: [String], variables: [String: String], report: @escaping @Sendable (Report) -> Void
    ) throws {
        self.report = report
        let (lines, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = lines
        process.standardError = errors
        process.terminationHandler = { [self] process in
            output.withLock { $0.hasExited = true }
            let isSignal = process.terminationReason == .uncaughtSignal
            report(.exited("\(isSignal ? "signal" : "exit code") \(process.terminationStatus)"))
        }
        try process.run()
        // Threads of their own: Foundation's handlers of readable data crash when pipes come and go quickly.
        Self.read(lines) { [self] in
            take($0)
        } ended: {
            report(.drained)
        }
        Self.read(errors) { [self] data in
            output.withLock { $0.errors = ($0.errors + data).suffix(Self.errorBytesMax) }
        }
    }

    /// Passes on what is read from a pipe until it ends.
    private static func read(
        _ pipe: Pipe, _ body: @escaping @Sendable (Data) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = bytes.withUnsafeMutableBytes {
                    Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                body(Data(bytes[..<count]))
            }
            try? handle.close()
            ended()
        }
    }

    private func take(_ data: Data) {
        let lines = output.withLock { output -> [Data] in
            output.unfinished += data
            // Only what is new can end a line, which may be long.
            guard data.contains(UInt8(ascii: "\n")) else { return [] }
            var lines = output.unfinished.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            output.unfinished = Data(lines.removeLast())
            return lines.map { Data($0) }
        }
        for line in lines { report(.line(String(decoding: line, as: UTF8.self))) }
    }

    /// The end of what the client wrote to standard error.
    package var errors: String {
        String(decoding: output.withLock { $0.errors }, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func write(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends the client as a crash of the machine would.
    package func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Ends the client: by the end of its input, then by signals.
    package func end() async {
        try? input.fileHandleForWriting.close()
        if await hasExited(within: .seconds(2)) { return }
        process.terminate()
        if await hasExited(within: .seconds(1)) { return }
        kill()
        _ = await hasExited(within: .seconds(5))
    }

    private func hasExited(within limit: Duration) async -> Bool {
        // Also when the case was cancelled: the process must not outlive it.
        await Task.detached { [self] in
            let end = ContinuousClock.now + limit
            while ContinuousClock.now < end {
                if output.withLock({ $0.hasExited }) { return true }
                try? await Task.sleep(for: .milliseconds(5))
            }
            return output.withLock { $0.hasExited }
        }.value
    }
}
