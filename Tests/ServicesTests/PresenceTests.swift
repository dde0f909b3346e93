import Schema
import Testing
import Wire

@testable import PresenceService

@Suite("Online sessions (P1, P2)")
struct PresenceSessionsTests {
    private let start = ContinuousClock.now

    private func report(
        _ gateway: String, full: Bool = false, opened: [(String, Int64)] = [], closed: [String] = []
    ) -> SessionsReport {
        SessionsReport(
            gateway: gateway, full: full,
            opened: opened.map { SessionOpened(session: $0.0, account: $0.1) }, closed: closed)
    }

    private func words(_ changes: [PresenceSessions.Change]?) -> [String]? {
        changes?.map { change in
            let isNews = change.isOnline != change.wasOnline
            let word = isNews ? change.isOnline ? "came" : "went" : change.activity.isIdle ? "idle" : "active"
            let conversation = change.activity.conversation
            return "u\(change.account) \(word)" + (conversation.isEmpty ? "" : " in \(conversation)")
        }.sorted()
    }

    @Test("an unknown gateway must send a full report first")
    func unknownGateway() {
        var sessions = PresenceSessions(lease: .seconds(30))
        #expect(sessions.apply(report("a", opened: [("s", 1)]), at: start) == nil)
        #expect(words(sessions.apply(report("a", full: true, opened: [("s", 1)]), at: start)) == ["u1 came"])
        #expect(sessions.isOnline(1))
    }

