import Schema

/// The people that each session watches, with what its person may see of them and was last shown. Pure.
///
/// What a watcher may see is kept until it is ``doubt(_:)``ed. Then nothing is shown to them until it is ``decide``d
/// again.
struct Watches {
    /// A person who is watched, and a person who watches them from one or more sessions.
    struct Pair: Hashable {
        var watched: AccountNumber
        var watcher: AccountNumber
    }

    /// What a watcher may see of a person, and is shown.
    struct View: Equatable {
        /// Whether they may see who is online now.
        var isOpen: Bool
        var isOnline: Bool
    }

    private struct Watch {
        var watcher: AccountNumber
        var watched: Set<AccountNumber>
        var until: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private var bySession: [String: Watch] = [:]
    private var sessionsByWatcher: [AccountNumber: Set<String>] = [:]
    private var views: [AccountNumber: [AccountNumber: (view: View, sessions: Int)]] = [:]
    /// The pairs to be decided again.
    private(set) var doubted: Set<Pair> = []
    /// Grows whenever something is doubted.
    private(set) var revision = 0

    init(lifetime: Duration) { self.lifetime = lifetime }

    var isEmpty: Bool { bySession.isEmpty }

    func isWatched(_ account: AccountNumber) -> Bool { views[account] != nil }

    /// Sets the people that a session watches, replacing earlier ones.
    /// - Parameters:
    ///   - watched: what the session has been shown of them.
    ///   - revision: the ``revision`` before it was asked what the watcher may see.
    mutating func set(
        _ watched: [AccountNumber: View], session: String, watcher: AccountNumber, revision: Int,
        at now: ContinuousClock.Instant
    ) {
        end(session: session)
        guard !watched.isEmpty else { return }
        bySession[session] = Watch(watcher: watcher, watched: Set(watched.keys), until: now + lifetime)
        sessionsByWatcher[watcher, default: []].insert(session)
        for (account, view) in watched {
            // Other sessions of the watcher may have been shown something else.
            let earlier = views[account]?[watcher]
            let isSure = revision == self.revision && (earlier.map { $0.view == view } ?? true)
            if !isSure { doubted.insert(Pair(watched: account, watcher: watcher)) }
            views[account, default: [:]][watcher] = (earlier?.view ?? view, (earlier?.sessions ?? 0) + 1)
        }
    }

    mutating func end(session: String) {
        guard let watch = bySession.removeValue(forKey: session) else { return }
        sessionsByWatcher[watch.watcher]?.remove(session)
        if sessionsByWatcher[watch.watcher]?.isEmpty ?? false { sessionsByWatcher[watch.watcher] = nil }
        for account in watch.watched {
            guard let sessions = views[account]?[watch.watcher]?.sessions else { continue }
            if sessions > 1 {
                views[account]?[watch.watcher]?.sessions = sessions - 1
                continue
            }
            doubted.remove(Pair(watched: account, watcher: watch.watcher))
            views[account]?[watch.watcher] = nil
            if views[account]?.isEmpty ?? false { views[account] = nil }
        }
    }

    mutating func expire(at now: ContinuousClock.Instant) {
        for (session, watch) in bySession where watch.until <= now { end(session: session) }
    }

    /// Notes that what these people see of others, or others of them, may have changed.
    mutating func doubt(_ accounts: Set<AccountNumber>) {
        guard !accounts.isEmpty else { return }
        revision += 1
        for account in accounts {
            for watcher in (views[account] ?? [:]).keys { doubted.insert(Pair(watched: account, watcher: watcher)) }
            for watched in (sessionsByWatcher[account] ?? []).compactMap({ bySession[$0]?.watched }).joined() {
                doubted.insert(Pair(watched: watched, watcher: account))
            }
        }
    }

    mutating func doubtAll() {
        revision += 1
        for (watched, watchers) in views {
            for watcher in watchers.keys { doubted.insert(Pair(watched: watched, watcher: watcher)) }
        }
    }

    /// Stores what a watcher may see now.
    /// - Returns: whether they are shown the person as online so far; nil if they no longer watch.
    mutating func decide(_ pair: Pair, isOpen: Bool) -> Bool? {
        doubted.remove(pair)
        views[pair.watched]?[pair.watcher]?.view.isOpen = isOpen
        return views[pair.watched]?[pair.watcher]?.view.isOnline
    }

    /// Notes that a watcher is shown this person as offline, since they may no longer see them.
    mutating func hide(_ pair: Pair) { views[pair.watched]?[pair.watcher]?.view.isOnline = false }

    /// Notes that a person is shown as online or offline to all who may see it.
    /// - Returns: those of them to whom it is news.
    mutating func show(_ account: AccountNumber, isOnline: Bool) -> [AccountNumber] {
        var watchers: [AccountNumber] = []
        for (watcher, shown) in views[account] ?? [:] {
            guard shown.view.isOpen, shown.view.isOnline != isOnline,
                !doubted.contains(Pair(watched: account, watcher: watcher))
            else { continue }
            views[account]?[watcher]?.view.isOnline = isOnline
            watchers.append(watcher)
        }
        return watchers
    }
}
