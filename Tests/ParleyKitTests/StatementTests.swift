import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import Testing

@testable import ParleyKit

/// What it costs to store what arrives: SQLite statements, as SQLite itself names them.
@Suite("What an app pays for a message", .timeLimit(.minutes(4)))
struct StatementTests {
    private let statements = NIOLockedValueBox<[String]>([])

    /// Carries out one transaction and returns its statements, without its beginning and end.
    private func trace(_ store: SQLiteStore, _ changes: [SyncChange]) async throws -> [String] {
        statements.withLockedValue { $0 = [] }
        _ = try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            for change in changes { try batch.apply(change) }
            return try batch.finish(at: 0)
        }
        let transaction = ["BEGIN", "COMMIT", "PRAGMA"]
        return statements.withLockedValue { $0 }.filter { text in !transaction.contains(where: text.hasPrefix) }
    }

    /// What a sync machine says of messages that arrive in a conversation.
    private func arrival(_ seqs: ClosedRange<Int64>) -> [SyncChange] {
        var record = ConversationRecord("one")
        record.unread.hold(from: 1, to: seqs.upperBound)
        record.newest.note(seqs.upperBound, sentAt: seqs.upperBound)
        var stream = StoredStream("messaging/c/one")
        (stream.position, stream.epoch) = (seqs.upperBound, "e")
        return seqs.map { seq in
            .message(
                .with {
                    ($0.conversation, $0.seq, $0.position, $0.sentAtUs) = ("one", seq, seq, seq)
                    ($0.sender, $0.kind, $0.text) = ("ada", .text, "message \(seq)")
                }, from: .update)
        } + [.stream(stream), .record(record)]
    }

    private func open(_ folder: Folder) async throws -> SQLiteStore {
        let statements = statements
        let store = try SQLiteStore(path: folder.file) { text in statements.withLockedValue { $0.append(text) } }
        let conversation = Parley_V1_Conversation.with { ($0.id, $0.section, $0.position) = ("one", .inbox, 1) }
        _ = try await trace(store, [.put(.conversation(conversation))] + arrival(1...100))
        return store
    }

    @Test("S8 a message that arrives costs five statements, and reads nothing back that was just written")
    func one() async throws {
        let folder = try Folder()
        let store = try await open(folder)
        let found = try await trace(store, arrival(101...101))
        #expect(found.count <= 5, "\(found)")
        #expect(found.filter { $0.hasPrefix("SELECT") }.count == 2, "\(found)")
        #expect(try await store.read { try $0.spans("one") } == [1...101])
        await store.close()
    }

    @Test("S8 each of many that arrive together costs two")
    func many() async throws {
        let folder = try Folder()
        let store = try await open(folder)
        let found = try await trace(store, arrival(101...120))
        #expect(found.count <= 3 + 2 * 20, "\(found)")
        await store.close()
    }
}