    @Test("a person is online while any session on any gateway is open, and only changes are reported")
    func severalSessions() {
        var sessions = PresenceSessions(lease: .seconds(30))
        _ = sessions.apply(report("a", full: true), at: start)
        _ = sessions.apply(report("b", full: true), at: start)
        #expect(
            words(sessions.apply(report("a", opened: [("s1", 1), ("s2", 1), ("s3", 2)]), at: start)) == [
                "u1 came", "u2 came",
            ])
        #expect(words(sessions.apply(report("b", opened: [("t1", 1)]), at: start)) == [])
        #expect(words(sessions.apply(report("a", closed: ["s1", "s2"]), at: start)) == [])
        #expect(words(sessions.apply(report("b", closed: ["t1", "t1", "nobody"]), at: start)) == ["u1 went"])
        #expect(Array(sessions.online) == [2])
    }

    @Test("a session that is reported twice, or again in a full report, counts once")
    func repeated() {
        var sessions = PresenceSessions(lease: .seconds(30))
        _ = sessions.apply(report("a", full: true, opened: [("s", 1)]), at: start)
        #expect(words(sessions.apply(report("a", opened: [("s", 1)]), at: start)) == [])
        #expect(words(sessions.apply(report("a", full: true, opened: [("s", 1), ("t", 2)]), at: start)) == ["u2 came"])
        #expect(words(sessions.apply(report("a", full: true, opened: [("t", 2)]), at: start)) == ["u1 went"])
        #expect(words(sessions.apply(report("a", closed: ["t"]), at: start)) == ["u2 went"])
        #expect(Array(sessions.online).isEmpty)
    }

    @Test(
        "while a report of several pages arrives, people on later pages stay online; those on no page go with the last")
    func pages() {
        var sessions = PresenceSessions(lease: .seconds(30))
        let all = (0..<Int64(PresenceSessions.pageItems + 2)).map { ("s\($0)", $0 + 1) }
        let (first, second) = (Array(all.prefix(PresenceSessions.pageItems)), Array(all.suffix(2)))
        _ = sessions.apply(report("a", full: true, opened: first), at: start)
        _ = sessions.apply(report("a", opened: second), at: start)
        #expect(sessions.isOnline(AccountNumber(all[all.count - 1].1)) && sessions.isOnline(1))
        // Again, without the last one.
        #expect(words(sessions.apply(report("a", full: true, opened: first), at: start)) == [])
        #expect(words(sessions.apply(report("a", opened: [second[0]]), at: start)) == ["u\(second[1].1) went"])
    }

    @Test("a person who opens one session and closes another in the same report stays online")
    func openedAndClosedBetween() {
        var sessions = PresenceSessions(lease: .seconds(30))
        _ = sessions.apply(report("a", full: true, opened: [("s", 1)]), at: start)
        #expect(words(sessions.apply(report("a", opened: [("t", 1)], closed: ["s"]), at: start)) == [])
        #expect(sessions.isOnline(1))
    }

    private func opened(
        _ session: String, _ account: Int64, background: Bool = false, in conversation: String = "", idle: Int64 = 0
    ) -> SessionOpened {
        SessionOpened(
            session: session, account: account, background: background, currentConversation: conversation, idleMs: idle)
    }

    /// Sessions of one gateway, whose people are idle after a minute.
    private func sessions(_ opened: SessionOpened...) -> PresenceSessions {
        var sessions = PresenceSessions(lease: .seconds(3600), idleAfter: .seconds(60), at: start)
        _ = sessions.apply(SessionsReport(gateway: "a", full: true, opened: opened), at: start)
        return sessions
    }

    private func apply(
        _ opened: SessionOpened, after seconds: Int, to sessions: inout PresenceSessions
    ) -> [String]? {
        words(sessions.apply(SessionsReport(gateway: "a", opened: [opened]), at: start + .seconds(seconds)))
    }

    @Test("P1 a person is idle when no device was used for a while, and no longer with the next sign of use")
    func idle() {
        var sessions = sessions(opened("s", 1), opened("t", 2))
        #expect(words(sessions.expire(at: start + .seconds(59))) == [])
        #expect(apply(opened("t", 2), after: 59, to: &sessions) == [], "still used")
        #expect(words(sessions.expire(at: start + .seconds(61))) == ["u1 idle"])
        #expect(words(sessions.expire(at: start + .seconds(62))) == [], "once")
        #expect(words(sessions.expire(at: start + .seconds(121))) == ["u2 idle"])
        #expect(apply(opened("s", 1), after: 130, to: &sessions) == ["u1 active"])
        #expect(words(sessions.expire(at: start + .seconds(189))) == [])
        #expect(words(sessions.expire(at: start + .seconds(192))) == ["u1 idle"], "and idle again")
        #expect(apply(opened("s", 1), after: 200, to: &sessions) == ["u1 active"])
        #expect(
            words(sessions.apply(report("a", closed: ["s", "t"]), at: start + .seconds(201))) == ["u1 went", "u2 went"])
        #expect(words(sessions.expire(at: start + .seconds(400))) == [], "nobody is left")
    }

    @Test("P1 one device in use keeps a person from being idle; one that only began in the background does not")
    func idleOverDevices() {
        var sessions = sessions(opened("s", 1), opened("t", 1, background: true, idle: -1), opened("u", 2, idle: -1))
        #expect(sessions.activity(of: 1) == .init(isOnline: true, isInForeground: true))
        #expect(sessions.activity(of: 2) == .init(isOnline: true, isIdle: true))
        #expect(apply(opened("t", 1), after: 50, to: &sessions) == [])
        #expect(words(sessions.expire(at: start + .seconds(100))) == [])
        // What a gateway reports anew after presence restarted keeps its age.
        #expect(apply(opened("u", 2, idle: 59_000), after: 100, to: &sessions) == ["u2 active"])
        #expect(words(sessions.expire(at: start + .seconds(102))) == ["u2 idle"])
        #expect(words(sessions.expire(at: start + .seconds(112))) == ["u1 idle"])
    }

    @Test("P1 the current conversation is that of the device used last, and none in the background or when idle")
    func conversations() {
        var sessions = sessions(opened("s", 1, in: "c"))
        #expect(sessions.currentConversation(of: 1) == "c")
        #expect(apply(opened("t", 1, in: "d"), after: 10, to: &sessions) == ["u1 active in d"])
        #expect(apply(opened("s", 1, in: "c"), after: 20, to: &sessions) == ["u1 active in c"])
        #expect(
            apply(opened("s", 1, background: true, in: "c", idle: 5_000), after: 25, to: &sessions) == [
                "u1 active in d"
            ])
        #expect(words(sessions.apply(report("a", closed: ["t"]), at: start + .seconds(30))) == ["u1 active"])
        #expect(sessions.currentConversation(of: 1) == nil)
        #expect(apply(opened("s", 1, in: "c"), after: 40, to: &sessions) == ["u1 active in c"])
        #expect(words(sessions.expire(at: start + .seconds(102))) == ["u1 idle"])
        #expect(sessions.currentConversation(of: 1) == nil && sessions.currentConversation(of: 2) == nil)
    }

    @Test("a gateway that is silent for its lease loses its sessions, and must send a full report again")
    func lease() {
        var sessions = PresenceSessions(lease: .seconds(30))
        _ = sessions.apply(report("a", full: true, opened: [("s", 1)]), at: start)
        _ = sessions.apply(report("b", full: true, opened: [("t", 2)]), at: start)
        _ = sessions.apply(report("b"), at: start + .seconds(20))
        #expect(words(sessions.expire(at: start + .seconds(30))) == [])
        #expect(words(sessions.expire(at: start + .seconds(31))) == ["u1 went"])
        #expect(sessions.apply(report("a"), at: start + .seconds(32)) == nil)
        #expect(words(sessions.expire(at: start + .seconds(51))) == ["u2 went"])
    }
}

