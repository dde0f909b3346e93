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

        func texts(_ sql: String) async throws -> [String] {
            try await scene.superuser.query(Statement(sql) { row in try row.text(0) })
        }

        func hide(_ account: Int64, since: Int64, fromAccepted: Int64? = nil) async throws {
            try await scene.execute(
                """
                INSERT INTO presence.people
                VALUES (\(account), 1, '', 0, \(since), \(fromAccepted.map { "\($0)" } ?? "NULL"), 1, 1)
                """)
        }

        /// Returns since when a person is closed to another.
        func closed(_ account: Int64, to other: Int64) async throws -> Timestamp? {
            try await presence.query(PresenceStore.seen, .int64(other), .texts(["u\(account)"])).first?.closedAt
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
                #expect(open.map(\.seen.account) == visible.filter { $0.closedAt == nil }.map(\.account))
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
            #expect(rows.map(\.account) == [1] && rows[0].closedAt == nil)
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
            #expect(rows.map(\.closedAt) == [500])
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

    @Test("P5 who hides from all but accepted people is closed to the others since then, and sees nothing of them")
    func hidesFromOthers() async throws {
        let people = try await People()
        try await people.hide(1, since: 500)
        for account in (1...3).map({ AccountNumber($0) }) { try await people.join(account, 1) }
        try await people.direct(open, open)
        #expect(try await people.seen() == "12", "accepted")
        let rows = try await people.presence.query(PresenceStore.seen, .int64(3), .texts(["u1", "u2"]))
        #expect(rows.first { $0.account == 1 }?.closedAt == 500)
        #expect(rows.first { $0.account == 2 }?.isOpen == true)
        let own = try await people.presence.query(PresenceStore.seen, .int64(1), .texts(["u1", "u3"]))
        #expect(own.first { $0.account == 1 }?.isOpen == true, "not from oneself")
        #expect(own.first { $0.account == 3 }?.isVisible == false, "nor do they see the other")
        let watched = try await people.presence.query(
            PresenceStore.seenByWatchers, .int64s([1, 3, 1]), .int64s([3, 1, 2]))
        #expect(Set(watched.filter(\.seen.isOpen).map(\.watcher)) == [2])
    }

    @Test("P5 who hides from all is closed to accepted people too, since the earlier of that and a block")
    func hidesFromAll() async throws {
        let people = try await People()
        try await people.hide(1, since: 500, fromAccepted: 700)
        try await people.direct(open, open)
        #expect(try await people.closed(1, to: 2) == 700)
        try await people.scene.execute("INSERT INTO conversations.blocks VALUES (2, 1, 600)")
        #expect(try await people.closed(1, to: 2) == 600)
        try await people.scene.execute("INSERT INTO presence.frozen VALUES (1, 600, 550), (1, 700, 650)")
        let rows = try await people.presence.query(PresenceStore.seen, .int64(2), .texts(["u1"]))
        #expect(rows.map(\.frozenAt) == [550])
    }

    @Test("P5 whoever comes back keeps when they were seen before a block or hiding that fell into their absence")
    func absences() async throws {
        let people = try await People()
        try await people.direct(open, open)
        func write(_ account: Int64, _ at: Int64, _ isPresent: Bool, from: Int64? = nil, to: Int64? = nil) async throws
        {
            try await people.presence.execute(
                PresenceStore.writeLastSeen, .int64s([account]), .int64s([at]), .bools([isPresent]),
                .int64s(to == nil ? [] : [account]), .optionalInt64s(to == nil ? [] : [from]),
                .int64s(to.map { [$0] } ?? []))
        }
        try await write(1, 100, true)
        try await write(1, 200, false)
        try await people.scene.execute("INSERT INTO conversations.blocks VALUES (2, 1, 300)")
        try await write(1, 400, true, to: 400)
        let rows = try await people.presence.query(PresenceStore.seen, .int64(2), .texts(["u1"]))
        #expect(rows.map(\.frozenAt) == [200] && rows.map(\.isPresent) == [true] && rows.map(\.lastSeenAt) == [400])
        // A block while they were here is none of an absence.
        try await people.scene.execute("UPDATE conversations.blocks SET at = 450")
        try await write(1, 500, true, to: 500)
        #expect(try await people.presence.query(PresenceStore.seen, .int64(2), .texts(["u1"])).map(\.frozenAt) == [nil])
        // What is not stored when the absence ends.
        try await people.hide(2, since: 150, fromAccepted: 150)
        try await write(2, 700, true, from: 120, to: 160)
        #expect(try await people.texts("SELECT seen_at::text FROM presence.frozen WHERE account = 2") == ["120"])
        // Times of another replica that come late change nothing.
        try await write(1, 450, false)
        #expect(
            try await people.texts("SELECT at || ' ' || is_present FROM presence.last_seen WHERE account = 1")
                == ["500 true"])
    }

    @Test("P1 the current conversation is shown to those who may read it, as the person may")
    func fellowMembers() async throws {
        let people = try await People()
        try await people.scene.execute(
            "UPDATE conversations.conversations SET conversation_id = 'group' WHERE conversation = 1")
        for account in [1, 2, 3, 4].map({ AccountNumber($0) }) { try await people.join(account, 1) }
        try await people.scene.leave(3, 1, version: 2)
        try await people.scene.execute(
            "UPDATE conversations.members SET write_until_seq = 3 WHERE conversation = 1 AND account = 4")
        func fellows(_ account: Int64, in conversation: String = "group") async throws -> [AccountNumber] {
            try await people.presence.query(
                PresenceStore.fellowMembers, .texts(Array(repeating: conversation, count: 4)),
                .int64s(Array(repeating: account, count: 4)), .int64s([2, 3, 4, 5])
            ).map(\.watcher)
        }
        #expect(try await fellows(1) == [2])
        #expect(try await fellows(5) == [], "who is no member shows nothing")
        #expect(try await fellows(1, in: "none") == [])
    }

    @Test("P5 what a person says is changed in part, keeps since when they hide, and is numbered in order of commit")
    func own() async throws {
        let people = try await People()
        func set(
            _ availability: Int16? = nil, _ text: String? = nil, _ hides: (Bool, Bool)? = nil, at now: Int64
        ) async throws -> Own? {
            try await people.presence.query(
                PresenceStore.setOwn, .int64(1), .optional(availability), .optional(text),
                .optional(text.map { _ in Int64(9) }), .optional(hides?.0), .optional(hides?.1), .int64(now)
            ).first
        }
        func hidden() async throws -> [String] {
            try await people.texts(
                "SELECT concat_ws(' ', hidden_at, hidden_from_accepted_at) FROM presence.people WHERE account = 1")
        }
        let first = try await set(2, at: 10)
        #expect(first == Own(words: Words(availability: .saysAway), version: 1))
        let said = try await set(nil, "\u{e9}", at: 20)
        #expect(said == Own(words: Words(availability: .saysAway, text: "\u{e9}", endsAt: 9), version: 2))
        _ = try await set(nil, nil, (true, false), at: 30)
        _ = try await set(nil, nil, (true, true), at: 40)
        #expect(try await hidden() == ["30 40"])
        _ = try await set(nil, nil, (true, true), at: 50)
        #expect(try await hidden() == ["30 40"], "since then")
        _ = try await set(nil, nil, (true, false), at: 60)
        #expect(try await hidden() == ["30"])
        let last = try await set(1, nil, (false, false), at: 70)
        #expect(last == Own(words: Words(text: "\u{e9}", endsAt: 9), version: 7))
        let changed = try await people.presence.query(PresenceStore.changed, .int64(6))
        #expect(changed.map(\.number) == [7] && changed.map(\.account) == [1])
        let later = try await people.presence.query(PresenceStore.changed, .int64(7))
        #expect(later.map(\.number) == [7] && later.map(\.account) == [nil])
        await #expect(throws: DatabaseError.self) {
            try await set(nil, String(repeating: "x", count: 129), at: 80)
        }
        try await people.scene.execute("UPDATE conversations.accounts SET erased_at = 90 WHERE account = 1")
        #expect(try await set(3, at: 100) == nil, "nothing is stored of the erased")
    }
}
