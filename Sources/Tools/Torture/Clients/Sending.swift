import ParleyClient

// Messages: once, twice at once, again, and such as must be refused.
extension Person {
    func sendOne(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        await send(text(choice), to: conversation, id: await home.newID(), attempts: 1 + choice.which[2] % 6)
    }

    /// Sends through one gateway and then the other until the outcome is known, or enough was tried.
    @discardableResult
    func send(_ text: String, to conversation: String, id: UUIDv7, attempts: Int) async -> Bool {
        for attempt in 0..<attempts {
            let client = residents[(attempt + texts) % 2].client
            switch await sendOnce(text, to: conversation, id: id, by: client) {
            case .accepted:
                remember(id, conversation, text)
                return true
            case .refused(let code) where code != "rate_limited": return false
            case .refused, .unknown: break
            }
            if Task.isCancelled { return false }
            try? await Task.sleep(for: .milliseconds(100 * (attempt + 1)))
        }
        return false
    }

    func sendOnce(
        _ text: String, to conversation: String, id: UUIDv7, by client: ParleyClient, mustBeRefused: Bool = false
    ) async -> Outcome<Int64> {
        let (span, outcome) = await recorder.ask(name, "send \(id) to \(conversation)") { () throws(ParleyError) in
            try await client.send(text, to: conversation, id: id)
        }
        recorder.attempt(id, to: conversation, by: user, text, mustBeRefused: mustBeRefused, span, outcome)
        return Outcome(outcome, \.seq)
    }

    /// Does as an app does, until the load is over: one message after the other, each sent again until it is taken.
    /// That must get it through whatever is broken; no refusal may be left for a person to see.
    func keepWriting() async {
        let people = world.people
        let other = people[(number + 1) % people.count]
        var talk: String?
        while !recorder.isLoadOver, !Task.isCancelled {
            if let talk {
                await sendReliably(to: talk)
            } else if await start(with: other, by: home) != nil {
                // Who is started with as well has not to be asked.
                talk = await other.start(with: self, by: other.home)
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    private func sendReliably(to conversation: String) async {
        let id = await home.newID()
        texts += 1
        let text = "\(name) \(texts), sent until it is taken"
        let (span, outcome) = await recorder.ask("\(name)'s app", "send \(id) reliably") { () throws(ParleyError) in
            try await home.sendReliably(text, to: conversation, id: id)
        }
        // A refusal is the last of several tries: one before it may have got through.
        let known = outcome.mapError { ParleyError(code: "unavailable", message: "at last: \($0)") }
        recorder.attempt(id, to: conversation, by: user, text, span, known)
        switch outcome {
        case .success: recorder.reliablySent(after: span.ended - span.began)
        // The run ended meanwhile.
        case .failure(let error) where ["cancelled", "closed"].contains(error.code): break
        // A token made by a wrong clock may be over.
        case .failure(let error) where error.code == "unauthenticated" && recorder.facts.faults[.clock] != nil: break
        case .failure(let error): recorder.trouble("\(name)'s app was refused a message for good: \(error)")
        }
    }

    private func remember(_ id: UUIDv7, _ conversation: String, _ text: String) {
        if taken.count >= 200 { taken.removeFirst(100) }
        taken.append(SendFact(id: id.description, conversation: conversation, sender: user, text: text, attempts: []))
        takenIDs[id.description] = id
    }

    /// The same id through both gateways at the same moment.
    func sendTwice(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let text = text(choice)
        let id = await home.newID()
        async let first = sendOnce(text, to: conversation, id: id, by: home)
        async let second = sendOnce(text, to: conversation, id: id, by: away)
        if await (first.reply != nil, second.reply != nil) != (false, false) { remember(id, conversation, text) }
    }

    /// A message that was taken before, perhaps before processes were started again.
    func sendAgain(_ choice: Choice) async {
        guard let old = choice.pick(taken), let id = takenIDs[old.id] else { return }
        _ = await sendOnce(old.text, to: old.conversation, id: id, by: residents[choice.which[1] % 2].client)
    }

    func sendBadly(_ choice: Choice) async {
        let id = await home.newID()
        let client = residents[choice.which[1] % 2].client
        switch choice.which[2] % 4 {
        case 0:
            guard let conversation = choice.pick(await residents[0].writable) else { return }
            _ = await sendOnce("", to: conversation, id: id, by: client, mustBeRefused: true)
        case 1:
            guard let stranger = choice.pick(world.groupsWithout(user)) else { return }
            guard recorder.memberships(of: user).allSatisfy({ $0.conversation != stranger.id }) else { return }
            _ = await sendOnce(text(choice), to: stranger.id, id: id, by: client, mustBeRefused: true)
        case 2:
            guard let group = lastLeft else { return }
            // They may be let in again meanwhile: the audit says whether it had to be refused.
            _ = await sendOnce(text(choice), to: group, id: id, by: client)
        default:
            _ = await sendOnce(text(choice), to: "0123nowhere", id: id, by: client, mustBeRefused: true)
        }
    }

    /// The group that the person was last known to be out of, and still is as far as known.
    private var lastLeft: String? {
        var known = Facts()
        known.memberships = recorder.memberships(of: user)
        let windows = Windows(known)
        let now = recorder.now
        return known.memberships.filter { change in
            !change.joins && change.isCertain
                && windows.verdict(on: user, in: change.conversation, Span(now, now)) == .mustNot
        }.max { $0.span.ended < $1.span.ended }?.conversation
    }

    /// Mostly short, at times long: it says who wrote it as the how-many-eth.
    func text(_ choice: Choice) -> String {
        texts += 1
        let filler = choice.which[3] % 50 == 0 ? 8000 : choice.which[3] % 120
        return "\(name) \(texts) " + String(repeating: "x", count: filler)
    }
}
