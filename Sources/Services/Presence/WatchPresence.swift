import Reactor
import Schema
import ServiceKit
import Wire

extension PresenceService {
    /// Returns who of these people is online (P1). People whom the caller may not see (C6), or who do not exist, appear
    /// as offline and never seen. If one blocks the other, a person appears as offline since then.
    func getPresence(_ request: GetPresenceRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkWarmUp()
        return PresenceReply(
            states: states(of: request.users, try await visible(request.users, to: call.caller.account)))
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
        let visible = try await visible(request.users, to: call.caller.account)
        watches.set(
            Set(visible.values.map(\.account)), session: call.caller.session, watcher: call.caller.account, at: .now)
        return PresenceReply(states: states(of: request.users, visible))
    }

    /// Applies a gateway's report of its sessions, which also renews its lease (P2).
    func report(_ request: SessionsReport, _ call: RequestContext) async throws -> SessionsReportReply {
        for session in request.closed { watches.end(session: session) }
        let isNew = !sessions.knows(request.gateway)
        guard let changes = sessions.apply(request, at: .now) else { return SessionsReportReply(sendFull: true) }
        warmUp.heard(request.gateway, isWhole: request.opened.count < PresenceSessions.pageItems)
        publish(changes)
        unwrittenGateways[request.gateway] = context.clock.now
        // A replica that starts now must wait for a new gateway. Times of known gateways are written periodically.
        if isNew { Task.onLoop { await self.writeGateways() } }
        return SessionsReportReply(sendFull: false)
    }

    private func visible(_ users: [String], to account: AccountNumber) async throws -> [String: Seen] {
        let rows = try await context.database.query(PresenceStore.visible, .number(account), .texts(users))
        return Dictionary(rows.map { ($0.user, $0) }) { first, _ in first }
    }

    private func states(of users: [String], _ visible: [String: Seen]) -> [PresenceState] {
        let now = context.clock.now
        return users.map { user in
            guard let seen = visible[user] else { return PresenceState(user: user, status: .offline, lastSeenUs: 0) }
            return seen.state(
                isOnline: sessions.isOnline(seen.account), wentAt: unwritten[seen.account], now: now)
        }
    }
}

extension Seen {
    /// - Parameter wentAt: when the person last came or went, if that is not stored yet.
    func state(isOnline: Bool, wentAt: Timestamp?, now: Timestamp) -> PresenceState {
        let last = isOnline ? now : wentAt ?? lastSeenAt ?? 0
        if let blockedAt {
            return PresenceState(user: user, status: .offline, lastSeenUs: min(last, blockedAt).rawValue)
        }
        return PresenceState(
            user: user, status: isOnline ? .online : .offline, lastSeenUs: isOnline ? 0 : last.rawValue)
    }
}
