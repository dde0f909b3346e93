import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Events: made by one person, invited into several conversations, answered from any of them (E1, E2).
extension EntitiesService {
    nonisolated static let conversationsMax = 20
    nonisolated static let hostsMax = 20
    nonisolated static let attendeesMax = 1000

    /// Creates an event, which the caller accepts, and invites conversations. Retry-safe: a repeated id returns the
    /// first result.
    /// - Throws: ``Refusal`` `invalid`, `too_many_events`, `id_in_use`; of the conversations it names `not_member`, of
    ///   those it invites also `user_blocked`, `accept_first` and `request_pending`.
    func createEvent(_ request: CreateEventRequest, _ call: RequestContext) async throws -> EventReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        guard let when = request.when else { throw Refusal.invalid("when", "must have the date of the event") }
        let recurrence = request.recurrence.isEmpty ? nil : try Recurrence(request.recurrence)
        let event = StoredEvent(
            title: try EventTexts.title(request.title), location: try EventTexts.location(request.location),
            link: try EventTexts.link(request.link), notes: try EventTexts.notes(request.notes),
            schedule: try EventSchedule(when, recurrence: recurrence, zones))
        try event.schedule.checkFirstDate(try zones.rules(of: event.schedule))
        try allowChange(by: caller)
        let origin = try await conversationNumber(request.conversation, of: caller)
        var invited: [ConversationNumber] = []
        for text in request.conversations {
            let conversation = try await sharedConversation(text, by: caller, in: context.database)
            if !invited.contains(conversation) { invited.append(conversation) }
        }
        let conversations = invited
        return try await self.change(by: caller) { [self] change in
            // The head is locked first, so that a concurrent repetition of the request sees the first one's row.
            let heads = StreamHeads(try await heads(of: [caller.account], in: change))
            if let creator = try await change.first(EventsStore.creator, .uuid(id.bytes)) {
                guard creator == caller.account,
                    let known = try await change.query(
                        EventsStore.states, .uuid(id.bytes), .numbers([caller.account])
                    ).first
                else { throw Refusal(.idInUse, "Another event has this id. Use a new one.", field: "id") }
                return EventReply(event: known.event, duplicate: true)
            }
            try id.checkWindow(now: context.clock.now)
            let draft = EventDraft(
                id: id, event: event, origin: origin, sourceMessage: request.sourceMessage,
                conversations: conversations)
            return try await make(draft, by: caller, heads, change)
        }
    }

    /// Adds an event, which its creator accepts, and invites conversations.
    /// - Parameter heads: with the creator's.
    /// - Throws: ``Refusal`` `too_many_events`, `invalid`.
    func make(
        _ draft: EventDraft, by caller: Caller, _ heads: StreamHeads, _ change: Change
    ) async throws -> EventReply {
        let (id, event, now) = (draft.id, draft.event, context.clock.now)
        let rules = try zones.rules(of: event.schedule)
        let answer = StoredAttendance(status: .accepted, guests: 0, remindMinutes: remindMinutes, hosting: .host)
        let remindAt = try reminder(of: answer, event)
        let added = try await change.first(
            EventsStore.add,
            [
                .uuid(id.bytes), .number(caller.account), .optional(draft.origin),
                draft.sourceMessage.isEmpty ? .null : .uuid(draft.sourceMessage), .number(now),
            ]
                + EventsStore.parameters(
                    event, event.schedule.span(rules), rules: zones.version, version: 1,
                    EventPart.allCases.map { _ in 1 })
                + [
                    .int64(eventsMax), .int32(remindMinutes), .optional(remindAt),
                    .number(heads.next(of: caller.account)),
                ])
        guard added != nil else {
            throw Refusal(.tooManyEvents, "You have \(eventsMax) events. Delete some before you add more.")
        }
        if let remindAt { try await scheduler.wake(for: remindAt, in: change) }
        for conversation in draft.conversations { try await invite(conversation, to: id, by: caller, change) }
        // Its cards are new, and nobody else knows of it.
        let made = EventChange(id.bytes, [], and: [caller.account], heads, change)
        let states = try await publish(made, to: [caller.account], countsTo: [], .told)
        return EventReply(event: try Self.state(of: caller, states), duplicate: false)
    }

    /// Returns an event that the caller sees.
    /// - Throws: ``Refusal`` `not_found`.
    func getEvent(_ request: GetEventRequest, _ call: RequestContext) async throws -> EventReply {
        let id = try UUIDv7(request.id)
        let found = try await context.database.first(
            EventsStore.visible, .uuid(id.bytes), .number(call.caller.account))
        guard let found else { throw Refusal.notFound }
        return EventReply(event: found, duplicate: false)
    }

    /// Changes the parts that the request names, if the caller knows the latest version.
    /// - Throws: ``Refusal`` `not_found`, `not_host`, `event_changed`, `event_cancelled`, `invalid`.
    func updateEvent(_ request: UpdateEventRequest, _ call: RequestContext) async throws -> EventReply {
        let changes = try EventChanges(request)
        return try await changeEvent(request.id, by: call.caller) { [zones] locked in
            var after = locked.event
            try changes.apply(to: &after, zones)
            guard after != locked.event else { return after }
            guard request.version == locked.version else { throw locked.changed(since: request.version) }
            guard after.cancelledAt == nil else { throw Self.eventCancelled }
            return after
        }
    }

    /// Calls an event off.
    /// - Throws: ``Refusal`` `not_found`, `not_host`.
    func cancelEvent(_ request: CancelEventRequest, _ call: RequestContext) async throws -> EventReply {
        let now = context.clock.now
        return try await changeEvent(request.id, by: call.caller) { locked in
            var after = locked.event
            if after.cancelledAt == nil { after.cancelledAt = now }
            return after
        }
    }

    /// Deletes an event of the caller's own, with its cards. Its emptied row stays for devices that are offline.
    /// - Throws: ``Refusal`` `not_found`, `not_host`.
    func deleteEvent(_ request: DeleteEventRequest, _ call: RequestContext) async throws -> EventReply {
        try await hosting(request.id, by: call.caller, creatorOnly: true, evenDeleted: true) {
            [self] id, locked, change in
            guard !locked.isDeleted else { return nil }
            let now = context.clock.now
            let event = try await people(of: id.bytes, in: change)
            let invitations = try await change.query(EventsStore.invitations, .uuid(id.bytes))
            for invitation in invitations { try await withdraw(invitation.card, by: call.caller, at: now, change) }
            try await change.execute(
                EventsStore.uninvite, .uuid(id.bytes), .numbers(invitations.map(\.conversation)))
            try await change.execute(EventsStore.delete, .uuid(id.bytes), .number(now))
            try await remind(of: event, locked.event.schedule, unless: true)
            return try await publish(event, to: event.everyone, by: call.caller.account)
        }
    }

    // MARK: Invitations

    /// Invites a conversation in which the caller may write.
    /// - Throws: ``Refusal`` `not_found`, `not_host`, `event_cancelled`, `not_member`, `user_blocked`, `accept_first`,
    ///   `request_pending`, `too_many_conversations`.
    func inviteConversation(_ request: InviteConversationRequest, _ call: RequestContext) async throws -> EventReply {
        try await hosting(request.id, by: call.caller) { [self] id, locked, change in
            let invited = try await change.query(EventsStore.invitations, .uuid(id.bytes))
            if invited.contains(where: { $0.id == request.conversation }) { return nil }
            guard locked.event.cancelledAt == nil else { throw Self.eventCancelled }
            let conversation = try await sharedConversation(
                request.conversation, by: call.caller, in: change)
            guard invited.count < Self.conversationsMax else {
                throw Refusal(
                    .tooManyConversations,
                    "\(Self.conversationsMax) conversations are invited. Withdraw one before you invite another.")
            }
            let event = try await people(of: id.bytes, in: change)
            try await invite(conversation, to: id, by: call.caller, change)
            return try await spread(event, by: call.caller.account, at: context.clock.now)
        }
    }

    /// Withdraws the invitation of a conversation.
    /// - Throws: ``Refusal`` `not_found`, `not_host`.
    func uninviteConversation(
        _ request: UninviteConversationRequest, _ call: RequestContext
    ) async throws -> EventReply {
        try await hosting(request.id, by: call.caller) { [self] id, _, change in
            let invited = try await change.query(EventsStore.invitations, .uuid(id.bytes))
            guard let invitation = invited.first(where: { $0.id == request.conversation }) else { return nil }
            let now = context.clock.now
            let event = try await people(of: id.bytes, in: change)
            try await withdraw(invitation.card, by: call.caller, at: now, change)
            try await change.execute(
                EventsStore.uninvite, .uuid(id.bytes), .numbers([invitation.conversation]))
            return try await spread(event, by: call.caller.account, at: now)
        }
    }

    /// Asks a person who sees the event to host it too, or makes a co-host a guest again.
    /// - Throws: ``Refusal`` `not_found`, `not_host`, `user_not_invited`, `host_declined`, `too_many_hosts`,
    ///   `too_many_attendees`.
    func setEventHost(_ request: SetEventHostRequest, _ call: RequestContext) async throws -> EventReply {
        try await hosting(request.id, by: call.caller, creatorOnly: true) { [self] id, locked, change in
            let visitor = try await change.first(EventsStore.visitor, .uuid(id.bytes), .text(request.user))
            guard let visitor, visitor.account != call.caller.account else {
                throw Refusal(
                    .userNotInvited,
                    "This person does not see the event. Invite a conversation of theirs first.", field: "user")
            }
            let before = visitor.known?.hosting ?? .guest
            if [.asked, .host].contains(before) == request.host || before == .declined && !request.host { return nil }
            let (account, now) = (visitor.account, context.clock.now)
            let event = try await people(of: id.bytes, and: [account], in: change)
            if request.host {
                guard before != .declined, visitor.known?.status != .declined else { throw Self.hostDeclined }
                guard event.people.count(where: { $0.isHost || $0.isAskedToHost }) <= Self.hostsMax else {
                    throw Refusal(.tooManyHosts, "An event has at most \(Self.hostsMax) co-hosts.", field: "user")
                }
            }
            if visitor.known != nil {
                try await change.execute(
                    EventsStore.setHost, .number(account), .uuid(id.bytes), .bool(request.host), .number(now))
            } else {
                guard locked.attendees < Self.attendeesMax else { throw Self.tooManyAttendees }
                try await store(
                    StoredAttendance(status: .pending, guests: 0, remindMinutes: remindMinutes, hosting: .asked),
                    of: account, answeredAt: nil, locked.event, in: event)
            }
            return try await spread(event, by: call.caller.account, at: now)
        }
    }

    private static let hostDeclined = Refusal(
        .hostDeclined, "This person declined. Ask them again once they have answered that they come.", field: "user")

    private func invite(
        _ conversation: ConversationNumber, to id: UUIDv7, by caller: Caller, _ change: Change
    ) async throws {
        // The same event may be invited again after it was withdrawn, by another message.
        var message = Sodium.randomBytes(16)
        (message[6], message[8]) = (0x80 | message[6] & 0x0f, 0x80 | message[8] & 0x3f)
        _ = try await share(
            id, as: .eventShared, in: conversation, message: message, supersedes: [], by: caller, change,
            adding: EventsStore.invite)
    }

    // MARK: Answers

    /// Answers an invitation, for all dates of the event, and whether the caller hosts it, who was asked to.
    /// - Throws: ``Refusal`` `not_found`, `not_member`, `user_blocked`, `accept_first`, `not_asked`, `event_cancelled`,
    ///   `too_many_attendees`, `invalid`.
    func answerEvent(_ request: AnswerEventRequest, _ call: RequestContext) async throws -> EventReply {
        let id = try UUIDv7(request.id)
        let answer = try EventAnswer(request)
        let caller = call.caller
        try allowChange(by: caller)
        return try await self.change(by: caller) { [self] change in
            guard let locked = try await change.first(EventsStore.lock, .uuid(id.bytes), .number(caller.account)),
                !locked.isDeleted
            else { throw Refusal.notFound }
            let before = locked.own
            var after = try answer.applied(
                to: before ?? StoredAttendance(status: .pending, guests: 0, remindMinutes: remindMinutes),
                byCreator: locked.creator == caller.account)
            if !request.conversation.isEmpty || before == nil {
                after.conversation = try await origin(request.conversation, of: id, by: caller, before, in: change)
            }
            guard after != before, before != nil || answer.isChange else {
                let known = try await change.first(EventsStore.visible, .uuid(id.bytes), .number(caller.account))
                guard let known else { throw Refusal.notFound }
                return EventReply(event: known, duplicate: true)
            }
            return try await record(after, for: locked, id, by: caller, change)
        }
    }

    /// Stores what a person answers to an event that is locked.
    /// - Parameter held: with the person's head, where the caller has it.
    /// - Throws: ``Refusal`` `event_cancelled`, `too_many_attendees`.
    func record(
        _ after: StoredAttendance, for locked: LockedEvent, _ id: UUIDv7, by caller: Caller, _ change: Change,
        in held: EventChange? = nil
    ) async throws -> EventReply {
        let before = locked.own
        guard locked.event.cancelledAt == nil else { throw Self.eventCancelled }
        guard before != nil || locked.attendees < Self.attendeesMax else { throw Self.tooManyAttendees }
        let (now, account) = (context.clock.now, caller.account)
        // Others learn who hosts the event, and otherwise only how many come.
        let isCount = (before?.hosting ?? .guest) == after.hosting
        let isLater = isCount && (locked.areCountsDue || locked.wereCountsTold)
        let event: EventChange
        if let held {
            event = held
        } else if isLater {
            let heads = StreamHeads(try await heads(of: [account], in: change))
            event = EventChange(id.bytes, [], and: [account], heads, change)
        } else {
            event = try await people(of: id.bytes, and: [account], in: change)
        }
        let isAnswer = (before?.status, before?.guests) != (after.status, after.guests)
        try await store(after, of: account, answeredAt: isAnswer ? now : nil, locked.event, in: event)
        let states =
            isLater
            ? try await tellCountsLater(event, by: account, isComing: after.isReminded, locked, at: now)
            : isCount
                ? try await tellCounts(event, by: account, at: now)
                : try await spread(event, by: account, at: now)
        let own = try Self.state(of: caller, states)
        guard !after.follows else { return EventReply(event: own, duplicate: false) }
        // What they declined has ended for their devices, although they may still see it.
        let seen = try await change.first(EventsStore.visible, .uuid(id.bytes), .number(caller.account))
        return EventReply(event: seen ?? own, duplicate: false, position: own.position)
    }

    /// Returns the conversation from which a person answers; nil: from none, since they know the event already.
    /// - Throws: ``Refusal`` `not_member`, also of a conversation that is not invited; `user_blocked`, `accept_first`.
    private func origin(
        _ text: String, of id: UUIDv7, by caller: Caller, _ before: StoredAttendance?, in change: Change
    ) async throws -> ConversationNumber? {
        let origins = try await change.query(EventsStore.origins, .uuid(id.bytes), .number(caller.account))
        let named = text.isEmpty ? origins : origins.filter { $0.id == text }
        if let found = named.first(where: { $0.refusal.isEmpty }) { return found.conversation }
        guard let refused = named.first else {
            // The creator sees the event without any.
            if text.isEmpty { return before?.conversation }
            throw Refusal.notMember
        }
        throw Self.standing(refused.refusal)
    }

    /// Returns a page of the people who answered.
    /// - Throws: ``Refusal`` `not_found`, `invalid`.
    func listAttendees(_ request: ListAttendeesRequest, _ call: RequestContext) async throws -> ListAttendeesReply {
        let id = try UUIDv7(request.id)
        let after = try AttendeeCursor(request.cursor)
        let limit = Page.limit(request.limit)
        guard
            try await context.database.first(
                EventsStore.visible, .uuid(id.bytes), .number(call.caller.account)) != nil
        else { throw Refusal.notFound }
        let rows = try await context.database.query(
            EventsStore.attendees, .uuid(id.bytes), .number(call.caller.account), .number(after.answeredAt),
            .number(after.account), .int64(Int64(limit + 1)))
        let page = rows.prefix(limit)
        let next = rows.count > limit ? page.last.map { AttendeeCursor($0.attendance, $0.account).text } ?? "" : ""
        return ListAttendeesReply(attendees: page.map(\.attendance), cursor: next)
    }

    static let eventCancelled = Refusal(.eventCancelled, "This event was called off. Make a new one.")
    private static let tooManyAttendees = Refusal(
        .tooManyAttendees, "\(attendeesMax) people have answered this event, which is the most.")
}

