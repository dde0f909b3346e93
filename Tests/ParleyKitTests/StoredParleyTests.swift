import Foundation
import GRDB
import ParleyClient
import Testing

@testable import ParleyKit

/// What widgets and extensions read of the app's file.
@MainActor
@Suite("What is stored, read from outside", .timeLimit(.minutes(4)))
struct StoredParleyTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    private func options(_ folder: Folder, signedIn: Bool = true) async throws -> Parley.Options {
        var options = Parley.Options(folder: folder.url)
        let credentials = CredentialMemory()
        if signedIn {
            try await credentials.save(
                Credentials(
                    user: me.id.rawValue, device: "d", accessToken: "a", accessEndsUs: 0, refreshToken: "r",
                    refreshEndsUs: 0))
        }
        options.credentials = credentials
        return options
    }

    @Test("S9 lists, messages, reminders and events are read beside the running app, which is not disturbed")
    func beside() async throws {
        let folder = try Folder()
        let options = try await options(folder)
        #expect(try await StoredParley.open(options) == nil, "nothing is stored")
        let path = Account.path(of: me.id, in: folder.url)
        let double = await ParleyDouble(as: me, account: .holding(try SQLiteStore(path: path), of: me.id))
        let chat = await double.addConversation(with: ada)
        let group = await double.addGroup("Crew", members: [ada])
        await double.receive("Hi", from: ada.id, in: chat.id)
        await double.receive("Hello", from: ada.id, in: group.id)
        await double.addEvent("Dinner", on: "2027-01-01", at: "19:00", by: ada.id)
        try await double.parley.addReminder("tea", dueAt: .now + 3600)
        try await eventually("all is stored") { double.parley.unsent.isEmpty }
        await double.parley.account?.committer?.flush()

        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        if let stored = try await StoredParley.open(options) {
            let chats = try await stored.inbox(limit: 3)
            show("\(chats.count) chats of \(stored.user)")
        }
        // end
        #expect(shown == ["2 chats of me"])
        let stored = try #require(try await StoredParley.open(options))
        shown = []
        // snippet
        for chat in try await stored.inbox() { show("\(chat.title): \(chat.lastMessage?.text ?? "")") }
        // end
        #expect(shown == ["Crew: Hello", "Ada: Hi"])
        #expect(try await stored.messages(in: chat.id).map(\.text) == ["Hi"])
        #expect(try await stored.conversation(chat.id)?.unread.messages == 1)
        #expect(try await stored.conversation(ConversationID(rawValue: "x")) == nil)
        #expect(try await stored.reminders().map(\.title) == ["tea"])
        #expect(try await stored.events().map(\.title) == ["Dinner"])

        // The app goes on, and what it writes is read.
        await double.receive("Still there?", from: ada.id, in: chat.id)
        await double.parley.account?.committer?.flush()
        #expect(try await stored.messages(in: chat.id).map(\.text) == ["Hi", "Still there?"])
    }

    @Test("S9 nobody signed in, an older file and a damaged one have an answer each")
    func without() async throws {
        let folder = try Folder()
        #expect(try await StoredParley.open(try await options(folder, signedIn: false)) == nil)
        var inMemory = try await options(folder)
        inMemory.storage = .memory
        #expect(try await StoredParley.open(inMemory) == nil)

        let options = try await options(folder)
        let path = Account.path(of: me.id, in: folder.url)
        do {
            let queue = try DatabaseQueue(path: path)
            var old = DatabaseMigrator()
            old.registerMigration("1") { try $0.execute(sql: "CREATE TABLE one (a)") }
            try old.migrate(queue)
            try queue.close()
        }
        let older = await refusal { () async throws(Refusal) in _ = try await StoredParley.open(options) }
        #expect(older?.code == .storageFailed && older?.message.contains("Open it once") == true)
        try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: path))
        let damaged = await refusal { () async throws(Refusal) in _ = try await StoredParley.open(options) }
        #expect(damaged?.code == .storageFailed)
    }

    private func refusal(_ body: () async throws(Refusal) -> Void) async -> Refusal? {
        do throws(Refusal) {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}
