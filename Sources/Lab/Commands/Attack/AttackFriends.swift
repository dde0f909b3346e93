import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

/// What two friends, and others like them, do meanwhile.
enum AttackProbe: String, CaseIterable, Sendable, Encodable {
    case send, history, connect, upload, reminders
    /// How long after its time a reminder of a friend's reaches their device.
    case due
    case signIn = "sign-in"
    /// All connect at once; the time until the last one has a first screen.
    case storm
    /// A request on a connection that a proxy also uses for the attacker.
    case shared

    /// The milliseconds that it may take whatever the control takes. Reminders fire in transactions of many, of which
    /// one is always under way; 200 ms are a fifth of what is promised.
    var alwaysAllowed: Double { self == .due ? 200 : 0 }

    var interval: Duration {
        switch self {
        case .send, .history, .shared, .reminders: .milliseconds(125)
        // As many reminders as one person may create without end.
        case .connect, .signIn, .due: .milliseconds(500)
        case .upload, .storm: .milliseconds(1500)
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

/// Two friends, one of whom is measured, people who sign in, and people who all connect at once.
struct AttackFriends: Sendable {
    private let client: ParleyClient
    private let url: String
    private let token: String
    private let conversation: String
    private let group: any EventLoopGroup
    private let others: [BenchPerson]
    private let storm: Storm
    private let shared: SharedConnection
    /// How many people ``init(_:at:on:)`` takes.
    static let count = 152
    private static let deadline: Duration = .seconds(10)

    init(
        _ people: [BenchPerson], at url: String, sharing shared: SharedConnection, on group: any EventLoopGroup
    ) async throws {
        self.shared = shared
        conversation = try await BenchPeople.startDirects(Array(people.prefix(2)), at: url, on: group)[0][0]
        client = ParleyClient(url: url, group: group)
        _ = try await client.connect(token: people[0].token)
        (self.url, token, self.group, others) = (url, people[0].token, group, Array(people[2..<52]))
        storm = Storm(
            eventLoop: group.next(), address: try LinkAddress(url), tokens: people.dropFirst(52).map(\.token), missed: 0
        )
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
            do {
                let late = try await once(probe)
                durations.append(late ?? .now - began)
            } catch {
                failed += 1
                if why.isEmpty { why = (error as? ParleyError).map { "\($0.code): \($0.message)" } ?? "\(error)" }
            }
            due = max(due + probe.interval, .now)
        }
        return ProbeFigures(ms: Milliseconds(durations), done: durations.count, failed: failed, why: why)
    }

    /// - Returns: what was measured; nil: how long this took.
    private func once(_ probe: AttackProbe) async throws -> Duration? {
        switch probe {
        case .due: return try await late()
        case .send: _ = try await client.send("How are you?", to: conversation, deadline: Self.deadline)
        case .history: _ = try await client.history(of: conversation)
        case .reminders: _ = try await client.listReminders()
        case .connect: try await withClient { _ = try await $0.connect(token: token) }
        case .signIn:
            try await withClient { client in
                _ = try await client.connect()
                // Somebody else each time: what one account may sign in is limited.
                let person = others.randomElement() ?? others[0]
                let request = Parley_V1_SignInRequest.with {
                    ($0.username, $0.password) = (person.username, person.password)
                }
                _ = try await client.call(ConversationsMethods.signIn, request)
            }
        case .storm: _ = try await storm.run(isFirst: true)
        case .shared: try await onThread { [shared] in try shared.ask(for: "192.0.2.1", isFriend: true) }
        case .upload:
            _ = try await client.upload(
                [UInt8](repeating: 0x41, count: 65_536), to: conversation, name: "notes.txt", mimeType: "text/plain")
        }
        return nil
    }

    /// Creates a reminder that is due in a moment, and returns how long after its time it was told to have fired.
    private func late() async throws -> Duration {
        let updates = await client.updates
        let due = Times.now() + 500_000
        let made = try await client.createReminder(.with { ($0.title, $0.dueAtUs) = ("soon", due) }).reminder
        let fired = try await withThrowingTaskGroup(of: Duration?.self) { tasks in
            tasks.addTask {
                for await update in updates {
                    guard case .reminder(let now) = try? update.content() else { continue }
                    if now.id == made.id, now.firedAtUs > 0 { return .microseconds(Times.now() - due) }
                }
                return nil
            }
            tasks.addTask {
                try await Task.sleep(for: Self.deadline)
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
        guard let fired else { throw Failure(.failed, "The reminder did not fire within 10 s.") }
        return fired
    }

    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }

    private func withClient(_ body: (ParleyClient) async throws -> Void) async throws {
        let client = ParleyClient(url: url, group: group)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }
}
