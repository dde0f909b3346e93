-- Messages, and each person's state of conversations and messages. Times are bigint µs since 1970 (UTC), set by the
-- service, or by the database's clock where replicas must agree. The row of messaging.heads is the conversation's
-- mutex. A transaction that writes the conversation's messages locks it first.

-- Heads of conversations, and messages.
CREATE TABLE messaging.heads (
    conversation bigint PRIMARY KEY,
    seq bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    first_seq bigint NOT NULL DEFAULT 1,
    first_position bigint NOT NULL DEFAULT 0,
    members_version bigint NOT NULL DEFAULT 1,
    retention_us bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE messaging.heads IS
    'Heads of the streams messaging/c/CONVERSATION. Never add a second index: it would end HOT updates.';
COMMENT ON COLUMN messaging.heads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.heads.seq IS 'Seq of the newest message; 0: none yet.';
COMMENT ON COLUMN messaging.heads.position IS 'The last position used.';
COMMENT ON COLUMN messaging.heads.first_seq IS 'The oldest seq still stored.';
COMMENT ON COLUMN messaging.heads.first_position IS
    'Changes since an older position are not available: the client starts over.';
COMMENT ON COLUMN messaging.heads.members_version IS
    'Up to this members_version of the conversation, messaging.inbox holds the windows of everyone who joined or '
    'left. Those who joined later read from seq + 1; those who left later read up to seq.';
COMMENT ON COLUMN messaging.heads.retention_us IS 'How long after sending new messages disappear; 0: never.';

CREATE TABLE messaging.messages (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    id uuid NOT NULL,
    sender bigint,
    kind smallint NOT NULL,
    text text NOT NULL,
    sent_at bigint NOT NULL,
    position bigint NOT NULL,
    changed_at bigint,
    edited_at bigint,
    deleted_at bigint,
    expires_at bigint,
    reply_to_seq bigint,
    thread_seq bigint,
    forwarded_from bigint,
    extra bytea,
    legacy_id text COLLATE "C",
    has_replies boolean NOT NULL DEFAULT false,
    mentions bigint[],
    reactions text[] COLLATE "C",
    reaction_counts bigint[],
    PRIMARY KEY (conversation, seq),
    UNIQUE (conversation, id)
);
COMMENT ON TABLE messaging.messages IS
    'Messages: their current state, not their history. Deletion and retention empty rows and do not remove them.';
COMMENT ON COLUMN messaging.messages.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.messages.seq IS '1, 2, 3 … within the conversation, without gaps.';
COMMENT ON COLUMN messaging.messages.id IS
    'Chosen by the client (UUIDv7), for a system message by the service (UUIDv8). The same id is always the same '
    'message.';
COMMENT ON COLUMN messaging.messages.sender IS 'Account of the sender; null: a system message.';
COMMENT ON COLUMN messaging.messages.kind IS 'As MessageKind: 1 text … 6 system.';
COMMENT ON COLUMN messaging.messages.text IS 'The text; empty once deleted.';
COMMENT ON COLUMN messaging.messages.sent_at IS 'When the server accepted it.';
COMMENT ON COLUMN messaging.messages.position IS
    'Position of its last change, in the stream messaging/c of the conversation.';
COMMENT ON COLUMN messaging.messages.changed_at IS
    'Last change of any kind after it was sent; null: unchanged. Not null puts it into messages_changed.';
COMMENT ON COLUMN messaging.messages.edited_at IS 'Last edit by its sender; null: never edited.';
COMMENT ON COLUMN messaging.messages.deleted_at IS 'When it was deleted for everyone; null: not deleted.';
COMMENT ON COLUMN messaging.messages.expires_at IS 'When it disappears; null: never.';
COMMENT ON COLUMN messaging.messages.reply_to_seq IS 'The message it replies to; null: none.';
COMMENT ON COLUMN messaging.messages.thread_seq IS 'The first message of its thread; null: not in a thread.';
COMMENT ON COLUMN messaging.messages.forwarded_from IS
    'Account of the original author of a forwarded message; null: not forwarded.';
COMMENT ON COLUMN messaging.messages.extra IS
    'Encoded protobuf that only clients read: SystemNote with kind 6, Media with kinds 2 to 5; null: none.';
COMMENT ON COLUMN messaging.messages.legacy_id IS
    'Id in the system it was imported from, from which its id is derived; null: not imported.';
COMMENT ON COLUMN messaging.messages.has_replies IS 'Whether it is, or ever was, the first message of a thread.';
COMMENT ON COLUMN messaging.messages.mentions IS 'Mentioned accounts, as in messaging.mentions; null: none.';
COMMENT ON COLUMN messaging.messages.reactions IS
    'Emoji of its reactions, in the order of their first use; null: it never had any.';
COMMENT ON COLUMN messaging.messages.reaction_counts IS 'How many people used each of reactions, at least 1.';
CREATE INDEX messages_changed ON messaging.messages (conversation, position) WHERE changed_at IS NOT NULL;
CREATE INDEX messages_expiring ON messaging.messages (expires_at, conversation, seq)
    WHERE expires_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX messages_of_threads ON messaging.messages (conversation, thread_seq, seq) WHERE thread_seq IS NOT NULL;

-- The inbox, and the heads of people's streams.
CREATE TABLE messaging.inbox (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    touched_at bigint NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    visible_from bigint NOT NULL DEFAULT 1,
    visible_to bigint,
    cleared_before bigint NOT NULL DEFAULT 0,
    read_seq bigint NOT NULL DEFAULT 0,
    read_at bigint,
    delivered_seq bigint NOT NULL DEFAULT 0,
    delivered_at bigint,
    pinned_at bigint,
    muted_until bigint,
    archived_at bigint,
    archived_seq bigint,
    marked_unread boolean NOT NULL DEFAULT false,
    visible_position bigint,
    news_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account, conversation)
) WITH (fillfactor = 80);
COMMENT ON TABLE messaging.inbox IS
    'One person''s inbox state, window and marks of a conversation. The first message creates the row. Without a row, '
    'the defaults apply.';
