import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import ConversationsService
@testable import ServiceKit

/// A migrated database, the people u1, u2 …, and two replicas of conversations. A change can be paused between any two
/// of its statements.
@ReactorActor
final class GroupScene: ReplicaScene {
    let database: MigratedDatabase
    let superuser: Connection
    private(set) var replicas: [ServiceReplica<ConversationsService>] = []
    private var madeGroups = 0

    /// The advisory lock held while a change is paused.
    private static let lock = 4711

    init(people: Int = 12, settings: [String: String] = [:]) async throws {
        database = try await MigratedDatabase()
        superuser = try await Connection.open(database.superuser)
        for sql in Self.stops { try await superuser.execute(Statement(sql)) }
        try await addPeople(people)
        let environment = settings.merging([
            "PARLEY_REQUESTS_REQUIRED": "no", "PARLEY_LIMITS_GROUP_CHANGES_PER_MINUTE": "1000000",
        ]) { first, _ in first }
        for _ in 0..<2 { replicas.append(try await ServiceReplica(on: database, environment: environment)) }
    }

    // MARK: Requests

    /// Creates a group of u1 (owner) and others.
    func group(_ others: [Int], admins: [Int] = [], on replica: Int = 0) async throws -> String {
        madeGroups += 1
        let service = replicas[replica].service
        let reply = try await service.createGroup(
            CreateGroupRequest(id: groupID(madeGroups), name: "before", users: others.map { "u\($0)" }), call(1))
        let id = try #require(reply.conversation?.id)
        if !admins.isEmpty {
            try await execute(
                """
                UPDATE conversations.members AS m SET role = 2
                FROM conversations.conversations AS c
                WHERE c.conversation_id = '\(id)' AND m.conversation = c.conversation
                    AND m.account = ANY ('{\(admins.map(String.init).joined(separator: ","))}')
                """)
        }
        return id
    }

    private func groupID(_ number: Int) -> [UInt8] {
        var bytes = messageID(number)
        let milliseconds = UInt64(WallClock.system.now.rawValue / 1000)
        for index in 0..<6 { bytes[5 - index] = UInt8(truncatingIfNeeded: milliseconds >> (8 * index)) }
        return bytes
    }

    /// Runs an action and returns "done", the refusal's code, or "failed" with the error.
    func outcome(of action: Action, on replica: Int, in group: String) async -> String {
        do {
            try await action.run(replicas[replica].service, group, self)
            return "done"
        } catch let refusal as Refusal {
            return refusal.code.rawValue
        } catch {
            return "failed: \(error)"
        }
    }

    // MARK: Pausing

    /// Creates a table of the step at which each backend pauses its transaction: before each writing statement, and
    /// before the commit. A change does its reads between these steps, under the group's lock.
    private static let stops =
        [
            "CREATE TABLE public.stops (backend integer PRIMARY KEY, step integer NOT NULL)",
            """
            CREATE FUNCTION public.stop_here() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER
            AS $$
            DECLARE
                here integer := 1 + COALESCE(NULLIF(current_setting('test.step', true), ''), '0')::integer;
            BEGIN
                PERFORM set_config('test.step', here::text, true);
                IF here = (SELECT step FROM public.stops WHERE backend = pg_backend_pid()) THEN
                    PERFORM pg_advisory_xact_lock_shared(\(lock));
                END IF;
                RETURN NULL;
            END
            $$
            """,
        ]
        + ["conversations", "members", "heads", "lanes"].map { stop("BEFORE", $0) } + [stop("AFTER", "journal")]

    private static func stop(_ moment: String, _ table: String) -> String {
        "CREATE TRIGGER stop_here \(moment) INSERT OR UPDATE ON conversations.\(table) "
            + "FOR EACH STATEMENT EXECUTE FUNCTION public.stop_here()"
    }

    /// Runs `first` on one replica up to its step `step`, begins `second` on the other, then lets both end.
    /// - Returns: the outcomes; nil when `first` has no such step.
    func interleave(
        _ first: Action, stoppedAt step: Int, with second: Action, in group: String
    ) async throws -> [String]? {
        let backends = try replicas.map { try $0.journal.lanes[0].current.connection.backend }
        try await execute("INSERT INTO public.stops VALUES (\(backends[0]), \(step))")
        try await execute("SELECT pg_advisory_lock(\(Self.lock))")
        let running = Running { await self.outcome(of: first, on: 0, in: group) }
        try await eventually {
            if running.result != nil { return true }
            return try await self.waits(backends[0], advisory: true)
        }
        let hasStopped = running.result == nil
        let other = Running { await self.outcome(of: second, on: 1, in: group) }
        if hasStopped {
            try await eventually {
                if other.result != nil { return true }
                return try await self.waits(backends[1], advisory: false)
            }
            #expect(other.result == nil, "the second waits for the first, at step \(step)")
        }
        try await execute("SELECT pg_advisory_unlock(\(Self.lock))")
        let outcomes = [await running.value() ?? "", await other.value() ?? ""]
        try await execute("DELETE FROM public.stops")
        return hasStopped ? outcomes : nil
    }

    private func waits(_ backend: Int32, advisory: Bool) async throws -> Bool {
        try await number(
            "SELECT count(*) FROM pg_locks WHERE pid = \(backend) AND NOT granted "
                + "AND (locktype = 'advisory') = \(advisory)") > 0
    }

