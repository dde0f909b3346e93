import Postgres
import Schema
import ServiceKit

/// The SQL of suggestions. Who changes a person's suggestions holds the head of their stream.
enum SuggestionsStore {
    // MARK: States

    private static let columns = """
        s.id, s.kind, s.state, s.entity, s.created_at, s.expires_at, s.position, c.conversation_id, s.source_message,
        s.seq, s.title, s.location, s.time_zone, s.due_civil, s.due_at, s.first_day, s.at_second, s.minutes
        """

    private static let joins = "LEFT JOIN conversations.conversation_ids AS c ON c.conversation = s.conversation"

    private static func suggestion(_ row: borrowing RowReader, from column: Int = 0) throws -> Suggestion {
        let state = SuggestionState(rawValue: Int32(try row.int16(column + 2)))
        var suggestion = Suggestion(
            id: try row.uuid(column), kind: SuggestionKind(rawValue: Int32(try row.int16(column + 1))), state: state,
            entity: try row.optionalUUID(column + 3) ?? [], createdAtUs: try row.int64(column + 4),
            expiresAtUs: try row.int64(column + 5), position: try row.int64(column + 6))
        guard state == .open else { return suggestion }
        suggestion.conversation = try row.optionalText(column + 7) ?? ""
        suggestion.sourceMessage = try row.optionalUUID(column + 8) ?? []
        suggestion.sourceSeq = try row.optionalInt64(column + 9) ?? 0
        suggestion.title = try row.text(column + 10)
        suggestion.location = try row.text(column + 11)
        let content = try content(row, kind: suggestion.kind, from: column + 10, expiresAt: 0)
        suggestion.when = content.schedule?.when
        if let due = content.due {
            (suggestion.dueAtUs, suggestion.dueLocal) = (due.instant.rawValue, due.civil.text)
            suggestion.timeZone = content.zone
        }
        return suggestion
    }

    /// - Parameter column: that of the title.
    private static func content(
        _ row: borrowing RowReader, kind: SuggestionKind, from column: Int, expiresAt: Timestamp
    ) throws -> SuggestedContent {
        let zone = try row.text(column + 2)
        var due: ZonedTime?
        if let civil = try row.optionalInt64(column + 3), let instant = try row.optionalInt64(column + 4) {
            due = ZonedTime(
                instant: Timestamp(instant), civil: CivilTime(civil), offset: (civil - instant) / 1_000_000)
        }
        var schedule: EventSchedule?
        if let day = try row.optionalInt32(column + 5) {
            let seconds = try row.optionalInt32(column + 6).map(Int.init)
            schedule = EventSchedule(
                day: Int(day), seconds: seconds, zone: seconds == nil ? "" : zone,
                minutes: Int(try row.optionalInt32(column + 7) ?? 0))
        }
        return SuggestedContent(
            kind: kind, title: try row.text(column), location: try row.text(column + 1), schedule: schedule, due: due,
            zone: zone, expiresAt: expiresAt)
    }

    /// Stores the positions that streams have reached, $3 accounts, $4 positions, whose heads the caller holds. Returns
    /// suggestions, $1 accounts, $2 ids, in any state and in order of position.
    static let published = Statement(
        """
        WITH moved AS (
            UPDATE entities.heads AS h
            SET position = g.position
            FROM unnest($3::bigint[], $4::bigint[]) AS g (account, position)
            WHERE h.account = g.account
        )
        SELECT s.account, u.user_id, \(columns)
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "entities.suggestions", where: "account = g.account", by: "id", is: "g.id"
        )) AS s
        JOIN conversations.account_ids AS u ON u.account = s.account
        \(joins)
        ORDER BY s.account, s.position
        """
    ) { row in (account: try row.account(0), user: try row.text(1), suggestion: try suggestion(row, from: 2)) }

