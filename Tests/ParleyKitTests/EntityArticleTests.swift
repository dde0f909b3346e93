import Foundation
import Testing

@testable import ParleyKit

/// The code of the article about events, reminders and decisions, on a double.
@MainActor
@Suite("The article about entities", .timeLimit(.minutes(4)))
struct EntityArticleTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    @Test("E1 E3 E5 what the article does is done")
    func article() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let chat = await double.addConversation(with: ada)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        let tea = try await parley.addReminder("Buy tea", dueAt: .now + 3600)
        try await parley.snooze(tea, until: .now + 7200)
        try await parley.complete(tea)
        // end
        try await eventually("it is completed") { parley.unsent.isEmpty }
        #expect(parley.reminders.map(\.title) == ["Buy tea"] && parley.reminders[0].isCompleted)
        // snippet
        let dinner = try await parley.addEvent("Dinner", on: "2027-05-01", at: "19:00", inviting: [chat.id])
        try await parley.answer(dinner.id, .tentative, guests: 1)
        for attendee in try await parley.attendees(of: dinner.id) { show("\(attendee.id): \(attendee.answer)") }
        // end
        try await eventually("it is answered") { parley.unsent.isEmpty }
        #expect(parley.events.map(\.answer) == [.tentative])
        // snippet
        let talks = try await parley.addEvent("Talk", on: "2027-05-03", at: "18:00", recurrence: "FREQ=WEEKLY;COUNT=8")
        try await parley.cancel("2027-05-10", of: talks)
        try await parley.move("2027-05-17", of: talks, to: "2027-05-18", at: "19:00")
        // end
        // snippet
        try await parley.answer(talks.id, .accepted, remind: .minutesBefore(60))
        // end
        try await eventually("they are changed") { parley.unsent.isEmpty }
        #expect(parley.events.first { $0.id == talks.id }?.changedDates.count == 2)
        // snippet
        let train = try await parley.addDecision("We go by train", in: chat.id, isShared: true)
        try await parley.addDecision("We go by bus", in: chat.id, isShared: true, replacing: train)
        // end
        try await eventually("both are there") { parley.unsent.isEmpty }
        #expect(Set(parley.decisions.map(\.text)).contains("We go by bus"))
        let message = await double.receive("Hi", from: ada.id, in: chat.id)
        shown = []
        // snippet
        switch message.note {
        case .eventShared(let id, _): show(parley.card(of: id).entity?.title ?? "…")
        case .decisionShared(let id, _): show(parley.card(of: id).entity?.text ?? "…")
        default: show(message.text)
        }
        // end
        await double.suggestDecision("We meet at noon")
        // snippet
        for suggestion in parley.suggestions { show(suggestion.title) }
        if let first = parley.suggestions.first { try await parley.accept(first) }
        // end
        #expect(shown == ["Hi", "We meet at noon"] && parley.suggestions.isEmpty)
    }
}
