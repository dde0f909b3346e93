CREATE OR REPLACE VIEW conversations.titles AS
SELECT m.conversation, m.account,
    CASE WHEN c.kind = 2 THEN coalesce(m.left_name, c.name) ELSE other.display_name END AS name,
    CASE WHEN c.kind = 2 THEN coalesce(m.left_photo_url, c.photo_url) ELSE other.photo_url END AS photo_url
FROM conversations.members AS m
JOIN conversations.conversations AS c ON c.conversation = m.conversation
LEFT JOIN LATERAL (
    SELECT a.display_name, a.photo_url
    FROM conversations.members AS x
    JOIN conversations.accounts AS a ON a.account = x.account
    WHERE c.kind <> 2 AND x.conversation = m.conversation
    ORDER BY (x.account = m.account), x.account
    LIMIT 1
) AS other ON true
WHERE m.section BETWEEN 1 AND 4;
COMMENT ON VIEW conversations.titles IS
    'The name and photo of each conversation as each person sees them: those of the group, or of the other person.';
GRANT SELECT ON conversations.titles TO parley_messaging;
