import Foundation
import ParleyClient

/// What a conversation looks like in a list, as it was stored last.
///
///     for chat in try await stored.inbox() { show("\(chat.title): \(chat.lastMessage?.text ?? "")") }
public struct StoredConversation: Identifiable, Hashable, Sendable, Codable {
    public let id: ConversationID
    /// The name of a group, or the names of the others.
    public var title: String
    /// Of a group, or of the other person.
    public var photo: URL?
    public var kind: Conversation.Kind
    public var unread: Conversation.Unread
    public var isMuted: Bool
    public var lastMessage: Message?

    /// Creates a conversation, for previews and tests.
    public init(
        id: ConversationID, title: String, kind: Conversation.Kind = .direct, unread: Conversation.Unread = .init(),
        isMuted: Bool = false, lastMessage: Message? = nil, photo: URL? = nil
    ) {
        (self.id, self.title, self.kind, self.photo) = (id, title, kind, photo)
        (self.unread, self.isMuted, self.lastMessage) = (unread, isMuted, lastMessage)
    }

    init?(_ summary: ConversationSummary, at now: Date) {
        guard let facts = summary.facts else { return nil }
        let isMuted = summary.own.mutedUntil.map { $0 > now } ?? false
        self.init(
            id: summary.id, title: facts.title, kind: facts.kind, unread: summary.own.unread, isMuted: isMuted,
            lastMessage: summary.last, photo: facts.kind == .group ? facts.photo : facts.others.first?.user.photo)
    }
}

/// What this device has stored of the person who signed in last, for widgets and extensions. It never connects and
/// changes nothing, and works while the app runs.
///
///     if let stored = try await StoredParley.open(options) {
///         let chats = try await stored.inbox(limit: 3)
///         show("\(chats.count) chats of \(stored.user)")
///     }
public final class StoredParley: Sendable {
    public let user: UserID
    private let store: SQLiteReader

    private init(_ user: UserID, _ store: SQLiteReader) { (self.user, self.store) = (user, store) }

    /// Opens what an app with the same options has stored.
    /// - Returns: nil: nobody is signed in, or nothing is stored.
    /// - Throws: `storage_failed`.
    public static func open(_ options: Parley.Options) async throws(Refusal) -> StoredParley? {
        guard case .folder(let folder) = options.storage else { return nil }
        do {
            guard let known = try await options.credentials.load(), known.signOut == nil else { return nil }
            let user = UserID(rawValue: known.user)
            let path = await Account.path(of: user, in: folder)
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return StoredParley(user, try SQLiteReader(path: path))
        } catch {
            throw (error as? StoreProblem)?.refusal ?? Refusal(ofCredentials: error)
        }
    }

    /// Returns the first conversations of the inbox.
    public func inbox(limit: Int = 20) async throws(Refusal) -> [StoredConversation] {
        let (me, now) = (user.rawValue, Date.now.microseconds)
        return try await read { store in
            try store.list(.inbox, isArchived: false, after: nil, limit: limit).compactMap {
                StoredConversation(try store.summary(of: $0, me: me, at: now), at: Date(microseconds: now))
            }
        }
    }

    /// Returns a conversation; nil: it is not stored.
    public func conversation(_ id: ConversationID) async throws(Refusal) -> StoredConversation? {
        let (me, now) = (user.rawValue, Date.now.microseconds)
        return try await read { store in
            try store.summary(of: id.rawValue, me: me, at: now).flatMap {
                StoredConversation($0, at: Date(microseconds: now))
            }
        }
    }

    /// Returns the newest messages of a conversation that are stored, in ascending order.
    public func messages(in id: ConversationID, limit: Int = 20) async throws(Refusal) -> [Message] {
        let now = Date.now.microseconds
        return try await read { store in
            guard let span = try store.spans(id.rawValue).last else { return [] }
            return try store.messages(id.rawValue, in: span.lowerBound ... .max, newest: true, limit: limit)
                .filter { $0.expiresAtUs == 0 || $0.expiresAtUs > now }.map(Message.init)
        }
    }

    /// Returns my reminders by time.
    public func reminders() async throws(Refusal) -> [Reminder] {
        try await read { try $0.all(Reminder.self) }
    }

    /// Returns the events that concern me by time.
    public func events() async throws(Refusal) -> [Event] {
        try await read { try $0.all(Event.self) }
    }

    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws(Refusal) -> Result {
        do {
            return try await store.read(body)
        } catch {
            throw StoreProblem(error).refusal
        }
    }
}
