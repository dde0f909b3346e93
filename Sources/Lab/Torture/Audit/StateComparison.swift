/// Compares the state of a permanent client with that of a new client of the same person, as far as they must be equal.
struct StateComparison {
    private let fresh: [String: ClientState]
    private let windows: Windows
    private let values: Values

    init(_ facts: Facts) {
        (fresh, windows, values) = (facts.fresh, Windows(facts), Values(facts))
    }

    func isSame(_ state: ClientState, as user: String) -> Bool {
        both(state, as: user).map { $0.kept == $0.fresh } ?? false
    }

    /// Returns the parts of both states that must be equal; nil if there is no new client.
    func both(_ state: ClientState, as user: String) -> (kept: ClientState, fresh: ClientState)? {
        guard var given = fresh[user] else { return nil }
        var held = state
        held.messages = windows.comparable(state, to: given, of: user)
        for id in Set(held.messages.keys).union(given.messages.keys) where !windows.isMemberAtEnd(user, of: id) {
            let deleted = Set((given.messages[id] ?? []).filter(\.isDeleted).map(\.seq))
            held.messages[id] = held.messages[id]?.map { asLeft($0, deleted) }
            given.messages[id] = given.messages[id]?.map { asLeft($0, deleted) }
        }
        // Nothing is promised yet about the own state of conversations that a person joins or returns to.
        held.own = held.own.filter { windows.isAlwaysMember(user, of: Self.conversation(of: $0.key)) }
        given.own = given.own.filter { windows.isAlwaysMember(user, of: Self.conversation(of: $0.key)) }
        held.inbox = held.inbox.filter { windows.isAlwaysMember(user, of: $0.key) && $0.value != .init() }
        given.inbox = given.inbox.filter { windows.isAlwaysMember(user, of: $0.key) && $0.value != .init() }
        (given.blocked, given.availability, given.hiding) = (held.blocked, held.availability, held.hiding)
        return (held, given)
    }

    /// Returns the parts of a message that both clients of a person who left have. A new client reads a message changed
    /// since then at the position of leaving and without reactions, or reads that it is deleted.
    private func asLeft(_ message: StoredMessage, _ deleted: Set<Int64>) -> StoredMessage {
        if message.isSystem, deleted.contains(message.seq) { return message.identity }
        guard values.isChanged(message) else { return message }
        if deleted.contains(message.seq) { return message.identity }
        var message = message
        (message.position, message.reactions) = (0, [:])
        return message
    }

    private static func conversation(of key: String) -> String { String(key.prefix { $0 != " " }) }
}