@Suite("Watches (P4)")
struct WatchesTests {
    private let start = ContinuousClock.now
    private let offline = Watches.View(isOpen: true, shown: .offline)
    private let online = Watches.View(
        isOpen: true, shown: Shown(.init(isOnline: true), Words(), isMember: false, at: 0))
    private let hidden = Watches.View(isOpen: false, shown: .offline)

    private func pair(_ watched: AccountNumber, _ watcher: AccountNumber) -> Watches.Pair {
        Watches.Pair(watched: watched, watcher: watcher)
    }

    /// Watches in which each named person watches accounts that are offline, by a session of their own.
    private func watches(_ sessions: [(String, AccountNumber, [AccountNumber])]) -> Watches {
        var watches = Watches(lifetime: .seconds(90))
        for (session, watcher, watched) in sessions { set(watched, session, watcher, in: &watches) }
        return watches
    }

    private func set(
        _ watched: [AccountNumber], _ session: String, _ watcher: AccountNumber, as view: Watches.View? = nil,
        after: Duration = .zero, in watches: inout Watches
    ) {
        watches.set(
            Dictionary(uniqueKeysWithValues: watched.map { ($0, sight(of: $0, view ?? offline)) }), session: session,
            watcher: watcher, revision: watches.revision, at: start + after)
    }

    private func sight(of account: AccountNumber, _ view: Watches.View) -> Watches.Sight {
        Watches.Sight(user: "u\(account)", view: view)
    }

    /// Who is shown a change now; each watcher is shown it once.
    private func shown(_ account: AccountNumber, _ isOnline: Bool, _ watches: inout Watches) -> [AccountNumber] {
        watches.show(account, .init(isOnline: isOnline), at: 0).shown.flatMap(\.watchers).sorted()
    }

    @Test("a watch replaces the session's previous one, and ends with the session")
    func replace() {
        var watches = watches([("s", 10, [1, 2]), ("t", 11, [2, 3])])
        #expect(shown(1, true, &watches) == [10])
        #expect(shown(2, true, &watches) == [10, 11])
        set([3], "s", 10, in: &watches)
        #expect(!watches.isWatched(1) && shown(1, true, &watches) == [])
        #expect(shown(3, true, &watches) == [10, 11])
        watches.end(session: "t")
        watches.end(session: "t")
        #expect(!watches.isWatched(2) && !watches.isEmpty)
        set([], "s", 10, in: &watches)
        #expect(!watches.isWatched(3) && watches.isEmpty)
    }

    @Test("a person who watches from two devices is shown a change once, until both are gone")
    func twoDevices() {
        var watches = watches([("s", 10, [1]), ("t", 10, [1])])
        #expect(shown(1, true, &watches) == [10])
        watches.end(session: "s")
        #expect(shown(1, false, &watches) == [10])
        watches.end(session: "t")
        #expect(shown(1, true, &watches) == [])
    }

    @Test("nobody is shown what they were shown already: who left and came back between two rounds is no news")
    func noNews() {
        var watches = watches([("s", 10, [1])])
        #expect(shown(1, false, &watches) == [])
        #expect(shown(1, true, &watches) == [10])
        #expect(shown(1, true, &watches) == [])
    }

