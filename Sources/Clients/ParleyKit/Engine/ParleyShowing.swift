import Foundation
import ParleyClient
import SwiftProtobuf

/// Showing what the store has.
extension Parley {
    var lists: [ConversationList] { [inbox, requests, archived] }

    func loadPage(of list: ConversationList, after key: ListKey?) async {
        guard let account else { return }
        let (me, now, limit) = (account.me.rawValue, account.now, options.pageSize)
        let (section, isArchived) = (list.section, list.isArchived)
        let page = await read { store in
            let rows = try store.list(section.stored, isArchived: isArchived, after: key, limit: limit + 1)
            let drafts = try store.drafts()
            return try rows.map { row -> ConversationSummary in
                var summary = try store.summary(of: row, me: me, at: now)
                (summary.draft, summary.isWhole) = (drafts[row.id] ?? "", true)
                return summary
            }
        }
        guard let page else { return }
        let shown = page.prefix(limit).map(outbox.overlaid)
        for summary in shown { conversations.take(summary) }
        list.show(
            shown.filter(list.has).map { (conversations.conversation($0.id), $0.key) },
            upTo: page.prefix(limit).last?.key, hasMore: page.count > limit)
        // What I did may have moved others here.
        for summary in outbox.overlaid { list.take(summary, conversations.conversation(summary.id)) }
    }

    func reload(_ kind: StateKind) async {
        switch kind {
        case .profile:
            guard let found = await states(kind, as: Parley_V1_Profile.self) else { return }
            confirmed.profile = found.first.map(Profile.init)
        case .requestCount:
            guard let found = await states(kind, as: Parley_V1_RequestCount.self) else { return }
            let count = found.first ?? .init()
            requestCount = .init(total: Int(count.total), unread: Int(count.unread))
        case .block:
            guard let found = await states(kind, as: Parley_V1_Block.self) else { return }
            confirmed.blocked = found.map { User($0.user) }
        case .reminder:
            guard let found = await states(kind, as: Parley_V1_Reminder.self) else { return }
            confirmed.reminders = found.map(Reminder.init)
        case .decision:
            guard let found = await states(kind, as: Parley_V1_Decision.self) else { return }
            confirmed.decisions = found.map(Decision.init)
        case .suggestion:
            guard let found = await states(kind, as: Parley_V1_Suggestion.self) else { return }
            confirmed.suggestions = found.map(Suggestion.init)
        case .event:
            guard let found = await states(kind, as: Parley_V1_Event.self) else { return }
            confirmed.events = found.map(Event.init)
        }
        show(kind)
    }

    /// What the server has said of what has no order.
    struct Confirmed {
        var profile: Profile?
        var blocked: [User] = []
        var reminders: [Reminder] = []
        var decisions: [Decision] = []
        var events: [Event] = []
        var suggestions: [Suggestion] = []
    }

    /// Shows what has no order, with what I did on top.
    func show(_ kind: StateKind) {
        let items = outbox.entries.lazy.map(\.item)
        switch kind {
        case .profile:
            guard var shown = confirmed.profile else { return profile = nil }
            for item in items { item.apply(to: &shown) }
            if profile != shown { profile = shown }
        case .block:
            let shown = items.reduce(into: confirmed.blocked) { $1.apply(to: &$0) }
            if blocked != shown { blocked = shown }
        case .reminder:
            let me = user ?? UserID(rawValue: "")
            let shown = items.reduce(into: confirmed.reminders) { $1.apply(to: &$0, me: me) }
                .sorted { ($0.dueAt, $0.id.description) < ($1.dueAt, $1.id.description) }
            if reminders != shown { reminders = shown }
        case .decision:
            let me = user ?? UserID(rawValue: "")
            let shown = items.reduce(into: confirmed.decisions) { $1.apply(to: &$0, me: me) }
                .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
            if decisions != shown {
                let before = decisions
                decisions = shown
                cards.take(shown, before: before, in: self)
            }
        case .event:
            let me = user ?? UserID(rawValue: "")
            let shown = items.reduce(into: confirmed.events) { $1.apply(to: &$0, me: me) }
                .sorted { ($0.startsAt, $0.id.description) < ($1.startsAt, $1.id.description) }
            if events != shown {
                let before = events
                events = shown
                cards.take(shown, before: before, in: self)
            }
        case .suggestion:
            let me = user ?? UserID(rawValue: "")
            let now = Date(microseconds: account?.now ?? ServerClock().now())
            let shown = items.reduce(into: confirmed.suggestions) { $1.apply(to: &$0, me: me) }
                .filter { $0.expiresAt > now }
                .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
            if suggestions != shown { suggestions = shown }
        case .requestCount: break
        }
    }

    private func states<State: SwiftProtobuf.Message>(_ kind: StateKind, as _: State.Type) async -> [State]? {
        await read { try $0.states(kind).map { try State(serializedBytes: $0) } }
    }

    /// Hides the suggestions that have ended. The server says nothing then.
    func expireSuggestions(at now: Date) {
        if suggestions.contains(where: { $0.expiresAt <= now }) { suggestions.removeAll { $0.expiresAt <= now } }
    }

    // MARK: What was stored

