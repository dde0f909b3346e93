import Postgres
import Reactor
import Schema
import ServiceKit

/// Shows requests to their recipients once they have a message (R2).
///
/// Only here does conversations read another service. It follows the messages of requests in messaging's journal, so
/// that a request is shown even if a process dies after storing its message.
extension ConversationsService {
    func reveal(_ entries: [JournalEntry], in change: Change) async throws {
        let named = Set(entries.filter { $0.is(MessagingKind.requestMessage) }.map { ConversationNumber($0.subject) })
            .sorted()
        guard !named.isEmpty else { return }
        let locked = try await change.query(RequestsStore.lockHidden, .numbers(named))
        guard !locked.isEmpty else { return }
        let rules = requestRules
        let pairs = try await pairs(locked, in: change)
        try await settle(pairs.map { ($0, rules.reveal($0.pair)) }, in: change)
    }
}