    @Test("a watch that is not renewed ends")
    func expiry() {
        var watches = watches([("s", 10, [1]), ("t", 11, [1])])
        set([1], "t", 11, after: .seconds(60), in: &watches)
        watches.expire(at: start + .seconds(90))
        #expect(shown(1, true, &watches) == [11])
    }

    @Test("C6 after a change of rights nothing is shown between the two until it is decided again; others see all")
    func doubt() {
        var watches = watches([("s", 10, [1, 2]), ("t", 11, [1, 10])])
        watches.doubt([10])
        #expect(watches.doubted == [pair(1, 10), pair(2, 10), pair(10, 11)], "as watcher and as watched")
        #expect(shown(1, true, &watches) == [11])
        #expect(watches.decide(pair(1, 10), isOpen: false)?.isOnline == false)
        #expect(shown(1, true, &watches) == [], "no longer theirs to see")
        #expect(watches.decide(pair(2, 10), isOpen: true)?.isOnline == false)
        #expect(shown(2, true, &watches) == [10])
        watches.doubtAll()
        #expect(watches.doubted == [pair(1, 10), pair(2, 10), pair(1, 11), pair(10, 11)])
        watches.end(session: "s")
        #expect(watches.doubted == [pair(1, 11), pair(10, 11)], "nothing is asked for those who do not watch")
        #expect(watches.decide(pair(1, 10), isOpen: true) == nil)
    }

    @Test("C6 whoever is blocked while they see a person online is shown them offline once, and online after the end")
    func hide() {
        var watches = Watches(lifetime: .seconds(90))
        set([1], "s", 10, as: online, in: &watches)
        watches.doubt([1])
        #expect(watches.decide(pair(1, 10), isOpen: false)?.isOnline == true, "so it is news that they are gone")
        watches.hide(pair(1, 10))
        #expect(shown(1, false, &watches) == [], "once")
        watches.doubt([1])
        #expect(watches.decide(pair(1, 10), isOpen: true)?.isOnline == false)
        #expect(shown(1, true, &watches) == [10])
    }

    @Test("C6 an answer asked for before a change of rights is doubted; so is one that another device was not shown")
    func races() {
        var watches = watches([("s", 10, [1])])
        let before = watches.revision
        watches.doubt([2])
        watches.set([2: sight(of: 2, online)], session: "t", watcher: 11, revision: before, at: start)
        #expect(watches.doubted == [pair(2, 11)])
        watches.set([1: sight(of: 1, online)], session: "u", watcher: 10, revision: watches.revision, at: start)
        #expect(watches.doubted == [pair(2, 11), pair(1, 10)])
        #expect(watches.decide(pair(1, 10), isOpen: true)?.isOnline == false, "what the other device was shown")
        #expect(shown(1, true, &watches) == [10])
        set([3], "v", 12, as: hidden, in: &watches)
        #expect(shown(3, true, &watches) == [], "watched without being seen")
    }
}

@Suite("What is shown of a person (P1, P5)")
struct ShownTests {
    private typealias Activity = PresenceSessions.Activity

    @Test(
        "P1 the status is what the person says, else whether they use a device; offline it is nothing else",
        arguments: [
            (Availability.automatic, Activity(isOnline: true), PresenceStatus.online),
            (.automatic, Activity(isOnline: true, isIdle: true), .away), (.saysAway, Activity(isOnline: true), .away),
            (.saysDoNotDisturb, Activity(isOnline: true), .doNotDisturb),
            (.saysDoNotDisturb, Activity(isOnline: true, isIdle: true), .doNotDisturb),
            (.saysDoNotDisturb, Activity(), .offline), (.saysAway, Activity(), .offline),
        ])
    func status(availability: Availability, activity: PresenceSessions.Activity, status: PresenceStatus) {
        let words = Words(availability: availability, text: "tea", endsAt: 100)
        let shown = Shown(activity, words, isMember: false, at: 50)
        #expect(shown.status == status)
        #expect(shown.text == (status == .offline ? "" : "tea") && shown.textEndsAt == (status == .offline ? 0 : 100))
        #expect(Shown(activity, words, isMember: false, at: 100).text.isEmpty, "it has ended")
    }