COMMENT ON COLUMN messaging.inbox.account IS 'The person.';
COMMENT ON COLUMN messaging.inbox.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.inbox.touched_at IS
    'Last news or change of the person''s own state, up to 10 s out of date. Sync finds the row by it.';
COMMENT ON COLUMN messaging.inbox.position IS
    'Position of the last change of this row, in the stream messaging/u of this account.';
COMMENT ON COLUMN messaging.inbox.visible_from IS
    'Oldest seq of the window. Set when someone joins who was not a member from the beginning, and on rejoining.';
COMMENT ON COLUMN messaging.inbox.visible_to IS 'Newest seq of the window; null: no end. Set for former members.';
COMMENT ON COLUMN messaging.inbox.cleared_before IS
    'Messages up to and including this seq are deleted for this person.';
COMMENT ON COLUMN messaging.inbox.read_seq IS 'Read up to here; only grows.';
COMMENT ON COLUMN messaging.inbox.read_at IS 'When read_seq last grew.';
COMMENT ON COLUMN messaging.inbox.delivered_seq IS 'Delivered up to here; only grows.';
COMMENT ON COLUMN messaging.inbox.delivered_at IS 'When delivered_seq last grew.';
COMMENT ON COLUMN messaging.inbox.pinned_at IS 'When pinned; null: not pinned.';
COMMENT ON COLUMN messaging.inbox.muted_until IS 'End of the mute, the largest bigint for ever; null: not muted.';
COMMENT ON COLUMN messaging.inbox.archived_at IS 'When archived; null: not archived.';
COMMENT ON COLUMN messaging.inbox.archived_seq IS
    'Newest seq when archived. A later message unarchives the conversation unless it is muted.';
COMMENT ON COLUMN messaging.inbox.marked_unread IS 'Whether the person marked it unread.';
COMMENT ON COLUMN messaging.inbox.visible_position IS
    'Position of messaging/c when visible_to was set, the last that a former member receives; null with visible_to.';
