import Schema
import ServiceKit
import Testing
import Wire

@testable import NotificationsService

@Suite("N1: who is told of what")
struct PushRuleTests {
    private static let now: Timestamp = 10_000_000_000_000

    /// A new text from a friend in the inbox.
    private static var plain: MessageFacts {
        var message = MessageFacts(
            account: 1, key: MessageKey(conversation: 5, seq: 10), sentAt: now - .seconds(1))
        (message.sender, message.senderName, message.conversationID) = (2, "Bob", "bob_alice")
        (message.text, message.readSeq) = ("hello", 9)
        return message
    }

    typealias Row = (what: String, told: PushRules.Verdict, change: @Sendable (inout MessageFacts) -> Void)

    private static let rows: [Row] = [
        ("a text in the inbox", .told(isDirected: false), { _ in }),
        ("a photo", .told(isDirected: false), { ($0.kind, $0.text) = (.image, "") }),
        ("a mention", .told(isDirected: true), { $0.mentionsPerson = true }),
        ("an answer to mine", .told(isDirected: true), { $0.answersPerson = true }),
        ("my own, from another device", .notTold(.own), { $0.sender = 1 }),
        ("somebody joined", .notTold(.note), { ($0.kind, $0.sender) = (.system, nil) }),
        (
            "an event that somebody shared", .told(isDirected: false),
            {
                ($0.kind, $0.sender) = (.system, nil)
                $0.shared = .init(id: [1], title: "Dinner", account: 2, name: "Bob")
            }
        ),
        (
            "an event, and events are off", .notTold(.unwanted),
            {
                ($0.kind, $0.sender, $0.wishes.events) = (.system, nil, false)
                $0.shared = .init(id: [1], title: "Dinner", account: 2, name: "Bob")
            }
        ),
        (
            "my own event", .notTold(.own),
            {
                ($0.kind, $0.sender) = (.system, nil)
                $0.shared = .init(id: [1], title: "Dinner", account: 1, name: "Alice")
            }
        ),
        ("just within the hour", .told(isDirected: false), { $0.sentAt = now - .seconds(3599) }),
        ("an hour old", .notTold(.late), { $0.sentAt = now - .seconds(3600) }),
        ("read elsewhere", .notTold(.read), { $0.readSeq = 10 }),
        ("from somebody blocked", .notTold(.blocked), { $0.isOfBlocked = true }),
        ("another message of a pending request", .notTold(.request), { $0.section = .requests }),
        ("of my own pending request", .notTold(.request), { $0.isPending = true }),
        ("of a blocked conversation", .notTold(.hidden), { $0.section = .blockedPeople }),
        ("of a group that I left", .notTold(.hidden), { $0.section = .left }),
        ("of one that is gone", .notTold(.hidden), { $0.section = .gone }),
        ("muted", .notTold(.muted), { $0.mutedUntil = .max }),
        ("muted until a moment ago", .told(isDirected: false), { $0.mutedUntil = now }),
        ("a mention, muted", .notTold(.muted), { ($0.mutedUntil, $0.mentionsPerson) = (.max, true) }),
        (
            "a mention, muted, and mentions break mutes", .told(isDirected: true),
            { ($0.mutedUntil, $0.mentionsPerson, $0.wishes.mentionsWhenMuted) = (.max, true, true) }
        ),
        (
            "an answer, muted, and mentions break mutes", .notTold(.muted),
            { ($0.mutedUntil, $0.answersPerson, $0.wishes.mentionsWhenMuted) = (.max, true, true) }
        ),
        ("archived, and this brings it back", .told(isDirected: false), { $0.archivedSeq = 9 }),
        ("archived after it", .notTold(.archived), { $0.archivedSeq = 10 }),
        (
            "archived and muted, a mention that breaks mutes", .notTold(.archived),
            {
                ($0.archivedSeq, $0.mutedUntil, $0.mentionsPerson) = (9, .max, true)
                $0.wishes.mentionsWhenMuted = true
            }
        ),
        ("mentions only", .notTold(.level), { $0.wishes.level = .mentionsOnly }),
        (
            "mentions only, a mention", .told(isDirected: true),
            { ($0.wishes.level, $0.mentionsPerson) = (.mentionsOnly, true) }
        ),
        (
            "mentions only, an answer", .told(isDirected: true),
            { ($0.wishes.level, $0.answersPerson) = (.mentionsOnly, true) }
        ),
        ("none", .notTold(.level), { ($0.wishes.level, $0.mentionsPerson) = (.noMessages, true) }),
        (
            "none, all of this conversation", .told(isDirected: false),
            { ($0.wishes.level, $0.level) = (.noMessages, .allMessages) }
        ),
        ("all, none of this conversation", .notTold(.level), { $0.level = .noMessages }),
        ("do not disturb", .notTold(.doNotDisturb), { $0.saysDoNotDisturb = true }),
    ]

