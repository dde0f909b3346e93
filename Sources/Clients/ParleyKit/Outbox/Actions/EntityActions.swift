import Foundation
import ParleyClient

// Reminders, decisions, events and suggestions.

/// An action about something of mine that its request names by its id.
protocol EntityAction: Action {
    var id: Data { get }
}

extension EntityAction {
    func lane(as me: UserID) -> String { id.hexDigits }
    func key(as me: UserID) -> String { me.rawValue }

    /// The answer is at a position of my stream of entities.
    func answer(at position: Int64, to me: UserID) -> ActionAnswer {
        ActionAnswer(confirmation: .at("entities/u/\(me)", position))
    }
}

// MARK: Reminders

extension Parley_V1_CreateReminderRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.createReminder, creates: true)

    var needs: [String] { [conversation] }

    var texts: [ActionText] { [.init(title, .line, "title")] }

    var unsentKind: Unsent.Kind { .reminder(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Reminder> { .add(Reminder(self, at: time, .pending)) }

    func answer(_ reply: Parley_V1_ReminderReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.reminder.position, to: me)
    }
}

extension Parley_V1_UpdateReminderRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.updateReminder)

    var texts: [ActionText] { changeTitle == nil ? [] : [.init(title, .line, "title")] }

    var unsentKind: Unsent.Kind { .reminder(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Reminder> {
        .change(id) { reminder in
            if case .title(let title) = changeTitle { reminder.title = title }
            if case .dueAtUs(let due) = changeDue { reminder.dueAt = Date(microseconds: due) }
        }
    }

    func answer(_ reply: Parley_V1_ReminderReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.reminder.position, to: me)
    }
}

extension Parley_V1_SnoozeReminderRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.snoozeReminder)

    var unsentKind: Unsent.Kind { .reminder(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Reminder> {
        .change(id) { ($0.dueAt, $0.firedAt) = (Date(microseconds: untilUs), nil) }
    }

    func answer(_ reply: Parley_V1_ReminderReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.reminder.position, to: me)
    }
}

extension Parley_V1_CompleteReminderRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.completeReminder)

    var unsentKind: Unsent.Kind { .reminder(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Reminder> {
        .change(id) { $0.isCompleted = completed }
    }

    func answer(_ reply: Parley_V1_ReminderReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.reminder.position, to: me)
    }
}

extension Parley_V1_DeleteReminderRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.deleteReminder)

    var unsentKind: Unsent.Kind { .reminder(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Reminder> { .remove(id) }

    func answer(_ reply: Parley_V1_ReminderReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.reminder.position, to: me)
    }
}

// MARK: Decisions

extension Parley_V1_CreateDecisionRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.createDecision, creates: true)

    var needs: [String] { [conversation, supersedes.hexDigits] }

    var texts: [ActionText] { [.init(text, .message, "text")] }

    var unsentKind: Unsent.Kind { .decision(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Decision> {
        let decision = Decision(self, by: me, at: time, .pending)
        guard let earlier = decision.supersedes else { return .add(decision) }
        return .replace(earlier.data, with: decision) { $0.supersededBy = decision.id }
    }

    func answer(_ reply: Parley_V1_DecisionReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.decision.position, to: me)
    }
}

extension Parley_V1_DeleteDecisionRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.deleteDecision)

    var unsentKind: Unsent.Kind { .decision(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Decision> { .remove(id) }

    func answer(_ reply: Parley_V1_DecisionReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.decision.position, to: me)
    }
}

// MARK: Events

extension Parley_V1_CreateEventRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.createEvent, creates: true)

    var needs: [String] { conversations + [conversation] }

    var texts: [ActionText] {
        [
            .init(title, .line, "title"), .init(location, .line, "location", mayBeEmpty: true),
            .init(link, .link, "link", mayBeEmpty: true), .init(notes, .message, "notes", mayBeEmpty: true),
        ]
    }

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .add(Event(self, by: me, at: time, .pending))
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        var answer = answer(at: reply.event.position, to: me)
        // What I change meanwhile is a change of what I created, which has the version 1.
        answer.version = VersionStep(from: 0, to: 1)
        return answer
    }
}

