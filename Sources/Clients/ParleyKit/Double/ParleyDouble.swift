import Foundation
import ParleyClient

/// A ``Parley`` without a server, for previews and for an app's own tests. What it is told arrives as if it came from
/// the server: each function returns once the objects of ``parley`` show it.
///
///     let double = await ParleyDouble(as: User(id: UserID(rawValue: "me"), username: "me", displayName: "Me"))
///     let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
///     let chat = await double.addConversation(with: ada)
///     await double.receive("Hello!", from: ada.id, in: chat.id)
///     #expect(double.parley.inbox.conversations.first?.unread.messages == 1)
@MainActor
public final class ParleyDouble {
    /// What an app's views and models take.
    public let parley: Parley
    private let account: Account
    private let me: User
    private var records: [ConversationID: ConversationRecord] = [:]
    private var position: Int64 = 0
    private var ids = UUIDv7.Generator()
    /// The conversations in which the others see me writing, since ``Conversation/composing()``.
    public private(set) var composing: Set<ConversationID> = []
    /// The refusal of the next thing that the app does; nil: it is accepted.
    public var refusal: Refusal?

    /// Creates a double in which a person is signed in, online, and has nothing yet.
    /// - Parameters:
    ///   - unsentMax: as ``Parley/Options/unsentMax``.
    ///   - unsentFileBytesMax: as ``Parley/Options/unsentFileBytesMax``.
    public convenience init(as me: User, unsentMax: Int = 1000, unsentFileBytesMax: Int64 = 1_000_000_000) async {
        await self.init(
            as: me, unsentMax: unsentMax, unsentFileBytesMax: unsentFileBytesMax, account: .inMemory(me.id))
    }

    init(
        as me: User, unsentMax: Int = 1000, unsentFileBytesMax: Int64 = 1_000_000_000, account: Account,
        isOnline: Bool = true
    ) async {
        var options = Parley.Options(folder: FileManager.default.temporaryDirectory)
        (options.storage, options.unsentMax, options.unsentFileBytesMax) = (.memory, unsentMax, unsentFileBytesMax)
        (self.me, parley, self.account) = (me, Parley("ws://localhost", options), account)
        await parley.show(account)
        parley.outbox.transport = { [weak self] item throws(ParleyError) in
            guard let self else { throw .closed }
            return try await answer(item)
        }
        parley.outbox.uploader = { item, _, progress throws(ParleyError) in progress(item.media?.sizeBytes ?? 0) }
        parley.onComposing = { [weak self] isTyping, id in
            if isTyping { self?.composing.insert(id) } else { self?.composing.remove(id) }
        }
        parley.set(isOnline ? .online : .offline(since: .now))
        parley.confirm()
        await commit([.put(.profile(.with { $0.user = me.stored }))])
    }

    // MARK: What the server would send

    /// Adds a direct conversation with a person.
    @discardableResult
    public func addConversation(with other: User) async -> Conversation {
        await add(.direct(me.id, other.id), [me, other]) { $0.kind = .direct }
    }

    /// Adds a group of these people and me.
    @discardableResult
    public func addGroup(_ name: String, members: [User]) async -> Conversation {
        await add(ConversationID(rawValue: nextID().description), [me] + members) {
            ($0.kind, $0.name) = (.group, name)
        }
    }

    /// Adds a message request from a person.
    @discardableResult
    public func addRequest(from other: User) async -> Conversation {
        await add(.direct(me.id, other.id), [me, other]) {
            ($0.kind, $0.section, $0.conversationStatus) = (.direct, .requests, .pending)
            $0.requesterID = other.id.rawValue
        }
    }

    /// Receives the next message of a conversation.
    @discardableResult
    public func receive(
        _ text: String, from sender: UserID, in conversation: ConversationID, mentions: [UserID] = [],
        at time: Date = .now
    ) async -> Message {
        await receive(text, from: sender, in: conversation, mentions: mentions, at: time, id: Data(nextID().bytes))
    }