    /// $1 account, $2 id: one of a person's suggestions, in any state, unless it has expired at $3.
    static let suggestion = Statement(
        """
        SELECT \(columns)
        FROM \(oneRow("*", from: "entities.suggestions", where: "account = $1", by: "id", is: "$2")) AS s
        \(joins)
        WHERE s.expires_at > $3
        """
    ) { row in try suggestion(row) }

    /// ``suggestion``, and how its owner stands in the conversation of its message; nil: it is not known, or they do
    /// not see it.
    static let toAccept = Statement(
        """
        SELECT \(columns), s.conversation, COALESCE(a.is_reader, false), a.refusal, a.is_pending
        FROM \(oneRow("*", from: "entities.suggestions", where: "account = $1", by: "id", is: "$2")) AS s
        \(joins)
        LEFT JOIN LATERAL \(oneRow(
            "is_reader, refusal, is_pending", from: "conversations.access", where: "conversation = s.conversation",
            by: "account", is: "$1"
        )) AS a ON true
        WHERE s.expires_at > $3
        """
    ) { row in
        let standing =
            try row.bool(19)
            ? ConversationStanding(
                conversation: try row.conversation(18), refusal: try row.text(20), isPending: try row.bool(21)) : nil
        return (suggestion: try suggestion(row), standing: standing)
    }

    /// Whether the person may read the message of suggestion s.
    private static let isReadable = """
        EXISTS (
            SELECT
            FROM messaging.readable AS m
            WHERE m.conversation = s.conversation
                AND m.account BETWEEN s.account AND s.account
                AND m.seq BETWEEN s.seq AND s.seq
        )
        """

    /// A page of an account's open suggestions, newest first. $1 account, $2 before (time, id) with $3, $4 now, $5
    /// conversation (null: all), $6 limit. Returns all that were examined, each with whether it is wanted.
    static let open = Statement(
        """
        SELECT \(columns), ($5::bigint IS NULL OR s.conversation = $5) AND s.expires_at > $4 AND \(isReadable)
        FROM (
            SELECT *
            FROM entities.suggestions
            WHERE account = $1
                AND state = \(SuggestionState.open.rawValue)
                AND (created_at, id) < ($2, $3)
            ORDER BY created_at DESC, id DESC
            LIMIT $6
        ) AS s
        \(joins)
        ORDER BY s.created_at DESC, s.id DESC
        """
    ) { row in (suggestion: try suggestion(row), isWanted: try row.bool(18)) }

    /// Suggestions changed since a position, in order of position. $1 account, $2 position, $3 limit. A client that
    /// begins needs only open ones.
    static let changed = Statement(
        """
        SELECT \(columns)
        FROM entities.suggestions AS s
        \(joins)
        WHERE s.account = $1
            AND s.position > $2
            AND (s.state = \(SuggestionState.open.rawValue) OR $2 > 0)
        ORDER BY s.position
        LIMIT $3
        """
    ) { row in try suggestion(row) }

    /// Returns the suggestions whose last change is still the one in the journal.
    static let current = EntitiesStore.current("entities.suggestions", as: "s", columns: columns, joins: joins) {
        row, column in try suggestion(row, from: column)
    }

    // MARK: Changes

    private static let knownColumns = """
        s.account, s.id, s.kind, s.ordinal, s.state, s.conversation, s.seq, s.source_message, s.entity, s.expires_at,
        s.title, s.location, s.time_zone, s.due_civil, s.due_at, s.first_day, s.at_second, s.minutes
        """

    private static func known(_ row: borrowing RowReader) throws -> KnownSuggestion {
        let kind = SuggestionKind(rawValue: Int32(try row.int16(2)))
        return KnownSuggestion(
            account: try row.account(0), id: try row.uuid(1),
            place: SuggestedPlace(kind: kind, ordinal: try row.int16(3)),
            state: SuggestionState(rawValue: Int32(try row.int16(4))),
            conversation: try row.optionalInt64(5).map { ConversationNumber($0) }, seq: try row.optionalSeq(6),
            message: try row.optionalUUID(7), entity: try row.optionalUUID(8),
            content: try content(row, kind: kind, from: 10, expiresAt: try row.time(9)))
    }

