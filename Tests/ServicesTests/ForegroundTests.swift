import Schema
import Testing

@testable import PresenceService

@Suite("Who has the app in the foreground (P1)")
struct ForegroundTests {
    private typealias Change = PresenceSessions.Change

    private let start = ContinuousClock.now

    private func opened(_ session: String, _ account: Int64, background: Bool = false) -> SessionOpened {
        SessionOpened(session: session, account: account, background: background)
    }

    private func change(_ account: Int64, from before: Bool, to now: Bool) -> Change {
        Change(
            account: AccountNumber(account), wasOnline: true, wasInForeground: before,
            activity: .init(isOnline: true, isInForeground: now))
    }

    @Test("a person is there while a session has the app in the foreground and they have used a device lately")
    func sessions() {
        var sessions = PresenceSessions(lease: .seconds(30), idleAfter: .seconds(20))
        func report(_ opened: [SessionOpened], closed: [String] = [], after: Int) -> [Bool] {
            let report = SessionsReport(gateway: "a", full: after == 0, opened: opened, closed: closed)
            let changes = sessions.apply(report, at: start + .seconds(after)) ?? []
            return changes.filter { $0.wasInForeground != $0.activity.isInForeground }.map(\.activity.isInForeground)
        }
        #expect(report([opened("s", 1, background: true)], after: 0) == [])
        #expect(sessions.inForeground.isEmpty)
        #expect(report([opened("t", 1)], after: 1) == [true])
        #expect(sessions.inForeground == [1])
        #expect(report([opened("t", 1, background: true)], after: 2) == [false])
        #expect(report([opened("s", 1), opened("t", 1)], after: 3) == [true])
        #expect(report([], closed: ["s"], after: 4) == [])
        let idle = sessions.expire(at: start + .seconds(25))
        #expect(idle.map(\.wasInForeground) == [true] && idle.map(\.activity.isInForeground) == [false])
        #expect(report([opened("t", 1)], after: 26) == [true])
        let gone = sessions.expire(at: start + .seconds(57))
        #expect(gone.map(\.wasInForeground) == [true] && sessions.inForeground.isEmpty, "with their gateway")
    }

    @Test("changes have dense positions and hold at most what the contract allows; what concerns nobody is no change")
    func changes() {
        var foreground = Foreground(epoch: "e")
        #expect(foreground.tell([]).isEmpty && foreground.tell([change(1, from: true, to: true)]).isEmpty)
        let first = foreground.tell([change(1, from: false, to: true), change(2, from: true, to: false)])
        #expect(first.map(\.position) == [1])
        #expect(first.map(\.change) == [ForegroundChange(epoch: "e", came: [1], went: [2])])
        let many = foreground.tell((1...25_000).map { change($0, from: false, to: true) })
        #expect(many.map(\.position) == [2, 3, 4] && foreground.position == 4)
        #expect(many.map(\.change.came.count) == [10_000, 10_000, 5_000])
        #expect(many.flatMap(\.change.came) == Array(1...25_000))
        #expect(many.allSatisfy { (try? ForegroundChange.decode($0.change.encode())) == $0.change })
    }

    @Test("pages together hold everybody once, in order, and name the epoch and the position")
    func pages() {
        var foreground = Foreground()
        _ = foreground.tell([change(1, from: false, to: true)])
        let people = (1...250_000).map { AccountNumber($0) }.shuffled()
        var (all, after): ([Int64], AccountNumber) = ([], 0)
        while true {
            let page = foreground.page(of: people, after: after)
            #expect(page.epoch == foreground.epoch && page.position == 1)
            #expect((try? ForegroundReply.decode(page.encode())) == page)
            all += page.accounts
            after = AccountNumber(page.accounts.last ?? 0)
            guard page.more else { break }
        }
        #expect(all == Array(1...250_000))
        #expect(foreground.page(of: [], after: 0).accounts.isEmpty)
        #expect(Foreground().epoch != Foreground().epoch)
    }
}
