/// A time that a test of the group that runs alone measured (`…TimingTests`), and how late this process ran meanwhile.
public struct Measured: Sendable, CustomStringConvertible {
    public var took: Duration
    public var late: Duration

    /// Whether it kept a promised time. Slow builds get ``patience`` times as much, and a busy machine as much more as
    /// it was late: what runs late here runs late in the services too, since they share the machine.
    public func isWithin(_ promised: Duration) -> Bool { took < promised * patience + late }

    public var description: String { "it took \(took), while this process ran late by \(late)" }
}

/// Measures how long `body` takes, and how late this process runs meanwhile.
public func measured(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> Measured {
    let lag = Lag()
    await lag.start()
    let began = ContinuousClock.now
    do {
        try await body()
    } catch {
        _ = await lag.stop()
        throw error
    }
    let took = ContinuousClock.now - began
    return Measured(took: took, late: await lag.stop())
}
