import Schema
import Testing
import Wire

@testable import MessagingService

@Suite("Rules of reactions and edits (M8, M12)")
struct EmojiRuleTests {
    @Test(
        "M12 every single emoji is accepted, in any form that keyboards produce",
        arguments: [
            ("👍", "👍"), ("😀", "😀"), ("🫡", "🫡"), ("👍🏽", "👍🏽"), ("☝🏻", "☝🏻"), ("❤️", "❤️"), ("❤", "❤️"), ("©", "©️"),
            ("👍\u{FE0F}", "👍"), ("☀", "☀️"), ("🇩🇪", "🇩🇪"), ("🇺🇦", "🇺🇦"), ("1️⃣", "1️⃣"), ("#\u{20E3}", "#️⃣"), ("*️⃣", "*️⃣"),
            ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("🏳️‍🌈", "🏳️‍🌈"), ("🏳‍🌈", "🏳️‍🌈"), ("❤️‍🔥", "❤️‍🔥"), ("❤‍🔥", "❤️‍🔥"), ("🏴‍☠️", "🏴‍☠️"),
            ("👩🏽‍🚀", "👩🏽‍🚀"), ("⛹🏻‍♂️", "⛹🏻‍♂️"), ("👨🏻‍❤️‍💋‍👨🏿", "👨🏻‍❤️‍💋‍👨🏿"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ])
    func emoji(text: String, expected: String) throws {
        let emoji = try #require(EmojiRules.emoji(text))
        #expect(Array(emoji.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(EmojiRules.emoji(emoji) == emoji, "it stays the same when read again")
    }

    @Test(
        "M12 text, several emoji, parts of an emoji and additional characters are refused",
        arguments: [
            "", " ", "a", "1", "#", "ab", "👍👍", "👍 ", " 👍", "👍a", "a👍", "\u{FE0F}", "\u{200D}", "👍\u{200D}",
            "\u{200D}👍",
            "👍\u{200D}\u{200D}👍", "🇩", "🇩🇪🇫", "🇩🇪🇫🇷", "1\u{FE0F}", "\u{20E3}", "a\u{20E3}", "🏻", "❤\u{FE0F}\u{FE0F}",
            "👍\u{0301}", "👍🏽🏽", "🏴\u{E0067}", "🏴\u{E007F}", "👍\u{E0067}\u{E0062}\u{E0065}\u{E007F}", "👍\u{202E}",
            "e\u{0301}", "\0",
            "👍\0", "中", "ß", "→a", "é", "👍\u{FE0E}", String(repeating: "👍\u{200D}", count: 20) + "👍",
            String(repeating: "👍", count: 10_000),
        ])
    func noEmoji(text: String) {
        #expect(EmojiRules.emoji(text) == nil)
    }

    @Test("M12 the longest emoji fits in a cursor; malformed cursors are refused")
    func cursor() throws {
        let reaction = Reaction(user: "u", emoji: "👨🏻‍❤️‍💋‍👨🏿", atUs: 1_900_000_000_000_000)
        let cursor = ReactionsCursor(ReactionRow(account: 1_000_000_000_000, reaction: reaction))
        #expect(cursor.text.utf8.count <= 64)
        #expect(try ReactionsCursor(cursor.text) == cursor)
        #expect(try ReactionsCursor("") == .start)
        for bad in ["x", "1.2", "1.2.", "1.2.a", "-1.2.👍", "1.-2.👍", "1.2.👍👍", ".2.👍", "1..👍", "1.2.👍.3"] {
            #expect(throws: Refusal.self, "\(bad)") { try ReactionsCursor(bad) }
        }
    }

    // MARK: Edits and deletions

    private static let now: Timestamp = 1_000_000_000

    private static func context(_ change: (inout ActionContext, inout Message) -> Void = { _, _ in }) -> ActionContext {
        var message = Message(seq: 1, sender: "me", kind: .text, text: "before", sentAtUs: now.rawValue - 50)
        var context = ActionContext(
            account: 1, user: "me", isGroup: true, role: .member, refusal: nil, isPending: false, retention: 0,
            readers: [1, 2], isReadable: true, message: nil)
        change(&context, &message)
        if message.seq != 0 { context.message = message }
        return context
    }

    @Test("M8 who may edit what, and until when")
    func edits() throws {
        func outcome(
            _ text: String = "after", mentions: [String] = [], window: Int64 = 100,
            _ change: (inout ActionContext, inout Message) -> Void = { _, _ in }
        ) -> String {
            do {
                let edited = try ActionRules.edited(
                    Self.context(change), text: text, mentions: mentions, at: Self.now, window: .microseconds(window))
                return edited == nil ? "same" : "edited"
            } catch {
                return error.code.rawValue
            }
        }
        #expect(outcome() == "edited")
        #expect(outcome(window: 50) == "edited" && outcome(window: 49) == "edit_window_closed")
        #expect(outcome("before") == "same" && outcome("before", window: 0) == "same")
        #expect(outcome("before", mentions: ["u"]) == "edited")
        #expect(outcome("before", mentions: ["u", "v"]) { $1.mentions = ["v", "u"] } == "same")
        #expect(
            outcome {
                $0.refusal = .acceptFirst; $1.seq = 0
            } == "accept_first")
        #expect(outcome { context, _ in context.refusal = .userBlocked } == "user_blocked")
        #expect(outcome { context, _ in context.refusal = .notMember } == "not_member")
        #expect(outcome { $1.seq = 0 } == "message_not_found")
        #expect(outcome { context, _ in context.isReadable = false } == "message_not_found")
        #expect(outcome { $1.kind = .system } == "message_not_found")
        #expect(outcome { $1.sender = "other" } == "not_author")
        #expect(outcome { context, message in (context.role, message.sender) = (.owner, "other") } == "not_author")
        #expect(outcome { $1.forwardedFrom = "other" } == "not_author")
        #expect(outcome { $1.forwardedFrom = "me" } == "edited")
        #expect(outcome { $1.deletedAtUs = 1 } == "message_deleted")
        #expect(outcome { $1.expiresAtUs = Self.now.rawValue } == "message_deleted")
        #expect(outcome { $1.expiresAtUs = Self.now.rawValue + 1 } == "edited")
    }

