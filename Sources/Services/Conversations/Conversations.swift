import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds a person by username.
    /// - Throws: ``Refusal`` `user_not_found`, `guest_may_not`.
    func findUser(_ request: FindUserRequest, _ call: RequestContext) async throws -> FindUserReply {
        try await guests.require(.search, of: call.caller.account, in: context.database)
        guard
            let account = try await context.database.first(
                ConversationsStore.accountByUsername, .text(AccountRules.meantUsername(request.username)))
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

    /// Locks the heads of accounts' streams until the change ends, in order of account. A change that advances heads of
    /// overlapping sets one after the other calls it first with all of them.
    func lockHeads(of accounts: Set<AccountNumber>, in change: Change) async throws {
        _ = try await change.query(
            RequestsStore.advanceHeads, .numbers(accounts.sorted()), .int64s(accounts.map { _ in 0 }))
    }

    /// Advances each account's stream by as many positions as it occurs here. Returns the position of each entry. The
    /// heads must be locked unless these are all that the change advances.
    func nextPositions(of accounts: [AccountNumber], in change: Change) async throws -> [Position] {
        let taken = Dictionary(grouping: accounts) { $0 }.mapValues { Int64($0.count) }.sorted { $0.key < $1.key }
        var next: [AccountNumber: Position] = [:]
        for head in try await change.query(
            RequestsStore.advanceHeads, .numbers(taken.map(\.key)), .int64s(taken.map(\.value)))
        {
            next[head.account] = head.position
        }
        for (account, count) in taken { next[account] = (next[account] ?? 0) - count }
        return accounts.map { account in
            let position = (next[account] ?? 0) + 1
            next[account] = position
            return position
        }
    }
}

extension Refusal {
    static let userNotFound = Refusal(
        .userNotFound, "User not found. Please check the username and try again.")
}
