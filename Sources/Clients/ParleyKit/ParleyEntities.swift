import Foundation
import ParleyClient

/// A date of an event, as a calendar shows it: events that recur have many.
///
///     for date in try await parley.agenda(from: "2026-12-01", to: "2026-12-31") {
///         show("\(date.startsAt.formatted()): \(date.title)")
///     }
public struct EventDate: Hashable, Sendable, Codable {
    public var event: EventID
    /// The date by the recurrence, "2026-12-01", also if it was moved.
    public var date: String
    public var title: String
    public var location: String
    /// Of whole days midnight in the zone that was asked for.
    public var startsAt: Date
    public var endsAt: Date
    /// Whether it is whole days.
    public var isAllDay: Bool
    /// Whether the event was called off.
    public var isCancelled: Bool
    /// My answer.
    public var answer: Event.Answer

    /// Creates a date, for previews and tests.
    public init(
        of event: EventID, on date: String, title: String, location: String = "", startsAt: Date, endsAt: Date,
        isAllDay: Bool = false, isCancelled: Bool = false, answer: Event.Answer = .accepted
    ) {
        (self.event, self.date, self.title, self.location) = (event, date, title, location)
        (self.startsAt, self.endsAt, self.isAllDay) = (startsAt, endsAt, isAllDay)
        (self.isCancelled, self.answer) = (isCancelled, answer)
    }

    init(_ date: Parley_V1_EventDate) {
        self.init(
            of: EventID(date.event), on: date.date, title: date.title, location: date.location,
            startsAt: Date(microseconds: date.startsAtUs), endsAt: Date(microseconds: date.endsAtUs),
            isAllDay: date.timeZone.isEmpty, isCancelled: date.cancelled, answer: .init(date.own))
    }
}

/// Reminders, decisions and events beyond the lists of ``Parley``. What only the server knows throws `offline` without
/// a connection.
extension Parley {
    /// Moves a reminder to a later time, at which it fires.
    public func snooze(_ reminder: Reminder, until time: Date) async throws(Refusal) {
        try await perform(
            Parley_V1_SnoozeReminderRequest.with { ($0.id, $0.untilUs) = (reminder.id.data, time.microseconds) })
    }

    /// Changes an event of which I am a host. nil leaves a part as it is. If somebody else changed it since `event` was
    /// read, the change is refused with `event_changed`, and ``events`` shows theirs. ``retry(_:)`` makes it all the
    /// same, ``drop(_:)`` leaves theirs. Changes of my own that wait or were sent meanwhile are no reason to refuse it.
    /// - Parameters:
    ///   - date: the day on which it begins, "2026-12-01". With it, `time`, `zone` and `minutes` hold, too.
    ///   - time: "19:30"; nil: whole days.
    ///   - link: an https URL; empty: it has none.
    ///   - recurrence: a rule by RFC 5545; empty: it takes place once.
    public func update(
        _ event: Event, title: String? = nil, on date: String? = nil, at time: String? = nil,
        in zone: TimeZone = .current, minutes: Int = 0, location: String? = nil, link: String? = nil,
        notes: String? = nil, recurrence: String? = nil
    ) async throws(Refusal) {
        var request = Parley_V1_UpdateEventRequest()
        (request.id, request.version) = (event.id.data, event.version)
        if let title { request.title = title }
        if let date {
            (request.when.date, request.when.time) = (date, time ?? "")
            request.when.timeZone = time == nil ? "" : zone.identifier
            request.when.durationMinutes = UInt32(clamping: minutes)
        }
        if let location { request.location = location }
        if let link { request.link = link }
        if let notes { request.notes = notes }
        if let recurrence { request.recurrence = recurrence }
        try await perform(request)
    }

    /// Calls off one date of a series of which I am a host. The others take place.
    /// - Parameter date: the day that the rule gives, ``EventDate/date``.
    public func cancel(_ date: String, of event: Event) async throws(Refusal) {
        try await change(event) { $0.changedDates = [.with { ($0.date, $0.cancelled) = (date, true) }] }
    }

    /// Moves one date of a series of which I am a host.
    /// - Parameters:
    ///   - date: the day that the rule gives, ``EventDate/date``.
    ///   - day: "2026-12-09".
    ///   - time: "20:00"; nil: it begins at the time of the others.
    public func move(
        _ date: String, of event: Event, to day: String, at time: String? = nil
    ) async throws(Refusal) {
        try await change(event) {
            $0.changedDates = [.with { ($0.date, $0.newDate, $0.newTime) = (date, day, time ?? event.time ?? "") }]
        }
    }

    /// Makes one date of a series of which I am a host take place as its rule says.
    /// - Parameter date: the day that the rule gives, ``EventDate/date``.
    public func restore(_ date: String, of event: Event) async throws(Refusal) {
        try await change(event) { $0.restoredDates = [date] }
    }

    private func change(
        _ event: Event, _ change: (inout Parley_V1_UpdateEventRequest) -> Void
    ) async throws(Refusal) {
        var request = Parley_V1_UpdateEventRequest()
        (request.id, request.version) = (event.id.data, event.version)
        change(&request)
        try await perform(request)
    }

    /// Returns an event that I see, such as one of a message's ``SystemNote``.
    /// - Throws: `not_found`.
    public func event(_ id: EventID) async throws(Refusal) -> Event {
        let id = try known(id)
        return try await ask { client throws(ParleyError) in Event(try await client.event(id)) }
    }

    /// Returns a decision that I see, such as one of a message's ``SystemNote``.
    /// - Throws: `not_found`.
    public func decision(_ id: DecisionID) async throws(Refusal) -> Decision {
        let id = try known(id)
        return try await ask { client throws(ParleyError) in Decision(try await client.decision(id)) }
    }

    private func known<Entity>(_ id: EntityID<Entity>) throws(Refusal) -> UUIDv7 {
        guard let id = UUIDv7(bytes: id.data) else { throw Refusal(.notFound, "There is no such thing.", field: "id") }
        return id
    }

    /// Returns an event as a file of the format iCalendar, for a calendar of the device.
    /// - Throws: `not_found`.
    public func calendarFile(of event: EventID) async throws(Refusal) -> String {
        let id = try known(event)
        return try await ask { client throws(ParleyError) in try await client.exportEvent(id) }
    }

    /// Makes a secret link by which calendars get my events, and ends an earlier one. Whoever has it sees my events.
    /// - Returns: its path at the server, `/v1/calendar/…`.
    public func makeCalendarLink() async throws(Refusal) -> String {
        try await ask { client throws(ParleyError) in try await client.createCalendarLink() }
    }

    /// Ends my secret link.
    public func endCalendarLink() async throws(Refusal) {
        try await ask { client throws(ParleyError) in try await client.deleteCalendarLink() }
    }
}
