import ParleyClient

// Decisions, private or shared with conversations.
extension Person {
    /// Records a decision. Two of three are shared, and half of these replace an earlier one, perhaps of somebody else.
    func decide(_ choice: Choice) async {
        let id = await home.newID()
        var request = Parley_V1_CreateDecisionRequest()
        request.id = .init(id.bytes)
        texts += 1
        request.text = "decision \(texts) of \(name)"
        if choice.which[0] % 3 != 0, let conversation = choice.pick(await residents[0].writable, by: 1) {
            (request.conversation, request.shared) = (conversation, true)
            if choice.which[2] % 2 == 0 {
                let earlier = await residents[0].shown(.decisionShared, in: conversation)
                request.supersedes = choice.pick(earlier, by: 3) ?? .init()
            }
        }
        let client = residents[choice.which[3] % 2].client
        var fact = DecisionFact(id: id.description, user: user, text: request.text)
        (fact.conversation, fact.supersedes) = (request.conversation, request.supersedes.hexDigits)
        fact.isShared = request.shared
        let isMade = await attempt("decide \(id) \(request.conversation)", &fact, recorder.decision) {
            () throws(ParleyError) in _ = try await client.createDecision(request)
        }
        if isMade { decisions[fact.id] = (id, fact) }
    }

    /// Creates something, with the same id up to four times while that may help.
    /// - Returns: whether it was acknowledged.
    func attempt<Fact: Attempted>(
        _ action: String, _ fact: inout Fact, _ record: (Fact) -> Void,
        _ create: nonisolated(nonsending) () async throws(ParleyError) -> Void
    ) async -> Bool {
        for attempt in 1...4 {
            let (span, outcome) = await recorder.call(name, "\(action) (\(attempt))", create)
            fact.note(Outcome(outcome) { _ in true }, span)
            record(fact)
            guard case .failure(let error) = outcome else { return true }
            guard error.isRetriable, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(300 * attempt))
        }
        return false
    }

    func deleteDecision(_ choice: Choice) async {
        guard let key = choice.pick(decisions.keys.sorted()), let (id, before) = decisions[key] else { return }
        var fact = before
        let client = residents[choice.which[1] % 2].client
        let (_, outcome) = await recorder.call(name, "delete the decision \(id)") { () throws(ParleyError) in
            try await client.deleteDecision(id)
        }
        switch outcome {
        case .success: (fact.isDeleted, decisions[key]) = (true, nil)
        // The deletion may take effect at any time from now on.
        case .failure(let error) where !error.isDefinite: (fact.isDeleted, decisions[key]) = (nil, (id, fact))
        case .failure: return
        }
        recorder.decision(fact)
    }
}
