import Foundation
import ParleyClient

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

    /// Shows what the store has of a kind of states without an order.
    func reload(_ kind: StateKind) async {
        if await shownStates[kind]?.load(in: self) ?? false { show(kind) }
    }

    /// Shows what has no order, with what I did on top.
    func show(_ kind: StateKind) { shownStates[kind]?.show(in: self) }

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
