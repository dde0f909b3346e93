import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

extension Scene {
    /// Makes conversation 1's members 1 and 2 as they are while a request from 1 to 2 is pending: at most three
    /// messages, not shown to 2 yet.
    func pending(_ conversation: ConversationNumber = 1) async throws {
        try await execute("DELETE FROM conversations.members WHERE conversation = \(conversation) AND account = 3")
        try await execute(
            """
            UPDATE conversations.members
            SET write_until_seq = 3, section = account - 1, write_refusal = account - 1
            WHERE conversation = \(conversation)
            """)
        try await execute(
            """
            UPDATE conversations.members SET section = CASE account WHEN 1 THEN 1 ELSE 0 END
            WHERE conversation = \(conversation)
            """)
    }

    /// Returns the kinds in the journal, in order.
    func kinds() async throws -> [Int16] {
        try await superuser.query(
            Statement("SELECT kinds FROM messaging.journal ORDER BY lane, number") { try $0.int16s(0) }
        ).flatMap { $0 }
    }

    /// Returns the pages of a section as conversations, at most `limit` entries a page.
    func pages(_ account: AccountNumber, _ section: ConversationSection, limit: Int64 = 50) async throws -> [[String]] {
        var pages: [[String]] = []
        var before: [Parameter] = [.int64(.max), .int64(.max)]
        while true {
            let parameters = [.number(account)] + before + [.int64(limit), .int64(0)]
            let rows =
                section == .inbox
                ? try await messaging.query(InboxStore.inbox, parameters + [.int64(0), .int64(0)])
                : try await messaging.query(InboxStore.otherSection, parameters + [.int16(Int16(section.rawValue))])
            guard let last = rows.last else { return pages }
            #expect(rows.allSatisfy { $0.entry.section == section })
            pages.append(rows.map { String(Int($0.entry.conversation) ?? 0) })
            before = [.number(last.cutAt), .number(last.number)]
        }
    }
}

@Suite("Messages of a pending request", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct RequestMessageTests {
    @Test("R1 messages of a pending request are journaled as kind 2, also beside other messages, and later ones as 1")
    func kinds() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        try await scene.pending(1)
        let sendings = [message(1, in: 1), message(2, in: 2), message(3, in: 1), message(4, in: 2)].map {
            Sending(lane, $0)
        }
        for sending in sendings { #expect(await sending.outcome() == "accepted") }
        let named = try await scene.number(
            """
            SELECT count(*) FROM messaging.journal, unnest(kinds, subjects) AS u (kind, subject)
            WHERE u.kind <> CASE u.subject WHEN 1 THEN 2 ELSE 1 END
            """)
        #expect(named == 0)
        #expect(try await scene.kinds().sorted() == [1, 1, 2, 2])
        #expect(await Sending(lane, message(5, in: 1)).outcome() == "accepted")
        #expect(await Sending(lane, message(6, in: 1)).outcome() == "request_pending", "R6 at most three")
        try await scene.execute(
            "UPDATE conversations.members SET write_until_seq = NULL, write_refusal = 0, section = 1 "
                + "WHERE conversation = 1")
        #expect(await Sending(lane, message(7, in: 1, from: 2)).outcome() == "accepted")
        #expect(try await scene.kinds().sorted() == [1, 1, 1, 2, 2, 2])
        try await scene.checkInvariants()
    }

    @Test("R1 before the first message, the recipient cannot tell the request from a stranger's conversation")
    func hidden() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        try await scene.pending(1)
        for hasHead in [false, true] {
            if hasHead { try await scene.execute("INSERT INTO messaging.heads (conversation) VALUES (1)") }
            #expect(try await scene.range(2, 1) == nil, "the recipient")
            #expect(try await scene.range(9, 1) == nil, "a stranger")
            #expect(try await scene.range(1, 1) == "1...0", "the requester sees it")
            #expect(await Sending(lane, message(1, in: 1, from: 2)).outcome() == "not_member")
            #expect(await Sending(lane, message(1, in: 1, from: 9)).outcome() == "not_member")
        }
        #expect(await Sending(lane, message(2, in: 1)).outcome() == "accepted")
        #expect(try await scene.range(2, 1) == "1...1", "the message reaches the recipient before the section changes")
        #expect(await Sending(lane, message(3, in: 1, from: 2)).outcome() == "accept_first")
        #expect(try await scene.audience(of: 1, in: 1) == [1, 2])
    }

    @Test("an erased former member gets no window back from a later message")
    func erasedWindow() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        _ = try await lane.send(message(1, in: 1))
        try await scene.leave(2, 1, version: 2)
        try await scene.leave(3, 1, version: 3)
        try await scene.execute("UPDATE conversations.accounts SET erased_at = 5 WHERE account = 3")
        try await scene.execute("DELETE FROM messaging.inbox WHERE account IN (2, 3)")
        _ = try await lane.send(message(2, in: 1))
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 2") == 1)
        #expect(try await scene.number("SELECT count(*) FROM messaging.inbox WHERE account = 3") == 0)
        try await scene.checkInvariants()
    }
}

