// The check of decisions.
extension Audit {
    mutating func checkDecisions() {
        let known = Dictionary(facts.decisions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for decision in facts.decisions { checkStored(decision) }
        checkSuperseding(known)
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
}
