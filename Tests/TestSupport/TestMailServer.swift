import Foundation

/// A process that plays a mail server (`Tests/Mail/server.py`): real SMTP, which Parley has no part in.
public final class TestMailServer: @unchecked Sendable {
    // Sendable: nothing changes after init.
    private struct Ports: Decodable {
        var plain: Int
        var starttls: Int
        var smtps: Int
        var control: Int
        var authorities: String
    }

    /// A mail that it took.
    public struct Mail: Decodable, Sendable {
        public var from: String
        public var to: String
        public var text: String
        public var html: String
        public var headers: [[String]]

        /// The values of the headers of this name.
        public func values(_ name: String) -> [String] {
            headers.filter { $0.first?.lowercased() == name.lowercased() }.map { $0.last ?? "" }
        }

        /// The code that it has, as people read it; empty: none.
        public var code: String { text.firstMatch(of: /\b[2-9a-z]{4}-[2-9a-z]{4}\b/).map { String($0.0) } ?? "" }
    }

    private let process: Process
    private let input: Pipe
    private let ports: Ports

    public init() throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = MigratedDatabase.root.appending(path: "Tests/Mail/server.py")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // It prints its ports when it listens.
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw NeverHappened(description: "Tests/Mail/server.py did not start: run it to see why")
            }
            line += byte
        }
        ports = try JSONDecoder().decode(Ports.self, from: line)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Without a sign-in and encryption.
    public var plain: String { "smtp://127.0.0.1:\(ports.plain)" }
    /// With a sign-in (chat, secret) after STARTTLS.
    public var starttls: String { "smtp://127.0.0.1:\(ports.starttls)" }
    /// The same, encrypted from the start.
    public var smtps: String { "smtps://127.0.0.1:\(ports.smtps)" }
    /// The file with the certificate that signs its own.
    public var authorities: String { ports.authorities }

    /// Says what it does from now on: "right", "busy", "refuse", "stall" or "drop".
    public func behave(_ mode: String) async throws { _ = try await ask("POST", "/behave", #"{"mode":"\#(mode)"}"#) }

    /// The mails that it took to an address; nil: to all.
    public func mails(to address: String? = nil) async throws -> [Mail] {
        try JSONDecoder().decode([Mail].self, from: try await ask("GET", "/mails", "")).filter {
            address == nil || $0.to == address
        }
    }

    /// Waits until it has so many mails to an address, and returns them.
    public func mails(_ count: Int, to address: String) async throws -> [Mail] {
        var found: [Mail] = []
        try await eventually("\(count) mails to \(address)") {
            found = try await self.mails(to: address)
            return found.count >= count
        }
        return found
    }

    private func ask(_ method: String, _ path: String, _ body: String) async throws -> Data {
        let url = "http://127.0.0.1:\(ports.control)"
        let answer = try await onThread { try RawHTTP.send(method, path, to: url, body: Array(body.utf8)) }
        guard let answer, answer.status == 200 else {
            throw NeverHappened(description: "\(method) \(path) of the mail server answered \(answer?.status ?? 0)")
        }
        return Data(answer.body)
    }
}
