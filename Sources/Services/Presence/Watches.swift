import Schema

/// The people that each session watches, with what its person may see of them and was last shown. Pure.
///
/// What a watcher may see is kept until it is ``doubt(_:)``ed. Then nothing is shown to them until it is ``decide``d
/// again. Everybody may watch many and be watched by many, so both are arrays, which take little memory.
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
        var shown: Shown
    }

    /// A watched person as a session has been shown them.
    struct Sight {
        var user: String
        var view: View
        /// What the person says of themselves.
        var words = Words()
    }

    private struct Watch {
        var watcher: AccountNumber
        var watched: [AccountNumber]
        var until: ContinuousClock.Instant
    }

    private struct Viewer {
        var account: AccountNumber
        var shown: Shown
        /// How many of their sessions watch.
        var sessions: Int32
        var isOpen: Bool

        var view: View { View(isOpen: isOpen, shown: shown) }
    }

    private struct Watched {
        let user: String
        /// In ascending order of their accounts.
        var viewers: [Viewer] = []
        /// What the person says of themselves.
        var words = Words()

        /// Where a watcher is, or would be.
        func place(of watcher: AccountNumber) -> (index: Int, isThere: Bool) {
            var (low, high) = (0, viewers.count)
            while low < high {
                let middle = (low + high) / 2
                if viewers[middle].account < watcher { low = middle + 1 } else { high = middle }
            }
            return (low, low < viewers.count && viewers[low].account == watcher)
        }

        subscript(watcher: AccountNumber) -> Int? {
            let (index, isThere) = place(of: watcher)
            return isThere ? index : nil
        }

        /// Returns what an earlier watcher is shown, if that is the same, so that they share it.
        func shared(_ shown: Shown) -> Shown {
            for other in [.offline, viewers.first?.shown, viewers.last?.shown] {
                if let other, other == shown { return other }
            }
            return shown
        }
    }

    private let lifetime: Duration
    private var bySession: [String: Watch] = [:]
    private var sessionsByWatcher: [AccountNumber: [String]] = [:]
    private var people: [AccountNumber: Watched] = [:]
    /// The pairs to be decided again.
    private(set) var doubted: Set<Pair> = []
    /// Grows whenever something is doubted.
    private(set) var revision = 0

    init(lifetime: Duration) { self.lifetime = lifetime }

    var isEmpty: Bool { bySession.isEmpty }

    func isWatched(_ account: AccountNumber) -> Bool { people[account] != nil }

    /// Sets the people that a session watches, replacing earlier ones.
    /// - Parameters:
    ///   - watched: what the session has been shown of them.
    ///   - revision: the ``revision`` before it was asked what the watcher may see.
    mutating func set(
        _ watched: [AccountNumber: Sight], session: String, watcher: AccountNumber, revision: Int,
        at now: ContinuousClock.Instant
    ) {
        end(session: session)
        guard !watched.isEmpty else { return }
        bySession[session] = Watch(watcher: watcher, watched: Array(watched.keys), until: now + lifetime)
        sessionsByWatcher[watcher, default: []].append(session)
        for (account, sight) in watched {
            let isCurrent = revision == self.revision
            if people[account] == nil || isCurrent {
                people[account, default: Watched(user: sight.user)].words = sight.words
            }
            // Other sessions of the watcher may have been shown something else.
            let isSure = add(watcher, to: account, sight.view) && isCurrent
            if !isSure { doubted.insert(Pair(watched: account, watcher: watcher)) }
        }
    }

    /// - Returns: whether the watcher was shown nothing else before.
    private mutating func add(_ watcher: AccountNumber, to account: AccountNumber, _ view: View) -> Bool {
        guard let (index, isThere) = people[account]?.place(of: watcher) else { return false }
        if isThere {
            people[account]?.viewers[index].sessions += 1
            return people[account]?.viewers[index].view == view
        }
        let shown = people[account]?.shared(view.shown) ?? view.shown
        people[account]?.viewers.insert(
            Viewer(account: watcher, shown: shown, sessions: 1, isOpen: view.isOpen), at: index)
        return true
    }

    mutating func end(session: String) {
        guard let watch = bySession.removeValue(forKey: session) else { return }
        sessionsByWatcher[watch.watcher]?.removeAll { $0 == session }
        if sessionsByWatcher[watch.watcher]?.isEmpty ?? false { sessionsByWatcher[watch.watcher] = nil }
        for account in watch.watched {
            guard let index = people[account]?[watch.watcher] else { continue }
            people[account]?.viewers[index].sessions -= 1
            guard people[account]?.viewers[index].sessions == 0 else { continue }
            doubted.remove(Pair(watched: account, watcher: watch.watcher))
            people[account]?.viewers.remove(at: index)
            if people[account]?.viewers.isEmpty ?? false { people[account] = nil }
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
            for viewer in people[account]?.viewers ?? [] {
                doubted.insert(Pair(watched: account, watcher: viewer.account))
            }
            for watched in (sessionsByWatcher[account] ?? []).compactMap({ bySession[$0]?.watched }).joined() {
                doubted.insert(Pair(watched: watched, watcher: account))
            }
        }
    }

    mutating func doubtAll() {
        revision += 1
        for (account, watched) in people {
            for viewer in watched.viewers { doubted.insert(Pair(watched: account, watcher: viewer.account)) }
        }
    }

    /// Stores what a watcher may see now, and what the watched person says of themselves.
    /// - Returns: what they are shown so far; nil if they no longer watch.
    mutating func decide(_ pair: Pair, isOpen: Bool, words: Words = Words()) -> Shown? {
        doubted.remove(pair)
        guard let index = people[pair.watched]?[pair.watcher] else { return nil }
        people[pair.watched]?.viewers[index].isOpen = isOpen
        if isOpen { people[pair.watched]?.words = words }
        return people[pair.watched]?.viewers[index].shown
    }

    /// Notes that a watcher is shown this person as offline, since they may no longer see them.
    mutating func hide(_ pair: Pair) {
        guard let index = people[pair.watched]?[pair.watcher] else { return }
        people[pair.watched]?.viewers[index].shown = .offline
    }

    /// Those who may see what these people do.
    func pairs(watching accounts: some Sequence<AccountNumber>) -> [Pair] {
        accounts.flatMap { account in
            (people[account]?.viewers ?? []).compactMap { viewer in
                viewer.isOpen ? Pair(watched: account, watcher: viewer.account) : nil
            }
        }
    }

    /// Notes that what a person does is shown to all who may see it.
    /// - Parameter members: the pairs in which the watcher may see which conversation the person looks at.
    /// - Returns: the person's user id, what is shown, and to which of them it is news.
    mutating func show(
        _ account: AccountNumber, _ activity: PresenceSessions.Activity, members: Set<Pair> = [], at now: Timestamp
    ) -> (user: String, shown: [(Shown, watchers: [AccountNumber])]) {
        guard let (user, words) = people[account].map({ ($0.user, $0.words) }) else { return ("", []) }
        let toOthers = Shown(activity, words, isMember: false, at: now)
        let toMembers = activity.conversation.isEmpty ? toOthers : Shown(activity, words, isMember: true, at: now)
        var news: (others: [AccountNumber], members: [AccountNumber]) = ([], [])
        for index in people[account]?.viewers.indices ?? 0..<0 {
            guard let viewer = people[account]?.viewers[index], viewer.isOpen else { continue }
            let pair = Pair(watched: account, watcher: viewer.account)
            let isMember = members.contains(pair)
            let new = isMember ? toMembers : toOthers
            guard viewer.shown != new, !doubted.contains(pair) else { continue }
            people[account]?.viewers[index].shown = new
            if isMember { news.members.append(viewer.account) } else { news.others.append(viewer.account) }
        }
        return (user, [(toOthers, news.others), (toMembers, news.members)].filter { !$0.1.isEmpty })
    }
}
