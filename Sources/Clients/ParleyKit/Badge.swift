import Foundation
import Observation

/// My unread messages, for an app's icon.
///
///     let badge = parley.badge
///     show("\(badge.messages) unread in \(badge.conversations) conversations")
public struct Badge: Hashable, Sendable, Codable {
    /// Unread messages in the inbox, without archived and muted conversations. A conversation that is only marked as
    /// unread counts as one.
    public var messages: Int
    /// In how many conversations they are.
    public var conversations: Int
    /// How many of them mention me.
    public var mentions: Int

    /// Creates counts, for previews and tests.
    public init(messages: Int = 0, conversations: Int = 0, mentions: Int = 0) {
        (self.messages, self.conversations, self.mentions) = (messages, conversations, mentions)
    }

    init(_ own: Conversation.OwnState, section: Conversation.Section?, at now: Date) {
        self.init()
        guard section == .inbox, !own.isArchived, own.mutedUntil.map({ $0 <= now }) ?? true else { return }
        messages = own.unread.messages == 0 && own.unread.isMarked ? 1 : own.unread.messages
        conversations = messages > 0 ? 1 : 0
        mentions = own.unread.mentions
    }

    mutating func add(_ other: Badge, times sign: Int) {
        messages += sign * other.messages
        conversations += sign * other.conversations
        mentions += sign * other.mentions
    }
}

/// Counts what is unread in all conversations, from the first time that an app asks: once in the store, then with each
/// change, before the action that made it returns.
@MainActor
@Observable
final class BadgeCounter {
    private(set) var badge = Badge()

    @ObservationIgnored private weak var parley: Parley?
    /// What each conversation adds.
    @ObservationIgnored private var shares: [ConversationID: Badge] = [:]
    /// When the first muted conversation counts again.
    @ObservationIgnored private var unmutedAt = Date.distantFuture
    @ObservationIgnored private var counting: Task<Void, Never>?
    @ObservationIgnored private var waking: Task<Void, Never>?

    init(of parley: Parley) {
        self.parley = parley
        begin()
    }

    deinit {
        counting?.cancel()
        waking?.cancel()
    }

    /// Counts anew: at first, and when another person has signed in or nobody is.
    func begin() {
        counting?.cancel()
        waking?.cancel()
        (shares, unmutedAt, badge) = ([:], .distantFuture, Badge())
        guard let parley, parley.user != nil else { return }
        parley.conversations.listeners.first = { [weak self] in self?.take($0) }
        counting = Task { [weak self] in await self?.countStored() }
    }

    private func countStored() async {
        guard let parley, let account = parley.account else { return }
        let (me, now) = (account.me.rawValue, account.now)
        let found = await parley.read { store in
            try store.list(Conversation.Section.inbox.stored, isArchived: false, after: nil, limit: .max)
                .map { try store.summary(of: $0, me: me, at: now) }
        }
        guard account === parley.account else { return }
        for summary in found ?? [] {
            // What is in memory may have changed since the store was read.
            if parley.conversations.conversations[summary.id]?.hasFacts == true {
                count(summary.id, in: parley, at: Date(microseconds: now))
                continue
            }
            let shown = parley.outbox.overlaid(summary)
            set(shown.own, shown.section, of: shown.id, at: Date(microseconds: now))
        }
    }

    private func take(_ change: ConversationChange) {
        guard let parley, let now = parley.account?.now else { return }
        switch change {
        case .updated(let id): count(id, in: parley, at: Date(microseconds: now))
        case .gone(let id): put(Badge(), of: id)
        case .migrated(let old, let new):
            put(Badge(), of: old)
            count(new, in: parley, at: Date(microseconds: now))
        case .appended, .changed, .status, .removed: break
        }
    }

    private func count(_ id: ConversationID, in parley: Parley, at now: Date) {
        guard let conversation = parley.conversations.conversations[id] else { return put(Badge(), of: id) }
        set(conversation.own, conversation.section, of: id, at: now)
    }

    private func set(
        _ own: Conversation.OwnState, _ section: Conversation.Section?, of id: ConversationID, at now: Date
    ) {
        if let end = own.mutedUntil, end > now, end < unmutedAt { wake(at: end, after: end.timeIntervalSince(now)) }
        put(Badge(own, section: section, at: now), of: id)
    }

    private func put(_ share: Badge, of id: ConversationID) {
        var sum = badge
        sum.add(shares[id] ?? Badge(), times: -1)
        sum.add(share, times: 1)
        shares[id] = share == Badge() ? nil : share
        if sum != badge { badge = sum }
    }

    /// Counts all again when a mute has ended.
    private func wake(at end: Date, after seconds: Double) {
        unmutedAt = end
        waking?.cancel()
        // Whoever mutes for ever is not waited for.
        guard seconds < 1_000_000_000 else { return }
        waking = Task { [weak self] in
            try? await Task.sleep(for: .seconds(seconds))
            guard !Task.isCancelled else { return }
            self?.unmutedAt = .distantFuture
            await self?.countStored()
        }
    }
}

extension Parley {
    /// My unread messages, for the app's icon: the number that the server counts, as far as this device knows it, and
    /// with what I read offline. It is counted from its first use on.
    public var badge: Badge {
        if let badgeCounter { return badgeCounter.badge }
        let counter = BadgeCounter(of: self)
        badgeCounter = counter
        return counter.badge
    }
}
