/// What a device was shown of a person at the end, when nothing happened any more.
public struct PresenceFact: Hashable, Sendable {
    /// What the two are to each other, by the conversations that the device holds.
    public enum Relation: String, Hashable, Sendable {
        /// The same person.
        case same
        /// They have an accepted direct conversation.
        case accepted
        /// They are in a group.
        case fellows
        /// Neither, or the other has not accepted this person's request.
        case strangers
    }

    public var device: String
    public var reader: String
    /// The person who is shown. All of them are connected.
    public var user: String
    public var relation: Relation
    /// `ValueFact.no` if online, else "offline", "away" or "busy".
    public var status: String
    /// Whether the device was told by Updates, rather than asked.
    public var isTold: Bool

    public init(
        device: String, reader: String, user: String, _ relation: Relation, status: String, isTold: Bool = true
    ) {
        (self.device, self.reader, self.user, self.relation) = (device, reader, user, relation)
        (self.status, self.isTold) = (status, isTold)
    }
}

/// A device heard that a person is typing.
public struct TypingFact: Hashable, Sendable {
    public var reader: String
    public var user: String
    public var conversation: String
    /// In microseconds since the start of the run.
    public var at: Int64

    public init(reader: String, user: String, in conversation: String, at: Int64) {
        (self.reader, self.user, self.conversation, self.at) = (reader, user, conversation, at)
    }
}

/// A person who typed in a conversation at the end, until all who are to hear it must have heard it.
public struct FinalTypingFact: Hashable, Sendable {
    public var user: String
    public var conversation: String

    public init(_ user: String, in conversation: String) { (self.user, self.conversation) = (user, conversation) }
}

extension ValueFact {
    /// The values of availability and hiding, apart from ``no``.
    public static let away = "away"
    public static let busy = "busy"
    public static let fromAll = "from all"
    public static let fromOthers = "from all but accepted"
    /// What a person is shown as whom the other may not see.
    public static let offline = "offline"
}

/// What people must be shown of each other, given what they did.
struct PresenceRules {
    let values: Values

    /// The statuses that may be shown.
    func possible(_ fact: PresenceFact, within span: Span = Span(.max, .max)) -> Set<String> {
        let availability = said(.availability, by: fact.user, within: span)
        guard fact.relation != .same else { return availability }
        guard fact.relation != .strangers else { return [ValueFact.offline] }
        let isGroup = fact.relation == .fellows
        let closed = closes(fact.reader, fact.user, isGroup: isGroup, within: span)
        if closed.certain { return [ValueFact.offline] }
        return closed.possible ? availability.union([ValueFact.offline]) : availability
    }

    /// Whether a block, or one of them by hiding, may have closed two people to each other within a span.
    /// - Parameter isGroup: whether they meet in a group, rather than in an accepted direct conversation.
    func closes(
        _ one: String, _ other: String, isGroup: Bool, within span: Span
    ) -> (possible: Bool, certain: Bool) {
        let block = values.block(between: one, other, within: span)
        let hiding: Set = isGroup ? [ValueFact.fromAll, ValueFact.fromOthers] : [ValueFact.fromAll]
        let both = [one, other].map { said(.hiding, by: $0, within: span) }
        return (
            block.possible || both.contains { !$0.isDisjoint(with: hiding) },
            block.certain || both.contains { $0.isSubset(of: hiding) }
        )
    }

    private func said(_ kind: ValueFact.Kind, by user: String, within span: Span) -> Set<String> {
        values[.init(kind, of: user)]?.values(within: span) ?? [ValueFact.no]
    }
}

// The checks of presence and typing.
extension Audit {
    /// How late an Update may arrive while there are faults, in microseconds.
    private static let latest: Int64 = 30_000_000

    mutating func checkPresence() {
        let rules = PresenceRules(values: values)
        for fact in facts.presence {
            let possible = rules.possible(fact)
            if possible.count == 1 {
                count { possible == [ValueFact.offline] ? ($0.closed += 1) : ($0.presence += 1) }
            }
            guard !possible.contains(fact.status) else { continue }
            found(
                .presence,
                "\(fact.device) was \(fact.isTold ? "told" : "answered") that \(fact.user) (\(fact.relation)) is "
                    + "“\(fact.status)”, but must be shown “\(possible.sorted().joined(separator: "” or “"))”")
        }
    }

    mutating func checkTyping() {
        let (rules, windows) = (PresenceRules(values: values), Windows(facts))
        let quiet = facts.quietFrom ?? .max
        for fact in facts.typing {
            count { $0.typing += 1 }
            let span = fact.at >= quiet ? Span(quiet, fact.at) : Span(fact.at - Self.latest, fact.at)
            let isGroup = !fact.conversation.contains("_")
            let isClosed = rules.closes(fact.reader, fact.user, isGroup: isGroup, within: span).certain
            let isOutside = [fact.reader, fact.user].contains {
                windows.verdict(on: $0, in: fact.conversation, span) == .mustNot
            }
            guard isClosed || isOutside else { continue }
            found(
                .presence,
                "\(fact.reader) heard at \(Double(fact.at) / 1e6) s that \(fact.user) types in \(fact.conversation), "
                    + (isClosed ? "despite a block or hiding" : "but one of them was not a member"))
        }
        let heard = Set(facts.typing.filter { $0.at >= quiet }.map { [$0.reader, $0.user, $0.conversation] })
        let end = Span(.max - 1, .max)
        for fact in facts.finalTyping where windows.isMemberAtEnd(fact.user, of: fact.conversation) {
            let isGroup = !fact.conversation.contains("_")
            for reader in facts.listeners where reader != fact.user {
                guard windows.isMemberAtEnd(reader, of: fact.conversation),
                    !rules.closes(reader, fact.user, isGroup: isGroup, within: end).possible
                else { continue }
                count { $0.heardTyping += 1 }
                if !heard.contains([reader, fact.user, fact.conversation]) {
                    found(.presence, "\(reader) did not hear that \(fact.user) types in \(fact.conversation)")
                }
            }
        }
    }
}
