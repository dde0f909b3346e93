import Foundation
import Observation
import ParleyClient

/// A conversation, as an app shows it. There is one object for each id, for as long as ``Parley`` is open. What is read
/// from it in a SwiftUI view, or in `withObservationTracking`, is observed; a change of one conversation never wakes an
/// observer of another.
///
///     let chat = parley.conversation(id)
///     await chat.load()
///     for message in chat.messages { show(message.text) }
///     try await chat.send("Hi")
///     try await chat.markRead()
@MainActor
@Observable
public final class Conversation: Identifiable {
    public nonisolated let id: ConversationID

    /// The messages that are loaded, in ascending order, then those that the server does not have yet. Between two of
    /// them messages may be missing: ``gaps``.
    public var messages: [Message] { held.messages }

    fileprivate(set) var held = HeldMessages()
    fileprivate(set) var facts = Facts() { didSet { membersByID = nil } }
    fileprivate(set) var own = OwnState()
    fileprivate(set) var loaded = LoadedRanges()
    fileprivate(set) var newestStored: Message?
    /// How far the other members have read and received it.
    public fileprivate(set) var receipts: [UserID: Receipt] = [:]
    /// The other members who are typing now. In a group of more than 64 members only while I look at it.
    public fileprivate(set) var typing: [UserID] = []
    /// What I have begun to write.
    public fileprivate(set) var draft = ""
    /// Whether what it shows has not been confirmed by the server since the app started.
    public fileprivate(set) var isFromCache = true
    /// Whether the server has what I did with the conversation itself; each message has its own
    /// ``Message/syncStatus``.
    public fileprivate(set) var syncStatus = SyncStatus.synced
    /// Whether ``load()`` has shown what is stored.
    public fileprivate(set) var isLoaded = false

    /// The newest message that somebody else has read, and the newest that reached somebody else.
    @ObservationIgnored fileprivate var reached: (read: Int64, delivered: Int64) = (0, 0)
    @ObservationIgnored fileprivate(set) var hasFacts = false
    /// Whether the draft was set here: then what the store has is older, or is being read while it is written.
    @ObservationIgnored fileprivate var isDraftNewer = false
    /// Messages that arrive while others are read from the store; nil: none are read.
    @ObservationIgnored fileprivate var meanwhile: [Message]?
    /// How many readings are under way, and how many summaries were shown of it.
    @ObservationIgnored fileprivate var readings = 0
    @ObservationIgnored fileprivate(set) var summaries = 0
    @ObservationIgnored weak var reader: (any ConversationReading)?
    @ObservationIgnored var composer = Composing()
    /// ``members`` by id, made when it is first looked up.
    @ObservationIgnored private var membersByID: [UserID: Member]?

    func member(_ id: UserID) -> Member? {
        let members = facts.members
        if let membersByID { return membersByID[id] }
        let byID = Dictionary(members.map { ($0.id, $0) }) { $1 }
        membersByID = byID
        return byID[id]
    }

    fileprivate init(_ id: ConversationID) { self.id = id }
}