    @Test(
        "N1 what a provider does not take waits as long as it asks for, and twice as long each time, up to a minute")
    func pauses() {
        let waits = (1...20).map { PushRules.pause(asked: .milliseconds(200), tries: $0) }
        #expect(waits[0] == .milliseconds(200) && waits[1] == .milliseconds(400) && waits[8] == .milliseconds(51_200))
        #expect(waits == waits.sorted() && waits.last == waits[8])
        #expect(PushRules.pause(asked: .seconds(60), tries: 1) == .seconds(60))
        #expect(PushRules.pause(asked: .seconds(7200), tries: 1000) == .seconds(900))
        #expect(PushRules.pause(asked: .zero, tries: -1) == .milliseconds(100))
    }

    @Test("N1 each line of who is told of a message", arguments: PushRuleTests.rows.indices)
    func messages(_ index: Int) {
        let row = Self.rows[index]
        var message = Self.plain
        row.change(&message)
        #expect(PushRules.verdict(on: message, at: Self.now) == row.told, "\(row.what)")
    }

    @Test("N1 a push says what the person wants, at most what the operator allows, nothing of what soon disappears")
    func content() {
        var message = Self.plain
        message.groupName = "Team"
        func said(_ most: PushContent) -> NoticeText {
            NoticeText.of(message, saying: PushRules.content(of: message, operatorAllows: most))
        }
        #expect(said(.fullText).title == "Team" && said(.fullText).body == "Bob: hello")
        #expect(said(.namesOnly).title == "Team" && said(.namesOnly).body == "Bob: New message")
        let nothing = NoticeText(kind: "message", title: "", body: "New message")
        #expect(said(.noContent) == nothing)
        message.wishes.content = .namesOnly
        #expect(said(.fullText).body == "Bob: New message")
        message.retention = .seconds(3600)
        #expect(said(.fullText).body == "Bob: New message")
        message.retention = .seconds(3599)
        #expect(said(.fullText) == nothing)
        message.retention = .zero
        message.wishes.content = .fullText
        message.text = String(repeating: "🙂", count: 3000)
        #expect(said(.fullText).body.count == NoticeText.textMax + "Bob: ".count)
    }

    @Test("N1 quiet hours hold by the weekday on which they begin, also after midnight and at the end of the week")
    func quiet() {
        let quiet = QuietHoursOfWeek(hours: [
            .init(weekday: 7, from: 22 * 60, until: 7 * 60), .init(weekday: 3, from: 0, until: 1440),
            .init(weekday: 5, from: 600, until: 600),
        ])
        func holds(_ weekday: Int, _ hour: Int, _ minute: Int = 0) -> Bool {
            quiet.contains(weekday: weekday, minute: hour * 60 + minute)
        }
        #expect(!holds(7, 21, 59) && holds(7, 22) && holds(7, 23, 59) && holds(1, 0) && holds(1, 6, 59))
        #expect(!holds(1, 7) && !holds(1, 22) && !holds(2, 3))
        #expect(!holds(2, 23, 59) && holds(3, 0) && holds(3, 23, 59) && !holds(4, 0))
        #expect(!holds(5, 9, 59) && holds(5, 10) && holds(6, 9, 59) && !holds(6, 10), "a whole day from 10:00")
    }
}

@Suite("N1: registrations of devices")
struct RegistrationTests {
    private func refused(_ change: (inout RegisterPushRequest) -> Void) -> String? {
        var request = RegisterPushRequest(
            transport: .apns, token: String(repeating: "a1", count: 32), app: "com.example.chat")
        change(&request)
        do throws(Refusal) {
            _ = try Registration(request)
            return nil
        } catch {
            return error.field
        }
    }

    @Test("what the push service will never accept is refused with its field")
    func fields() {
        let key = [4] + [UInt8](repeating: 7, count: 64)
        let secret = [UInt8](repeating: 1, count: 16)
        #expect(refused { _ in } == nil)
        #expect(refused { $0.transport = .unspecified } == "transport")
        #expect(refused { $0.transport = .unrecognized(9) } == "transport")
        for token in ["", "zz", "a1 a1", String(repeating: "a", count: 63), String(repeating: "a1", count: 300)] {
            #expect(refused { $0.token = token } == "token", "\(token)")
        }
        #expect(refused { $0.app = "" } == "app")
        #expect(refused { $0.app = "com.example/../x" } == "app")
        #expect(refused { $0.language = "de CH" } == "language")
        #expect(refused { ($0.transport, $0.app) = (.fcm, "") } == nil)
        #expect(refused { ($0.transport, $0.token) = (.webPush, "http://push.example/1") } == "token")
        #expect(refused { ($0.transport, $0.token) = (.webPush, "https://push.example/1") } == "content_key")
        let long = "https://push.example/" + String(repeating: "1", count: 2048)
        for token in [long, "https://me@push.example/1", "https://"] {
            #expect(refused { ($0.transport, $0.token) = (.webPush, token) } == "token", "\(token.prefix(40))")
        }
        #expect(
            refused {
                ($0.transport, $0.token) = (.webPush, "https://push.example/1")
                ($0.contentKey, $0.authSecret) = (key, secret)
            } == nil)
        #expect(refused { $0.contentKey = key } == "auth_secret")
        #expect(refused { $0.authSecret = secret } == "content_key")
        #expect(refused { ($0.contentKey, $0.authSecret) = ([5] + key.dropFirst(), secret) } == "content_key")
    }

    @Test("the same token of another app or transport is another one; capitals of Apple's token do not count")
    func hashes() throws {
        func hash(_ change: (inout RegisterPushRequest) -> Void) throws -> [UInt8] {
            var request = RegisterPushRequest(
                transport: .apns, token: String(repeating: "a1", count: 32), app: "com.example.chat")
            change(&request)
            return try Registration(request).hash
        }
        let hashes = try [
            hash { _ in }, hash { $0.app = "com.example.other" }, hash { $0.transport = .apnsSandbox },
            hash { $0.token = String(repeating: "a2", count: 32) },
        ]
        #expect(Set(hashes).count == 4 && hashes.allSatisfy { $0.count == 32 })
        #expect(try hash { $0.token = $0.token.uppercased() } == hashes[0])
    }
}

