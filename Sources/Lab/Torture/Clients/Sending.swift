import ParleyClient

// Sends messages: once, twice at the same time, again, and invalid ones.
extension Person {
    func sendOne(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        await send(text(choice), to: conversation, id: await home.newID(), attempts: 1 + choice.which[2] % 6)
    }

    /// Sends a message through alternating gateways until the outcome is known or the attempts are used up.
    @discardableResult
    func send(
        _ text: String, _ media: Parley_V1_Media? = nil, to conversation: String, id: UUIDv7, attempts: Int
    ) async -> Bool {
        for attempt in 0..<attempts {
            let client = residents[(attempt + texts) % 2].client
            switch await sendOnce(text, media, to: conversation, id: id, by: client) {
            case .accepted:
                if media == nil { remember(id, conversation, text) }
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
        _ text: String, _ media: Parley_V1_Media? = nil, to conversation: String, id: UUIDv7, by client: ParleyClient,
        mustBeRefused: Bool = false
    ) async -> Outcome<Int64> {
        var request = Parley_V1_SendMessageRequest()
        request.id = .init(id.bytes)
        (request.conversation, request.kind, request.text) = (conversation, .text, text)
        if let media { (request.kind, request.media) = (.file, media) }
        let (span, outcome) = await recorder.call(name, "send \(id) to \(conversation)") {
            [request] () throws(ParleyError) in try await client.send(request)
        }
        recorder.attempt(
            id, to: conversation, by: user, StoredMessage.text(text, request.media), mustBeRefused: mustBeRefused, span,
            outcome)
        return Outcome(outcome, \.seq)
    }

    /// Writes messages until the load ends, as an app does, retrying each until it is accepted. No fault may make the
    /// client give up or report a refusal.
    func keepWriting() async {
        let people = world.people
        let other = people[(number + 1) % people.count]
        var talk: String?
        while !recorder.isLoadOver, !Task.isCancelled {
            if let talk {
                await sendReliably(to: talk)
            } else if await start(with: other, by: home) != nil {
                // Once both people have started the conversation, it is no longer a message request.
                talk = await other.start(with: self, by: other.home)
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    private func sendReliably(to conversation: String) async {
        let id = await home.newID()
        texts += 1
        let text = "\(name) \(texts), sent until accepted"
        let (span, outcome) = await recorder.call("\(name)'s app", "send \(id) reliably") { () throws(ParleyError) in
            try await home.sendReliably(text, to: conversation, id: id)
        }
        // The refusal is the result of the last attempt. An earlier attempt may have succeeded.
        let known = outcome.mapError { ParleyError(.unavailable, "at last: \($0)") }
        recorder.attempt(id, to: conversation, by: user, text, span, known)
        switch outcome {
        case .success: recorder.reliablySent(after: span.ended - span.began)
        // The run has ended.
        case .failure(let error) where ["cancelled", "closed"].contains(error.code): break
        // A token issued by a wrong clock may have expired.
        case .failure(let error) where error.hasCode(.unauthenticated) && recorder.facts.faults[.clock] != nil: break
        case .failure(let error): recorder.trouble("\(name)'s app could not send a message: \(error)")
        }
    }

    private func remember(_ id: UUIDv7, _ conversation: String, _ text: String) {
        if sent.count >= 200 { sent.removeFirst(100) }
        sent.append(SendFact(id: id.description, conversation: conversation, sender: user, text: text, attempts: []))
        sentIDs[id.description] = id
    }

    /// Sends the same id through both gateways at the same time.
    func sendTwice(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let text = text(choice)
        let id = await home.newID()
        async let first = sendOnce(text, to: conversation, id: id, by: home)
        async let second = sendOnce(text, to: conversation, id: id, by: away)
        if await (first.reply != nil, second.reply != nil) != (false, false) { remember(id, conversation, text) }
    }

    /// Sends again a message that was accepted earlier, perhaps before processes restarted.
    func sendAgain(_ choice: Choice) async {
        guard let old = choice.pick(sent), let id = sentIDs[old.id] else { return }
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
            // The person may be a member again meanwhile. The audit decides whether the message had to be refused.
            _ = await sendOnce(text(choice), to: group, id: id, by: client)
        default:
            _ = await sendOnce(text(choice), to: "0123nowhere", id: id, by: client, mustBeRefused: true)
        }
    }

    /// The group that the person left or was removed from last and, as far as known, has not joined again.
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

    /// Returns a new text with the person's name and a number. Most texts are short, one in 50 is long.
    func text(_ choice: Choice) -> String {
        texts += 1
        let filler = choice.which[3] % 50 == 0 ? 8000 : choice.which[3] % 120
        return "\(name) \(texts) " + String(repeating: "x", count: filler)
    }
}
