-- What each person sees of each conversation: the one rule for it. Statements join messaging.window, which looks up one
-- row of this view.
--
-- The inbox row of someone who joined or left gets its range when the head reaches that version of the members. Until
-- then the range follows from the head: a new member reads from the next message on, and one who left reads the
-- messages stored so far.
CREATE OR REPLACE VIEW messaging.windows AS
SELECT a.conversation, a.account,
    a.is_shown OR a.awaits_message AND coalesce(h.seq, 0) > 0 AS is_shown,
    a.may_read AND (a.is_shown OR a.awaits_message AND (coalesce(h.seq, 0) > 0 OR a.may_write)) AS may_act,
    a.left_version IS NOT NULL AS is_former,
    a.is_in_inbox, a.is_gone, a.may_write, a.refusal, a.is_pending, a.role, a.section,
    greatest(CASE WHEN a.joined_version > h.members_version THEN h.seq + 1 ELSE i.visible_from END,
        i.cleared_before + 1, h.first_seq, 1) AS first_seq,
    CASE WHEN a.is_gone THEN 0
        WHEN a.left_version <= h.members_version THEN coalesce(i.visible_to, 0)
        ELSE coalesce(h.seq, 0) END AS last_seq,
    CASE WHEN a.is_gone THEN 0
        WHEN a.left_version <= h.members_version THEN coalesce(i.visible_position, 0)
        ELSE coalesce(h.position, 0) END AS last_position,
    coalesce(h.first_position, 0) AS first_position,
    CASE WHEN a.left_version <= h.members_version THEN coalesce(i.visible_retention_us, 0)
        ELSE coalesce(h.retention_us, 0) END AS retention_us
FROM conversations.access AS a
LEFT JOIN LATERAL (
    SELECT x.visible_from, x.visible_to, x.visible_position, x.visible_retention_us, x.cleared_before
    FROM messaging.inbox AS x
    WHERE x.account = a.account AND x.conversation BETWEEN a.conversation AND a.conversation
    ORDER BY x.conversation
    LIMIT 1
) AS i ON true
LEFT JOIN messaging.heads AS h ON h.conversation = a.conversation
WHERE a.may_read OR a.left_version IS NOT NULL OR a.is_gone;
COMMENT ON VIEW messaging.windows IS
    'What each person sees of each conversation of which they are or were a member, or which is gone for them. '
    'is_shown: they see it. may_act: a member who sees it or may write its first message. first_seq to last_seq: the '
    'messages they may read. last_position: the last change they may know. Both are 0 for a conversation that is gone, '
    'and those of the moment of leaving for a former member, like retention_us. The other columns are those of '
    'conversations.access and messaging.heads.';
