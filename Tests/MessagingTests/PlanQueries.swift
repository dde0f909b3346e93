@testable import EntitiesService
@testable import MessagingService

/// More queries whose cost must not grow with an account, a conversation or the database. Writes are rolled back.
extension Query {
    private static let id = "'00000000-0000-0000-0000-000000000400'"
    private static let here = "'00000000000000000000000000000077'"
    private static let left = "'00000000000000000000000000010001'"

    /// Queries of search, and of messages shown to former members.
    static let finding = [
        Query("messaging", "left_at", MessagingStore.leftAt, "(17001, ARRAY[\(here), \(left)])", pages: 30),
        Query(
            "messaging", "as_left", MessagingStore.asLeft,
            "(ARRAY[\(left), \(left)], '{500,501}', '{0,600}')", pages: 30),
        Query("messaging", "block_ends", SearchStore.blockEnds, "(1, 1, 50000)", pages: 60),
        Query(
            "messaging", "searched", SearchStore.conversations, "(1, \(Int64.max), 0, 256)", pages: 3000, rows: 257),
        // 500 of the 50,000 messages contain the word, 41 per block.
        Query(
            "messaging", "found", SearchStore.found,
            "(1, 10, '{1,1}', '{45056,49152}', '{49151,50000}', ARRAY['''1.b.w7''', '''1.c.w7'''], 0, 0::smallint, 0, "
                + "\(Int64.max), \(Int64.max), 0, 51)", pages: 500),
        Query("messaging", "found_messages", SearchStore.messages, "('{1,1}', '{400,30000}', 1)", pages: 60),
        Query("messaging", "texts", SearchStore.texts, "('{1,1}', '{400,30000}')", pages: 20),
        Query("messaging", "old_texts", SearchStore.oldTexts, "(1, 30000, 50)", pages: 60),
        Query("messaging", "backlog", SearchStore.backlog, "", pages: 10),
        Query(
            "messaging", "index_words", SearchStore.index, "('{1,1}', '{400,30000}', ARRAY['1.0.a 1.0.b', '1.7.c'])",
            pages: 120),
        Query("messaging", "remove_words", SearchStore.remove, "('{1,1}', '{400,30000}')", pages: 30),
        Query("messaging", "shorten_backlog", SearchStore.shortenBacklog, "(5000, 0)", pages: 20),
        Query("messaging", "end_backlog", SearchStore.endBacklog, "(5000)", pages: 10),
    ]

    static let ofEntities =
        [
            Query("entities", "replay", RemindersStore.current, "('{1,1,1}', '{0,0,0}', '{77,78,9999}')", pages: 80),
            Query("entities", "reminder", RemindersStore.reminder, "(1, \(id))", pages: 16),
            Query(
                "entities", "add_known", RemindersStore.add,
                "(1, \(id), 't', 1, 'UTC', NULL, NULL, '', 1, 10001, true, 1, 0, '', 10000)", pages: 16),
            Query("entities", "lock_reminder", RemindersStore.lock, "(1, \(id))", pages: 16),
            // All open ones are counted, from an index.
            Query("entities", "many_reminders", RemindersStore.areMany, "(1, 10000)", pages: 200, rows: 5000),
            Query(
                "entities", "member", EntitiesStore.memberConversation, "('00000000000000000000000000000077', 1)",
                pages: 20),
            Query("entities", "changed", RemindersStore.changed, "(1, 5000, 51)", pages: 400),
            Query("entities", "decision", DecisionsStore.readable, "(\(id), 3)", pages: 40),
            Query("entities", "many_decisions", DecisionsStore.areMany, "(1, 10000)", pages: 300, rows: 10000),
            Query(
                "entities", "decisions", DecisionsStore.own(inConversation: false), "(5000, \(id), 1, 51, '')",
                pages: 400),
            Query(
                "entities", "decisions_here", DecisionsStore.own(inConversation: true), "(5000, \(id), 1, 51, '', 1)",
                pages: 500),
            Query("entities", "shared", DecisionsStore.shared, "(5000, \(id), 1, 51, '', 1)", pages: 1500),
            Query("entities", "changed_decisions", DecisionsStore.changed, "(1, 5000, 51)", pages: 400),
            Query("entities", "replay_decisions", DecisionsStore.current, "('{1,1}', '{0,0}', '{77,9999}')", pages: 60),
            Query("messaging", "cards", CardMessagesStore.cards, "('{1,2,3}')", pages: 20),
            Query("messaging", "sharers", CardMessagesStore.sharers, "('{1,2}', '{1,1}', '{1,3}')", pages: 20),
            Query("messaging", "card", CardMessagesStore.message, "(1, \(id))", pages: 30),
            Query("entities", "next_reminder", RemindersStore.next, "", pages: 10),
            Query("entities", "due_reminders", RemindersStore.due, "(100)", pages: 250),
            Query("entities", "due_in_turns", RemindersStore.dueInTurns, "(100, 50)", pages: 250),
            Query("entities", "due_since", RemindersStore.dueSince, "(1, 100, 25)", pages: 250),
            Query(
                "entities", "due_among", RemindersStore.dueAmong, "('{1,2}', ARRAY[\(id), \(id)]::uuid[])", pages: 30),
            Query("entities", "reminders_of_rules", RemindersStore.ofEarlierRules, "('2026a', 100)", pages: 250),
        ]
        + [(nil, "all"), (false, "open"), (true, "completed")].flatMap { completed, name in
            [
                Query(
                    "entities", "due_" + name, RemindersStore.byDue(completed: completed, inConversation: false),
                    "(1, 5000, \(id), 51)", pages: 600),
                Query(
                    "entities", "due_here_" + name, RemindersStore.byDue(completed: completed, inConversation: true),
                    "(1, 0, \(id), 51, 77)", pages: 30),
            ]
        }

