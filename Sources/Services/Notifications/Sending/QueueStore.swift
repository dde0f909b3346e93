import Postgres
import Schema
import ServiceKit

/// Something that a person is told on each of their devices. Pure.
struct QueuedNotice: Sendable, Equatable {
    static let noEntity = [UInt8](repeating: 0, count: 16)

    var account: AccountNumber
    var kind: NoticeKind
    /// What it is about: with a device, it gives the id of the notice.
    var about: String
    var conversation: ConversationNumber = 0
    var seq: Seq = 0
    var entity = QueuedNotice.noEntity
    var madeAt: Timestamp
    var expiresAt: Timestamp
}

/// Of what a person was told.
struct Told: Hashable, Sendable, Comparable {
    var account: AccountNumber
    var about: String

    static func < (one: Told, other: Told) -> Bool { (one.account, one.about) < (other.account, other.about) }
}

/// A row of the queue, with the device that it is for.
struct DueNotice: Sendable {
    var account: AccountNumber
    var device: String
    var notice: [UInt8]
    var kind: NoticeKind
    var about: String
    var conversation: ConversationNumber
    var seq: Seq
    var entity: [UInt8]
    var madeAt: Timestamp
    var expiresAt: Timestamp
    var tries: Int
    /// Nil: the device is no longer registered or signed in.
    var target: Target?

    /// Whether it tells of an edit of a message: "m/CONVERSATION/SEQ/eTIME".
    var isOfEdit: Bool { kind == .message && about.contains("/e") }

    struct Target: Sendable {
        var transport: Int16
        var token: String
        var app: String
        var contentKey: [UInt8]?
        var authSecret: [UInt8]?
    }
}

struct DevicePlace: Hashable, Sendable {
    var account: AccountNumber
    var device: String
}

/// What is known of the number on a device's icon.
struct DeviceIcon: Sendable {
    var badge: Int
    /// Something is being sent that may change it.
    var isChanging: Bool
}

/// What became of a row of the queue.
struct NoticeResult: Sendable {
    var account: AccountNumber
    var device: String
    var notice: [UInt8]
    /// How long it waits before it is tried again; zero: it is done.
    var wait: Duration
    /// A word for the device's last result; empty: nothing was sent.
    var result: String
    /// The number on the icon now; negative: as before.
    var badge: Int32
    /// For how long no push is sent that only changes the number; zero: as before.
    var quiet: Duration

    /// Nothing was sent, and it is tried again.
    static func again(_ due: DueNotice, after wait: Duration) -> NoticeResult {
        NoticeResult(
            account: due.account, device: due.device, notice: due.notice, wait: wait, result: "", badge: -1,
            quiet: .zero)
    }
}

/// A row of the queue that is no longer under way, until that is stored.
struct EndedNotice: Sendable {
    var due: DueNotice
    var result: NoticeResult
    /// Whether the device's token is dead.
    var isDead: Bool
}

/// When something is due is by the clock of the database: those of replicas may differ.
enum QueueStore {
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// $1 accounts, $2 kinds, $3 abouts, $4 conversations, $5 seqs, $6 entities, $7 times, $8 expiries, $9 the
    /// transports that have keys.
    static let add = Statement<Void>(
        """
        INSERT INTO notifications.queue
            (account, device, notice, kind, about, conversation, seq, entity, made_at, due_at, expires_at)
        SELECT t.account, d.device, md5(t.account || '/' || d.device || '/' || t.about)::uuid, t.kind, t.about,
            t.conversation, t.seq, t.entity, t.made_at, \(now), t.expires_at
        FROM unnest(
            $1::bigint[], $2::smallint[], $3::text[], $4::bigint[], $5::bigint[], $6::uuid[], $7::bigint[], $8::bigint[]
        ) AS t (account, kind, about, conversation, seq, entity, made_at, expires_at)
        JOIN notifications.devices AS d ON d.account = t.account AND d.transport = ANY ($9::smallint[])
        ORDER BY t.account, d.device
        ON CONFLICT DO NOTHING
        """)

    /// $1 account, $2 device, $3 about, $4 when it was made, $5 expiry.
    static let addTest = Statement<Void>(
        """
        INSERT INTO notifications.queue
            (account, device, notice, kind, about, conversation, seq, entity, made_at, due_at, expires_at)
        SELECT account, device, md5(account || '/' || device || '/' || $3::text)::uuid, \(NoticeKind.test.rawValue),
            $3::text, 0, 0, '00000000-0000-0000-0000-000000000000'::uuid, $4::bigint, \(now), $5::bigint
        FROM notifications.devices
        WHERE account = $1
            AND device = $2
        """)

