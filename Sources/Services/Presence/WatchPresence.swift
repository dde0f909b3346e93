import Reactor
import Schema
import ServiceKit
import Wire

extension PresenceService {
    /// Returns who of these people is online (P1). People whom the caller may not see (C6), or who do not exist, appear
    /// as offline and never seen. If one blocks the other, or the person hides from the caller, they appear as offline
    /// since then.
    func getPresence(_ request: GetPresenceRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkWarmUp()
        let caller = call.caller.account
        let seen = try await seen(request.users, by: caller)
        let shown = try await shown(seen.values, to: caller)
        return PresenceReply(states: states(of: request.users, seen, shown))
    }

    func checkWarmUp() throws {
        guard warmUp.isOver(at: .now) else {
            throw Refusal.unavailable("Presence has just started and does not know yet who is online. Try again soon.")
        }
    }

    /// Returns the same as ``getPresence(_:_:)``, then publishes Updates to the caller until the session ends or the
    /// watch is not renewed (P4).
    func watchPresence(_ request: WatchPresenceRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkWarmUp()
        let caller = call.caller.account
        let revision = watches.revision
        let seen = try await seen(request.users, by: caller)
        let shown = try await shown(seen.values, to: caller)
        let views = seen.values.map { seen in
            let view = Watches.View(isOpen: seen.isOpen, shown: shown[seen.account] ?? .offline)
            return (seen.account, Watches.Sight(user: seen.user, view: view, words: seen.words))
        }
        watches.set(
            Dictionary(views) { first, _ in first }, session: call.caller.session, watcher: caller, revision: revision,
            at: .now)
        // Until now nobody noted for this watch what changed.
        for seen in seen.values where seen.isOpen {
            let conversation = sessions.activity(of: seen.account).conversation
            if conversation != shown[seen.account]?.conversation {
                unpublished.insert(seen.account)
            }
        }
        return PresenceReply(states: states(of: request.users, seen, shown))
    }

    /// Applies a gateway's report of its sessions, which also renews its lease (P2).
    func report(_ request: SessionsReport, _ call: RequestContext) async throws -> SessionsReportReply {
        for session in request.closed {
            watches.end(session: session)
            typing.end(session: session)
        }
        let isNew = !sessions.knows(request.gateway)
        guard let changes = sessions.apply(request, at: .now) else { return SessionsReportReply(sendFull: true) }
        warmUp.heard(request.gateway, isWhole: request.opened.count < PresenceSessions.pageItems)
        note(changes)
        unwrittenGateways[request.gateway] = context.clock.now
        // A replica that starts now must wait for a new gateway. Times of known gateways are written periodically.
        if isNew { Task.onLoop { await self.writeGateways() } }
        return SessionsReportReply(sendFull: false)
    }

    private func seen(_ users: [String], by account: AccountNumber) async throws -> [String: Seen] {
        let rows = try await context.database.query(PresenceStore.seen, .number(account), .texts(users))
        return Dictionary(rows.map { ($0.user, $0) }) { first, _ in first }
    }

    /// Returns what a person is shown now of each of these who is not closed to them.
    private func shown(
        _ seen: some Sequence<Seen>, to watcher: AccountNumber
    ) async throws -> [AccountNumber: Shown] {
        let open = seen.filter(\.isOpen).map { ($0, conversation: sessions.activity(of: $0.account).conversation) }
        let members = try await members(
            of: open.map { (Watches.Pair(watched: $0.0.account, watcher: watcher), $0.conversation) })
        let now = context.clock.now
        let all = open.map { seen, conversation in
            let activity = sessions.activity(of: seen.account)
            // Of a conversation that was opened meanwhile nothing is known yet.
            let isMember =
                activity.conversation == conversation
                && members.contains(Watches.Pair(watched: seen.account, watcher: watcher))
            return (seen.account, Shown(activity, seen.words, isMember: isMember, at: now))
        }
        return Dictionary(all) { first, _ in first }
    }

    /// Returns the pairs in which the watcher may see that the other looks at this conversation. Without a conversation
    /// nothing is asked.
    func members(of pairs: [(pair: Watches.Pair, conversation: String)]) async throws -> Set<Watches.Pair> {
        let asked = pairs.filter { !$0.conversation.isEmpty }
        guard !asked.isEmpty else { return [] }
        return Set(
            try await context.database.query(
                PresenceStore.fellowMembers, .texts(asked.map(\.conversation)), .numbers(asked.map(\.pair.watched)),
                .numbers(asked.map(\.pair.watcher))))
    }

    private func states(
        of users: [String], _ seen: [String: Seen], _ shown: [AccountNumber: Shown]
    ) -> [PresenceState] {
        users.map { user in
            guard let seen = seen[user] else { return PresenceState(user: user, status: .offline) }
            return state(of: seen, shown[seen.account] ?? .offline)
        }
    }

    /// Returns the state of a person as the other is shown it.
    func state(of seen: Seen, _ shown: Shown) -> PresenceState {
        guard seen.isVisible else { return PresenceState(user: seen.user, status: .offline) }
        let lastSeen = seen.lastSeen(
            isOnline: sessions.isOnline(seen.account), sighting(of: seen.account), now: context.clock.now)
        return shown.state(of: seen.user, lastSeen: lastSeen)
    }
}
