import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds a person by username.
    /// - Throws: ``Refusal`` `user_not_found`.
    func findUser(_ request: FindUserRequest, _ call: RequestContext) async throws -> FindUserReply {
        guard
            let account = try await context.database.first(
                ConversationsStore.accountByUsername, .text(request.username))
        else { throw Refusal.userNotFound }
        return FindUserReply(user: account.user)
    }

    // MARK: Shared steps

    /// Advances each account's own stream by one position. Locks the heads in order of account, so that two such
    /// changes never deadlock.
    func advanceHeads(
        of accounts: Set<AccountNumber>, in change: Change
    ) async throws -> [(account: AccountNumber, position: Position)] {
        try await change.query(ConversationsStore.advanceHeads, .numbers(accounts.sorted()))
    }
}

extension Refusal {
    static let userNotFound = Refusal("user_not_found", "There is no such person.")
    static let userBlocked = Refusal("user_blocked", "You cannot message this user.")
}
