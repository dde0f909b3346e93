import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension PresenceService {
    /// Who of these people is there (P1). People the caller shares no conversation with, and people who do not exist,
    /// look offline and never seen.
    func get(_ request: PresenceGetRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkSettled()
        return PresenceReply(
            states: states(of: request.users, try await visible(request.users, to: call.caller.account)))
    }

    private func checkSettled() throws {
        guard settling.isSettled(at: .now) else {
            throw Refusal.unavailable("Presence has just started and does not know yet who is there.")
        }
    }

    /// As get, and from then on Updates until the session ends or the watch is not renewed (P4).
    func watch(_ request: PresenceWatchRequest, _ call: RequestContext) async throws -> PresenceReply {
        try checkSettled()
        let visible = try await visible(request.users, to: call.caller.account)
        watches.set(
            Set(visible.values.map(\.account)), session: call.caller.session, watcher: call.caller.account, at: .now)
        return PresenceReply(states: states(of: request.users, visible))
    }

    /// What a gateway tells of its sessions; also its lease (P2).
    func report(_ request: SessionsReport, _ call: RequestContext) async throws -> SessionsReportReply {
        for session in request.closed { watches.end(session: session) }
        let isNew = !roster.knows(request.gateway)
        guard let changes = roster.apply(request, at: .now) else { return SessionsReportReply(sendFull: true) }
        settling.heard(request.gateway, isWhole: request.opened.count < Roster.pageItems)
        tell(changes)
        unwrittenGateways[request.gateway] = context.clock.now
        // One that starts meanwhile must know of it; of others it learns soon enough.
        if isNew { Task.immediate { @ReactorActor in await self.writeGateways() } }
        return SessionsReportReply(sendFull: false)
    }

    /// Tells those who watch, and notes when people went.
    func tell(_ changes: [Roster.Change]) {
        let now = context.clock.now
        for change in changes {
            unwritten[change.person.account] = now
            let watchers = watches.watchers(of: change.person.account)
            guard !watchers.isEmpty else { continue }
            let stream = "presence/u/" + change.person.user
            let state = PresenceState(
                user: change.person.user, status: change.isOnline ? .online : .offline,
                lastSeenUs: change.isOnline ? 0 : now)
            context.publisher.publish(
                UpdateHeader(
                    stream: stream, kind: PresenceState.messageName, class: .ephemeral, collapseKey: stream,
                    audience: watchers),
                state.encode())
        }
    }

    private func visible(_ users: [String], to account: Int64) async throws -> [String: Seen] {
        let rows = try await context.database.query(PresenceStore.visible, .int64(account), .texts(users))
        return Dictionary(rows.map { ($0.user, $0) }) { first, _ in first }
    }

    private func states(of users: [String], _ visible: [String: Seen]) -> [PresenceState] {
        users.map { user in
            guard let seen = visible[user] else { return PresenceState(user: user, status: .offline, lastSeenUs: 0) }
            if roster.isOnline(seen.account) { return PresenceState(user: user, status: .online, lastSeenUs: 0) }
            let last = unwritten[seen.account] ?? seen.lastSeenAt ?? 0
            return PresenceState(user: user, status: .offline, lastSeenUs: last)
        }
    }
}

/// A person whose presence the caller may see.
struct Seen: Sendable {
    var account: Int64
    var user: String
    var lastSeenAt: Int64?
}

/// All SQL of presence.
enum PresenceStore {
    /// $1 my account, $2 user ids: those I share a conversation with, and myself.
    static let visible = Statement(
        """
        SELECT u.account, u.user_id, l.at
        FROM conversations.account_ids AS u
        LEFT JOIN presence.last_seen AS l ON l.account = u.account
        WHERE u.user_id = ANY ($2)
            AND (
                u.account = $1
                OR EXISTS (
                    SELECT
                    FROM conversations.access AS theirs
                    CROSS JOIN LATERAL (
                        SELECT may_read
                        FROM conversations.access
                        WHERE conversation = theirs.conversation
                            AND account BETWEEN $1 AND $1
                        ORDER BY account
                        LIMIT 1
                    ) AS mine
                    WHERE theirs.account = u.account
                        AND theirs.may_read
                        AND mine.may_read
                )
            )
        """
    ) { row in Seen(account: try row.int64(0), user: try row.text(1), lastSeenAt: try row.optionalInt64(2)) }

    /// $1 since when: those heard of.
    static let gateways = Statement(
        """
        SELECT gateway
        FROM presence.gateways
        WHERE heard_at >= $1
        ORDER BY gateway
        LIMIT 1000
        """
    ) { row in try row.text(0) }

    /// $1 gateways, $2 times.
    static let writeGateways = Statement(
        """
        INSERT INTO presence.gateways AS g (gateway, heard_at)
        SELECT gateway, heard_at
        FROM unnest($1::text[], $2::bigint[]) AS heard (gateway, heard_at)
        ORDER BY gateway
        ON CONFLICT (gateway) DO UPDATE
        SET heard_at = GREATEST(g.heard_at, excluded.heard_at)
        """)

    /// $1 until when: those not heard of since.
    static let forgetGateways = Statement(
        """
        DELETE FROM presence.gateways
        WHERE heard_at < $1
        """)

    /// $1 accounts, $2 times.
    static let writeLastSeen = Statement(
        """
        INSERT INTO presence.last_seen AS l (account, at)
        SELECT account, at
        FROM unnest($1::bigint[], $2::bigint[]) AS seen (account, at)
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET at = GREATEST(l.at, excluded.at)
        """)
}
