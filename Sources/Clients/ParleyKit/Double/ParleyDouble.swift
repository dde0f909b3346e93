import Foundation
import ParleyClient

/// A ``Parley`` without a server, for previews and for an app's own tests. It answers all that an app asks of a server.
/// What it is told arrives as if it came from the server: each function returns once the objects of ``parley`` show it.
///
///     let double = await ParleyDouble(as: User(id: UserID(rawValue: "me"), username: "me", displayName: "Me"))
///     let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
///     let chat = await double.addConversation(with: ada)
///     await double.receive("Hello!", from: ada.id, in: chat.id)
///     #expect(double.parley.inbox.conversations.first?.unread.messages == 1)
///
/// What it does less than a server: whom I write to has accepted me, others do nothing by themselves, times and
/// recurrences of events are not checked, files are not kept once ``parley`` is closed.
@MainActor
public final class ParleyDouble {
    /// What an app's views and models take.
    public let parley: Parley
    /// The conversations in which the others see me writing, since ``Conversation/composing()``.
    public private(set) var composing: Set<ConversationID> = []
    /// The refusal of the next thing that the app does or asks; nil: it is accepted.
    public var refusal: Refusal?
    /// Whether answers wait, for tests of what happens meanwhile.
    var holdsAnswers = false
    /// How much of each file's upload goes through, from 0 to 1, before it waits: until it is 1.
    public var uploadsUpTo = 1.0
    /// What I reported to the operator.
    public internal(set) var reports: [SentReport] = []
    /// Earlier texts of messages, by their ids, the newest first.
    var earlierTexts: [Data: [Parley_V1_Revision]] = [:]
    /// Who reacted to messages, by their ids.
    var reactions: [Data: [Parley_V1_Reaction]] = [:]

    /// Who has an account, with its password; nil: any is right.
    var passwords: [String: (user: User, password: String?)] = [:]
    var people: [UserID: User] = [:]
    /// The person who is signed in, or was last.
    var me: User
    var conversations: [ConversationID: Parley_V1_Conversation] = [:]
    var records: [ConversationID: ConversationRecord] = [:]
    var entities = DoubleEntities()
    var identities = DoubleIdentities()
    var pushes = DoublePushes()
    var codes = DoubleCodes()
    var presences: [UserID: Presence] = [:]
    var profile = Parley_V1_Profile()
    var ownPresence = Parley_V1_OwnPresence()
    var devices: [Parley_V1_Device] = []
    /// Of the newest change.
    private var position: Int64 = 0
    /// All that the server has said to me, for when I sign in again.
    private var said: [SyncChange] = []
    private var ids = UUIDv7.Generator()
    private var answers = DoubleAnswers()
    private var isChanging = false
    private var changesWaiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a double in which a person is signed in, online, and has nothing yet.
    /// - Parameters:
    ///   - unsentMax: as ``Parley/Options/unsentMax``.
    ///   - unsentFileBytesMax: as ``Parley/Options/unsentFileBytesMax``.
    public convenience init(as me: User, unsentMax: Int = 1000, unsentFileBytesMax: Int64 = 1_000_000_000) async {
        await self.init(
            as: me, unsentMax: unsentMax, unsentFileBytesMax: unsentFileBytesMax, account: .inMemory(me.id))
    }

    /// Creates a double in which nobody is signed in, online: for the screens before that. ``addAccount(_:password:)``
    /// says who can sign in; anybody can register.
    public static func signedOut() async -> ParleyDouble {
        let nobody = User(id: UserID(rawValue: ""), username: "", displayName: "")
        return await ParleyDouble(as: nobody, account: nil)
    }

