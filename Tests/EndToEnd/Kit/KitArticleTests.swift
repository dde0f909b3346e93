import Foundation
import Observation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// What an app would show.
@MainActor
private final class Screen {
    var lines: [String] = []

    /// Takes what was shown since the last time.
    func taken() -> [String] {
        defer { lines = [] }
        return lines
    }
}

@MainActor
private func until(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
    try await eventually(what) { @Sendable in await isSo() }
}

// The code of ParleyKit's articles, each piece between `// snippet` and `// end`. A house test compares both.

@MainActor
@Suite("ParleyKit, as the article \"Your first chat\" says", .timeLimit(.minutes(3)))
struct KitFirstChatTests {
    private let screen = Screen()
    private func show(_ line: String) { screen.lines.append(line) }
    private func shown() -> [String] { screen.taken() }

    /// Compiled only: it would keep its files in the home folder of whoever runs the tests.
    func open(password: String) async throws {
        // snippet
        let parley = await Parley.open("wss://chat.example.com")
        if parley.user == nil {
            try await parley.signIn(username: "alice", password: password)
        }
        // end
    }

    @Test("S9 \"Your first chat\" does what it says: register, ask, accept, talk, look, sign out")
    func firstChat() async throws {
        let cluster = try await TestCluster.asking
        let (app, otherApp) = (try AppFolder(), try AppFolder())
        let (server, folder, password) = (cluster.url(), app.url, Device.password)
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        let (username, name) = ("alice" + random, "bob" + random)
        let others = await otherApp.open(server)
        try await others.register(username: name, password: password, displayName: "Bob")

        // snippet
        let parley = await Parley.open(server, options: Parley.Options(folder: folder))
        // end
        // snippet
        do throws(Refusal) {
            try await parley.register(username: username, password: password, displayName: "Alice")
        } catch {
            show(error.code == .usernameTaken ? "Somebody else has this name. Choose another one." : error.message)
        }
        // end
        do {
            let parley = await Parley.open(server, options: .inMemory)
            // snippet
            do throws(Refusal) {
                try await parley.signIn(username: username, password: "a guess")
            } catch {
                show(error.code == .wrongCredentials ? "That is not the right password." : error.message)
            }
            // end
            await parley.close()
        }
        #expect(shown() == ["That is not the right password."])
        // snippet
        let bob = try await parley.findUser(name)
        let chat = try await parley.startConversation(with: bob)
        try await chat.send("Hi Bob!")
        // end
        #expect(chat.title == "Bob" && chat.messages.map(\.text) == ["Hi Bob!"])
        try await until("Bob is asked") { others.requests.conversations.first?.lastMessage?.text == "Hi Bob!" }
        try await {
            let parley = others
            // snippet
            for chat in parley.requests.conversations {
                show("\(chat.title) writes: \(chat.lastMessage?.text ?? "")")
                try await chat.accept()
            }
            // end
        }()
        #expect(shown() == ["Alice writes: Hi Bob!"])
        let answers = others.conversation(chat.id)
        try await until("Bob has the message") { answers.messages.count == 1 }
        try await answers.markRead()
        try await answers.send("Hi Alice!")
        try await until("Alice has the answer") { chat.messages.map(\.text) == ["Hi Bob!", "Hi Alice!"] }
        try await until("it was read") { chat.messages[0].status == .read }

        // snippet
        await chat.load()
        for message in chat.messages {
            let author = message.sender.flatMap(chat.user)?.displayName ?? ""
            show("\(author): \(message.text)")
        }
        if chat.hasOlder { try await chat.loadOlder() }
        // end
        #expect(shown() == ["Alice: Hi Bob!", "Bob: Hi Alice!"])
        // snippet
        let message = try await chat.send("Dinner on Fridy?")
        try await chat.edit(message, to: "Dinner on Friday?")
        try await chat.react("👍", to: chat.messages[0])
        try await chat.markRead()
        // end
        try await until("Bob has all of it") {
            answers.messages.last?.text == "Dinner on Friday?" && answers.messages.first?.reactions.count == 1
        }
        try await fileTypingSearch(parley, chat, answers, message)
        // snippet
        try await parley.watchPresence(of: [bob.id])
        let isOnline = parley.presence[bob.id]?.status == .online
        // end
        #expect(isOnline || parley.presence[bob.id] != nil)
        // snippet
        let group = try await parley.createGroup("Dinner", with: [bob])
        try await group.send("Who brings what?")
        // end
        try await until("all is sent") { parley.unsent.isEmpty }
        // snippet
        Task {
            do throws(Refusal) {
                try await parley.signOut()
            } catch {
                show(error.code == .unsentWork ? "Not all is sent yet. Sign out and lose it?" : error.message)
            }
        }
        // end
        try await until("she is signed out") { parley.user == nil }
        #expect(shown() == [])
        await parley.close()
        await others.close()
    }

