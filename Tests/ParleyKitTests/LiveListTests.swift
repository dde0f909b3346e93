import Foundation
import Testing

@testable import ParleyKit

/// The number on an app's icon, and what mentions me or is starred: they change while an app shows them.
@MainActor
@Suite("Live counts and lists", .timeLimit(.minutes(4)))
struct LiveListTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

    @Test("M7 S9 the badge counts what is unread, without muted and archived conversations, and what I read offline")
    func badge() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let (chat, other) = (await double.addConversation(with: ada), await double.addConversation(with: bob))
        await double.receive("1", from: ada.id, in: chat.id)
        #expect(parley.badge == Badge())
        try await eventually("what was there is counted") { parley.badge == Badge(messages: 1, conversations: 1) }
        await double.receive("@me 2", from: ada.id, in: chat.id, mentions: [me.id])
        await double.receive("3", from: bob.id, in: other.id)
        try await eventually("what comes is counted") {
            parley.badge == Badge(messages: 3, conversations: 2, mentions: 1)
        }
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        let badge = parley.badge
        show("\(badge.messages) unread in \(badge.conversations) conversations")
        // end
        #expect(shown == ["3 unread in 2 conversations"])
        try await other.mute()
        try await eventually("a muted one does not count") {
            parley.badge == Badge(messages: 2, conversations: 1, mentions: 1)
        }
        try await other.unmute()
        try await eventually("it does again") { parley.badge.messages == 3 }
        try await other.mute(until: .now + 1)
        try await eventually("it is muted for a second") { parley.badge.messages == 2 }
        try await eventually("the second is over") { parley.badge.messages == 3 }
        try await other.archive()
        try await eventually("an archived one does not count") { parley.badge.conversations == 1 }
        double.set(.offline(since: .now))
        try await chat.markRead()
        #expect(parley.badge == Badge())
        try await chat.markUnread()
        #expect(parley.badge == Badge(messages: 1, conversations: 1))
        double.set(.online)
        try await eventually("the server has it") { parley.unsent.isEmpty }
        #expect(parley.badge == Badge(messages: 1, conversations: 1))
    }

    @Test("M10 S9 what I star stays in a list that is read meanwhile", arguments: 0..<100)
    func starredMeanwhile(turn: Int) async throws {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob])
        await double.receive("Look, @me", from: ada.id, in: group.id, mentions: [me.id])
        let mentions = double.parley.list(of: .mentions)
        await mentions.load()
        let message = mentions.messages[0]
        try await double.parley.conversation(message.conversation).star(message, true)
        let starred = double.parley.list(of: .starred)
        await starred.load()
        #expect(starred.messages.map(\.text) == ["Look, @me"])
        for _ in 0..<100 {
            await Task.yield()
            #expect(starred.messages.map(\.text) == ["Look, @me"])
        }
        try await eventually("it is sent") { double.parley.unsent.isEmpty }
        #expect(starred.messages.map(\.text) == ["Look, @me"])
    }

    @Test("M10 M11 S9 starred messages and mentions are listed and follow what happens to them, mine at once")
    func lists() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let (chat, other) = (await double.addConversation(with: ada), await double.addConversation(with: bob))
        let first = await double.receive("first", from: ada.id, in: chat.id)
        let second = await double.receive("@me second", from: bob.id, in: other.id, mentions: [me.id])
        try await chat.star(first)
        try await eventually("it is starred") { parley.unsent.isEmpty }
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        let starred = parley.list(of: .starred)
        await starred.load()
        for message in starred.messages { show(message.text) }
        // end
        #expect(shown == ["first"] && starred.problem == nil && !starred.hasMore)
        #expect(parley.list(of: .starred) === starred)
        // snippet
        let mentions = parley.list(of: .mentions)
        await mentions.load()
        if mentions.hasMore { await mentions.loadMore() }
        // end
        let both = parley.list(of: .mentionsAndStars)
        try await eventually("what is stored is shown") { both.messages.map(\.text) == ["@me second", "first"] }
        #expect(mentions.messages.map(\.text) == ["@me second"])

        double.set(.offline(since: .now))
        try await other.star(second)
        #expect(starred.messages.map(\.text) == ["@me second", "first"])
        try await chat.star(first, false)
        #expect(starred.messages.map(\.text) == ["@me second"])
        double.set(.online)
        try await eventually("the server has it") { parley.unsent.isEmpty }
        try await eventually("it stays") { starred.messages.map(\.syncStatus) == [.synced] }

        let third = await double.receive("@me third", from: ada.id, in: chat.id, mentions: [me.id])
        try await eventually("a mention is on top") { mentions.messages.map(\.text) == ["@me third", "@me second"] }
        await double.edit(third, to: "@me 3")
        try await eventually("it is edited") { mentions.messages.map(\.text) == ["@me 3", "@me second"] }
        await double.delete(third)
        try await eventually("it is deleted") { mentions.messages.map(\.text) == ["@me second"] }
        try await chat.star([first, await double.receive("fourth", from: ada.id, in: chat.id)])
        #expect(Set(starred.messages.map(\.text)) == ["first", "fourth", "@me second"])
        try await chat.hide(Array(chat.messages.suffix(1)))
        try await eventually("one is hidden") { Set(starred.messages.map(\.text)) == ["first", "@me second"] }
        try await chat.star(first, false)
        try await other.hide(second)
        try await eventually("it is hidden") { mentions.messages.isEmpty && starred.messages.isEmpty }
    }
}
