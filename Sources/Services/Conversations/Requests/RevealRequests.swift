import Postgres
import Reactor
import Schema
import ServiceKit

/// Shows requests to their recipients once they have a message (R2).
///
/// Only here and for reports does conversations read another service. It follows the messages of requests in
/// messaging's journal, so that a request is shown even if a process dies after storing its message.
extension ConversationsService {
    func reveal(_ entries: [JournalEntry], in change: Change) async throws {
        let messages = entries.filter { $0.is(MessagingKind.requestMessage) }
        guard !messages.isEmpty else { return }
        let named = Dictionary(grouping: messages) { ConversationNumber($0.subject) }
        let locked = try await change.query(RequestsStore.lockHidden, .numbers(named.keys.sorted()))
        guard !locked.isEmpty else { return }
        let rules = requestRules
        let pairs = try await pairs(locked, in: change)
        try await settle(
            pairs.map { before in
                let audiences = (named[before.row.conversation] ?? []).flatMap(\.audience.rawValues)
                let reached = audiences.compactMap { before.side(of: AccountNumber($0)) }
                return (before, rules.reveal(before.pair, reached: Set(reached)))
            }, in: change)
    }
}
