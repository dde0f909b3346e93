import Foundation
import ParleyClient
import Testing

@testable import ParleyKit

/// Changes of an event that follow one another, and those that meet another person's.
@MainActor
@Suite("ParleyKit, changes of events", .timeLimit(.minutes(2)))
struct EventChangeTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")

    private func shows(file: String = #fileID, line: Int = #line, _ isSo: () -> Bool) async throws {
        try await eventually("what \(file):\(line) waits for") { isSo() }
    }

    /// A double that keeps what it holds in a file, and what its server knows.
    private func double(at path: String, after before: ParleyDouble? = nil, isOnline: Bool) async throws -> ParleyDouble
    {
        let double = await ParleyDouble(
            as: me, account: .holding(try SQLiteStore(path: path), of: me.id), isOnline: false)
        if let before { double.entities = before.entities }
        if isOnline { double.set(.online) }
        return double
    }

    @Test("S6 E4 what I change of an event that is not sent, and change again after a start, is what the server gets")
    func followOneAnother() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var double = try await double(at: path, isOnline: false)
        let dinner = try await double.parley.addEvent("Dinner", on: "2090-12-01")
        try await double.parley.update(dinner, title: "Supper")
        await double.parley.account?.store.close()
        double = try await self.double(at: path, after: double, isOnline: false)
        // Of what was read before the first change, too.
        try await double.parley.update(dinner, location: "At home")
        #expect(double.parley.unsent.map(\.kind) == Array(repeating: .event(dinner.id), count: 3))
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        let stored = try #require(double.entities.events[dinner.id.data])
        #expect(stored.title == "Supper" && stored.location == "At home" && stored.version == 3)
        // It was read long ago; nobody else changed it since.
        try await double.parley.update(dinner, notes: "Bring wine")
        try await shows { double.parley.unsent.isEmpty }
        #expect(double.entities.events[dinner.id.data]?.notes == "Bring wine")
        #expect(double.parley.events.map(\.syncStatus) == [.synced])
    }

    @Test("S6 E4 what waits in the file when the app ends after the first change was sent is sent as a change of that")
    func endsInBetween() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var double = try await double(at: path, isOnline: true)
        let dinner = try await double.parley.addEvent("Dinner", on: "2090-12-01")
        try await shows { double.parley.unsent.isEmpty }
        double.set(.offline(since: .now))
        let first = double.parley.events[0]
        try await double.parley.update(first, title: "Supper")
        try await double.parley.update(first, location: "At home")
        // Only the first is sent.
        let taken = double.parley.outbox.entries.map(\.item)
        let step = VersionStep(from: 1, to: 2)
        _ = await double.parley.write { store in
            var batch = StoreBatch(store, me: "me")
            try batch.sent(SentItem(id: taken[0].id, lane: taken[0].lane, version: step))
        }
        double.entities.events[dinner.id.data]?.title = "Supper"
        double.entities.events[dinner.id.data]?.version = 2
        await double.parley.account?.store.close()
        double = try await self.double(at: path, after: double, isOnline: true)
        try await shows { double.parley.unsent.isEmpty }
        #expect(double.entities.events[dinner.id.data]?.location == "At home")
    }

    @Test("S7 E4 another person's change in between refuses mine; trying again makes it all the same")
    func others() async throws {
        let double = await ParleyDouble(as: me)
        let dinner = try await double.parley.addEvent("Dinner", on: "2090-12-01")
        try await shows { double.parley.unsent.isEmpty }
        double.set(.offline(since: .now))
        try await double.parley.update(dinner, title: "Supper")
        try await double.parley.update(dinner, notes: "Bring wine")
        await double.change(dinner.id, title: "Brunch")
        double.set(.online)
        try await shows { double.parley.unsent.allSatisfy { $0.syncStatus != .pending } }
        #expect(double.parley.unsent.count == 2)
        try await shows { double.parley.events.map(\.title) == ["Brunch"] }
        for unsent in double.parley.unsent {
            try await double.parley.retry(unsent.id)
            try await shows { !double.parley.unsent.contains { $0.id == unsent.id } }
        }
        let stored = try #require(double.entities.events[dinner.id.data])
        #expect(stored.title == "Supper" && stored.notes == "Bring wine" && stored.version == 4)
    }

    @Test("S6 E5 without a connection the agenda has what was read, for fewer days too, as the events are now")
    func agenda() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        for (title, day) in [("Dinner", "2090-12-01"), ("Lunch", "2090-12-03"), ("Tea", "2090-12-05")] {
            try await parley.addEvent(title, on: day, at: "12:00", in: .gmt, minutes: 60)
        }
        try await shows { parley.unsent.isEmpty }
        #expect(try await parley.agenda(from: "2090-12-01", to: "2090-12-31", in: .gmt).count == 3)
        double.set(.offline(since: .now))
        let lunch = try #require(parley.events.first { $0.title == "Lunch" })
        try await parley.update(lunch, title: "Brunch")
        try await parley.delete(#require(parley.events.first { $0.title == "Dinner" }).id)
        func titles(_ first: String, _ last: String) async throws -> [String] {
            try await parley.agenda(from: first, to: last, in: .gmt).map(\.title)
        }
        #expect(try await titles("2090-12-01", "2090-12-31") == ["Brunch", "Tea"])
        #expect(try await titles("2090-12-01", "2090-12-03") == ["Brunch"])
        #expect(try await titles("2090-12-04", "2090-12-05") == ["Tea"])
        try await parley.cancel("2090-12-05", of: #require(parley.events.first { $0.title == "Tea" }))
        #expect(try await titles("2090-12-04", "2090-12-05").isEmpty)
        await #expect(throws: Refusal.self) { try await titles("2090-11-30", "2090-12-05") }
    }

    @Test("S6 E8 a suggestion is accepted with another time and place; as something else it is refused")
    func acceptedOtherwise() async throws {
        let double = await ParleyDouble(as: me)
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let chat = await double.addConversation(with: ada)
        let message = await double.receive("Dinner tomorrow?", from: ada.id, in: chat.id)
        await double.suggestEvent("Dinner", on: "2090-12-01", from: message)
        let suggestion = try #require(double.parley.suggestions.first)
        await #expect(throws: Refusal.self) { try await double.parley.accept(suggestion, as: .decision) }
        #expect(double.parley.unsent.isEmpty && double.parley.suggestions.count == 1)
        try await double.parley.accept(
            suggestion, title: "Supper",
            as: .event(date: "2090-12-02", time: "20:00", timeZone: "GMT", minutes: 90, location: "At Ada's"))
        try await shows { double.parley.unsent.isEmpty && double.parley.events.count == 1 }
        let event = double.parley.events[0]
        #expect(
            [event.title, event.date, event.time, event.location] == ["Supper", "2090-12-02", "20:00", "At Ada's"])
    }

    @Test("S6 E6 a decision that takes the place of another shows so at once, and no more if it is refused")
    func supersedes() async throws {
        let double = await ParleyDouble(as: me)
        let train = try await double.parley.addDecision("By train")
        try await shows { double.parley.unsent.isEmpty }
        double.set(.offline(since: .now))
        let bus = try await double.parley.addDecision("By bus", replacing: train)
        func earlier() -> Decision? { double.parley.decisions.first { $0.id == train.id } }
        #expect(earlier()?.supersededBy == bus.id && earlier()?.syncStatus == .synced)
        double.refusal = Refusal(.alreadySuperseded, "Another one did.")
        double.set(.online)
        try await shows { double.parley.unsent.contains { $0.syncStatus != .pending } }
        #expect(earlier()?.supersededBy == nil)
        double.refusal = nil
        try await double.parley.retry(double.parley.unsent[0].id)
        try await shows { double.parley.unsent.isEmpty }
        #expect(earlier()?.supersededBy == bus.id)
    }
}
