import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E2: what others learn of answers")
struct EventCountsTests {
    @Test("E2 many answers at once reach each person as a few small Updates with the last counts, or by Sync")
    func counts() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(21) { $0 % 2 }
        let (alice, guests) = (people[0], Array(people.dropFirst()))
        let id = try await Self.event(by: alice, for: guests)
        for guest in guests { try await guest.client.answerEvent(id, .tentative) }
        try await eventually("all are counted for everyone") {
            for person in people where await person.updates.events.last?.tentative != 20 { return false }
            return true
        }
        let late = try await guests[0].client.syncEntities(since: 0)
        let before = await Self.seen(by: people)
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for guest in guests { tasks.addTask { try await guest.client.answerEvent(id, .accepted, guests: 1) } }
            try await tasks.waitForAll()
        }
        try await eventually("the last counts reach everyone") {
            for person in people {
                let last = await person.updates.events.last
                guard last?.accepted == 21, last?.coming == 41, last?.tentative == 0 else { return false }
            }
            return true
        }
        // One at the first answer, then one a second at most.
        let most = 2 + Int((ContinuousClock.now - began).components.seconds)
        let after = await Self.seen(by: people)
        for (number, person) in people.enumerated() {
            let (earlier, later) = (before[number], after[number])
            #expect(later.whole - earlier.whole == (number == 0 ? 0 : 1), "whole for one's own answer alone")
            #expect(later.counts - earlier.counts <= most, "\(later.counts - earlier.counts) in \(most - 2) s")
            #expect(await person.updates.events.last == (try await person.client.event(id)), "as it is")
        }
        for counts in await alice.updates.eventCounts {
            #expect(try counts.serializedData().count < 64, "without what has not changed")
        }

        // A device that was away learns the same.
        let missed = try await guests[0].client.syncEntities(epoch: late.epoch, since: late.position)
        #expect(missed.events == [try await guests[0].client.event(id)] && missed.events[0].notes.utf8.count == 4096)
        #expect(missed.events[0].accepted == 21 && !missed.startOver)
    }

    @Test("E2 two answers of one person within a moment leave everyone with the second's counts")
    func twice() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3)
        let id = try await Self.event(by: people[0], for: Array(people.dropFirst()))
        let before = await people[0].updates.eventCounts.count
        let first = try await people[1].client.answerEvent(id, .tentative, guests: 1)
        let second = try await people[1].client.answerEvent(id, .accepted)
        #expect(first.event.tentative == 1 && first.event.coming == 1, "the reply has the counts at once")
        #expect(second.event.tentative == 0 && second.event.coming == 2)
        try await eventually("the creator learns of it") {
            let last = await people[0].updates.events.last
            return last?.accepted == 2 && last?.coming == 2
        }
        #expect(await people[0].updates.eventCounts.count > before)
        #expect(await people[0].updates.events.last == (try await people[0].client.event(id)))
    }

    /// How many whole events, and counts of events, each person's device got.
    private static func seen(by people: [Device]) async -> [(whole: Int, counts: Int)] {
        var seen: [(whole: Int, counts: Int)] = []
        for person in people { seen.append((await person.updates.wholeEvents, await person.updates.eventCounts.count)) }
        return seen
    }

    /// Makes an event with the longest notes, which all see.
    private static func event(by creator: Device, for guests: [Device]) async throws -> UUIDv7 {
        let group = try await creator.client.createGroup(name: "us", users: guests.map(\.user)).conversation.id
        let id = await creator.client.newID()
        _ = try await creator.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "Party", [group])
                ($0.when.date, $0.notes) = ("2090-12-01", String(repeating: "n", count: 4096))
            })
        for guest in guests {
            try await eventually("it is seen") { (try? await guest.client.event(id)) != nil }
        }
        return id
    }
}

extension OperatedClusters {
    @Test("O1 bytes times readers of events, decisions and their messages are limited for each, who learns how long")
    func deliveredEvents() async throws {
        let settings = [
            "entities": [
                "PARLEY_LIMITS_DELIVERED_BYTES_PER_SECOND": "100", "PARLEY_LIMITS_DELIVERED_BYTES_BURST": "20000",
            ]
        ]
        let cluster = try await TestCluster(.init(gateways: 1, settings: settings, repeats: false))
        let people = try await cluster.people(3)
        let (alice, bob) = (people[0], people[1])
        let group = try await alice.client.createGroup(name: "us", users: [bob.user, people[2].user]).conversation.id
        let id = await alice.client.newID()
        _ = try await alice.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations, $0.when.date) = (Data(id.bytes), "Party", [group], "2090-12-01")
            })
        for guest in people.dropFirst() {
            try await eventually("it is seen") { (try? await guest.client.event(id)) != nil }
            _ = try await guest.client.answerEvent(id, .accepted)
        }
        var refusal: ParleyError?
        // Each is more than 4,096 bytes for each of three.
        for version in 1...5 where refusal == nil {
            do {
                let notes = String(repeating: "\(version)", count: 4096)
                _ = try await alice.client.updateEvent(id, version: Int64(version)) { $0.notes = notes }
                #expect(version < 5, "the burst is 20,000 bytes")
            } catch {
                refusal = error
            }
        }
        #expect(refusal?.code == "rate_limited" && refusal?.retryAfterMs ?? 0 > 1000)
        let decision = try await Self.code {
            _ = try await alice.client.createDecision(
                .with { ($0.text, $0.conversation, $0.shared) = ("no more", group, true) })
        }
        #expect(decision == "rate_limited", "one limit for all of them")
        _ = try await bob.client.answerEvent(id, .tentative)
        #expect(try await alice.client.event(id).notes.utf8.count == 4096, "reading is not limited, nor are others")
        try await Self.changeTitles(in: cluster)
        await cluster.end()
    }

    /// Changes the title of an event that nobody has answered, so that only its message in a group of 20 goes out.
    private static func changeTitles(in cluster: TestCluster) async throws {
        let people = try await cluster.people(20)
        let creator = people[0].client
        let group = try await creator.createGroup(name: "many", users: people.dropFirst().map(\.user)).conversation.id
        let id = await creator.newID()
        _ = try await creator.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations, $0.when.date) = (Data(id.bytes), "Party", [group], "2090-12-01")
            })
        var (changes, code) = (0, String?.none)
        while code == nil, changes < 20 {
            code = try await Self.code {
                _ = try await creator.updateEvent(id, version: Int64(1 + changes)) { $0.title = "Party \(changes)" }
            }
            if code == nil { changes += 1 }
        }
        // Each is 200 bytes for each of 20, and a few for the creator. The message itself was one more.
        #expect(code == "rate_limited" && 3...6 ~= changes, "\(code ?? "none") after \(changes)")
    }

    private static func code(_ act: () async throws -> Void) async throws -> String? {
        do {
            try await act()
            return nil
        } catch let error as ParleyError {
            return error.code
        }
    }
}