    /// Shows what a commit changed.
    func take(_ committed: Committed) {
        var kinds: Set<StateKind> = []
        var sent: [SentItem] = []
        var gaps: Set<ConversationID> = []
        for effect in committed.effects {
            switch effect {
            case .message(let message):
                conversations.upsert(message)
                if message.kind == .system { cards.noteChanged(message.note, in: self) }
            case .receipt(let receipt, let user, let id): conversations.setReceipt(receipt, of: user, in: id)
            case .readCount(let count): conversations.take(count)
            case .cleared(let id, let seq): conversations.clear(id, upTo: seq)
            case .droppedMessages(let id): drop(id)
            case .droppedReceipts(let id):
                conversations.dropReceipts(of: id)
                delivered.forget(id)
            case .dropped(let id):
                outbox.noteDropped(id)
                conversations.drop(id)
            case .summary(let summary):
                take(summary)
                delivered.note(summary, of: self)
            case .gap(let id):
                if loads[id] != nil || conversations.conversations[id]?.isLoaded ?? false { gaps.insert(id) }
            case .sent(let item): sent.append(item)
            case .states(let kind): kinds.insert(kind)
            case .earlyState: overviews.refresh()
            }
        }
        loadNew(committed.effects)
        for id in gaps { Task { await load(id, again: true) } }
        for state in committed.presence { presence[UserID(rawValue: state.user)] = Presence(state) }
        for (id, people) in committed.typing {
            conversations.setTyping(people.map(UserID.init(rawValue:)), in: ConversationID(rawValue: id))
        }
        for state in committed.ownPresence { show(state) }
        for state in committed.pushSettings where pushSettings != nil { show(state) }
        if !kinds.isEmpty {
            let before = reloading
            reloading = Task {
                await before?.value
                for kind in kinds { await reload(kind) }
            }
        }
        show(sent)
        if !committed.doubtful.isEmpty, let engine = account?.engine {
            Task { await engine.recount(committed.doubtful) }
        }
        if committed.isConfirmed { confirm() }
    }

    /// Shows without a guess what the server has now. It is shown already, apart from what is read from the store.
    private func show(_ sent: [SentItem]) {
        guard !sent.isEmpty else { return }
        let later = sent.filter { outbox.isShownLater($0.id) }
        for item in sent where !outbox.isShownLater(item.id) { outbox.sent(item) }
        guard !later.isEmpty else { return outbox.drain() }
        let before = reloading
        reloading = Task {
            await before?.value
            for item in later { outbox.sent(item) }
            outbox.drain()
        }
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
        showWhatWasEarly()
        for list in lists { list.confirm() }
        conversations.confirm()
        for id in conversations.conversations.keys where conversations.isOpenAndEmpty(id) {
            Task { await load(id, again: true) }
        }
    }

    /// Shows again what had not disappeared yet, but by the clock of a device that was ahead.
    private func showWhatWasEarly() {
        guard let account, let ahead = account.wasAhead, !account.isClockSettled else { return }
        account.isClockSettled = true
        guard ahead > 60_000_000 else { return }
        for (id, conversation) in conversations.conversations {
            conversations.dropMessages(of: id)
            Task {
                await refresh(id)
                if conversation.isLoaded { await load(id, again: true) }
            }
        }
        let before = reloading
        reloading = Task {
            await before?.value
            for kind in StateKind.allCases { await reload(kind) }
        }
    }

    func take(_ summary: ConversationSummary) {
        guard summary.facts != nil || conversations.knows(summary.id) || summary.section == nil else {
            // Nothing was shown of it yet: what lists show of it is read as a whole.
            Task { await refresh(summary.id) }
            return
        }
        show(summary)
    }

    /// Shows a conversation where it belongs, with what I did on top.
    func show(_ summary: ConversationSummary) {
        let shown = outbox.overlaid(summary)
        conversations.take(shown)
        let conversation = conversations.conversation(shown.id)
        for list in lists { list.take(shown, conversation) }
    }

    /// Returns what is shown of a conversation.
    func summary(of id: ConversationID) -> ConversationSummary {
        let conversation = conversations.conversation(id)
        let newest = conversation.lastMessage?.sentAt ?? conversation.createdAt
        let key = lists.lazy.compactMap { $0.key(of: id) }.first
        return ConversationSummary(
            id: id, facts: conversations.facts(of: id), own: conversation.own, last: conversation.newestStored,
            draft: nil, section: conversation.section,
            key: key
                ?? ListKey(
                    pinnedAt: conversation.own.pinnedAt?.microseconds ?? 0,
                    activeAt: newest == .distantPast ? 0 : newest.microseconds, id: id.rawValue))
    }

    func refresh(_ id: ConversationID) async {
        guard let account else { return }
        let (me, now) = (account.me.rawValue, account.now)
        // Nil: it cannot be read, or nothing is stored of it.
        guard let found = await read({ try $0.summary(of: id.rawValue, me: me, at: now) }), let summary = found else {
            return
        }
        show(summary)
    }

    /// Drops the messages of a conversation. If they were shown, they are shown again once they are read.
    func drop(_ id: ConversationID) {
        let wasShown = conversations.conversations[id].map { !$0.loaded.isEmpty } ?? false
        conversations.dropMessages(of: id)
        if wasShown { Task { await load(id, again: true) } }
    }

    // MARK: Another process

    /// Shows what another process has stored.
    func showChanges(of account: Account) async {
        let seen = account.seenVersion
        guard let changed = await read({ try $0.changed(since: seen) }), changed.version != seen else { return }
        account.seenVersion = changed.version
        for id in changed.conversations.map(ConversationID.init(rawValue:)) {
            await refresh(id)
            if let shown = conversations.conversations[id], shown.isLoaded { await load(id, again: true) }
        }
        for kind in StateKind.allCases { await reload(kind) }
        await outbox.reload()
        overviews.refresh()
    }
}
