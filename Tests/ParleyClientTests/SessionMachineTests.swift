import Testing

@testable import ParleyClient

@Suite("The session machine")
struct SessionMachineTests {
    private let lost = ParleyError(code: "connection_lost", message: "It is lost.")

    private func machine(_ seed: UInt64 = 1) -> SessionMachine {
        SessionMachine(backoff: Backoff(first: .milliseconds(100), last: .seconds(30)), seed: seed)
    }

    private func wait(_ step: SessionMachine.Step) -> Duration? {
        if case .open(let wait, _) = step { wait } else { nil }
    }

    @Test("waits grow up to a limit, at random, and begin anew after a session that lasted")
    func backoff() throws {
        var waits: [[Duration]] = []
        for seed in UInt64(0)..<50 {
            var machine = machine(seed)
            var own = [try #require(wait(machine.ended(.wait, lost, after: .seconds(60))))]
            for _ in 0..<12 { own.append(try #require(wait(machine.failed(.wait, lost)))) }
            #expect(machine.attempt == 13)
            waits.append(own)
            let again = try #require(wait(machine.ended(.wait, lost, after: .seconds(6))))
            #expect(again <= .milliseconds(100) && machine.attempt == 1)
            // One that ended at once counts as an attempt.
            _ = machine.ended(.wait, lost, after: .seconds(1))
            #expect(machine.attempt == 2)
        }
        for (attempt, ceiling) in [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30, 30].enumerated() {
            let all = waits.map { $0[attempt] / .seconds(1) }
            #expect(all.allSatisfy { 0...ceiling ~= $0 })
            // Many clients do not come back together.
            #expect(Set(all).count == 50 && all.max()! > ceiling * 0.8 && all.min()! < ceiling * 0.2)
        }
    }

    @Test("a gateway that shuts down is left at once, one that asks for time gets it, and a token is refreshed first")
    func reactions() throws {
        var machine = machine()
        #expect(machine.ended(.atOnce, lost, after: .seconds(60)) == .open(after: .zero, refreshFirst: false))
        // Only the first time.
        #expect(try #require(wait(machine.failed(.atOnce, lost))) > .zero)
        let asked = ParleyError(code: "unavailable", message: "Later.", retryAfterMs: 5000)
        #expect(try #require(wait(machine.failed(.wait, asked))) >= .seconds(5))
        guard case .open(_, true) = machine.failed(.refresh, lost) else { return #expect(Bool(false)) }
        for reaction in [LinkClosed.Reaction.never, .signInAgain] {
            #expect(machine.failed(reaction, .unauthenticated) == .stop(.unauthenticated))
        }
    }

    @Test("tokens are refreshed a minute before they end, of short ones when a quarter of the time is left")
    func refreshing() {
        func after(_ session: Int64, _ access: Int64) -> Int64 {
            SessionMachine.refreshAfter(sessionEndsUs: session, accessEndsUs: access, now: 1_000_000)
        }
        #expect(after(901_000_000, 1_801_000_000) == 840_000_000)
        #expect(after(1_801_000_000, 901_000_000) == 840_000_000)
        #expect(after(21_000_000, 21_000_000) == 15_000_000)
        #expect(after(1_000_000, 500_000) == 100_000)
    }
}
