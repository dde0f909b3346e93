/// The periods of membership, as far as the replies make them certain.
struct Windows {
    enum Verdict { case must, mustNot, may }

    private struct Key: Hashable {
        var conversation: String
        var user: String
    }

    private var changes: [Key: [MembershipFact]] = [:]

    init(_ facts: Facts) {
        let made = Set(facts.conversations.map(\.id))
        for change in facts.memberships {
            // The confirmed creation supersedes unconfirmed joins of initial members.
            if change.by == nil, change.joins, !change.isCertain, made.contains(change.conversation) { continue }
            changes[Key(conversation: change.conversation, user: change.user), default: []].append(change)
        }
        for conversation in facts.conversations {
            for user in conversation.users {
                let joined = MembershipFact(
                    conversation: conversation.id, user: user, joins: true,
                    span: Span(0, conversation.span.ended), isCertain: true)
                changes[Key(conversation: conversation.id, user: user), default: []].append(joined)
            }
        }
    }

    /// The initial members who certainly never left.
    var alwaysMembers: [(conversation: String, user: String)] {
        changes.keys.filter { isAlwaysMember($0.user, of: $0.conversation) }
            .map { ($0.conversation, $0.user) }.sorted { "\($0)" < "\($1)" }
    }

    func isAlwaysMember(_ user: String, of conversation: String) -> Bool {
        let changes = changes[Key(conversation: conversation, user: user)] ?? []
        return changes.allSatisfy(\.joins) && changes.contains { $0.span.began == 0 }
    }

    /// Whether the person may have left and missed changes made since.
    func mayHaveLeft(_ user: String, _ conversation: String) -> Bool {
        changes[Key(conversation: conversation, user: user)]?.contains { !$0.joins } ?? false
    }

    /// Whether the person may have left and returned. A new client then reads only from the return on.
    func mayHaveReturned(_ user: String, to conversation: String) -> Bool {
        changes[Key(conversation: conversation, user: user)]?.count(where: \.joins) ?? 0 > 1
    }

    /// Whether the person is certainly a member when everything has ended.
    func isMemberAtEnd(_ user: String, of conversation: String) -> Bool {
        verdict(on: user, in: conversation, Span(.max - 1, .max)) == .must
    }

    /// Returns the messages of a state that a new client can hold as well. After a person leaves and returns, a new
    /// client reads from the return on, while a permanent client still holds the earlier messages.
    func comparable(_ state: ClientState, to fresh: ClientState, of user: String) -> [String: [StoredMessage]] {
        var messages = state.messages
        for (conversation, held) in messages where !isAlwaysMember(user, of: conversation) {
            guard mayHaveReturned(user, to: conversation) else { continue }
            let first = fresh.messages[conversation]?.first?.seq ?? .max
            let shown = held.filter { $0.seq >= first }
            messages[conversation] = shown.isEmpty ? nil : shown
        }
        return messages
    }

    /// Whether the person must, must not or may read a message that was sent within `span`.
    ///
    /// A person who left and returned reads from the return on. Nothing is promised about earlier messages.
    func verdict(on user: String, in conversation: String, _ span: Span) -> Verdict {
        let changes = changes[Key(conversation: conversation, user: user)] ?? []
        let joins = changes.filter(\.joins)
        let leaves = changes.filter { !$0.joins }
        let joinedBefore = joins.filter { $0.isCertain && $0.span.ended < span.began }
        // Joined before the message and certainly still a member.
        if let joined = joinedBefore.map(\.span.began).min() {
            if !leaves.contains(where: { $0.span.ended > joined }) { return .must }
            let last = joinedBefore.map(\.span.began).max() ?? 0
            if !leaves.contains(where: { $0.span.ended > last && $0.span.began < span.ended }),
                !joins.contains(where: { $0.span.ended > span.ended && $0.span.began > last })
            {
                return .must
            }
        }
        let out = leaves.filter { $0.isCertain && $0.span.ended < span.began }.map(\.span.began).max()
        if let out, !joins.contains(where: { $0.span.ended > out && $0.span.began < span.ended }) { return .mustNot }
        if !joins.contains(where: { $0.span.began < span.ended }) { return .mustNot }
        return .may
    }
}
