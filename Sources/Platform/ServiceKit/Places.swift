/// Places in lists that other people fill: invitations, suggestions, the events of a calendar.
///
/// What one person may cause for another is counted by the person who causes it. When a list is full, the oldest entry
/// of the source with the most entries gives way, so that nobody fills the list of another alone: whoever causes much
/// takes the places of what they caused before. What a person caused themselves comes first.
///
/// Returns a query for the entries, each with its `place` in its list, from 1: those up to the length of the list stay.
///
/// - Parameter entries: a query with the columns `list` (whose it is), `source` (the account that caused the entry;
///   null: the person themselves), `at` and `id` (by which one entry is older than another), and any further ones.
public func places(_ entries: String) -> String {
    """
    SELECT p.*,
        row_number() OVER (
            PARTITION BY p.list ORDER BY p.source IS NOT NULL, CASE WHEN p.source IS NOT NULL THEN p.nth END,
                p.at DESC, p.id DESC
        ) AS place
    FROM (
        SELECT e.*, row_number() OVER (PARTITION BY e.list, e.source ORDER BY e.at DESC, e.id DESC) AS nth
        FROM (
            \(entries)
        ) AS e
    ) AS p
    """
}