    static let files = [
        Query("messaging", "attachment", MessagingStore.attachment, "(1, \(id))", pages: 10),
        Query("messaging", "sent_files", MessagingStore.sentAttachments, "(1, 6000, 1, \(id), 9, 51)", pages: 700),
        Query(
            "messaging", "sent_file", MessagingStore.sentAttachment,
            "(1, '00000000000000000000000000000001', '00000000-0000-0000-0000-000000001771', 9)", pages: 30),
        Query("messaging", "attachment_to_send", MessagingStore.attachmentToSend, "(1, \(id), 1)", pages: 10),
        Query(
            "messaging", "make_room", MessagingStore.createAttachment,
            "(77, \(id), 1, 'new', 'n', 'text/plain', 5, 9, 100)", pages: 600),
        Query(
            "messaging", "complete_attachment", MessagingStore.completeAttachment,
            "(1, \(id), 1, 'text/plain', 0, 0)", pages: 20),
        Query("messaging", "drop_attachment", MessagingStore.dropAttachment, "(1, \(id))", pages: 20),
        Query("messaging", "give_up_unsent", MessagingStore.giveUpUnsent, "(9, 400)", pages: 9000, rows: 500),
        Query("messaging", "unused_attachments", MessagingStore.unusedAttachments, "(9000)", pages: 800),
        Query("messaging", "forget_attachment", MessagingStore.forgetAttachment, "(1, \(id))", pages: 20),
        Query(
            "messaging", "copy_attachment", ActionsStore.copyAttachment,
            "(1, '00000000-0000-0000-0000-000000001771', 6001, 77, \(id), 1, 9)", pages: 60),
    ]

    /// Queries that write, for a message in a conversation of 50,000 with two readers.
    static let writing = [
        Query(
            "messaging", "edit", ActionsStore.edit, "(1, '{1,3}', 500, 'new', '{3}', 9, 60000)", pages: 300),
        Query("messaging", "delete", ActionsStore.delete, "(1, '{1,3}', 500, 9, 60000, NULL)", pages: 300),
        Query("messaging", "next_position", ActionsStore.nextPosition, "(1, 0)", pages: 20),
        Query("messaging", "advance", OwnStateStore.advance, "(1, 1)", pages: 30),
        Query("messaging", "make_row", OwnStateStore.makeRow, "(1, 77)", pages: 30),
        Query(
            "messaging", "set_settings", OwnStateStore.setSettings, "(1, 77, 10001, 5, NULL, NULL, NULL, false, 0)",
            pages: 80),
        Query("messaging", "recount", OwnStateStore.recount, "(1, 77, 10001)", pages: 60),
        Query(
            "messaging", "set_message_states", OwnStateStore.setMessageStates,
            "(1, 1, '{7,20001}', '{9,NULL}', '{false,true}', '{10001,10002}', 9)", pages: 100),
        // None of its 5,000 stars belongs to a deleted or disappeared message; 1,000 are examined.
        Query(
            "messaging", "unstar_gone", OwnStateStore.unstarGone, "(1, 0, 100, 10000)", pages: 7000, rows: 1000),
        Query("messaging", "drop_message_states", OwnStateStore.dropMessageStates, "(1, 1, 50)", pages: 300),
        Query("messaging", "drop_mentions", OwnStateStore.dropMentions, "(1, 1, 50)", pages: 300),
        Query("messaging", "set_retention", RetentionStore.set, "(1, 5)", pages: 20),
        Query("messaging", "do_job", RetentionStore.doJob, "(1, 100, 9)", pages: 2500),
        Query("messaging", "start_over", RetentionStore.startOver, "(1, 9)", pages: 150),
        Query("messaging", "empty_expired", RetentionStore.emptyExpired, "(9, 0, 0, 0, 100, NULL)", pages: 8000),
        Query("messaging", "empty_of_one", RetentionStore.emptyExpired, "(9, 0, 0, 0, 100, 1)", pages: 8000),
        Query(
            "messaging", "send_batch", MessagingStore.sendBatch,
            "(70, 9, '{1,77}', '{1,1}', ARRAY['11111111-0000-7000-8000-000000000001', "
                + "'11111111-0000-7000-8000-000000000002']::uuid[], '{1,1}', ARRAY['a', 'b'], '{}', '{100,NULL}', '{}', "
                + "'{}', '{}', ARRAY['Europe/Zurich', ''])", pages: 600),
        Query(
            "messaging", "send_files", MessagingStore.sendBatch,
            "(70, 9, '{1,1}', '{1,1}', ARRAY['11111111-0000-7000-8000-000000000003', "
                + "'11111111-0000-7000-8000-000000000004']::uuid[], '{5,5}', ARRAY['a', 'b'], '{NULL,NULL}', "
                + "'{NULL,NULL}', '{NULL,NULL}', '{NULL,NULL}', ARRAY[\(id), \(id)]::uuid[], '{}')", pages: 600),
        Query(
            "messaging", "mark_batch", ReceiptsStore.markBatch, "(70, 9, '{1,3}', '{77,1}', '{1,50000}', '{1,50000}')",
            pages: 2500),
        Query(
            "messaging", "react_batch", ActionsStore.reactBatch,
            "(70, 9, '{1,1}', '{40000,500}', '{3,3}', ARRAY['-', '+'], '{false,false}', 32)", pages: 600),
    ]
}
