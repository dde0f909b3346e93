/// Decides when a replica that has just started may answer. It waits until every gateway has reported all its sessions,
/// or the lease has passed. Earlier it would report people as offline who are online. Pure.
struct WarmUp {
    private var awaited: Set<String>
    private let until: ContinuousClock.Instant

    /// - Parameter gateways: the gateways to wait for, for at most `lease`.
    init(gateways: some Sequence<String>, lease: Duration, at now: ContinuousClock.Instant) {
        awaited = Set(gateways)
        until = now + lease
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool { awaited.isEmpty || now >= until }

    /// - Parameter isWhole: whether this gateway has reported all its sessions.
    mutating func heard(_ gateway: String, isWhole: Bool) {
        if isWhole { awaited.remove(gateway) }
    }
}
