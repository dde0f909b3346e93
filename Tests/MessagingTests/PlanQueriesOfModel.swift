@testable import EntitiesService

extension Query {
    /// Queries about reading by a model. 1,000 members of group 10,001 allow it, as person 1 does in 1,000
    /// conversations; 10,000 people keep their messages out of one each. 100,000 messages were read, and 1,000 wait.
    /// Who allows a conversation to be read, and what waits, is counted one by one.
    static let ofModelReading: [Query] = [
        Query(
            "entities", "model_readable", ModelStore.readable, "('{10001,2}', '{1,1}', '{17000,1}', '{9,9}')",
            pages: 4100,
            rows: 1000),
        Query("entities", "model_kept_out", ModelStore.keptOut, "(7, '{1,107}')", pages: 20),
        Query(
            "entities", "model_queue", ModelStore.queue, "('{1,1}', '{49998,49999}', '{0,0}', 10000)", pages: 100,
            rows: 1000),
        Query("entities", "model_take", ModelStore.take, "(60000000, 10)", pages: 200),
        Query("entities", "model_wait", ModelStore.wait, "(2, 500, 0, 1000000)", pages: 40),
        Query("entities", "model_end", ModelStore.end, "(2, 500, 0)", pages: 40),
        Query("entities", "model_waiting", ModelStore.waitingCount, "", pages: 60, rows: 1000),
        Query("entities", "model_forget", ModelStore.forget, "(1000000, 100)", pages: 2000),
        Query("entities", "model_spend", ModelStore.spend, "(1000, 7, 300)", pages: 30),
        Query("entities", "model_reading", ModelStore.reading, "(1, 2)", pages: 60),
        Query("entities", "model_decides", ModelStore.decides, "(1, 2)", pages: 20),
        Query("entities", "model_allow", ModelStore.allow, "(1, 5000, 1)", pages: 20),
        Query("entities", "model_forbid", ModelStore.forbid, "(1, 2)", pages: 20),
        Query("entities", "model_keep_out", ModelStore.keepOut, "(1, 5000)", pages: 20),
        Query("entities", "model_let_in", ModelStore.letIn, "(107, 7)", pages: 20),
        Query("entities", "model_said", ModelStore.said, "(1)", pages: 40, rows: 1000),
    ]

    static let fillingOfModelReading = [
        "INSERT INTO entities.model_consents (account, conversation, allowed_at) "
            + "SELECT 16000 + g, 10001, 1 FROM generate_series(2, 1000) AS g",
        "INSERT INTO entities.model_consents (account, conversation, allowed_at) "
            + "SELECT 1, g, 1 FROM generate_series(1, 1000) AS g",
        "INSERT INTO entities.model_kept_out (account, conversation) SELECT 100 + g, g FROM generate_series(1, 10000) AS g",
        "INSERT INTO entities.model_readings (conversation, seq, edited_at, queued_at, due_at) "
            + "SELECT 2, g, 0, g, CASE WHEN g <= 1000 THEN g END FROM generate_series(1, 101000) AS g",
        "INSERT INTO entities.model_days (day, account, requests) SELECT g, 0, 1 FROM generate_series(1, 2) AS g",
    ]
}
