import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import PresenceService
@testable import ServiceKit

private let open = "section = 1"
private let requester = "write_until_seq = 3"
private let recipient = "write_until_seq = 3, write_refusal = 1, section = 2"

/// Presence visibility, tested by the statements that presence runs.
@Suite("Who may see whose presence (C6, R6)", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct VisibilityTests {
    /// People 1 … 20 with no conversations but those the test adds.
    @ReactorActor
    private final class People {
        let scene: Scene
        let presence: Connection

        init() async throws {
            scene = try await Scene()
            try await scene.execute("DELETE FROM conversations.members")
            presence = try await Connection.open(
                scene.database.configuration(of: "presence", settings: plannerSettings))
        }

        isolated deinit { presence.close() }

        /// Adds a member row; `columns` are those that differ from an accepted member's.
        func join(_ account: AccountNumber, _ conversation: ConversationNumber, _ columns: String = "section = 1")
            async throws
        {
            try await scene.execute(
                "INSERT INTO conversations.members (conversation, account, joined_at, position) "
                    + "VALUES (\(conversation), \(account), 1, 1)")
            try await scene.execute(
                "UPDATE conversations.members SET \(columns) "
                    + "WHERE conversation = \(conversation) AND account = \(account)")
        }

        /// Creates the direct conversation of 1 and 2 with the given columns of each.
        func direct(_ mine: String, _ theirs: String) async throws {
            try await scene.execute(
                "INSERT INTO conversations.conversations (conversation, conversation_id, kind, created_by, created_at) "
                    + "VALUES (100, 'u1_u2', 1, 1, 1)")
            try await join(1, 100, mine)
            try await join(2, 100, theirs)
        }

        /// Returns "12" if 1 sees 2 and 2 sees 1, and "1" if only 1 sees 2. Checks that both statements agree.
        func seen() async throws -> String {
            var seen = ""
            for (me, other) in [(1, 2), (2, 1)] {
                let rows = try await presence.query(
                    PresenceStore.seen, .int64(Int64(me)), .texts(["u\(other)", "u19", "nobody"]))
                #expect(rows.map(\.account).sorted() == [AccountNumber(other), 19], "a row for each who exists")
                let visible = rows.filter(\.isVisible)
                #expect(visible.allSatisfy { $0.account == AccountNumber(other) })
                let watched = try await presence.query(
                    PresenceStore.seenByWatchers, .int64s([Int64(other), 19, 77]),
                    .int64s([Int64(me), Int64(me), Int64(me)]))
                let open = watched.filter(\.seen.isOpen)
                #expect(open.map(\.seen.account) == visible.filter { $0.blockedAt == nil }.map(\.account))
                #expect(watched.allSatisfy { $0.watcher == AccountNumber(me) })
                if !visible.isEmpty { seen += "\(me)" }
            }
            return seen
        }
    }

    @Test(
        "R6 in a direct conversation both see each other once it is accepted, and neither does before",
        arguments: [
            (open, open, "12"), (requester, recipient, ""), (recipient, requester, ""),
            (requester, "write_until_seq = 3, write_refusal = 1, section = 0", ""),
            (requester, "write_until_seq = 3, write_refusal = 3, section = 5, may_read = false", ""),
            ("write_refusal = 2", "write_refusal = 2", ""),
        ])
    func directs(mine: String, theirs: String, seen: String) async throws {
        let people = try await People()
        #expect(try await people.seen() == "", "no shared conversation")
        try await people.direct(mine, theirs)
        #expect(try await people.seen() == seen)
    }

    @Test("R6 members of a group see each other, but a requester does not see someone who has not accepted")
    func groups() async throws {
        let people = try await People()
        try await people.join(1, 1)
        try await people.join(2, 1)
        #expect(try await people.seen() == "12")
        try await people.direct(requester, recipient)
        #expect(try await people.seen() == "2", "1 has requested a conversation with 2")
        try await people.scene.execute(
            "UPDATE conversations.members SET write_until_seq = NULL, write_refusal = 0, section = 1")
        #expect(try await people.seen() == "12")
        try await people.scene.leave(2, 1, version: 2)
        #expect(try await people.seen() == "12", "by their direct conversation")
        try await people.scene.execute("DELETE FROM conversations.members WHERE conversation = 100")
        #expect(try await people.seen() == "", "2 left")
    }

    @Test("P1 people always see their own presence, with no conversation or many")
    func oneself() async throws {
        let people = try await People()
        for conversation in (1...2).map({ ConversationNumber($0) }) {
            let rows = try await people.presence.query(PresenceStore.seen, .int64(1), .texts(["u1"]))
            #expect(rows.map(\.account) == [1] && rows[0].blockedAt == nil)
            let watched = try await people.presence.query(PresenceStore.seenByWatchers, .int64s([1]), .int64s([1]))
            #expect(watched.map(\.watcher) == [1] && watched[0].seen.isOpen)
            try await people.join(1, conversation)
        }
    }

    @Test("C6 presence sees a block in either direction, and neither person gets the other's presence any more")
    func blocks() async throws {
        for (account, blocked) in [(1, 2), (2, 1)] {
            let people = try await People()
            try await people.direct("write_refusal = 2", "write_refusal = 2, section = 3")
            try await people.scene.execute("INSERT INTO conversations.blocks VALUES (\(account), \(blocked), 500)")
            #expect(try await people.seen() == "12", "seen as before the block")
            let rows = try await people.presence.query(PresenceStore.seen, .int64(1), .texts(["u2"]))
            #expect(rows.map(\.blockedAt) == [500])
            let watched = try await people.presence.query(
                PresenceStore.seenByWatchers, .int64s([1, 2]), .int64s([2, 1]))
            #expect(watched.count == 2 && !watched.contains { $0.seen.isOpen })
        }
    }

    @Test("C6 a block during a pending request reveals nothing new")
    func blockedRequest() async throws {
        let people = try await People()
        try await people.direct(
            "write_until_seq = 3, write_refusal = 2", "write_until_seq = 3, write_refusal = 2, section = 3")
        try await people.scene.execute("INSERT INTO conversations.blocks VALUES (2, 1, 500)")
        #expect(try await people.seen() == "")
    }

    @Test(
        "C6 a blocked person sees the other go offline at the block if they were online, and nothing later",
        arguments: [
            (true, nil, 50, 100), (false, 80, 50, 80), (false, 900, 50, 100), (false, nil, 50, 50),
            (false, nil, nil, 0),
        ] as [(Bool, Timestamp?, Timestamp?, Int64)])
    func frozen(isOnline: Bool, wentAt: Timestamp?, lastSeenAt: Timestamp?, expected: Int64) {
        let blocked = Seen(account: 2, user: "u2", lastSeenAt: lastSeenAt, blockedAt: 100)
        #expect(
            blocked.state(isOnline: isOnline, wentAt: wentAt, now: 1_000)
                == PresenceState(user: "u2", status: .offline, lastSeenUs: expected))
        let stranger = Seen(account: 2, user: "u2", isVisible: false, lastSeenAt: lastSeenAt, blockedAt: 100)
        #expect(
            stranger.state(isOnline: isOnline, wentAt: wentAt, now: 1_000)
                == PresenceState(user: "u2", status: .offline, lastSeenUs: 0), "nothing to a stranger")
        let free = Seen(account: 2, user: "u2", lastSeenAt: lastSeenAt)
        #expect(
            free.state(isOnline: isOnline, wentAt: wentAt, now: 1_000)
                == PresenceState(
                    user: "u2", status: isOnline ? .online : .offline,
                    lastSeenUs: isOnline ? 0 : (wentAt ?? lastSeenAt ?? 0).rawValue))
    }
}
