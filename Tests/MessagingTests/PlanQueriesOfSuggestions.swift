@testable import EntitiesService

extension Query {
    private static let suggestion = "'00000000-0000-0000-0000-000000000040'"

    /// Queries about suggestions. Person 1 has 200, of messages of conversation 1. Each of 2,000 others has one, of its
    /// message 50,000.
    static let ofSuggestions: [Query] = [
        Query("entities", "suggestion", SuggestionsStore.suggestion, "(1, \(suggestion), 1)", pages: 20),
        Query("entities", "stored_suggestion", SuggestionsStore.stored, "(1, \(suggestion), 1)", pages: 60),
        Query(
            "entities", "suggestions_open", SuggestionsStore.open, "(1, 9900, \(suggestion), 1, 1, 200)", pages: 8000,
            rows: 200),
        Query("entities", "suggestions_of_blocked", SuggestionsStore.openOfBlocked, "('{1}', '{2}')", pages: 800),
        Query(
            "entities", "suggestions_crowded_out", SuggestionsStore.crowdedOut,
            "('{1}', ARRAY[\(suggestion)]::uuid[], 2, 1, 200)", pages: 300, rows: 201),
        Query(
            "entities", "suggestions_named", SuggestionsStore.named, "('{1}', ARRAY[\(suggestion)]::uuid[])", pages: 20),
        Query("entities", "suggestions_changed", SuggestionsStore.changed, "(1, 50, 51)", pages: 400),
        Query(
            "entities", "suggestions_replayed", SuggestionsStore.current, "('{1,1}', '{0,0}', '{77,9999}')", pages: 40),
        Query("entities", "suggestions_of_messages", SuggestionsStore.ofMessages, "('{1,1}', '{100,101}')", pages: 20),
        Query("entities", "suggestion_to_accept", SuggestionsStore.toAccept, "(1, \(suggestion), 1)", pages: 40),
        Query("entities", "lock_heads_of_event", SuggestionsStore.lockHeadsOfEvent, "(1, 100, 1)", pages: 40),
        Query("entities", "suggestions_open_events", SuggestionsStore.openOfEvent, "(1, 100, 1, 1)", pages: 80),
        Query("entities", "event_of_message", SuggestionsStore.eventOfMessage, "(1, 100)", pages: 10),
        Query("entities", "next_expiry", SuggestionsStore.nextExpiry, "", pages: 10),
        Query("entities", "messages_read", MessageTextsStore.messages, "('{1,1}', '{49998,49999}')", pages: 600),
        Query("entities", "message_readers", MessageTextsStore.readers, "(1, 50000, 1)", pages: 400_000, rows: 50_000),
        Query("entities", "messages_before", MessageTextsStore.before, "('{1}', '{50000}', '{1}')", pages: 120),
    ]

    static let fillingOfSuggestions = [
        "INSERT INTO entities.suggestions (account, id, kind, state, conversation, seq, source_message, ordinal, title, "
            + "location, time_zone, created_at, expires_at, position) "
            + "SELECT 1, lpad(to_hex(s), 32, '0')::uuid, 3, 1, 1, s, lpad(to_hex(s), 32, '0')::uuid, 0, 'x', '', 'UTC', s, "
            + "9000000000000000, s FROM generate_series(1, 200) AS s",
        "INSERT INTO entities.suggestions (account, id, kind, state, conversation, seq, source_message, ordinal, title, "
            + "location, time_zone, created_at, expires_at, position) "
            + "SELECT 100 + s, lpad(to_hex(s), 32, '0')::uuid, 3, 1, 1, 50000, lpad(to_hex(1), 32, '0')::uuid, 0, 'x', '', "
            + "'UTC', s, 9000000000000000, 1 FROM generate_series(1, 2000) AS s",
    ]
}
