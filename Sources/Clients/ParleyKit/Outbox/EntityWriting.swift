import Foundation
import ParleyClient

/// What I do with reminders, decisions and events. It is shown, stored and sent like what I do in a ``Conversation``.
extension Parley {
    /// Adds a reminder.
    /// - Parameters:
    ///   - zone: the zone in which the time is meant.
    ///   - message: the message that it comes from.
    /// - Returns: the reminder, as it is shown until the server has it.
    @discardableResult
    public func addReminder(
        _ title: String, dueAt: Date, in zone: TimeZone = .current, from message: Message? = nil
    ) async throws(Refusal) -> Reminder {
        let id = outbox.nextID()
        let request = Parley_V1_CreateReminderRequest.with {
            ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), title, dueAt.microseconds)
            ($0.timeZone, $0.conversation) = (zone.identifier, message?.conversation.rawValue ?? "")
            $0.sourceMessage = message?.id.data ?? Data()
        }
        let item = try outbox.item(request, id: id)
        try await outbox.add(item)
        return Reminder(request, at: Date(microseconds: item.doneAtUs), .pending)
    }

    /// Changes the title or the time of a reminder. nil leaves it as it is.
    public func update(_ reminder: Reminder, title: String? = nil, dueAt: Date? = nil) async throws(Refusal) {
        var request = Parley_V1_UpdateReminderRequest()
        request.id = reminder.id.data
        if let title { request.title = title }
        if let dueAt { request.dueAtUs = dueAt.microseconds }
        try await perform(request)
    }

    /// Marks a reminder as completed, or as open again.
    public func complete(_ reminder: Reminder, _ isCompleted: Bool = true) async throws(Refusal) {
        try await perform(
            Parley_V1_CompleteReminderRequest.with { ($0.id, $0.completed) = (reminder.id.data, isCompleted) })
    }

    /// Deletes a reminder.
    public func delete(_ reminder: Reminder) async throws(Refusal) {
        try await perform(Parley_V1_DeleteReminderRequest.with { $0.id = reminder.id.data })
    }

    /// Records a decision.
    /// - Parameters:
    ///   - conversation: where it was decided.
    ///   - isShared: whether the conversation sees it.
    ///   - earlier: the decision that it replaces.
    /// - Returns: the decision, as it is shown until the server has it.
    @discardableResult
    public func addDecision(
        _ text: String, in conversation: ConversationID? = nil, isShared: Bool = false, from message: Message? = nil,
        replacing earlier: Decision? = nil
    ) async throws(Refusal) -> Decision {
        guard let user else { throw .signedOut }
        let id = outbox.nextID()
        let request = Parley_V1_CreateDecisionRequest.with {
            ($0.id, $0.text, $0.shared) = (Data(id.bytes), text, isShared)
            $0.conversation = conversation?.rawValue ?? message?.conversation.rawValue ?? ""
            ($0.sourceMessage, $0.supersedes) = (message?.id.data ?? Data(), earlier?.id.data ?? Data())
        }
        let item = try outbox.item(request, id: id)
        try await outbox.add(item)
        return Decision(request, by: user, at: Date(microseconds: item.doneAtUs), .pending)
    }

    /// Deletes a decision of mine, also where it is shared.
    public func delete(_ decision: Decision) async throws(Refusal) {
        try await perform(Parley_V1_DeleteDecisionRequest.with { $0.id = decision.id.data })
    }

    /// Creates an event, which I accept.
    /// - Parameters:
    ///   - date: the day on which it begins, "2026-12-01".
    ///   - time: "19:30"; nil: whole days.
    ///   - minutes: how long it takes; of whole days a multiple of 1,440. Zero: it has no end, or is one day.
    ///   - link: an https URL.
    ///   - recurrence: a rule by RFC 5545, "FREQ=WEEKLY;COUNT=10"; nil: it takes place once.
    ///   - conversations: those to invite, in which it is shown.
    ///   - message: the message that it comes from.
    /// - Returns: the event, as it is shown until the server has it.
    @discardableResult
    public func addEvent(
        _ title: String, on date: String, at time: String? = nil, in zone: TimeZone = .current, minutes: Int = 0,
        location: String = "", link: URL? = nil, notes: String = "", recurrence: String? = nil,
        inviting conversations: [ConversationID] = [], from message: Message? = nil
    ) async throws(Refusal) -> Event {
        guard let user else { throw .signedOut }
        let id = outbox.nextID()
        let request = Parley_V1_CreateEventRequest.with {
            ($0.id, $0.title, $0.location, $0.notes) = (Data(id.bytes), title, location, notes)
            ($0.when.date, $0.when.time) = (date, time ?? "")
            $0.when.timeZone = time == nil ? "" : zone.identifier
            $0.when.durationMinutes = UInt32(clamping: minutes)
            ($0.link, $0.recurrence) = (link?.absoluteString ?? "", recurrence ?? "")
            $0.conversations = conversations.map(\.rawValue)
            $0.conversation = message?.conversation.rawValue ?? ""
            $0.sourceMessage = message?.id.data ?? Data()
        }
        let item = try outbox.item(request, id: id)
        try await outbox.add(item)
        return Event(request, by: user, at: Date(microseconds: item.doneAtUs), .pending)
    }

    /// Answers an event of mine, or one that a message shows, for all its dates. A later answer replaces it. What I
    /// decline leaves ``events`` once the server has it, unless I created it.
    /// - Parameters:
    ///   - guests: how many I bring, if I accept or may come.
    ///   - notice: how long before each date I am reminded; nil: it stays, at first as the server is configured.
    ///   - conversation: the invited one in which I answer; nil: one in which I see it.
    public func answer(
        _ event: EventID, _ answer: Event.Answer, guests: Int = 0, remind notice: Event.Notice? = nil,
        in conversation: ConversationID? = nil
    ) async throws(Refusal) {
        var request = Parley_V1_AnswerEventRequest.with {
            ($0.id, $0.status, $0.guests) = (event.data, answer.status, UInt32(clamping: guests))
            $0.conversation = conversation?.rawValue ?? ""
        }
        switch notice {
        case nil: break
        case .never: request.remindMinutes = -1
        case .minutesBefore(let minutes):
            guard (0...Event.noticeMax).contains(minutes) else {
                throw Refusal(.invalid, "must be from 0 to \(Event.noticeMax) minutes", field: "remind_minutes")
            }
            request.remindMinutes = Int32(minutes)
        }
        try await perform(request)
    }

    /// Accepts or declines to host an event, which its creator asked me to. Who hosts it can also cease to.
    public func host(_ event: EventID, _ hosts: Bool = true) async throws(Refusal) {
        let request = Parley_V1_AnswerEventRequest.with { ($0.id, $0.host) = (event.data, hosts) }
        try await perform(request)
    }
}
