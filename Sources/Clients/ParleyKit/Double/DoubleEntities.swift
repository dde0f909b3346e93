import Foundation
import ParleyClient

/// The reminders, decisions, events and suggestions that a double was told of, by id.
struct DoubleEntities {
    var reminders: [Data: Parley_V1_Reminder] = [:]
    var decisions: [Data: Parley_V1_Decision] = [:]
    var events: [Data: Parley_V1_Event] = [:]
    var suggestions: [Data: Parley_V1_Suggestion] = [:]
    var settings = Parley_V1_SuggestionSettings()
}

extension ParleyDouble {
    @discardableResult
    func put(_ reminder: Parley_V1_Reminder) async -> Parley_V1_Reminder {
        var reminder = reminder
        reminder.position = nextPosition()
        entities.reminders[reminder.id] = reminder
        await commit([.put(.reminder(reminder))])
        return reminder
    }

    @discardableResult
    func put(_ decision: Parley_V1_Decision) async -> Parley_V1_Decision {
        var decision = decision
        decision.position = nextPosition()
        entities.decisions[decision.id] = decision
        await commit([.put(.decision(decision))])
        return decision
    }

    @discardableResult
    func put(_ event: Parley_V1_Event) async -> Parley_V1_Event {
        var event = event
        event.position = nextPosition()
        entities.events[event.id] = event
        await commit([.put(.event(event))])
        return event
    }

    @discardableResult
    func put(_ suggestion: Parley_V1_Suggestion) async -> Parley_V1_Suggestion {
        var suggestion = suggestion
        suggestion.position = nextPosition()
        entities.suggestions[suggestion.id] = suggestion
        await commit([.put(.suggestion(suggestion))])
        return suggestion
    }

    func answerAboutEntities(_ answers: inout DoubleAnswers) {
        answerAboutReminders(&answers)
        answerAboutDecisions(&answers)
        answerAboutEvents(&answers)
        answerAboutCalendars(&answers)
        answerAboutHosting(&answers)
        answerAboutSuggestions(&answers)
    }

    // MARK: Reminders

