import Command
import Foundation
import NIOCore
import ParleyClient
import Postgres
import Reactor

/// Tries to learn which addresses are people's, by how the server answers who forgot a password: from the bytes, from
/// the statements that the database executes, and from the time. As a control, two addresses that are nobody's are
/// compared in the same way.
actor AddressGuesser {
    private enum Address: Int, CaseIterable { case known, unknown, control }
    private enum Request: String, CaseIterable { case ask = "RequestPasswordReset", tryCode = "ResetPassword" }

    private let client: ParleyClient
    private let addresses: [String]
    private let statements: StatementTally
    private var times: [Request: [[Duration]]] = [:]
    private var answers: [Request: [Set<[UInt8]>]] = [:]
    private var differences: [String] = []
    private var guessing: Task<Void, any Error>?

    /// Has somebody confirm an address, and compares statements while nobody else asks for anything.
    /// - Parameter mails: the file to which the server's mails go.
    init(
        _ friend: BenchPerson, _ cluster: BenchCluster, mails: String, on group: any EventLoopGroup
    ) async throws {
        let url = cluster.endpoints.url
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        addresses = Address.allCases.map { "a\($0.rawValue)\(run)@example.org" }
        client = ParleyClient(url: url, options: .init(retriesFor: .seconds(60)), group: group)
        _ = try await client.connect(token: "")
        let owner = ParleyClient(url: url, options: .init(retriesFor: .seconds(60)), group: group)
        _ = try await owner.connect(token: friend.token)
        _ = try await owner.updateProfile(email: addresses[Address.known.rawValue])
        try await owner.requestEmailCode()
        try await owner.confirmEmail(code: try await Self.code(in: mails))
        await owner.close()
        statements = try await StatementTally(cluster.endpoints.database)
        try await compareStatements()
    }

    private static func code(in mails: String) async throws -> String {
        for _ in 0..<600 {
            let text = (try? String(contentsOfFile: mails, encoding: .utf8)) ?? ""
            if let code = text.firstMatch(of: /\b([2-9a-z]{4}-[2-9a-z]{4})\b/)?.1 { return String(code) }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure(.failed, "No mail came within a minute.")
    }

    // MARK: What it does

    /// Guesses from now on.
    func begin() {
        guessing = Task { [weak self] in
            while !Task.isCancelled { try await self?.guessOnce() }
        }
    }

    /// Asks for each address once, in an order that nothing follows.
    private func guessOnce() async throws {
        for request in Request.allCases {
            for address in Address.allCases.shuffled() {
                let began = ContinuousClock.now
                let answer = try await send(request, address)
                times[request, default: Self.empty(of: [Duration]())][address.rawValue].append(.now - began)
                answers[request, default: Self.empty(of: Set<[UInt8]>())][address.rawValue].insert(answer)
            }
        }
    }

    private static func empty<Value>(of value: Value) -> [Value] { Address.allCases.map { _ in value } }

    private func send(_ request: Request, _ address: Address) async throws -> [UInt8] {
        let email = addresses[address.rawValue]
        do throws(ParleyError) {
            switch request {
            case .ask:
                let done = try await client.call(
                    ConversationsMethods.requestPasswordReset, key: "", .with { $0.email = email })
                return (try? done.serializedBytes()) ?? [0]
            case .tryCode:
                try await client.resetPassword(email: email, code: "2222-2222", newPassword: "correct horse battery")
                return [1]
            }
        } catch {
            // A refusal is an answer like others.
            return Array("\(error.code) \(error.message) \(error.field) \(error.retryAfterMs)".utf8)
        }
    }

    private func compareStatements() async throws {
        for request in Request.allCases {
            var found: Set<String> = []
            // What the server does by itself differs once, a leak each time.
            for _ in 0..<10 {
                let known = try await statements.count { [self] in _ = try await send(request, .known) }
                let unknown = try await statements.count { [self] in _ = try await send(request, .unknown) }
                found = Set(known.keys).union(unknown.keys).filter { known[$0] != unknown[$0] }
                if found.isEmpty { break }
            }
            differences += found.sorted().map { "\(request.rawValue) of a known address differs in: \($0)" }
        }
    }

    // MARK: What it learnt

    /// Returns what tells an address that is somebody's from one that is not, in words.
    func findings() async -> [String] {
        guessing?.cancel()
        _ = await guessing?.result
        await client.close()
        await statements.close()
        var findings = differences
        for request in Request.allCases {
            guard let times = times[request], let answers = answers[request] else {
                findings.append("\(request.rawValue) was not tried")
                continue
            }
            if answers[Address.known.rawValue] != answers[Address.unknown.rawValue] {
                findings.append("\(request.rawValue) answers differ in their bytes")
            }
            let (share, control) = (
                Self.share(times[Address.known.rawValue], slowerThan: times[Address.unknown.rawValue]),
                Self.share(times[Address.control.rawValue], slowerThan: times[Address.unknown.rawValue])
            )
            let tries = times[Address.known.rawValue].count
            let bound = Self.bound(tries) + abs(control - 0.5)
            Output.note(
                "\(request.rawValue): \(tries) tries; a known address was slower than an unknown one in "
                    + "\(rounded(share * 100))% of all pairs, another unknown one in \(rounded(control * 100))%; "
                    + "allowed: 50 ± \(rounded(bound * 100))")
            guard abs(share - 0.5) > bound else { continue }
            findings.append(
                "\(request.rawValue) of a known address is slower than of an unknown one in \(rounded(share * 100))% "
                    + "of \(tries) tries, in the control \(rounded(control * 100))%")
        }
        return findings
    }

    /// The share of pairs in which the first is slower (the statistic of Mann and Whitney); 0.5: nothing tells them
    /// apart.
    static func share(_ ones: [Duration], slowerThan others: [Duration]) -> Double {
        guard !ones.isEmpty, !others.isEmpty else { return 0.5 }
        let sorted = others.sorted()
        func count(_ isBefore: (Duration) -> Bool) -> Int {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(sorted[middle]) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let slower = ones.reduce(0.0) { sum, time in
            sum + Double(count { $0 < time } + count { $0 <= time }) / 2
        }
        return slower / (Double(ones.count) * Double(others.count))
    }

    /// Five deviations of the share of equal times, of so many tries each.
    static func bound(_ tries: Int) -> Double { 5 / (6 * Double(max(1, tries))).squareRoot() }
}

/// Counts the statements that the service of accounts has the database execute.
@ReactorActor
private final class StatementTally {
    private let connection: Connection
    private var withoutRequests: Set<String> = []

    /// Learns what is executed without requests.
    init(_ database: String) async throws {
        connection = try await Connection.open(
            DatabaseConfiguration(url: database, applicationName: "parley-attack"))
        try await connection.execute(Statement("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"))
        let before = try await calls()
        try await Reactor.shared.sleep(for: .seconds(2))
        withoutRequests = Set(Self.executed(before, try await calls()).keys)
    }

    func close() { connection.close() }

    /// Returns how often `body` has each statement executed, by its text: the lowest count of three runs.
    func count(_ body: @Sendable () async throws -> Void) async throws -> [String: Int] {
        var least: [String: Int]?
        for _ in 0..<3 {
            let before = try await calls()
            try await body()
            let executed = Self.executed(before, try await calls()).filter { !withoutRequests.contains($0.key) }
            least =
                least.map { known in
                    executed.compactMapValues { $0 }.filter { known[$0.key] != nil }.merging(known) { min($0, $1) }
                        .filter { executed[$0.key] != nil }
                } ?? executed
        }
        return least ?? [:]
    }

    private static func executed(_ before: [String: Int], _ after: [String: Int]) -> [String: Int] {
        after.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    private func calls() async throws -> [String: Int] {
        let rows = try await connection.query(
            Statement(
                """
                SELECT s.query, sum(s.calls)::bigint
                FROM pg_stat_statements AS s
                JOIN pg_roles AS r ON r.oid = s.userid
                WHERE r.rolname = 'parley_conversations'
                    AND s.query NOT IN ('BEGIN', 'COMMIT', 'ROLLBACK')
                GROUP BY s.query
                """
            ) { row in (try row.text(0), Int(try row.int64(1))) })
        return Dictionary(rows) { $0 + $1 }
    }
}

/// A program that takes the mails of an attacked server, and the file in which it keeps them.
struct MailTaker: Sendable {
    let program: String
    var mails: String { program + ".mails" }

    init() throws {
        program = NSTemporaryDirectory() + "parley-attack-mail-\(getpid())"
        try "#!/bin/sh\ncat >> \"$0.mails\"\n".write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    }

    /// What makes a server give it its mails, as many as anybody asks for.
    var settings: [String: String] {
        [
            "PARLEY_MAIL_COMMAND": program, "PARLEY_MAIL_FROM": "parley@example.org",
            "PARLEY_LIMITS_MAILS_PER_RECIPIENT": "1000000", "PARLEY_LIMITS_MAILS_PER_ADDRESS": "1000000",
            "PARLEY_LIMITS_CODE_TRIES_PER_ADDRESS": "1000000",
        ]
    }

    func remove() {
        for path in [program, mails] { try? FileManager.default.removeItem(atPath: path) }
    }
}