    /// $1 account, $2 id: a suggestion that has not expired at $3 and, if it is open, whose message the person may
    /// read.
    static let stored = Statement(
        """
        SELECT \(knownColumns)
        FROM \(oneRow("*", from: "entities.suggestions", where: "account = $1", by: "id", is: "$2")) AS s
        WHERE s.expires_at > $3
            AND (s.state <> \(SuggestionState.open.rawValue) OR \(isReadable))
        """
    ) { row in try known(row) }

    /// $1 conversations, $2 seqs: the suggestions of messages, in any state.
    static let ofMessages = Statement(
        """
        SELECT \(knownColumns)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (conversation, seq)
        JOIN entities.suggestions AS s ON s.conversation = g.conversation AND s.seq = g.seq
        """
    ) { row in try known(row) }

    /// $1 accounts, $2 conversations (null: all): people's open suggestions of conversations. With $3 only those whose
    /// message the person may no longer read.
    static let openOf = Statement(
        """
        SELECT \(knownColumns)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (account, conversation)
        JOIN entities.suggestions AS s ON s.account = g.account AND s.state = \(SuggestionState.open.rawValue)
        WHERE (g.conversation IS NULL OR s.conversation = g.conversation)
            AND NOT ($3 AND \(isReadable))
        """
    ) { row in try known(row) }

    /// $1 accounts, $2 people whom each blocks: the open suggestions of these people's messages. None once the block
    /// has ended.
    static let openOfBlocked = Statement(
        """
        SELECT \(knownColumns)
        FROM unnest($1::bigint[], $2::bigint[]) AS g (account, blocked)
        JOIN entities.suggestions AS s ON s.account = g.account AND s.state = \(SuggestionState.open.rawValue)
        WHERE s.sender = g.blocked
            AND \(blocks("g.account", "g.blocked"))
        """
    ) { row in try known(row) }

    /// $1 accounts, $2 ids: those among these suggestions that are open. The caller holds the heads of the accounts.
    static let openAmong = Statement(
        """
        SELECT s.account, s.id
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        JOIN entities.suggestions AS s ON s.account = g.account AND s.id = g.id
        WHERE s.state = \(SuggestionState.open.rawValue)
        """
    ) { row in (account: try row.account(0), id: try row.uuid(1)) }

    /// Suggestion s: an open one of the event of a message. $1 conversation, $2 seq.
    private static let isOfEvent = """
        s.conversation = $1
            AND s.seq = $2
            AND s.kind = \(SuggestionKind.event.rawValue)
            AND s.state = \(SuggestionState.open.rawValue)
        """

    /// Locks the heads of all to whom the event of a message is suggested, and of account $3, in order, until the end
    /// of the transaction.
    static let lockHeadsOfEvent = Statement(
        """
        INSERT INTO entities.heads AS h (account, position)
        SELECT account, 0
        FROM (
            SELECT s.account
            FROM entities.suggestions AS s
            WHERE \(isOfEvent)
            UNION
            SELECT $3::bigint
        ) AS x
        ORDER BY account
        ON CONFLICT (account) DO UPDATE
        SET position = h.position
        RETURNING account, position
        """
    ) { row in (account: try row.account(0), position: try row.position(1)) }

    /// The open suggestions of the event of a message; of account $3 only one that has not expired at $4 and whose
    /// message the person may read.
    static let openOfEvent = Statement(
        """
        SELECT \(knownColumns)
        FROM entities.suggestions AS s
        WHERE \(isOfEvent)
            AND (s.account <> $3 OR s.expires_at > $4 AND \(isReadable))
        ORDER BY s.account
        """
    ) { row in try known(row) }

