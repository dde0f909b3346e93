import Foundation
import ParleyClient

/// Something that I did and that the server does not have yet: it waits, is on its way, or was refused.
///
///     for unsent in parley.unsent {
///         guard case .failed(let refusal) = unsent.syncStatus else { continue }
///         show("Not sent: \(refusal.message)")
///         if refusal.code == .userBlocked { try await parley.drop(unsent.id) }
///     }
public struct Unsent: Identifiable, Hashable, Sendable, Codable {
    /// Names it on this device.
    ///
    ///     if let id = parley.unsent.first?.id { try await parley.retry(id) }
    public struct ID: Hashable, Sendable, Codable { let data: Data }

    public let id: ID
    public let kind: Kind
    /// The conversation that it is about.
    public let conversation: ConversationID?
    /// The message that it is about.
    public let message: MessageID?
    public let doneAt: Date
    /// Pending; or failed, with the reason. What failed stays until it is tried again or dropped.
    public let syncStatus: SyncStatus

    init(_ item: UnsentItem) {
        id = ID(data: item.id)
        (doneAt, syncStatus) = (Date(microseconds: item.doneAtUs), item.status)
        message = item.sends ?? item.changedMessage
        kind = item.action?.unsentKind ?? .ofNewerVersion
        conversation = item.changesSummary ? ConversationID(rawValue: item.lane) : nil
    }
}

extension Parley {
    /// What I did and the server does not have yet, in the order in which it was done.
    public var unsent: [Unsent] {
        _ = unsentVersion
        return outbox.entries.map { Unsent($0.item) }
    }

    /// Whether nine tenths of the room for what is unsent are taken (``Options/unsentMax``). When it is full, intents
    /// are refused with `outbox_full`.
    public var isOutboxNearlyFull: Bool {
        _ = unsentVersion
        return outbox.entries.count * 10 >= options.unsentMax * 9
    }

    /// Sends something again that was refused. What depends on it follows.
    /// - Throws: `storage_failed`.
    public func retry(_ id: Unsent.ID) async throws(Refusal) { try await outbox.retry(id.data) }

    /// Drops something that is not sent, with what depends on it: the edits of a message, the messages of a new
    /// conversation.
    /// - Throws: `invalid` while it is being sent.
    public func drop(_ id: Unsent.ID) async throws(Refusal) { try await outbox.drop(id.data) }

    func noteUnsent() { unsentVersion &+= 1 }
}
