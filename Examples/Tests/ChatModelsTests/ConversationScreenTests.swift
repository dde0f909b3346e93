import ChatModels
import Foundation
import ParleyKit
import Testing

@MainActor
@Suite("The screen of a conversation", .timeLimit(.minutes(1)))
struct ConversationScreenTests {
    /// What kinds of rows there are, in a line.
    private func shape(_ rows: [ChatRow]) -> [String] {
        rows.map { row in
            switch row {
            case .day(let day): day
            case .new: "new"
            case .bubble(let bubble): (bubble.showsAuthor ? "\(bubble.author): " : "") + bubble.text
            case .note(let note): "(\(note.text))"
            case .gap(_, let text): text
            }
        }
    }

    @Test("days separate messages, a line stands above what is new, and in a group the first of several has its author")
    func rows() async throws {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob])
        let chat = ChatModel(group, in: double.parley, words: words)
        #expect(chat.isEmpty && chat.subtitle == "3 members")
        await double.receive("Ahoy", from: ada.id, in: group.id, at: .now - 86400)
        await chat.appear()
        await chat.disappear()
        await double.receive("One", from: ada.id, in: group.id)
        await double.receive("Two", from: ada.id, in: group.id)
        await double.receive("Three", from: bob.id, in: group.id)
        await double.receive(.joined([bob.id], addedBy: ada.id), in: group.id)
        await chat.appear()
        let expected = ["Yesterday", "Ada: Ahoy", "Today", "new", "Ada: One", "Two", "Bob: Three", "(Ada added Bob)"]
        #expect(shape(chat.rows) == expected)
        #expect(group.unread == .init() && Set(chat.rows.map(\.id)).count == expected.count)
        await chat.disappear()
        await chat.appear()
        #expect(!chat.rows.contains(.new))
    }

    @Test("what I type is seen, marked, answered, starred, changed and deleted; its menu has what can be done")
    func writing() async throws {
        let double = await ParleyDouble(as: me)
        let (parley, id) = (double.parley, await double.addConversation(with: ada).id)
        let chat = ChatModel(parley.conversation(id), in: parley, words: words)
        double.set(Presence(.away, statusText: "at lunch"), of: ada.id)
        #expect(chat.subtitle == "away · at lunch")
        let question = await double.receive("Where?", from: ada.id, in: id)
        await double.set(typing: true, by: ada.id, in: id)
        #expect(chat.typing == "Ada is typing …")
        chat.draft = "At"
        #expect(double.composing == [id] && chat.canSend)
        chat.draft = ""
        #expect(double.composing.isEmpty && !chat.canSend)

        await chat.perform(.reply, on: question.id)
        #expect(chat.context?.author == "Answer to Ada" && chat.context?.text == "Where?")
        chat.draft = "Here"
        await chat.send()
        #expect(chat.context == nil && chat.bubbles.last?.quote?.author == "Ada")
        try await until("it is sent") { chat.bubbles.last?.mark == "✓" }
        await double.deliver(id, to: ada.id)
        #expect(chat.bubbles.last?.mark == "✓✓")
        await double.read(id, by: ada.id)
        let mine = try #require(chat.bubbles.last)
        #expect(mine.mark == "read" && mine.label.hasPrefix("You, in answer to Ada, Where?, Here, "))
        #expect(chat.bubbles[0].replies == "1 reply")
        #expect(
            chat.actions(for: mine.id)
                == [.reply, .thread, .copy, .edit, .star, .remind, .deleteForMe, .deleteForAll])
        #expect(chat.actions(for: question.id) == [.reply, .thread, .copy, .star, .remind, .deleteForMe])

        await chat.perform(.edit, on: mine.id)
        #expect(chat.draft == "Here" && chat.context?.author == "Change")
        chat.draft = "There"
        await chat.send()
        #expect(chat.bubbles.last?.text == "There" && chat.draft.isEmpty && chat.editing == nil)
        await chat.perform(.star, on: question.id)
        #expect(chat.bubbles[0].isStarred)
        await chat.perform(.deleteForMe, on: question.id)
        #expect(chat.bubbles.map(\.text) == ["There"])
        try await until("all is sent") { parley.unsent.isEmpty }
        await chat.perform(.deleteForAll, on: mine.id)
        #expect(chat.bubbles.map(\.text) == ["Deleted"] && chat.actions(for: mine.id) == [.deleteForMe])
        #expect(chat.problem == nil)
    }

    @Test("a thread has its own screen, where one answers")
    func thread() async throws {
        let double = await ParleyDouble(as: me)
        let conversation = await double.addConversation(with: ada)
        let chat = ChatModel(conversation, in: double.parley, words: words)
        let root = await double.receive("Who comes?", from: ada.id, in: conversation.id)
        let thread = try #require(chat.thread(of: root.id))
        await thread.load()
        #expect(thread.title == "Thread" && thread.bubbles.map(\.text) == ["Who comes?"] && !thread.canSend)
        thread.text = "I do"
        await thread.send()
        try await until("it is shown") { thread.bubbles.map(\.text) == ["Who comes?", "I do"] }
        #expect(thread.title == "1 reply" && thread.text.isEmpty && thread.notice == nil)
    }

    @Test("in a group a name after an at sign is completed, and the person mentioned")
    func mentions() async throws {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob])
        let chat = ChatModel(group, in: double.parley, words: words)
        chat.draft = "Ask @a"
        #expect(chat.mentionable == [ada])
        chat.mention(ada)
        #expect(chat.draft == "Ask @ada " && chat.mentionable.isEmpty)
        chat.draft += "or me@example.com"
        #expect(chat.mentionable.isEmpty)
        await chat.send()
        #expect(group.messages.last?.mentions == [ada.id])
    }

    @Test("a file shows how far it is, can be cancelled, and opens; one that cannot be read says so")
    func files() async throws {
        let (double, folder) = (await ParleyDouble(as: me), try Folder())
        let conversation = await double.addConversation(with: ada)
        let chat = ChatModel(conversation, in: double.parley, words: words)
        double.uploadsUpTo = 0.4
        chat.draft = "The sea"
        await chat.send(file: try folder.file("sea.png"))
        #expect(chat.draft.isEmpty && chat.bubbles.map(\.text) == ["The sea"])
        try await until("a part is there") { chat.bubbles.last?.file?.progress == 0.4 }
        let file = try #require(chat.bubbles.last?.file)
        #expect((file.name, file.size, file.symbol) == ("sea.png", "1 kB", "photo"))
        #expect(chat.actions(for: chat.bubbles[0].id) == [.cancelUpload, .copy])
        await chat.perform(.cancelUpload, on: chat.bubbles[0].id)
        #expect(chat.bubbles.isEmpty && double.parley.unsent.isEmpty)

        double.uploadsUpTo = 1
        await chat.send(file: try folder.file("note.txt"))
        try await until("it is sent") { chat.bubbles.last?.mark == "✓" && double.parley.unsent.isEmpty }
        await chat.perform(.open, on: chat.bubbles[0].id)
        #expect(try Data(contentsOf: try #require(chat.opened)).count == 1000)
        await chat.send(file: folder.url.appendingPathComponent("none"))
        #expect(chat.problem?.code == .fileFailed && chat.bubbles.count == 1)
    }

    @Test("what is refused can be discarded; a message far up is loaded and shown")
    func others() async throws {
        let double = await ParleyDouble(as: me)
        let conversation = await double.addConversation(with: ada)
        let chat = ChatModel(conversation, in: double.parley, words: words)
        double.refusal = Refusal(.userBlocked, "You cannot write to this person.")
        chat.draft = "Hi"
        await chat.send()
        try await until("it is refused") { chat.bubbles.last?.refused == "You cannot message this user." }
        #expect(chat.actions(for: chat.bubbles[0].id) == [.retry, .discard, .copy])
        await chat.perform(.discard, on: chat.bubbles[0].id)
        #expect(chat.bubbles.isEmpty)
        await double.receive("One", from: ada.id, in: conversation.id)
        await chat.show(1)
        #expect(chat.target == chat.bubbles[0].id && chat.problem == nil)
        double.set(.offline(since: .now))
        #expect(chat.banner != nil)
    }

    @Test("a request is accepted, declined, or its sender blocked, and unblocked")
    func requests() async throws {
        let double = await ParleyDouble(as: me)
        let request = await double.addRequest(from: ada)
        await double.receive("Hello", from: ada.id, in: request.id)
        let chat = ChatModel(request, in: double.parley, words: words)
        await chat.appear()
        #expect(chat.isRequest && !chat.canWrite && chat.canBlock && chat.notice == "Ada wants to write to you.")
        #expect(request.unread.messages == 1)
        await chat.block()
        #expect(chat.isBlocked && chat.notice == "You block this person." && double.parley.blocked == [ada])
        try await until("it is sent") { double.parley.unsent.isEmpty }
        await chat.unblock()
        try await until("it is sent") { double.parley.unsent.isEmpty }
        #expect(!chat.isBlocked && double.parley.blocked.isEmpty)
        let invitation = ChatModel(await double.addInvitation(into: "Club", from: bob), in: double.parley)
        #expect(invitation.notice == "You are invited into this group.")
        await invitation.accept()
        try await until("it is accepted") { invitation.canWrite && invitation.notice == nil }
    }

    @Test("the details show members with their roles, and only what I may do with them")
    func details() async throws {
        let double = await ParleyDouble(as: me)
        let group = await double.addGroup("Crew", members: [ada, bob])
        double.set(.online, of: ada.id)
        let details = DetailsModel(group, in: double.parley, words: words)
        await details.load()
        #expect(details.rows.map(\.name) == ["You", "Ada", "Bob"] && details.rows[0].role == "Owner")
        #expect(details.rows[1].actions == [.makeAdmin, .makeOwner, .remove] && details.rows[1].presence == "online")
        #expect(!details.mayLeave && details.rows[0].actions.isEmpty && !details.canRename)
        details.name = "Sea Crew"
        await details.rename()
        await details.perform(.makeAdmin, on: bob.id)
        await details.perform(.remove, on: ada.id)
        try await until("all is sent") { double.parley.unsent.isEmpty }
        #expect(details.title == "Sea Crew" && details.rows.map(\.role) == ["Owner", "Admin"])
        await details.add([ada])
        try await until("she is there") { details.rows.map(\.name) == ["You", "Bob", "Ada"] }
        await details.perform(.makeOwner, on: ada.id)
        try await until("she is the owner") { details.rows.first?.name == "Ada" && details.mayLeave }
        await details.leave()
        try await until("I am out") { group.hasLeft }
        #expect(!ChatModel(group, in: double.parley).canWrite && details.problem == nil)

        let other = DetailsModel(await double.addConversation(with: ada), in: double.parley, words: words)
        await other.setMuted(true)
        await other.report(.spam)
        #expect(other.isMuted && other.username == "@ada" && other.presence == "online")
        #expect(double.reports.map(\.user) == [ada.id])
        await other.setBlocked(true)
        #expect(other.isBlocked && other.problem == nil)
    }
}
