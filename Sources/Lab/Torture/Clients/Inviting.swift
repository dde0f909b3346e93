import ParleyClient

// Events, of oneself or with conversations invited.
extension Person {
    /// Creates an event on a day of next year and invites up to two conversations. Half of them recur.
    func createEvent(_ choice: Choice) async {
        let id = await home.newID()
        texts += 1
        var request = Parley_V1_CreateEventRequest()
        (request.id, request.title) = (.init(id.bytes), "event \(texts) of \(name)")
        request.when.date = "2040-05-\(10 + choice.which[0] % 20)"
        (request.when.time, request.when.timeZone) = ("19:30", "Europe/Zurich")
        if choice.which[1] % 2 == 0 { request.recurrence = "FREQ=WEEKLY;COUNT=5" }
        let writable = await residents[0].writable
        let invited = Set([2, 3].prefix(choice.which[0] % 3).compactMap { choice.pick(writable, by: $0) })
        request.conversations = invited.sorted()
        let client = residents[choice.which[3] % 2].client
        var fact = EventFact(id: id.description, user: user, title: request.title)
        fact.conversations = invited
        let isMade = await attempt("create the event \(id) for \(invited)", &fact, recorder.event) {
            () throws(ParleyError) in _ = try await client.createEvent(request)
        }
        if isMade { events[fact.id] = (id, fact) }
    }

    /// Answers an own event or one that a conversation shows.
    func answerEvent(_ choice: Choice) async {
        var seen = events.keys.sorted()
        var conversation = ""
        if choice.which[0] % 4 != 0, let one = choice.pick(await residents[0].writable, by: 1) {
            seen = await residents[0].shown(.eventShared, in: one).map(\.hexDigits)
            if choice.which[0] % 2 == 0 { conversation = one }
        }
        guard let key = choice.pick(seen, by: 2), let id = UUIDv7(key) else { return }
        let status: EventFact.Answer.Status = [.accepted, .accepted, .tentative, .declined][choice.which[3] % 4]
        let answer = EventFact.Answer(status, guests: status == .declined ? 0 : choice.which[3] % 3)
        let client = residents[choice.which[1] % 2].client
        let (_, outcome) = await recorder.call(name, "answer the event \(id) with \(answer) from “\(conversation)”") {
            () throws(ParleyError) in
            try await client.answerEvent(
                id, .init(status), guests: UInt32(answer.guests), from: conversation)
        }
        switch outcome {
        case .success: break
        // The answer may take effect at any time from now on.
        case .failure(let error) where !error.isDefinite: uncertainAnswers.insert(key)
        case .failure: return
        }
        let last = uncertainAnswers.contains(key) ? nil : answer
        recorder.answer(AnswerFact(event: key, user: user, answer: last))
    }

    /// Calls an own event off, or deletes it.
    func endEvent(_ choice: Choice) async {
        guard let key = choice.pick(events.keys.sorted()), let (id, before) = events[key] else { return }
        var fact = before
        let isDeletion = choice.which[2] % 2 == 0
        let client = residents[choice.which[1] % 2].client
        let (_, outcome) = await recorder.call(name, "\(isDeletion ? "delete" : "call off") the event \(id)") {
            () throws(ParleyError) in
            isDeletion ? try await client.deleteEvent(id) : try await client.cancelEvent(id)
        }
        var isDone: Bool? = true
        if case .failure(let error) = outcome {
            guard !error.isDefinite else { return }
            // It may take effect at any time from now on.
            isDone = nil
        }
        if isDeletion {
            fact.isDeleted = isDone
        } else if fact.isCancelled != true {
            fact.isCancelled = isDone
        }
        events[key] = fact.isDeleted == true ? nil : (id, fact)
        recorder.event(fact)
    }
}

extension Parley_V1_AttendanceStatus {
    init(_ status: EventFact.Answer.Status) {
        switch status {
        case .accepted: self = .accepted
        case .tentative: self = .tentative
        case .declined: self = .declined
        }
    }
}
