import Postgres

/// A condition in SQL: whether an account blocks another one. One look-up by key in the view of conversations. For
/// services that read it.
///
/// What a blocker is spared beyond what their conversations decide: mentions and suggestions in groups.
public func blocks(_ account: String, _ other: String) -> String {
    let row = oneRow("blocked", from: "conversations.blocked", where: "account = \(account)", by: "blocked", is: other)
    return "EXISTS \(row)"
}

/// A condition in SQL: whether one of two accounts blocks the other. Two look-ups by key.
///
/// What is kept from both is made of one of them alone: their events, their presence.
public func areApart(_ account: String, _ other: String) -> String {
    "(\(blocks(account, other)) OR \(blocks(other, account)))"
}
