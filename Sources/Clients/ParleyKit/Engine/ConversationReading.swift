import Foundation
import ParleyClient

/// Reads messages for a ``Conversation``, from the store or from the server.
@MainActor
protocol ConversationReading: AnyObject, Sendable {
    var outbox: Outbox { get }
    var changes: AsyncStream<ConversationChange> { get }
    func load(_ id: ConversationID) async
    func loadNewest(_ id: ConversationID) async throws(Refusal)
    func load(_ id: ConversationID, before seq: Int64, count: Int) async throws(Refusal)
    func load(_ id: ConversationID, around seq: Int64, count: Int) async throws(Refusal)
    func setDraft(_ draft: String, of id: ConversationID)
    func setTyping(_ isTyping: Bool, in id: ConversationID)
    func person(_ id: UserID) -> User?
    func ask<Answer: Sendable>(
        _ request: @Sendable (ParleyClient) async throws(ParleyError) -> Answer
    ) async throws(Refusal) -> Answer
}

extension Conversation {
    /// Shows the newest messages that are stored. The first use of ``Parley/conversation(_:)`` begins this by itself;
    /// call it to wait for the end. Without a connection it shows what is stored.
    public func load() async { await reader?.load(id) }

    /// Loads older messages than those that are shown, from the device or from the server.
    /// - Throws: `offline` when they are not stored and there is no connection; the server's refusal.
    public func loadOlder(_ count: Int = 50) async throws(Refusal) {
        guard let reader else { throw .wasClosed }
        guard let first = loaded.first else { return try await reader.loadNewest(id) }
        if hasOlder { try await reader.load(id, before: first, count: count) }
    }

    /// Loads the newest messages of a gap.
    /// - Throws: as ``loadOlder(_:)``.
    public func fill(_ gap: Gap, _ count: Int = 50) async throws(Refusal) {
        guard let reader else { throw .wasClosed }
        try await reader.load(id, before: gap.last + 1, count: count)
    }

    /// Loads the messages around a number, half of them on each side. Those that are shown stay; between them there may
    /// be a gap.
    /// - Throws: as ``loadOlder(_:)``.
    public func load(around seq: Int64, _ count: Int = 50) async throws(Refusal) {
        guard let reader else { throw .wasClosed }
        try await reader.load(id, around: seq, count: count)
    }

    /// Lets go of all messages but the newest ones: call it when a screen closes, to free memory. ``loadOlder(_:)``
    /// shows them again.
    /// - Throws: as ``loadOlder(_:)``.
    public func unloadOlder() async throws(Refusal) {
        guard let reader else { throw .wasClosed }
        try await reader.loadNewest(id)
    }

    /// Returns all members of a group of any size: the owner first, then the admins, then the others in the order in
    /// which they joined. Asks the server.
    /// - Throws: `not_member`; `offline` without a connection.
    public func allMembers() async throws(Refusal) -> [Member] {
        guard let reader else { throw .wasClosed }
        let id = id.rawValue
        return try await reader.ask { client throws(ParleyError) in
            try await client.allMembers(of: id).map(Member.init)
        }
    }

    /// Keeps what I have begun to write, also over a restart.
    public func setDraft(_ draft: String) { reader?.setDraft(draft, of: id) }
}
