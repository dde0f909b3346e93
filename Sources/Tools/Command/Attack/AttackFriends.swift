import Foundation
import NIOCore
import NIOPosix
import ParleyClient

/// What two friends do meanwhile.
enum AttackProbe: String, CaseIterable, Sendable, Encodable {
    case send, history, connect, upload

    var interval: Duration {
        switch self {
        case .send, .history: .milliseconds(125)
        case .connect: .milliseconds(500)
        case .upload: .milliseconds(1500)
        }
    }
}

/// Times of one probe.
struct ProbeFigures: Encodable, Sendable {
    var ms: Milliseconds
    var done: Int
    var failed: Int
    /// The first failure in words; empty if there was none.
    var why: String
}

/// Two friends, one of whom is measured.
struct AttackFriends: Sendable {
    private let client: ParleyClient
    private let url: String
    private let token: String
    private let conversation: String
    private let group: any EventLoopGroup
    private static let deadline: Duration = .seconds(10)

    init(_ people: [BenchPerson], at url: String, on group: any EventLoopGroup) async throws {
        conversation = try await BenchPeople.startDirects(people, at: url, on: group)[0][0]
        client = ParleyClient(url: url, group: group)
        _ = try await client.connect(token: people[0].token)
        (self.url, token, self.group) = (url, people[0].token, group)
        for _ in 0..<20 { _ = try await client.send("Hello!", to: conversation) }
    }

    func close() async { await client.close() }

    /// Repeats the probes for so long.
    func measure(_ probes: [AttackProbe], for time: Duration) async throws -> [String: ProbeFigures] {
        try await withThrowingTaskGroup(of: (String, ProbeFigures).self) { tasks in
            for probe in probes {
                tasks.addTask { (probe.rawValue, try await measure(probe, for: time)) }
            }
            return try await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func measure(_ probe: AttackProbe, for time: Duration) async throws -> ProbeFigures {
        let end = ContinuousClock.now + time
        var (due, durations, failed, why) = (ContinuousClock.now, [Duration](), 0, "")
        while due < end {
            try await Task.sleep(until: due, clock: .continuous)
            let began = ContinuousClock.now
            do throws(ParleyError) {
                try await once(probe)
                durations.append(.now - began)
            } catch {
                failed += 1
                if why.isEmpty { why = "\(error.code): \(error.message)" }
            }
            due = max(due + probe.interval, .now)
        }
        return ProbeFigures(ms: Milliseconds(durations), done: durations.count, failed: failed, why: why)
    }

    private func once(_ probe: AttackProbe) async throws(ParleyError) {
        switch probe {
        case .send: _ = try await client.send("How are you?", to: conversation, deadline: Self.deadline)
        case .history: _ = try await client.history(of: conversation)
        case .connect:
            let other = ParleyClient(url: url, group: group)
            do throws(ParleyError) {
                _ = try await other.connect(token: token)
            } catch {
                await other.close()
                throw error
            }
            await other.close()
        case .upload:
            _ = try await client.upload(
                [UInt8](repeating: 0x41, count: 65_536), to: conversation, name: "notes.txt", mimeType: "text/plain")
        }
    }
}
