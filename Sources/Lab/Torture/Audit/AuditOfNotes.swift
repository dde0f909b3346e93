/// A system message about members who joined, left or were removed.
struct MemberNote: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Sendable { case joined, left, removed }

    var kind: Kind
    /// The user id of the person who did it.
    var actor: String
    var users: [String]

    init(_ kind: Kind, by actor: String, _ users: [String]) {
        (self.kind, self.actor, self.users) = (kind, actor, users)
    }

    /// Parses the text of a ``StoredMessage``; nil if it is not a note of a known kind.
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

// The check of system messages about members.
extension Audit {
    mutating func countNotes() {
        let notes = truth.values.reduce(0) { $0 + $1.values.count(where: \.isSystem) }
        count { $0.notes = notes }
    }

    /// Checks that each membership change that took effect has exactly one note, and that there are no other notes. For
    /// each person and conversation, some order of the confirmed and unconfirmed changes must explain the notes.
    mutating func checkNotes() {
        var stories: [MemberStory.Key: MemberStory] = [:]
        let made = Set(facts.conversations.map(\.id))
        for change in facts.memberships {
            // The confirmed creation tells who was a member and who was invited.
            if change.by == nil, change.joins, !change.isCertain, made.contains(change.conversation) { continue }
            let key = MemberStory.Key(conversation: change.conversation, user: change.user)
            stories[key, default: MemberStory()].add(change)
        }
        for conversation in facts.conversations {
            for user in conversation.users {
                stories[.init(conversation: conversation.id, user: user), default: MemberStory()].isInitialMember = true
            }
        }
        for (conversation, messages) in truth {
            for message in messages.values where message.isSystem {
                // Decisions have a check of their own. Only their messages are ever deleted.
                if message.isDeleted || CardNote(text: message.text) != nil { continue }
                guard let note = MemberNote(text: message.text) else {
                    found(.note, "a system message is of an unknown kind: \(message)")
                    continue
                }
                for user in note.users {
                    let step = MemberStory.Step(kind: note.kind, actor: note.actor)
                    stories[.init(conversation: conversation, user: user), default: MemberStory()].notes[
                        step, default: 0] +=
                        1
                }
            }
        }
        for (key, story) in stories.sorted(by: { "\($0.key)" < "\($1.key)" }) where !story.isExplained {
            found(.note, "\(key.user) in \(key.conversation): \(story)")
        }
    }
}

/// The changes of a person's membership in a conversation, and the notes about them. Pure.
struct MemberStory: CustomStringConvertible {
    struct Key: Hashable {
        var conversation: String
        var user: String
    }

    /// A membership change of one person, as in a note.
    struct Step: Hashable {
        var kind: MemberNote.Kind
        var actor: String
    }

    /// Whether the person was a member when the conversation was created, which has no note.
    var isInitialMember = false
    /// The number of notes for each step.
    var notes: [Step: Int] = [:]
    private var certain: [(step: Step, span: Span)] = []
    /// The start times of the changes with an unknown outcome, by step.
    private var uncertain: [Step: [Int64]] = [:]

    mutating func add(_ change: MembershipFact) {
        guard let actor = change.by else {
            isInitialMember = isInitialMember || change.joins
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

    /// A state of the search for an order.
    private struct State: Hashable {
        var done: Set<Int> = []
        var used: [Step: Int] = [:]
        var notes: [Step: Int] = [:]
        var isMember: Bool
    }

    /// Whether an order of all certain and some uncertain changes produces exactly these notes. A change that ended
    /// before another began comes first. Adding a member or removing a non-member has no effect.
    var isExplained: Bool {
        var waiting = [State(isMember: isInitialMember)]
        var seen = Set(waiting)
        while let state = waiting.popLast() {
            if state.done.count == certain.count, state.notes == notes { return true }
            for next in successors(of: state) where seen.insert(next).inserted { waiting.append(next) }
        }
        return false
    }

    private func successors(of state: State) -> [State] {
        let firstEnd = certain.indices.filter { !state.done.contains($0) }.map { certain[$0].span.ended }.min() ?? .max
        var found: [State] = []
        for index in certain.indices where !state.done.contains(index) && certain[index].span.began <= firstEnd {
            guard var next = applying(certain[index].step, to: state) ?? unchanged(by: certain[index].step, state)
            else { continue }
            next.done.insert(index)
            found.append(next)
        }
        for (step, begins) in uncertain {
            let used = state.used[step, default: 0]
            // A change that was begun earlier can take any position that one begun later can.
            guard used < begins.count, begins[used] <= firstEnd, var next = applying(step, to: state) else { continue }
            next.used[step] = used + 1
            found.append(next)
        }
        return found
    }

    /// Returns the state after a step that takes effect; nil if it has no effect or exceeds the notes.
    private func applying(_ step: Step, to state: State) -> State? {
        guard (step.kind == .joined) != state.isMember else { return nil }
        var next = state
        next.isMember.toggle()
        next.notes[step, default: 0] += 1
        return next.notes[step, default: 0] <= notes[step, default: 0] ? next : nil
    }

    private func unchanged(by step: Step, _ state: State) -> State? {
        (step.kind == .joined) == state.isMember ? state : nil
    }

    var description: String {
        let noted = notes.map { "\($0.value) × \($0.key.kind) by \($0.key.actor)" }.sorted()
        let done = certain.sorted { $0.span.began < $1.span.began }.map {
            "\($0.step.kind) by \($0.step.actor) at \(Double($0.span.began) / 1e6) s"
        }
        let unconfirmed = uncertain.map { "\($0.value.count) × \($0.key.kind) by \($0.key.actor)" }.sorted()
        return "no order of the changes explains the notes. Notes: \(noted). Confirmed: \(done). Unconfirmed: "
            + "\(unconfirmed). Initial member: \(isInitialMember)."
    }
}
