import Schema
import Testing

@testable import PresenceService

@Suite("Online sessions (P1, P2)")
struct PresenceSessionsTests {
    private let start = ContinuousClock.now

    private func report(
        _ gateway: String, full: Bool = false, opened: [(String, Int64)] = [], closed: [String] = []
    ) -> SessionsReport {
        SessionsReport(
            gateway: gateway, full: full,
            opened: opened.map { SessionOpened(session: $0.0, account: $0.1, user: "u\($0.1)") }, closed: closed)
    }

    private func words(_ changes: [PresenceSessions.Change]?) -> [String]? {
        changes?.map { "\($0.person.user) \($0.isOnline ? "came" : "went")" }.sorted()
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
    private let offline = Watches.View(isOpen: true, isOnline: false)
    private let online = Watches.View(isOpen: true, isOnline: true)
    private let hidden = Watches.View(isOpen: false, isOnline: false)

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
            Dictionary(uniqueKeysWithValues: watched.map { ($0, view ?? offline) }), session: session, watcher: watcher,
            revision: watches.revision, at: start + after)
    }

    /// Who is shown a change now; each watcher is shown it once.
    private func shown(_ account: AccountNumber, _ isOnline: Bool, _ watches: inout Watches) -> [AccountNumber] {
        watches.show(account, isOnline: isOnline).sorted()
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
        #expect(watches.decide(pair(1, 10), isOpen: false) == false)
        #expect(shown(1, true, &watches) == [], "no longer theirs to see")
        #expect(watches.decide(pair(2, 10), isOpen: true) == false)
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
        #expect(watches.decide(pair(1, 10), isOpen: false) == true, "so it is news that they are gone")
        watches.hide(pair(1, 10))
        #expect(shown(1, false, &watches) == [], "once")
        watches.doubt([1])
        #expect(watches.decide(pair(1, 10), isOpen: true) == false)
        #expect(shown(1, true, &watches) == [10])
    }

    @Test("C6 an answer asked for before a change of rights is doubted; so is one that another device was not shown")
    func races() {
        var watches = watches([("s", 10, [1])])
        let before = watches.revision
        watches.doubt([2])
        watches.set([2: online], session: "t", watcher: 11, revision: before, at: start)
        #expect(watches.doubted == [pair(2, 11)])
        watches.set([1: online], session: "u", watcher: 10, revision: watches.revision, at: start)
        #expect(watches.doubted == [pair(2, 11), pair(1, 10)])
        #expect(watches.decide(pair(1, 10), isOpen: true) == false, "what the other device was shown")
        #expect(shown(1, true, &watches) == [10])
        set([3], "v", 12, as: hidden, in: &watches)
        #expect(shown(3, true, &watches) == [], "watched without being seen")
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
