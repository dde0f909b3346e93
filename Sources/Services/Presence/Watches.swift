import Schema

/// The people that each session watches. A watch ends with its session, or when it is not renewed. Pure.
struct Watches {
    private struct Watch {
        var watcher: AccountNumber
        var watched: Set<AccountNumber>
        var until: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private var bySession: [String: Watch] = [:]
    private var sessionsByWatched: [AccountNumber: Set<String>] = [:]

    init(lifetime: Duration) { self.lifetime = lifetime }

    /// Sets the people that a session watches, replacing earlier ones.
    mutating func set(
        _ watched: Set<AccountNumber>, session: String, watcher: AccountNumber, at now: ContinuousClock.Instant
    ) {
        end(session: session)
        guard !watched.isEmpty else { return }
        bySession[session] = Watch(watcher: watcher, watched: watched, until: now + lifetime)
        for account in watched { sessionsByWatched[account, default: []].insert(session) }
    }

    mutating func end(session: String) {
        guard let watch = bySession.removeValue(forKey: session) else { return }
        for account in watch.watched {
            sessionsByWatched[account]?.remove(session)
            if sessionsByWatched[account]?.isEmpty ?? false { sessionsByWatched[account] = nil }
        }
    }

    mutating func expire(at now: ContinuousClock.Instant) {
        for (session, watch) in bySession where watch.until <= now { end(session: session) }
    }

    /// The accounts that watch this one.
    func watchers(of account: AccountNumber) -> [AccountNumber] {
        Array(Set((sessionsByWatched[account] ?? []).compactMap { bySession[$0]?.watcher }))
    }
}
