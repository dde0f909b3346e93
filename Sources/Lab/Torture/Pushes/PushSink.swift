import Foundation
import Synchronization

/// A server that takes what is meant for Google's push service and says what came (`Tests/Push/sink.py`), in a process
/// of its own. It ends with this process, however that ends.
public final class PushSink: @unchecked Sendable {
    // Sendable: nothing changes after init.

    /// A push as it came over the wire.
    public struct Push: Hashable, Sendable {
        /// In microseconds since 1970.
        public var at: Int64
        public var token: String
        public var id: String
        public var kind: String
        public var conversation: String
        /// 0: of no message.
        public var seq: Int64

        /// - Parameter line: as the server prints it; nil if it is none.
        public init?(line: some StringProtocol) {
            let words = line.split(separator: " ")
            guard words.count == 6, let at = Int64(words[0]) else { return nil }
            self.at = at
            (token, id, kind) = (String(words[1]), String(words[2]), String(words[3]))
            (conversation, seq) = (String(words[4]), Int64(words[5]) ?? 0)
        }
    }

    /// Why it cannot be started.
    public struct Problem: Error, CustomStringConvertible {
        public var description: String
    }

    /// It makes its keys first.
    private static let startSeconds = 60

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let folder: String
    private let port: Int

    /// Starts it.
    /// - Parameters:
    ///   - program: the path of `Tests/Push/sink.py`.
    ///   - folder: for its keys; it is created.
    ///   - received: called with the pushes as they come, in order, from one thread at a time.
    /// - Throws: ``Problem``.
    public init(_ program: String, folder: String, received: @escaping @Sendable ([Push]) -> Void) throws {
        self.folder = folder
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Problem(description: "\(program) is not here: start this in the folder of Parley's sources")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        process.executableURL = URL(filePath: program)
        process.arguments = [folder]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let late = DispatchWorkItem { [pid = process.processIdentifier] in kill(pid, SIGTERM) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.startSeconds), execute: late)
        defer { late.cancel() }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw Problem(
                    description: "\(program) did not start within \(Self.startSeconds) s: run it to see why")
            }
            line += byte
        }
        port = Int(String(decoding: line.dropLast(), as: UTF8.self)) ?? 0
        let rest = Mutex(Data())
        output.fileHandleForReading.readabilityHandler = { file in
            let data = file.availableData
            guard !data.isEmpty else {
                file.readabilityHandler = nil
                return
            }
            rest.withLock { rest in
                rest += data
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
                let text = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                received(text.split(separator: "\n").compactMap { Push(line: $0) })
            }
        }
    }

    /// The settings of notifications with which pushes come here.
    public var settings: [String: String] {
        get throws {
            [
                "PARLEY_PUSH_FCM_ACCOUNT": try String(contentsOfFile: "\(folder)/account.json", encoding: .utf8),
                "PARLEY_PUSH_FCM_URL": "https://localhost:\(port)",
                "PARLEY_PUSH_AUTHORITIES": "\(folder)/ca.pem",
            ]
        }
    }

    /// Its process, to measure it.
    public var pid: pid_t { process.processIdentifier }

    public func end() {
        output.fileHandleForReading.readabilityHandler = nil
        // It ends by that. Foundation may learn of it minutes late, so nobody waits.
        try? input.fileHandleForWriting.close()
    }
}
