import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// An event of a list, as the reader sees it. Pure.
struct ListedEvent: Sendable {
    var id: [UInt8]
    var title: String
    var location: String
    var isCancelled: Bool
    var own: AttendanceStatus
    var schedule: EventSchedule
}

extension EntitiesService {
    private static let daysMax = 366

    /// Returns a page of the dates of the caller's events between two days, by time.
    /// - Throws: ``Refusal`` `not_member` of the named conversation, `invalid`.
    func listEvents(_ request: ListEventsRequest, _ call: RequestContext) async throws -> ListEventsReply {
        let after = try EventDateCursor(request.cursor)
        guard let firstDay = CivilDay.number(request.fromDate) else {
            throw Refusal.invalid("from_date", "must be a date such as \"2026-12-01\"")
        }
        guard let lastDay = CivilDay.number(request.toDate), firstDay <= lastDay,
            lastDay - firstDay < Self.daysMax
        else { throw Refusal.invalid("to_date", "must be at most \(Self.daysMax) days from from_date") }
        let reader = try zones.rules(of: request.timeZone.isEmpty ? "UTC" : request.timeZone)
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        let start = reader.time(CivilTime(day: firstDay, seconds: 0)).instant
        let end = reader.time(CivilTime(day: lastDay + 1, seconds: 0)).instant
        // The stored times of whole days are those of UTC, which is less than a day from the reader's.
        let margin = Duration.seconds(86_400)
        let found = try await context.database.query(
            conversation == nil ? EventsStore.between : EventsStore.betweenOfConversation,
            [.number(call.caller.account), .number(start - margin), .number(end + margin)]
                + (conversation.map { [.number($0)] } ?? []))
        var listing = EventListing(start: start, end: end, after: after, limit: Self.datesLimit(request.limit))
        for event in found {
            let rules = event.schedule.isWholeDays ? reader : try? zones.rules(of: event.schedule.zone)
            if let rules { listing.events.append((event, rules)) }
        }
        let full = listing
        let page = try await listed(for: call) { full.page() }
        return ListEventsReply(dates: page.dates, cursor: page.next?.text ?? "")
    }

    /// Does work about many dates on another thread, in turns with that of others.
    /// - Throws: ``Refusal`` `unavailable`.
    func listed<T: Sendable>(for call: RequestContext, _ work: @escaping @Sendable () -> T) async throws -> T {
        try await listed(for: call.caller.account, until: call.deadline, work)
    }

    func listed<T: Sendable>(
        for account: AccountNumber, until deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> T
    ) async throws -> T {
        do {
            return try await listPool.run(for: account.rawValue, until: deadline, work)
        } catch is WorkPool.Overloaded {
            throw Refusal.unavailable("Too many lists are being made. Try again shortly.", retryAfter: .seconds(1))
        }
    }

    private static func datesLimit(_ requested: UInt32) -> Int {
        requested == 0 ? 200 : min(Int(requested), EventListing.datesMax)
    }
}

/// Makes a page of dates of events. Pure.
struct EventListing: Sendable {
    static let datesMax = 1000
    private static let bytesMax = 8 * Page.bytesMax

    /// The days that are looked at together at first, since a page is often filled by them, and then twice as many each
    /// time, so that few dates in a long time cost little.
    private static let step = Duration.seconds(7 * 86_400)

    var start: Timestamp
    var end: Timestamp
    var after: EventDateCursor
    var limit: Int
    var events: [(event: ListedEvent, rules: ZoneRules)] = []

    /// Returns the dates after the cursor in order of time, and the cursor of the next page; nil: there is none.
    func page() -> (dates: [EventDate], next: EventDateCursor?) {
        var found: [(key: EventDateCursor, date: EventDate)] = []
        var (from, step) = (max(start, after.at), Self.step)
        while from < end, found.count <= limit {
            let to = min(from + step, end)
            step = step * 2
            var part: [(key: EventDateCursor, date: EventDate)] = []
            for (event, rules) in events {
                for date in event.schedule.dates(from: from, to: to, rules) {
                    // A date that began before the list is at its beginning.
                    let key = EventDateCursor(at: max(date.starts.instant, start), event: event.id, day: date.day)
                    guard key.at >= from, after < key else { continue }
                    part.append((key, event.date(date)))
                }
            }
            found += part.sorted { $0.key < $1.key }
            from = to
        }
        var bytes = 0
        let page = found.prefix(limit).prefix { _, date in
            bytes += 160 + date.title.utf8.count + date.location.utf8.count
            return bytes <= Self.bytesMax
        }
        return (page.map(\.date), found.count > page.count ? page.last?.key : nil)
    }
}

extension ListedEvent {
    func date(_ date: EventSchedule.Date) -> EventDate {
        EventDate(
            event: id, date: CivilDay.text(date.day), startsAtUs: date.starts.instant.rawValue,
            endsAtUs: date.ends.rawValue,
            startsLocal: String(date.starts.civil.text.prefix(schedule.isWholeDays ? 10 : 16)),
            timeZone: schedule.zone, title: title, location: location, cancelled: isCancelled, own: own)
    }
}

/// The last date of the previous page, as `TIME.EVENT.DAY`. Pure.
struct EventDateCursor: Cursor, Comparable {
    var at: Timestamp
    var event: [UInt8]
    /// The day by the recurrence.
    var day: Int

    static let start = EventDateCursor(at: .min, event: [UInt8](repeating: 0, count: 16), day: 0)

    init(at: Timestamp, event: [UInt8], day: Int) { (self.at, self.event, self.day) = (at, event, day) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(
            at: try parts.number(in: .min ... .max), event: try parts.bytes(16),
            day: try parts.number(in: 0...Recurrence.lastDay))
    }

    var text: String { "\(at).\(Hex.text(event)).\(day)" }

    static func < (one: EventDateCursor, other: EventDateCursor) -> Bool {
        if one.at != other.at { return one.at < other.at }
        if one.event != other.event { return one.event.lexicographicallyPrecedes(other.event) }
        return one.day < other.day
    }
}
