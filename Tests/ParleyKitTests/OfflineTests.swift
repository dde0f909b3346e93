import Foundation
import ParleyClient
import Testing

@testable import ParleyKit

/// What the README says of everything a person does: shown at once, stored, sent once and in order.
@MainActor
@Suite("What is done offline", .timeLimit(.minutes(4)))
struct OfflineTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    private func shows(file: String = #fileID, line: Int = #line, _ isSo: () -> Bool) async throws {
        try await eventually("what \(file):\(line) waits for") { isSo() }
    }

    private func suggest(_ titles: [String], on double: ParleyDouble) async {
        let changes = titles.enumerated().map { number, title in
            SyncChange.put(
                .suggestion(
                    .with {
                        ($0.id, $0.title) = (Data(repeating: UInt8(number + 1), count: 16), title)
                        ($0.kind, $0.state, $0.expiresAtUs) = (.decision, .open, .max)
                        $0.createdAtUs = Int64(number)
                    }))
        }
        await double.parley.account?.committer?.flush(changes.map(CommitItem.change))
        await double.parley.reloading?.value
    }

    @Test("S6 E8 suggestions are accepted and dismissed offline: gone at once, also after a restart, and sent later")
    func suggestions() async throws {
        let folder = try Folder()
        let path = Account.path(of: me.id, in: folder.url)
        let double = await ParleyDouble(as: me, account: .holding(try SQLiteStore(path: path), of: me.id))
        await suggest(["one", "two", "three"], on: double)
        #expect(double.parley.suggestions.map(\.title) == ["three", "two", "one"])
        double.set(.offline(since: .now))
        try await double.parley.accept(double.parley.suggestions[2], title: "1")
        try await double.parley.dismiss(double.parley.suggestions[1])
        #expect(double.parley.suggestions.map(\.title) == ["three"])
        await double.parley.account?.store.close()

        let again = await ParleyDouble(
            as: me, account: .holding(try SQLiteStore(path: path), of: me.id), isOnline: false)
        try await shows { again.parley.suggestions.map(\.title) == ["three"] }
        #expect(again.parley.unsent.map(\.syncStatus) == [.pending, .pending])
        again.set(.online)
        try await shows { again.parley.unsent.isEmpty }
        #expect(again.parley.suggestions.map(\.title) == ["three"])
    }

    @Test("S6 M10 edits stay in order over restarts, also when the clock was ahead: the last one is what stays")
    func edits() async throws {
        let folder = try Folder()
        let path = Account.path(of: me.id, in: folder.url)
        var double = await ParleyDouble(as: me, account: .holding(try SQLiteStore(path: path), of: me.id))
        let day: Int64 = 86_400_000_000
        double.parley.account?.clock.withLockedValue { $0.set($0.now() + 3 * day) }
        let id = await double.addConversation(with: ada).id
        try await double.parley.conversation(id).send("0")
        try await shows { double.parley.unsent.isEmpty }
        var texts: [String] = []
        // Half of these would be out of order if each start made ids of its own.
        for start in 1...16 {
            double.set(.offline(since: .now))
            let chat = double.parley.conversation(id)
            try await shows { !chat.messages.isEmpty }
            for number in 1...2 {
                texts.append("\(start) \(number)")
                try await chat.edit(chat.messages[0], to: texts[texts.count - 1])
            }
            await double.parley.account?.store.close()
            double = await ParleyDouble(
                as: me, account: .holding(try SQLiteStore(path: path), of: me.id), isOnline: false)
        }
        let edits = double.parley.unsent.compactMap { if case .edit(let text) = $0.kind { text } else { nil } }
        #expect(edits == texts)
    }

    @Test("S7 E8 an acceptance that is refused says why, and the suggestion is back; a dismissal just ends")
    func refused() async throws {
        let double = await ParleyDouble(as: me)
        await suggest(["one", "two"], on: double)
        let no = Refusal(.tooManyDecisions, "Delete some.")
        double.refusal = no
        try await double.parley.accept(double.parley.suggestions[0])
        try await shows { double.parley.unsent.map(\.syncStatus) == [.failed(no)] }
        #expect(double.parley.suggestions.map(\.title) == ["two", "one"])
        #expect(double.parley.suggestions.map(\.syncStatus) == [.failed(no), .synced])
        try await double.parley.drop(double.parley.unsent[0].id)
        #expect(double.parley.suggestions.map(\.syncStatus) == [.synced, .synced])
        double.refusal = Refusal(.notFound, "It has ended.")
        try await double.parley.dismiss(double.parley.suggestions[0])
        try await shows { double.parley.unsent.isEmpty }
    }

    @Test("S6 M18 how long messages stay is shown at once, kept, and sent later; a refusal says why")
    func retention() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        try await chat.setRetention(.seconds(3600))
        #expect(chat.retention == .seconds(3600) && chat.syncStatus == .pending)
        double.set(.online)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.retention == .seconds(3600) && chat.syncStatus == .synced)
        let no = Refusal(.invalid, "Choose a minute or more.", field: "seconds")
        double.refusal = no
        try await chat.setRetention(.seconds(1))
        try await shows { chat.syncStatus == .failed(no) }
        #expect(chat.retention == .seconds(3600))
    }

    @Test("S6 E4 an answer to an event says in which conversation it is given")
    func answer() async throws {
        let double = await ParleyDouble(as: me)
        var sent: [Parley_V1_AnswerEventRequest] = []
        double.parley.outbox.transport = { item in
            sent += [item.action as? Parley_V1_AnswerEventRequest].compactMap(\.self)
            return ActionAnswer(confirmation: .now)
        }
        let event = EventID(Data(repeating: 1, count: 16))
        try await double.parley.answer(event, .accepted, guests: 2, in: ConversationID(rawValue: "crew"))
        try await double.parley.answer(event, .declined)
        try await shows { double.parley.unsent.isEmpty }
        #expect(sent.map(\.conversation) == ["crew", ""] && sent.map(\.guests) == [2, 0])
    }
}
