import Schema
import Testing
import Wire

@testable import ConversationsService
@testable import EntitiesService

@Suite("Rules of accounts (A1)")
struct AccountRulesTests {
    @Test(
        "usernames",
        arguments: [
            ("al", true), ("alice", true), ("9lives", true), ("a.b-c", true), (String(repeating: "a", count: 32), true),
            ("a", false), ("", false), (String(repeating: "a", count: 33), false), ("Alice", true), (".al", false),
            ("-al", false), ("al_ice", false), ("al ice", false), ("älice", false), ("al\0ce", false), ("al\n", true),
            ("admin", false), ("support", false), ("deleted", false),
        ])
    func usernames(text: String, isGood: Bool) {
        do {
            #expect(try AccountRules.username(text) == text.lowercased().filter { $0 != "\n" })
            #expect(isGood)
        } catch {
            #expect(!isGood)
            #expect(["invalid", "username_taken"].contains(error.code.rawValue))
            #expect(error.field == "username")
        }
    }

    @Test("A1 an address, and all strangers together, take only some of the places for hashing passwords")
    func passwordPlaces() {
        var admission = Admission(PasswordAdmission.limits)
        var tickets = (0..<4).compactMap { _ in admission.enter("10.0.0.1") }
        tickets += [admission.enter("10.0.0.1")].compactMap(\.self)
        #expect(tickets.count == 4, "one address has few places")
        tickets += (0..<29).compactMap { admission.enter("10.1.0.\($0)") }
        #expect(tickets.count == 32, "so have many together")
        // Where somebody signed in lately, and for a device that did, there is room.
        admission.signedIn(from: "10.0.0.2")
        tickets += [nil, "10.0.0.2"].compactMap { admission.enter($0) }
        tickets += (34..<PasswordAdmission.placesMax).compactMap { _ in admission.enter(nil) }
        let isFull = admission.enter(nil) == nil
        #expect(tickets.count == PasswordAdmission.placesMax && isFull)
        for ticket in tickets { admission.leave(ticket) }
        #expect((0..<5).compactMap { _ in admission.enter("10.0.0.1") }.count == 4)
        // So has an address where somebody signed in, but not all of them; after a wrong password it is a stranger's.
        #expect((0..<17).compactMap { _ in admission.enter("10.0.0.2") }.count == 16)
        admission.signedIn(from: "10.0.0.3")
        admission.failed(from: "10.0.0.3")
        #expect((0..<5).compactMap { _ in admission.enter("10.0.0.3") }.count == 4)
        admission = Admission(PasswordAdmission.limits)
        // Whoever has not been seen while many others were is a stranger again.
        admission.signedIn(from: "10.0.0.2")
        for number in 0..<10_001 { admission.signedIn(from: "place \(number)") }
        let more = (0..<5).compactMap { _ in admission.enter("10.0.0.2") }
        #expect(more.count == 4)
    }

    @Test("A4 by default nobody is found by an email address, since nothing confirms that it is theirs")
    func findsByEmail() {
        let setting = ConversationsService.settings.first { $0.key == "people.find-by-email" }
        #expect(setting?.defaultValue == "no")
    }

    @Test(
        "passwords need at least 8 characters of any kind",
        arguments: [
            ("12345678", true), ("пароль12", true), ("correct horse", true), ("1234567", false), ("", false),
            ("🙂🙂🙂🙂🙂🙂🙂", false),
        ])
    func passwords(text: String, isGood: Bool) {
        #expect(((try? AccountRules.password(text)) != nil) == isGood)
    }

    @Test("an empty display name becomes the username; marks that change the direction of text are refused")
    func displayNames() throws {
        #expect(try AccountRules.displayName("", username: "al") == "al")
        #expect(try AccountRules.displayName(" Al ", username: "al") == "Al")
        for bad in ["\u{202E}la", "   ", "a\u{0}b", String(repeating: "x", count: 129)] {
            #expect(throws: Refusal.self) { try AccountRules.displayName(bad, username: "al") }
        }
        #expect(try AccountRules.deviceName("") == "unnamed device")
        #expect(throws: Refusal.self) { try AccountRules.deviceName(String(repeating: "x", count: 65)) }
    }
}

@Suite("Rules of refresh tokens (A1)")
struct RefreshRulesTests {
    private static let now: Timestamp = 1_000_000_000_000

    @Test(
        "refresh tokens are good, expired or copied",
        arguments: [
            // expires after now, used before now (nil: never), its successor used, verdict
            (1, nil, false, .good),
            (0, nil, false, .expired),
            (-1, 10, true, .expired),
            (1_000, 0, false, .good),
            (1_000, 60_000_000, false, .good),
            (1_000, 60_000_001, false, .copied),
            (1_000, 10, true, .copied),
            (1_000, 60_000_001, true, .copied),
        ] as [(Int64, Int64?, Bool, RefreshRules.Verdict)])
    func verdicts(expiresIn: Int64, usedAgo: Int64?, successorWasUsed: Bool, verdict: RefreshRules.Verdict) {
        let token = RefreshableDevice(
            user: User(), device: "d", family: [], expiresAt: Self.now + .microseconds(expiresIn),
            usedAt: usedAgo.map { Self.now - .microseconds($0) },
            successorWasUsed: successorWasUsed)
        #expect(RefreshRules.verdict(on: token, now: Self.now) == verdict)
    }

