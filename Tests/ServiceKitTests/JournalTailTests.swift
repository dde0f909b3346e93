import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import ServiceKit

@Suite("Reading another service's journal from now on", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct JournalTailTests {
    private struct Other: JournalKind {
        static let two = Other(rawValue: 2)
        static let allCases = [two]

        var rawValue: Int32
    }

    private func note(_ kind: some JournalKind, _ object: AccountNumber, in scene: JournalScene) async throws {
        try await scene.journal.change { change in
            change.publish(PendingUpdate(note: kind, subject: 7, object: object, actor: 1))
        }
    }

    @Test("the first call knows nothing; each later one returns what was committed since, of the kinds it wants")
    func news() async throws {
        let scene = try await JournalScene("conversations", lanes: 2)
        try await note(Kind.one, 1, in: scene)
        let tail = JournalTail(source: "conversations", kinds: [Kind.one.number], database: scene.database)
        #expect(try await tail.news() == nil)
        #expect(try await tail.news() == [])
        for object in 2...5 { try await note(Kind.one, AccountNumber(Int64(object)), in: scene) }
        try await note(Other.two, 6, in: scene)
        #expect(try await tail.news()?.map(\.object).sorted() == [2, 3, 4, 5])
        #expect(try await tail.news() == [])
        tail.pause()
        #expect(try await tail.news() == nil, "it did not look")
        try await note(Kind.one, 8, in: scene)
        #expect(try await tail.news()?.map(\.object) == [8])
    }

    @Test("anything may have changed when entries are missing or numbers went back, as after a restore")
    func missing() async throws {
        let scene = try await JournalScene("conversations")
        let tail = JournalTail(source: "conversations", kinds: [Kind.one.number], database: scene.database)
        #expect(try await tail.news() == nil)
        try await note(Kind.one, 1, in: scene)
        try await scene.execute("DELETE FROM conversations.journal")
        #expect(try await tail.news() == nil, "an entry is gone")
        #expect(try await tail.news() == [])
        try await scene.execute("UPDATE conversations.lanes SET number = 0")
        #expect(try await tail.news() == nil, "an earlier number")
        #expect(try await tail.news() == [])
    }
}
