import Foundation
import ParleyClient
import Synchronization
import TestSupport
import Testing

extension LeakTests {
    /// Makes a request and returns its reply, encoded. A refusal is thrown as a ``ParleyError``.
    typealias Ask = @Sendable () async throws -> [UInt8]

    /// The result of a request and the statements that it caused.
    struct Answer: Sendable {
        var refusal: ParleyError?
        var reply: [UInt8] = []
        var statements: [String: Int]

        var count: Int { statements.values.reduce(0, +) }
        var outcome: String { refusal.map { "\($0)" } ?? "\(reply.count) bytes" }
        var summary: String {
            "\(count) statements"
                + statements.sorted { $0.key < $1.key }.map { "\n    \($1) × \($0.prefix(120))" }.joined()
        }

        /// Returns how this answer differs from the one about a missing thing.
        /// - Parameter isRefused: whether both must be refusals.
        func differences(from missing: Answer, isRefused: Bool) -> [String] {
            var lines: [String] = []
            if refusal != missing.refusal || reply != missing.reply || isRefused && refusal == nil {
                lines.append("\(outcome), but for a missing thing: \(missing.outcome)")
            }
            if count != missing.count { lines.append("\(summary)\n    but for a missing thing: \(missing.summary)") }
            return lines
        }
    }

    /// Codes that are no answer of the service. Two of them are alike, whatever the service would do.
    private static let failures: Set<String> = [
        "closed", "cancelled", "revoked", "connection_lost", "unavailable", "deadline", "internal", "rate_limited",
        "unauthenticated", "unknown_method",
    ]

    /// Returns the answer to a request, with the lowest number of statements of `rounds` runs.
    static func answer(rounds: Int, by counter: StatementCounter? = nil, _ ask: Ask) async throws -> Answer {
        let last = Mutex<(refusal: ParleyError?, reply: [UInt8])>((nil, []))
        let counter = if let counter { counter } else { try await made.value.counter }
        let statements = try await counter.count(rounds: rounds) {
            do {
                let reply = try await ask()
                last.withLock { $0 = (nil, reply) }
            } catch let refusal as ParleyError where !failures.contains(refusal.code) {
                last.withLock { $0 = (refusal, []) }
            }
        }
        let (refusal, reply) = last.withLock { $0 }
        return Answer(refusal: refusal, reply: reply, statements: statements)
    }

    /// Returns the differences between the answers about a thing that must look missing and about a missing one.
    /// - Parameters:
    ///   - isRefused: whether both must be refusals.
    ///   - counter: counts the statements of the cluster; nil: of the one in ``made``.
    static func differences(
        isRefused: Bool, rounds: Int = 2, by counter: StatementCounter? = nil, between hidden: Ask, and missing: Ask
    ) async throws -> [String] {
        let first = try await answer(rounds: rounds, by: counter, hidden)
        return first.differences(from: try await answer(rounds: rounds, by: counter, missing), isRefused: isRefused)
    }

    /// Records the differences that `compare` finds in each of ten attempts. A leak shows in every one. A background
    /// statement of a service, or an update that a slow machine writes later than expected, interferes with some.
    static func expectAlike(_ what: String, _ compare: () async throws -> [String]) async throws {
        var differences: [String] = []
        for _ in 0..<10 {
            differences = try await compare()
            if differences.isEmpty { return }
        }
        Issue.record("\(what): \(differences.joined(separator: "\n"))")
    }
}
