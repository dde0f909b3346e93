import Reactor
import Schema
import ServiceKit
import Wire

/// A change of a person's presence that is not published yet.
struct UnpublishedChange: Sendable, Equatable {
    var change: PresenceSessions.Change
    var at: Timestamp

    var state: PresenceState {
        PresenceState(
            user: change.person.user, status: change.isOnline ? .online : .offline,
            lastSeenUs: change.isOnline ? 0 : at.rawValue)
    }
}

/// Publishing changes to watchers, in rounds. A round takes the changes so far and then reads the journal of
/// conversations, so nothing that happened after a block is ever published to the other person. What a watcher may see
/// is asked again only if the journal names one of the two (C6). A round that fails leaves its changes to the next, so
/// nothing is published while the database does not answer.
extension PresenceService {
    /// The wait between rounds. Changes within it are published together, only the latest of each person.
    static let roundInterval = Duration.milliseconds(100)
    /// The most pairs of a person and a watcher in one statement.
    private static let pairsMax = 2_000
    /// The most watchers of one Update, by the contract of links.
    private static let audienceMax = 1_000

    /// The kinds of changes after which somebody may see more or less of another. A person's conversation changes with
    /// every request, answer to one, and block.
    static let kindsOfRights = Set(
        [ConversationsKind.conversation, .block, .joined, .left, .removed].map(\.number))

    /// Notes when people came or went, for those who watch them.
    func note(_ changes: [PresenceSessions.Change]) {
        let now = context.clock.now
        for change in changes {
            unwritten[change.person.account] = now
            guard watches.isWatched(change.person.account) else { continue }
            unpublished[change.person.account] = UnpublishedChange(change: change, at: now)
        }
    }

    func publishRound() async throws {
        guard !watches.isEmpty else {
            unpublished = [:]
            return rights.pause()
        }
        let batch = unpublished
        unpublished = [:]
        do {
            if let entries = try await rights.news() {
                watches.doubt(Set(entries.flatMap(Self.accounts)))
            } else {
                watches.doubtAll()
            }
            try await decideDoubted()
        } catch {
            unpublished.merge(batch) { newer, _ in newer }
            throw error
        }
        for (account, change) in batch {
            publish(change.state, to: watches.show(account, isOnline: change.change.isOnline))
        }
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
        guard let isShown = watches.decide(pair, isOpen: seen.isOpen) else { return }
        let isOnline = sessions.isOnline(seen.account)
        if !seen.isOpen, isShown {
            watches.hide(pair)
            publish(
                seen.state(isOnline: isOnline, wentAt: unwritten[seen.account], now: context.clock.now), to: [watcher])
        } else if seen.isOpen, isShown != isOnline, unpublished[seen.account] == nil {
            // For the next round, which again reads the journal first.
            unpublished[seen.account] = UnpublishedChange(
                change: .init(person: .init(account: seen.account, user: seen.user), isOnline: isOnline),
                at: unwritten[seen.account] ?? seen.lastSeenAt ?? 0)
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
