import Schema
import Testing
import Wire

@testable import ConversationsService

@Suite("A3, A4, C13: rules of profiles, searches for people, and reports")
struct PeopleRuleTests {
    private func isRefused(_ code: String, _ body: () throws -> some Any) -> Bool {
        do {
            _ = try body()
            return false
        } catch {
            return (error as? Refusal)?.code.rawValue == code
        }
    }

    @Test(
        "A3 plausible email addresses are accepted",
        arguments: [
            "", "a@b.ch", "dana.miller+parley@mail.example.org", "jürgen@müller.example", "x_y@1.2.org",
            String(repeating: "a", count: 64) + "@example.org",
        ])
    func goodEmail(_ text: String) throws {
        #expect(try ProfileRules.email(text) == text)
    }

    @Test(
        "A3 text that cannot be an email address is refused",
        arguments: [
            "a", "@", "a@", "@b.ch", "a@b", "a@b.", "a@.ch", "a@b..ch", "a@-b.ch", "a@b-.ch", "a b@c.ch", "a@b c.ch",
            "a@b@c.ch", "\"a\"@b.ch", "<a@b.ch>", "a@b.ch\n", "a@b_c.ch", "a\u{202E}@b.ch", "a@b\u{202E}.ch",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b.", count: 130) + "ch",
        ])
    func badEmail(_ text: String) {
        #expect(isRefused("invalid") { try ProfileRules.email(text) })
    }

    @Test(
        "A1 a username is what somebody means by what they type",
        arguments: [
            ("Zoe", "zoe"), ("zoe ", "zoe"), (" ZOE\n", "zoe"), ("\u{200E}zoe\u{200F}", "zoe"), ("ｚｏｅ", "zoe"),
            ("zo\u{200B}e", "zoe"), ("\u{202A}zoe\u{202C}", "zoe"), ("Anne-Marie", "anne-marie"), ("K", nil),
            ("Zoë", nil), ("zo e", nil), ("zое", nil), ("\u{202E}zoe", nil), ("İnci", nil), ("Admin", nil),
        ] as [(String, String?)])
    func usernames(typed: String, username: String?) { #expect((try? AccountRules.username(typed)) == username) }

    @Test(
        "A1 a password is the same in every normal form, with every space",
        arguments: [
            ("pässwörter", "pa\u{308}sswo\u{308}rter"), ("correct\u{A0}horse", "correct horse"),
            ("\u{D55C}\u{AD6D}\u{C5B4}12345", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}12345"),
            ("Ångström99", "\u{212B}ngstro\u{308}m99"), ("がぎぐげごがぎぐ", "か\u{3099}ぎぐげごがぎぐ"),
            ("a\u{3000}b\u{2003}cdefg", "a b cdefg"),
        ])
    func passwords(text: String, other: String) throws {
        #expect(Array(try AccountRules.password(text).utf8) == Array(try AccountRules.password(other).utf8))
        #expect(AccountRules.typedPassword("ＡＢＣ") != "ABC" && AccountRules.typedPassword("Abc") != "abc")
    }

    @Test("A3 a request changes only the fields that it names")
    func changes() throws {
        let user = User(id: "u1", username: "dana", displayName: "Dana", photoUrl: "https://x.org/1", createdAtUs: 7)
        let profile = Profile(user: user, email: "d@x.org", findableByEmail: true)
        #expect(try ProfileRules.Changes(UpdateProfileRequest()).apply(to: profile) == profile)
        var renamed = profile
        renamed.user?.displayName = "Dana Miller"
        let rename = UpdateProfileRequest(changeDisplayName: .displayName(" Dana Miller "))
        #expect(try ProfileRules.Changes(rename).apply(to: profile) == renamed)
        var emptied = profile
        emptied.user?.photoUrl = ""
        (emptied.email, emptied.findableByEmail) = ("", false)
        let empty = UpdateProfileRequest(
            changePhoto: .photoUrl(""), changeEmail: .email(""), changeFindable: .findableByEmail(false))
        #expect(try ProfileRules.Changes(empty).apply(to: profile) == emptied)
        let refused: [(UpdateProfileRequest, String)] = [
            (.init(changeDisplayName: .displayName("")), "invalid"),
            (.init(changeDisplayName: .displayName("a\u{202E}b")), "invalid"),
            (.init(changeUsername: .username("")), "invalid"),
            (.init(changeUsername: .username("Da na")), "invalid"),
            (.init(changeUsername: .username("admin")), "username_taken"),
            (.init(changeUsername: .username(" Admin")), "username_taken"),
            (.init(changePhoto: .photoUrl("http://x.org/1")), "invalid"),
            (.init(changePhoto: .photoUrl("javascript:alert(1)")), "invalid"),
        ]
        for (request, code) in refused { #expect(isRefused(code) { try ProfileRules.Changes(request) }, "\(request)") }
    }

    @Test("A4 a cursor survives a round trip; other text is refused")
    func cursors() throws {
        for cursor in [
            PeopleCursor(part: 0, account: 1, letters: "anna"), PeopleCursor(part: 2, account: .max, letters: "a.1. b"),
        ] {
            #expect(try PeopleCursor(cursor.text) == cursor)
        }
        #expect(try PeopleCursor("") == .start)
        for text in ["x", "0.1", "3.1.a", "-1.1.a", "0.0.a", "0.x.a", "..", "0.-1.a"] {
            #expect(throws: Refusal.self, "\(text)") { try PeopleCursor(text) }
        }
    }

    @Test("C13 a report has a reason, and names a message by both conversation and seq or by neither")
    func reports() throws {
        #expect(isRefused("invalid") { try ReportRules.reason(.unspecified) })
        #expect(isRefused("invalid") { try ReportRules.reason(.unrecognized(7)) })
        #expect(try ReportRules.reason(.spam) == 1 && ReportRules.reason(.other) == 6)
        try ReportRules.checkMessage(conversation: "", seq: 0)
        try ReportRules.checkMessage(conversation: "a_b", seq: 1)
        for (conversation, seq) in [("", Seq(1)), ("a_b", 0), ("a_b", -1)] {
            #expect(isRefused("invalid") { try ReportRules.checkMessage(conversation: conversation, seq: seq) })
        }
        #expect(try ReportRules.note(" \n") == "" && ReportRules.note("why\nso") == "why\nso")
        #expect(isRefused("invalid") { try ReportRules.note("a\u{7}") })
    }

    @Test("C10 a piece of a job covers at most 1,000 members, but at least one conversation; groups are left singly")
    func pieces() {
        func conversations(_ sizes: [Int], _ kind: ConversationKind = .group) -> [JobConversation] {
            sizes.map { JobConversation(number: 1, id: "x", kind: kind, members: $0) }
        }
        let table: [([JobConversation], JobKind, Int)] = [
            ([], .publishProfile, 0), (conversations([400, 400, 400]), .publishProfile, 2),
            (conversations([1000, 1]), .publishProfile, 1), (conversations([5000]), .publishProfile, 1),
            (conversations([2, 2, 2], .direct), .erase, 3),
            (conversations([2, 2], .direct) + conversations([3]), .erase, 2), (conversations([3, 3]), .erase, 1),
        ]
        for (next, kind, count) in table {
            #expect(ConversationsService.piece(of: next, for: kind).count == count)
        }
    }
}
