/// Returns a query in parentheses for the row with the given key, or for none. It stands as a whole ``Statement``, or
/// within one as `JOIN LATERAL`, `FROM`, `ARRAY` or a value.
///
/// ```swift
/// LEFT JOIN LATERAL \(oneRow("text", from: "messages", where: "conversation = $1", by: "seq", is: "$2")) AS m ON true
/// ```
///
/// The query compares the last column of the key with BETWEEN the value and itself, orders by that column and ends with
/// LIMIT 1. Plans are generic and may have been made while the tables were empty, when all indexes cost about the same.
/// With `=` on every column, PostgreSQL may take any index that shares a column, and read a whole conversation to find
/// one message. ORDER BY would not prevent this, because a column with a single value needs no sorting. A range does
/// need it: of the indexes that share the first columns, only the key's has the last column in order. LIMIT 1 ends the
/// search at the first row.
///
/// UPDATE and DELETE have neither order nor limit, and EXISTS ignores both. They use BETWEEN alone, which does not
/// force the index.
///
/// - Parameters:
///   - columns: the columns to select. None is named like the last column of the key unless it is that column.
///   - table: a table or view, with an alias if the other texts use one.
///   - keys: conditions on the other columns of the key, if it has any, and further conditions on the row. One with OR
///     needs parentheses.
///   - last: the last column of the key.
///   - value: its value. The text contains it twice.
public func oneRow(
    _ columns: String, from table: String, where keys: String = "", by last: String, is value: String
) -> String {
    let others = keys.isEmpty ? "" : "\(keys) AND "
    return "(SELECT \(columns) FROM \(table) WHERE \(others)\(last) BETWEEN \(value) AND \(value) "
        + "ORDER BY \(last) LIMIT 1)"
}
