import ChatModels
import Foundation
import ParleyKit
import Testing

@MainActor
@Suite("Events, reminders, suggestions and mentions", .timeLimit(.minutes(1)))
struct EntityScreenTests {
    @Test("an event has a card where it is invited, and is answered there; mine is made by a form")
    func events() async throws {
        let double = await ParleyDouble(as: me)
        let conversation = await double.addConversation(with: ada)
        let chat = ChatModel(conversation, in: double.parley, words: words)
        await double.addEvent(
            "Dinner", on: "2030-11-29", at: "19:30", in: words.calendar.timeZone, by: ada.id,
            inviting: [conversation.id])
        guard case .note(let note) = chat.rows.last else {
            Issue.record("\(chat.rows)")
            return
        }
        #expect(note.text == "Ada shared an event")
        let card = chat.event(try #require(note.event))
        #expect(card.row?.title == "Dinner" && card.row?.answer == .pending && card.row?.counts == "1 person comes")
        #expect(card.row?.when.hasSuffix("29 Nov 2030, 19:30") ?? false)
        await card.answer(.accepted)
        try await until("it is answered") { card.row?.counts == "2 people come" }
        #expect(card.row?.answer == .accepted && card.problem == nil)

        let events = EventsModel(double.parley, words: words)
        let form = chat.newEvent()
        #expect(form.invited == conversation.id && !form.canSave && form.conversations.map(\.title) == ["Ada"])
        let day = try #require(ISO8601DateFormatter().date(from: "2030-01-05T08:00:00Z"))
        (form.title, form.startsAt, form.repeats) = (" Breakfast ", day, .weekly)
        #expect(form.title(of: 90).contains("1 hour") && form.title(of: 0) == "No end")
        #expect(await form.save())
        try await until("it is sent") { double.parley.unsent.isEmpty && events.upcoming.count == 2 }
        let mine = try #require(events.upcoming.first)
        #expect(mine.title == "Breakfast" && mine.isHost && mine.when.hasSuffix("5 Jan 2030, 09:00, repeats"))
        #expect(conversation.messages.count == 2)
        await events.cancel(mine.id)
        try await until("it is called off") { events.past.first?.isCancelled ?? false }
        await events.delete(mine.id)
        try await until("it is gone") { events.past.isEmpty }
        await events.answer(try #require(events.upcoming.first).id, .declined)
        try await until("it is declined") { card.row?.answer == .declined }
        await double.addEvent("New Year", on: "2030-01-01", by: ada.id)
        #expect(events.upcoming.first?.when.hasSuffix("1 Jan 2030") ?? false)
        #expect(events.problem == nil)
    }

    @Test("a reminder comes from a message, waits, is completed and deleted")
    func reminders() async throws {
        let double = await ParleyDouble(as: me)
        let conversation = await double.addConversation(with: ada)
        let message = await double.receive("Buy tickets", from: ada.id, in: conversation.id)
        let chat = ChatModel(conversation, in: double.parley, words: words)
        let form = try #require(chat.newReminder(from: message.id))
        #expect(form.title == "Buy tickets" && form.isOfMessage && form.dueAt > .now)
        #expect(await form.save())
        let reminders = RemindersModel(double.parley, words: words)
        #expect(reminders.open.map(\.title) == ["Buy tickets"] && reminders.open[0].conversation == conversation.id)
        await double.addReminder("Water the plants", dueAt: .now - 3600)
        #expect(reminders.open.first?.isOverdue ?? false)
        try await until("all is sent") { double.parley.unsent.isEmpty }
        await reminders.snooze(reminders.open[0].id, .week)
        #expect(reminders.open.map(\.title) == ["Buy tickets", "Water the plants"])
        await reminders.complete(reminders.open[0].id)
        #expect(reminders.completed.map(\.title) == ["Buy tickets"])
        await reminders.complete(reminders.completed[0].id, false)
        #expect(reminders.completed.isEmpty)
        await reminders.delete(reminders.open[0].id)
        #expect(reminders.open.map(\.title) == ["Water the plants"] && reminders.problem == nil)
        #expect(!reminders.newReminder().canSave)
    }

    @Test("a suggestion says when and where; accepting it makes what it says, dismissing it does not")
    func suggestions() async throws {
        let double = await ParleyDouble(as: me)
        let conversation = await double.addConversation(with: ada)
        let message = await double.receive("Breakfast on the 5th at 9?", from: ada.id, in: conversation.id)
        let suggestions = SuggestionsModel(double.parley, words: words)
        await double.suggestEvent(
            "Breakfast", on: "2030-01-05", at: "09:00", in: words.calendar.timeZone, from: message)
        let row = try #require(suggestions.rows.first)
        #expect((row.kind, row.title, row.accept, row.seq) == ("Event", "Breakfast", "Add", 1))
        #expect(row.detail.hasSuffix("5 Jan 2030, 09:00") && row.conversation == conversation.id)
        await suggestions.accept(row.id)
        #expect(suggestions.rows.isEmpty)
        try await until("it is an event") { double.parley.events.map(\.title) == ["Breakfast"] }
        await double.suggestReminder("Call Bob", dueAt: .now + 60)
        await double.suggestDecision("We take the train")
        #expect(Set(suggestions.rows.map(\.kind)) == ["Reminder", "Decision"])
        #expect(InboxModel(double.parley, words: words).suggestions == "2 suggestions")
        for row in suggestions.rows { await suggestions.dismiss(row.id) }
        try await until("they are gone") { double.parley.unsent.isEmpty }
        #expect(suggestions.rows.isEmpty && double.parley.reminders.isEmpty && double.parley.decisions.isEmpty)
        #expect(InboxModel(double.parley).suggestions == nil)
    }

    @Test("mentions and stars of all conversations are in two lists")
    func overview() async throws {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob])
        await double.receive("Look, @me", from: ada.id, in: group.id, mentions: [me.id])
        let overview = OverviewModel(double.parley, words: words)
        await overview.load()
        #expect(overview.rows.map(\.text) == ["Look, @me"] && overview.rows[0].label.hasPrefix("Ada, Look, @me, Crew"))
        await overview.toggleStar(overview.rows[0].id)
        #expect(overview.rows[0].isStarred)
        overview.kind = .starred
        await overview.load()
        #expect(overview.rows.map(\.title) == ["Crew"])
        try await until("it is sent") { double.parley.unsent.isEmpty }
        await overview.toggleStar(overview.rows[0].id)
        try await until("it is not starred") { overview.rows.isEmpty }
        await overview.load()
        #expect(overview.notice == "You have not starred any message.")
    }
}
