import Foundation
import ParleyClient

extension Parley: ConversationReading {
    // MARK: Messages

    func load(_ id: ConversationID) async { await load(id, again: false) }

    /// Shows the newest messages that are stored, and requests them if they are not.
    /// - Returns: why they could not be requested; nil: they were, or did not have to be.
    @discardableResult
    func load(_ id: ConversationID, again: Bool) async -> Refusal? {
        if let loading = loads[id] {
            let refusal = await loading.value
            guard again else { return refusal }
            // It may have read before what is to be shown was stored. One that began since has not.
            if let later = loads[id] { return await later.value }
        }
        guard let account, again || !conversations.conversation(id).isLoaded else { return nil }
        let loading = Task { [self] () -> Refusal? in
            defer { loads[id] = nil }
            let isEnough = await showStored(id, account)
            guard let engine = account.engine, connection == .online else {
                account.willLook(at: id)
                return isEnough ? nil : .notStored
            }
            await account.look(at: id)
            if isEnough { return nil }
            if await showStored(id, account) { return nil }
            // Nothing, or not enough, is stored.
            do throws(ParleyError) {
                let end = try await engine.read(.newest, of: id.rawValue, limit: options.pageSize)
                _ = await showStored(id, account)
                guard let end, account === self.account, conversations.isOpenAndEmpty(id) else { return nil }
                conversations.showNewest([], from: end + 1, in: id)
                return nil
            } catch {
                // What is stored is shown. The rest is read once it is looked at again.
                return Refusal(error)
            }
        }
        loads[id] = loading
        return await loading.value
    }

    /// Shows the newest messages that are stored without a gap.
    /// - Parameter again: how often it reads again what changed while it was read.
    /// - Returns: whether these are as many as are shown at first, or all.
    private func showStored(_ id: ConversationID, _ account: Account, again: Int = 3) async -> Bool {
        conversations.beginReading(id)
        defer { conversations.endReading(id) }
        let (me, now, limit) = (account.me.rawValue, account.now, options.pageSize)
        let summaries = conversations.conversation(id).summaries
        let read = await read { store -> StoredScreen in
            var screen = StoredScreen()
            screen.summary = try store.summary(of: id.rawValue, me: me, at: now)
            screen.receipts = try store.receipts(id.rawValue)
            screen.readCounts = try store.readCounts(id.rawValue)
            guard let span = try store.spans(id.rawValue).last else { return screen }
            let found = try store.messages(
                id.rawValue, in: span.lowerBound ... .max, newest: true, limit: limit)
            screen.messages = found.filter { $0.expiresAtUs == 0 || $0.expiresAtUs > now }.map(Message.init)
            screen.first = found.count < limit ? span.lowerBound : found[0].seq
            // The newest ones may be missing.
            let newest = try store.row(id.rawValue)?.record?.newest.seq ?? 0
            screen.isWhole = span.upperBound >= newest
            screen.isEnough = found.count == limit && screen.isWhole
            return screen
        }
        guard let read else { return true }
        // What was shown meanwhile is newer.
        if again > 0, conversations.conversation(id).summaries != summaries {
            return await showStored(id, account, again: again - 1)
        }
        if let summary = read.summary { conversations.take(outbox.overlaid(summary)) }
        for receipt in read.receipts {
            conversations.setReceipt(Receipt(receipt), of: UserID(rawValue: receipt.user), in: id)
        }
        if let first = read.first { conversations.showNewest(read.messages, from: first, in: id) }
        for count in read.readCounts { conversations.take(count) }
        conversations.noteLoaded(id)
        let isFromFirst = read.first.map { $0 <= conversations.conversation(id).own.firstSeq } ?? false
        return read.isEnough || (isFromFirst && read.isWhole)
    }

    private struct StoredScreen: Sendable {
        var summary: ConversationSummary?
        var receipts: [Parley_V1_Receipt] = []
        var readCounts: [Parley_V1_ReadCount] = []
        var messages: [Message] = []
        var first: Int64?
        var isEnough = false
        var isWhole = false
    }