    /// $1 accounts: how many open suggestions they have; those without any are left out.
    static let openCounts = Statement(
        """
        SELECT account, count(*)
        FROM entities.suggestions
        WHERE account = ANY ($1)
            AND state = \(SuggestionState.open.rawValue)
        GROUP BY account
        """
    ) { row in (account: try row.account(0), count: Int(try row.int64(1))) }

    /// Which suggestions give way when a message makes further ones (``places(_:)``). $1 accounts, $2 ids of the new
    /// ones, $3 sender of the message, $4 now, $5 how many open ones a person has at most. Returns new ones too.
    static let crowdedOut = Statement(
        """
        SELECT s.list, s.id
        FROM (
            \(places(
                """
                SELECT account AS list, NULLIF(sender, account) AS source, created_at AS at, id
                FROM entities.suggestions
                WHERE account = ANY ($1)
                    AND state = \(SuggestionState.open.rawValue)
                UNION ALL
                SELECT n.account, NULLIF($3, n.account), $4, n.id
                FROM unnest($1::bigint[], $2::uuid[]) AS n (account, id)
                """))
        ) AS s
        WHERE s.place > $5
        """
    ) { row in (account: try row.account(0), id: try row.uuid(1)) }

    /// $1 accounts, $2 ids: these suggestions.
    static let named = Statement(
        """
        SELECT \(knownColumns)
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "entities.suggestions", where: "account = g.account", by: "id", is: "g.id"
        )) AS s
        """
    ) { row in try known(row) }

    /// Adds the suggestions of a message, and changes the open ones among them. $1 accounts, $2 ids, $3 kinds, $4
    /// ordinals, $5 titles, $6 locations, $7 days, $8 seconds of the day, $9 minutes, $10 due on the wall, $11 due at,
    /// $12 zones, $13 expire at, $14 positions; of all: $15 conversation, $16 seq, $17 message, $18 now, $19 the event
    /// that was made of it (null: none), $20 its sender.
    static let put = Statement<Void>(
        """
        INSERT INTO entities.suggestions AS s
            (account, id, kind, ordinal, title, location, first_day, at_second, minutes, due_civil, due_at, time_zone,
            expires_at, position, state, conversation, seq, source_message, created_at, entity, sender)
        SELECT g.*, \(SuggestionState.open.rawValue), $15, $16, $17, $18,
            CASE WHEN g.kind = \(SuggestionKind.event.rawValue) THEN $19::uuid END, $20
        FROM unnest($1::bigint[], $2::uuid[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::integer[],
            $8::integer[], $9::integer[], $10::bigint[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[])
            AS g (account, id, kind, ordinal, title, location, first_day, at_second, minutes, due_civil, due_at,
                time_zone, expires_at, position)
        ON CONFLICT (account, id) DO UPDATE
        SET title = excluded.title,
            location = excluded.location,
            first_day = excluded.first_day,
            at_second = excluded.at_second,
            minutes = excluded.minutes,
            due_civil = excluded.due_civil,
            due_at = excluded.due_at,
            time_zone = excluded.time_zone,
            expires_at = excluded.expires_at,
            position = excluded.position
        """)

    /// Ends open suggestions. $1 accounts, $2 ids, $3 positions, $4 state, $5 what accepting them made. A message that
    /// no longer matters is forgotten.
    static let close = Statement<Void>(
        """
        UPDATE entities.suggestions AS s
        SET state = $4,
            entity = $5::uuid,
            conversation = CASE WHEN $4 <> 4 THEN s.conversation END,
            seq = CASE WHEN $4 <> 4 THEN s.seq END,
            sender = CASE WHEN $4 <> 4 THEN s.sender END,
            source_message = NULL,
            title = '',
            location = '',
            first_day = NULL,
            at_second = NULL,
            minutes = NULL,
            due_civil = NULL,
            due_at = NULL,
            position = g.position
        FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS g (account, id, position)
        WHERE s.account = g.account
            AND s.id = g.id
        """)