    init(
        as me: User, unsentMax: Int = 1000, unsentFileBytesMax: Int64 = 1_000_000_000, account: Account?,
        isOnline: Bool = true
    ) async {
        var options = Parley.Options.inMemory
        (options.unsentMax, options.unsentFileBytesMax) = (unsentMax, unsentFileBytesMax)
        (self.me, parley) = (me, Parley("ws://localhost", options))
        var answers = DoubleAnswers()
        answerAll(&answers)
        self.answers = answers
        let client = ParleyClient { [weak self] method, body throws(ParleyError) in
            guard let self else { throw .closed }
            return try await answer(method, body)
        }
        parley.standIn = Parley.StandIn(client: client) { [weak self] in await self?.tellAll() }
        parley.client = client
        parley.outbox.link = client
        parley.outbox.uploader = { [weak self] item, _, progress throws(ParleyError) in
            try await self?.upload(item.media?.sizeBytes ?? 0, progress)
        }
        parley.onComposing = { [weak self] isTyping, id in
            if isTyping { self?.composing.insert(id) } else { self?.composing.remove(id) }
        }
        if let account {
            addAccount(me)
            await parley.show(account)
            addDevice("This device")
        }
        parley.set(isOnline ? .online : .offline(since: .now))
        if account != nil {
            parley.confirm()
            await commit([.put(.profile(.with { $0.user = me.stored }))])
        }
    }

    // MARK: What the server would send

    /// Adds a direct conversation with a person.
    @discardableResult
    public func addConversation(with other: User) async -> Conversation {
        await add(.direct(me.id, other.id), [me, other]) { $0.kind = .direct }
    }

    /// Adds a group of these people and me. Of more than 64 members the app knows the first 16, as of a server.
    /// - Parameter owner: one of the members; nil: me.
    @discardableResult
    public func addGroup(_ name: String, members: [User], owner: User? = nil) async -> Conversation {
        await add(ConversationID(rawValue: nextID().description), [me] + members, owner: owner ?? me) {
            ($0.kind, $0.name) = (.group, name)
        }
    }

    /// Adds an invitation from a person into their group.
    @discardableResult
    public func addInvitation(into name: String, from other: User, memberCount: Int = 2) async -> Conversation {
        await add(ConversationID(rawValue: nextID().description), []) {
            ($0.kind, $0.section, $0.conversationStatus) = (.group, .requests, .pending)
            ($0.name, $0.requesterID, $0.memberCount) = (name, other.id.rawValue, UInt32(clamping: memberCount))
        }
    }