/// Holds all conversations and their messages in memory, and is the only one that changes them. Its functions return
/// after every reader sees the change.
@MainActor
package final class ConversationStore {
    package private(set) var conversations: [ConversationID: Conversation] = [:]
    weak var reader: (any ConversationReading)?
    /// What I did and the server does not have, which is shown on top of what it has.
    var outbox: Outbox?
    /// Whether everything has been confirmed by the server since the start.
    private(set) var isConfirmed = false
    /// When the next message disappears that is shown, or earlier.
    private var nextExpiry = Date.distantFuture
    let listeners = ConversationListeners()

    package init() {}

    /// Returns the object of a conversation, always the same one.
    package func conversation(_ id: ConversationID) -> Conversation {
        if let known = conversations[id] { return known }
        let conversation = Conversation(id)
        conversation.reader = reader
        if isConfirmed { conversation.isFromCache = false }
        conversations[id] = conversation
        return conversation
    }

    /// The changes from now on. Each stream is independent; one whose reader is more than 10,000 changes behind ends.
    package var changes: AsyncStream<ConversationChange> { listeners.stream }

    private func tell(_ change: @autoclosure () -> ConversationChange) { listeners.tell(change()) }

    /// Ends all streams of changes and forgets everything.
    func close() {
        listeners.finish()
        (conversations, isConfirmed, me) = ([:], false, nil)
    }

    // MARK: Messages

    /// Shows a message that is new, if its place is loaded. One that is known already changes nothing.
    /// - Returns: whether it was new.
    @discardableResult
    package func append(_ message: Message) -> Bool {
        let conversation = conversation(message.conversation)
        guard conversation.held.index(of: message.id) == nil else { return false }
        if message.seq != nil { conversation.meanwhile?.append(message) }
        return insert(message, in: conversation)
    }

    /// Shows a message, new or changed. A message of mine that was unsent takes its place among the others.
    package func upsert(_ received: Message) {
        var message = received
        if let outbox, outbox.changesMessages { message = outbox.overlaid(message) }
        let conversation = conversation(message.conversation)
        // What I do with it may have ended when it is shown again.
        if received.seq != nil { conversation.meanwhile?.append(received) }
        guard let index = conversation.held.index(of: message.id) else {
            insert(message, in: conversation)
            return
        }
        let known = conversation.held.messages[index]
        // What the server has is not undone by what this device remembers.
        guard known.seq == nil || message.seq != nil else { return }
        var merged = message
        merged.status = known.status.advanced(to: advanced(message, in: conversation))
        guard merged != known else { return }
        noteExpiry(of: merged)
        if known.seq == message.seq {
            conversation.held.replace(at: index, with: merged)
        } else if let seq = message.seq, seq < conversation.newestStored?.seq ?? 0, isOpenAndEmpty(conversation.id) {
            // Newer ones are stored that are not shown yet. It takes its place when they are read.
            merged = known
            merged.status = known.status.advanced(to: .sent)
            conversation.held.replace(at: index, with: merged)
        } else {
            conversation.held.remove(at: index)
            if let seq = message.seq { place(merged, seq, in: conversation) }
        }
        tell(.changed(merged))
    }

    /// Shows a message of mine that the server has now, if its place is loaded.
    private func place(_ message: Message, _ seq: Int64, in conversation: Conversation) {
        // Nothing else was there yet.
        if conversation.isLoaded, conversation.loaded.isEmpty { conversation.loaded = LoadedRanges(from: seq) }
        if conversation.loaded.contains(seq) {
            let place = conversation.held.index(ofSeq: seq)
            if place.isHere { conversation.held.remove(at: place.at) }
            conversation.held.insert(message)
        } else if seq >= conversation.newestStored?.seq ?? 0 {
            conversation.newestStored = message
        }
    }

    /// Shows a message that is not sent yet under a new id.
    func renew(_ old: MessageID, as message: Message) {
        remove(old, in: message.conversation)
        append(message)
    }

    /// Notes that the server has a message, which is shown as unsent until it comes.
    func noteSent(_ id: MessageID, in conversation: ConversationID) { setStatus(.sent, of: id, in: conversation) }

    @discardableResult
    private func insert(_ message: Message, in conversation: Conversation) -> Bool {
        noteExpiry(of: message)
        var message = message
        if let seq = message.seq {
            message.status = advanced(message, in: conversation)
            guard conversation.loaded.contains(seq) else {
                if seq >= conversation.newestStored?.seq ?? 0 {
                    let isNew = seq > conversation.newestStored?.seq ?? 0
                    conversation.newestStored = message
                    if isNew { tell(.appended(message)) }
                }
                return false
            }
            let place = conversation.held.index(ofSeq: seq)
            // The server's history was replaced: another message has the number now.
            if place.isHere { conversation.held.remove(at: place.at) }
        }
        conversation.held.insert(message)
        tell(.appended(message))
        return true
    }

    /// Returns the status of a message of mine, as far as the others' receipts say.
    private func advanced(_ message: Message, in conversation: Conversation) -> DeliveryStatus {
        guard let seq = message.seq, conversation.reached.delivered >= seq, message.sender == me else {
            return message.status
        }
        return message.status.advanced(to: conversation.reached.read >= seq ? .read : .delivered)
    }

    /// My user id; nil before anybody is signed in.
    package var me: UserID?

    /// Notes how far a message has come. A status never goes back.
    /// - Returns: whether it changed.
    @discardableResult
    package func setStatus(_ status: DeliveryStatus, of id: MessageID, in conversation: ConversationID) -> Bool {
        guard let conversation = conversations[conversation], let index = conversation.held.index(of: id) else {
            return false
        }
        return setStatus(status, at: index, in: conversation)
    }

    private func setStatus(_ status: DeliveryStatus, at index: Int, in conversation: Conversation) -> Bool {
        let before = conversation.held.messages[index].status
        let after = before.advanced(to: status)
        guard after != before else { return false }
        conversation.held.setStatus(after, at: index)
        tell(.status(after, of: conversation.held.messages[index].id, in: conversation.id))
        return true
    }

    /// Notes how far another member has read. It costs as much as there are messages of mine that have come further.
    package func setReceipt(_ receipt: Receipt, of user: UserID, in id: ConversationID) {
        let conversation = conversation(id)
        let receipt = conversation.receipts[user]?.joined(with: receipt) ?? receipt
        if conversation.receipts[user] != receipt { conversation.receipts[user] = receipt }
        guard user != me else { return }
        let (before, after) = (conversation.reached, receipt)
        guard after.readUpTo > before.read || after.deliveredUpTo > before.delivered else { return }
        conversation.reached = (
            max(before.read, after.readUpTo), max(before.delivered, after.deliveredUpTo, after.readUpTo)
        )
        let (from, to) = (min(before.read, before.delivered), conversation.reached.delivered)
        var index = conversation.held.index(ofSeq: from + 1).at
        while index < conversation.held.confirmedCount {
            let message = conversation.held.messages[index]
            guard let seq = message.seq, seq <= to else { break }
            if message.sender == me {
                _ = setStatus(conversation.reached.read >= seq ? .read : .delivered, at: index, in: conversation)
            }
            index += 1
        }
    }

    /// Notes how many have read a message of mine, in a large group.
    func take(_ count: Parley_V1_ReadCount) {
        guard let conversation = conversations[ConversationID(rawValue: count.conversation)] else { return }
        let place = conversation.held.index(ofSeq: count.seq)
        guard place.isHere, conversation.held.messages[place.at].sender == me else { return }
        if count.read + count.delivered > 0 {
            _ = setStatus(count.read > 0 ? .read : .delivered, at: place.at, in: conversation)
        }
    }

    /// Removes messages: all up to a number, which I cleared.
    package func clear(_ id: ConversationID, upTo seq: Int64) {
        guard let conversation = conversations[id] else { return }
        remove(from: conversation) { $0.seq.map { $0 <= seq } ?? false }
        conversation.own.firstSeq = max(conversation.own.firstSeq, seq + 1)
        conversation.loaded.drop(upTo: seq)
    }

    /// Removes messages that have disappeared by now. It costs nothing before the next one does.
    func expire(at now: Date) {
        guard now >= nextExpiry else { return }
        nextExpiry = .distantFuture
        for conversation in conversations.values {
            guard conversation.held.messages.contains(where: { $0.expiresAt.map { $0 <= now } ?? false }) else {
                continue
            }
            remove(from: conversation) { $0.expiresAt.map { $0 <= now } ?? false }
        }
        for message in conversations.values.lazy.flatMap(\.messages) { noteExpiry(of: message) }
    }

    private func noteExpiry(of message: Message) {
        if let time = message.expiresAt, time < nextExpiry { nextExpiry = time }
    }

    /// Removes a message that was never sent.
    package func remove(_ id: MessageID, in conversation: ConversationID) {
        guard let conversation = conversations[conversation], let index = conversation.held.index(of: id) else {
            return
        }
        conversation.held.remove(at: index)
        tell(.removed([id], in: conversation.id))
    }

    /// Removes all messages that the server has, which are read again.
    func dropMessages(of id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        remove(from: conversation) { $0.seq != nil }
        conversation.loaded = LoadedRanges()
    }

    private func remove(from conversation: Conversation, where isRemoved: (Message) -> Bool) {
        let removed = conversation.held.messages.filter(isRemoved).map(\.id)
        if let newest = conversation.newestStored, isRemoved(newest) { conversation.newestStored = nil }
        guard !removed.isEmpty else { return }
        conversation.held.removeAll(where: isRemoved)
        tell(.removed(removed, in: conversation.id))
    }

    // MARK: Windows

    /// Notes that messages of a conversation are being read from the store: what arrives until they are shown is newer.
    func beginReading(_ id: ConversationID) {
        let conversation = conversation(id)
        conversation.readings += 1
        if conversation.readings == 1 { conversation.meanwhile = [] }
    }

    func endReading(_ id: ConversationID) {
        let conversation = conversation(id)
        let messages = conversation.meanwhile ?? []
        conversation.meanwhile = nil
        for message in messages where message.seq.map(conversation.loaded.contains) ?? true { upsert(message) }
        conversation.readings -= 1
        // What others read may be older still.
        if conversation.readings > 0 { conversation.meanwhile = messages }
    }

    /// Shows the newest messages, in ascending order, from a number on.
    package func showNewest(_ messages: [Message], from first: Int64, in id: ConversationID) {
        let conversation = conversation(id)
        var held = HeldMessages()
        for message in messages where held.index(of: message.id) == nil {
            held.insert(shown(message, conversation))
        }
        for message in conversation.held.messages where held.index(of: message.id) == nil {
            // What arrived while these were read, and what is unsent.
            if message.seq.map({ $0 >= first }) ?? true { held.insert(message) }
        }
        conversation.held = held
        conversation.loaded = LoadedRanges(from: first)
    }

    /// Shows older messages, in ascending order, which are all that exist in a range of numbers.
    package func show(_ messages: [Message], covering range: ClosedRange<Int64>, in id: ConversationID) {
        let conversation = conversation(id)
        guard !conversation.loaded.isEmpty else { return }
        for message in messages {
            // One that was unsent takes its place.
            guard let index = conversation.held.index(of: message.id), conversation.held.messages[index].seq == nil
            else { continue }
            conversation.held.remove(at: index)
        }
        let new = messages.filter { conversation.held.index(of: $0.id) == nil }.map { shown($0, conversation) }
        if let last = new.last?.seq, last < conversation.held.messages.first?.seq ?? .max {
            conversation.held.prepend(new)
        } else {
            for message in new { conversation.held.insert(message) }
        }
        conversation.loaded.cover(range)
    }

    private func shown(_ message: Message, _ conversation: Conversation) -> Message {
        noteExpiry(of: message)
        var message = message
        if let outbox, outbox.changesMessages { message = outbox.overlaid(message) }
        message.status = advanced(message, in: conversation)
        return message
    }

    func noteLoaded(_ id: ConversationID) { conversation(id).isLoaded = true }

    // MARK: Conversations

    /// Notes what I have read: nothing is unread up to a message.
    package func markRead(_ id: ConversationID, upTo seq: Int64) {
        let conversation = conversation(id)
        var own = conversation.own
        own.readUpTo = max(own.readUpTo, seq)
        own.unread = unread(of: id, above: own.readUpTo, atMost: own.unread)
        own.unread.isMarked = false
        set(own, of: conversation)
    }

    /// Notes that I marked a conversation as unread.
    package func markUnread(_ id: ConversationID) {
        let conversation = conversation(id)
        var own = conversation.own
        own.unread.isMarked = true
        set(own, of: conversation)
    }

    /// Shows who is typing.
    func setTyping(_ people: [UserID], in id: ConversationID) {
        let conversation = conversation(id)
        let others = people.filter { $0 != me }
        if conversation.typing != others { conversation.typing = others }
    }

    func setDraft(_ draft: String, of id: ConversationID) {
        let conversation = conversation(id)
        conversation.isDraftNewer = true
        guard conversation.draft != draft else { return }
        conversation.draft = draft
        tell(.updated(id))
    }

    /// Takes over what the database says of a conversation.
    func take(_ summary: ConversationSummary) {
        let conversation = conversation(summary.id)
        conversation.summaries += 1
        let facts = summary.facts ?? conversation.facts
        if summary.facts != nil { conversation.hasFacts = true }
        if facts != conversation.facts || summary.own != conversation.own {
            if facts != conversation.facts { conversation.facts = facts }
            if summary.own != conversation.own { conversation.own = summary.own }
            tell(.updated(summary.id))
        }
        if summary.syncStatus != conversation.syncStatus { conversation.syncStatus = summary.syncStatus }
        if let draft = summary.draft, draft != conversation.draft, !conversation.isDraftNewer {
            conversation.draft = draft
        }
        if conversation.loaded.isEmpty, summary.last?.id != conversation.newestStored?.id || summary.isWhole {
            if conversation.newestStored != summary.last { conversation.newestStored = summary.last }
        }
    }

    /// Forgets what was guessed of a conversation that was never created.
    func forgetFacts(of id: ConversationID) {
        guard let conversation = conversations[id], conversation.hasFacts else { return }
        (conversation.facts, conversation.hasFacts) = (.init(), false)
        tell(.gone(id))
    }

    private func set(_ own: Conversation.OwnState, of conversation: Conversation) {
        guard conversation.own != own else { return }
        conversation.own = own
        tell(.updated(conversation.id))
    }

    /// Continues a conversation under another id: its messages, its draft and its unread messages move there. Messages
    /// that are there already stay as they are.
    package func migrate(from old: ConversationID, to new: ConversationID) {
        guard old != new, let source = conversations[old] else { return }
        let target = conversation(new)
        if target.loaded.isEmpty { target.loaded = source.loaded }
        for message in source.held.messages where target.held.index(of: message.id) == nil {
            var moved = message
            moved.conversation = new
            if let seq = moved.seq, target.held.index(ofSeq: seq).isHere { continue }
            target.held.insert(moved)
        }
        if target.draft.isEmpty { (target.draft, target.isDraftNewer) = (source.draft, source.isDraftNewer) }
        var own = target.own
        own.unread.messages += source.own.unread.messages
        own.unread.mentions += source.own.unread.mentions
        own.unread.isMarked = own.unread.isMarked || source.own.unread.isMarked
        set(own, of: target)
        if !target.hasFacts { (target.facts, target.hasFacts) = (source.facts, source.hasFacts) }
        source.held = HeldMessages()
        (source.loaded, source.draft, source.own) = (.init(), "", .init())
        conversations[old] = nil
        tell(.migrated(from: old, to: new))
    }

    /// Forgets how far others have read a conversation, which is read again.
    func dropReceipts(of id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        conversation.receipts = [:]
        conversation.reached = (0, 0)
    }

    /// Removes a conversation that is gone.
    func drop(_ id: ConversationID) {
        guard let conversation = conversations[id] else { return }
        dropMessages(of: id)
        conversation.facts.section = nil
        conversation.own = .init()
        dropReceipts(of: id)
        tell(.gone(id))
    }

    /// Notes that everything shown is what the server has.
    func confirm() {
        isConfirmed = true
        for conversation in conversations.values where conversation.isFromCache { conversation.isFromCache = false }
    }
}
