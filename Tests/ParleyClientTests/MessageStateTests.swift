import ParleyClient
import Testing

@Suite("States of a message")
struct MessageStateTests {
    private func message(_ text: String, at position: Int64, _ more: (inout Parley_V1_Message) -> Void = { _ in })
        -> Parley_V1_Message
    {
        .with {
            ($0.conversation, $0.seq, $0.sender, $0.text, $0.position) = ("a_b", 1, "b", text, position)
            more(&$0)
        }
    }

    private func reactions(
        _ emoji: String, at position: Int64, by user: String = "a", count: Int64 = 1, removed: Bool = false
    ) -> Parley_V1_Reactions {
        .with { change in
            (change.conversation, change.seq, change.position) = ("a_b", 1, position)
            change.counts = count == 0 ? [] : [.with { ($0.emoji, $0.count) = (emoji, count) }]
            change.changes = [.with { ($0.user, $0.emoji, $0.removed) = (user, emoji, removed) }]
        }
    }

    @Test("M8 the later of two states holds, in whatever order they arrive")
    func order() {
        let states = [message("one", at: 1), message("two", at: 5), message("three", at: 7)]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            var held = states[order[0]]
            for index in order.dropFirst() { held.take(states[index]) }
            #expect(held.text == "three" && held.position == 7)
        }
    }

    @Test("M8 what is mine of a message that came in an Update is in a later reply, also in one that is older")
    func ownOfOlderReply() {
        let reply = message("one", at: 1) { $0.own = .with { ($0.starred, $0.reactions) = (true, ["🎉"]) } }
        var held = message("edited", at: 5)
        held.take(reply)
        #expect(held.text == "edited" && held.own == reply.own)
        held.take(message("edited again", at: 7))
        held.take(.with { $0.starred = false } as Parley_V1_MessageState)
        held.take(reply)
        #expect(!held.own.starred && held.own.reactions == ["🎉"])
        var hidden = message("edited", at: 5)
        hidden.take(message("", at: 1) { $0.own = .with { $0.hidden = true } })
        #expect(hidden.text.isEmpty && hidden.own.hidden)
    }

    @Test("M9 the later state of a thread holds, whatever the positions of its messages")
    func thread() {
        let thread = { (replies: Int64, position: Int64) in
            Parley_V1_Thread.with { ($0.replies, $0.position) = (replies, position) }
        }
        var held = message("first", at: 1) { $0.thread = thread(2, 9) }
        held.take(message("edited", at: 8) { $0.thread = thread(1, 7) })
        #expect(held.text == "edited" && held.thread.replies == 2)
        held.take(message("old", at: 2) { $0.thread = thread(3, 11) })
        #expect(held.text == "edited" && held.thread.replies == 3)
        held.take(thread(1, 10))
        #expect(held.thread.replies == 3)
    }

    @Test("M12 reactions are a later state of their message, and mine include those from my other devices")
    func reacting() {
        var held = message("hi", at: 3)
        held.take(reactions("👍", at: 4), by: "a")
        held.take(reactions("❤️", at: 5, by: "c"), by: "a")
        #expect(held.position == 5 && held.own.reactions == ["👍"] && held.reactions.map(\.emoji) == ["❤️"])
        held.take(reactions("👍", at: 4, count: 9), by: "a")
        #expect(held.reactions.map(\.count) == [1], "an earlier state changes nothing")
        held.take(message("hi", at: 3))
        #expect(held.own.reactions == ["👍"] && held.position == 5)
        held.take(message("hello", at: 6) { $0.reactions = held.reactions })
        #expect(held.own.reactions == ["👍"], "an Update does not contain my own reactions")
        held.take(reactions("👍", at: 7, count: 0, removed: true), by: "a")
        #expect(held.own.reactions.isEmpty && held.reactions.isEmpty)
        held.take(message("hello", at: 7) { $0.own = .with { $0.reactions = ["🎉"] } })
        #expect(held.own.reactions == ["🎉"], "a reply contains my own reactions")
    }

    @Test("M12 my reaction is merged into a message that was published again in a later state")
    func reactedBefore() {
        var held = message("edited", at: 6) { $0.reactions = [.with { ($0.emoji, $0.count) = ("👍", 1) }] }
        held.take(reactions("👍", at: 4, count: 9), by: "a")
        #expect(held.own.reactions == ["👍"] && held.position == 6 && held.reactions.map(\.count) == [1])
        held.take(reactions("👍", at: 5, by: "c"), by: "a")
        #expect(held.own.reactions == ["👍"])
    }

    @Test("M8 M11 a deleted or hidden message is empty and stays empty")
    func gone() {
        var hidden = message("secret", at: 3) { $0.mentions = ["a"] }
        hidden.take(Parley_V1_MessageState.with { ($0.starred, $0.hidden) = (true, true) })
        hidden.take(message("edited", at: 4))
        hidden.take(reactions("👍", at: 5), by: "a")
        #expect(hidden.text.isEmpty && hidden.mentions.isEmpty && hidden.reactions.isEmpty)
        #expect(hidden.own.hidden && !hidden.own.starred && hidden.own.reactions.isEmpty && hidden.isGone(at: 0))
        var starred = message("text", at: 3)
        starred.take(Parley_V1_MessageState.with { $0.starred = true })
        #expect(starred.own.starred && starred.text == "text" && !starred.isGone(at: 0))
        starred.take(message("", at: 4) { $0.deletedAtUs = 7 })
        #expect(!starred.hasOwn && starred.isGone(at: 0))
        let fleeting = message("soon gone", at: 1) { $0.expiresAtUs = 10 }
        #expect(!fleeting.isGone(at: 9) && fleeting.isGone(at: 10))
    }
}