    /// Says who can be found by name, and can sign in.
    /// - Parameter password: nil: any is right.
    public func addAccount(_ user: User, password: String? = nil) {
        people[user.id] = user
        passwords[user.username] = (user, password)
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
    /// - Parameter message: the one that it answers, whose thread it belongs to.
    @discardableResult
    public func receive(
        _ text: String, from sender: UserID, in conversation: ConversationID, replyingTo message: Message? = nil,
        mentions: [UserID] = [], at time: Date = .now
    ) async -> Message {
        Message(
            await receive(
                text, from: sender, in: conversation, mentions: mentions, at: time, id: Data(nextID().bytes),
                replyTo: message?.seq ?? 0))
    }

    /// Receives a message with a file, which the app can look at.
    /// - Parameter text: the caption.
    @discardableResult
    public func receive(
        _ file: FileToSend, _ text: String = "", from sender: UserID, in conversation: ConversationID
    ) async throws -> Message {
        let bytes = try Data(contentsOf: file.url)
        let media = Parley_V1_Media.with {
            ($0.name, $0.mimeType) = (file.name, file.mimeType)
            ($0.sizeBytes, $0.attachment) = (Int64(bytes.count), Data(nextID().bytes))
        }
        let id = Data(nextID().bytes)
        let message = await receive(
            text, from: sender, in: conversation, mentions: [], id: id, kind: file.kind.stored, media: media)
        try await parley.account?.files.keep(bytes, of: message.seq, media.name, in: conversation.rawValue)
        return Message(message)
    }

    func receive(
        _ text: String, from sender: UserID, in conversation: ConversationID, mentions: [UserID],
        at time: Date = .now, id: Data, replyTo: Int64 = 0, kind: Parley_V1_MessageKind = .text,
        media: Parley_V1_Media? = nil, note: Parley_V1_SystemNote? = nil
    ) async -> Parley_V1_Message {
        let thread = await self.thread(of: replyTo, in: conversation)
        let position = nextPosition()
        var record = records[conversation] ?? ConversationRecord(conversation.rawValue)
        let message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.position) = (conversation.rawValue, record.newest.seq + 1, position)
            ($0.id, $0.sender, $0.text, $0.kind) = (id, sender.rawValue, text, kind)
            if let media { $0.media = media }
            if let note { $0.system = note }
            $0.threadSeq = thread
            ($0.sentAtUs, $0.mentions, $0.replyToSeq) = (time.microseconds, mentions.map(\.rawValue), replyTo)
        }
        record.newest.note(message.seq, sentAt: message.sentAtUs)
        record.unread.hold(from: 1, to: message.seq)
        records[conversation] = record
        await commit([.message(message, from: .update), .record(record)])
        if thread != 0 { await noteReply(message) }
        await set(typing: false, by: sender, in: conversation)
        return message
    }

    /// Changes the text of a message.
    public func edit(_ message: Message, to text: String) async {
        await change(message) { ($0.text, $0.editedAtUs) = (text, Date.now.microseconds) }
    }

    /// Deletes a message for everyone.
    public func delete(_ message: Message) async {
        await change(message) { ($0.text, $0.deletedAtUs) = ("", Date.now.microseconds) }
    }

    /// Adds another member's reaction to a message, or removes it.
    public func react(_ emoji: String, to message: Message, by user: UserID, remove: Bool = false) async {
        await react(emoji, message.conversation.rawValue, message.seq ?? 0, by: user, removed: remove)
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
        let id = Data(nextID().bytes)
        await put(Parley_V1_Reminder.with { ($0.id, $0.title, $0.dueAtUs) = (id, title, dueAt.microseconds) })
    }

    /// Adds an event of another person, which I may answer.
    /// - Parameters:
    ///   - date: "2026-12-01".
    ///   - time: "19:30"; nil: the whole day.
    ///   - conversations: those that are invited, in which a message shows it.
    @discardableResult
    public func addEvent(
        _ title: String, on date: String, at time: String? = nil, in zone: TimeZone = .current, by creator: UserID,
        inviting conversations: [ConversationID] = []
    ) async -> EventID {
        let id = Data(nextID().bytes)
        await put(
            Parley_V1_Event.with {
                ($0.id, $0.creator, $0.title, $0.hosts) = (id, creator.rawValue, title, [creator.rawValue])
                ($0.when.date, $0.when.time) = (date, time ?? "")
                $0.when.timeZone = time == nil ? "" : zone.identifier
                $0.startsAtUs = Event.start(of: $0.when)?.microseconds ?? 0
                let isMine = creator == me.id
                ($0.accepted, $0.coming, $0.version) = (1, 1, 1)
                ($0.own.status, $0.own.host) = (isMine ? .accepted : .pending, isMine)
            })
        for conversation in conversations { await receive(.eventShared(EventID(id), by: creator), in: conversation) }
        return EventID(id)
    }

    /// Says whether a person is typing in a conversation. A message of theirs ends it.
    public func set(typing isTyping: Bool, by user: UserID, in conversation: ConversationID) async {
        var people = parley.conversation(conversation).typing.filter { $0 != user }
        if isTyping { people.append(user) }
        await parley.account?.committer?.flush([.typing(people.map(\.rawValue), in: conversation.rawValue)])
    }

    /// Says whether the server can be reached.
    public func set(_ connection: Parley.Connection) { parley.set(connection) }

    /// Says whether a person is online.
    public func set(_ presence: Presence, of user: UserID) {
        presences[user] = presence
        parley.presence[user] = presence
    }

    /// Signs the device out, as another device of mine or an operator does.
    public func endSignIn() async {
        await parley.end(because: Refusal(.revoked, "This device was signed out."))
    }

    // MARK: How

    /// Returns the position of a change, which is newer than every change before it. Changes of one thing with the same
    /// position would hide each other.
    func nextPosition() -> Int64 {
        position += 1
        return position
    }

    func nextID() -> UUIDv7 { ids.next(at: Date.now.microseconds) }

    /// Answers a request, as the server would.
    private func answer(_ method: String, _ body: Data) async throws(ParleyError) -> Data {
        while holdsAnswers {
            do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .closed }
        }
        let isOfApp = DoubleAnswers.isOfApp(method, body)
        guard parley.connection == .online || !isOfApp else { throw .notConnected }
        if let refusal, isOfApp {
            self.refusal = nil
            throw ParleyError(code: refusal.code.rawValue, message: refusal.message, field: refusal.field ?? "")
        }
        return try await answers.answer(method, body)
    }

    func addDevice(_ name: String) {
        for index in devices.indices { devices[index].current = false }
        devices.append(
            .with {
                ($0.id, $0.name, $0.current) = (nextID().description, name, true)
                ($0.signedInUs, $0.lastUsedUs) = (Date.now.microseconds, Date.now.microseconds)
            })
    }

    /// Tells whoever signed in all that the server has said to them.
    private func tellAll() async {
        guard let user = parley.user else { return }
        if user != me.id { (said, records, conversations, entities) = ([], [:], [:], .init()) }
        me = people[user] ?? me
        let again = said
        said = []
        if profile.user.id != me.id.rawValue { profile = .init() }
        profile.user = me.stored
        await commit(again + [.put(.profile(profile))])
        parley.confirm()
    }

    @discardableResult
    func add(
        _ id: ConversationID, _ members: [User], owner: User? = nil, _ fill: (inout Parley_V1_Conversation) -> Void
    ) async -> Conversation {
        for person in members where people[person.id] == nil { addAccount(person) }
        let position = nextPosition()
        var conversation = Parley_V1_Conversation.with {
            ($0.id, $0.section, $0.conversationStatus) = (id.rawValue, .inbox, .accepted)
            ($0.position, $0.createdAtUs) = (position, Date.now.microseconds)
            $0.members = members.map { user in
                .with { ($0.user, $0.role) = (user.stored, user == owner ? .owner : .member) }
            }
            $0.memberCount = UInt32(members.count)
            if members.count > 64 { $0.members = Array($0.members.prefix(16)) }
        }
        fill(&conversation)
        var record = ConversationRecord(id.rawValue)
        (record.position, record.section) = (position, conversation.section)
        record.unread.hold(from: 1, to: 0)
        records[id] = record
        conversations[id] = conversation
        await commit([.put(.conversation(conversation)), .record(record)])
        if conversation.section == .requests { await countRequests() }
        let shown = parley.conversation(id)
        parley.conversations.showNewest([], from: 1, in: id)
        await shown.load()
        return shown
    }

    private func change(_ message: Message, _ body: (inout Parley_V1_Message) -> Void) async {
        await change(message.conversation.rawValue, message.seq ?? 0, body)
    }

    /// Changes a message that the app has.
    @discardableResult
    func change(
        _ conversation: String, _ seq: Int64, _ body: (inout Parley_V1_Message) -> Void
    ) async -> Parley_V1_Message? {
        await beginChange()
        defer { endChange() }
        let known = await parley.read { try $0.message(conversation, seq) }
        guard var stored = known ?? nil else { return nil }
        body(&stored)
        stored.position = nextPosition()
        await commit([.message(stored, from: .update)])
        return stored
    }

    /// Waits for its turn to read a message and store it changed: two at once would undo each other.
    func beginChange() async {
        if isChanging { return await withCheckedContinuation { changesWaiting.append($0) } }
        isChanging = true
    }

    func endChange() {
        if changesWaiting.isEmpty { isChanging = false } else { changesWaiting.removeFirst().resume() }
    }

    func commit(_ changes: [SyncChange]) async {
        said += changes
        await parley.account?.committer?.flush(changes.map(CommitItem.change))
        await parley.reloading?.value
    }
}