    private func answerAboutReminders(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.createReminder) { [unowned self] request throws(ParleyError) in
            await reply(
                .with {
                    ($0.id, $0.title, $0.dueAtUs) = (request.id, request.title, request.dueAtUs)
                    ($0.timeZone, $0.createdAtUs) = (request.timeZone, Date.now.microseconds)
                    ($0.conversation, $0.sourceMessage) = (request.conversation, request.sourceMessage)
                })
        }
        answers.on(EntitiesMethods.updateReminder) { [unowned self] request throws(ParleyError) in
            var reminder = try known(entities.reminders[request.id], "reminder")
            if case .title(let title) = request.changeTitle { reminder.title = title }
            if case .dueAtUs(let due) = request.changeDue { reminder.dueAtUs = due }
            return await reply(reminder)
        }
        answers.on(EntitiesMethods.snoozeReminder) { [unowned self] request throws(ParleyError) in
            var reminder = try known(entities.reminders[request.id], "reminder")
            (reminder.dueAtUs, reminder.firedAtUs) = (request.untilUs, 0)
            return await reply(reminder)
        }
        answers.on(EntitiesMethods.completeReminder) { [unowned self] request throws(ParleyError) in
            var reminder = try known(entities.reminders[request.id], "reminder")
            reminder.completed = request.completed
            return await reply(reminder)
        }
        answers.on(EntitiesMethods.deleteReminder) { [unowned self] request throws(ParleyError) in
            var reminder = try known(entities.reminders[request.id], "reminder")
            reminder.deletedAtUs = Date.now.microseconds
            return await reply(reminder)
        }
    }

    private func reply(_ reminder: Parley_V1_Reminder) async -> Parley_V1_ReminderReply {
        let stored = await put(reminder)
        return .with { $0.reminder = stored }
    }

    private func known<Entity>(_ entity: Entity?, _ what: String) throws(ParleyError) -> Entity {
        guard let entity else { throw .missing(what) }
        return entity
    }

    // MARK: Decisions

    private func answerAboutDecisions(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.createDecision) { [unowned self] request throws(ParleyError) in
            if !request.supersedes.isEmpty { try await supersede(request.supersedes, by: request.id) }
            return await reply(
                .with {
                    ($0.id, $0.user, $0.text) = (request.id, me.id.rawValue, request.text)
                    ($0.conversation, $0.shared) = (request.conversation, request.shared)
                    ($0.sourceMessage, $0.supersedes) = (request.sourceMessage, request.supersedes)
                    $0.createdAtUs = Date.now.microseconds
                })
        }
        answers.on(EntitiesMethods.deleteDecision) { [unowned self] request throws(ParleyError) in
            var decision = try known(entities.decisions[request.id], "decision")
            decision.deletedAtUs = Date.now.microseconds
            return await reply(decision)
        }
    }

    private func supersede(_ id: Data, by later: Data) async throws(ParleyError) {
        guard var earlier = entities.decisions[id], earlier.deletedAtUs == 0 else {
            throw .refused(.decisionNotFound, "There is no such decision.")
        }
        guard earlier.supersededBy.isEmpty || earlier.supersededBy == later else {
            throw .refused(.alreadySuperseded, "A later decision has replaced this one. Supersede that one.")
        }
        earlier.supersededBy = later
        await put(earlier)
    }

    private func reply(_ decision: Parley_V1_Decision) async -> Parley_V1_DecisionReply {
        let stored = await put(decision)
        return .with { $0.decision = stored }
    }

    // MARK: Events

    private func answerAboutEvents(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.createEvent) { [unowned self] request throws(ParleyError) in
            let made = await reply(
                Parley_V1_Event.with {
                    ($0.id, $0.creator, $0.title, $0.when) = (request.id, me.id.rawValue, request.title, request.when)
                    ($0.location, $0.link, $0.notes) = (request.location, request.link, request.notes)
                    ($0.recurrence, $0.conversations) = (request.recurrence, request.conversations)
                    ($0.conversation, $0.sourceMessage) = (request.conversation, request.sourceMessage)
                    $0.remindMinutes = 30
                    ($0.accepted, $0.coming, $0.hosts) = (1, 1, [me.id.rawValue])
                    ($0.own.user, $0.own.status, $0.own.host) = (me.id.rawValue, .accepted, true)
                    $0.createdAtUs = Date.now.microseconds
                    $0.startsAtUs = Event.start(of: request.when)?.microseconds ?? 0
                })
            await share(request.id, request.conversations)
            return made
        }
        answers.on(EntitiesMethods.answerEvent) { [unowned self] request throws(ParleyError) in
            try await change(request.id) { $0.take(request, of: me.id.rawValue) }
        }
        answers.on(EntitiesMethods.updateEvent) { [unowned self] request throws(ParleyError) in
            try await hosting(request.id) { event throws(ParleyError) in
                var changed = event
                changed.take(request)
                guard changed != event else { return }
                guard event.version == request.version else {
                    throw .refused(
                        .eventChanged,
                        "Others have changed it: look at version \(event.version) of the event before you change it."
                    )
                }
                guard event.cancelledAtUs == 0 else { throw .refused(.eventCancelled, "The event was called off.") }
                event = changed
                event.version += 1
            }
        }
        answers.on(EntitiesMethods.getEvent) { [unowned self] request throws(ParleyError) in
            let event = try known(entities.events[request.id], "event")
            if event.deletedAtUs != 0 { throw .missing("event") }
            return .with { $0.event = event }
        }
        answers.on(EntitiesMethods.getDecision) { [unowned self] request throws(ParleyError) in
            let decision = try known(entities.decisions[request.id], "decision")
            if decision.deletedAtUs != 0 { throw .missing("decision") }
            return .with { $0.decision = decision }
        }
        answers.on(EntitiesMethods.cancelEvent) { [unowned self] request throws(ParleyError) in
            try await hosting(request.id) { event throws(ParleyError) in
                guard event.cancelledAtUs == 0 else { return }
                event.cancelledAtUs = Date.now.microseconds
                event.version += 1
            }
        }
        answers.on(EntitiesMethods.deleteEvent) { [unowned self] request throws(ParleyError) in
            try await hosting(request.id, creatorOnly: true) { event throws(ParleyError) in
                event.deletedAtUs = Date.now.microseconds
            }
        }
    }

    /// Without recurrences: each event has its first date.
    private func answerAboutCalendars(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.listEvents) { [unowned self] request throws(ParleyError) in
            let events = entities.events.values.filter { event in
                event.deletedAtUs == 0 && (request.fromDate...request.toDate).contains(event.when.date)
                    && (request.conversation.isEmpty || event.conversations.contains(request.conversation))
            }
            return .with { reply in
                reply.dates = events.sorted { $0.startsAtUs < $1.startsAtUs }.map(\.firstDate)
            }
        }
        answers.on(EntitiesMethods.exportEvent) { [unowned self] request throws(ParleyError) in
            let event = try known(entities.events[request.id], "event")
            return .with {
                $0.calendar =
                    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:\(event.title)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
            }
        }
        answers.on(EntitiesMethods.createCalendarLink) { _ throws(ParleyError) in
            .with { $0.path = "/v1/calendar/double" }
        }
        answers.on(EntitiesMethods.deleteCalendarLink) { _ throws(ParleyError) in .init() }
    }

    private func answerAboutHosting(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.inviteConversation) { [unowned self] request throws(ParleyError) in
            let isNew = !(entities.events[request.id]?.conversations.contains(request.conversation) ?? true)
            let reply = try await hosting(request.id) { event throws(ParleyError) in
                guard isNew else { return }
                guard event.cancelledAtUs == 0 else { throw .refused(.eventCancelled, "The event was called off.") }
                event.conversations.append(request.conversation)
            }
            if isNew { await share(request.id, [request.conversation]) }
            return reply
        }
        answers.on(EntitiesMethods.uninviteConversation) { [unowned self] request throws(ParleyError) in
            try await hosting(request.id) { event throws(ParleyError) in
                event.conversations.removeAll { $0 == request.conversation }
            }
        }
        answers.on(EntitiesMethods.setEventHost) { [unowned self] request throws(ParleyError) in
            try await hosting(request.id) { event throws(ParleyError) in
                event.askedHosts.removeAll { $0 == request.user }
                if request.host { event.askedHosts.append(request.user) }
                if !request.host { event.hosts.removeAll { $0 == request.user } }
            }
        }
        answers.on(EntitiesMethods.listAttendees) { [unowned self] request throws(ParleyError) in
            let event = try known(entities.events[request.id], "event")
            return .with { $0.attendees = event.own.status == .pending ? [] : [event.own] }
        }
    }

    /// Changes an event that I host.
    @discardableResult
    private func hosting(
        _ id: Data, creatorOnly: Bool = false, _ body: (inout Parley_V1_Event) throws(ParleyError) -> Void
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        let event = try known(entities.events[id], "event")
        guard event.own.host, !creatorOnly || event.creator == me.id.rawValue else {
            throw .refused(.notHost, "Only the creator of the event and its co-hosts may do this. Ask one of them.")
        }
        return try await change(id, body)
    }

    private func change(
        _ id: Data, _ body: (inout Parley_V1_Event) throws(ParleyError) -> Void
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        var event = try known(entities.events[id], "event")
        guard event.deletedAtUs == 0 else { throw .missing("event") }
        try body(&event)
        return await reply(event)
    }

    private func reply(_ event: Parley_V1_Event) async -> Parley_V1_EventReply {
        var event = event
        event.version = max(event.version, 1)
        let stored = await put(event)
        return .with { ($0.event, $0.position) = (stored, stored.position) }
    }

    // MARK: Suggestions

    private func answerAboutSuggestions(_ answers: inout DoubleAnswers) {
        answers.on(EntitiesMethods.acceptSuggestion) { [unowned self] request throws(ParleyError) in
            let known = entities.suggestions[request.id] ?? .with { $0.id = request.id }
            var suggestion = known
            if case .title(let changed) = request.changeTitle { suggestion.title = changed }
            if case .location(let location) = request.changeLocation { suggestion.location = location }
            if request.hasWhen { suggestion.when = request.when }
            if case .dueAtUs(let due) = request.changeDue { suggestion.dueAtUs = due }
            let title = suggestion.title
            var made = Parley_V1_AcceptSuggestionReply()
            let id = Data(nextID().bytes)
            switch suggestion.kind {
            case .reminder:
                made.reminder = await reply(
                    Parley_V1_Reminder.with {
                        ($0.id, $0.title, $0.dueAtUs) = (id, title, suggestion.dueAtUs)
                        ($0.conversation, $0.sourceMessage) = (suggestion.conversation, suggestion.sourceMessage)
                    }
                ).reminder
            case .event:
                made.event = await reply(suggestion.event(id, title, by: me.id.rawValue)).event
                if !suggestion.conversation.isEmpty { await share(id, [suggestion.conversation]) }
            case .decision:
                made.decision = await reply(
                    Parley_V1_Decision.with {
                        ($0.id, $0.text, $0.user, $0.shared) = (id, title, me.id.rawValue, request.shared)
                        $0.conversation = suggestion.conversation
                    }
                ).decision
            default: break
            }
            made.suggestion = await end(known, .accepted)
            made.position = made.suggestion.position
            return made
        }
        answers.on(EntitiesMethods.dismissSuggestion) { [unowned self] request throws(ParleyError) in
            let suggestion = entities.suggestions[request.id] ?? .with { $0.id = request.id }
            let ended = await end(suggestion, .dismissed)
            return .with { $0.suggestion = ended }
        }
        answers.on(EntitiesMethods.getSuggestionSettings) { [unowned self] _ throws(ParleyError) in entities.settings }
        answers.on(EntitiesMethods.updateSuggestionSettings) { [unowned self] request throws(ParleyError) in
            entities.settings.conversations.removeAll { $0 == request.conversation }
            if request.conversation.isEmpty {
                entities.settings.off = request.off
            } else if request.off {
                entities.settings.conversations.append(request.conversation)
            }
            return entities.settings
        }
        answers.on(EntitiesMethods.getModelReading) { _ throws(ParleyError) in .init() }
        answers.on(EntitiesMethods.updateModelReading) { request throws(ParleyError) in
            .with { reading in
                if case .allowed(let isAllowed) = request.changeAllowed { reading.allowed = isAllowed }
                if case .keptOut(let isKeptOut) = request.changeKeptOut { reading.keptOut = isKeptOut }
            }
        }
    }

    private func end(
        _ suggestion: Parley_V1_Suggestion, _ state: Parley_V1_SuggestionState
    ) async -> Parley_V1_Suggestion {
        await put(
            Parley_V1_Suggestion.with { ($0.id, $0.kind, $0.state) = (suggestion.id, suggestion.kind, state) })
    }
}