    private func fileTypingSearch(
        _ parley: Parley, _ chat: Conversation, _ theirs: Conversation, _ message: Message
    ) async throws {
        let folder = try AppFolder()
        let url = folder.url.appendingPathComponent("table.txt")
        try Data("a table for four".utf8).write(to: url)
        // snippet
        let picture = try await chat.send(file: FileToSend(url))
        let sent = chat.message(picture.id)?.progress ?? 1
        show("\(Int(sent * 100)) % of \(picture.attachment?.name ?? "")")
        // end
        #expect(shown().first?.hasSuffix("% of table.txt") == true)
        try await until("the file arrives") { theirs.messages.last?.attachment?.name == "table.txt" }
        try await theirs.markRead()
        theirs.composing()
        try await until("Bob has read all, and writes") {
            chat.messages.last?.status == .read && !chat.typing.isEmpty
        }
        let message = try #require(chat.message(message.id))
        // snippet
        chat.composing()
        let typing = chat.members.filter { chat.typing.contains($0.id) }
        let readers = chat.members.filter { chat.receipts[$0.id]?.readUpTo ?? 0 >= message.seq ?? .max }
        // end
        #expect(typing.map(\.user.displayName) == ["Bob"])
        #expect(readers.map(\.user.displayName).contains("Bob"))
        try await until("Bob sees Alice type") { theirs.typing == [parley.user].compactMap(\.self) }
        // snippet
        let search = parley.search("dinner")
        for found in search.found { show("found: \(found.message.text)") }
        // end
        try await until("the search ends") { !search.isSearching }
        #expect(search.found.map(\.message.text) == ["Dinner on Friday?"])
        _ = shown()
    }
}

@MainActor
@Suite("ParleyKit, as its other articles say", .timeLimit(.minutes(3)))
struct KitArticleTests {
    private let screen = Screen()
    private func show(_ line: String) { screen.lines.append(line) }
    private func shown() -> [String] { screen.taken() }

    @Test("S6 S7 \"Offline and the outbox\" does what it says: what is done offline is sent later")
    func offline() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: "kit" + random, password: Device.password)
        let ada = try await cluster.person("ada")
        let chat = try await parley.startConversation(with: try await parley.findUser(ada.username))
        try await until("the conversation is there") { parley.unsent.isEmpty }

        // snippet
        await parley.suspend()
        let message = try await chat.send("From the tunnel")
        #expect(chat.messages.last?.text == "From the tunnel")
        #expect(message.syncStatus == .pending)
        parley.resume()
        // end
        try await until("it is sent") { chat.message(message.id)?.syncStatus == .synced }
        // snippet
        await parley.networkChanged()
        // end
        try await until("it is back") { parley.connection == .online && !parley.isFromCache }
        // snippet
        if parley.isFromCache { show("Updating …") }
        if let problem = parley.storageProblem { show(problem.message) }
        if parley.isOutboxNearlyFull { show("Much waits to be sent. Look for a connection.") }
        // end
        #expect(shown() == [])
        let seen = try await ada.client.history(of: chat.id.rawValue).messages.map(\.text)
        #expect(seen == ["From the tunnel"])
        await parley.close()
    }

    // snippet
    func render(_ chat: Conversation) {
        let texts = withObservationTracking {
            chat.messages.map(\.text)
        } onChange: {
            Task { @MainActor in render(chat) }
        }
        show(texts.joined(separator: ", "))
    }
    // end

    @Test("S9 \"Coming from Firebase\" does what it says")
    func firebase() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: "kit" + random, password: Device.password)
        let me = try #require(parley.user)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        _ = try await ada.client.send("1", to: id.rawValue)
        try await until("it is in the inbox") { parley.inbox.conversations.first?.lastMessage?.text == "1" }

        let chat = parley.conversation(id)
        render(chat)
        _ = try await ada.client.send("2", to: id.rawValue)
        try await until("it is rendered") { screen.lines.last == "1, 2" }
        _ = shown()
        // snippet
        await chat.load()
        let texts = chat.messages.map(\.text)
        // end
        #expect(texts == ["1", "2"])
        // snippet
        let message = try await chat.send("Hello")
        // end
        // snippet
        if message.syncStatus == .pending { show("…") }
        if chat.isFromCache { show("Updating …") }
        // end
        // snippet
        try await chat.edit(message, to: "Hello!")
        try await chat.delete(message)
        // end
        try await until("it is all sent") { parley.unsent.isEmpty }
        // snippet
        for unsent in parley.unsent {
            if case .failed(let refusal) = unsent.syncStatus, refusal.code == .notMember {
                show("You are no longer in this group.")
            }
        }
        // end
        // snippet
        if parley.accountState == .signedOut { show("Sign in") }
        if case .ended(let why) = parley.accountState { show("Sign in again: \(why.message)") }
        // end
        #expect(!shown().contains("Sign in"))
        // snippet
        do throws(Refusal) {
            let url = try await parley.file(of: message)
            show("The file is at \(url.path)")
        } catch {
            show(error.code == .attachmentNotFound ? "This message has no file." : error.message)
        }
        // end
        #expect(shown().last == "This message has no file.")
        await parley.close()
    }
}
