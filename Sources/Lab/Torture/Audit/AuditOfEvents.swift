/// An event that a person tried to create, what became of it, and who answered.
public struct EventFact: Attempted, Hashable, Sendable {
    public struct Answer: Hashable, Sendable {
        public enum Status: String, Sendable { case accepted, tentative, declined }

        public var status: Status
        public var guests: Int

        public init(_ status: Status, guests: Int = 0) { (self.status, self.guests) = (status, guests) }

        /// Whether leaving all invited conversations does not take it back.
        var isKept: Bool { status != .declined }
    }

    /// The id in hexadecimal digits.
    public var id: String
    public var user: String
    public var title: String
    /// The conversations that were invited.
    public var conversations: Set<String> = []
    public var creation = Outcome<Bool>.unknown("not asked")
    public var span = Span(.max, 0)
    /// Whether it was called off; nil if that is uncertain.
    public var isCancelled: Bool? = false
    /// Whether it was deleted; nil if that is uncertain.
    public var isDeleted: Bool? = false

    public init(id: String, user: String, title: String) { (self.id, self.user, self.title) = (id, user, title) }
}

/// A person's answer to an event.
public struct AnswerFact: Hashable, Sendable {
    public var event: String
    public var user: String
    /// The last answer; nil if it is uncertain.
    public var answer: EventFact.Answer?

    public init(event: String, user: String, answer: EventFact.Answer?) {
        (self.event, self.user, self.answer) = (event, user, answer)
    }
}

// The check of events and of the answers to them.
extension Audit {
    mutating func checkEvents() {
        var answers: [String: [String: EventFact.Answer?]] = [:]
        for answer in facts.answers { answers[answer.event, default: [:]][answer.user] = answer.answer }
        for event in facts.events {
            // Whoever creates an event accepts it.
            var given = [event.user: EventFact.Answer(.accepted)].merging(answers[event.id] ?? [:]) { $1 }
            for user in given.keys where mayBeApart(user, from: event) { given[user] = .some(nil) }
            checkStored(event)
            checkUnseen(event)
            if event.creation.reply != nil, event.isDeleted == false { checkAnswers(given, to: event) }
        }
        let known = Dictionary(facts.events.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for (user, state) in facts.fresh {
            for (id, event) in state.events where known[id]?.title != event.title {
                found(.invented, "\(user) holds the event \(id), but nobody created it so: \(event)")
            }
        }
    }

    /// Whether a block may have taken the person out of the event. Its end brings no answer back.
    private func mayBeApart(_ user: String, from event: EventFact) -> Bool {
        values.block(between: user, event.user, within: Span(event.span.began, .max)).possible
    }

    /// Checks that nobody holds the event whom a block parts from its creator.
    private mutating func checkUnseen(_ event: EventFact) {
        for (user, state) in facts.fresh.sorted(by: { $0.key < $1.key }) where user != event.user {
            guard values.block(between: user, event.user, within: Span(.max, .max)).certain else { continue }
            if let held = state.events[event.id] {
                found(.event, "\(user) holds the event \(event.id) of \(event.user) despite a block: \(held)")
            }
        }
    }

    private mutating func checkStored(_ event: EventFact) {
        guard let fresh = facts.fresh[event.user] else { return }
        let stored = fresh.events[event.id]
        switch event.creation {
        case .accepted:
            count { $0.events += 1 }
            if event.isDeleted == true, let stored {
                return found(.event, "\(event.id) of \(event.user) was deleted, but is stored: \(stored)")
            }
            guard let stored else {
                guard event.isDeleted == false else { return }
                return found(.event, "\(event.id) of \(event.user) was acknowledged but is not stored")
            }
            if let isCancelled = event.isCancelled, stored.isCancelled != isCancelled {
                found(.event, "\(event) is stored as \(stored)")
            }
        case .refused(let code):
            if stored != nil { found(.refused, "the event \(event.id) was refused (\(code)) but is stored") }
        case .unknown: break
        }
    }

    /// Checks that each person's last answer is stored, and that the event counts each once.
    private mutating func checkAnswers(_ answers: [String: EventFact.Answer?], to event: EventFact) {
        for (user, answer) in answers.sorted(by: { $0.key < $1.key }) {
            guard let answer, let fresh = facts.fresh[user] else { continue }
            count { $0.answers += 1 }
            // Whoever declined loses sight of an event when they leave its conversations.
            guard let stored = fresh.events[event.id] else {
                if answer.isKept || user == event.user {
                    found(.event, "\(user) answered the event \(event.id) with \(answer), but does not hold it")
                }
                continue
            }
            if stored.own != answer {
                let own = stored.own.map { "\($0)" } ?? "nothing"
                found(.event, "\(user) answered the event \(event.id) with \(answer), but \(own) is stored")
            }
        }
        guard let stored = facts.fresh[event.user]?.events[event.id] else { return }
        let certain = answers.values.compactMap { $0 }
        guard certain.count == answers.count else { return }
        let accepted = certain.filter { $0.status == .accepted }
        let expected = (
            accepted.count, certain.count { $0.status == .tentative }, accepted.reduce(0) { $0 + 1 + $1.guests }
        )
        if expected != (stored.accepted, stored.tentative, stored.coming) {
            found(
                .event,
                "the answers to the event \(event.id) are \(expected) accepted, tentative and coming, but it counts "
                    + "\((stored.accepted, stored.tentative, stored.coming))")
        }
    }
}
