import Foundation
import GRDB
import Observation
import ParleyClient
import Testing

@testable import ParleyKit

/// What I do, from the moment at which it is shown.
@MainActor
@Suite("The outbox", .timeLimit(.minutes(4)))
struct OutboxTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    /// Waits until what an app shows is so.
    private func shows(file: String = #fileID, line: Int = #line, _ isSo: () -> Bool) async throws {
        try await eventually("what \(file):\(line) waits for") { isSo() }
    }

    /// Notes every state that an observer sees.
    @MainActor
    private final class Seen<Value: Equatable & Sendable> {
        private(set) var states: [Value] = []
        private let read: @MainActor () -> Value

        init(_ read: @escaping @MainActor () -> Value) {
            self.read = read
            look()
        }

        private func look() {
            let value = withObservationTracking(read) { [weak self] in
                Task { @MainActor in self?.look() }
            }
            if states.last != value { states.append(value) }
        }
    }

    @Test("S6 a message is shown in the same turn, pending; the server's answer takes its place without a flicker")
    func sending() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        let other = await double.addGroup("Crew", members: [ada])
        #expect(double.parley.inbox.conversations.first === other)
        let seen = Seen { chat.messages.map { "\($0.text) \($0.syncStatus) \($0.seq ?? 0)" } }
        let last = Seen { chat.lastMessage?.text }
        async let sent = chat.send("Hi")
        await Task.yield()
        try await shows { chat.messages.count == 1 }
        let message = try await sent
        #expect(message.text == "Hi")
        #expect(double.parley.inbox.conversations.first === chat)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages.map(\.id) == [message.id])
        #expect(chat.messages.map(\.syncStatus) == [.synced])
        await Task.yield()
        #expect(seen.states.first == [])
        #expect(Set(seen.states.dropFirst()).isSubset(of: [["Hi pending 0"], ["Hi synced 1"]]))
        #expect(seen.states.last == ["Hi synced 1"])
        #expect(last.states == [nil, "Hi"])
        #expect(double.parley.conversations.audit().isEmpty)
    }

    @Test("S6 an intent shows what it does before it first suspends")
    func sameTurn() async throws {
        let double = await ParleyDouble(as: me)
        double.set(.offline(since: .now))
        let chat = await double.addConversation(with: ada)
        let task = Task.immediate { try await chat.send("Hi") }
        // Nothing else has run on this actor meanwhile.
        #expect(chat.messages.map(\.text) == ["Hi"])
        #expect(double.parley.unsent.map(\.kind) == [.message("Hi")])
        _ = try await task.value
    }

    @Test("S6 edits, reactions and deletions are shown at once on what is not sent yet, and sent in order")
    func changes() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        let message = try await chat.send("Helo")
        try await chat.edit(message, to: "Hello")
        try await chat.react("👍", to: message)
        try await chat.star(message)
        let reply = try await chat.send("And you?", replyingTo: message)
        #expect(chat.messages.map(\.text) == ["Hello", "And you?"])
        #expect(chat.messages[0].reactions == [.init(emoji: "👍", count: 1, isMine: true)])
        #expect(chat.messages[0].isStarred)
        #expect(double.parley.unsent.count == 5)
        let seen = Seen { chat.messages.first.map { "\($0.text) \($0.reactions.count) \($0.isStarred)" } }
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        await Task.yield()
        #expect(seen.states == ["Hello 1 true"])
        #expect(chat.messages.map(\.seq) == [1, 2])
        #expect(chat.messages[1].id == reply.id && chat.messages[1].replyTo == 1)
        #expect(chat.messages.allSatisfy { $0.syncStatus == .synced })
        #expect(double.parley.conversations.audit().isEmpty)

        // A value from before it was sent names the same message.
        try await chat.edit(message, to: "Hello?")
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages[0].text == "Hello?" && chat.messages[0].syncStatus == .synced)

        let confirmed = chat.messages[0]
        double.set(.offline(since: .now))
        try await chat.edit(confirmed, to: "Hello!")
        #expect(chat.messages[0].syncStatus == .pending && chat.messages[0].status == .sent)
        // What another device does meanwhile stays below what I did.
        await double.edit(confirmed, to: "Hullo")
        #expect(chat.messages[0].text == "Hello!")
        try await chat.removeReaction("👍", from: confirmed)
        #expect(chat.messages[0].reactions.isEmpty)
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages[0].text == "Hello!" && chat.messages[0].reactions.isEmpty)
        #expect(chat.messages[0].syncStatus == .synced)
        double.set(.offline(since: .now))
        let unsent = try await chat.send("never")
        try await chat.edit(unsent, to: "at all")
        try await chat.delete(unsent)
        #expect(double.parley.unsent.isEmpty && chat.messages.count == 2)
        try await chat.delete(chat.messages[0])
        #expect(chat.messages[0].isDeleted && chat.messages[0].text.isEmpty)
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages[0].isDeleted && chat.messages[0].syncStatus == .synced)
    }

    @Test("S6 a message that changes while a page is read and I do something with it is synced once that is done")
    func doneWhileReading() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        await double.receive("Hello", from: ada.id, in: chat.id)
        let message = try #require(chat.messages.first)
        double.parley.outbox.transport = { _ in ActionAnswer(confirmation: .now) }
        double.set(.offline(since: .now))
        try await chat.star(message)
        #expect(chat.messages[0].syncStatus == .pending)
        let conversations = double.parley.conversations
        conversations.beginReading(chat.id)
        var starred = message
        starred.isStarred = true
        conversations.upsert(starred)
        conversations.endReading(chat.id)
        #expect(chat.messages[0].syncStatus == .pending)
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages[0].syncStatus == .synced)
    }

    @Test("S6 what I wrote in answer to a message that I delete before it is sent stays, and answers nothing")
    func answersOfDeleted() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        let first = try await chat.send("first")
        try await chat.edit(first, to: "first, edited")
        let answer = try await chat.send("an answer", replyingTo: first)
        try await chat.react("👍", to: answer)
        try await chat.delete(first)
        #expect(chat.messages.map(\.text) == ["an answer"])
        #expect(double.parley.unsent.map(\.kind) == [.message("an answer"), .reaction("👍")])
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages.map(\.seq) == [1])
        #expect(chat.messages[0].replyTo == nil && chat.messages[0].reactions.count == 1)
        #expect(double.parley.conversations.audit().isEmpty)
    }

    @Test("S7 an answer to a message that is refused is sent without it")
    func answersOfRefused() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        let first = try await chat.send("first")
        let answer = try await chat.send("an answer", replyingTo: first)
        double.refusal = Refusal(.tooLarge, "It is too large.", field: "text")
        double.set(.online)
        try await shows { chat.message(answer.id)?.seq != nil && double.parley.unsent.count == 1 }
        #expect(chat.message(answer.id)?.replyTo == nil)
        #expect(double.parley.unsent.map(\.kind) == [.message("first")])
    }

    @Test("S6 deleting a message that the server may have already also deletes it there")
    func deletingWhatWasTried() async throws {
        @MainActor
        final class Server {
            var methods: [String] = []
            var losesReplies = true
        }
        let server = Server()
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.parley.outbox.transport = { item throws(ParleyError) in
            server.methods.append(item.method)
            // The server takes it, and the reply is lost.
            if server.losesReplies { throw ParleyError(.connectionLost, "The connection was lost.") }
            return ActionAnswer(confirmation: .now, seq: item.sends == nil ? nil : 1)
        }
        let message = try await chat.send("Hi")
        try await shows { !server.methods.isEmpty && double.parley.outbox.tasks.isEmpty }
        double.set(.offline(since: .now))
        try await chat.delete(message)
        #expect(double.parley.unsent.map(\.kind) == [.message("Hi"), .deletion])
        #expect(chat.messages[0].isDeleted)
        (server.losesReplies, server.methods) = (false, [])
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(server.methods == [MessagingMethods.sendMessage.name, MessagingMethods.deleteMessage.name])
    }

    @Test("S7 what is refused says why; what depends on it waits, the rest goes on; it is tried again or dropped")
    func refused() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        let first = try await chat.send("first")
        try await chat.edit(first, to: "first, edited")
        let second = try await chat.send("second")
        double.refusal = Refusal(.tooLarge, "It is too large.", field: "text")
        double.set(.online)
        try await shows { chat.message(second.id)?.seq != nil && double.parley.unsent.count == 2 }
        #expect(chat.message(first.id)?.syncStatus == .failed(Refusal(.tooLarge, "It is too large.", field: "text")))
        #expect(chat.messages.map(\.text) == ["second", "first, edited"])
        #expect(double.parley.unsent.map(\.kind) == [.message("first"), .edit("first, edited")])
        try await double.parley.retry(double.parley.unsent[0].id)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages.map(\.text) == ["second", "first, edited"])
        #expect(chat.messages.map(\.seq) == [1, 2])

        double.refusal = Refusal(.notAuthor, "No.")
        try await chat.edit(chat.messages[0], to: "mine")
        try await shows { chat.messages[0].syncStatus == .failed(Refusal(.notAuthor, "No.")) }
        // What the server has is shown, and what I wanted is kept.
        #expect(chat.messages[0].text == "second")
        #expect(double.parley.unsent.map(\.kind) == [.edit("mine")])
        try await double.parley.drop(double.parley.unsent[0].id)
        #expect(chat.messages[0].syncStatus == .synced)
        #expect(double.parley.unsent.isEmpty)
    }

    @Test("M7 S6 what is read, marked as unread and read again offline is read")
    func readAgain() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        await double.receive("1", from: ada.id, in: chat.id)
        double.set(.offline(since: .now))
        try await chat.markRead()
        try await chat.markUnread()
        #expect(chat.unread.isMarked)
        try await chat.markRead()
        #expect(chat.unread == .init())
        double.set(.online)
        try await eventually("all is sent") { double.parley.unsent.isEmpty }
        #expect(chat.unread == .init())
    }

    @Test("S4 S6 what was done to a message does not bring it back, once another device of mine cleared it")
    func cleared() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        try await chat.send("mine")
        try await shows { chat.messages[0].syncStatus == .synced }
        double.set(.offline(since: .now))
        try await chat.edit(chat.messages[0], to: "mine, edited")
        await double.changeState(chat.id.rawValue) { $0.clearedSeq = 1 }
        await double.commit([.clear(conversation: chat.id.rawValue, upTo: 1)])
        #expect(chat.messages.isEmpty)
        double.refusal = Refusal(.messageNotFound, "It is gone.")
        double.set(.online)
        try await shows { if case .failed = double.parley.unsent.first?.syncStatus { true } else { false } }
        #expect(chat.messages.isEmpty)
        try await double.parley.drop(double.parley.unsent[0].id)
        #expect(chat.messages.isEmpty)
    }

    @Test("S6 pins, marks, a profile, a reminder and a new group are shown at once and confirmed later")
    func others() async throws {
        let double = await ParleyDouble(as: me)
        let parley = double.parley
        let (one, two) = (await double.addConversation(with: ada), await double.addGroup("Crew", members: [ada]))
        await double.receive("1", from: ada.id, in: two.id)
        await double.receive("2", from: ada.id, in: one.id)
        #expect(parley.inbox.conversations.map(\.id) == [one.id, two.id])
        double.set(.offline(since: .now))
        try await two.pin()
        #expect(parley.inbox.conversations.map(\.id) == [two.id, one.id])
        #expect(two.syncStatus == .pending && one.syncStatus == .synced)
        try await one.markRead()
        #expect(one.unread == .init() && one.readUpTo == 1)
        await double.receive("3", from: ada.id, in: one.id)
        #expect(one.unread == .init(messages: 1))
        try await two.mute()
        #expect(two.mutedUntil == .distantFuture)
        await parley.archived.loadMore()
        try await two.archive()
        #expect(parley.inbox.conversations.map(\.id) == [one.id])
        #expect(parley.archived.conversations.map(\.id) == [two.id])
        try await two.archive(false)
        #expect(parley.archived.conversations.isEmpty)
        #expect(parley.inbox.conversations.map(\.id) == [two.id, one.id])
        try await parley.updateProfile(displayName: "I")
        #expect(parley.profile?.user.displayName == "I" && parley.profile?.syncStatus == .pending)
        try await parley.addReminder("tea", dueAt: Date(timeIntervalSince1970: 4_000_000_000))
        #expect(parley.reminders.map(\.syncStatus) == [.pending])
        let group = try await parley.createGroup("New", with: [ada])
        #expect(parley.inbox.conversations.map(\.id) == [two.id, group.id, one.id])
        #expect((group.name, group.memberCount, group.syncStatus) == ("New", 2, .pending))
        try await group.send("Welcome")
        let inbox = Seen { parley.inbox.conversations.map(\.id) }
        let messages = Seen { group.messages.map(\.text) }
        let reminders = Seen { parley.reminders.map(\.title) }
        let name = Seen { parley.profile?.user.displayName }
        double.set(.online)
        try await shows { parley.unsent.isEmpty }
        await Task.yield()
        #expect(messages.states == [["Welcome"]] && reminders.states == [["tea"]] && name.states == ["I"])
        #expect(inbox.states == [[two.id, group.id, one.id]])
        #expect(group.syncStatus == .synced && group.messages.map(\.seq) == [1])
        #expect(parley.reminders.map(\.syncStatus) == [.synced] && parley.profile?.syncStatus == .synced)
        #expect(two.isPinned && two.mutedUntil == .distantFuture && one.readUpTo == 1)
        #expect(two.syncStatus == .synced)
        #expect(parley.conversations.audit().isEmpty)
    }

    @Test("S6 what is about something new of another lane is sent after it", arguments: 0..<20)
    func acrossLanes(round: Int) async throws {
        let double = await ParleyDouble(as: me)
        double.addAccount(ada)
        double.set(.offline(since: .now))
        let parley = double.parley
        let group = try await parley.createGroup("Crew", with: [ada])
        let train = try await parley.addDecision("By train", in: group.id, isShared: true)
        let bus = try await parley.addDecision("By bus", in: group.id, isShared: true, replacing: train)
        try await parley.addDecision("On foot", in: group.id, isShared: true, replacing: bus)
        try await parley.addEvent("Walk", on: "2027-05-01", at: "09:00", inviting: [group.id])
        let link = OrderedLink(double.parley.outbox.link)
        double.parley.outbox.link = link
        double.set(.online)
        try await shows { parley.unsent.isEmpty }
        let order = link.answered.withLockedValue { $0 }
        #expect(order.first == "conversations.CreateGroup" && order.count == 5, "\(order)")
        #expect(
            order.filter { $0.hasPrefix("entities.CreateDecision") }
                == ["By train", "By bus", "On foot"].map { "entities.CreateDecision \($0)" })
    }

    @Test("S7 a full outbox refuses more, and says so before")
    func bounded() async throws {
        let double = await ParleyDouble(as: me, unsentMax: 10)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        for number in 1...8 { try await chat.send("\(number)") }
        #expect(!double.parley.isOutboxNearlyFull)
        try await chat.send("9")
        #expect(double.parley.isOutboxNearlyFull)
        try await chat.send("10")
        await #expect(throws: Refusal.outboxFull(10)) { try await chat.send("11") }
        #expect(chat.messages.map(\.text) == (1...10).map { "\($0)" })
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages.compactMap(\.seq) == Array(1...10))
        #expect(chat.messages.map(\.text) == (1...10).map { "\($0)" })
    }

    @Test("S7 what was done is there after a restart, in order; an id that is too old is renewed")
    func restart() async throws {
        let folder = try Folder()
        let path = Account.path(of: me.id, in: folder.url)
        let store = try SQLiteStore(path: path)
        let account = Account.holding(store, of: me.id)
        let double = await ParleyDouble(as: me, account: account)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        var sent: [Message] = []
        for number in 1...5 { sent.append(try await chat.send("\(number)")) }
        try await chat.react("👍", to: sent[1])
        // The files as a killed process leaves them, a month later.
        let copy = try Folder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: Account.path(of: me.id, in: copy.url) + suffix)
        }
        let later = Account.holding(try SQLiteStore(path: Account.path(of: me.id, in: copy.url)), of: me.id)
        let month: Int64 = 31 * 86_400_000_000
        later.clock.withLockedValue { $0.set($0.now() + month) }
        let again = await ParleyDouble(as: me, account: later, isOnline: false)
        let same = again.parley.conversation(chat.id)
        await same.load()
        #expect(same.messages.map(\.text) == ["1", "2", "3", "4", "5"])
        #expect(same.messages[1].reactions.count == 1)
        #expect(again.parley.unsent.count == 6)
        again.set(.online)
        try await shows { again.parley.unsent.isEmpty }
        #expect(same.messages.map(\.text) == ["1", "2", "3", "4", "5"])
        #expect(same.messages.compactMap(\.seq) == [1, 2, 3, 4, 5])
        #expect(same.messages[1].reactions.count == 1)
        #expect(Set(same.messages.map(\.id)).isDisjoint(with: sent.map(\.id)))
        #expect(again.parley.conversations.audit().isEmpty)
    }

    @Test("S5 a store that cannot be read says so, until it can")
    func unreadable() async throws {
        let folder = try Folder()
        let path = Account.path(of: me.id, in: folder.url)
        let double = await ParleyDouble(as: me, account: Account.holding(try SQLiteStore(path: path), of: me.id))
        let chat = await double.addConversation(with: ada)
        var patient = Configuration()
        patient.busyMode = .timeout(60)
        let other = try DatabaseQueue(path: path, configuration: patient)
        try await other.write { try $0.execute(sql: "ALTER TABLE draft RENAME TO gone") }
        await double.parley.loadPage(of: double.parley.inbox, after: nil)
        #expect(double.parley.storageProblem?.code == .storageFailed)
        #expect(double.parley.inbox.conversations.map(\.id) == [chat.id])
        chat.setDraft("Hel")
        try await other.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO draft") }
        double.parley.writeDrafts()
        await double.parley.draftWriter?.value
        await double.parley.loadPage(of: double.parley.inbox, after: nil)
        #expect(double.parley.storageProblem == nil && chat.draft == "Hel")
        #expect(double.parley.drafts.isEmpty)
    }

    @Test("S7 a device without room refuses an intent, shows nothing of it, and says so")
    func full() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: Account.path(of: me.id, in: folder.url))
        let double = await ParleyDouble(as: me, account: Account.holding(store, of: me.id))
        let chat = await double.addConversation(with: ada)
        try await store.setPagesMax(1)
        await #expect(throws: Refusal.self) { try await chat.send(String(repeating: "x", count: 10_000)) }
        #expect(chat.messages.isEmpty && double.parley.unsent.isEmpty)
        #expect(double.parley.storageProblem?.code == .storageFailed)
        try await store.setPagesMax(1_000_000)
        try await chat.send("Hi")
        #expect(double.parley.storageProblem == nil)
    }
}