COMMENT ON COLUMN messaging.inbox.news_at IS
    'Time of the last message, up to 10 s out of date. Inbox pages follow this order, and reading does not change it.';
CREATE INDEX inbox_touched ON messaging.inbox (account, touched_at, conversation);
CREATE INDEX inbox_news ON messaging.inbox (account, news_at, conversation);
CREATE INDEX inbox_pinned ON messaging.inbox (account, pinned_at, conversation) WHERE pinned_at IS NOT NULL;
CREATE INDEX inbox_archived ON messaging.inbox (account, (archived_at IS NOT NULL), news_at, conversation)
    WHERE archived_at IS NOT NULL;

CREATE TABLE messaging.person_heads (
    account bigint PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.person_heads IS 'Heads of the streams messaging/u/USER. Lock several in order of account.';
COMMENT ON COLUMN messaging.person_heads.account IS 'The owner of the stream.';
COMMENT ON COLUMN messaging.person_heads.position IS 'The last position used.';

-- Revisions, threads, reactions and mentions.
CREATE TABLE messaging.revisions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    revision integer NOT NULL,
    text text NOT NULL,
    until_at bigint NOT NULL,
    PRIMARY KEY (conversation, seq, revision)
);
COMMENT ON TABLE messaging.revisions IS 'Earlier texts of edited messages. Deleted together with the message''s text.';
COMMENT ON COLUMN messaging.revisions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.revisions.seq IS 'The message.';
COMMENT ON COLUMN messaging.revisions.revision IS '1, 2, 3 … within the message.';
COMMENT ON COLUMN messaging.revisions.text IS 'The text before the edit.';
COMMENT ON COLUMN messaging.revisions.until_at IS 'When the edit replaced it.';

