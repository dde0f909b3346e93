import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

/// A migrated database, the people u1, u2 …, and two replicas of messaging. A change can be paused between any two of
/// its statements.
@ReactorActor
final class ActionScene: ReplicaScene {
    let database: MigratedDatabase
    let superuser: Connection
    private(set) var replicas: [ServiceReplica<MessagingService>] = []
    private var madeGroups: Int64 = 0
    private var madeMessages = 0

    /// The advisory lock held while a change is paused.
    private static let lock = 4712

    /// - Parameter readingConnections: of each replica, for statements outside of transactions; nil: as usual.
    init(people: Int = 6, readingConnections: Int? = nil) async throws {
        database = try await MigratedDatabase()
        superuser = try await Connection.open(database.superuser)
        for sql in Self.stops { try await superuser.execute(Statement(sql)) }
        try await addPeople(people)
        for _ in 0..<2 {
            replicas.append(try await ServiceReplica(on: database, readingConnections: readingConnections))
        }
    }

    // MARK: Requests

    /// Creates a group of u1 (owner), u2 (admin) and others, and returns its id and number.
    func group(members: Int = 4) async throws -> (id: String, number: Int64) {
        madeGroups += 1
        let digits = String(madeGroups)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        try await execute(
            """
            WITH made AS (
                INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at)
                VALUES ('\(id)', 2, 1, 1) RETURNING conversation
            )
            INSERT INTO conversations.members (conversation, account, role, joined_at, position)
            SELECT conversation, a, CASE a WHEN 1 THEN 3 WHEN 2 THEN 2 ELSE 1 END, 1, conversation
            FROM made, generate_series(1, \(members)) AS a
            """)
        let number = try await number(
            "SELECT conversation FROM conversations.conversations WHERE conversation_id = '\(id)'")
        return (id, number)
    }

    /// Creates a group with two messages: the second is a reply by u3 to the first that mentions u4 and has 👍 from u1.
    func conversation() async throws -> (id: String, number: Int64) {
        let group = try await group()
        try await send("root", to: group)
        try await send("before", to: group, from: 3, replyTo: 1, mentions: [4])
        #expect(await outcome(of: .react("👍", by: 1), on: 0, in: group.id) == "done")
        return group
    }

    /// Sends a message.
    /// - Returns: its seq.
    @discardableResult
    func send(
        _ text: String, to group: (id: String, number: Int64), from user: Int = 1, replyTo: Seq? = nil,
        mentions: [Int] = [], on replica: Int = 0
    ) async throws -> Int64 {
        try await replicas[replica].service.sends.add(
            message(text, to: group, from: user, replyTo: replyTo, mentions: mentions)
        ).seq
    }

    func message(
        _ text: String, to group: (id: String, number: Int64), from user: Int, replyTo: Seq? = nil,
        mentions: [Int] = []
    ) -> PendingMessage {
        madeMessages += 1
        var more = MessageContent.More()
        more.replyTo = replyTo
        more.mentions = mentions.map { (AccountNumber($0), "u\($0)") }
        let content = MessageContent(
            kind: .text, text: text, more: replyTo == nil && mentions.isEmpty ? nil : more)
        return PendingMessage(
            MessageDraft(
                conversation: ConversationID(group.id)!, sender: AccountNumber(user), senderID: "u\(user)",
                id: try! UUIDv7(messageID(madeMessages)), content: content, session: "",
                deadline: .now + .seconds(60)),
            to: ConversationNumber(group.number))
    }

