import Postgres

/// The functions of the services that an import calls. Their comments in the schema say what each does.
enum ImportStore {
    static let now = Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint") { row in
        try row.int64(0)
    }

    struct Accounts: Sendable {
        var numbers: [Int64]
        var areErased: [Bool]
        var areNew: [Bool]
    }

    static let accounts = Statement(
        """
        SELECT accounts, are_erased, are_new
        FROM conversations.import_accounts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """
    ) { row in
        Accounts(numbers: try row.int64s(0), areErased: try row.bools(1), areNew: try row.bools(2))
    }

    static let identities = Statement<Void>("SELECT conversations.import_identities($1, $2, $3, $4, $5, $6)")

    static let beside = Statement<Void>("SELECT conversations.import_beside($1, $2, $3)")

    static let blocks = Statement<Void>("SELECT conversations.import_blocks($1, $2, $3)")

    static let conversations = Statement(
        """
        SELECT conversations.import_conversations($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """
    ) { row in try row.int64s(0) }

    static let leaving = Statement<Void>("SELECT conversations.import_leaving($1, $2, $3)")

    static let messages = Statement(
        """
        SELECT (
            SELECT count(*)
            FROM unnest(messaging.import_messages($1, $2, $3, $4, $5, $6, $7, '{}', '{}', $8, $9::text[]::uuid[], $10))
                AS seq
            WHERE seq IS NOT NULL
        )
        """
    ) { row in try row.int64(0) }

    static let newest = Statement("SELECT messaging.import_newest($1)") { row in try row.int64s(0) }

    struct Standings: Sendable {
        /// Zero for conversations that did not come in before as a whole.
        var talks: [Int64]
        var messages: [Int64]
        var messageDigests: [[UInt8]]
        var digests: [[UInt8]]
    }

    static let standings = Statement(
        "SELECT conversations, messages, message_digests, digests FROM messaging.import_standings($1)"
    ) { row in
        Standings(
            talks: try row.int64s(0), messages: try row.int64s(1), messageDigests: try row.bytesArray(2),
            digests: try row.bytesArray(3))
    }

    static let done = Statement<Void>("SELECT messaging.import_done($1, $2, $3, $4)")

    static let known = Statement("SELECT messaging.import_known($1, $2)") { row in try row.bools(0) }

    static let windows = Statement<Void>("SELECT messaging.import_windows($1, $2, $3, $4::text[]::uuid[])")

    static let changes = Statement<Void>("SELECT messaging.import_changes($1, $2, $3, $4, $5, $6, $7)")

    static let givenUp = Statement("SELECT messaging.import_given_up($1, $2)") { row in try row.bools(0) }

    struct Files: Sendable {
        /// Empty for messages that take no file.
        var objects: [String]
        var types: [String]
        var widths: [Int32]
        var heights: [Int32]
        var areComplete: [Bool]
    }

    static let files = Statement(
        """
        SELECT objects, types, widths, heights, are_complete
        FROM messaging.import_files($1, $2, $3, $4, $5, $6)
        """
    ) { row in
        Files(
            objects: try row.texts(0), types: try row.texts(1), widths: try row.int32s(2), heights: try row.int32s(3),
            areComplete: try row.bools(4))
    }

    static let media = Statement("SELECT messaging.import_media($1, $2, $3, $4, $5, $6)") { row in try row.int64(0) }

    static let reactions = Statement<Void>("SELECT messaging.import_reactions($1, $2, $3, $4, $5, $6)")

    static let messageStates = Statement<Void>("SELECT messaging.import_message_states($1, $2, $3, $4, $5)")

    static let inbox = Statement<Void>(
        "SELECT messaging.import_inbox($1, $2, $3, $4, $5, $6, $7::text[]::uuid[], $8, $9, $10)")

    static let reminders = Statement<Void>(
        """
        SELECT entities.import_reminders(
            $1, $2, $3, $4, $5, $6, '{}', '{}', $7, $8::text[]::uuid[], $9, $10, true)
        """)

    static let decisions = Statement<Void>(
        "SELECT entities.import_decisions($1, $2, $3, $4, $5, $6, $7::text[]::uuid[])")

    static let events = Statement<Void>(
        """
        SELECT entities.import_events(
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text[]::uuid[], $11, $12, $13)
        """)
}
