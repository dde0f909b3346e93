import Foundation
import ParleyClient

/// Showing what the store has.
extension Parley {
    func loadPage(of section: Conversation.Section, after key: ListKey?) async {
        guard let account else { return }
        let (me, now, limit) = (account.me.rawValue, account.now, options.pageSize)
        let page = try? await account.store.read { store in
            try store.list(section.stored, after: key, limit: limit + 1).map { row -> ConversationSummary in
                var summary = try store.summary(of: row, me: me, at: now)
                summary.isWhole = true
                return summary
            }
        }
        guard let page, account === self.account else { return }
        let list = section == .inbox ? inbox : requests
        for summary in page.prefix(limit) { conversations.take(summary) }
        list.show(
            page.prefix(limit).map { (conversations.conversation($0.id), $0.key) }, hasMore: page.count > limit)
    }

    func reload(_ kind: StateKind) async {
        guard let account else { return }
        guard let states = try? await account.store.read({ try $0.states(kind) }), account === self.account else {
            return
        }
        switch kind {
        case .profile: profile = states.first.flatMap { try? .init(serializedBytes: $0) }.map(Profile.init)
        case .requestCount:
            let count = states.first.flatMap { try? Parley_V1_RequestCount(serializedBytes: $0) } ?? .init()
            requestCount = .init(total: Int(count.total), unread: Int(count.unread))
        case .block:
            blocked = states.compactMap { try? Parley_V1_Block(serializedBytes: $0) }.map { User($0.user) }
        case .reminder:
            reminders = states.compactMap { try? Parley_V1_Reminder(serializedBytes: $0) }.map(Reminder.init)
                .sorted { ($0.dueAt, $0.id.description) < ($1.dueAt, $1.id.description) }
        case .decision:
            decisions = states.compactMap { try? Parley_V1_Decision(serializedBytes: $0) }.map(Decision.init)
                .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
        case .suggestion:
            suggestions = states.compactMap { try? Parley_V1_Suggestion(serializedBytes: $0) }.map(Suggestion.init)
                .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
            expireSuggestions(at: Date(microseconds: account.now))
        // Stored, so that an app's later version finds them; not shown yet.
        case .event: break
        }
    }

    /// Hides the suggestions that have ended. The server says nothing then.
    func expireSuggestions(at now: Date) {
        if suggestions.contains(where: { $0.expiresAt <= now }) { suggestions.removeAll { $0.expiresAt <= now } }
    }

    // MARK: What was stored

    /// Shows what a commit changed.
    func take(_ committed: Committed) {
        var kinds: Set<StateKind> = []
        for effect in committed.effects {
            switch effect {
            case .message(let message): conversations.upsert(message)
            case .receipt(let receipt, let user, let id): conversations.setReceipt(receipt, of: user, in: id)
            case .readCount(let count): conversations.take(count)
            case .cleared(let id, let seq): conversations.clear(id, upTo: seq)
            case .droppedMessages(let id): drop(id)
            case .dropped(let id): conversations.drop(id)
            case .summary(let summary): take(summary)
            case .profile: kinds.insert(.profile)
            case .requestCount: kinds.insert(.requestCount)
            case .blocks: kinds.insert(.block)
            case .reminders: kinds.insert(.reminder)
            case .decisions: kinds.insert(.decision)
            case .suggestions: kinds.insert(.suggestion)
            }
        }
        loadNew(committed.effects)
        for state in committed.presence { presence[UserID(rawValue: state.user)] = Presence(state) }
        if !kinds.isEmpty {
            let before = reloading
            reloading = Task {
                await before?.value
                for kind in kinds { await reload(kind) }
            }
        }
        if !committed.doubtful.isEmpty, let engine = account?.engine {
            Task { await engine.recount(committed.doubtful) }
        }
        if committed.isConfirmed { confirm() }
    }

    /// Shows the messages of conversations that are open and had nothing to show yet.
    private func loadNew(_ effects: [StoreEffect]) {
        var ids: Set<ConversationID> = []
        for case .message(let message) in effects where conversations.isOpenAndEmpty(message.conversation) {
            ids.insert(message.conversation)
        }
        for id in ids { Task { await load(id, again: true) } }
    }

    func confirm() {
        isFromCache = false
        inbox.confirm()
        requests.confirm()
        conversations.confirm()
        for id in conversations.conversations.keys where conversations.isOpenAndEmpty(id) {
            Task { await load(id, again: true) }
        }
    }

    func take(_ summary: ConversationSummary) {
        guard summary.facts != nil || conversations.knows(summary.id) || summary.section == nil else {
            // Nothing was shown of it yet: what lists show of it is read as a whole.
            Task { await refresh(summary.id) }
            return
        }
        conversations.take(summary)
        let conversation = conversations.conversation(summary.id)
        inbox.take(summary, conversation)
        requests.take(summary, conversation)
    }

    func refresh(_ id: ConversationID) async {
        guard let account else { return }
        let (me, now) = (account.me.rawValue, account.now)
        let summary = try? await account.store.read { try $0.summary(of: id.rawValue, me: me, at: now) }
        guard let summary, account === self.account else { return }
        conversations.take(summary)
        let conversation = conversations.conversation(id)
        inbox.take(summary, conversation)
        requests.take(summary, conversation)
    }

    /// Drops the messages of a conversation. If they were shown, they are shown again once they are read.
    func drop(_ id: ConversationID) {
        let wasShown = conversations.conversations[id].map { !$0.loaded.isEmpty } ?? false
        conversations.dropMessages(of: id)
        if wasShown { Task { try? await loadNewest(id) } }
    }

    // MARK: Another process

    /// Shows what another process has stored.
    func showChanges(of account: Account) async {
        let seen = account.seenVersion
        guard let changed = try? await account.store.read({ try $0.changed(since: seen) }), changed.version != seen
        else { return }
        account.seenVersion = changed.version
        for id in changed.conversations.map(ConversationID.init(rawValue:)) {
            await refresh(id)
            if let shown = conversations.conversations[id], shown.isLoaded { await load(id, again: true) }
        }
        for kind in StateKind.allCases { await reload(kind) }
    }
}
