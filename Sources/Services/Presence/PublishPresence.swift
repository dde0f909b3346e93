import Reactor
import Schema
import ServiceKit
import Wire

/// Publishing changes to watchers, in rounds. A round takes the changes so far and then reads the journal of
/// conversations and who changed what they say of themselves, so nothing that happened after a block or the beginning
/// of hiding is ever published to the other person. What a watcher may see is asked again only if one of the two is
/// named there (C6). A round that fails leaves its changes to the next, so nothing is published while the database does
/// not answer.
extension PresenceService {
    /// The wait between rounds. Changes within it are published together, only the latest of each person.
    static let roundInterval = Duration.milliseconds(100)
    /// The most pairs of a person and a watcher in one statement.
    private static let pairsMax = 2_000
    /// The most watchers of one Update, by the contract of links.
    static let audienceMax = 1_000

    /// The kinds of changes after which somebody may see more or less of another. A person's conversation changes with
    /// every request, answer to one, and block.
    static let kindsOfRights = Set(
        [ConversationsKind.conversation, .block, .joined, .left, .removed].map(\.number))

    /// Notes when people came or went, and what else changed, for those who watch them.
    func note(_ changes: [PresenceSessions.Change]) {
        publishForeground(changes)
        let now = context.clock.now
        for change in changes {
            let account = change.account
            if change.isOnline != change.wasOnline { noteSighting(of: account, isPresent: change.isOnline, at: now) }
            if watches.isWatched(account) { unpublished.insert(account) }
        }
    }

    /// What a round publishes of a person: what they did before the round read the journal.
    private struct Change {
        var account: AccountNumber
        var activity: PresenceSessions.Activity
        var wentAt: Timestamp
    }

    func publishRound() async throws {
        guard !watches.isEmpty || !typing.isEmpty || !rooms.isEmpty else {
            (unpublished, lastChange) = ([], nil)
            return rights.pause()
        }
        let people = unpublished
        unpublished = []
        waiting.record(people.count)
        let batch = people.map { account in
            Change(
                account: account, activity: sessions.activity(of: account), wentAt: sighting(of: account)?.at ?? 0)
        }
        do {
            try await readNews()
            try await decideDoubted()
            let places = Dictionary(uniqueKeysWithValues: batch.map { ($0.account, $0.activity.conversation) })
            let members = try await members(
                of: watches.pairs(watching: places.filter { !$0.value.isEmpty }.keys).map { pair in
                    (pair, places[pair.watched] ?? "")
                })
            for change in batch { publish(change, members) }
        } catch {
            unpublished.formUnion(people)
            throw error
        }
        try await publishTyping()
    }

    /// Doubts what the journal of conversations and what people say may have changed since the last round.
    private func readNews() async throws {
        let entries = try await rights.news()
        forgetRooms(after: entries)
        if let entries { watches.doubt(Set(entries.flatMap(Self.accounts))) } else { watches.doubtAll() }
        let changed = try await context.database.query(PresenceStore.changed, .int64(lastChange ?? .max))
        let number = changed.first?.number ?? 0
        // It goes back when a backup is restored.
        if let lastChange, lastChange <= number {
            let accounts = Set(changed.compactMap(\.account))
            watches.doubt(accounts)
            typing.doubt(rooms.forget(of: accounts))
        } else {
            watches.doubtAll()
            forgetRooms(after: nil)
        }
        lastChange = number
    }

    /// The people between whom and others an entry may have changed something.
    private static func accounts(of entry: JournalEntry) -> [AccountNumber] {
        switch entry.kind {
        case ConversationsKind.conversation.number: [AccountNumber(entry.subject)]
        case ConversationsKind.block.number: [AccountNumber(entry.subject), AccountNumber(entry.object)]
        default: [AccountNumber(entry.object)]
        }
    }

    /// Asks again what is doubted. Whoever may no longer see a person who is online is shown them offline.
    private func decideDoubted() async throws {
        let doubted = Array(watches.doubted)
        for start in stride(from: 0, to: doubted.count, by: Self.pairsMax) {
            let page = doubted[start..<min(start + Self.pairsMax, doubted.count)]
            let rows = try await context.database.query(
                PresenceStore.seenByWatchers, .numbers(page.map(\.watched)), .numbers(page.map(\.watcher)))
            for row in rows { decide(row.seen, for: row.watcher) }
            // Those of which there is no row see nothing.
            for pair in page where watches.doubted.contains(pair) { _ = watches.decide(pair, isOpen: false) }
        }
    }

    private func decide(_ seen: Seen, for watcher: AccountNumber) {
        let pair = Watches.Pair(watched: seen.account, watcher: watcher)
        guard let shown = watches.decide(pair, isOpen: seen.isOpen, words: seen.words) else { return }
        if !seen.isOpen {
            guard shown.isOnline else { return }
            watches.hide(pair)
            publish(state(of: seen, .offline), to: [watcher])
        } else {
            // What they do now is for the next round, which again reads the journal first.
            let activity = sessions.activity(of: seen.account)
            let isNews =
                !activity.conversation.isEmpty
                || shown != Shown(activity, seen.words, isMember: false, at: context.clock.now)
            if isNews { unpublished.insert(seen.account) }
        }
    }

    private func publish(_ change: Change, _ members: Set<Watches.Pair>) {
        let news = watches.show(change.account, change.activity, members: members, at: context.clock.now)
        for (shown, watchers) in news.shown {
            publish(shown.state(of: news.user, lastSeen: change.wentAt), to: watchers)
        }
    }

    private func publish(_ state: PresenceState, to watchers: [AccountNumber]) {
        let stream = "presence/u/" + state.user
        for start in stride(from: 0, to: watchers.count, by: Self.audienceMax) {
            let audience = watchers[start..<min(start + Self.audienceMax, watchers.count)]
            context.publisher.publish(
                UpdateHeader(
                    stream: stream, kind: PresenceState.messageName, class: .ephemeral, collapseKey: stream,
                    audience: audience.map(\.rawValue)), state.encode())
        }
    }
}
