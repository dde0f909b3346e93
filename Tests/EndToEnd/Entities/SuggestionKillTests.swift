import Cluster
import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E8: suggestions under kill -9")
struct SuggestionKillTests {
    private struct Sent: Sendable {
        var id: Data
        var conversation: String
        var seq: Int64
        var isDeleted: Bool
    }

    /// What a person did with suggestions: the entity of each message whose suggestion they accepted.
    private typealias Accepted = [Data: Data]

    /// Accepts or dismisses the open suggestions of a person, whatever dies meanwhile.
    private static func answer(_ person: Device, number: Int, _ accepted: inout Accepted) async throws {
        let open: [Parley_V1_Suggestion]
        do { open = try await person.client.listSuggestions(limit: 200).suggestions } catch { return }
        for suggestion in open {
            guard let id = UUIDv7(bytes: suggestion.id) else { continue }
            do {
                if (Int(suggestion.sourceSeq) + number) % 3 == 0 {
                    try await person.client.dismissSuggestion(id)
                } else {
                    let reply = try await person.client.acceptSuggestion(id)
                    accepted[suggestion.sourceMessage] = reply.suggestion.entity
                }
            } catch {
                // It is gone with its message, or its service just died: the next round asks again.
                continue
            }
        }
    }

    @Test(
        "E8 under kill -9 a message makes one event, what was accepted has it, and nothing of a deleted one stays open")
    func kills() async throws {
        let cluster = try await TestCluster(.init(replicas: ["entities": 2, "messaging": 2]))
        let people = try await cluster.people(3) { $0 % 2 }
        for person in people { await person.client.setTimeZone("Europe/Zurich") }
        try await cluster.acquaint(people[0], Array(people.dropFirst()))
        let group = try await people[0].client.createGroup(name: "us", users: people.dropFirst().map(\.user))
            .conversation.id
        var sent: [Sent] = []
        var accepted = [Accepted](repeating: [:], count: people.count)
        try await withThrowingTaskGroup(of: (Int, Accepted).self) { tasks in
            for (number, person) in people.enumerated() {
                tasks.addTask {
                    var own: Accepted = [:]
                    for _ in 0..<30 {
                        try await Self.answer(person, number: number, &own)
                        try await Task.sleep(for: .milliseconds(200))
                    }
                    return (number, own)
                }
            }
            tasks.addTask {
                for round in 0..<8 {
                    let replica = "\(round % 4 == 3 ? "messaging" : "entities")-\(round % 2 + 1)"
                    try await cluster.cluster.kill(replica)
                    try await Task.sleep(for: .milliseconds(Int64.random(in: 50...300)))
                    try await cluster.cluster.waitUntilReady(replica)
                }
                return (-1, [:])
            }
            for number in 0..<24 {
                let person = people[number % people.count]
                let id = await person.client.newID()
                let reply = try await person.client.sendReliably(
                    "Lunch tomorrow at \(number % 5 + 1)pm", to: group, id: id)
                let isDeleted = number % 6 == 5
                if isDeleted { try await Self.delete(reply.seq, of: group, by: person) }
                sent.append(Sent(id: Data(id.bytes), conversation: group, seq: reply.seq, isDeleted: isDeleted))
            }
            for try await (number, own) in tasks where number >= 0 { accepted[number] = own }
        }
        // What is still to be followed is followed, and answered.
        for (number, person) in people.enumerated() {
            try await eventually("all is answered") {
                try await Self.answer(person, number: number, &accepted[number])
                return try await person.client.listSuggestions().suggestions.isEmpty
            }
        }
        let all = accepted.flatMap { $0 }
        #expect(!all.isEmpty)
        for message in sent where !message.isDeleted {
            #expect(Set(all.filter { $0.key == message.id }.map(\.value)).count == 1, "one event of \(message.seq)")
        }
        let watcher = try await Watcher(cluster.endpoints.database)
        let twice = try await watcher.number(
            "SELECT count(*) FROM (SELECT FROM entities.events WHERE source_message IS NOT NULL GROUP BY source_message HAVING count(*) > 1) AS t"
        )
        #expect(twice == 0)
        for (number, person) in people.enumerated() {
            let events = Set(try await person.client.syncEntities().events.map(\.id))
            for (message, event) in accepted[number] where sent.contains(where: { $0.id == message && !$0.isDeleted }) {
                #expect(events.contains(event), "\(person.username) accepted it")
            }
        }
        let stays = try await watcher.number(
            "SELECT count(*) FROM entities.suggestions WHERE state <> 1 AND (title <> '' OR source_message IS NOT NULL)"
        )
        #expect(stays == 0)
        await cluster.end()
    }

    private static func delete(_ seq: Int64, of conversation: String, by person: Device) async throws {
        try await eventually("it is deleted") {
            do { _ = try await person.client.delete(seq, of: conversation) } catch { return false }
            return true
        }
    }
}
