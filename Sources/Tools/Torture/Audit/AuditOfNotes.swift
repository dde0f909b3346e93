/// What a system message tells: who came or went, and by whom.
struct MemberNote: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Sendable { case joined, left, removed }

    var kind: Kind
    /// User id of who did it.
    var actor: String
    var users: [String]

    init(_ kind: Kind, by actor: String, _ users: [String]) {
        (self.kind, self.actor, self.users) = (kind, actor, users)
    }

    /// From the text a ``StoredMessage`` has of it; nil when that tells of nothing known.
    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 3, parts[1] == "by", parts[2].hasSuffix(":"), let kind = Kind(rawValue: parts[0]) else {
            return nil
        }
        self.init(kind, by: String(parts[2].dropLast()), Array(parts[3...]))
        guard !actor.isEmpty, users.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    var description: String { "\(kind) by \(actor): \(users.joined(separator: " "))" }
}

// What the conversations say of who came and went.
extension Audit {
    /// Every change of members that took effect is told once, and nothing else is: for each person in each
    /// conversation there must be an order of what was asked, as certain as the answers were, that explains the notes.
    mutating func checkNotes() {
        var stories: [MemberStory.Key: MemberStory] = [:]
        for change in facts.memberships {
            let key = MemberStory.Key(conversation: change.conversation, user: change.user)
            stories[key, default: MemberStory()].add(change)
        }
        for conversation in facts.conversations {
            for user in conversation.users {
                stories[.init(conversation: conversation.id, user: user), default: MemberStory()].isThereAtFirst = true
            }
        }
        for (conversation, messages) in truth {
            for message in messages.values where message.isSystem {
                count { $0.notes += 1 }
                guard let note = MemberNote(text: message.text) else {
                    found(.note, "a system message tells of nothing that is known: \(message)")
                    continue
                }
                for user in note.users {
                    let step = MemberStory.Step(kind: note.kind, actor: note.actor)
                    stories[.init(conversation: conversation, user: user), default: MemberStory()].told[
                        step, default: 0] +=
                        1
                }
            }
        }
        for (key, story) in stories.sorted(by: { "\($0.key)" < "\($1.key)" }) where !story.isExplained {
            found(.note, "of \(key.user) in \(key.conversation) \(story)")
        }
    }
}

/// What was done to one person's membership of one conversation, and what is told of it. Pure.
struct MemberStory: CustomStringConvertible {
    struct Key: Hashable {
        var conversation: String
        var user: String
    }

    /// What a note tells of one person.
    struct Step: Hashable {
        var kind: MemberNote.Kind
        var actor: String
    }

    /// Made with the conversation, of which no note tells.
    var isThereAtFirst = false
    /// How often each step is told.
    var told: [Step: Int] = [:]
    private var certain: [(step: Step, span: Span)] = []
    /// When each that may have taken effect was begun; the same step's are alike but for that.
    private var uncertain: [Step: [Int64]] = [:]

    mutating func add(_ change: MembershipFact) {
        guard let actor = change.by else {
            isThereAtFirst = isThereAtFirst || change.joins
            return
        }
        let kind: MemberNote.Kind = change.joins ? .joined : actor == change.user ? .left : .removed
        let step = Step(kind: kind, actor: actor)
        if change.isCertain {
            certain.append((step, change.span))
        } else {
            uncertain[step] = ((uncertain[step] ?? []) + [change.span.began]).sorted()
        }
    }

    /// How far an order has been followed.
    private struct State: Hashable {
        var done: Set<Int> = []
        var used: [Step: Int] = [:]
        var told: [Step: Int] = [:]
        var isMember: Bool
    }

    /// Whether there is an order in which all that is certain, and some of what is not, tells just this. What ended
    /// before another began stands before it; who is a member does not come again, who is none does not go.
    var isExplained: Bool {
        var waiting = [State(isMember: isThereAtFirst)]
        var seen = Set(waiting)
        while let state = waiting.popLast() {
            if state.done.count == certain.count, state.told == told { return true }
            for next in successors(of: state) where seen.insert(next).inserted { waiting.append(next) }
        }
        return false
    }

    private func successors(of state: State) -> [State] {
        let firstEnd = certain.indices.filter { !state.done.contains($0) }.map { certain[$0].span.ended }.min() ?? .max
        var found: [State] = []
        for index in certain.indices where !state.done.contains(index) && certain[index].span.began <= firstEnd {
            guard var next = taking(certain[index].step, from: state) ?? unchanged(by: certain[index].step, state)
            else { continue }
            next.done.insert(index)
            found.append(next)
        }
        for (step, begins) in uncertain {
            let used = state.used[step, default: 0]
            // Those begun first can stand wherever those begun later can.
            guard used < begins.count, begins[used] <= firstEnd, var next = taking(step, from: state) else { continue }
            next.used[step] = used + 1
            found.append(next)
        }
        return found
    }

    /// Nil: it has no effect, or more than is told.
    private func taking(_ step: Step, from state: State) -> State? {
        guard (step.kind == .joined) != state.isMember else { return nil }
        var next = state
        next.isMember.toggle()
        next.told[step, default: 0] += 1
        return next.told[step, default: 0] <= told[step, default: 0] ? next : nil
    }

    private func unchanged(by step: Step, _ state: State) -> State? {
        (step.kind == .joined) == state.isMember ? state : nil
    }

    var description: String {
        let notes = told.map { "\($0.value) × \($0.key.kind) by \($0.key.actor)" }.sorted()
        let done = certain.sorted { $0.span.began < $1.span.began }.map {
            "\($0.step.kind) by \($0.step.actor) at \(Double($0.span.began) / 1e6) s"
        }
        let perhaps = uncertain.map { "\($0.value.count) × \($0.key.kind) by \($0.key.actor)" }.sorted()
        return "is told: \(notes); no order explains it of what was done: \(done); perhaps: \(perhaps); a member at "
            + "first: \(isThereAtFirst)"
    }
}
