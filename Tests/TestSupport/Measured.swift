import Glibc

/// A time that a test of the group that runs alone measured (`…TimingTests`), and how late the machine ran meanwhile.
public struct Measured: Sendable, CustomStringConvertible {
    public var took: Duration
    /// How late this process ran: tasks and loops began later than they were due by as much.
    public var late: Duration
    /// How long this process and those that it started, such as a cluster, waited for a core because others had it.
    public var waited: Duration

    /// Whether it kept a promised time. Slow builds get ``patience`` times as much, and a busy machine as much more as
    /// it was late and let processes wait. Waits count twice: beside a busy loop on each core, a test exceeded its
    /// bound and them by 80 ms.
    public func isWithin(_ promised: Duration) -> Bool { took < promised * patience + late + waited * 2 }

    public var description: String {
        "it took \(took), while this process ran late by \(late) and all waited \(waited) for a core"
    }
}

/// Measures how long `body` takes, and how late the machine runs meanwhile.
public func measured(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> Measured {
    let (lag, before) = (Lag(), ProcessTree.waits(of: getpid()))
    await lag.start()
    let began = ContinuousClock.now
    do {
        try await body()
    } catch {
        _ = await lag.stop()
        throw error
    }
    let took = ContinuousClock.now - began
    let late = await lag.stop()
    let waits = ProcessTree.waits(of: getpid()).map { thread, waited in waited - before[thread, default: .zero] }
    return Measured(took: took, late: late, waited: waits.reduce(.zero, +))
}
