import Foundation
import Testing

@testable import ParleyKit

/// What the double does for each function about reminders, decisions, events and suggestions.
extension DoubleAPITests {
    static let entities: [Call] = [
        Call("Parley.addReminder(_:dueAt:in:from:)") { scene async throws in
            try await scene.parley.addReminder("tea", dueAt: .now + 3600)
            try await scene.settled("added") { scene.parley.reminders.map(\.syncStatus) == [.synced] }
        },
        Call("Parley.update(_:title:dueAt:)") { scene async throws in
            try await scene.parley.update(scene.parley.reminders[0], title: "green tea")
            try await scene.settled("changed") { scene.parley.reminders.map(\.title) == ["green tea"] }
        },
        Call("Parley.snooze(_:until:)") { scene async throws in
            let later = Date(timeIntervalSince1970: 4_000_000_000)
            try await scene.parley.snooze(scene.parley.reminders[0], until: later)
            try await scene.settled("moved") { scene.parley.reminders.map(\.dueAt) == [later] }
        },
        Call("Parley.complete(_:_:)") { scene async throws in
            try await scene.parley.complete(scene.parley.reminders[0])
            try await scene.settled("completed") { scene.parley.reminders.map(\.isCompleted) == [true] }
        },
        Call("Parley.addDecision(_:in:isShared:from:replacing:)") { scene async throws in
            let first = try await scene.parley.addDecision("By train", in: scene.chat.id, isShared: true)
            try await scene.parley.addDecision("By bus", in: scene.chat.id, isShared: true, replacing: first)
            try await scene.settled("recorded") { scene.parley.decisions.map(\.text).contains("By bus") }
        },
        Call(
            "Parley.addEvent(_:on:at:in:minutes:location:link:notes:recurrence:inviting:from:)"
        ) { scene async throws in
            let event = try await scene.parley.addEvent(
                "Lunch", on: "2027-02-01", at: "12:00", inviting: [scene.chat.id])
            try await scene.settled("added") { scene.parley.events.contains { $0.id == event.id && $0.isHost } }
            scene.event = event.id
        },
        Call("Parley.update(_:title:on:at:in:minutes:location:link:notes:recurrence:)") { scene async throws in
            let lunch = try #require(scene.parley.events.first { $0.id == scene.event })
            try await scene.parley.update(lunch, title: "Brunch", on: "2027-02-02", at: "11:00", location: "Here")
            try await scene.settled("changed") {
                scene.parley.events.first { $0.id == scene.event }.map { [$0.title, $0.date, $0.location] }
                    == ["Brunch", "2027-02-02", "Here"]
            }
            // Another host changed it since.
            await scene.double.change(scene.event, title: "Brunch")
            try await scene.parley.update(lunch, title: "Lunch")
            try await eventually("refused") {
                scene.parley.unsent.map(\.syncStatus).contains { status in
                    if case .failed(let refusal) = status { refusal.code == .eventChanged } else { false }
                }
            }
            for unsent in scene.parley.unsent { try await scene.parley.drop(unsent.id) }
        },
        Call("Parley.cancel(_:of:)") { scene async throws in
            let lunch = try #require(scene.parley.events.first { $0.id == scene.event })
            try await scene.parley.cancel("2027-02-02", of: lunch)
            try await scene.settled("off") {
                scene.parley.events.first { $0.id == scene.event }?.changedDates.map(\.change) == [.calledOff]
            }
        },
        Call("Parley.move(_:of:to:at:)") { scene async throws in
            let lunch = try #require(scene.parley.events.first { $0.id == scene.event })
            try await scene.parley.move("2027-02-02", of: lunch, to: "2027-02-03")
            try await scene.settled("moved") {
                scene.parley.events.first { $0.id == scene.event }?.changedDates.map(\.change)
                    == [.moved(to: "2027-02-03", at: "11:00")]
            }
        },
        Call("Parley.restore(_:of:)") { scene async throws in
            let lunch = try #require(scene.parley.events.first { $0.id == scene.event })
            try await scene.parley.restore("2027-02-02", of: lunch)
            try await scene.settled("as before") {
                scene.parley.events.first { $0.id == scene.event }?.changedDates.isEmpty ?? false
            }
        },
        Call("Parley.event(_:)") { scene async throws in
            #expect(try await scene.parley.event(scene.event).title == "Brunch")
            await #expect(throws: Refusal.self) { try await scene.parley.event(EventID()) }
        },
        Call("Parley.decision(_:)") { scene async throws in
            let decision = try #require(scene.parley.decisions.first)
            #expect(try await scene.parley.decision(decision.id).text == decision.text)
        },
        Call("Parley.agenda(from:to:in:of:)") { scene async throws in
            let dates = try await scene.parley.agenda(from: "2027-01-01", to: "2027-02-28")
            #expect(dates.map(\.title) == ["Dinner", "Brunch"])
        },
        Call("Parley.calendarFile(of:)") { scene async throws in
            #expect(try await scene.parley.calendarFile(of: scene.event).contains("SUMMARY:Brunch"))
        },
        Call("Parley.makeCalendarLink()") { scene async throws in
            #expect(try await scene.parley.makeCalendarLink().hasPrefix("/v1/calendar/"))
        },
        Call("Parley.endCalendarLink()") { scene async throws in try await scene.parley.endCalendarLink() },
        Call("Parley.suggestionSettings()") { scene async throws in
            #expect(try await scene.parley.suggestionSettings() == SuggestionSettings())
        },
        Call("Parley.setSuggestions(isOff:in:)") { scene async throws in
            #expect(
                try await scene.parley.setSuggestions(isOff: true, in: scene.chat.id).conversations == [scene.chat.id])
            #expect(try await scene.parley.setSuggestions(isOff: true).isOff)
        },
        Call("Parley.answer(_:_:guests:remind:in:)") { scene async throws in
            let dinner = try #require(scene.parley.events.first { $0.title == "Dinner" })
            try await scene.parley.answer(dinner.id, .accepted, guests: 2)
            try await scene.settled("answered") {
                scene.parley.events.first { $0.id == dinner.id }.map { ($0.answer, $0.coming) } ?? (.pending, 0)
                    == (.accepted, 4)
            }
        },
        Call("Parley.attendees(of:)") { scene async throws in
            #expect(try await scene.parley.attendees(of: scene.event).map(\.id) == [me.id])
        },
        Call("Parley.invite(_:to:)") { scene async throws in
            try await scene.parley.invite(scene.group.id, to: scene.event)
            try await scene.settled("invited") {
                scene.parley.events.first { $0.id == scene.event }?.conversations == [scene.chat.id, scene.group.id]
            }
        },
        Call("Parley.uninvite(_:from:)") { scene async throws in
            try await scene.parley.uninvite(scene.group.id, from: scene.event)
            try await scene.settled("withdrawn") {
                scene.parley.events.first { $0.id == scene.event }?.conversations == [scene.chat.id]
            }
        },
        Call("Parley.askToHost(_:_:_:)") { scene async throws in
            try await scene.parley.askToHost(scene.event, ada.id)
            try await scene.settled("asked") { scene.double.entities.events[scene.event.data]?.askedHosts == ["ada"] }
        },
        Call("Parley.host(_:_:)") { scene async throws in
            let dinner = try #require(scene.parley.events.first { $0.title == "Dinner" })
            try await scene.parley.host(dinner.id)
            try await scene.settled("hosting") { scene.parley.events.first { $0.id == dinner.id }?.isHost ?? false }
        },
        Call("Parley.cancel(_:)") { scene async throws in
            try await scene.parley.cancel(scene.event)
            try await scene.settled("off") { scene.parley.events.first { $0.id == scene.event }?.isCancelled ?? false }
        },
        Call("Parley.accept(_:title:as:isShared:answer:)") { scene async throws in
            await scene.double.suggestReminder("Call Bob", dueAt: .now + 60)
            try await scene.parley.accept(scene.parley.suggestions[0], title: "Call Bob today")
            try await scene.settled("made") { scene.parley.reminders.map(\.title).contains("Call Bob today") }
            #expect(scene.parley.suggestions.isEmpty)
        },
        Call("Parley.dismiss(_:)") { scene async throws in
            await scene.double.suggestDecision("We go")
            try await scene.parley.dismiss(scene.parley.suggestions[0])
            try await scene.settled("gone") { scene.parley.suggestions.isEmpty }
        },
        Call("Parley.delete(_:)") { scene async throws in
            try await scene.parley.delete(scene.event)
            for reminder in scene.parley.reminders { try await scene.parley.delete(reminder) }
            for decision in scene.parley.decisions { try await scene.parley.delete(decision) }
            try await scene.settled("gone") {
                scene.parley.reminders.isEmpty && scene.parley.decisions.isEmpty
                    && !scene.parley.events.contains { $0.id == scene.event }
            }
        },
    ]
}