    @Test("P5 whoever is hidden has the bytes of somebody offline, whatever they do and say")
    func bytes() {
        let offline = Shown(Activity(), Words(availability: .saysAway, text: "tea"), isMember: true, at: 0)
        #expect(offline == Shown.offline)
        #expect(offline.state(of: "u", lastSeen: 7).encode() == Shown.offline.state(of: "u", lastSeen: 7).encode())
    }

    @Test("P1 only fellow members are shown the current conversation, and only what is news goes out")
    func conversation() {
        var watches = Watches(lifetime: .seconds(90))
        for (session, watcher) in [("s", AccountNumber(10)), ("t", AccountNumber(11))] {
            let view = Watches.View(isOpen: true, shown: .offline)
            watches.set(
                [1: Watches.Sight(user: "u1", view: view)], session: session, watcher: watcher, revision: 0, at: .now)
        }
        func shown(_ activity: Activity, _ members: AccountNumber...) -> [String] {
            let pairs = Set(members.map { Watches.Pair(watched: 1, watcher: $0) })
            return watches.show(1, activity, members: pairs, at: 0).shown.flatMap { shown, watchers in
                watchers.map { "\($0) \(shown.conversation)" }
            }.sorted()
        }
        #expect(shown(Activity(isOnline: true, conversation: "c"), 11) == ["10 ", "11 c"])
        #expect(shown(Activity(isOnline: true, conversation: "d"), 11) == ["11 d"])
        #expect(shown(Activity(isOnline: true, conversation: "d")) == ["11 "], "no longer a member")
        #expect(shown(Activity(isOnline: true, conversation: "e")) == [])
        #expect(watches.pairs(watching: [1]).count == 2)
    }
}

@Suite("Last seen (P4, P5)")
struct LastSeenTests {
    private func sighting(_ changes: (Timestamp, Bool)...) -> Sighting {
        var sighting = Sighting(at: changes[0].0, isPresent: changes[0].1)
        for (time, isPresent) in changes.dropFirst() { sighting.change(isPresent: isPresent, at: time) }
        return sighting
    }

    @Test("whoever closes is last seen then, or when they had gone before: also after they have come back")
    func frozen() {
        // Stored: gone at 100. Then here from 200 to 300, and from 400 on.
        let sighting = sighting((200, true), (300, false), (400, true))
        for (closedAt, lastSeen) in [(150, 100), (250, 250), (350, 300), (450, 450)] as [(Timestamp, Timestamp)] {
            let seen = Seen(account: 1, user: "u", lastSeenAt: 100, closedAt: closedAt)
            #expect(seen.lastSeen(isOnline: true, sighting, now: 1_000) == lastSeen, "closed at \(closedAt)")
        }
        // Before they came back it was the same.
        let away = Seen(account: 1, user: "u", lastSeenAt: 100, closedAt: 150)
        #expect(away.lastSeen(isOnline: false, nil, now: 160) == 100)
        let gone = Seen(account: 1, user: "u", lastSeenAt: 100, closedAt: 350)
        #expect(gone.lastSeen(isOnline: false, self.sighting((200, true), (300, false)), now: 360) == 300)
        // Once it is stored.
        let stored = Seen(account: 1, user: "u", lastSeenAt: 400, isPresent: true, closedAt: 350, frozenAt: 300)
        #expect(stored.lastSeen(isOnline: true, nil, now: 1_000) == 300)
        #expect(stored.lastSeen(isOnline: true, sighting, now: 1_000) == 300)
    }

    @Test("whoever was here all the time is last seen when they closed, also by a replica that has just started")
    func present() {
        let seen = Seen(account: 1, user: "u", lastSeenAt: 100, isPresent: true, closedAt: 150)
        #expect(seen.lastSeen(isOnline: true, sighting((200, true)), now: 1_000) == 150)
        #expect(seen.lastSeen(isOnline: true, nil, now: 1_000) == 150)
    }

    @Test("of somebody who comes and goes all the time the longest absences are kept; what is stored is forgotten")
    func bounded() {
        var all = sighting((1_000, false))
        for number in 1...100 {
            let time = Timestamp(1_000 + Int64(number) * 1_000)
            all.change(isPresent: true, at: time)
            all.change(isPresent: false, at: time + .microseconds(number))
        }
        #expect(all.absences.count == Sighting.absencesMax)
        var later = all
        later.change(isPresent: true, at: 1_000_000)
        later.wasWritten(all)
        #expect(later.absences.map(\.to) == [1_000_000])
        #expect(later.after(all).absences.count == Sighting.absencesMax + 1)
    }
}

