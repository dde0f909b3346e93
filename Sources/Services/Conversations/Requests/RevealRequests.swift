import Postgres
import Reactor
import ServiceKit

/// Shows requests to those who are asked, once they hold a message (R2).
///
/// The one place where conversations reads another service: it follows the messages of requests in messaging's journal,
/// so that whatever dies between a message and its request being shown, it is shown.
extension ConversationsService {
    /// What messaging's journal names a message of a request.
    nonisolated static let messageOfRequest: Int16 = 2

    func reveal(_ entries: [JournalEntry], in change: Change) async throws {
        let named = Set(entries.filter { $0.kind == Self.messageOfRequest }.map(\.subject)).sorted()
        guard !named.isEmpty else { return }
        let locked = try await change.query(RequestsStore.lockHidden, .int64s(named))
        guard !locked.isEmpty else { return }
        let rules = requestRules
        let pairs = try await pairs(locked, in: change)
        try await settle(pairs.map { ($0, rules.reveal($0.pair)) }, in: change)
    }
}
