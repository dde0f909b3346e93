import Foundation
import Observation
import ParleyClient

/// Which messages of all conversations to list.
///
///     let starred = parley.list(of: .starred)
///     await starred.load()
///     for message in starred.messages { show(message.text) }
public enum MentionsAndStars: String, Hashable, Sendable, CaseIterable, Codable {
    case starred
    /// Those that mention me.
    case mentions
    case mentionsAndStars

    var stored: Parley_V1_MentionsAndStarsKind {
        switch self {
        case .starred: .starred
        case .mentions: .mentions
        case .mentionsAndStars: .mentionsAndStars
        }
    }
}

/// The messages of all conversations that I starred, or that mention me, the newest first. It changes as they do, as
/// long as an app holds it. Until ``load()`` it shows those that are stored on the device.
///
///     let mentions = parley.list(of: .mentions)
///     await mentions.load()
///     if mentions.hasMore { await mentions.loadMore() }
@MainActor
@Observable
public final class MentionsAndStarsList {
    public let kind: MentionsAndStars
    /// Those that are loaded. Mentions are in order of sending, starred ones in order of their stars.
    public private(set) var messages: [Message] = []
    /// Whether the server may have more.
    public private(set) var hasMore = true
    /// Why the server did not answer: what is shown is what the device has. Nil: it answered, or was not asked.
    public private(set) var problem: Refusal?

    @ObservationIgnored private weak var parley: Parley?
    /// Where the next page begins; nil: the first page was not read.
    @ObservationIgnored private var next: String?
    @ObservationIgnored private var isLoaded = false
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var reading: Task<Void, Never>?
    /// Whether it must be read again after what is being read.
    @ObservationIgnored private var mustReadAgain = false
    /// What changed while a page was read, which may be from before.
    @ObservationIgnored private var meanwhile: [Message] = []
    /// Belong here, but on a page that is not loaded.
    @ObservationIgnored private var later: Set<MessageID> = []

    fileprivate init(_ kind: MentionsAndStars, of parley: Parley) {
        (self.kind, self.parley) = (kind, parley)
        let changes = parley.changes
        following = Task { [weak self] in
            await self?.showStored()
            for await change in changes {
                guard let self else { return }
                take(change)
            }
        }
    }

    deinit {
        following?.cancel()
        reading?.cancel()
    }

    // MARK: Reading

    /// Reads the first page from the server, or all that was loaded again.
    public func load() async {
        if reading != nil { mustReadAgain = true } else { reading = Task { [weak self] in await self?.read() } }
        await reading?.value
    }

    /// Reads the next page from the server, if there is one.
    public func loadMore() async {
        guard isLoaded else { return await load() }
        guard hasMore, let next, reading == nil else { return }
        reading = Task { [weak self] in
            guard let page = await self?.page(after: next, limit: Self.pageSize) else { self?.reading = nil; return }
            self?.show(page, first: false)
            await self?.endReading()
        }
        await reading?.value
    }

    private static let pageSize = 50

    private func read() async {
        let count = min(max(messages.count, Self.pageSize), 200)
        if let page = await page(after: nil, limit: count) { show(page, first: true) }
        await endReading()
    }

    private func endReading() async {
        if mustReadAgain, problem == nil {
            mustReadAgain = false
            return await read()
        }
        (reading, mustReadAgain) = (nil, false)
    }

    private func page(after next: String?, limit: Int) async -> (messages: [Message], next: String?)? {
        guard let parley else { return nil }
        do throws(Refusal) {
            let page = try await parley.mentionsAndStars(kind, after: next, limit: limit)
            problem = nil
            return page
        } catch {
            problem = error
            return nil
        }
    }

    private func show(_ page: (messages: [Message], next: String?), first: Bool) {
        guard let parley else { return }
        (next, hasMore, isLoaded) = (page.next, page.next != nil, true)
        let changed = meanwhile
        meanwhile = []
        // What I did and the server does not have stays on top.
        let pending = first ? messages.filter { $0.syncStatus != .synced } : messages
        let read = page.messages.map(parley.outbox.shown).filter { belongs($0) }
        let new = read.filter { message in !pending.contains { $0.id == message.id } }
        if first { later = [] }
        for message in new { later.remove(message.id) }
        set(pending + new)
        for message in changed { take(message, wasRead: true) }
    }