@Suite("What people say of themselves (P1, P5)")
struct OwnPresenceTests {
    private func change(_ change: (inout SetPresenceRequest) -> Void) throws -> OwnChange {
        var request = SetPresenceRequest()
        change(&request)
        return try OwnChange(request, at: 1_000)
    }

    @Test("what a request does not have stays; a text follows the rules for names and ends in the future")
    func checked() throws {
        #expect(try change { _ in }.changesNothing(of: Own()))
        #expect(try change { $0.hiding = .fromNobody }.changesNothing(of: Own()))
        #expect(try !change { $0.hiding = .fromAll }.changesNothing(of: Own(hidesFromOthers: true)))
        #expect(try change { $0.hiding = .fromAllButAccepted }.changesNothing(of: Own(hidesFromOthers: true)))
        let said = try change { $0.status = StatusText(text: " tea ", endsUs: 2_000) }
        #expect(said.text?.text == "tea" && said.availability == nil && said.hides == nil)
        #expect(try change { $0.status = StatusText() }.text?.text == "", "an empty text ends it")
        for (status, field) in [
            (StatusText(text: String(repeating: "x", count: 129)), "status.text"),
            (StatusText(text: "a\nb"), "status.text"), (StatusText(text: "a\u{202E}b"), "status.text"),
            (StatusText(text: "a\u{200F}b"), "status.text"), (StatusText(text: " "), "status.text"),
            (StatusText(text: "a", endsUs: 1_000), "status.ends_us"), (StatusText(endsUs: 2_000), "status.ends_us"),
        ] {
            #expect("\(status)") { try change { $0.status = status } } throws: { ($0 as? Refusal)?.field == field }
        }
        #expect("a later server's") { try change { $0.availability = .unrecognized(9) } } throws: {
            ($0 as? Refusal)?.field == "availability"
        }
    }

    @Test("a text that has ended is no longer returned")
    func ended() {
        let own = Own(words: Words(text: "tea", endsAt: 1_000), hidesFromOthers: true, version: 3)
        #expect(own.state(at: 999).statusText == "tea" && own.state(at: 999).hiding == .fromAllButAccepted)
        #expect(own.state(at: 1_000).statusText == "" && own.state(at: 1_000).statusEndsUs == 0)
    }
}

@Suite("A newly started replica of presence")
struct SettlingTests {
    private let start = ContinuousClock.now

    @Test("the warm-up ends once every gateway has sent a full report")
    func allHeard() {
        var warmUp = WarmUp(gateways: ["a", "b"], lease: .seconds(30), at: start)
        #expect(!warmUp.isOver(at: start))
        warmUp.heard("a", isWhole: true)
        warmUp.heard("b", isWhole: false)
        warmUp.heard("c", isWhole: true)
        #expect(!warmUp.isOver(at: start + .seconds(29)))
        warmUp.heard("b", isWhole: true)
        #expect(warmUp.isOver(at: start))
    }

    @Test("the warm-up waits for a missing gateway until its lease ends; without gateways it ends at the start")
    func gone() {
        let warmUp = WarmUp(gateways: ["gone"], lease: .seconds(30), at: start)
        #expect(!warmUp.isOver(at: start + .seconds(29)))
        #expect(warmUp.isOver(at: start + .seconds(30)))
        #expect(WarmUp(gateways: [], lease: .seconds(30), at: start).isOver(at: start))
    }

    @Test("a replica knows a gateway from its first full report until its lease ends")
    func knows() {
        var sessions = PresenceSessions(lease: .seconds(30))
        #expect(!sessions.knows("a"))
        _ = sessions.apply(SessionsReport(gateway: "a"), at: start)
        #expect(!sessions.knows("a"))
        _ = sessions.apply(SessionsReport(gateway: "a", full: true), at: start)
        #expect(sessions.knows("a"))
        _ = sessions.expire(at: start + .seconds(31))
        #expect(!sessions.knows("a"))
    }
}
