import Foundation
import ParleyClient

/// What the outbox takes, and what it says of its entries.
extension Outbox {
    /// Returns what is to be added.
    /// - Throws: `unauthenticated`; `too_large` for more than can be encoded.
    func item(
        _ action: some Action, about message: MessageID? = nil, id: UUIDv7? = nil
    ) throws(Refusal) -> UnsentItem {
        guard let me = parley.user else { throw parley.isClosed ? .wasClosed : .signedOut }
        try action.check()
        do {
            var item = try UnsentItem(
                id: Data((id ?? nextID()).bytes), lane: action.lane(as: me), action,
                doneAtUs: parley.account?.now ?? ServerClock().now())
            item.target = message?.data ?? Data()
            // The app may hold what it was before a change of mine.
            let steps = versions[item.lane] ?? [:]
            while let version = (item.action as? any VersionedAction)?.version, let next = steps[version] {
                item.take(version: next)
            }
            return item
        } catch {
            throw Refusal(.tooLarge, "It is too large to be sent. Make it shorter.")
        }
    }

    /// Returns the id of the entry that sends a message; nil: it is sent.
    func unsent(_ message: MessageID) -> Data? { entries.first { $0.item.sends == message }?.item.id }

    /// Whether an entry is not on its way.
    func rests(_ id: Data) -> Bool {
        entries.contains { $0.item.id == id && ($0.state == .waiting || $0.state == .failed) }
    }

    /// Whether the server cannot have what an entry does: it was never tried, or refused.
    func isHereAlone(_ id: Data) -> Bool {
        entries.contains { $0.item.id == id && ($0.state == .failed || ($0.state == .waiting && !$0.item.wasTried)) }
    }

    /// Returns the id of a mark that is not on its way yet, unless something about the conversation was set after it:
    /// what marks it as unread comes in between.
    func waitingMarks(in lane: ConversationID) -> UUIDv7? {
        let last = entries.last { entry in
            guard entry.item.lane == lane.rawValue else { return false }
            if case .marks = entry.item.optimisticState { return true }
            return entry.item.method == MessagingMethods.updateInboxState.name
        }
        guard let last, case .marks = last.item.optimisticState, last.state == .waiting else { return nil }
        return UUIDv7(bytes: last.item.id)
    }

    func message(of item: UnsentItem) -> Message? { parley.user.flatMap { item.message(from: $0) } }
}