@Suite("N1: who is reached, and who has the app in front")
struct PushPictureTests {
    @Test("the registry reads pages to their end, then only what changes, with some overlap")
    func registry() {
        func entry(_ account: Int64, at: Int64, reactions: Bool = false, devices: Bool = true) -> Registry.Entry {
            .init(
                account: AccountNumber(account), hasDevices: devices, wantsReactions: reactions,
                changedAt: Timestamp(at))
        }
        var registry = Registry()
        let both = [entry(1, at: 50_000_000), entry(2, at: 50_000_000, reactions: true)]
        #expect(registry.take(both, pageMax: 2) == true)
        #expect(registry.after.at == 50_000_000 && registry.after.account == 2)
        #expect(registry.take([entry(3, at: 60_000_000)], pageMax: 2) == false)
        #expect(registry.after.at == 50_000_000 && registry.after.account == 0, "never backwards")
        #expect(registry.count == 3 && registry.hasDevices(1) && registry.wantsReactions(2))
        #expect(registry.take([entry(2, at: 90_000_000, reactions: true, devices: false)], pageMax: 2) == false)
        #expect(registry.after.at == 70_000_000 && !registry.hasDevices(2) && !registry.wantsReactions(2))
        #expect(registry.take([], pageMax: 2) == false && registry.count == 2)
    }

    @Test("a picture of the foreground is whole after its last page and its changes, and begins anew after a gap")
    func picture() {
        var picture = ForegroundPicture()
        #expect(picture.hear(ForegroundChange(epoch: "e", came: [9], went: [1]), at: 6) == .nothing)
        #expect(
            picture.take(ForegroundReply(epoch: "e", position: 5, accounts: [1, 2], more: true)) == .askAfter(2))
        #expect(!picture.isWhole)
        #expect(picture.take(ForegroundReply(epoch: "e", position: 5, accounts: [3])) == .nothing)
        #expect(picture.isWhole && picture.people == [2, 3, 9] && picture.takeLeft() == [1])
        #expect(picture.hear(ForegroundChange(epoch: "e"), at: 6) == .nothing)
        #expect(picture.hear(ForegroundChange(epoch: "e", went: [3]), at: 7) == .nothing)
        #expect(picture.takeLeft() == [3] && picture.takeLeft().isEmpty)
        #expect(picture.hear(ForegroundChange(epoch: "e"), at: 8) == .ask, "one was lost")
        #expect(!picture.isWhole)
        #expect(picture.take(ForegroundReply(epoch: "e", position: 8, accounts: [2])) == .nothing)
        #expect(picture.people == [2] && picture.takeLeft() == [9], "who left with the loss")
        #expect(picture.hear(ForegroundChange(epoch: "f", came: [7]), at: 1) == .ask, "another process")
        #expect(picture.take(ForegroundReply(epoch: "f", position: 1, accounts: [7], more: true)) == .askAfter(7))
        #expect(picture.take(ForegroundReply(epoch: "g", position: 1, accounts: [8])) == .ask)
    }

    @Test("what came in the last 5 s before somebody left is taken once, for those who left")
    func recent() {
        let start = ContinuousClock.now
        var recent = RecentlyInFront()
        recent.note(.init(conversation: 1, seq: 1), [1, 2], at: start)
        recent.note(.init(conversationID: "c", seq: 2), [1], at: start + .seconds(4))
        recent.note(.init(conversation: 1, seq: 3), [], at: start + .seconds(4))
        let taken = recent.take([1], at: start + .seconds(5))
        #expect(Set(taken.map(\.place.seq)) == [1, 2] && taken.allSatisfy { $0.account == 1 })
        #expect(recent.take([1], at: start + .seconds(5)).isEmpty)
        #expect(recent.take([2], at: start + .seconds(6)).isEmpty, "too long ago")
        for seq in 0..<(RecentlyInFront.countMax + 10) {
            recent.note(.init(conversation: 2, seq: Seq(Int64(seq))), [3], at: start + .seconds(7))
        }
        #expect(recent.take([3], at: start + .seconds(8)).count <= RecentlyInFront.countMax)
    }
}
