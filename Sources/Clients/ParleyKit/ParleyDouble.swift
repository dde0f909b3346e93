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

    /// Creates a double in which a person is signed in, online, and has nothing yet.
    public init(as me: User) async {
        var options = Parley.Options(folder: FileManager.default.temporaryDirectory)
        options.storage = .memory
        (self.me, parley, account) = (me, Parley("ws://localhost", options), Account.inMemory(me.id))
        await parley.show(account)
        parley.set(.online)
        parley.confirm()
        await commit([.put(.profile(.with { $0.user = stored(me) }))])
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
        position += 1
        var record = records[conversation] ?? ConversationRecord(conversation.rawValue)
        let message = Parley_V1_Message.with {
            ($0.conversation, $0.seq, $0.position) = (conversation.rawValue, record.newest.seq + 1, position)
            ($0.id, $0.sender, $0.text, $0.kind) = (Data(nextID().bytes), sender.rawValue, text, .text)
            ($0.sentAtUs, $0.mentions) = (time.microseconds, mentions.map(\.rawValue))
        }
        record.newest.note(message.seq, sentAt: message.sentAtUs)
        record.unread.hold(from: 1, to: message.seq)
        records[conversation] = record
        await commit([.message(message, from: .update), .record(record)])
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

    /// Says whether the server can be reached.
    public func set(_ connection: Parley.Connection) { parley.set(connection) }

    /// Says whether a person is online.
    public func set(_ presence: Presence, of user: UserID) { parley.presence[user] = presence }

    // MARK: How

    private func nextID() -> UUIDv7 { ids.next(at: Date.now.microseconds) }

    private func stored(_ user: User) -> Parley_V1_User {
        .with {
            ($0.id, $0.username, $0.displayName) = (user.id.rawValue, user.username, user.displayName)
            ($0.photoURL, $0.deleted) = (user.photo?.absoluteString ?? "", user.isDeleted)
        }
    }

    private func add(
        _ id: ConversationID, _ members: [User], _ fill: (inout Parley_V1_Conversation) -> Void
    ) async -> Conversation {
        position += 1
        var conversation = Parley_V1_Conversation.with {
            ($0.id, $0.section, $0.conversationStatus) = (id.rawValue, .inbox, .accepted)
            ($0.position, $0.createdAtUs) = (position, Date.now.microseconds)
            $0.members = members.map { user in .with { ($0.user, $0.role) = (stored(user), .member) } }
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
        let known = try? await account.store.read {
            try $0.message(message.conversation.rawValue, message.seq ?? 0)
        }
        guard var stored = known ?? nil else { return }
        body(&stored)
        await commit([.message(stored, from: .update)])
    }

    private func commit(_ changes: [SyncChange]) async {
        await account.committer?.flush(changes.map(CommitItem.change))
        await parley.reloading?.value
    }
}