    @Test("M8 who may delete what, without a time limit; and who may set retention (M18)")
    func deletions() throws {
        func outcome(_ change: (inout ActionContext, inout Message) -> Void = { _, _ in }) -> String {
            do {
                return try ActionRules.deleted(Self.context(change), at: Self.now) == nil ? "same" : "deleted"
            } catch {
                return error.code.rawValue
            }
        }
        #expect(outcome() == "deleted")
        #expect(outcome { $1.sentAtUs = 0 } == "deleted")
        #expect(outcome { context, _ in context.refusal = .userBlocked } == "deleted", "a blocked author, too")
        #expect(outcome { $1.sender = "other" } == "not_author")
        for (role, isGroup, expected) in [
            (MemberRole.admin, true, "deleted"), (.owner, true, "deleted"), (.owner, false, "not_author"),
        ] {
            let outcome = outcome { context, message in
                (context.role, context.isGroup, message.sender) = (role, isGroup, "other")
            }
            #expect(outcome == expected)
        }
        #expect(outcome { $1.deletedAtUs = 1 } == "same" && outcome { $1.expiresAtUs = 1 } == "same")
        #expect(outcome { context, message in (message.deletedAtUs, message.sender) = (1, "other") } == "not_author")
        #expect(outcome { $1.kind = .system } == "message_not_found")

        func retention(_ change: (inout ActionContext, inout Message) -> Void) -> String {
            do {
                try ActionRules.maySetRetention(Self.context(change))
                return "done"
            } catch {
                return error.code.rawValue
            }
        }
        #expect(retention { _, _ in } == "forbidden")
        #expect(retention { context, _ in context.role = .admin } == "done")
        #expect(retention { context, _ in context.isGroup = false } == "done")
        #expect(retention { context, _ in (context.isGroup, context.isPending) = (false, true) } == "forbidden")
        #expect(
            retention { context, _ in (context.isGroup, context.refusal) = (false, .userBlocked) } == "user_blocked")
    }
}