    @Test(
        "of two tokens that one returned, the other one is a copy a minute after one was used",
        arguments: [
            (nil, .good), (0, .good), (60_000_000, .good), (60_000_001, .copied), (86_400_000_000, .copied),
        ] as [(Int64?, RefreshRules.Verdict)])
    func twins(otherUsedAgo: Int64?, verdict: RefreshRules.Verdict) {
        let token = RefreshableDevice(
            user: User(), device: "d", family: [], expiresAt: Self.now + .seconds(1), usedAt: nil,
            successorWasUsed: false, otherUsedAt: otherUsedAgo.map { Self.now - .microseconds($0) })
        #expect(RefreshRules.verdict(on: token, now: Self.now) == verdict)
    }
}

@Suite("Rules of members (C9)")
struct MemberRulesTests {
    typealias Standing = MemberRules.Standing

    private func outcome(_ body: () throws(Refusal) -> MemberRules.Verdict) -> String {
        do throws(Refusal) {
            return try body() == .change ? "yes" : "no change"
        } catch {
            return error.code.rawValue
        }
    }

    @Test(
        "who may add members",
        arguments: [
            (.owner, "yes"), (.admin, "yes"), (.member, "forbidden"), (.former, "not_found"), (.stranger, "not_found"),
        ] as [(Standing, String)])
    func adding(actor: Standing, expected: String) {
        #expect(
            outcome { () throws(Refusal) in
                try MemberRules.mayAdd(actor)
                return .change
            } == expected)
    }

    @Test(
        "who may remove whom",
        arguments: [
            // by the owner, an admin, a member, a former member, a stranger
            (.owner, ["yes", "forbidden", "forbidden", "not_found", "not_found"]),
            (.admin, ["yes", "forbidden", "forbidden", "not_found", "not_found"]),
            (.member, ["yes", "yes", "forbidden", "not_found", "not_found"]),
            (.former, ["no change", "no change", "forbidden", "not_found", "not_found"]),
            (.stranger, ["not_found", "not_found", "forbidden", "not_found", "not_found"]),
        ] as [(Standing, [String])])
    func removing(person: Standing, expected: [String]) {
        for (actor, expected) in zip(Standing.allCases, expected) {
            let outcome = outcome { () throws(Refusal) in try MemberRules.mayRemove(person, by: actor) }
            #expect(outcome == expected, "\(actor) removes \(person)")
        }
    }

    @Test(
        "who may leave",
        arguments: [
            (.owner, "yes"), (.admin, "yes"), (.member, "yes"), (.former, "no change"), (.stranger, "not_found"),
        ] as [(Standing, String)])
    func leaving(actor: Standing, expected: String) {
        #expect(outcome { () throws(Refusal) in try MemberRules.mayLeave(actor) } == expected)
    }

    @Test(
        "a group has no more members than the setting allows",
        arguments: [(1, 63, true), (0, 64, true), (1, 64, false), (63, 2, false)])
    func room(added: Int, members: Int, fits: Bool) {
        #expect(((try? MemberRules.checkRoom(for: added, beside: members, max: 64)) != nil) == fits)
    }

    @Test(
        "who may change the name and photo",
        arguments: [
            (.owner, "yes"), (.admin, "yes"), (.member, "forbidden"), (.former, "not_found"), (.stranger, "not_found"),
        ] as [(Standing, String)])
    func updating(actor: Standing, expected: String) {
        #expect(
            outcome { () throws(Refusal) in
                try MemberRules.mayUpdate(actor)
                return .change
            } == expected)
    }

    @Test(
        "who may make whom an admin or a member",
        arguments: [
            // to admin, to member: by the owner; by an admin, a member, a former member, a stranger to either
            (.owner, "invalid", "invalid"), (.admin, "no change", "yes"), (.member, "yes", "no change"),
            (.former, "not_found", "not_found"), (.stranger, "not_found", "not_found"),
        ] as [(Standing, String, String)])
    func roles(person: Standing, toAdmin: String, toMember: String) {
        let others = ["forbidden", "forbidden", "not_found", "not_found"]
        for (role, byOwner) in [(MemberRole.admin, toAdmin), (.member, toMember)] {
            for (actor, expected) in zip(Standing.allCases, [byOwner] + others) {
                let outcome = outcome { () throws(Refusal) in
                    try MemberRules.maySetRole(of: person, to: role, by: actor)
                }
                #expect(outcome == expected, "\(actor) makes \(person) \(role)")
            }
        }
    }

    @Test(
        "who may transfer ownership to whom; repeating a transfer changes nothing",
        arguments: [
            // by the owner, an admin, a member, a former member, a stranger
            (.owner, ["invalid", "no change", "forbidden", "not_found", "not_found"]),
            (.admin, ["yes", "forbidden", "forbidden", "not_found", "not_found"]),
            (.member, ["yes", "forbidden", "forbidden", "not_found", "not_found"]),
            (.former, ["not_found", "forbidden", "forbidden", "not_found", "not_found"]),
            (.stranger, ["not_found", "forbidden", "forbidden", "not_found", "not_found"]),
        ] as [(Standing, [String])])
    func transferring(person: Standing, expected: [String]) {
        for (actor, expected) in zip(Standing.allCases, expected) {
            let outcome = outcome { () throws(Refusal) in try MemberRules.mayTransfer(to: person, by: actor) }
            #expect(outcome == expected, "\(actor) transfers to \(person)")
        }
    }

    private func entry(_ account: AccountNumber, _ role: MemberRole, joinedVersion: Int64, isFormer: Bool = false)
        -> RosterEntry
    {
        RosterEntry(account: account, user: "u\(account)", role: role, joinedVersion: joinedVersion, isFormer: isFormer)
    }

    @Test("the next owner is the longest-serving admin, else member, else nobody; ties go to the lower account")
    func heirs() {
        let members = [
            entry(9, .member, joinedVersion: 5), entry(7, .member, joinedVersion: 1),
            entry(5, .admin, joinedVersion: 8),
            entry(6, .admin, joinedVersion: 8), entry(1, .admin, joinedVersion: 0, isFormer: true),
        ]
        #expect(MemberRules.heir(among: members)?.account == 5)
        #expect(MemberRules.heir(among: members.filter { $0.role == .member })?.account == 7)
        #expect(MemberRules.heir(among: [members[4]]) == nil)
        #expect(MemberRules.heir(among: []) == nil)
    }

    @Test("the standing of a person follows from their row")
    func standings() {
        #expect(Standing(nil) == .stranger)
        #expect(Standing(entry(1, .owner, joinedVersion: 1)) == .owner)
        #expect(Standing(entry(1, .admin, joinedVersion: 1)) == .admin)
        #expect(Standing(entry(1, .member, joinedVersion: 1)) == .member)
        #expect(Standing(entry(1, .owner, joinedVersion: 1, isFormer: true)) == .former)
    }
}

