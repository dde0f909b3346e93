@testable import EntitiesService

extension Query {
    private static let event = "'00000000-0000-0000-0000-000000000400'"

    /// Queries about events. Person 1 created 10,000; to half of them conversation 1 is invited. 1,000 people answered
    /// one.
    static let ofEvents: [Query] = [
        Query("entities", "event", EventsStore.visible, "(\(event), 1)", pages: 60),
        Query("entities", "event_of_stranger", EventsStore.visible, "(\(event), 3)", pages: 60),
        Query("entities", "lock_event", EventsStore.lock, "(\(event), 1)", pages: 60),
        Query(
            "entities", "lock_people", EventsStore.lockPeople, "(ARRAY[\(event)]::uuid[], '{1}')", pages: 9000,
            rows: 1001),
        Query("entities", "event_creator", EventsStore.creator, "(\(event))", pages: 8),
        Query("entities", "event_states", EventsStore.states, "(\(event), '{1,16001,16002}')", pages: 160),
        Query("entities", "changed_events", EventsStore.changed, "(1, 15000, 51)", pages: 2100),
        Query("entities", "replay_events", EventsStore.current, "('{1,1}', '{0,0}', '{10077,19999}')", pages: 120),
        Query("entities", "event_counts", EventsStore.counts, "(\(event), '{1,16001,16002}')", pages: 60),
        Query(
            "entities", "replay_event_counts", EventsStore.currentCounts, "('{1,1}', '{0,0}', '{10077,19999}')",
            pages: 60),
        Query("entities", "event_counts_due", EventsStore.countsDue, "(20)", pages: 10),
        Query("entities", "event_origins", EventsStore.origins, "(\(event), 1)", pages: 60),
        Query("entities", "event_invitations", EventsStore.invitations, "(\(event))", pages: 20),
        Query("entities", "event_visitor", EventsStore.visitor, "(\(event), 'u3')", pages: 60),
        Query("entities", "attendees", EventsStore.attendees, "(\(event), 1, 500, 0, 51)", pages: 500),
        // A look-up for each of the person's 10,000 conversations.
        Query("entities", "events_between", EventsStore.between, "(1, 9900, 20000)", pages: 60000, rows: 10100),
        Query(
            "entities", "events_between_of_conversation", EventsStore.betweenOfConversation, "(1, 9900, 20000, 1)",
            pages: 1500),
        Query("entities", "calendar", CalendarStore.events, "(1, 9900, 20000, 2000)", pages: 60000, rows: 10100),
        Query("entities", "calendar_link", CalendarStore.fetch, "('\\x00', 1, 1)", pages: 10),
        // Both index ranges, however many events others have.
        Query("entities", "events_left", EventsStore.ofFormer, "('{1}', '{16001}')", pages: 140, rows: 5001),
        Query("entities", "events_apart", EventsStore.ofApart, "('{1}', '{16001}')", pages: 700, rows: 10001),
        Query("entities", "next_event_reminder", EventsStore.nextReminder, "", pages: 10),
        Query("entities", "event_reminders", EventsStore.remindersDue, "(50)", pages: 120),
        Query("entities", "event_reminders_of", EventsStore.remindersOf, "(\(event), 50)", pages: 1100, rows: 1001),
        Query("entities", "events_of_rules", EventsStore.ofEarlierRules, "('2026b', 100)", pages: 250),
        Query("entities", "erased_in_events", EventsStore.erasedPeople, "(50)", pages: 10),
    ]

    static let fillingOfEvents = [
        "INSERT INTO entities.events (account, id, title, first_day, at_second, time_zone, minutes, location, link, notes, "
            + "recurrence, starts_at, ends_at, zone_rules, created_at, changed_at) "
            + "SELECT 1, lpad(to_hex(e), 32, '0')::uuid, 'x', 20000 + e, 0, 'UTC', 60, '', '', '', '', e, e + 1, '2026a', e, e "
            + "FROM generate_series(1, 10000) AS e",
        "INSERT INTO entities.attendances (account, event, status, is_host, remind_minutes, remind_at, ends_at, "
            + "answered_at, position) SELECT 1, lpad(to_hex(e), 32, '0')::uuid, 2, true, 30, e, e + 1, e, 10000 + e "
            + "FROM generate_series(1, 10000) AS e",
        "INSERT INTO entities.attendances (account, event, status, remind_minutes, ends_at, answered_at, position) "
            + "SELECT 16000 + a, lpad(to_hex(1024), 32, '0')::uuid, 3, 30, 1025, a, 1 FROM generate_series(1, 1000) AS a",
        "INSERT INTO entities.event_invitations (conversation, event, card, ends_at) "
            + "SELECT 1 + e % 2, lpad(to_hex(e), 32, '0')::uuid, e, e + 1 FROM generate_series(1, 10000) AS e",
        "INSERT INTO entities.event_dates (account, event, day) "
            + "SELECT 1, lpad(to_hex(e), 32, '0')::uuid, 20000 + d FROM generate_series(1, 10000) AS e, generate_series(1, 3) AS d",
    ]
}