    func loadNewest(_ id: ConversationID) async throws(Refusal) {
        let refusal = await load(id, again: true)
        guard account != nil else { throw isClosed ? .wasClosed : .signedOut }
        if let refusal, conversations.isOpenAndEmpty(id) { throw refusal }
    }

    func load(_ id: ConversationID, before seq: Int64, count: Int) async throws(Refusal) {
        try await load(id, .before(seq), count: count) { store, now -> StoredPage? in
            guard let span = try store.spans(id.rawValue).last(where: { $0.contains(seq - 1) }) else { return nil }
            let found = try store.messages(
                id.rawValue, in: span.lowerBound...(seq - 1), newest: true, limit: count)
            let first = found.count < count ? span.lowerBound : found[0].seq
            // The end of what is stored, with more on the server, is not a page.
            guard !found.isEmpty || first <= 1 else { return nil }
            return StoredPage(found, covering: first...(seq - 1), at: now)
        }
    }

    func load(_ id: ConversationID, around seq: Int64, count: Int) async throws(Refusal) {
        try await load(id, .around(seq), count: count) { store, now -> StoredPage? in
            guard let span = try store.spans(id.rawValue).last(where: { $0.contains(seq) }) else { return nil }
            let older = try store.messages(
                id.rawValue, in: span.lowerBound...seq, newest: true, limit: count / 2 + 1)
            let newer =
                seq == .max
                ? []
                : try store.messages(
                    id.rawValue, in: (seq + 1)...max(seq + 1, span.upperBound), newest: false, limit: count / 2)
            let first = older.count < count / 2 + 1 ? span.lowerBound : older[0].seq
            let last = newer.count < count / 2 ? span.upperBound : newer[newer.count - 1].seq
            return StoredPage(older + newer, covering: first...last, at: now)
        }
    }

    private struct StoredPage: Sendable {
        var messages: [Message]
        var range: ClosedRange<Int64>

        init(_ messages: [Parley_V1_Message], covering range: ClosedRange<Int64>, at now: Int64) {
            self.messages = messages.filter { $0.expiresAtUs == 0 || $0.expiresAtUs > now }.map(Message.init)
            self.range = range
        }
    }

    /// Shows a page from the store, or requests it first.
    private func load(
        _ id: ConversationID, _ page: ParleyClient.HistoryPage, count: Int,
        stored: @escaping @Sendable (any StoreReader, Int64) throws -> StoredPage?
    ) async throws(Refusal) {
        await load(id)
        guard let account else { throw isClosed ? .wasClosed : .signedOut }
        if try await show(id, account, stored) { return }
        guard let engine = account.engine, connection == .online else { throw .notStored }
        do {
            try await engine.read(page, of: id.rawValue, limit: count)
        } catch {
            throw Refusal(error)
        }
        _ = try await show(id, account, stored)
    }

    private func show(
        _ id: ConversationID, _ account: Account,
        _ stored: @escaping @Sendable (any StoreReader, Int64) throws -> StoredPage?
    ) async throws(Refusal) -> Bool {
        conversations.beginReading(id)
        defer { conversations.endReading(id) }
        let now = account.now
        let page: StoredPage?
        do {
            page = try await account.store.read { try stored($0, now) }
        } catch {
            throw StoreProblem(error).refusal
        }
        guard let page, account === self.account else { return false }
        conversations.show(page.messages, covering: page.range, in: id)
        return true
    }

    // MARK: Drafts

    func setDraft(_ draft: String, of id: ConversationID) {
        conversations.setDraft(draft, of: id)
        drafts[id] = draft
        writeDrafts()
    }

    /// Writes what drafts are not in the store yet.
    func writeDrafts() {
        guard draftWriter == nil, account != nil, !drafts.isEmpty else { return }
        draftWriter = Task { [weak self] in
            while let self, let (id, draft) = drafts.first {
                guard await write({ try $0.putDraft(draft, id.rawValue) }) != nil else { break }
                if drafts[id] == draft { drafts[id] = nil }
            }
            self?.draftWriter = nil
        }
    }
}
