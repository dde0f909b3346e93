import ChatModels
import Foundation
import ParleyKit
import Testing

/// The view models of a chat, tested without a server.
@MainActor
@Suite("The view models", .timeLimit(.minutes(1)))
struct ChatModelsTests {
    @Test("a message is in the inbox, then in its chat; what I write is shown with its mark")
    func chat() async throws {
        let double = await ParleyDouble(as: me)
        let inbox = InboxModel(double.parley)
        let id = await double.addConversation(with: ada).id
        await double.receive("Hello!", from: ada.id, in: id)
        #expect(inbox.rows.map(\.title) == ["Ada"] && inbox.rows.map(\.preview) == ["Hello!"])
        #expect(inbox.rows.map(\.unread) == [1] && inbox.banner == nil)

        let chat = inbox.chat(id)
        await chat.appear()
        #expect(chat.title == "Ada" && !chat.isRequest)
        #expect(inbox.rows.map(\.unread) == [0])
        chat.draft = "  Hi Ada  "
        await chat.send()
        #expect(chat.draft.isEmpty && chat.problem == nil)
        #expect(chat.bubbles.map(\.text) == ["Hello!", "Hi Ada"] && chat.bubbles.map(\.author) == ["Ada", ""])
        #expect(chat.bubbles.map(\.isMine) == [false, true])
        try await until("it is sent") { chat.bubbles.last?.mark == "✓" }
        await double.read(id, by: ada.id)
        #expect(chat.bubbles.last?.mark == "read")
        await chat.toggle("👍", on: chat.bubbles[0].id)
        #expect(chat.bubbles[0].reactions == [.init(emoji: "👍", count: 1, isMine: true)])
        await chat.toggle("👍", on: chat.bubbles[0].id)
        #expect(chat.bubbles[0].reactions.isEmpty)
    }

    @Test("what the server refuses says so, and is sent when it is tried again")
    func refused() async throws {
        let double = await ParleyDouble(as: me)
        let chat = ChatModel(await double.addConversation(with: ada), in: double.parley)
        double.refusal = Refusal(.userBlocked, "You cannot write to this person.")
        chat.draft = "Hi"
        await chat.send()
        try await until("it is refused") { chat.bubbles.last?.mark.hasPrefix("not sent") ?? false }
        await chat.retry(chat.bubbles[0].id)
        try await until("it is sent") { chat.bubbles.last?.mark == "✓" }
    }

    @Test("a request can be answered, being offline is said, and a full outbox keeps what was typed")
    func others() async throws {
        let double = await ParleyDouble(as: me, unsentMax: 0)
        let inbox = InboxModel(double.parley)
        let request = await double.addRequest(from: ada)
        #expect(inbox.requests.map(\.title) == ["Ada"] && inbox.rows.isEmpty)
        #expect(inbox.chat(request.id).isRequest)
        double.set(.offline(since: .now))
        #expect(inbox.banner?.contains("Offline") ?? false)
        let chat = ChatModel(await double.addGroup("Crew", members: [ada]), in: double.parley)
        #expect(chat.title == "Crew")
        chat.draft = "Hi"
        await chat.send()
        #expect(chat.problem?.code == .outboxFull && chat.draft == "Hi" && chat.bubbles.isEmpty)
    }
}
