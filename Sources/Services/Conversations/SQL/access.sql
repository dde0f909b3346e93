-- Published to other services. New columns go at the end, the only position at which a released view can grow.
CREATE OR REPLACE VIEW conversations.access AS
SELECT conversation, account, role,
    write_refusal = {WriteRefusal.none} AS may_write,
    CASE write_refusal
        WHEN {WriteRefusal.none} THEN ''
        WHEN {WriteRefusal.acceptFirst} THEN 'accept_first'
        WHEN {WriteRefusal.userBlocked} THEN 'user_blocked'
        ELSE 'not_member'
    END AS refusal,
    write_until_seq IS NOT NULL AS is_pending,
    write_until_seq, may_read, joined_at, left_at, position, joined_version, left_version, section,
    section NOT IN ({Section.hidden}, {Section.gone}) AS is_shown,
    section = {Section.hidden} AS awaits_message,
    section = {Section.inbox} AS is_in_inbox,
    section = {Section.gone} AS is_gone,
    may_read AND section NOT IN ({Section.hidden}, {Section.gone}) AS is_reader,
    may_read AND write_until_seq IS NULL AS takes_part
FROM conversations.members
WHERE joined_version > 0;
COMMENT ON VIEW conversations.access IS
    'Each member''s rights, also former members''. People who have only ever been invited into a group have no row. '
    'may_write, or refusal: the code with which a send is refused, empty if it is not. is_pending: until the request '
    'is accepted, only messages up to write_until_seq may be written. is_shown: the conversation is in a section that '
    'the member sees. awaits_message: it will be, with its first message. is_gone: the member sees nothing of it any '
    'more. is_reader: a member who sees it. takes_part: a member, and no request is pending. The other columns are '
    'those of conversations.members.';
GRANT SELECT ON conversations.access TO parley_messaging, parley_presence, parley_entities, parley_notifications;
