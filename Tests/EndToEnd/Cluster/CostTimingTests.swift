import Foundation
import ParleyClient
import TestSupport
import Testing

/// They run alone: on a busy machine what services do afterwards, for many actions at once, runs once for each of them.
@Suite("What everyday actions cost", .timeLimit(.minutes(5)))
struct CostTimingTests {
    /// The everyday actions with what each costs the database. More is a failure; commit what is less.
    private static let costs: [(action: String, cost: ActionCost)] = [
        ("accept a suggested event", ActionCost(statements: 12, records: 45, bytes: 4254, pages: 184)),
        ("answer to an event", ActionCost(statements: 5, records: 17, bytes: 1501, pages: 77)),
        ("begin and end to type", ActionCost(statements: 0, records: 0, bytes: 0, pages: 0)),
        ("change an event", ActionCost(statements: 8, records: 24, bytes: 2158, pages: 230)),
        ("create a reminder", ActionCost(statements: 3, records: 13, bytes: 1210, pages: 24)),
        ("delete", ActionCost(statements: 5, records: 11, bytes: 1008, pages: 70)),
        ("edit", ActionCost(statements: 5, records: 11, bytes: 1103, pages: 68)),
        ("first page of the inbox", ActionCost(statements: 1, records: 0, bytes: 0, pages: 55)),
        ("make an event", ActionCost(statements: 8, records: 25, bytes: 2511, pages: 79)),
        ("mark as read", ActionCost(statements: 1, records: 12, bytes: 1085, pages: 54)),
        ("newest messages", ActionCost(statements: 2, records: 0, bytes: 0, pages: 112)),
        ("react", ActionCost(statements: 1, records: 15, bytes: 1420, pages: 60)),
        ("send to a group of 50", ActionCost(statements: 1, records: 8, bytes: 1218, pages: 121)),
        ("send to one person", ActionCost(statements: 1, records: 8, bytes: 829, pages: 25)),
        ("sync of messaging, nothing missed", ActionCost(statements: 3, records: 0, bytes: 0, pages: 54)),
    ]
    /// The major version of PostgreSQL of which the bytes and pages are; others differ a little.
    private static let postgresVersion: Int64 = 15

    @Test("X5 no everyday action costs the database more than the committed numbers say")
    func costsOfActions() async throws {
        let cluster = try await TestCluster(
            .init(
                gateways: 1,
                postgres: StatementCounter.postgresSettings.merging([
                    "full_page_writes": "off", "autovacuum": "off", "checkpoint_timeout": "1h",
                ]) { $1 }))
        let people = try await cluster.people(50)
        let (alice, bob) = (people[0], people[1])
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "fifty", users: people.dropFirst().map(\.user))
            .conversation.id
        for number in 0..<50 {
            _ = try await alice.client.send("before \(number)", to: talk)
            _ = try await alice.client.send("before \(number)", to: group)
        }
        // Far enough away that nobody is reminded soon.
        let day = String(Date(timeIntervalSinceNow: 90 * 86_400).ISO8601Format().prefix(10))
        let event = await alice.client.newID()
        _ = try await alice.client.createEvent(
            .with {
                $0.id = .init(event.bytes)
                ($0.title, $0.conversations) = ("Dinner", [talk])
                $0.when.date = day
            })
        try await eventually("it is seen") { (try? await bob.client.event(event)) != nil }

        let meter = try await ActionMeter(cluster)
        var measured: [String: ActionCost] = [:]
        measured["send to one person"] = try await meter.cost { number in
            _ = try await alice.client.send("hello \(number)", to: talk)
        }
        measured["send to a group of 50"] = try await meter.cost { number in
            _ = try await alice.client.send("hello \(number)", to: group)
        }
        measured["mark as read"] = try await meter.cost { number in
            _ = try await bob.client.markRead(talk, upTo: Int64(number + 1))
        }
        measured["first page of the inbox"] = try await meter.cost { _ in _ = try await bob.client.inbox() }
        measured["newest messages"] = try await meter.cost { _ in _ = try await bob.client.history(of: talk) }
        measured["sync of messaging, nothing missed"] = try await meter.cost { _ in
            _ = try await bob.client.syncMessaging()
        }
        measured["begin and end to type"] = try await meter.cost(rounds: 2, actions: 2) { _ in
            try await alice.client.setTyping(true, in: talk)
            try await alice.client.setTyping(false, in: talk)
        }
        measured["react"] = try await meter.cost { number in
            _ = try await bob.client.react("👍", to: Int64(number + 1), of: talk)
        }
        measured["edit"] = try await meter.cost { number in
            _ = try await alice.client.edit(Int64(number + 1), of: talk, text: "edited \(number)")
        }
        measured["delete"] = try await meter.cost { number in
            _ = try await alice.client.delete(Int64(number + 1), of: talk)
        }
        measured["answer to an event"] = try await meter.cost { number in
            try await bob.client.answerEvent(event, number % 2 == 0 ? .accepted : .tentative)
        }
        measured["make an event"] = try await meter.cost { number in
            let id = await alice.client.newID()
            _ = try await alice.client.createEvent(
                .with {
                    $0.id = .init(id.bytes)
                    ($0.title, $0.conversations) = ("Lunch \(number)", [talk])
                    $0.when.date = day
                })
        }
        measured["change an event"] = try await meter.cost { number in
            _ = try await alice.client.updateEvent(event, version: Int64(number + 1)) { $0.title = "Dinner \(number)" }
        }
        let suggested = try await suggestions(15, by: alice, in: talk, to: bob)
        measured["accept a suggested event"] = try await meter.cost(rounds: 3, actions: 5) { number in
            _ = try await bob.client.acceptSuggestion(suggested[number])
        }
        measured["create a reminder"] = try await meter.cost { number in
            _ = try await alice.client.createReminder(
                .with { ($0.title, $0.dueAtUs) = ("milk \(number)", 4_000_000_000_000_000) })
        }
        await meter.close()
        let version = try await cluster.number("SELECT current_setting('server_version_num')::bigint / 10000")
        for (action, cost) in measured.sorted(by: { $0.key < $1.key }) { print("cost: \(action): \(cost)") }

        #expect(Set(Self.costs.map(\.action)) == Set(measured.keys))
        for (action, most) in Self.costs {
            guard let cost = measured[action] else { continue }
            #expect(cost.statements <= most.statements && cost.records <= most.records, "\(action): \(cost)")
            guard version == Self.postgresVersion else { continue }
            // Sizes of ids and numbers, and depths of indexes, differ a little from run to run.
            #expect(cost.bytes <= most.bytes * 21 / 20 && cost.pages <= most.pages * 11 / 10 + 2, "\(action): \(cost)")
        }
        await cluster.end()
    }

    /// Writes messages that each suggest an event.
    /// - Returns: the suggestions of another person.
    private func suggestions(
        _ count: Int, by sender: Device, in talk: String, to other: Device
    ) async throws -> [UUIDv7] {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        let later = Calendar.current.dateComponents([.month], from: Date(timeIntervalSinceNow: 60 * 86_400))
        let month = months[(later.month ?? 1) - 1]
        await sender.client.setTimeZone("Europe/Zurich")
        await other.client.setTimeZone("Europe/Zurich")
        for number in 1...count { _ = try await sender.client.send("Dinner on \(number) \(month) at 7pm", to: talk) }
        var found: [Parley_V1_Suggestion] = []
        try await eventually("all are suggested") {
            found = (try? await other.client.listSuggestions(limit: 100).suggestions) ?? []
            return found.count == count
        }
        return try found.map { try #require(UUIDv7(bytes: $0.id)) }
    }
}