    /// $1 accounts, $2 conversations beside them, $3 now, $4 expiry, $5 the transports that have keys: for the devices
    /// whose icons have a number, or will, one for each time that a device may get one. The last conversation counts.
    static let addBadges = Statement<Void>(
        """
        INSERT INTO notifications.queue AS q
            (account, device, notice, kind, about, conversation, seq, entity, made_at, due_at, expires_at)
        SELECT DISTINCT ON (d.account, d.device) d.account, d.device,
            md5(d.account || '/' || d.device || '/b/' || GREATEST(\(now), d.quiet_until) / 1000000)::uuid,
            \(NoticeKind.badge.rawValue), 'b', t.conversation, COALESCE(s.read_seq, 0),
            '00000000-0000-0000-0000-000000000000'::uuid, $3::bigint, GREATEST(\(now), d.quiet_until), $4::bigint
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS t (account, conversation, ordinal)
        JOIN notifications.devices AS d
            ON d.account = t.account AND d.transport = ANY ($5::smallint[]) AND (
                d.badge > 0
                OR EXISTS (
                    SELECT
                    FROM notifications.queue AS w
                    WHERE w.account = d.account
                        AND w.device = d.device
                        AND w.kind <> \(NoticeKind.badge.rawValue)))
        LEFT JOIN LATERAL \(oneRow(
            "read_seq", from: "messaging.standings", where: "conversation = t.conversation", by: "account",
            is: "t.account"
        )) AS s ON true
        ORDER BY d.account, d.device, t.ordinal DESC
        ON CONFLICT (account, device, notice) DO UPDATE
        SET conversation = excluded.conversation, seq = excluded.seq
        """)

    /// $1 accounts, $2 abouts, $3 now. Returns those that are new.
    static let noteTold = Statement(
        """
        INSERT INTO notifications.told AS t (account, about, at)
        SELECT g.account, g.about, $3::bigint
        FROM unnest($1::bigint[], $2::text[]) AS g (account, about)
        ON CONFLICT DO NOTHING
        RETURNING t.account, t.about
        """
    ) { row in Told(account: try row.account(0), about: try row.text(1)) }

    /// $1 accounts, $2 abouts: those of which the people were told.
    static let toldAmong = Statement(
        """
        SELECT t.account, t.about
        FROM unnest($1::bigint[], $2::text[]) AS g (account, about)
        JOIN notifications.told AS t ON t.account = g.account AND t.about = g.about
        """
    ) { row in Told(account: try row.account(0), about: try row.text(1)) }

    /// $1 conversations, $2 seqs, $3 accounts, $4 not before: the last reaction of each other person to messages of the
    /// accounts, unless they block whoever reacted, or the conversation is muted or of another section than the inbox.
    static let reactions = Statement(
        """
        SELECT g.conversation, g.seq, g.account, r.account, r.at
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS g (conversation, seq, account)
        CROSS JOIN LATERAL (
            SELECT x.sender
            FROM messaging.readable AS x
            WHERE x.conversation = g.conversation
                AND x.account BETWEEN g.account AND g.account
                AND x.seq BETWEEN g.seq AND g.seq
            LIMIT 1
        ) AS m
        CROSS JOIN LATERAL \(oneRow(
            "section, muted_until", from: "messaging.standings", where: "conversation = g.conversation", by: "account",
            is: "g.account"
        )) AS s
        CROSS JOIN LATERAL (
            SELECT x.account, max(x.at) AS at
            FROM messaging.reacted AS x
            WHERE x.conversation = g.conversation
                AND x.seq = g.seq
                AND x.account <> g.account
                AND x.at > $4
            GROUP BY x.account
            ORDER BY max(x.at) DESC
            LIMIT 20
        ) AS r
        WHERE m.sender = g.account
            AND s.section = \(ConversationSection.inbox.rawValue)
            AND s.muted_until <= $4
            AND NOT EXISTS (
                SELECT
                FROM conversations.blocked AS b
                WHERE b.account = g.account
                    AND b.blocked = r.account
            )
        """
    ) { row in
        (
            person: MessagePerson(
                key: MessageKey(conversation: try row.conversation(0), seq: try row.seq(1)), account: try row.account(2)
            ),
            by: try row.account(3), at: try row.time(4)
        )
    }