extension Parley_V1_Suggestion {
    /// What accepting it makes.
    fileprivate func event(_ id: Data, _ title: String, by me: String) -> Parley_V1_Event {
        .with {
            ($0.id, $0.creator, $0.title, $0.when, $0.location) = (id, me, title, when, location)
            $0.conversations = conversation.isEmpty ? [] : [conversation]
            ($0.accepted, $0.coming, $0.hosts) = (1, 1, [me])
            ($0.own.user, $0.own.status, $0.own.host) = (me, .accepted, true)
            ($0.createdAtUs, $0.startsAtUs) = (Date.now.microseconds, Event.start(of: when)?.microseconds ?? 0)
        }
    }
}

extension Parley_V1_Event {
    fileprivate var firstDate: Parley_V1_EventDate {
        .with {
            ($0.event, $0.date, $0.title, $0.location) = (id, when.date, title, location)
            $0.startsAtUs = startsAtUs
            $0.endsAtUs = startsAtUs + Int64(when.durationMinutes) * 60_000_000
            ($0.timeZone, $0.cancelled, $0.own) = (when.timeZone, cancelledAtUs != 0, own.status)
        }
    }

    /// Takes a host's change.
    fileprivate mutating func take(_ change: Parley_V1_UpdateEventRequest) {
        if case .title(let title) = change.changeTitle { self.title = title }
        if case .location(let location) = change.changeLocation { self.location = location }
        if case .link(let link) = change.changeLink { self.link = link }
        if case .notes(let notes) = change.changeNotes { self.notes = notes }
        if case .recurrence(let rule) = change.changeRecurrence { recurrence = rule }
        let named = Set(change.changedDates.map(\.date) + change.restoredDates)
        changedDates.removeAll { named.contains($0.date) }
        changedDates = (changedDates + change.changedDates).sorted { $0.date < $1.date }
        guard change.hasWhen else { return }
        when = change.when
        startsAtUs = Event.start(of: when)?.microseconds ?? startsAtUs
    }

    /// Takes the answer of a person, whose earlier one is ``own``.
    fileprivate mutating func take(_ answer: Parley_V1_AnswerEventRequest, of me: String) {
        if case .host(let hosts) = answer.changeHost {
            (own.host, own.askedToHost) = (hosts, false)
            self.hosts.removeAll { $0 == me }
            if hosts { self.hosts.append(me) }
        }
        if case .remindMinutes(let minutes) = answer.changeReminder { remindMinutes = minutes }
        guard answer.status != .unspecified else { return }
        count(-1)
        (own.user, own.status, own.guests) = (me, answer.status, answer.guests)
        (own.conversation, own.answeredAtUs) = (answer.conversation, Date.now.microseconds)
        count(1)
    }

    private mutating func count(_ change: Int64) {
        func changed(_ number: UInt32, by change: Int64) -> UInt32 { UInt32(clamping: Int64(number) + change) }
        switch own.status {
        case .accepted:
            accepted = changed(accepted, by: change)
            coming = changed(coming, by: change * (1 + Int64(own.guests)))
        case .tentative: tentative = changed(tentative, by: change)
        case .declined: declined = changed(declined, by: change)
        default: break
        }
    }
}