    private func showStored() async {
        guard let parley, let me = parley.user?.rawValue else { return }
        let kind = kind
        let found = await parley.read { store in
            var found = kind == .mentions ? [] : try store.starred()
            if kind != .starred { found += try store.mentioning(me).filter { kind == .mentions || !$0.own.starred } }
            return found
        }
        guard !isLoaded, let found else { return }
        let known = found.map { parley.outbox.shown(Message($0)) }.filter(belongs)
        let shown = messages.filter { message in !known.contains { $0.id == message.id } }
        set((shown + known).sorted { $0.sentAt > $1.sentAt })
    }

    // MARK: Changing

    private func belongs(_ message: Message) -> Bool {
        guard let parley, !message.isDeleted, !message.isHidden else { return false }
        if let end = message.expiresAt, end <= .now { return false }
        if kind != .mentions, message.isStarred { return true }
        guard kind != .starred, let me = parley.user, message.mentions.contains(me), message.sender != me else {
            return false
        }
        return !parley.blocked.contains { $0.id == message.sender }
    }

    private func set(_ shown: [Message]) { if shown != messages { messages = shown } }

    private func take(_ change: ConversationChange) {
        switch change {
        case .appended(let message), .changed(let message):
            if reading != nil { meanwhile.append(message) }
            take(message, wasRead: false)
        case .removed(let ids, _):
            guard messages.contains(where: { ids.contains($0.id) }) else { return }
            set(messages.filter { !ids.contains($0.id) })
            // The device may have dropped what the server still has.
            readAgain()
        case .gone(let id): set(messages.filter { $0.conversation != id })
        case .migrated: readAgain()
        case .status(_, let id, let conversation):
            guard let index = messages.firstIndex(where: { $0.id == id }),
                let message = parley?.conversations.conversations[conversation]?.message(id)
            else { return }
            messages[index] = message
        case .updated: break
        }
    }

    /// - Parameter wasRead: whether a page that is newer than the change has been shown.
    private func take(_ message: Message, wasRead: Bool) {
        guard belongs(message) else {
            later.remove(message.id)
            return set(messages.filter { $0.id != message.id })
        }
        if let index = messages.firstIndex(where: { $0.id == message.id }) {
            if messages[index] != message { messages[index] = message }
            return
        }
        guard !later.contains(message.id) else { return }
        if message.isStarred, kind != .mentions {
            // Only the server knows when it was starred, unless I just did it.
            if message.syncStatus != .synced || !isLoaded { return messages.insert(message, at: 0) }
            if wasRead { later.insert(message.id) } else { readAgain() }
        } else if let last = messages.last, hasMore, isLoaded, message.sentAt < last.sentAt {
            later.insert(message.id)
        } else {
            let index = messages.firstIndex { $0.sentAt <= message.sentAt } ?? messages.count
            messages.insert(message, at: index)
        }
    }

    /// Reads it again in a moment: more may change at once.
    fileprivate func readAgain() {
        guard isLoaded else { return }
        guard reading == nil else { return mustReadAgain = true }
        reading = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(200))
            await self?.read()
        }
    }

    /// What is stored, or on the server, may be different now.
    func refresh() {
        if isLoaded { readAgain() } else { Task { [weak self] in await self?.showStored() } }
    }
}

/// The lists that an app holds.
@MainActor
final class MentionsAndStarsLists {
    private struct Held {
        weak var list: MentionsAndStarsList?
    }

    private var lists: [MentionsAndStars: Held] = [:]

    fileprivate func list(of kind: MentionsAndStars, in parley: Parley) -> MentionsAndStarsList {
        if let list = lists[kind]?.list { return list }
        let list = MentionsAndStarsList(kind, of: parley)
        lists[kind] = Held(list: list)
        return list
    }

    /// Something changed of which nothing is shown: my state of a message that the device does not have, or whatever
    /// happened without a connection.
    func refresh() { for held in lists.values { held.list?.refresh() } }

    /// Another person may sign in: what an app still holds is of nobody.
    func forget() { lists = [:] }
}

extension Parley {
    /// Returns the messages of all conversations that I starred, or that mention me; always the same object while it is
    /// held.
    public func list(of kind: MentionsAndStars) -> MentionsAndStarsList { overviews.list(of: kind, in: self) }
}

extension Conversation {
    /// Stars several messages, or the reverse, for me alone.
    public func star(_ messages: [Message], _ isStarred: Bool = true) async throws(Refusal) {
        for message in messages { try await star(message, isStarred) }
    }

    /// Deletes several messages for me alone. It cannot be undone.
    public func hide(_ messages: [Message]) async throws(Refusal) {
        for message in messages { try await hide(message) }
    }
}
