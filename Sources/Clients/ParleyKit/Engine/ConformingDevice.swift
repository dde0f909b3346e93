import Foundation
import ParleyClient

/// A device under test by `parley-lab conformance`: it follows the server as an app does, into a file, but reads each
/// conversation from its first message on.
@MainActor
package final class ConformingDevice {
    private let account: Account
    private let engine: SyncEngine
    private let committer: Committer

    /// Begins to follow. It returns before there is a session.
    /// - Parameter failed: called when the file cannot be written.
    package init(
        _ client: ParleyClient, as me: UserID, in folder: URL, failed: @escaping @Sendable (String) -> Void
    ) async throws(Refusal) {
        account = await Account.open(me, in: folder)
        if let problem = account.problem { throw problem.refusal }
        account.commit(
            messagesMax: 1_000_000, shown: { _ in }, failed: { if let problem = $0 { failed(problem.refusal.message) } }
        )
        guard let committer = account.committer else { throw .storage("It cannot be written.") }
        self.committer = committer
        engine = SyncEngine(client, SyncMachine(), committer: committer, clock: account.clock)
        await engine.start()
    }

    /// Takes a state as from the reply to a request of the app's own.
    package func learned(_ content: Update.Content) async {
        await engine.take { $0.learned(content, at: .now) }
    }

    /// The person opens a conversation.
    package func opened(_ conversation: String) async {
        await engine.take { $0.look(at: conversation, now: .now) }
    }

    /// Requests unread counts that may be wrong.
    package func recount(_ conversations: [String]) async {
        await engine.take { $0.recount(conversations, at: .now) }
    }

    /// Who is typing: user ids by conversation.
    package var typing: [String: [String]] {
        get async { await engine.machine.typing }
    }

    /// Returns what is in the file.
    /// - Parameter now: the server's time in microseconds UTC.
    package func contents(at now: Int64) async throws -> StoreContents {
        await committer.flush()
        let me = account.me.rawValue
        return try await account.store.write { try StoreContents($0, me: me, at: now) }
    }
}
