import Reactor
import Schema
import ServiceKit
import Wire

extension PresenceService {
    /// Returns who of these people is online (P1). People whom the caller may not see (C6), or who do not exist, appear
    /// as offline and never seen. If one blocks the other, a person appears as offline since then.
    func getPresence(_ request: GetPresenceRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkWarmUp()
        return PresenceReply(states: states(of: request.users, try await seen(request.users, by: call.caller.account)))
    }

    private func checkWarmUp() throws {
        guard warmUp.isOver(at: .now) else {
            throw Refusal.unavailable("Presence has just started and does not know yet who is online. Try again soon.")
        }
    }

    /// Returns the same as ``getPresence(_:_:)``, then publishes Updates to the caller until the session ends or the
    /// watch is not renewed (P4).
    func watchPresence(_ request: WatchPresenceRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkWarmUp()
        let revision = watches.revision
        let seen = try await seen(request.users, by: call.caller.account)
        let views = seen.values.map { seen in
            let isOnline = seen.isOpen && sessions.isOnline(seen.account)
            return (seen.account, Watches.View(isOpen: seen.isOpen, isOnline: isOnline))
        }
        watches.set(
            Dictionary(views) { first, _ in first }, session: call.caller.session, watcher: call.caller.account,
            revision: revision, at: .now)
        return PresenceReply(states: states(of: request.users, seen))
    }

    /// Applies a gateway's report of its sessions, which also renews its lease (P2).
    func report(_ request: SessionsReport, _ call: RequestContext) async throws -> SessionsReportReply {
        for session in request.closed { watches.end(session: session) }
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

    private func states(of users: [String], _ seen: [String: Seen]) -> [PresenceState] {
        let now = context.clock.now
        return users.map { user in
            guard let seen = seen[user] else { return PresenceState(user: user, status: .offline, lastSeenUs: 0) }
            return seen.state(isOnline: sessions.isOnline(seen.account), wentAt: unwritten[seen.account], now: now)
        }
    }
}

extension Seen {
    /// - Parameter wentAt: when the person last came or went, if that is not stored yet.
    func state(isOnline: Bool, wentAt: Timestamp?, now: Timestamp) -> PresenceState {
        guard isVisible else { return PresenceState(user: user, status: .offline, lastSeenUs: 0) }
        let last = isOnline ? now : wentAt ?? lastSeenAt ?? 0
        if let blockedAt {
            return PresenceState(user: user, status: .offline, lastSeenUs: min(last, blockedAt).rawValue)
        }
        return PresenceState(
            user: user, status: isOnline ? .online : .offline, lastSeenUs: isOnline ? 0 : last.rawValue)
    }
}
