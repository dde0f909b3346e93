import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

extension Scene {
    /// Changes inbox settings as ``MessagingService`` does.
    fileprivate func updateInboxState(
        _ account: AccountNumber, _ conversation: ConversationNumber, _ wish: InboxSettingsChange,
        at now: Timestamp = 1_000
    )
        async throws
    {
        try await change(account, conversation) { $0.applying(wish, at: now) }
    }

    fileprivate func clear(_ account: AccountNumber, _ conversation: ConversationNumber, upTo seq: Seq = 0) async throws
    {
        try await change(account, conversation) { $0.cleared(upTo: seq) }
    }

    private func change(
        _ account: AccountNumber, _ conversation: ConversationNumber, _ rule: (InboxSettings) -> InboxSettings
    ) async throws {
        let key: [Parameter] = [.number(account), .number(conversation)]
        let before = try await messaging.first(OwnStateStore.settings, key)
        let after = rule(try #require(before))
        let position = try await messaging.first(OwnStateStore.advance, .number(account), .int64(1))
        try await messaging.execute(
            OwnStateStore.setSettings,
            key + [
                .number(try #require(position)), .optional(after.pinnedAt), .optional(after.mutedUntil),
                .optional(after.archivedAt), .optional(after.archivedSeq), .bool(after.isMarkedUnread),
                .number(after.clearedSeq),
            ])
    }

    fileprivate func state(_ account: AccountNumber, _ conversation: ConversationNumber, at now: Timestamp = 0)
        async throws -> InboxState?
    {
        try await messaging.first(OwnStateStore.state, .number(account), .number(conversation), .number(now))
    }

    fileprivate func badge(_ account: AccountNumber, at now: Timestamp = 0) async throws -> [Int64] {
        let badge = try await messaging.first(OwnStateStore.badge, .number(account), .number(now))
        return badge.map { [$0.badge, $0.conversations, $0.mentions] } ?? []
    }

    /// Returns the conversations of the first page of the inbox, or of the archive.
    fileprivate func page(_ account: AccountNumber, archived: Bool = false) async throws -> [ConversationNumber] {
        let parameters: [Parameter] = [.number(account), .int64(.max), .int64(.max), .int64(51), .int64(0)]
        let rows =
            archived
            ? try await messaging.query(InboxStore.archived, parameters)
            : try await messaging.query(InboxStore.inbox, parameters + [.int64(.max), .int64(.max)])
        #expect(rows.allSatisfy { $0.entry.archived == archived })
        return rows.map(\.number)
    }

    fileprivate func store(_ account: AccountNumber, _ conversation: ConversationNumber, _ messages: [OwnMessage])
        async throws
    {
        try await messaging.execute(
            OwnStateStore.setMessageStates, .number(account), .number(conversation), .numbers(messages.map(\.seq)),
            .optionalNumbers(messages.map(\.starredAt)), .bools(messages.map(\.isHidden)),
            .numbers(messages.map(\.position)), .int64(7))
    }

    fileprivate func mentionsAndStars(
        _ statement: Statement<MentionOrStar>, _ account: AccountNumber, limit: Int64 = 50,
        after last: MentionOrStar? = nil
    ) async throws -> [MentionOrStar] {
        try await messaging.query(
            statement, .number(account), .number(last?.at ?? .max), .number(last?.conversation ?? .max),
            .number(last?.seq ?? .max), .int64(limit), .int64(1_000_000))
    }
}

private func wish(_ change: (inout InboxSettingsChange) -> Void) -> InboxSettingsChange {
    var wish = InboxSettingsChange()
    change(&wish)
    return wish
}

@Suite("One person's own settings and message states", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct OwnStateTests {
    // MARK: Rules

    @Test("C8 a change applies only what was requested and keeps what is already set")
    func settings() {
        let bare = InboxSettings(lastSeq: 9)
        #expect(bare.applying(InboxSettingsChange(), at: 5) == bare)
        let pinned = bare.applying(wish { $0.isPinned = true }, at: 5)
        #expect(pinned == InboxSettings(pinnedAt: 5, lastSeq: 9))
        #expect(pinned.applying(wish { $0.isPinned = true }, at: 6) == pinned)
        #expect(pinned.applying(wish { $0.isPinned = false }, at: 6) == bare)
        let unread = bare.applying(wish { $0.isMarkedUnread = true }, at: 5)
        #expect(unread == InboxSettings(isMarkedUnread: true, lastSeq: 9))
        #expect(unread.applying(wish { $0.isMarkedUnread = false }, at: 5) == bare)
        let muted = bare.applying(wish { ($0.isMuted, $0.mutedUntil) = (true, 77) }, at: 5)
        #expect(muted == InboxSettings(mutedUntil: 77, lastSeq: 9))
        #expect(muted.applying(wish { $0.isMuted = true }, at: 5).mutedUntil == .max)
        #expect(muted.applying(wish { $0.isMuted = false }, at: 5) == bare)
    }

    @Test("C8 archiving records the newest seq; changing the mute settles whether a later message ended it")
    func archiving() {
        let archived = InboxSettings(lastSeq: 9).applying(wish { $0.isArchived = true }, at: 5)
        #expect(archived == InboxSettings(archivedAt: 5, archivedSeq: 9, isArchived: true, lastSeq: 9))
        #expect(archived.applying(wish { $0.isArchived = true }, at: 6) == archived)
        #expect(archived.applying(wish { $0.isArchived = false }, at: 6) == InboxSettings(lastSeq: 9))

        let back = InboxSettings(archivedAt: 5, archivedSeq: 9, lastSeq: 11)
        #expect(back.applying(wish { $0.isArchived = true }, at: 6).archivedSeq == 11, "again")
        #expect(back.applying(wish { $0.isArchived = false }, at: 6).archivedAt == nil)
        #expect(back.applying(wish { $0.isMuted = true }, at: 6).archivedAt == nil, "it arrived before the mute")
        let silent = InboxSettings(
            mutedUntil: .max, archivedAt: 5, archivedSeq: 9, isArchived: true, lastSeq: 11)
        let loud = silent.applying(wish { $0.isMuted = false }, at: 6)
        #expect(loud.archivedSeq == 11 && loud.archivedAt == 5, "muted messages do not bring it back later")
    }

    @Test("C11 clearing moves forwards only, at most to the newest message; an empty conversation is not pinned")
    func clearing() {
        let full = InboxSettings(pinnedAt: 3, mutedUntil: 4, isMarkedUnread: true, lastSeq: 9)
        for (requested, seq) in [(0, 9), (9, 9), (99, 9), (5, 5)] as [(Seq, Seq)] {
            let cleared = full.cleared(upTo: requested)
            #expect(cleared.clearedSeq == seq && cleared.mutedUntil == 4)
            #expect((cleared.pinnedAt == nil && !cleared.isMarkedUnread) == (seq == 9))
            #expect(cleared.cleared(upTo: 2).clearedSeq == seq)
        }
    }

    @Test("M8 M11 states change under dense positions in request order; unchanged states keep their position")
    func messageStates() throws {
        let found = [
            OwnMessage(seq: 1), OwnMessage(seq: 2, starredAt: 3, position: 4),
            OwnMessage(seq: 3, isHidden: true, position: 5),
            OwnMessage(seq: 4, hasContent: false),
        ]
        let changed = { (seqs: [Seq], isStarred: Bool?, hides: Bool) throws(Refusal) in
            try MessageStateRules.changed(found, seqs: seqs, isStarred: isStarred, hides: hides, after: 10, at: 20)
        }
        #expect(try changed([2, 1], true, false).map(\.position) == [4, 11])
        #expect(try changed([2, 1], true, false).map(\.starredAt) == [3, 20])
        #expect(try changed([2, 1, 4], false, false).map(\.position) == [11, 0, 0], "a star can always be removed")
        #expect(try changed([1, 2, 3, 4], nil, true).map(\.position) == [11, 12, 5, 13])
        #expect(try changed([2], nil, true)[0].starredAt == nil, "a hidden message is not starred")
        for (seqs, isStarred) in [([5], nil), ([3], true), ([4], true), ([1, 5], true)] as [([Seq], Bool?)] {
            #expect(throws: Refusal.messageNotFound("seqs")) { try changed(seqs, isStarred, false) }
        }
        #expect(MessageStateRules.seqs([3, 1, 3, 2, 1]) == [3, 1, 2])
        #expect(try MentionsAndStarsCursor("1.2.3").text == "1.2.3")
        for text in ["x", "1.2", "1.2.x", "-1.2.3", "1.2.3.4"] {
            #expect(throws: Refusal.self, "\(text)") { try MentionsAndStarsCursor(text) }
        }
    }

    // MARK: Statements

    @Test(
        "M16 C8 pinned conversations are first, last pinned first; archived ones are on their own page until news"
    )
    func pages() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in (1...6).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(Int(conversation.rawValue), in: conversation))
        }
        try await scene.execute("UPDATE messaging.inbox SET news_at = conversation")
        #expect(try await scene.page(2) == [6, 5, 4, 3, 2, 1])
        try await scene.updateInboxState(2, 1, wish { $0.isPinned = true }, at: 100)
        try await scene.updateInboxState(2, 3, wish { $0.isPinned = true }, at: 101)
        try await scene.updateInboxState(2, 5, wish { $0.isArchived = true })
        try await scene.updateInboxState(2, 6, wish { ($0.isArchived, $0.isMuted) = (true, true) })
        #expect(try await scene.page(2) == [3, 1, 4, 2])
        #expect(try await scene.page(2, archived: true) == [6, 5])
        #expect(try await scene.page(1) == [6, 5, 4, 3, 2, 1], "other people's inboxes do not change")
        for conversation in (5...6).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(20 + Int(conversation.rawValue), in: conversation))
        }
        #expect(try await scene.page(2) == [3, 1, 5, 4, 2])
        #expect(try await scene.page(2, archived: true) == [6])
        try await scene.clear(2, 4)
        #expect(try await scene.page(2) == [3, 1, 5, 2])
        #expect(try await scene.state(2, 4)?.unread == 0)
        _ = try await lane.send(message(30, in: 4))
        #expect(try await Set(scene.page(2)) == [3, 1, 4, 5, 2])
        #expect(try await scene.range(2, 4) == "2...2", "without the cleared messages")
        #expect(try await scene.range(1, 4) == "1...2")
    }

    @Test("M16 reading and changing settings keep the order of the inbox, and a later sync returns both")
    func order() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in (1...3).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(Int(conversation.rawValue), in: conversation))
        }
        try await scene.execute("UPDATE messaging.inbox SET touched_at = conversation, news_at = conversation")
        try await scene.updateInboxState(2, 1, wish { $0.isMarkedUnread = true })
        try await scene.execute("INSERT INTO messaging.lanes VALUES (60, 0)")
        _ = try await scene.messaging.query(
            ReceiptsStore.markBatch, .int32(60), .int64(5), .int64s([2]), .int64s([2]), .int64s([1]), .int64s([1]))
        #expect(try await scene.page(2) == [3, 2, 1])
        let touched = try await scene.messaging.query(
            InboxStore.touched, .int64(2), .int64(100), .int64(0), .int64(50), .int64(0))
        #expect(touched.map(\.number).sorted() == [1, 2])
    }

    @Test("M7 the badge counts unread inbox messages, but not archived, muted or other conversations")
    func badge() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        var number = 0
        for conversation in (1...6).map({ ConversationNumber($0) }) {
            for _ in 0..<Int(conversation.rawValue) {
                number += 1
                _ = try await lane.send(message(number, in: conversation))
            }
        }
        #expect(try await scene.badge(2) == [21, 6, 0])
        #expect(try await scene.badge(1) == [0, 0, 0], "the author has nothing unread")
        try await scene.updateInboxState(2, 6, wish { $0.isMuted = true })
        try await scene.updateInboxState(2, 5, wish { $0.isArchived = true })
        try await scene.execute("UPDATE conversations.members SET section = 2 WHERE account = 2 AND conversation = 4")
        #expect(try await scene.badge(2) == [6, 3, 0])
        try await scene.execute("UPDATE messaging.inbox SET read_seq = 3 WHERE account = 2 AND conversation = 3")
        #expect(try await scene.badge(2) == [3, 2, 0])
        try await scene.updateInboxState(2, 3, wish { $0.isMarkedUnread = true })
        try await scene.updateInboxState(2, 2, wish { $0.isMarkedUnread = true })
        #expect(try await scene.badge(2) == [4, 3, 0], "marked unread without unread messages counts as one")
        try await scene.updateInboxState(2, 6, wish { ($0.isMuted, $0.mutedUntil) = (true, 50) })
        #expect(try await scene.badge(2, at: 49) == [4, 3, 0])
        #expect(try await scene.badge(2, at: 50) == [10, 4, 0], "no longer muted")
        try await scene.execute(
            "INSERT INTO messaging.mentions (account, conversation, seq, sent_at) VALUES (2, 2, 2, 1), (2, 5, 5, 1)")
        try await scene.execute(
            "UPDATE messaging.messages SET mentions = ARRAY[2] WHERE (conversation, seq) IN ((2, 2), (5, 5))")
        try await scene.store(2, 2, [OwnMessage(seq: 1, isHidden: true, position: 90)])
        #expect(try await scene.badge(2) == [3, 3, 1])
        try await scene.execute(
            "UPDATE messaging.messages SET deleted_at = 1 WHERE conversation = 1 OR conversation = 2 AND seq = 2")
        try await scene.execute("DELETE FROM messaging.mentions WHERE conversation = 2")
        #expect(try await scene.badge(2) == [2, 2, 0])
    }

    @Test("M10 M11 starred messages and mentions come newest first across pages, and only if readable")
    func mentionsAndStars() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for number in 1...6 { _ = try await lane.send(message(number, in: 1)) }
        for number in 7...9 { _ = try await lane.send(message(number, in: 2)) }
        try await scene.execute("UPDATE messaging.messages SET sent_at = 10 * seq + conversation")
        try await scene.store(
            2, 1, (1...5).map { OwnMessage(seq: Seq($0), starredAt: Timestamp(100 - $0), position: Position($0)) })
        try await scene.store(2, 2, [OwnMessage(seq: 1, starredAt: 200, position: 6)])
        try await scene.execute(
            "INSERT INTO messaging.mentions SELECT 2, conversation, seq, sent_at FROM messaging.messages WHERE seq > 1")
        let keys = { (rows: [MentionOrStar]) in
            rows.filter { $0.message != nil }.map { [$0.conversation.rawValue, $0.seq.rawValue] }
        }
        let starred = try await scene.mentionsAndStars(OwnStateStore.starred, 2)
        #expect(keys(starred) == [[2, 1], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]])
        #expect(starred.allSatisfy { $0.message?.own?.starred == true })
        let mentions = try await scene.mentionsAndStars(OwnStateStore.mentioning, 2)
        #expect(keys(mentions) == [[1, 6], [1, 5], [1, 4], [2, 3], [1, 3], [2, 2], [1, 2]])
        let both = try await scene.mentionsAndStars(OwnStateStore.mentioningOrStarred, 2)
        #expect(keys(both) == [[2, 1], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [1, 6], [2, 3], [2, 2]])

        var paged: [MentionOrStar] = []
        while true {
            let page = try await scene.mentionsAndStars(
                OwnStateStore.mentioningOrStarred, 2, limit: 2, after: paged.last)
            if page.isEmpty { break }
            paged += page
        }
        #expect(keys(paged) == keys(both))

        try await scene.execute("UPDATE messaging.messages SET deleted_at = 1 WHERE conversation = 1 AND seq = 1")
        try await scene.execute("UPDATE messaging.messages SET expires_at = 1 WHERE conversation = 1 AND seq = 2")
        try await scene.store(2, 1, [OwnMessage(seq: 3, isHidden: true, position: 7)])
        try await scene.clear(2, 2, upTo: 2)
        #expect(
            try await keys(scene.mentionsAndStars(OwnStateStore.mentioningOrStarred, 2)) == [
                [1, 4], [1, 5], [1, 6], [2, 3],
            ])
        try await scene.execute("UPDATE conversations.members SET section = 5, may_read = false WHERE account = 2")
        #expect(try await keys(scene.mentionsAndStars(OwnStateStore.mentioningOrStarred, 2)).isEmpty)
        #expect(try await scene.mentionsAndStars(OwnStateStore.starred, 3).isEmpty)
    }

    // MARK: Concurrency

    @Test("changing settings before the first message does not abort the first send, nor the other way round")
    func firstMessage() async throws {
        let scene = try await Scene()
        let changing = try await Standstill(
            scene.database.configuration(of: "messaging"),
            """
            WITH made AS (
                INSERT INTO messaging.heads (conversation)
                SELECT 1 FROM (SELECT pg_advisory_xact_lock(\(AdvisoryLock.head.rawValue), hashint8(1)) OFFSET 0) AS l
            )
            INSERT INTO messaging.inbox (account, conversation, touched_at) VALUES (2, 1, 1)
            """)
        let lane = try await scene.lane()
        let held = Sending(lane, message(1, in: 1))
        #expect(await Sending(lane, message(2, in: 2)).outcome() == "accepted", "other conversations continue")
        #expect(held.result == nil)
        try await changing.end()
        #expect(await held.outcome() == "accepted")

        let batch = try await scene.batchInFlight(message(3, in: 3))
        let late = Task { @ReactorActor in try await scene.messaging.execute(OwnStateStore.makeHead, .int64(3)) }
        try await batch.end()
        _ = try await late.value
        #expect(try await scene.number("SELECT count(*) FROM messaging.heads WHERE conversation = 3 AND seq = 1") == 1)
        try await scene.execute("UPDATE messaging.lanes SET number = 1 WHERE lane = 60")
        #expect(try await scene.state(2, 1)?.unread == 1)
    }

    @Test("positions of a person's stream are dense; a mark batch skips a person whose positions are being taken")
    func positions() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        _ = try await lane.send(message(2, in: 2))
        let taking = try await Standstill(
            scene.database.configuration(of: "messaging"),
            """
            INSERT INTO messaging.person_heads (account, position)
            SELECT 2, 1 FROM (SELECT pg_advisory_xact_lock(\(AdvisoryLock.personHead.rawValue), hashint8(2)) OFFSET 0) AS l
            """)
        try await scene.execute("INSERT INTO messaging.lanes VALUES (60, 0) ON CONFLICT DO NOTHING")
        let mark = {
            try await scene.messaging.query(
                ReceiptsStore.markBatch, .int32(60), .int64(5), .int64s([2, 3]), .int64s([1, 1]), .int64s([1, 1]),
                .int64s([1, 1])
            ).sorted { $0.ordinal < $1.ordinal }
        }
        let first = try await mark()
        #expect(first.map(\.isHeld) == [true, false])
        try await taking.end()
        let second = try await mark()
        #expect(second.map(\.isHeld) == [false, false])
        #expect(second[0].state?.ownPosition == 2)
        #expect(try await scene.messaging.first(OwnStateStore.advance, .int64(2), .int64(3)) == 5)
        #expect(try await scene.messaging.first(OwnStateStore.advance, .int64(2), .int64(0)) == 5)
        #expect(try await scene.messaging.first(OwnStateStore.advance, .int64(9), .int64(0)) == 0)
    }

    @Test("M8 each message state is replayed at its own position; one that changed again is superseded there")
    func replay() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        _ = try await lane.send(message(2, in: 1))
        try await scene.store(
            2, 1, [OwnMessage(seq: 1, starredAt: 5, position: 1), OwnMessage(seq: 2, isHidden: true, position: 2)])
        try await scene.store(2, 1, [OwnMessage(seq: 1, position: 3)])
        let named = try await scene.messaging.query(
            OwnStateStore.currentMessageStates, .int64s([2, 2, 2, 3]), .int64s([0, 0, 0, 0]), .int64s([1, 2, 3, 1])
        ).sorted { $0.ordinal < $1.ordinal }
        #expect(named.map(\.owner) == ["u2", "u2", "u2", "u3"])
        #expect(named.map { $0.state?.seq } == [nil, 2, 1, nil])
        #expect(named.map { $0.state?.hidden } == [nil, true, false, nil])
        let since = try await scene.messaging.query(OwnStateStore.messageStatesSince, .int64(2), .int64(2), .int64(9))
        #expect(since.map(\.seq) == [1] && since.map(\.ownPosition) == [3] && since.map(\.starred) == [false])
        #expect(try await scene.number("SELECT hidden_at FROM messaging.message_states WHERE seq = 2") == 7)
    }
}