    // MARK: Invariants

    /// Returns a group as its members see it.
    func state(of group: String) async throws -> [String] {
        try await texts(
            """
            SELECT c.name || ' ' || c.photo_url || ' ' || c.member_count
            FROM conversations.conversations AS c WHERE c.conversation_id = '\(group)'
            UNION ALL
            (
                SELECT concat_ws(' ', a.user_id, CASE WHEN m.left_at IS NULL THEN 'role ' || m.role ELSE 'left' END,
                    m.section, m.left_name, m.write_refusal, m.may_read)
                FROM conversations.members AS m
                JOIN conversations.accounts AS a USING (account)
                JOIN conversations.conversations AS c USING (conversation)
                WHERE c.conversation_id = '\(group)'
                ORDER BY a.account
            )
            """)
    }

    /// Returns the journal entries of a group that following services read, in order.
    func notes(of group: String) async throws -> [String] {
        try await texts(
            """
            SELECT e.kind || ' ' || e.object
            FROM conversations.journal AS j
            CROSS JOIN LATERAL unnest(j.kinds, j.subjects, j.objects) WITH ORDINALITY
                AS e (kind, subject, object, ordinal)
            JOIN conversations.conversations AS c ON c.conversation = e.subject
            WHERE e.kind NOT IN (1, 2, 6, 7, 8) AND c.conversation_id = '\(group)'
            ORDER BY j.at, j.lane, j.number, e.ordinal
            """)
    }

    func checkInvariants() async throws {
        #expect(
            try await number(
                """
                SELECT count(*) FROM conversations.conversations AS c
                LEFT JOIN LATERAL (
                    SELECT count(*) AS n, count(*) FILTER (WHERE role = 3) AS owners,
                        COALESCE(bit_xor(hashint8extended(account, 0)), 0) AS key
                    FROM conversations.members WHERE conversation = c.conversation AND left_at IS NULL
                ) AS m ON true
                WHERE c.member_count <> m.n OR c.members_key <> m.key
                    OR (c.kind = 2 AND m.owners <> LEAST(m.n, 1))
                """) == 0, "counts and keys match the members, and each group with members has one owner")
        #expect(
            try await number(
                """
                SELECT count(*) FROM (
                    SELECT u.subject, array_agg(u.position ORDER BY u.position) AS told
                    FROM conversations.journal AS j
                    CROSS JOIN LATERAL unnest(j.kinds, j.subjects, j.positions) AS u (kind, subject, position)
                    WHERE u.kind IN (1, 6)
                    GROUP BY u.subject
                ) AS t
                JOIN conversations.heads AS h ON h.account = t.subject
                WHERE t.told <> ARRAY(SELECT generate_series(1, h.position))
                """) == 0, "each position of each stream is published once")
        #expect(
            try await number(
                """
                SELECT count(*) FROM conversations.members AS m
                JOIN conversations.heads AS h USING (account) WHERE m.position > h.position
                """) == 0)
        #expect(
            try await number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == 0)
    }
}

/// An action in a group.
enum Action: Sendable, CustomStringConvertible {
    case add([Int], by: Int)
    case remove(Int, by: Int)
    case leave(Int)
    case role(of: Int, MemberRole, by: Int)
    case transferOwnership(to: Int, by: Int)
    case rename(String, by: Int)

    var description: String {
        switch self {
        case .add(let users, let actor): "u\(actor) adds \(users.map { "u\($0)" }.joined(separator: ", "))"
        case .remove(let user, let actor): "u\(actor) removes u\(user)"
        case .leave(let actor): "u\(actor) leaves"
        case .role(let user, let role, let actor): "u\(actor) makes u\(user) role \(role.rawValue)"
        case .transferOwnership(let user, let actor): "u\(actor) transfers ownership to u\(user)"
        case .rename(let name, let actor): "u\(actor) renames to \(name)"
        }
    }

    @ReactorActor
    func run(_ service: ConversationsService, _ group: String, _ scene: GroupScene) async throws {
        switch self {
        case .add(let users, let actor):
            _ = try await service.addMembers(
                AddMembersRequest(conversation: group, users: users.map { "u\($0)" }), scene.call(actor))
        case .remove(let user, let actor):
            _ = try await service.removeMember(
                RemoveMemberRequest(conversation: group, user: "u\(user)"), scene.call(actor))
        case .leave(let actor):
            _ = try await service.leaveGroup(LeaveGroupRequest(conversation: group), scene.call(actor))
        case .role(let user, let role, let actor):
            _ = try await service.setMemberRole(
                SetMemberRoleRequest(conversation: group, user: "u\(user)", role: role), scene.call(actor))
        case .transferOwnership(let user, let actor):
            _ = try await service.transferOwnership(
                TransferOwnershipRequest(conversation: group, user: "u\(user)"), scene.call(actor))
        case .rename(let name, let actor):
            _ = try await service.updateGroup(
                UpdateGroupRequest(conversation: group, changeName: .name(name)), scene.call(actor))
        }
    }
}

/// A running task and its result.
@ReactorActor
final class Running<Result: Sendable> {
    private(set) var result: Result?
    private var task: Task<Result, Never>?

    init(_ body: @escaping @ReactorActor () async -> Result) {
        task = Task.immediate { @ReactorActor in
            let result = await body()
            self.result = result
            return result
        }
    }

    func value() async -> Result? { await task?.value }
}
