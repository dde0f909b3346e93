import Conformance
import Foundation
import TestSupport
import Testing

/// What `parley-lab conformance` finds in clients that are wrong on purpose (wrong_clients.py has them).
@Suite("Conformance of clients", .timeLimit(.minutes(4)))
struct ConformanceTests {
    private static let client = MigratedDatabase.root
        .appending(path: "Tests/SecondImplementation/conformance_client.py").path

    private func reports(_ wrong: String, only: [String], limit: Duration = .seconds(20)) async throws -> [CaseReport] {
        var configuration = ConformanceConfiguration(command: [Self.client, "--wrong", wrong], seed: 1)
        (configuration.only, configuration.limit, configuration.jobs) = (only, limit, 2)
        return try await ConformanceRun(configuration).run { _ in }
    }

    private func differences(_ report: CaseReport) -> [Difference] {
        if case .failed(let differences) = report.outcome { differences } else { [] }
    }

    @Test("M3 a client that breaks a rule fails the case of that rule, and passes others")
    func rules() async throws {
        for (wrong, id, rule) in [
            ("gap", "gap", "gap"), ("epochs", "another-epoch", "epoch"), ("unknown", "unknown-kind", "unknown"),
            ("receipts", "receipts-when-opened", "receipts"),
        ] {
            let reports = try await reports(wrong, only: [id, "next"])
            let failed = reports.filter { !differences($0).isEmpty }
            #expect(reports.count == 2 && failed.map(\.id) == [id], "\(wrong): \(reports)")
            #expect(failed.first?.rules.contains(rule) ?? false, "\(wrong)")
        }
    }

    @Test("a client that ends, says nothing, or prints something else is described")
    func broken() async throws {
        let ended = try await reports("unknown", only: ["unknown-kind"])
        #expect(ended.first.map(differences)?.first?.seen.contains("error: unknown kind") ?? false, "\(ended)")
        let silent = try await reports("silent", only: ["next"], limit: .seconds(2))
        #expect(silent.first.map(differences)?.first?.expected.contains("hello") ?? false, "\(silent)")
        let garbage = try await reports("garbage", only: ["next"])
        #expect(garbage.first.map(differences)?.first?.seen == "the line ‘hello’", "\(garbage)")
    }
}
