import Foundation
import Testing

@testable import ParleyKit

/// What a double can be told beyond messages, for the tests of an app's screens.
@MainActor
@Suite("What a double is told", .timeLimit(.minutes(2)))
struct DoubleHappeningTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

    @Test("S9 what happened in a group is a message; somebody else can own the group")
    func notes() async {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob], owner: ada)
        #expect(group.members.map(\.role) == [.member, .owner, .member])
        let notes: [SystemNote] = [
            .joined([bob.id], addedBy: ada.id), .left(bob.id), .removed([bob.id], by: ada.id),
            .renamed("Crew", by: ada.id), .photoChanged(by: ada.id), .ownerChanged(to: ada.id, by: me.id),
            .adminsAdded([bob.id], by: ada.id), .adminsRemoved([bob.id], by: ada.id),
            .retentionChanged(.seconds(60), by: ada.id), .retentionChanged(nil, by: ada.id),
            .decisionShared(DecisionID(), by: ada.id), .eventShared(EventID(), by: ada.id), .other,
        ]
        for note in notes {
            let message = await double.receive(note, in: group.id)
            #expect(message.note == note && message.kind == .system && message.sender == nil)
        }
        #expect(group.messages.map(\.note) == notes)
    }

    @Test("S9 M8 a thread counts its replies, those of others and mine, also of an answer to an answer")
    func threads() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        let first = await double.receive("Who comes?", from: ada.id, in: chat.id)
        let reply = await double.receive("Bob, too?", from: ada.id, in: chat.id, replyingTo: first)
        #expect(chat.messages.map(\.thread?.replies) == [1, 1] && reply.threadStart == 1)
        try await chat.send("Yes", replyingTo: reply)
        try await eventually("mine is counted") { chat.messages.map(\.thread?.replies) == [2, 2, 2] }
        #expect(chat.messages.map(\.threadStart) == [nil, 1, 1] && chat.messages.last?.replyTo == 2)
        let thread = chat.thread(from: chat.messages[0])
        await thread.load()
        #expect(thread.messages.map(\.text) == ["Who comes?", "Bob, too?", "Yes"])
        #expect(double.parley.conversations.audit().isEmpty)
    }

    @Test("S9 what people change at the same moment all counts")
    func together() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        for number in 0..<200 {
            let message = await double.receive("Message \(number)", from: ada.id, in: chat.id)
            try await chat.react("👍", to: message)
            // My request is under way, and is answered sooner or later than the other changes are made.
            for _ in 0..<number / 4 { await Task.yield() }
            async let theirs: Void = double.react("👍", to: message, by: ada.id)
            async let edit: Void = double.edit(message, to: "Message")
            _ = await (theirs, edit)
        }
        try await eventually("both reactions count") {
            chat.messages.allSatisfy {
                $0.text == "Message" && $0.reactions == [.init(emoji: "👍", count: 2, isMine: true)]
            }
        }
    }

    @Test("S9 a message is delivered before it is read; a file's upload stops where a test wants it to, and goes on")
    func progress() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        try await chat.send("Hi")
        try await eventually("it is sent") { chat.messages.first?.status == .sent }
        await double.deliver(chat.id, to: ada.id)
        #expect(chat.messages.first?.status == .delivered)
        await double.read(chat.id, by: ada.id)
        await double.deliver(chat.id, to: ada.id)
        #expect(chat.messages.first?.status == .read && chat.receipts[ada.id]?.readUpTo == 1)

        let folder = try Folder()
        let url = folder.url.appendingPathComponent("note.txt")
        try Data(repeating: 7, count: 100).write(to: url)
        double.uploadsUpTo = 0.4
        let message = try await chat.send(file: FileToSend(url))
        try await eventually("a part is uploaded") { chat.message(message.id)?.progress == 0.4 }
        #expect(chat.message(message.id)?.syncStatus == .pending)
        double.uploadsUpTo = 1
        try await eventually("it is sent") { chat.message(message.id)?.status == .sent }
        // What is shown as sent leaves what is unsent a moment later.
        try await eventually("nothing is unsent") { double.parley.unsent.isEmpty }

        double.uploadsUpTo = 0
        let other = try await chat.send(file: FileToSend(url))
        try await chat.delete(other)
        #expect(chat.message(other.id) == nil && double.parley.unsent.isEmpty)
    }

    @Test("S9 an event is shown where it is invited: another's, mine, and one that was suggested")
    func events() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let chat = await double.addConversation(with: ada)
        let theirs = await double.addEvent("Dinner", on: "2027-01-01", by: ada.id, inviting: [chat.id])
        #expect(chat.messages.map(\.note) == [.eventShared(theirs, by: ada.id)])
        #expect(parley.card(of: theirs).entity?.title == "Dinner")

        let mine = try await parley.addEvent("Lunch", on: "2027-01-02", inviting: [chat.id])
        try await eventually("mine is shown") { chat.messages.last?.note == .eventShared(mine.id, by: me.id) }
        let later = try await parley.addEvent("Tea", on: "2027-01-02")
        try await parley.invite(chat.id, to: later.id)
        try await eventually("it is shown") { chat.messages.last?.note == .eventShared(later.id, by: me.id) }
        try await parley.invite(chat.id, to: later.id)
        try await eventually("it is sent") { parley.unsent.isEmpty }
        #expect(chat.messages.count == 3)

        let message = await double.receive("Breakfast on Sunday at 9?", from: ada.id, in: chat.id)
        let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
        await double.suggestEvent("Breakfast", on: "2027-01-03", at: "09:00", in: zone, from: message)
        let suggestion = try #require(parley.suggestions.first)
        #expect((suggestion.conversation, suggestion.message, suggestion.seq) == (chat.id, message.id, 4))
        #expect(
            suggestion.content
                == .event(date: "2027-01-03", time: "09:00", timeZone: "Europe/Zurich", minutes: 0, location: ""))
        try await parley.accept(suggestion)
        try await eventually("it is an event") { parley.events.contains { $0.title == "Breakfast" && $0.isHost } }
        try await eventually("it is shown") { chat.messages.count == 5 }
        #expect(parley.suggestions.isEmpty)
    }
}
