import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import EntitiesService
@testable import MessagingService
@testable import ServiceKit

/// What each statement that shows something of a conversation gives a person, by the person's standing there.
///
/// Person 1 wrote messages 1 to 3, and person 2 starred message 2.
@Suite("What a person may see of a conversation, each standing with each statement", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct StandingTests {
    /// What one person gets of one conversation.
    struct Verdicts: Equatable, CustomStringConvertible {
        /// The seqs that history shows.
        var history = "-"
        /// Whether they may act on message 2: "may", "unreadable", or why not.
        var act = "-"
        /// The outcomes of a mark, a reaction to message 2 and a send.
        var mark: Outcome = .notMember
        var react: Outcome = .notMember
        var send: Outcome = .notMember
        /// Why a file cannot be created; empty if it can.
        var attach = "not_member"
        /// The section and last seq in Sync.
        var sync = "-"
        /// The section of the inbox page that has it.
        var page: Int32?
        /// The range that a search looks at.
        var search = "-"
        /// Whether the starred message is shown.
        var star = false
        /// The unread messages in the badge.
        var badge: Int64 = 0
        /// The seqs in the view for entities.
        var readable: [Int64] = []
        /// Whether a reminder may name it.
        var reminder = false

        var description: String {
            "history \(history), act \(act), mark \(mark), react \(react), send \(send), attach \(attach), sync \(sync), "
                + "page \(page ?? -1), search \(search), star \(star), badge \(badge), readable \(readable), "
                + "reminder \(reminder)"
        }
    }

    /// The verdicts of someone who sees messages 1 to 3, in a section, and may write.
    private nonisolated static func all(in section: Int32 = 1) -> Verdicts {
        Verdicts(
            history: "1...3", act: "may", mark: .done, react: .done, send: .done, attach: "", sync: "\(section) to 3",
            page: section, search: "1...3", star: true, badge: 3, readable: [1, 2, 3], reminder: true)
    }

    /// - Parameters:
    ///   - member: columns of the member's row; nil: there is none.
    ///   - inbox: columns of the inbox row.
    ///   - isSent: whether the conversation has its messages.
    struct Standing: Sendable, CustomTestStringConvertible {
        var name: String
        var member: String?
        var inbox = "read_seq = 0"
        var isSent = true
        var verdicts: @Sendable () -> Verdicts

        var testDescription: String { name }
    }

    nonisolated static let standings: [Standing] = [
        Standing(name: "a member", member: "section = 1") { all() },
        Standing(
            name: "a member who joined before message 3", member: "joined_version = 2", inbox: "visible_from = 3"
        ) {
            var verdicts = all()
            verdicts.history = "3...3"
            (verdicts.act, verdicts.react) = ("unreadable", .messageNotFound)
            (verdicts.search, verdicts.star, verdicts.badge, verdicts.readable) = ("3...3", false, 1, [3])
            return verdicts
        },
        Standing(name: "a member who joined, and no message has noted it", member: "joined_version = 3") {
            var verdicts = all()
            verdicts.history = "4...3"
            (verdicts.act, verdicts.react) = ("unreadable", .messageNotFound)
            (verdicts.search, verdicts.star, verdicts.badge, verdicts.readable) = ("-", false, 0, [])
            return verdicts
        },
        Standing(name: "a member who cleared up to message 2", member: "section = 1", inbox: "cleared_before = 2") {
            var verdicts = all()
            verdicts.history = "3...3"
            (verdicts.act, verdicts.react) = ("unreadable", .messageNotFound)
            (verdicts.search, verdicts.star, verdicts.badge, verdicts.readable) = ("3...3", false, 1, [3])
            return verdicts
        },
        Standing(name: "the sender of a pending request", member: "write_until_seq = 5") { all() },
        Standing(
            name: "the recipient of a pending request",
            member: "write_until_seq = 5, write_refusal = 1, section = 2"
        ) {
            var verdicts = all(in: 2)
            (verdicts.act, verdicts.react, verdicts.send) = ("accept_first", .acceptFirst, .acceptFirst)
            (verdicts.attach, verdicts.badge) = ("accept_first", 0)
            return verdicts
        },
        Standing(
            name: "the recipient of a request that has no message",
            member: "write_until_seq = 5, write_refusal = 1, section = 0", isSent: false
        ) { Verdicts() },
        Standing(
            name: "the recipient of a request whose first message was just stored",
            member: "write_until_seq = 5, write_refusal = 1, section = 0"
        ) {
            var verdicts = all(in: 0)
            (verdicts.act, verdicts.react, verdicts.send) = ("accept_first", .acceptFirst, .acceptFirst)
            (verdicts.attach, verdicts.badge, verdicts.page) = ("accept_first", 0, nil)
            verdicts.reminder = false
            return verdicts
        },
        Standing(name: "a person who is blocked", member: "write_refusal = 2") {
            var verdicts = all()
            (verdicts.act, verdicts.react, verdicts.send) = ("user_blocked", .userBlocked, .userBlocked)
            verdicts.attach = "user_blocked"
            return verdicts
        },
        Standing(name: "a person who blocks", member: "write_refusal = 2, section = 3") {
            var verdicts = all(in: 3)
            (verdicts.act, verdicts.react, verdicts.send) = ("user_blocked", .userBlocked, .userBlocked)
            (verdicts.attach, verdicts.badge) = ("user_blocked", 0)
            return verdicts
        },
        Standing(
            name: "a former member who left before message 3",
            member: "section = 4, may_read = false, write_refusal = 3, left_at = 1, left_version = 2",
            inbox: "visible_to = 2, visible_position = 2"
        ) {
            Verdicts(
                history: "1...2", mark: .done, sync: "4 to 2", page: 4, search: "1...2", star: true, readable: [1, 2])
        },
        Standing(
            name: "a former member, and no message has noted it",
            member: "section = 4, may_read = false, write_refusal = 3, left_at = 1, left_version = 3"
        ) {
            Verdicts(
                history: "1...3", mark: .done, sync: "4 to 3", page: 4, search: "1...3", star: true,
                readable: [1, 2, 3])
        },
        Standing(
            name: "a former member for whom it is gone",
            member: "section = 5, may_read = false, write_refusal = 3, left_at = 1, left_version = 2",
            inbox: "visible_to = 2, visible_position = 2"
        ) { Verdicts(sync: "5 to 0") },
        Standing(
            name: "a person for whom it is gone", member: "section = 5, may_read = false, write_refusal = 3"
        ) { Verdicts() },
        Standing(
            name: "a person who was only ever invited (C17)",
            member: "section = 2, may_read = false, write_refusal = 3, left_at = 1, left_version = 2, "
                + "joined_version = 0, invited_by = 1"
        ) { Verdicts() },
        Standing(
            name: "a former member who is invited (C17)",
            member: "section = 2, may_read = false, write_refusal = 3, left_at = 1, left_version = 2, invited_by = 1",
            inbox: "visible_to = 2, visible_position = 2"
        ) {
            Verdicts(
                history: "1...2", mark: .done, sync: "2 to 2", page: 2, search: "1...2", star: true, readable: [1, 2])
        },
        Standing(name: "a stranger", member: nil) { Verdicts() },
    ]

    @Test("a statement shows a person exactly what their standing allows", arguments: standings)
    func standing(_ standing: Standing) async throws {
        let scene = try await Scene()
        try await scene.execute("DELETE FROM conversations.members WHERE account = 2")
        if let columns = standing.member {
            // The version first: a row whose member left must have joined at an earlier one.
            try await scene.join(2, 1, version: 1)
            try await scene.execute(
                "UPDATE conversations.members SET \(columns) WHERE conversation = 1 AND account = 2")
        }
        if standing.isSent {
            for sql in [
                "INSERT INTO messaging.heads (conversation, seq, position, members_version) VALUES (1, 3, 3, 2)",
                "INSERT INTO messaging.messages (conversation, seq, id, sender, kind, text, sent_at, position) "
                    + "SELECT 1, s, gen_random_uuid(), 1, 1, 'hello', s, s FROM generate_series(1, 3) AS s",
                "INSERT INTO messaging.inbox (account, conversation, touched_at, news_at) VALUES (2, 1, 3, 3)",
                "UPDATE messaging.inbox SET \(standing.inbox)",
                "INSERT INTO messaging.message_states (account, conversation, seq, starred_at, position) "
                    + "VALUES (2, 1, 2, 5, 1)",
            ] { try await scene.execute(sql) }
        }
        let verdicts = try await verdicts(in: scene)
        #expect(verdicts == standing.verdicts())
    }

    private func verdicts(in scene: Scene) async throws -> Verdicts {
        var got = Verdicts()
        got.history = try await scene.range(2, 1) ?? "-"
        if let context = try await scene.messaging.first(ActionsStore.context, .int64(1), .int64(2), .int64(2)) {
            got.act = context.refusal?.code.rawValue ?? (context.isReadable ? "may" : "unreadable")
        }
        got.mark = try await outcome("mark_batch(1, 9, '{2}', '{1}', '{1}', '{1}')", scene)
        got.react = try await outcome("react_batch(1, 9, '{1}', '{2}', '{2}', '{+}', '{false}', 20)", scene)
        got.send = try await outcome(
            "send_batch(1, 9, '{1}', '{2}', '{00000000-0000-7000-8000-000000000009}', '{1}', '{text}')", scene)
        got.attach = try await attach(scene)
        let synced = try await scene.inbox(2)
        if let entry = synced.first { got.sync = "\(entry.section.rawValue) to \(entry.lastSeq)" }
        for section in [ConversationSection.inbox, .requests, .blockedPeople, .left] {
            for page in try await scene.pages(2, section) where !page.isEmpty { got.page = section.rawValue }
        }
        let searched = try await scene.messaging.query(
            SearchStore.conversations, .int64(2), .int64(.max), .int64(.max), .int64(10))
        if let units = searched.first?.units, let newest = units.first, let oldest = units.last {
            got.search = "\(oldest.low)...\(newest.high)"
        }
        let stars = try await scene.messaging.query(
            OwnStateStore.starred, .int64(2), .int64(.max), .int64(.max), .int64(.max), .int64(10), .int64(9))
        got.star = stars.contains { $0.message != nil }
        got.badge = try await scene.messaging.first(OwnStateStore.badge, .int64(2), .int64(9))?.badge ?? -1
        got.readable = try await scene.superuser.query(
            Statement("SELECT seq FROM messaging.readable WHERE conversation = 1 AND account = 2 ORDER BY seq") {
                try $0.int64(0)
            })
        let entities = try await Connection.open(
            scene.database.configuration(of: "entities", settings: plannerSettings))
        defer { entities.close() }
        let id = String(repeating: "0", count: 31) + "1"
        got.reminder =
            try await entities.first(EntitiesStore.memberConversation, .text(id), .int64(2)) != nil
        return got
    }

    /// Runs a batch and takes it back.
    private func outcome(_ call: String, _ scene: Scene) async throws -> Outcome {
        try await scene.execute("INSERT INTO messaging.lanes VALUES (1, 0) ON CONFLICT DO NOTHING")
        let statement = Statement("SELECT outcome FROM messaging.\(call)") { try $0.int16(0) }
        try await scene.messaging.execute(Statement("BEGIN"))
        let outcome = try await scene.messaging.first(statement)
        try await scene.messaging.execute(Statement("ROLLBACK"))
        return try #require(outcome.flatMap(Outcome.init(rawValue:)))
    }

    private func attach(_ scene: Scene) async throws -> String {
        try await scene.messaging.execute(Statement("BEGIN"))
        let created = try await scene.messaging.first(
            MessagingStore.createAttachment, .int64(1), .uuid(messageID(1)), .int64(2), .text("object"), .text("name"),
            .text("text/plain"), .int64(1), .int64(9), .int64(10))
        try await scene.messaging.execute(Statement("ROLLBACK"))
        switch created {
        case .created: return ""
        case .refused(let refusal): return refusal.code.rawValue
        default: return "nothing"
        }
    }
}
