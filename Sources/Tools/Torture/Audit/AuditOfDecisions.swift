/// A system message that shows a decision in its conversation.
struct CardNote: Hashable, Sendable, CustomStringConvertible {
    /// The decision's id in hexadecimal digits.
    var decision: String
    /// The user id of the person who shared it.
    var actor: String
    /// The id of the decision that it replaces; empty: none.
    var supersedes: String

    init(decision: String, by actor: String, supersedes: String = "") {
        (self.decision, self.actor, self.supersedes) = (decision, actor, supersedes)
    }

    /// Parses the text of a ``StoredMessage``; nil if it shows no decision.
    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "decision", parts[2] == "by", parts[4] == "instead-of" else { return nil }
        self.init(decision: parts[1], by: parts[3], supersedes: parts[5])
    }

    var description: String { "decision \(decision) by \(actor) instead-of \(supersedes)" }
}

// The check of decisions, and of the messages that show them.
extension Audit {
    mutating func checkDecisions() {
        let known = Dictionary(facts.decisions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for decision in facts.decisions { checkStored(decision) }
        checkSuperseding(known)
        let cards = checkCards(known)
        let windows = Windows(facts)
        for decision in facts.decisions where decision.isShared && decision.creation.reply != nil {
            checkShown(decision, cards[decision.id] ?? [], windows)
        }
        for (user, state) in facts.fresh {
            for id in state.decisions.keys where known[id]?.user != user {
                found(.invented, "\(user) did not make the decision \(id)")
            }
        }
    }

    private mutating func checkStored(_ decision: DecisionFact) {
        guard let fresh = facts.fresh[decision.user] else { return }
        let stored = fresh.decisions[decision.id]
        switch decision.creation {
        case .accepted:
            count { $0.decisions += 1 }
            if decision.isDeleted == true, let stored {
                return found(.decision, "\(decision.id) of \(decision.user) was deleted, but is stored: \(stored)")
            }
            guard let stored else {
                guard decision.isDeleted == false else { return }
                return found(.decision, "\(decision.id) of \(decision.user) was acknowledged but is not stored")
            }
            let isSame =
                stored.text == decision.text && stored.conversation == decision.conversation
                && stored.isShared == decision.isShared && stored.supersedes == decision.supersedes
            if !isSame { found(.decision, "\(decision) is stored as \(stored)") }
        case .refused(let code):
            if stored != nil { found(.refused, "the decision \(decision.id) was refused (\(code)) but is stored") }
        case .unknown: break
        }
    }

    /// Checks that a decision names the one that replaces it exactly while that exists.
    private mutating func checkSuperseding(_ known: [String: DecisionFact]) {
        var all: [String: ClientState.Decision] = [:]
        for state in facts.fresh.values { all.merge(state.decisions) { $1 } }
        for (id, decision) in all.sorted(by: { $0.key < $1.key }) {
            if let earlier = all[decision.supersedes], earlier.supersededBy != id {
                found(.decision, "\(id) replaces \(decision.supersedes), which names “\(earlier.supersededBy)” instead")
            }
            let isKnown = known[decision.supersededBy].map { facts.fresh[$0.user] != nil } ?? true
            if !decision.supersededBy.isEmpty, isKnown, all[decision.supersededBy]?.supersedes != id {
                found(
                    .decision, "\(id) is replaced by \(decision.supersededBy), which does not exist or does not say so")
            }
        }
    }

    /// Checks each message that shows a decision, or showed one before it was deleted.
    /// - Returns: the messages by decision.
    private mutating func checkCards(_ known: [String: DecisionFact]) -> [String: [StoredMessage]] {
        var cards: [String: [StoredMessage]] = [:]
        var notes: [String: CardNote] = [:]
        for message in facts.announced where message.isSystem {
            if let note = CardNote(text: message.text) { notes[message.id] = note }
        }
        for (conversation, messages) in truth {
            for message in messages.values where message.isSystem {
                guard let note = CardNote(text: message.text) ?? (message.isDeleted ? notes[message.id] : nil) else {
                    continue
                }
                cards[note.decision, default: []].append(message)
                guard let decision = known[note.decision], decision.isShared, decision.conversation == conversation,
                    decision.user == note.actor, decision.supersedes == note.supersedes
                else {
                    found(.invented, "\(note) in \(conversation) shows what nobody shared there: \(message)")
                    continue
                }
                if case .refused(let code) = decision.creation {
                    found(.refused, "the decision \(decision.id) was refused (\(code)) but is shown: \(message)")
                }
                if message.isDeleted, decision.isDeleted == false {
                    found(.decision, "\(decision.id) was not deleted, but its message was: \(message)")
                }
            }
        }
        return cards
    }

    /// Checks that an acknowledged shared decision is shown once as long as it exists.
    private mutating func checkShown(_ decision: DecisionFact, _ cards: [StoredMessage], _ windows: Windows) {
        if cards.count > 1 { found(.doubled, "\(decision.id) is shown \(cards.count) times: \(cards)") }
        if decision.isDeleted == true, let card = cards.first(where: { !$0.isDeleted }) {
            found(.decision, "\(decision.id) was deleted, but is shown: \(card)")
        }
        guard cards.isEmpty else { return count { $0.cards += 1 } }
        guard decision.isDeleted == false, truth[decision.conversation] != nil else { return }
        // It is not shown if its author could no longer write when its message was due.
        let later = Span(decision.span.began, .max)
        if windows.verdict(on: decision.user, in: decision.conversation, later) == .must,
            !values.block(of: decision.user, in: decision.conversation, within: later).possible
        {
            found(.lost, "\(decision.id) of \(decision.user) is not shown in \(decision.conversation)")
        }
    }
}