CREATE TABLE messaging.threads (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    replies bigint NOT NULL,
    last_seq bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (conversation, seq)
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.threads IS 'State of threads. Written under the lock of the conversation''s head.';
COMMENT ON COLUMN messaging.threads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.threads.seq IS 'The first message of the thread.';
COMMENT ON COLUMN messaging.threads.replies IS 'Number of messages with this thread_seq that are not deleted.';
COMMENT ON COLUMN messaging.threads.last_seq IS 'The newest message of the thread, even if deleted.';
COMMENT ON COLUMN messaging.threads.position IS 'Position of the last change of this row, in the stream messaging/c.';

CREATE TABLE messaging.reactions (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    account bigint NOT NULL,
    emoji text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (conversation, seq, account, emoji)
);
COMMENT ON TABLE messaging.reactions IS 'Reactions to messages.';
COMMENT ON COLUMN messaging.reactions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.reactions.seq IS 'The message.';
COMMENT ON COLUMN messaging.reactions.account IS 'Who reacted.';
COMMENT ON COLUMN messaging.reactions.emoji IS 'The emoji.';
COMMENT ON COLUMN messaging.reactions.at IS 'When they reacted.';
CREATE INDEX reactions_in_order ON messaging.reactions (conversation, seq, at, account, emoji);
CREATE INDEX reactions_by_emoji ON messaging.reactions (conversation, seq, emoji, at, account);

CREATE TABLE messaging.mentions (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    sent_at bigint NOT NULL,
    PRIMARY KEY (account, conversation, seq)
);
COMMENT ON TABLE messaging.mentions IS
    'Mentions of people in messages. Deleted when the message is deleted or an edit removes the mention.';
COMMENT ON COLUMN messaging.mentions.account IS 'The mentioned person.';
COMMENT ON COLUMN messaging.mentions.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.mentions.seq IS 'The message.';
COMMENT ON COLUMN messaging.mentions.sent_at IS 'When the message was sent.';
CREATE INDEX mentions_by_time ON messaging.mentions (account, sent_at, conversation, seq);

-- Attachments.
CREATE TABLE messaging.attachments (
    conversation bigint NOT NULL,
    id uuid NOT NULL,
    owner bigint NOT NULL,
    object text COLLATE "C" NOT NULL,
    name text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    width integer NOT NULL DEFAULT 0,
    height integer NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    completed_at bigint,
    seq bigint,
    unused_at bigint,
    PRIMARY KEY (conversation, id)
);
COMMENT ON TABLE messaging.attachments IS
    'Files, each for one message of one conversation. A forwarded file has its own row and the same object.';
COMMENT ON COLUMN messaging.attachments.conversation IS 'The conversation it may be sent to.';
COMMENT ON COLUMN messaging.attachments.id IS
    'Chosen by the client (UUIDv7). Of a forwarded file, the id of its message.';
COMMENT ON COLUMN messaging.attachments.owner IS 'Account that uploads and sends it.';
COMMENT ON COLUMN messaging.attachments.object IS 'Key of its bytes in the object storage.';
COMMENT ON COLUMN messaging.attachments.name IS 'File name, without a path.';
COMMENT ON COLUMN messaging.attachments.mime_type IS
    'Declared by the client. Determined from the bytes once they are uploaded.';
COMMENT ON COLUMN messaging.attachments.size_bytes IS 'Declared by the client, and enforced.';
COMMENT ON COLUMN messaging.attachments.width IS 'Width of an image in pixels, from its bytes; 0: unknown.';
COMMENT ON COLUMN messaging.attachments.height IS 'Height of an image in pixels, from its bytes; 0: unknown.';
COMMENT ON COLUMN messaging.attachments.created_at IS 'When the row was created.';
COMMENT ON COLUMN messaging.attachments.completed_at IS 'When all its bytes were uploaded and checked; null: not yet.';
COMMENT ON COLUMN messaging.attachments.seq IS 'The message it was sent in; null: not sent.';
COMMENT ON COLUMN messaging.attachments.unused_at IS
    'When its message was deleted, or the server stopped waiting for it to be sent; null: in use, or still to be sent.';
CREATE INDEX attachments_unsent ON messaging.attachments (created_at) WHERE seq IS NULL;
CREATE INDEX attachments_unused ON messaging.attachments (unused_at) WHERE unused_at IS NOT NULL;
CREATE INDEX attachments_of_owner ON messaging.attachments (owner, created_at) WHERE seq IS NULL;
CREATE INDEX attachments_object ON messaging.attachments (object);
CREATE INDEX attachments_of_messages ON messaging.attachments (conversation, seq) WHERE seq IS NOT NULL;

-- Message states.
CREATE TABLE messaging.message_states (
    account bigint NOT NULL,
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    starred_at bigint,
    hidden_at bigint,
    position bigint NOT NULL,
    PRIMARY KEY (account, conversation, seq)
);
COMMENT ON TABLE messaging.message_states IS 'One person''s private state of a message: starred, hidden.';
COMMENT ON COLUMN messaging.message_states.account IS 'The person.';
COMMENT ON COLUMN messaging.message_states.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.message_states.seq IS 'The message.';
COMMENT ON COLUMN messaging.message_states.starred_at IS 'When starred; null: not starred.';
COMMENT ON COLUMN messaging.message_states.hidden_at IS 'When deleted for this person; null: not hidden.';
COMMENT ON COLUMN messaging.message_states.position IS
    'Position of the last change, in the stream messaging/u of this account.';
CREATE UNIQUE INDEX message_states_changed ON messaging.message_states (account, position);
CREATE INDEX message_states_starred ON messaging.message_states (account, starred_at, conversation, seq)
    WHERE starred_at IS NOT NULL;

-- Receipts.
CREATE TABLE messaging.receipts (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    read_seq bigint NOT NULL,
    read_at bigint NOT NULL,
    delivered_seq bigint NOT NULL,
    delivered_at bigint NOT NULL,
    PRIMARY KEY (conversation, account)
) WITH (fillfactor = 70);
COMMENT ON TABLE messaging.receipts IS
    'Members'' marks as others see them. They do not move while a request is pending or someone is blocked.';
COMMENT ON COLUMN messaging.receipts.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.receipts.account IS 'The member.';
COMMENT ON COLUMN messaging.receipts.read_seq IS 'Read up to here; only grows.';
COMMENT ON COLUMN messaging.receipts.read_at IS 'When read_seq last grew; 0: never.';
COMMENT ON COLUMN messaging.receipts.delivered_seq IS 'Delivered up to here, at least read_seq; only grows.';
COMMENT ON COLUMN messaging.receipts.delivered_at IS 'When delivered_seq last grew.';

CREATE TABLE messaging.reads (
    conversation bigint NOT NULL,
    account bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (conversation, account, seq)
);
COMMENT ON TABLE messaging.reads IS
    'When members read messages, as others see it. A member read message N at the time of their first row with seq >= '
    'N. In large groups one row covers about a minute of reading, so times are up to a minute late.';
COMMENT ON COLUMN messaging.reads.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.reads.account IS 'The member.';
COMMENT ON COLUMN messaging.reads.seq IS 'The read mark at that time.';
COMMENT ON COLUMN messaging.reads.at IS 'When the mark reached it.';

-- Disappearing messages (M18): jobs that apply a new retention to existing messages.
CREATE TABLE messaging.retention_jobs (
    conversation bigint PRIMARY KEY,
    retention_us bigint NOT NULL,
    next_seq bigint NOT NULL,
    up_to_seq bigint NOT NULL,
    changed bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE messaging.retention_jobs IS
    'Conversations with older messages to which a new retention is yet to be applied. Written under the lock of the '
    'head.';
COMMENT ON COLUMN messaging.retention_jobs.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.retention_jobs.retention_us IS 'How long after sending a message disappears; 0: never.';
COMMENT ON COLUMN messaging.retention_jobs.next_seq IS 'Messages below this seq are done.';
COMMENT ON COLUMN messaging.retention_jobs.up_to_seq IS 'The last message to process.';
COMMENT ON COLUMN messaging.retention_jobs.changed IS 'How many messages have been given a new expires_at so far.';

-- Search (M15). The service splits messages and queries into words (SearchRules), by the same rules for all languages.
-- No text search configuration is used.
CREATE TABLE messaging.search (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    document tsvector NOT NULL,
    PRIMARY KEY (conversation, seq)
);
COMMENT ON TABLE messaging.search IS
    'The search index. It follows the messages within a second; a row is deleted with its message.';
COMMENT ON COLUMN messaging.search.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.search.seq IS 'The message.';
COMMENT ON COLUMN messaging.search.document IS
    'The message''s words, each prefixed with CONVERSATION.BLOCK. in hexadecimal, where BLOCK is seq >> 12. So the '
    'cost of a search depends only on the conversations searched, not on how often others use the same words.';
-- Without fastupdate, because every search would read the whole pending list.
CREATE INDEX search_words ON messaging.search USING gin (document) WITH (fastupdate = off);

CREATE TABLE messaging.search_backlog (
    conversation bigint PRIMARY KEY,
    seq bigint NOT NULL
);
COMMENT ON TABLE messaging.search_backlog IS
    'Conversations with messages from before search existed, or with imported ones. Their words are yet to be '
    'indexed, newest first. A finished row is deleted.';
COMMENT ON COLUMN messaging.search_backlog.conversation IS 'The conversation.';
COMMENT ON COLUMN messaging.search_backlog.seq IS 'Messages up to this seq are yet to be indexed.';

-- Journal, following and erasure.
\include Journal/0001_journal.sql
\include Following/0001_followed.sql
\include Erasure/0001_erased.sql

COMMENT ON COLUMN messaging.journal.subjects IS
    'Conversation whose stream messaging/c changed. Kinds 3 and 4: account whose stream messaging/u changed.';
COMMENT ON COLUMN messaging.journal.objects IS 'Seq of the message. Kinds 3 and 4: the conversation.';
COMMENT ON COLUMN messaging.journal.audience IS 'Accounts that may see the Updates, listed Update by Update.';

GRANT SELECT ON messaging.journal, messaging.lanes TO parley_conversations, parley_entities;
