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

    @Test("a watch replaces the session's previous one, and ends with the session")
    func replace() {
        var watches = Watches(lifetime: .seconds(90))
        watches.set([1, 2], session: "s", watcher: 10, at: start)
        watches.set([2, 3], session: "t", watcher: 11, at: start)
        #expect(watches.watchers(of: 1) == [10])
        #expect(watches.watchers(of: 2).sorted() == [10, 11])
        watches.set([3], session: "s", watcher: 10, at: start)
        #expect(watches.watchers(of: 1) == [])
        #expect(watches.watchers(of: 3).sorted() == [10, 11])
        watches.end(session: "t")
        watches.end(session: "t")
        #expect(watches.watchers(of: 2) == [])
        watches.set([], session: "s", watcher: 10, at: start)
        #expect(watches.watchers(of: 3) == [])
    }

    @Test("a person who watches from two devices is listed once")
    func twoDevices() {
        var watches = Watches(lifetime: .seconds(90))
        watches.set([1], session: "s", watcher: 10, at: start)
        watches.set([1], session: "t", watcher: 10, at: start)
        #expect(watches.watchers(of: 1) == [10])
    }

    @Test("a watch that is not renewed ends")
    func expiry() {
        var watches = Watches(lifetime: .seconds(90))
        watches.set([1], session: "s", watcher: 10, at: start)
        watches.set([1], session: "t", watcher: 11, at: start)
        watches.set([1], session: "t", watcher: 11, at: start + .seconds(60))
        watches.expire(at: start + .seconds(90))
        #expect(watches.watchers(of: 1) == [11])
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