    /// $1 accounts, $2 the most rows of a device: drops the oldest beyond.
    static let trim = Statement<Void>(
        """
        DELETE FROM notifications.queue AS q
        USING (
            SELECT account, device, notice,
                row_number() OVER (PARTITION BY account, device ORDER BY made_at DESC, notice) AS place
            FROM notifications.queue
            WHERE account = ANY ($1)
        ) AS o
        WHERE q.account = o.account
            AND q.device = o.device
            AND q.notice = o.notice
            AND o.place > $2
        """)

    /// In how many microseconds the next one is due.
    static let next = Statement(
        """
        SELECT (
            SELECT due_at
            FROM notifications.queue
            ORDER BY due_at
            LIMIT 1
        ) - \(now)
        """
    ) { row in try row.optionalInt64(0) }

    /// How many wait, as far as they are counted.
    static let count = Statement(
        """
        SELECT count(*)
        FROM (
            SELECT
            FROM notifications.queue
            ORDER BY due_at
            LIMIT 100000
        ) AS q
        """
    ) { row in try row.int64(0) }

    /// Takes what is due, in order of time. Others get it when the lease is over. $1 limit, $2 the lease in µs, $3 who
    /// takes it.
    static let take = Statement(
        """
        WITH due AS (
            SELECT account, device, notice
            FROM notifications.queue
            WHERE due_at <= \(now)
            ORDER BY due_at, account, device
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        UPDATE notifications.queue AS q
        SET due_at = \(now) + $2, tries = least(q.tries + 1, 1000), taken_by = $3
        FROM due AS o
        LEFT JOIN LATERAL (
            SELECT d.transport, d.token, d.app, d.content_key, d.auth_secret
            FROM notifications.devices AS d
            WHERE d.account = o.account
                AND d.device = o.device
                AND EXISTS (
                    SELECT
                    FROM conversations.signed_in AS s
                    WHERE s.account = o.account
                        AND s.device_id BETWEEN o.device AND o.device
                )
        ) AS d ON true
        WHERE q.account = o.account
            AND q.device = o.device
            AND q.notice = o.notice
        RETURNING q.account, q.device, q.notice, q.kind, q.about, q.conversation, q.seq, q.entity, q.made_at,
            q.expires_at, q.tries, d.transport, d.token, d.app, d.content_key, d.auth_secret
        """
    ) { row in
        var due = DueNotice(
            account: try row.account(0), device: try row.text(1), notice: try row.uuid(2),
            kind: NoticeKind(rawValue: try row.int16(3)) ?? .test, about: try row.text(4),
            conversation: try row.conversation(5), seq: try row.seq(6), entity: try row.uuid(7),
            madeAt: try row.time(8), expiresAt: try row.time(9), tries: Int(try row.int16(10)))
        if !row.isNull(11) {
            due.target = DueNotice.Target(
                transport: try row.int16(11), token: try row.text(12), app: try row.text(13),
                contentKey: try row.optionalBytes(14), authSecret: try row.optionalBytes(15))
        }
        return due
    }

    /// $1 accounts, $2 devices beside them: the numbers on their icons, and whether something is being sent to them
    /// that may change it.
    static let icons = Statement(
        """
        SELECT d.account, d.device, d.badge, EXISTS (
                SELECT
                FROM notifications.queue AS q
                WHERE q.account = d.account
                    AND q.device = d.device
                    AND q.kind <> \(NoticeKind.badge.rawValue)
                    AND q.taken_by <> ''
            )
        FROM (
            SELECT DISTINCT account, device
            FROM unnest($1::bigint[], $2::text[]) AS t (account, device)
        ) AS g
        JOIN notifications.devices AS d ON d.account = g.account AND d.device = g.device
        """
    ) { row in
        (
            place: DevicePlace(account: try row.account(0), device: try row.text(1)),
            icon: DeviceIcon(badge: Int(try row.int32(2)), isChanging: try row.bool(3))
        )
    }

    /// $1 accounts, $2 devices, $3 notices, $4 abouts, $5 conversations, $6 seqs: those of the notices beside which an
    /// earlier one of the same message is being sent to the device. What a message is about begins what its edits and
    /// its withdrawal are about, and edits end with their times.
    static let beingShown = Statement(
        """
        SELECT g.notice
        FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[])
            AS g (account, device, notice, about, conversation, seq)
        WHERE EXISTS (
                SELECT
                FROM notifications.queue AS q
                WHERE q.account = g.account
                    AND q.device = g.device
                    AND q.kind = \(NoticeKind.message.rawValue)
                    AND q.conversation = g.conversation
                    AND q.seq = g.seq
                    AND q.about < g.about COLLATE "C"
                    AND q.taken_by <> ''
            )
        """
    ) { row in try row.uuid(0) }

