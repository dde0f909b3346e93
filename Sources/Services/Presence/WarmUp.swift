/// Whether a replica that has just started may say who is there: once every gateway has told it of all its sessions, or
/// as much time has passed as any gateway may be silent. Until then it would call people offline who are not. Pure.
struct WarmUp {
    private var awaited: Set<String>
    private let until: ContinuousClock.Instant

    /// - Parameter gateways: those that any replica heard of within `lease`.
    init(gateways: some Sequence<String>, lease: Duration, at now: ContinuousClock.Instant) {
        awaited = Set(gateways)
        until = now + lease
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool { awaited.isEmpty || now >= until }

    /// - Parameter isWhole: this gateway has told of all its sessions.
    mutating func heard(_ gateway: String, isWhole: Bool) {
        if isWhole { awaited.remove(gateway) }
    }
}