extension Parley_V1_AnswerEventRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.answerEvent)

    var needs: [String] { [conversation] }

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .change(id) { event in
            if status != .unspecified { (event.answer, event.guests) = (Event.Answer(status), Int(guests)) }
            if case .remindMinutes(let minutes) = changeReminder {
                event.notice = minutes < 0 ? .never : .minutesBefore(Int(minutes))
            }
            if case .host(let hosts) = changeHost { (event.isHost, event.isAskedToHost) = (hosts, false) }
            if status == .declined, event.creator != me { (event.isHost, event.isAskedToHost) = (false, false) }
        }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

extension Parley_V1_InviteConversationRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.inviteConversation)

    var needs: [String] { [conversation] }

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .change(id) { event in
            let invited = ConversationID(rawValue: conversation)
            if !event.conversations.contains(invited) { event.conversations.append(invited) }
        }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

extension Parley_V1_UninviteConversationRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.uninviteConversation)

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .change(id) { event in
            event.conversations.removeAll { $0.rawValue == conversation }
        }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

extension Parley_V1_SetEventHostRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.setEventHost)

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        // Whoever is asked is no host until they accept.
        .change(id) { event in
            if !host { event.hosts.removeAll { $0.rawValue == user } }
        }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

extension Parley_V1_UpdateEventRequest: ListAction, EntityAction, VersionedAction {
    static let registration = ActionRegistration(EntitiesMethods.updateEvent)

    var texts: [ActionText] {
        [
            changeTitle.map { _ in ActionText(title, .line, "title") },
            changeLocation.map { _ in ActionText(location, .line, "location", mayBeEmpty: true) },
            changeLink.map { _ in ActionText(link, .link, "link", mayBeEmpty: true) },
            changeNotes.map { _ in ActionText(notes, .message, "notes", mayBeEmpty: true) },
        ].compactMap(\.self)
    }

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .change(id) { event in
            if case .title(let title) = changeTitle { event.title = title }
            if case .location(let location) = changeLocation { event.location = location }
            if case .link(let link) = changeLink { event.link = URL(string: link) }
            if case .notes(let notes) = changeNotes { event.notes = notes }
            if case .recurrence(let rule) = changeRecurrence { event.recurrence = rule.isEmpty ? nil : rule }
            if hasWhen { event.take(when) }
            event.take(changedDates, restored: restoredDates)
        }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        var answer = answer(at: reply.event.position, to: me)
        // Beyond the next version there is a change of somebody else.
        if reply.event.version == version + 1 { answer.version = VersionStep(from: version, to: version + 1) }
        return answer
    }
}

extension Parley_V1_CancelEventRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.cancelEvent)

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .change(id) { $0.isCancelled = true }
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

extension Parley_V1_DeleteEventRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.deleteEvent)

    var unsentKind: Unsent.Kind { .event(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Event> {
        .remove(id)
    }

    func answer(_ reply: Parley_V1_EventReply, as me: UserID) -> ActionAnswer {
        answer(at: max(reply.event.position, reply.position), to: me)
    }
}

// MARK: Suggestions

extension Parley_V1_AcceptSuggestionRequest: ListAction, EntityAction {
    static let registration = ActionRegistration(EntitiesMethods.acceptSuggestion)

    var texts: [ActionText] {
        [
            changeTitle.map { _ in ActionText(title, .line, "title") },
            changeLocation.map { _ in ActionText(location, .line, "location", mayBeEmpty: true) },
        ].compactMap(\.self)
    }

    var unsentKind: Unsent.Kind { .suggestion(.init(id)) }

    /// What it makes is for the server to say.
    func change(at time: Date, as me: UserID) -> ListChange<Suggestion> { .remove(id) }

    func answer(_ reply: Parley_V1_AcceptSuggestionReply, as me: UserID) -> ActionAnswer {
        let made = max(reply.event.position, reply.reminder.position, reply.decision.position)
        return answer(at: max(reply.suggestion.position, made), to: me)
    }
}

extension Parley_V1_DismissSuggestionRequest: ListAction, EntityAction {
    // What cannot be dismissed is no longer there.
    static let registration = ActionRegistration(EntitiesMethods.dismissSuggestion, dropsRefusals: true)

    var unsentKind: Unsent.Kind { .suggestion(.init(id)) }

    func change(at time: Date, as me: UserID) -> ListChange<Suggestion> { .remove(id) }

    func answer(_ reply: Parley_V1_SuggestionReply, as me: UserID) -> ActionAnswer {
        answer(at: reply.suggestion.position, to: me)
    }
}