/// An event that a person is about to make.
struct EventDraft: Sendable {
    var id: UUIDv7
    var event: StoredEvent
    /// The conversation that it comes from.
    var origin: ConversationNumber?
    /// Empty: none.
    var sourceMessage: [UInt8]
    /// To invite at once.
    var conversations: [ConversationNumber]
}

/// An answer as a request gives it. Pure.
struct EventAnswer: Sendable {
    /// The most minutes before a date: four weeks.
    static let remindMinutesMax: Int32 = 40_320

    var status: AttendanceStatus
    var guests: Int32
    /// Nil: it stays.
    var remindMinutes: Int32?
    /// Whether they host the event. Nil: it stays.
    var hosts: Bool?

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: AnswerEventRequest) throws(Refusal) {
        switch request.status {
        case .unspecified, .pending, .declined:
            guard request.guests == 0 else {
                throw .invalid("guests", "must be zero unless you accept or may come")
            }
        case .accepted, .tentative:
            guard request.guests <= StoredAttendance.guestsMax else {
                throw .invalid("guests", "must be at most \(StoredAttendance.guestsMax)")
            }
        case .unrecognized: throw .invalid("status", "must be a known answer")
        }
        (status, guests) = (request.status, Int32(request.guests))
        if case .remindMinutes(let minutes) = request.changeReminder {
            guard -1...Self.remindMinutesMax ~= minutes else {
                throw .invalid("remind_minutes", "must be 0 to \(Self.remindMinutesMax), or -1 for no reminder")
            }
            remindMinutes = minutes
        }
        if case .host(let host) = request.changeHost { hosts = host }
        guard hosts != true || status != .declined else {
            throw .invalid("host", "must not be true if you decline the event")
        }
    }

    /// Whether it says anything.
    var isChange: Bool { status != .unspecified || remindMinutes != nil }

    /// - Throws: ``Refusal`` `not_asked`, `invalid`.
    func applied(to before: StoredAttendance, byCreator: Bool) throws(Refusal) -> StoredAttendance {
        var after = before
        if status != .unspecified { (after.status, after.guests) = (status, guests) }
        if let remindMinutes { after.remindMinutes = remindMinutes }
        if byCreator {
            guard hosts != false else {
                throw .invalid("host", "must not be false for the creator. Call the event off, or delete it")
            }
            return after
        }
        // Who says that they come after all may be asked again.
        if after.hosting == .declined, after.isReminded, after.status != before.status { after.hosting = .guest }
        switch (hosts, after.hosting) {
        case (true, .asked): after.hosting = .host
        case (true, .guest), (true, .declined):
            throw Refusal(
                .notAsked, "Nobody asks you to host this event. Its creator can.", field: "host")
        case (false, .asked), (false, .host): after.hosting = .declined
        default: break
        }
        // Declining the event is declining to host it.
        if after.status == .declined, [.asked, .host].contains(after.hosting) { after.hosting = .declined }
        return after
    }
}

/// The last person of the previous page, as `ANSWERED.ACCOUNT`. Pure.
struct AttendeeCursor: Cursor {
    var answeredAt: Timestamp
    var account: AccountNumber

    static let start = AttendeeCursor(answeredAt: 0, account: 0)

    private init(answeredAt: Timestamp, account: AccountNumber) {
        (self.answeredAt, self.account) = (answeredAt, account)
    }

    init(_ attendance: Attendance, _ account: AccountNumber) {
        self.init(answeredAt: Timestamp(attendance.answeredAtUs), account: account)
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(answeredAt: try parts.number(), account: try parts.number())
    }

    var text: String { "\(answeredAt).\(account)" }
}
