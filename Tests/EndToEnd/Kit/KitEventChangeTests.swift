import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit, changes of events", .timeLimit(.minutes(5)))
struct KitEventChangeTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    @Test("S6 S7 E4 my changes of an event follow one another, also unsent; another host's is shown, and I decide")
    func followOneAnother() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let name = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: name, password: Device.password, displayName: "Kit")
        let ada = try await cluster.person("ada")
        let people = try await parley.users([UserID(rawValue: ada.user)])
        let talk = try await parley.startConversation(with: people[0])
        try await talk.send("Hello")
        try await shows("it is sent") { parley.unsent.isEmpty }
        await parley.close()

        let alone = await app.open("ws://127.0.0.1:1/v1/socket")
        let dinner = try await alone.addEvent("Dinner", on: "2090-12-01", inviting: [talk.id])
        try await alone.update(dinner, title: "Supper")
        try await alone.update(dinner, on: "2090-12-02", at: "19:00", in: .gmt, minutes: 90)
        #expect(alone.events.map(\.title) == ["Supper"] && alone.events.map(\.time) == ["19:00"])
        await alone.close()

        let again = await app.open(cluster.url())
        try await shows("all is sent") { again.unsent.isEmpty && again.events.map(\.syncStatus) == [.synced] }
        let id = try #require(UUIDv7(dinner.id.description))
        try await eventually("ada sees it") { @Sendable in (try? await ada.client.event(id)) != nil }
        let seen = try await ada.client.event(id)
        #expect(seen.title == "Supper" && seen.when.date == "2090-12-02" && seen.version == 3)
        // What I hold is older than my own changes.
        try await again.update(dinner, location: "At home")
        try await shows("it is changed") { again.unsent.isEmpty }

        // Ada hosts it, too, and changes it first.
        try await again.askToHost(dinner.id, UserID(rawValue: ada.user))
        try await eventually("ada may host it") { @Sendable in
            (try? await ada.client.answerEvent(id, .accepted, hosts: true)) != nil
        }
        let mine = again.events[0]
        _ = try await ada.client.updateEvent(id, version: 4) { @Sendable in $0.title = "Brunch" }
        try await shows("hers is shown") { again.events.map(\.title) == ["Brunch"] }
        try await again.update(mine, title: "Lunch", notes: "Bring wine")
        try await shows("mine is refused") {
            guard case .failed(let refusal) = again.unsent.first?.syncStatus else { return false }
            return refusal.code == .eventChanged && again.unsent.map(\.kind) == [.event(dinner.id)]
        }
        #expect(again.events.map(\.title) == ["Brunch"])
        try await again.retry(again.unsent[0].id)
        try await shows("it is made all the same") { again.unsent.isEmpty }
        let last = try await ada.client.event(id)
        #expect(last.title == "Lunch" && last.notes == "Bring wine" && last.location == "At home")
        try await again.signOut()
        await again.close()
    }

    @Test("S6 E4 E5 dates of a series are called off, moved and restored; I am reminded when I asked to be")
    func dates() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let name = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: name, password: Device.password, displayName: "Kit")
        let talks = try await parley.addEvent(
            "Talk", on: "2090-05-01", at: "18:00", in: .gmt, minutes: 60, link: URL(string: "https://example.com/talk"),
            recurrence: "FREQ=WEEKLY;COUNT=4")
        try await parley.cancel("2090-05-08", of: talks)
        try await parley.move("2090-05-15", of: talks, to: "2090-05-16", at: "19:00")
        try await parley.answer(talks.id, .accepted, remind: .minutesBefore(90))
        #expect(parley.events[0].changedDates.map(\.date) == ["2090-05-08", "2090-05-15"])
        #expect(parley.events[0].notice == .minutesBefore(90))
        try await shows("all is sent") { parley.unsent.isEmpty && parley.events.map(\.syncStatus) == [.synced] }
        let stored = try #require(parley.events.first)
        #expect(stored.changedDates.map(\.change) == [.calledOff, .moved(to: "2090-05-16", at: "19:00")])
        #expect(stored.notice == .minutesBefore(90) && stored.link?.host() == "example.com")
        func days() async throws -> [String] {
            try await parley.agenda(from: "2090-05-01", to: "2090-05-31", in: .gmt).map { date in
                String(date.startsAt.ISO8601Format().prefix(16))
            }
        }
        #expect(try await days() == ["2090-05-01T18:00", "2090-05-16T19:00", "2090-05-22T18:00"])
        try await parley.restore("2090-05-08", of: stored)
        try await shows("it takes place") { parley.unsent.isEmpty }
        #expect(try await days().count == 4)
        await #expect(throws: Refusal.self) { try await parley.answer(talks.id, .accepted, remind: .minutesBefore(-5)) }
        try await parley.signOut()
        await parley.close()
    }
}