    /// Runs an action and returns "done", the refusal's code, or "failed" with the error.
    func outcome(of action: MessageAction, on replica: Int, in group: String) async -> String {
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
    /// before the commit.
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
        + ["messages", "heads", "threads", "revisions", "reactions", "mentions", "inbox", "lanes"].map {
            stop("BEFORE", $0)
        } + [stop("AFTER", "journal")]

    private static func stop(_ moment: String, _ table: String) -> String {
        "CREATE TRIGGER stop_here \(moment) INSERT OR UPDATE OR DELETE ON messaging.\(table) "
            + "FOR EACH STATEMENT EXECUTE FUNCTION public.stop_here()"
    }

    /// Runs `first` on one replica up to its step `step`, begins `second` on the other, then lets both end.
    /// - Returns: the outcomes; nil when `first` has no such step.
    func interleave(
        _ first: MessageAction, stoppedAt step: Int, with second: MessageAction, in group: String
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
        let tries = try await tries(backends[1])
        let other = Running { await self.outcome(of: second, on: 1, in: group) }
        if hasStopped {
            try await eventually {
                if other.result != nil { return true }
                // A batch does not wait. It has tried and will try again.
                if second.isBatch { return try await self.tries(backends[1]) != tries }
                return try await self.waits(backends[1], advisory: false)
            }
            #expect(other.result == nil, "\(second) waits for \(first), at step \(step)")
        }
        try await execute("SELECT pg_advisory_unlock(\(Self.lock))")
        let outcomes = [await running.value() ?? "", await other.value() ?? ""]
        try await execute("DELETE FROM public.stops")
        return hasStopped ? outcomes : nil
    }

    /// Runs an action up to its step `step`, does `body`, then lets the action end.
    /// - Returns: the outcome; nil when the action has no such step.
    func run(
        _ action: MessageAction, stoppedAt step: Int, during body: @ReactorActor () async throws -> Void,
        in group: String
    ) async throws -> String? {
        let backend = try replicas[0].journal.lanes[0].current.connection.backend
        try await execute("INSERT INTO public.stops VALUES (\(backend), \(step))")
        try await execute("SELECT pg_advisory_lock(\(Self.lock))")
        let running = Running { await self.outcome(of: action, on: 0, in: group) }
        try await eventually {
            if running.result != nil { return true }
            return try await self.waits(backend, advisory: true)
        }
        let hasStopped = running.result == nil
        try await body()
        try await execute("SELECT pg_advisory_unlock(\(Self.lock))")
        let outcome = await running.value() ?? ""
        try await execute("DELETE FROM public.stops")
        return hasStopped ? outcome : nil
    }

    /// Takes somebody out of a group as the conversations service does, in one transaction.
    func leave(_ user: Int, _ group: (id: String, number: Int64)) async throws {
        try await execute(
            """
            WITH changed AS (
                UPDATE conversations.conversations
                SET members_version = members_version + 1
                WHERE conversation = \(group.number)
                RETURNING members_version
            )
            UPDATE conversations.members AS m
            SET may_read = false, write_refusal = 3, left_at = 1, left_version = c.members_version
            FROM changed AS c
            WHERE m.conversation = \(group.number) AND m.account = \(user)
            """)
    }

    private func waits(_ backend: Int32, advisory: Bool) async throws -> Bool {
        try await number(
            "SELECT count(*) FROM pg_locks WHERE pid = \(backend) AND NOT granted "
                + "AND (locktype = 'advisory') = \(advisory)") > 0
    }

    /// Returns when a currently idle session last ended a statement.
    private func tries(_ backend: Int32) async throws -> [String] {
        try await texts(
            "SELECT state_change::text FROM pg_stat_activity WHERE pid = \(backend) AND state = 'idle'")
    }

    // MARK: Invariants

    /// Returns a conversation as its members see it, and its published changes.
    func state(of group: Int64) async throws -> [String] {
        try await texts(
            """
            SELECT concat_ws(' ', 'head', h.seq, h.position) FROM messaging.heads AS h WHERE h.conversation = \(group)
            UNION ALL (
                SELECT concat_ws(' ', m.seq, m.position, m.text, m.mentions::text, m.reactions::text,
                    m.reaction_counts::text, m.edited_at IS NULL, m.deleted_at IS NULL, m.changed_at IS NULL)
                FROM messaging.messages AS m WHERE m.conversation = \(group) ORDER BY m.seq
            )
            UNION ALL (
                SELECT concat_ws(' ', 'was', r.seq, r.revision, r.text) FROM messaging.revisions AS r
                WHERE r.conversation = \(group) ORDER BY r.seq, r.revision
            )
            UNION ALL (
                SELECT concat_ws(' ', 'thread', t.seq, t.replies, t.last_seq, t.position) FROM messaging.threads AS t
                WHERE t.conversation = \(group) ORDER BY t.seq
            )
            UNION ALL (
                SELECT concat_ws(' ', 'reaction', r.seq, r.account, r.emoji) FROM messaging.reactions AS r
                WHERE r.conversation = \(group) ORDER BY r.seq, r.account, r.emoji
            )
            UNION ALL (
                SELECT concat_ws(' ', 'mention', n.account, n.seq) FROM messaging.mentions AS n
                WHERE n.conversation = \(group) ORDER BY n.account, n.seq
            )
            UNION ALL (
                SELECT concat_ws(' ', 'told', e.position, e.kind, e.object)
                FROM messaging.journal AS j
                CROSS JOIN LATERAL unnest(j.kinds, j.subjects, j.objects, j.positions) AS e (kind, subject, object, position)
                WHERE e.subject = \(group) AND e.kind IN (1, 2, 5) ORDER BY e.position
            )
            """)
    }

    /// Checks that counts match rows, and that positions are dense and published once each.
    func checkInvariants() async throws {
        let none = [
            "each position is published once": """
            SELECT count(*) FROM messaging.heads AS h WHERE ARRAY(
                SELECT e.position FROM messaging.journal AS j
                CROSS JOIN LATERAL unnest(j.kinds, j.subjects, j.positions) AS e (kind, subject, position)
                WHERE e.subject = h.conversation AND e.kind IN (1, 2, 5) ORDER BY e.position
            ) <> ARRAY(SELECT generate_series(1, h.position))
            """,
            "reaction counts match rows": """
            SELECT count(*) FROM messaging.messages AS m WHERE COALESCE((
                SELECT jsonb_object_agg(e, n) FROM unnest(m.reactions, m.reaction_counts) AS c (e, n)), '{}') <> COALESCE((
                SELECT jsonb_object_agg(r.emoji, r.n) FROM (
                    SELECT emoji, count(*) AS n FROM messaging.reactions
                    WHERE conversation = m.conversation AND seq = m.seq GROUP BY emoji) AS r), '{}')
            """,
            "mentions match rows": """
            SELECT count(*) FROM messaging.messages AS m WHERE COALESCE((
                SELECT array_agg(a ORDER BY a) FROM unnest(m.mentions) AS a), '{}') <> COALESCE((
                SELECT array_agg(account ORDER BY account) FROM messaging.mentions
                WHERE conversation = m.conversation AND seq = m.seq), '{}')
            """,
            "thread counts match replies": """
            SELECT count(*) FROM messaging.threads AS t WHERE t.replies <> (
                SELECT count(*) FROM messaging.messages AS m
                WHERE m.conversation = t.conversation AND m.thread_seq = t.seq AND m.deleted_at IS NULL)
            """,
            "deleted messages are empty": """
            SELECT count(*) FROM messaging.messages AS m WHERE m.deleted_at IS NOT NULL AND (
                m.text <> '' OR m.mentions IS NOT NULL OR m.reactions IS NOT NULL OR m.extra IS NOT NULL
                OR EXISTS (SELECT FROM messaging.revisions AS r WHERE r.conversation = m.conversation AND r.seq = m.seq))
            """,
            "no deadlock": "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
        ]
        for (rule, sql) in none { #expect(try await number(sql) == 0, "\(rule)") }
    }
}

/// An action on message 2 of a conversation.
enum MessageAction: Sendable, CustomStringConvertible {
    case edit(String, mentions: [Int] = [], by: Int)
    case delete(by: Int)
    case react(String, by: Int)
    case unreact(String, by: Int)

    var description: String {
        switch self {
        case .edit(let text, let mentions, let user): "u\(user) edits to \(text) with \(mentions)"
        case .delete(let user): "u\(user) deletes"
        case .react(let emoji, let user): "u\(user) adds \(emoji)"
        case .unreact(let emoji, let user): "u\(user) removes \(emoji)"
        }
    }

    /// Whether it skips locked conversations instead of waiting.
    var isBatch: Bool {
        switch self {
        case .edit, .delete: false
        case .react, .unreact: true
        }
    }

    @ReactorActor
    func run(_ service: MessagingService, _ group: String, _ scene: ActionScene) async throws {
        switch self {
        case .edit(let text, let mentions, let user):
            _ = try await service.editMessage(
                EditMessageRequest(conversation: group, seq: 2, text: text, mentions: mentions.map { "u\($0)" }),
                scene.call(user))
        case .delete(let user):
            _ = try await service.deleteMessage(DeleteMessageRequest(conversation: group, seq: 2), scene.call(user))
        case .react(let emoji, let user):
            _ = try await service.updateReaction(
                UpdateReactionRequest(conversation: group, seq: 2, emoji: emoji), scene.call(user))
        case .unreact(let emoji, let user):
            _ = try await service.updateReaction(
                UpdateReactionRequest(conversation: group, seq: 2, emoji: emoji, remove: true), scene.call(user))
        }
    }
}
