import Command
import Foundation
import NIOCore
import Torture

/// An issuer of ID tokens for a bench: the one that the tests have, in a process of its own.
final class BenchIssuer: @unchecked Sendable {
    // Sendable: nothing changes after init.
    private let process = Process()
    private let input = Pipe()
    private let file: String
    private let port: Int
    private let group: any EventLoopGroup

    /// - Parameter program: `Tests/Issuer/issuer.py`.
    init(_ program: String, on group: any EventLoopGroup) throws {
        self.group = group
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        (process.standardInput, process.standardOutput) = (input, output)
        do {
            try process.run()
        } catch {
            throw Failure(
                .noFile, "\(program) cannot be run.",
                advice: "Run this in the folder of Parley's sources, or give --issuer.",
                exitCode: .usage)
        }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw Failure(.failed, "\(program) did not start: run it to see why.")
            }
            line += byte
        }
        port = Int(String(decoding: line.dropLast(), as: UTF8.self)) ?? 0
        file = NSTemporaryDirectory() + "parley-bench-issuers-\(getpid())"
        let block = "[bench]\nissuer = http://127.0.0.1:\(port)/bench\naudiences = parley\ninside = yes\n"
        try block.write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// What makes a cluster accept its tokens.
    var settings: [String: String] { ["PARLEY_IDENTITIES_FILE": file] }

    func close() {
        try? FileManager.default.removeItem(atPath: file)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Returns a fresh token of each of some people, who are numbered.
    func tokens(_ numbers: Range<Int>, _ algorithm: String = "RS256") async throws -> [String] {
        var tokens: [String] = []
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 100) {
            let count = min(100, numbers.upperBound - first)
            tokens += try await get([String].self, "tokens?first=\(first)&count=\(count)&alg=\(algorithm)")
        }
        return tokens
    }

    /// Returns how many microseconds OpenSSL's libcrypto needs for a check of each kind of signature.
    func checkTimes() async throws -> [String: Double] { try await get([String: Double].self, "check") }

    private func get<Answer: Decodable>(_ type: Answer.Type, _ what: String) async throws -> Answer {
        let text = try await PlainHTTP.get("/bench/test/\(what)", host: "127.0.0.1", port: port, on: group) ?? ""
        let body = text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        guard text.hasPrefix("HTTP/1.1 200") else { throw Failure(.failed, "The issuer answered: \(text.prefix(100))") }
        return try JSONDecoder().decode(type, from: Data(body.utf8))
    }
}