@Suite("Inbox pages by section", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct InboxPageTests {
    @Test("R8 M16 pending, blocked, left and gone conversations are in the pages of their own section only")
    func sections() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in (1...12).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(Int(conversation.rawValue), in: conversation))
        }
        // Separate them by more than the precision of a row.
        try await scene.execute("UPDATE messaging.inbox SET news_at = conversation")
        for (conversation, section) in [(2, 2), (5, 3), (7, 4), (8, 5), (9, 0), (11, 2)] {
            try await scene.execute(
                "UPDATE conversations.members SET section = \(section) WHERE account = 1 AND conversation = \(conversation)"
            )
        }
        try await scene.leave(1, 7, version: 2)
        try await scene.execute("UPDATE conversations.members SET may_read = false WHERE account = 1 AND section = 5")
        #expect(try await scene.pages(1, .inbox) == [["12", "10", "6", "4", "3", "1"]])
        #expect(try await scene.pages(1, .inbox, limit: 4) == [["12", "10", "6", "4"], ["3", "1"]])
        #expect(try await scene.pages(1, .inbox, limit: 1).flatMap { $0 } == ["12", "10", "6", "4", "3", "1"])
        #expect(try await scene.pages(1, .requests, limit: 1) == [["11"], ["2"]])
        #expect(try await scene.pages(1, .blockedPeople) == [["5"]])
        #expect(try await scene.pages(1, .left) == [["7"]])
        #expect(try await scene.pages(1, .gone) == [["8"]])
        #expect(try await scene.pages(2, .requests).isEmpty)
        #expect(try await scene.pages(19, .inbox).isEmpty)
        let gone = try await scene.messaging.query(
            InboxStore.otherSection, .int64(1), .int64(.max), .int64(.max), .int64(5), .int64(0), .int16(5))
        #expect(gone.map(\.entry.lastSeq) == [0] && gone[0].entry.lastMessage == nil, "without its content")
        let left = try await scene.messaging.query(
            InboxStore.otherSection, .int64(1), .int64(.max), .int64(.max), .int64(5), .int64(0), .int16(4))
        #expect(left.first?.entry.lastMessage?.seq == 1, "the last message before they left")
    }

    @Test("a sync returns the section of each conversation")
    func syncSections() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for conversation in (1...3).map({ ConversationNumber($0) }) {
            _ = try await lane.send(message(Int(conversation.rawValue), in: conversation))
        }
        try await scene.execute("UPDATE conversations.members SET section = 2 WHERE account = 2 AND conversation = 3")
        let entries = try await scene.inbox(2).sorted { $0.conversation < $1.conversation }
        #expect(entries.map(\.section) == [.inbox, .inbox, .requests])
    }

    @Test("a cursor holds the end of its page, and an invalid one is refused")
    func cursors() throws {
        var row = TouchedEntry(touchedAt: 17, number: 4, entry: InboxEntry(), cutAt: 16)
        for isPinned in [false, true] {
            if isPinned { row.entry.state = InboxState(pinnedAtUs: 9) }
            for isPinnedFirst in [false, true] {
                let cursor = InboxCursor(row, isPinnedFirst: isPinnedFirst)
                #expect(try InboxCursor(cursor.text) == cursor)
                #expect(cursor.text == (isPinned && isPinnedFirst ? "p.9.4" : "16.4"))
            }
        }
        #expect(try InboxCursor("") == .start)
        #expect(try InboxCursor("16.4").pinnedAt == 0, "pinned conversations are on the first page")
        for text in [
            "x", "1", "1.2.3", "-1.2", "1.", ".", "1.x", "99999999999999999999.1", "p", "p.", "p.1", "p.1.x", "p.1.2.3",
            "q.1.2",
        ] {
            #expect(throws: Refusal.self, "\(text)") { try InboxCursor(text) }
        }
    }

    @Test("a page ends at its byte limit and has at least one entry")
    func bytes() {
        let row = { (bytes: Int) in
            TouchedEntry(
                touchedAt: 1, number: 1,
                entry: InboxEntry(lastMessage: Message(text: String(repeating: "x", count: bytes))))
        }
        #expect(InboxPage.fitting([row(200_000), row(1)]).count == 1)
        #expect(InboxPage.fitting((0..<50).map { _ in row(16_384) }).count == 6)
        #expect(InboxPage.fitting((0..<50).map { _ in row(10) }).count == 50)
        #expect(InboxPage.fitting([TouchedEntry]()).isEmpty)
    }
}
