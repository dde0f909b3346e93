import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Starts the direct conversation of two people, or finds it (C1 to C5). With a person who has not accepted the
    /// caller it starts as a request (R1). Retry-safe.
    ///
    /// Concurrent calls create only one conversation. If both people start it, it is accepted.
    /// - Throws: ``Refusal`` `user_not_found`, `user_blocked`, `rate_limited`, `guest_may_not`.
    func startDirect(_ request: StartDirectRequest, _ call: RequestContext) async throws -> ConversationReply {
        let caller = call.caller
        guard let me = UserID(caller.user), let other = UserID(request.user) else { throw Refusal.userNotFound }
        let id = ConversationID(me, other)
        let (now, rules) = (context.clock.now, requestRules)
        return try await context.journal.change(inOrderOf: id.rawValue) { change in
            try await change.execute(RequestsStore.lockPair, .text(id.rawValue))
            guard
                let peer = try await change.first(
                    ConversationsStore.peers, .number(caller.account), .texts([other.rawValue]))
            else { throw Refusal.userNotFound }
            // There may be no conversation yet that would show the block.
            if peer.isBlocked { throw Refusal.userBlocked }
            var locked = try await change.query(
                RequestsStore.lockMine, .number(caller.account), .texts([id.rawValue]))
            let isNew = locked.isEmpty
            if isNew {
                guard try await change.first(RequestsStore.stay, .number(peer.account)) != nil else {
                    throw Refusal.userNotFound
                }
                let accounts = Set([caller.account, peer.account]).sorted()
                locked = Array(
                    try await change.query(
                        RequestsStore.addDirect, .text(id.rawValue), .number(caller.account), .number(now),
                        .numbers(accounts)
                    ).prefix(1))
            }
            guard let pair = try await self.pairs(locked, in: change).first, let side = pair.side(of: caller.account)
            else { throw DatabaseError.unexpected("no members of \(id.rawValue)") }
            let started = try rules.start(pair.pair, by: side, isAlone: pair.isAlone, at: now)
            let isFirst = isNew || pair.pair.status == .none || RequestRules.isAsking(started, after: pair.pair)
            if isFirst, !pair.isAlone {
                try await self.guests.require(.requests, of: caller.account, in: change)
            }
            if RequestRules.isAsking(started, after: pair.pair) {
                try self.allow(.request, by: caller)
                if pair.pair.withdrawnAt != nil { try self.askedAgain.take(id.rawValue) }
            }
            try await self.settle([(pair, started)], in: change)
            let conversation = try await self.known(id, to: caller, in: change)
            return ConversationReply(conversation: conversation, created: isNew)
        }
    }
}
