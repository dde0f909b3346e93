import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ConversationsService
@testable import EntitiesService
@testable import MessagingService
@testable import ServiceKit

/// Returns the Updates that a service, made as its process would make it, replays for `entries`, in order of number.
@ReactorActor
private func replayed<S: ParleyService>(
    _ entries: [JournalEntry], by service: S.Type, over migrated: MigratedDatabase
) async throws -> [ReplayedUpdate] {
    let (states, database) = try await states(of: service, over: migrated)
    let updates = try await states.replay(entries)
    await database.close()
    return updates.sorted { $0.header?.number ?? 0 < $1.header?.number ?? 0 }
}

@Suite("Replay of journal entries", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ReplayTests {
    private func entry(
        _ number: Int64, kind: Int16 = 1, _ subject: Int64, _ object: Int64 = 0, position: Position = 0
    ) -> JournalEntry {
        JournalEntry(
            lane: 2, number: number, at: 1, kind: kind, subject: subject, object: object, position: position,
            audience: [AccountNumber(subject), 77])
    }

    private let group = "00000000000000000000000000000001"

    @Test("M3 a message is replayed in its current state, at its original position and to its original audience")
    func messages() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO messaging.heads VALUES (1, 2, 3)")
        try await scene.execute(
            """
            INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, changed_at, edited_at)
            VALUES (1, 1, '00000000-0000-7000-8000-000000000001', 1, 1, 'edited', 5, 3, 6, 6),
                (1, 2, '00000000-0000-7000-8000-000000000002', 2, 1, 'second', 6, 2, NULL, NULL)
            """)
        let updates = try await replayed(
            [
                entry(1, 1, 1, position: 1), entry(2, kind: 9, 1, 1), entry(3, kind: 2, 1, 2, position: 2),
                entry(4, 1, 3, position: 4),
            ], by: MessagingService.self, over: scene.database)
        #expect(updates.compactMap(\.header?.number) == [1, 3, 4], "nothing for a note")
        #expect(updates.compactMap(\.header?.position) == [1, 2, 4])
        #expect(updates.compactMap(\.header?.kind) == ["Message", "Message", "Superseded"])
        for header in updates.compactMap(\.header) {
            #expect(header.stream == "messaging/c/" + group && header.lane == 2 && header.audience == [1, 77])
            #expect(header.class == .durable && header.originSession.isEmpty && header.control == nil)
        }
        let first = try Message.decode(updates[0].body)
        #expect(first.text == "edited" && first.seq == 1 && first.sender == "u1" && first.conversation == group)
        #expect(first.position == 3, "the position of its last change")
        #expect(try Message.decode(updates[1].body).text == "second")
        #expect(updates[2].body.isEmpty)
    }

    @Test("M12 reactions are replayed without counts and changes, even after later changes of the message")
    func reactions() async throws {
        let scene = try await Scene()
        try await scene.execute(
            """
            INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position, changed_at)
            VALUES (1, 1, '00000000-0000-7000-8000-000000000001', 1, 1, 'liked', 5, 3, 6)
            """)
        let kind = MessagingKind.reactions.number
        let updates = try await replayed(
            [entry(1, kind: kind, 1, 1, position: 2), entry(2, kind: kind, 1, 1, position: 3)],
            by: MessagingService.self, over: scene.database)
        #expect(updates.compactMap(\.header?.kind) == ["Reactions", "Reactions"])
        for (update, position) in zip(updates, [Int64(2), 3]) {
            #expect(update.header?.position == position)
            #expect(try Reactions.decode(update.body) == Reactions(conversation: group, seq: 1, position: position))
        }
    }

    @Test("a conversation is replayed as its member sees it now, and only if its last change has this position")
    func conversations() async throws {
        let scene = try await Scene()
        try await scene.execute(
            "UPDATE conversations.members SET position = 30, left_at = 9, left_version = 5, may_read = false, "
                + "write_refusal = 3 WHERE conversation = 1 AND account = 3")
        try await scene.execute(
            "UPDATE conversations.members SET position = 31 WHERE conversation = 1 AND account = 2")
        let updates = try await replayed(
            [
                entry(1, 1, 1, position: 1), entry(2, 2, 1, position: 1), entry(3, 3, 1, position: 30),
                entry(4, kind: 3, 1, 3), entry(5, 2, 1, position: 31), entry(6, 19, 1, position: 1),
            ], by: ConversationsService.self, over: scene.database)
        #expect(updates.compactMap(\.header?.number) == [1, 2, 3, 5, 6])
        #expect(
            updates.compactMap(\.header?.kind)
                == ["Conversation", "Superseded", "Conversation", "Conversation", "Superseded"])
        #expect(updates.compactMap(\.header?.stream) == [1, 2, 3, 2, 19].map { "conversations/u/u\($0)" })
        #expect(updates.compactMap(\.header?.position) == [1, 1, 30, 31, 1])
        let mine = try Conversation.decode(updates[0].body)
        #expect(mine.id == group && mine.position == 1 && mine.leftAtUs == 0)
        #expect(mine.members.compactMap(\.user?.id) == ["u1", "u2"])
        let former = try Conversation.decode(updates[2].body)
        #expect(former.leftAtUs == 9 && former.members.isEmpty && former.position == 30)
    }

    @Test("A1 a revocation is replayed once, as all of the account's revocations that valid tokens may contradict")
    func revocations() async throws {
        let scene = try await Scene()
        let now = WallClock.system.now.rawValue
        try await scene.execute(
            """
            INSERT INTO conversations.devices (account, device_id, name, signed_in_at, last_used_at, revoked_at)
            VALUES (1, 'old', '', 1, 1, \(now - 7_200_000_000)), (1, 'gone', '', 1, 1, \(now - 1_000_000)),
                (1, 'there', '', 1, 1, NULL), (2, 'gone', '', 1, 1, \(now - 2_000_000)),
                (3, 'other', '', 1, 1, \(now))
            """)
        try await scene.execute(
            "UPDATE conversations.accounts SET tokens_void_before = \(now - 3_000_000) WHERE account = 2")
        let updates = try await replayed(
            [entry(1, kind: 2, 1), entry(2, kind: 2, 2), entry(3, kind: 2, 1)], by: ConversationsService.self,
            over: scene.database)
        #expect(updates.allSatisfy { $0.header?.stream == "control" && $0.body.isEmpty && $0.header?.lane == 2 })
        let revoked = updates.compactMap { update -> DeviceRevoked? in
            guard case .deviceRevoked(let revoked) = update.header?.control?.control else { return nil }
            return revoked
        }
        #expect(revoked.count == 3)
        #expect(updates.compactMap(\.header?.number) == [1, 2, 2])
        #expect(revoked.contains { $0.account == 1 && $0.device == "gone" && $0.atUs == now - 1_000_000 })
        #expect(revoked.contains { $0.account == 2 && $0.device == "gone" })
        #expect(revoked.contains { $0.account == 2 && $0.device == "" && $0.atUs == now - 3_000_000 })
    }

    @Test("M7 an inbox state is replayed only if its last change has this position")
    func inboxStates() async throws {
        let scene = try await Scene()
        try await scene.execute("INSERT INTO messaging.heads VALUES (1, 2, 2), (2, 1, 1)")
        try await scene.execute(
            """
            INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position)
            VALUES (1, 1, '00000000-0000-7000-8000-000000000001', 1, 1, 'one', 5, 1),
                (1, 2, '00000000-0000-7000-8000-000000000002', 1, 1, 'two', 6, 2)
            """)
        try await scene.execute(
            """
            INSERT INTO messaging.inbox (account, conversation, touched_at, position, read_seq, delivered_seq)
            VALUES (2, 1, 1, 4, 1, 2), (2, 2, 1, 3, 1, 1)
            """)
        let updates = try await replayed(
            [
                entry(1, kind: 3, 2, 1, position: 2), entry(2, kind: 3, 2, 2, position: 3),
                entry(3, kind: 3, 2, 1, position: 4), entry(4, kind: 3, 2, 19, position: 1),
            ], by: MessagingService.self, over: scene.database)
        #expect(updates.compactMap(\.header?.kind) == ["Superseded", "InboxState", "InboxState", "Superseded"])
        #expect(updates.compactMap(\.header?.position) == [2, 3, 4, 1])
        #expect(updates.allSatisfy { $0.header?.stream == "messaging/u/u2/0" && $0.header?.audience == [2, 77] })
        let state = try InboxState.decode(updates[2].body)
        #expect(state.conversation == group && state.ownPosition == 4 && state.readSeq == 1)
        #expect(state.unread == 1 && state.countedSeq == 2 && state.countedPosition == 2 && state.firstSeq == 1)
    }

    @Test("E3 a reminder is replayed in its current state, and only if its last change has this position")
    func reminders() async throws {
        let scene = try await Scene()
        try await scene.execute(
            """
            INSERT INTO entities.reminders
                (account, id, title, due_at, time_zone, conversation, created_at, completed_at, position)
            VALUES (1, '00000000-0000-7000-8000-000000000001', 'milk', 5, 'UTC', 1, 1, 9, 2),
                (2, '00000000-0000-7000-8000-000000000002', 'bread', 6, 'UTC', NULL, 1, NULL, 1)
            """)
        let updates = try await replayed(
            [
                entry(1, 1, position: 1), entry(2, 1, position: 2), entry(3, 2, position: 1),
            ], by: EntitiesService.self, over: scene.database)
        #expect(updates.compactMap(\.header?.kind) == ["Superseded", "Reminder", "Reminder"])
        #expect(updates.compactMap(\.header?.stream) == ["entities/u/u1", "entities/u/u1", "entities/u/u2"])
        let milk = try Reminder.decode(updates[1].body)
        #expect(milk.title == "milk" && milk.completed && milk.conversation == group && milk.position == 2)
        #expect(try Reminder.decode(updates[2].body).title == "bread")
    }
}