    private func receive(
        _ text: String, from sender: UserID, in conversation: ConversationID, mentions: [UserID],
        at time: Date = .now, id: Data, replyTo: Int64 = 0, kind: Parley_V1_MessageKind = .text,
        media: Parley_V1_Media? = nil
    ) async -> Message {
        position += 1
        var record = records[conversation] ?? ConversationRecord(conversation.rawValue)
        let message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.position) = (conversation.rawValue, record.newest.seq + 1, position)
            ($0.id, $0.sender, $0.text, $0.kind) = (id, sender.rawValue, text, kind)
            if let media { $0.media = media }
            ($0.sentAtUs, $0.mentions, $0.replyToSeq) = (time.microseconds, mentions.map(\.rawValue), replyTo)
        }
        record.newest.note(message.seq, sentAt: message.sentAtUs)
        record.unread.hold(from: 1, to: message.seq)
        records[conversation] = record
        await commit([.message(message, from: .update), .record(record)])
        await set(typing: false, by: sender, in: conversation)
        return Message(message)
    }

    /// Changes the text of a message.
    public func edit(_ message: Message, to text: String) async {
        position += 1
        await change(message) { ($0.text, $0.editedAtUs, $0.position) = (text, Date.now.microseconds, position) }
    }

    /// Deletes a message for everyone.
    public func delete(_ message: Message) async {
        position += 1
        await change(message) { ($0.text, $0.deletedAtUs, $0.position) = ("", Date.now.microseconds, position) }
    }

    /// Notes that another member has read all messages so far.
    public func read(_ conversation: ConversationID, by user: UserID) async {
        let seq = records[conversation]?.newest.seq ?? 0
        await commit([
            .receipt(
                .with {
                    ($0.conversation, $0.user) = (conversation.rawValue, user.rawValue)
                    ($0.readSeq, $0.deliveredSeq, $0.readAtUs) = (seq, seq, Date.now.microseconds)
                })
        ])
    }

    /// Adds a reminder.
    public func addReminder(_ title: String, dueAt: Date) async {
        await commit([
            .put(.reminder(.with { ($0.id, $0.title, $0.dueAtUs) = (Data(nextID().bytes), title, dueAt.microseconds) }))
        ])
    }

    /// Says whether a person is typing in a conversation. A message of theirs ends it.
    public func set(typing isTyping: Bool, by user: UserID, in conversation: ConversationID) async {
        var people = parley.conversation(conversation).typing.filter { $0 != user }
        if isTyping { people.append(user) }
        await account.committer?.flush([.typing(people.map(\.rawValue), in: conversation.rawValue)])
    }

    /// Says whether the server can be reached.
    public func set(_ connection: Parley.Connection) { parley.set(connection) }

    /// Says whether a person is online.
    public func set(_ presence: Presence, of user: UserID) { parley.presence[user] = presence }

    // MARK: What the app does

    /// Answers as the server would.
    private func answer(_ item: UnsentItem) async throws(ParleyError) -> ActionAnswer {
        if let refusal {
            self.refusal = nil
            throw ParleyError(code: refusal.code.rawValue, message: refusal.message, field: refusal.field ?? "")
        }
        position += 1
        let now = Date.now.microseconds
        var answer = ActionAnswer(confirmation: .now)
        switch item.action {
        case let request as Parley_V1_SendMessageRequest:
            let conversation = ConversationID(rawValue: request.conversation)
            answer.seq = await receive(
                request.text, from: me.id, in: conversation, mentions: request.mentions.map(UserID.init(rawValue:)),
                id: request.id, replyTo: request.replyToSeq, kind: request.kind, media: item.media
            ).seq
        case let request as Parley_V1_EditMessageRequest:
            await change(request.conversation, request.seq) { ($0.text, $0.editedAtUs) = (request.text, now) }
        case let request as Parley_V1_DeleteMessageRequest:
            await change(request.conversation, request.seq) { ($0.text, $0.deletedAtUs) = ("", now) }
        case let request as Parley_V1_UpdateReactionRequest:
            await commit([
                .reactions(
                    .with {
                        ($0.conversation, $0.seq, $0.position) = (request.conversation, request.seq, position)
                        if !request.remove { $0.counts = [.with { ($0.emoji, $0.count) = (request.emoji, 1) }] }
                        $0.changes = [
                            .with {
                                ($0.user, $0.emoji, $0.removed) = (me.id.rawValue, request.emoji, request.remove)
                            }
                        ]
                    })
            ])
        case let request as Parley_V1_UpdateMessageStateRequest:
            await commit(
                request.seqs.map { seq in
                    .messageState(
                        .with {
                            ($0.conversation, $0.seq, $0.ownPosition) = (request.conversation, seq, position)
                            ($0.starred, $0.hidden) = (request.starred == .yes, request.hide)
                        })
                })
        case let request as Parley_V1_UpdateMarksRequest:
            for mark in request.marks {
                await changeState(mark.conversation) { $0.readSeq = max($0.readSeq, mark.readSeq) }
            }
        case let request as Parley_V1_UpdateInboxStateRequest:
            await changeState(request.conversation) { state in
                if let isPinned = request.pinned.flag { state.pinnedAtUs = isPinned ? now : 0 }
                if let isMuted = request.muted.flag {
                    state.mutedUntilUs = isMuted ? (request.mutedUntilUs == 0 ? .max : request.mutedUntilUs) : 0
                }
                if let isMarked = request.markedUnread.flag { state.markedUnread = isMarked }
            }
        case let request as Parley_V1_UpdateProfileRequest:
            var profile = parley.confirmed.profile?.user ?? me
            if case .displayName(let name) = request.changeDisplayName { profile.displayName = name }
            let changed = profile
            await commit([.put(.profile(.with { $0.user = changed.stored }))])
        case let request as Parley_V1_CreateReminderRequest:
            await commit([
                .put(
                    .reminder(
                        .with {
                            ($0.id, $0.title, $0.dueAtUs) = (request.id, request.title, request.dueAtUs)
                            ($0.timeZone, $0.createdAtUs) = (request.timeZone, now)
                        }))
            ])
        case let request as Parley_V1_AcceptSuggestionRequest: await end(request.id, .accepted)
        case let request as Parley_V1_DismissSuggestionRequest: await end(request.id, .dismissed)
        case let request as Parley_V1_SetRetentionRequest:
            await commit([
                .inboxEntry(.with { ($0.conversation, $0.retentionSeconds) = (request.conversation, request.seconds) })
            ])
        case let request as Parley_V1_CreateGroupRequest:
            await add(ConversationID(rawValue: item.lane), item.guess?.members.map { User($0.user) } ?? []) {
                ($0.kind, $0.name) = (.group, request.name)
            }
        case is Parley_V1_StartDirectRequest:
            await add(ConversationID(rawValue: item.lane), item.guess?.members.map { User($0.user) } ?? []) {
                $0.kind = .direct
            }
        default: break
        }
        return answer
    }

    private func end(_ suggestion: Data, _ state: Parley_V1_SuggestionState) async {
        await commit([.put(.suggestion(.with { ($0.id, $0.state) = (suggestion, state) }))])
    }

    private func changeState(_ id: String, _ body: (inout Parley_V1_InboxState) -> Void) async {
        var record = records[ConversationID(rawValue: id)] ?? ConversationRecord(id)
        var state = record.unread.state
        (state.conversation, state.ownPosition) = (id, position)
        body(&state)
        record.unread.take(state)
        records[ConversationID(rawValue: id)] = record
        await commit([.inboxState(state), .record(record)])
    }

    // MARK: How

    private func nextID() -> UUIDv7 { ids.next(at: Date.now.microseconds) }

    @discardableResult
    private func add(
        _ id: ConversationID, _ members: [User], _ fill: (inout Parley_V1_Conversation) -> Void
    ) async -> Conversation {
        position += 1
        var conversation = Parley_V1_Conversation.with {
            ($0.id, $0.section, $0.conversationStatus) = (id.rawValue, .inbox, .accepted)
            ($0.position, $0.createdAtUs) = (position, Date.now.microseconds)
            $0.members = members.map { user in .with { ($0.user, $0.role) = (user.stored, .member) } }
            $0.memberCount = UInt32(members.count)
        }
        fill(&conversation)
        var record = ConversationRecord(id.rawValue)
        (record.position, record.section) = (position, conversation.section)
        record.unread.hold(from: 1, to: 0)
        records[id] = record
        await commit([.put(.conversation(conversation)), .record(record)])
        let shown = parley.conversation(id)
        parley.conversations.showNewest([], from: 1, in: id)
        await shown.load()
        return shown
    }

    private func change(_ message: Message, _ body: (inout Parley_V1_Message) -> Void) async {
        await change(message.conversation.rawValue, message.seq ?? 0, body)
    }

    private func change(_ conversation: String, _ seq: Int64, _ body: (inout Parley_V1_Message) -> Void) async {
        let known = await parley.read { try $0.message(conversation, seq) }
        guard var stored = known ?? nil else { return }
        body(&stored)
        stored.position = position
        await commit([.message(stored, from: .update)])
    }

    private func commit(_ changes: [SyncChange]) async {
        await account.committer?.flush(changes.map(CommitItem.change))
        await parley.reloading?.value
    }
}