    /// $1 who took, $2 the lease in µs: what they took is due.
    static let release = Statement<Void>(
        """
        UPDATE notifications.queue
        SET due_at = \(now), taken_by = ''
        WHERE due_at > \(now)
            AND due_at <= \(now) + $2
            AND taken_by = $1
        """)

    /// $1 accounts, $2 devices, $3 notices, $4 for how many µs they wait or 0, $5 results, $6 badges, $7 for how
    /// many µs the device gets no badge.
    static let finish = Statement<Void>(
        """
        WITH done AS (
            SELECT account, device, notice, wait, result, badge, quiet, ordinal
            FROM unnest(
                $1::bigint[], $2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::integer[], $7::bigint[]
            ) WITH ORDINALITY AS g (account, device, notice, wait, result, badge, quiet, ordinal)
        ),
        ended AS (
            DELETE FROM notifications.queue AS q
            USING done AS g
            WHERE g.wait = 0
                AND q.account = g.account
                AND q.device = g.device
                AND q.notice = g.notice
        ),
        again AS (
            UPDATE notifications.queue AS q
            SET due_at = \(now) + g.wait, taken_by = ''
            FROM done AS g
            WHERE g.wait > 0
                AND q.account = g.account
                AND q.device = g.device
                AND q.notice = g.notice
        )
        UPDATE notifications.devices AS d
        SET last_sent_at = \(now), last_result = g.result,
            badge = CASE WHEN g.badge < 0 THEN d.badge ELSE g.badge END,
            quiet_until = CASE WHEN g.quiet = 0 THEN d.quiet_until ELSE \(now) + g.quiet END
        FROM (
            SELECT DISTINCT ON (account, device) account, device, result, quiet, badge
            FROM done
            WHERE result <> ''
            ORDER BY account, device, ordinal DESC
        ) AS g
        WHERE d.account = g.account
            AND d.device = g.device
        """)

    /// $1 accounts, $2 devices, $3 tokens: forgets devices that still have these dead tokens.
    static let dead = Statement(
        """
        SELECT d.account, d.device
        FROM unnest($1::bigint[], $2::text[], $3::text[]) AS g (account, device, token)
        JOIN notifications.devices AS d ON d.account = g.account AND d.device = g.device AND d.token = g.token
        """
    ) { row in (account: try row.account(0), device: try row.text(1)) }

    /// $1 accounts, $2 now.
    static let badges = Statement(
        """
        SELECT g.account, b.badge
        FROM unnest($1::bigint[]) AS g (account)
        CROSS JOIN LATERAL messaging.badge_of(g.account, $2) AS b
        """
    ) { row in (account: try row.account(0), badge: Int(clamping: try row.int64(1))) }

    /// $1 accounts: what they want, and whether they do not want to be disturbed.
    static let people = Statement(
        """
        SELECT p.account, EXISTS (
                SELECT
                FROM presence.undisturbed AS u
                WHERE u.account = p.account
            ), \(SettingsStore.columns)
        FROM notifications.people AS p
        WHERE p.account = ANY ($1)
        """
    ) { row in
        (account: try row.account(0), saysDoNotDisturb: try row.bool(1), wishes: try Wishes(row, from: 2))
    }

    /// Forgets what is of no use any more. $1 limit.
    static let expire = Statement<Void>(
        """
        WITH old AS (
            SELECT account, device, notice
            FROM notifications.queue
            WHERE expires_at <= \(now)
            ORDER BY expires_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        DELETE FROM notifications.queue AS q
        USING old AS o
        WHERE q.account = o.account
            AND q.device = o.device
            AND q.notice = o.notice
        """)

    /// Forgets of what people were told before a time. $1 before, $2 limit.
    static let forgetTold = Statement<Void>(
        """
        WITH old AS (
            SELECT account, about
            FROM notifications.told
            WHERE at < $1
            ORDER BY at
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        )
        DELETE FROM notifications.told AS t
        USING old AS o
        WHERE t.account = o.account
            AND t.about = o.about
        """)

    /// $1 account, $2 the most rows to delete.
    static let erase = erasing("notifications.queue")
    static let eraseTold = erasing("notifications.told")
}
