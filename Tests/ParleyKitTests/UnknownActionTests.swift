import Foundation
import GRDB
import ParleyClient
import Testing

@testable import ParleyKit

/// What a newer version of the app did and left unsent.
@MainActor
@Suite("Actions that this version does not know", .timeLimit(.minutes(4)))
struct UnknownActionTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = Account.path(of: me.id, in: folder.url)
    }

    private func shows(file: String = #fileID, line: Int = #line, _ isSo: () -> Bool) async throws {
        try await eventually("what \(file):\(line) waits for") { isSo() }
    }

    private func open(isOnline: Bool = true) async throws -> ParleyDouble {
        await ParleyDouble(as: me, account: .holding(try SQLiteStore(path: path), of: me.id), isOnline: isOnline)
    }

    private func change(_ sql: String, _ arguments: StatementArguments = []) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    /// Puts an action of a newer version into the file, with all that a row can hold.
    private func putUnknown(_ id: Data, lane: String) async throws {
        try await change(
            """
            INSERT INTO unsent (id, lane, method, body, target, guess, done_at, was_tried, file)
            VALUES (?, ?, 'messaging.SendPoll', x'0a0141', x'05', x'ff', 5, 1, 'kept')
            """, [id, lane])
    }

    private func rows(_ columns: String = "*") async throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT \(columns) FROM unsent ORDER BY id").map { Array($0.databaseValues) }
        }
    }

    @Test("S7 it stays at its place, and holds up nothing that comes before or after it", arguments: 0...3)
    func blocksNothing(place: Int) async throws {
        let double = try await open(isOnline: false)
        let chat = await double.addConversation(with: ada)
        let other = await double.addGroup("Crew", members: [ada])
        var ids: [UUIDv7] = [double.parley.outbox.nextID()]
        for text in ["1", "2", "3"] {
            try await chat.send(text)
            ids.append(double.parley.outbox.nextID())
            try await other.send(text)
        }
        await double.parley.account?.store.close()
        try await putUnknown(Data(ids[place].bytes), lane: chat.id.rawValue)

        let again = try await open()
        let parley = again.parley
        try await shows { parley.unsent.count == 1 }
        #expect(parley.unsent.map(\.kind) == [.ofNewerVersion])
        #expect(parley.unsent.map(\.syncStatus) == [.pending])
        #expect(parley.storageProblem == nil)
        let same = parley.conversation(chat.id)
        await same.load()
        #expect(same.messages.map(\.text) == ["1", "2", "3"] && same.messages.allSatisfy { $0.syncStatus == .synced })
        #expect(parley.conversations.audit().isEmpty)
        try await parley.drop(parley.unsent[0].id)
        #expect(parley.unsent.isEmpty)
        #expect(try await rows().isEmpty)
    }

    @Test("S7 what is about something that only it creates waits with it, and is dropped with it")
    func dependents() async throws {
        let double = try await open(isOnline: false)
        let (poll, list) = (double.parley.outbox.nextID(), double.parley.outbox.nextID())
        let chat = await double.addConversation(with: ada)
        let vote = Parley_V1_UpdateReactionRequest.with { ($0.conversation, $0.emoji) = (chat.id.rawValue, "👍") }
        try await double.parley.outbox.add(double.parley.outbox.item(vote, about: MessageID(poll)))
        try await double.parley.outbox.add(
            double.parley.outbox.item(Parley_V1_DeleteReminderRequest.with { $0.id = Data(list.bytes) }))
        await double.parley.account?.store.close()
        try await putUnknown(Data(poll.bytes), lane: chat.id.rawValue)
        try await putUnknown(Data(list.bytes), lane: list.description)

        let again = try await open(isOnline: false)
        var sent: [String] = []
        again.parley.outbox.transport = { item in
            sent.append(item.method)
            return ActionAnswer(confirmation: .now)
        }
        again.set(.online)
        let last = try await again.parley.addReminder("tea", dueAt: .now)
        try await shows { again.parley.unsent.count == 4 }
        #expect(sent == ["entities.CreateReminder"])
        #expect(again.parley.reminders.map(\.id) == [] || again.parley.reminders.map(\.id) == [last.id])
        for unsent in again.parley.unsent where unsent.kind == .ofNewerVersion {
            try await again.parley.drop(unsent.id)
        }
        #expect(again.parley.unsent.isEmpty)
    }

    @Test("S7 after another update it is sent as it was stored, with the number of a message that was sent meanwhile")
    func updatedAgain() async throws {
        let double = try await open(isOnline: false)
        let chat = await double.addConversation(with: ada)
        let message = try await chat.send("Helo")
        try await chat.edit(message, to: "Hello")
        await double.parley.account?.store.close()
        // An edit with a field of tomorrow, as a version that does not know edits finds it.
        try await change("UPDATE unsent SET method = 'x.Edit', body = body || x'f87f05' WHERE target <> x''")

        let older = try await open()
        try await shows { older.parley.unsent.map(\.kind) == [.ofNewerVersion] }
        await older.parley.account?.store.close()
        try await change("UPDATE unsent SET method = ? WHERE method = 'x.Edit'", [MessagingMethods.editMessage.name])

        let newer = try await open(isOnline: false)
        var sent: [UnsentItem] = []
        newer.parley.outbox.transport = { item in
            sent.append(item)
            return ActionAnswer(confirmation: .now)
        }
        newer.set(.online)
        try await shows { newer.parley.unsent.isEmpty }
        let edit = try #require(sent.first?.action as? Parley_V1_EditMessageRequest)
        #expect(sent.count == 1 && (edit.text, edit.seq) == ("Hello", 1))
        #expect(sent[0].body == (try edit.serializedData()) && edit.unknownFields.data == Data([0xf8, 0x7f, 5]))
    }

    @Test("S7 a known action whose bytes cannot be read is kept like an unknown one, and the file counts as whole")
    func unreadable() async throws {
        let double = try await open(isOnline: false)
        let chat = await double.addConversation(with: ada)
        try await chat.send("1")
        try await chat.send("2")
        await double.parley.account?.store.close()
        try await change("UPDATE unsent SET body = x'ffff' WHERE id = (SELECT min(id) FROM unsent)")
        let again = try await open()
        try await shows { again.parley.unsent.map(\.kind) == [.ofNewerVersion] }
        await again.parley.account?.store.close()
        #expect(try SQLiteStore.open(path).damaged == nil)
        #expect(try await rows("body") == [[Data([0xff, 0xff]).databaseValue]])
    }

    @Test("S7 a damaged file is left with every unsent action, whatever it is")
    func salvaged() async throws {
        let double = try await open(isOnline: false)
        let chat = await double.addConversation(with: ada)
        var ids: [UUIDv7] = []
        for text in ["1", "2", "3"] {
            ids.append(double.parley.outbox.nextID())
            try await chat.send(text)
        }
        await double.parley.account?.store.close()
        for id in ids { try await putUnknown(Data(id.bytes), lane: chat.id.rawValue) }
        let before = try await rows()
        _ = FileManager.default.createFile(atPath: path + "-damaged", contents: nil)
        let opened = try SQLiteStore.open(path)
        #expect(opened.isWhole && opened.damaged != nil)
        let areKnown = try await opened.store.read { try $0.unsent().map(\.isKnown) }
        #expect(areKnown == [false, true, false, true, false, true])
        await opened.store.close()
        #expect(try await rows() == before && before.count == 6)
    }
}
