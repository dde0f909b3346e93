import Foundation
import Testing

@testable import ParleyKit

/// What stays as new as the server while an app holds it: cards, threads, and whom one is about to write to.
@MainActor
@Suite("Live objects", .timeLimit(.minutes(4)))
struct LiveObjectTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

    @Test("C14 S9 the conversation with exactly these people is found as they come and go, or made by a first message")
    func composer() async throws {
        let double = await ParleyDouble(as: me)
        let (parley, ada, bob) = (double.parley, ada, bob)
        for person in [ada, bob] { double.addAccount(person) }
        let direct = await double.addConversation(with: ada)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        let composer = parley.compose()
        composer.add(ada)
        composer.add(bob)
        show(composer.conversation?.title ?? "A new group")
        let chat = try await composer.send("Who comes along?")
        // end
        #expect(shown == ["A new group"])
        #expect(chat.name == "Ada, Bob" && composer.conversation === chat && !composer.isLooking)
        #expect(chat.messages.map(\.text) == ["Who comes along?"])

        composer.remove(bob.id)
        #expect(composer.people == [ada] && composer.conversation === direct)
        composer.add(bob)
        composer.add(bob)
        try await eventually("the group is found again") { composer.conversation === chat }
        #expect(composer.people == [ada, bob])
        let other = parley.compose(to: [bob, ada])
        try await eventually("in any order") { other.conversation === chat }

        // Sent twice before the first has made the group: one group.
        let quick = parley.compose(to: [ada, User(id: UserID(rawValue: "dan"), username: "dan", displayName: "Dan")])
        async let first = quick.send("1")
        async let second = quick.send("2")
        let both = try await [first, second]
        #expect(both[0] === both[1] && both[0].messages.map(\.text).sorted() == ["1", "2"])

        // Somebody new, without a connection.
        double.set(.offline(since: .now))
        let carol = User(id: UserID(rawValue: "carol"), username: "carol", displayName: "Carol")
        let new = parley.compose(to: [carol])
        #expect(new.conversation == nil)
        let made = try await new.send("Hello Carol")
        #expect(made.messages.map(\.syncStatus) == [.pending])
        let nobody = parley.compose()
        await #expect(throws: Refusal.self) { try await nobody.send("Hello?") }
    }

    @Test("E3 S9 the card of a shared event or decision is one object, which follows what is known of it")
    func cards() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let chat = await double.addConversation(with: ada)
        let event = await double.addEvent("Dinner", on: "2027-01-01", at: "19:00", by: ada.id)
        let message = Message(
            .with {
                ($0.id, $0.conversation, $0.seq, $0.kind) = (MessageID().data, chat.id.rawValue, 1, .system)
                ($0.system.kind, $0.system.actor, $0.system.entity) = (.eventShared, ada.id.rawValue, event.data)
            })
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        if case .eventShared(let id, _) = message.note {
            let card = parley.card(of: id)
            show(card.entity?.title ?? "…")
        }
        // end
        #expect(shown == ["Dinner"])
        let card = parley.card(of: event)
        #expect(parley.card(of: event) === card)
        try await parley.answer(event, .accepted)
        #expect(card.entity?.answer == .accepted)

        // Whoever signs in next gets cards of their own.
        parley.cards.forget()
        #expect(parley.card(of: event) !== card)

        let missing = parley.card(of: EventID())
        try await eventually("there is no such event") { missing.problem != nil }
        #expect(missing.entity == nil)

        let decision = try await parley.addDecision("By train", in: chat.id, isShared: true)
        let decided = parley.card(of: decision.id)
        #expect(decided.entity?.text == "By train")
        try await eventually("it is sent") { decided.entity?.syncStatus == .synced }
        try await parley.delete(decision)
        #expect(decided.entity == nil)
        try await eventually("it is deleted") { parley.unsent.isEmpty }
        #expect(decided.entity == nil)
    }

    @Test("M8 S9 a thread shows its replies as they come, mine before they are sent, and takes out what is deleted")
    func threads() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        let message = await double.receive("Who comes?", from: ada.id, in: chat.id)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        let thread = chat.thread(from: message)
        await thread.load()
        for reply in thread.messages.dropFirst() { show(reply.text) }
        // end
        #expect(shown.isEmpty && thread.messages.map(\.text) == ["Who comes?"] && thread.problem == nil)
        double.set(.offline(since: .now))
        try await chat.send("I do", replyingTo: message)
        try await eventually("mine is shown") { thread.messages.map(\.text) == ["Who comes?", "I do"] }
        #expect(thread.messages[1].seq == nil)
        double.set(.online)
        try await eventually("it is sent") { thread.messages.last?.seq == 2 && thread.messages.count == 2 }
        await double.receive("Elsewhere", from: ada.id, in: chat.id)
        try await chat.edit(thread.messages[1], to: "We do")
        try await eventually("it is edited") { thread.messages.map(\.text) == ["Who comes?", "We do"] }
        try await chat.hide(thread.messages[1])
        try await eventually("it is hidden") { thread.messages.map(\.text) == ["Who comes?"] }
    }
}