@Suite("Photos and pages of groups (C9)")
struct GroupValueTests {
    @Test(
        "a photo is an https address, or none",
        arguments: [
            ("", true), ("https://example.com", true), ("https://example.com:8443/a/b.jpg?x=1#y", true),
            ("https://[::1]/a", true), ("https://xn--bcher-kva.example/%C3%A4.png", true),
            ("https://a/" + String(repeating: "x", count: 1014), true),
            ("https://a/" + String(repeating: "x", count: 1015), false),
            ("http://example.com/a.jpg", false), ("HTTPS://example.com/a.jpg", false), ("javascript:alert(1)", false),
            ("https://", false), ("https:///a", false), ("https://?a", false), ("https://me:you@example.com/", false),
            ("https://exa mple.com/", false), ("https://example.com/a b", false), ("https://example.com/ä", false),
            ("https://example.com/\u{0}", false), ("https://example.com/\n", false), (" https://example.com", false),
            ("https://example.com/<script>", false), ("//example.com/a.jpg", false), ("a.jpg", false),
        ])
    func photos(text: String, isGood: Bool) {
        do {
            #expect(try PhotoURL.checked(text) == text)
            #expect(isGood, "\(text)")
        } catch {
            #expect(!isGood, "\(text)")
            #expect(error.code == .invalid && error.field == "photo_url")
        }
    }

    @Test("a cursor of members survives a round trip; other text is refused")
    func cursors() throws {
        let cursor = MemberCursor(role: 2, joinedVersion: 17, account: .max)
        #expect(try MemberCursor(cursor.text) == cursor)
        #expect(try MemberCursor("") == .start)
        for text in ["1", "1.2", "1.2.3.4", "0.1.1", "5.1.1", "-1.1.1", "1.-1.1", "1.1.-1", "1.1.x", "..", "1..1"] {
            #expect(throws: Refusal.self, "\(text)") { try MemberCursor(text) }
        }
    }
}

@Suite("Cursors of reminders")
struct DueCursorTests {
    @Test("a cursor survives a round trip")
    func roundTrip() throws {
        let cursor = DueCursor(Reminder(id: (0..<16).map { UInt8($0 * 16) }, dueAtUs: 42))
        #expect(cursor.text == "42.00102030405060708090a0b0c0d0e0f0")
        #expect(try DueCursor(cursor.text) == cursor)
        #expect(try DueCursor("").dueAt == .min)
    }

    @Test(
        "other text is not a cursor",
        arguments: [
            "1", "1.", "x.00102030405060708090a0b0c0d0e0f0", "1.00102030405060708090a0b0c0d0e0",
            "1.0010203040506070809gg0b0c0d0e0f0",
            "1.+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0+0", "1.00102030405060708090a0b0c0d0e0f0.2",
        ])
    func garbage(text: String) {
        #expect(throws: Refusal.self) { try DueCursor(text) }
    }
}
