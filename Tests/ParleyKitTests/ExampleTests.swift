import Foundation
import ParleyKit
import Testing

/// The examples of ParleyKit's comments, each between `// snippet` and `// end`. A house test compares both. Those that
/// need a server are in the tests end to end (Tests/EndToEnd/Kit/KitArticleTests.swift).
@MainActor
@Suite("The examples in comments", .timeLimit(.minutes(2)))
struct ExampleTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")

    /// What an app would show.
    @MainActor
    private final class Screen {
        var lines: [String] = []
    }

    private let screen = Screen()
    private func show(_ line: String) { screen.lines.append(line) }

    /// Takes what was shown since the last time.
    private func shown() -> [String] {
        defer { screen.lines = [] }
        return screen.lines
    }

    private func until(_ what: String, _ isSo: () -> Bool) async throws {
        try await eventually(what) { isSo() }
    }

    @Test("the double receives, shows, refuses")
    func double() async throws {
        // snippet
        let double = await ParleyDouble(as: User(id: UserID(rawValue: "me"), username: "me", displayName: "Me"))
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let chat = await double.addConversation(with: ada)
        await double.receive("Hello!", from: ada.id, in: chat.id)
        #expect(double.parley.inbox.conversations.first?.unread.messages == 1)
        // end
        let parley = double.parley
        // snippet
        for chat in parley.inbox.conversations {
            show("\(chat.title): \(chat.lastMessage?.text ?? "")")
        }
        // end
        #expect(shown() == ["Ada: Hello!"])
        // snippet
        switch parley.connection {
        case .online, .elsewhere: show("")
        case .connecting: show("Connecting …")
        case .offline(let since): show("Offline since \(since)")
        }
        // end
        #expect(shown() == [""])
        // snippet
        if parley.requestCount.unread > 0 { show("\(parley.requestCount.unread) new requests") }
        // end
        #expect(shown() == [])
        // snippet
        let id = ConversationID.direct(me.id, ada.id)
        #expect(parley.conversation(id) === parley.inbox.conversations.first)
        // end
    }

    @Test("conversations and what they contain")
    func conversations() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let id = await double.addConversation(with: ada).id
        await double.receive("Hello!", from: ada.id, in: id)
        // snippet
        let chat = parley.conversation(id)
        await chat.load()
        for message in chat.messages { show(message.text) }
        try await chat.send("Hi")
        try await chat.markRead()
        // end
        #expect(shown() == ["Hello!"])
        // snippet
        let isGroup = chat.kind == .group
        show(isGroup ? "\(chat.title), \(chat.memberCount) people" : chat.title)
        // end
        // snippet
        switch chat.section {
        case .inbox, nil: show("")
        case .requests: show("wants to write to you")
        case .blocked: show("you block this person")
        case .left: show("you left this group")
        }
        // end
        // snippet
        switch chat.request {
        case .accepted: show("")
        case .sent: show("Waits for \(chat.title) to accept.")
        case .received: show("\(chat.title) wants to write to you.")
        case .blocked: show("You block this person.")
        }
        // end
        // snippet
        if chat.unread.isUnread { show("\(chat.unread.messages) unread, \(chat.unread.mentions) mention me") }
        // end
        // snippet
        for gap in chat.gaps {
            show("\(gap.last - gap.first + 1) messages are not loaded")
            try await chat.fill(gap)
        }
        // end
        // snippet
        let admins = chat.members.filter { $0.role >= .admin }
        show("Ask \(admins.map(\.user.displayName).joined(separator: " or ")).")
        // end
        #expect(shown() == ["Ada", "", "", "Ask ."])
        // snippet
        for member in chat.members where member.id == chat.messages.first?.sender {
            show("\(member.user.displayName) wrote first")
        }
        // end
        #expect(shown() == ["Ada wrote first"])
        await double.read(id, by: ada.id)
        // snippet
        if let receipt = chat.receipts[ada.id], let time = receipt.readAt {
            show("Ada read up to message \(receipt.readUpTo) at \(time)")
        }
        // end
        #expect(shown().count == 1)
        double.set(.online, of: ada.id)
        // snippet
        let presence = parley.presence[ada.id]
        switch presence?.status {
        case .online: show("online")
        case .away, .doNotDisturb: show(presence?.statusText ?? "away")
        case .offline, nil: show(presence?.lastSeen.map { "last seen \($0)" } ?? "")
        }
        // end
        #expect(shown() == ["online"])
    }

    @Test("messages, their statuses and reactions")
    func messages() async throws {
        let double = await ParleyDouble(as: me)
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let chat = await double.addConversation(with: ada)
        await double.receive("Hello!", from: ada.id, in: chat.id)
        // snippet
        try await chat.send("Hi")
        // end
        // snippet
        let message = try await chat.send("Hi")
        show("\(message.text) \(message.sentAt)")
        // end
        #expect(shown().count == 1)
        // snippet
        switch message.syncStatus {
        case .pending: show("…")
        case .synced: show("")
        case .failed(let refusal): show("Not sent: \(refusal.message)")
        }
        // end
        #expect(shown() == ["…"])
        // snippet
        switch message.status {
        case .sending: show("…")
        case .sent: show("✓")
        case .delivered: show("✓✓")
        case .read: show("read")
        case .failed(let refusal): show("Not sent: \(refusal.message)")
        }
        // end
        #expect(shown() == ["…"])
        try await until("it is sent") { chat.message(message.id)?.syncStatus == .synced }
        // snippet
        switch message.kind {
        case .text, .other: show(message.text)
        case .image, .video, .file, .voice: show(message.attachment?.name ?? message.text)
        case .system: show("something happened")
        }
        // end
        #expect(shown() == ["Hi"])
        // snippet
        if let thread = message.thread { show("\(thread.replies) replies") }
        // end
        try await chat.react("👍", to: message)
        // snippet
        for reaction in message.reactions {
            show("\(reaction.emoji) \(reaction.count)\(reaction.isMine ? ", you too" : "")")
        }
        // end
        // snippet
        if let attachment = message.attachment {
            show("\(attachment.name), \(attachment.sizeBytes / 1000) kB")
        }
        // end
        #expect(shown() == [])
        // snippet
        switch message.note {
        case .joined(let people, _): show("\(people.count) people joined")
        case .renamed(let name, _): show("The group is now called \(name)")
        default: break
        }
        // end
        // snippet
        let link = "myapp://message/\(message.id)"
        let named = link.split(separator: "/").last.flatMap { MessageID(String($0)) }
        #expect(named == message.id)
        // end
    }

    @Test("what is not sent, and why")
    func unsent() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let chat = await double.addConversation(with: ada)
        double.refusal = Refusal(.userBlocked, "You cannot write to this person.")
        try await chat.send("Hi")
        try await until("it is refused") { chat.messages.last?.syncStatus != .pending }
        // snippet
        for unsent in parley.unsent {
            guard case .failed(let refusal) = unsent.syncStatus else { continue }
            show("Not sent: \(refusal.message)")
            if refusal.code == .userBlocked { try await parley.drop(unsent.id) }
        }
        // end
        #expect(shown() == ["Not sent: You cannot write to this person."] && parley.unsent.isEmpty)
        double.refusal = Refusal(.quotaReached, "You have sent too much today.")
        try await chat.send("Hi again")
        try await until("it is refused") { chat.messages.last?.syncStatus != .pending }
        // snippet
        if let id = parley.unsent.first?.id { try await parley.retry(id) }
        // end
        try await until("it is sent") { parley.unsent.isEmpty }
        #expect(chat.messages.map(\.text) == ["Hi again"])
        try await chat.send("And again")
        // snippet
        for unsent in parley.unsent {
            switch unsent.kind {
            case .message(let text): show("waits: \(text)")
            case .edit(let text): show("waits: the change to \(text)")
            default: show("waits")
            }
        }
        // end
        #expect(shown() == ["waits: And again"])
    }

    @Test("reminders, decisions and events")
    func entities() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let id = await double.addGroup("Crew", members: []).id
        // snippet
        let reminder = try await parley.addReminder("Buy tickets", dueAt: .now + 3600)
        try await parley.update(reminder, title: "Buy two tickets")
        try await parley.complete(reminder)
        // end
        // snippet
        let decision = try await parley.addDecision("We take the train", in: id, isShared: true)
        try await parley.addDecision("We take the bus", in: id, isShared: true, replacing: decision)
        // end
        // snippet
        let event = try await parley.addEvent("Dinner", on: "2026-12-01", at: "19:30", minutes: 120, inviting: [id])
        try await parley.answer(event.id, .accepted, guests: 1)
        // end
        // snippet
        switch event.answer {
        case .accepted: show("You come, \(event.guests) with you.")
        case .tentative: show("You may come.")
        case .declined: show("You do not come.")
        case .pending: show("Do you come?")
        }
        // end
        #expect(shown() == ["You come, 0 with you."])
        var dated = event
        dated.changedDates = [.init(date: "2026-12-08", change: .calledOff)]
        try await showDates(of: dated, show)
        // snippet
        try await parley.answer(event.id, .accepted, remind: .minutesBefore(60))
        // end
        // snippet
        let path = "/events/\(event.id)"
        let named = path.split(separator: "/").last.flatMap { EventID(String($0)) }
        #expect(named == event.id)
        // end
        // snippet
        for suggestion in parley.suggestions {
            switch suggestion.content {
            case .event(let date, let time, _, _, _): show("\(suggestion.title) on \(date) \(time ?? "")?")
            case .reminder(let dueAt, _): show("Remind you of \(suggestion.title) at \(dueAt)?")
            case .decision: show("Decided: \(suggestion.title)?")
            }
        }
        // end
    }

    @Test("changes, as a notifier reads them")
    func changes() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        let id = await double.addConversation(with: ada).id
        let reader = Task {
            // snippet
            for await change in parley.changes {
                guard case .appended(let message) = change, message.sender != parley.user else { continue }
                show("\(parley.conversation(change.conversation).title): \(message.text)")
            }
            // end
        }
        // The reader has begun to listen before this.
        await Task.yield()
        await double.receive("Hello!", from: ada.id, in: id)
        try await until("it is told") { screen.lines == ["Ada: Hello!"] }
        reader.cancel()
    }

    @Test("settings and where tokens are kept")
    func settings() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        // An address where nothing listens.
        let server = "ws://127.0.0.1:1"
        // snippet
        var options = Parley.Options(folder: folder)
        options.messagesKept = 2000
        options.name = "myapp 1.0"
        let parley = await Parley.open(server, options: options)
        // end
        #expect(parley.user == nil)
        await parley.close()
        // snippet
        options.storage = .memory
        // end
        // snippet
        options.credentials = CredentialFile(at: folder.appendingPathComponent("tokens.json"))
        // end
        // snippet
        options.credentials = CredentialMemory()
        // end
        #if canImport(Security)
            // snippet
            options.credentials = CredentialKeychain(service: "MyApp", group: "TEAM.com.example.myapp")
        // end
        #endif
        #expect(try await options.credentials.load() == nil)
    }

    @Test("people and myself")
    func people() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        // snippet
        let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
        show("\(ada.displayName) (@\(ada.username))")
        // end
        #expect(shown() == ["Ada (@ada)"])
        // snippet
        if let profile = parley.profile { show("\(profile.user.displayName) \(profile.email ?? "")") }
        try await parley.updateProfile(displayName: "Kit")
        // end
        #expect(shown() == ["Me "])
        // snippet
        let stored = ada.id.rawValue
        #expect(UserID(rawValue: stored) == ada.id)
        // end
    }

    private func showDates(of event: Event, _ show: (String) -> Void) async throws {
        // snippet
        for date in event.changedDates {
            switch date.change {
            case .calledOff: show("Not on \(date.date).")
            case .moved(let day, _): show("On \(day), not on \(date.date).")
            }
        }
        // end
        let date = event.changedDates[0]
        // snippet
        if date.change == .calledOff { show("Not on \(date.date).") }
        // end
    }
}