    /// Forgets the messages of suggestions that are not open. $1 accounts, $2 ids.
    static let forget = Statement<Void>(
        """
        UPDATE entities.suggestions AS s
        SET conversation = NULL,
            seq = NULL,
            sender = NULL
        FROM unnest($1::bigint[], $2::uuid[]) AS g (account, id)
        WHERE s.account = g.account
            AND s.id = g.id
        """)

    /// Says which event was made of a message. $1 accounts, $2 ids, $3 positions, $4 the event.
    static let point = Statement<Void>(
        """
        UPDATE entities.suggestions AS s
        SET entity = $4::uuid,
            position = g.position
        FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS g (account, id, position)
        WHERE s.account = g.account
            AND s.id = g.id
        """)

    /// Takes the place of the one event of a message, or waits for the transaction that takes it. $1 conversation, $2
    /// seq, $3 event. Returns the event that has the place.
    static let claimEvent = Statement(
        """
        INSERT INTO entities.message_events AS e (conversation, seq, event)
        VALUES ($1, $2, $3)
        ON CONFLICT (conversation, seq) DO UPDATE
        SET event = e.event
        RETURNING event
        """
    ) { row in try row.uuid(0) }

    /// Gives the place of an event that is gone to another one. $1 conversation, $2 seq, $3 event.
    static let replaceEvent = Statement<Void>(
        """
        UPDATE entities.message_events
        SET event = $3
        WHERE conversation = $1
            AND seq = $2
        """)

    /// $1 conversation, $2 seq: the event that was made of a message.
    static let eventOfMessage = Statement(
        oneRow("event", from: "entities.message_events", where: "conversation = $1", by: "seq", is: "$2")
    ) { row in try row.uuid(0) }

    // MARK: What expires

    static let nextExpiry = Statement<Int64?>(
        """
        SELECT min(expires_at) - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        FROM (
            SELECT expires_at
            FROM entities.suggestions
            ORDER BY expires_at, account, id
            LIMIT 1
        ) AS s
        """
    ) { row in try row.optionalInt64(0) }

    /// Deletes what has expired. $1 limit. Returns a row for each.
    static let expire = Statement(
        """
        DELETE FROM entities.suggestions
        WHERE ctid = ANY (ARRAY(
            SELECT ctid
            FROM entities.suggestions
            WHERE expires_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
            ORDER BY expires_at, account, id
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING account
        """
    ) { row in try row.account(0) }

    // MARK: Settings

    /// $1 account: where it has turned suggestions off; an empty id stands for all.
    static let off = Statement(
        """
        SELECT COALESCE(c.conversation_id, ''), o.conversation = 0
        FROM entities.suggestions_off AS o
        LEFT JOIN conversations.conversation_ids AS c ON c.conversation = o.conversation
        WHERE o.account = $1
        ORDER BY o.conversation
        """
    ) { row in (conversation: try row.text(0), isAll: try row.bool(1)) }

    /// $1 account, $2 conversation (0: all). Returns a row if it was on.
    static let turnOff = Statement(
        """
        INSERT INTO entities.suggestions_off (account, conversation)
        VALUES ($1, $2)
        ON CONFLICT DO NOTHING
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 account, $2 conversation (0: all). Returns a row if it was off.
    static let turnOn = Statement(
        """
        DELETE FROM entities.suggestions_off
        WHERE account = $1
            AND conversation = $2
        RETURNING account
        """
    ) { row in try row.account(0) }
}

/// A suggestion as it is stored. Pure.
struct KnownSuggestion: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    var place: SuggestedPlace
    var state: SuggestionState
    /// Nil once the message no longer matters.
    var conversation: ConversationNumber?
    var seq: Seq?
    var message: [UInt8]?
    /// The event that another member made of the message, or what accepting it made.
    var entity: [UInt8]?
    var content: SuggestedContent

    var isOpen: Bool { state == .open }
    /// Its message; nil once that no longer matters.
    var key: MessageKey? {
        conversation.flatMap { conversation in seq.map { MessageKey(conversation: conversation, seq: $0) } }
    }
}
