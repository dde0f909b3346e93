import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension RetentionSweep {
    /// Tells the devices of former members that messages which they may read were deleted, or disappear at other times
    /// (M14). No Update of the conversation's stream reaches them: their own stream has it, and they read the messages
    /// again. Several deletions within a sweep are told once.
    func doRenewals() async throws {
        var last: ConversationNumber = 0
        while !worker.isStopping, let conversation = try await database.first(RenewalStore.next, .number(last)) {
            last = conversation
            do {
                while !worker.isStopping, try await renew(conversation) {}
            } catch let error as DatabaseError where error.code == .lockNotAvailable {
                // Locked for too long: leave it to the next sweep.
            }
        }
    }

    /// Tells some of the former members of a conversation.
    /// - Returns: whether there are more.
    private func renew(_ conversation: ConversationNumber) async throws -> Bool {
        let now = clock.now
        return try await journal.change { [peopleAtOnce] change in
            _ = try await change.query(MessagingStore.lockHeads, .numbers([conversation]))
            let told = try await change.query(
                RenewalStore.renew, .number(conversation), .int64(Int64(peopleAtOnce)))
            let states = try await change.query(
                ReceiptsStore.statesNamed, .int64s(told.map(\.account.rawValue)),
                .int64s(told.map { _ in conversation.rawValue }), .numbers(told.map(\.position)), .number(now))
            for state in states {
                guard let body = state.state else { continue }
                let account = told[state.ordinal - 1].account
                change.publish(
                    PendingUpdate(
                        body, as: MessagingKind.inboxState, subject: account, object: conversation, owner: state.owner,
                        position: Position(body.ownPosition), audience: [account]))
            }
            guard let last = told.last, told.count == peopleAtOnce else {
                try await change.execute(RenewalStore.end, .number(conversation))
                return false
            }
            try await change.execute(RenewalStore.goOn, .number(conversation), .number(last.account))
            return true
        }
    }
}

/// The SQL that tells former members of deletions.
enum RenewalStore {
    /// $1 conversation. Returns the next one after it that has a job.
    static let next = Statement(
        """
        SELECT conversation
        FROM messaging.renewal_jobs
        WHERE conversation > $1
        ORDER BY conversation
        LIMIT 1
        """
    ) { row in try row.conversation(0) }

    /// $1 conversation, whose head is locked, $2 limit. Gives the rows of former members who may read one of the job's
    /// messages the next positions of their streams, which stay locked. Returns them in order of account.
    static let renew = Statement(
        """
        WITH former AS MATERIALIZED (
            SELECT a.account
            FROM messaging.renewal_jobs AS j
            JOIN conversations.access AS a ON a.conversation = j.conversation
            CROSS JOIN LATERAL messaging.window(a.account, $1) AS w
            CROSS JOIN LATERAL \(oneRow(
                "account", from: "messaging.inbox", where: "account = a.account", by: "conversation", is: "$1"
            )) AS i
            WHERE j.conversation = $1
                AND a.account >= j.next_account
                AND a.left_version IS NOT NULL
                AND w.is_shown
                AND w.first_seq <= j.last_seq
                AND w.last_seq >= j.first_seq
                AND NOT EXISTS (SELECT FROM conversations.erased AS e WHERE e.account = a.account)
            ORDER BY a.account
            LIMIT $2
        ),
        moved AS (
            INSERT INTO messaging.person_heads AS h (account, position)
            SELECT l.account, 1
            FROM (
                SELECT account, pg_advisory_xact_lock(\(AdvisoryLock.personHead.rawValue), hashint8(account))
                FROM former
                ORDER BY account
                OFFSET 0
            ) AS l
            ON CONFLICT (account) DO UPDATE
            SET position = h.position + 1
            RETURNING account, position
        ),
        renewed AS (
            UPDATE messaging.inbox AS i
            SET position = m.position,
                renewed_position = m.position,
                touched_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            FROM moved AS m
            WHERE i.account = m.account
                AND i.conversation = $1
        )
        SELECT account, position
        FROM moved
        ORDER BY account
        """
    ) { row in (account: try row.account(0), position: try row.position(1)) }

    /// $1 conversation, $2 the last account that was told.
    static let goOn = Statement<Void>(
        """
        UPDATE messaging.renewal_jobs
        SET next_account = $2 + 1
        WHERE conversation = $1
        """)

    /// $1 conversation. Deletes its finished job.
    static let end = Statement<Void>(
        """
        DELETE FROM messaging.renewal_jobs
        WHERE conversation = $1
        """)
}
