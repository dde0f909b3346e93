import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Events leave as iCalendar: one as a file, all of a person by a secret link (E9).
extension EntitiesService {
    /// The most events that a link gives.
    nonisolated static let feedMax: Int64 = 2000
    nonisolated static let fetchesMax: Int32 = 60
    /// The most bytes of a calendar; later events are left out.
    nonisolated static let calendarBytesMax = 2 << 20
    private static let hour = Duration.seconds(3600)
    private static let year = Duration.seconds(365 * 86_400)
    private static let pieceBytes = 256 * 1024
    private static let calendarFolder = "/v1/calendar/"

    /// Returns an event as a file.
    /// - Throws: ``Refusal`` `not_found`.
    func exportEvent(_ request: ExportEventRequest, _ call: RequestContext) async throws -> ExportEventReply {
        let id = try UUIDv7(request.id)
        let found = try await context.database.first(
            CalendarStore.event, .uuid(id.bytes), .number(call.caller.account))
        guard let found else { throw Refusal.notFound }
        let attendees = try await context.database.query(
            EventsStore.attendees, .uuid(id.bytes), .number(call.caller.account), .int64(0), .int64(0),
            .int64(Int64(Self.attendeesMax)))
        let entry = CalendarText.Entry(
            event: found.event, schedule: found.schedule, rules: try zones.rules(of: found.schedule),
            changedAt: found.changedAt, attendees: attendees.map(\.attendance))
        let now = context.clock.now
        let text = try await listed(for: call) {
            CalendarText.calendar(entry.event.cancelledAtUs == 0 ? .file : .cancel, [entry], now: now)
        }
        return ExportEventReply(calendar: String(decoding: text, as: UTF8.self))
    }

    // MARK: Links

    /// Makes a secret link, in the place of an earlier one.
    /// - Throws: ``Refusal`` `rate_limited`, also right after an operator signed the person out.
    func createCalendarLink(
        _ request: CreateCalendarLinkRequest, _ call: RequestContext
    ) async throws -> CreateCalendarLinkReply {
        try allowChange(by: call.caller)
        let secret = Sodium.randomBytes(16)
        let made = try await context.database.first(
            CalendarStore.setLink, .number(call.caller.account), .bytes(Sodium.hash(secret)),
            .number(context.clock.now))
        guard made != nil else { throw Refusal.tooOften(wait: .seconds(5)) }
        return CreateCalendarLinkReply(path: "\(Self.calendarFolder)\(Hex.text(secret)).ics")
    }

    /// Ends the caller's link.
    func deleteCalendarLink(
        _ request: DeleteCalendarLinkRequest, _ call: RequestContext
    ) async throws -> DeleteCalendarLinkReply {
        try allowChange(by: call.caller)
        let deleted = try await context.database.first(CalendarStore.deleteLink, .number(call.caller.account))
        return DeleteCalendarLinkReply(duplicate: deleted == nil)
    }

    static let calendarRoute = HttpRoute(
        path: calendarFolder, below: true, methods: ["GET", "HEAD"], headers: ["if-none-match"], bodyBytesMax: 0,
        cacheControl: "private, no-cache")

    /// Answers a link with the calendar of its person. A piece after the first one is of the same calendar, which is
    /// kept meanwhile, or the exchange ends.
    func calendar(_ request: HttpRequest, _ call: RequestContext) async throws -> HttpReply {
        do {
            guard let secret = Self.secret(in: request.path) else { throw HTTPProblem.noPath }
            let isFirst = request.state.isEmpty
            let link = try await context.database.first(
                CalendarStore.fetch, .bytes(Sodium.hash(secret)), .number(context.clock.now), .int64(isFirst ? 1 : 0))
            guard let link else { throw HTTPProblem.noPath }
            guard link.fetches <= Self.fetchesMax || !isFirst else {
                throw Refusal.rateLimited(link.windowAt + Self.hour - context.clock.now)
            }
            if !isFirst, let kept = calendars.find(request.state, of: link.account, at: .now) {
                return reply(to: request, with: kept, request.state, of: link.account)
            }
            let text = try await context.expensive.limit(link.account, until: call.deadline) {
                try await feed(of: link.account, until: call.deadline)
            }
            let tag = Array(Sodium.hash(text).prefix(16))
            guard isFirst || request.state == tag else {
                throw Refusal.unavailable("The calendar changed while it was sent. Get it again.")
            }
            return reply(to: request, with: text, tag, of: link.account)
        } catch let problem as HTTPProblem {
            return problem.reply()
        } catch let refusal as Refusal where refusal.code == .rateLimited {
            return HTTPProblem(refusal).reply()
        }
    }

    private func reply(
        to request: HttpRequest, with text: [UInt8], _ tag: [UInt8], of account: AccountNumber
    ) -> HttpReply {
        let quoted = "\"\(Hex.text(tag))\""
        var headers = [
            HttpHeader(name: "ETag", value: quoted),
            HttpHeader(name: "Content-Type", value: "text/calendar; charset=utf-8"),
        ]
        if let known = request.headers.first(where: { $0.name == "if-none-match" })?.value,
            known == "*" || known.contains(quoted)
        {
            return HttpReply(status: 304, headers: headers)
        }
        headers.append(HttpHeader(name: "Content-Length", value: "\(text.count)"))
        guard request.method == "GET" else { return HttpReply(status: 200, headers: headers) }
        let start = min(max(0, Int(request.replyOffset)), text.count)
        let end = min(start + Self.pieceBytes, text.count)
        if end < text.count {
            if start == 0 { calendars.keep(text, tag, of: account, at: .now) }
        } else if start > 0 {
            calendars.forget(tag, of: account)
        }
        return HttpReply(
            status: start == 0 ? 200 : 0, headers: start == 0 ? headers : [], body: Array(text[start..<end]),
            more: end < text.count, state: tag)
    }

    /// The secret of `/v1/calendar/SECRET.ics`; nil for another path.
    private static func secret(in path: String) -> [UInt8]? {
        let name = path.prefix { $0 != "?" }.dropFirst(calendarFolder.count)
        guard name.hasSuffix(".ics"), let secret = Hex.bytes(name.dropLast(4)), secret.count == 16 else { return nil }
        return secret
    }

    /// The calendar of a person: their events from a year back to two years ahead, without those they declined.
    private func feed(of account: AccountNumber, until deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        let now = context.clock.now
        let found = try await context.expensive.query(
            CalendarStore.events, .number(account), .number(now - Self.year), .number(now + Self.year + Self.year),
            .int64(Self.feedMax))
        let entries = found.compactMap { found -> CalendarText.Entry? in
            guard let rules = try? zones.rules(of: found.schedule) else { return nil }
            return CalendarText.Entry(
                event: found.event, schedule: found.schedule, rules: rules, changedAt: found.changedAt,
                attendees: found.event.own.map { [$0] } ?? [])
        }
        // The changes of zones are listed up to the same day all year, so that the calendar stays the same.
        let year = CivilDay.parts(of: CivilTime(now.rawValue).day).year
        let newYear = Timestamp(CivilTime(day: CivilDay.number(year: year, month: 1, day: 1), seconds: 0).rawValue)
        return try await listed(for: account, until: deadline) {
            CalendarText.calendar(.feed, entries, now: newYear, bytesMax: Self.calendarBytesMax)
        }
    }
}

/// The SQL of calendars.
enum CalendarStore {
    private static func read(_ row: borrowing RowReader) throws -> (
        event: Event, schedule: EventSchedule, changedAt: Timestamp
    ) {
        (
            event: try EventsStore.event(row, from: 1),
            schedule: try EventsStore.schedule(row, from: 1 + EventsStore.scheduleColumn), changedAt: try row.time(0)
        )
    }

    /// $1 id, $2 account: an event that the account sees.
    static let event = Statement(
        """
        SELECT e.changed_at, \(EventsStore.columns(of: "$2"))
        FROM \(oneRow("*", from: "entities.events", by: "id", is: "$1")) AS e
        \(EventsStore.attendance(of: "$2"))
        \(EventsStore.joins(of: "$2"))
        WHERE e.deleted_at IS NULL
            AND \(EventsStore.isVisible(to: "$2"))
        """
    ) { row in try read(row) }

    /// The events of an account that begin before one time and end after another, without those it declined. $1
    /// account, $2 after, $3 before, $4 limit. Their places are by ``places(_:)``; its own are those it created, hosts
    /// or answered.
    static let events = Statement(
        """
        SELECT e.changed_at, \(EventsStore.columns(of: "$1"))
        FROM (
            \(places(
                """
                SELECT $1::bigint AS list,
                    CASE WHEN e.account <> $1
                        AND (a.is_host OR a.status IN \(AttendanceStatus.coming)) IS NOT TRUE THEN e.account END
                        AS source, e.created_at AS at, e.id
                FROM (
                    \(EventsStore.eventsOfAccount)
                ) AS x
                JOIN entities.events AS e ON e.id = x.event
                \(EventsStore.attendance(of: "$1"))
                WHERE e.deleted_at IS NULL
                    AND e.starts_at < $3
                    AND a.status IS DISTINCT FROM 3
                    AND NOT \(areApart("$1", "e.account"))
                """))
        ) AS x
        JOIN entities.events AS e ON e.id = x.id
        \(EventsStore.attendance(of: "$1"))
        \(EventsStore.joins(of: "$1"))
        WHERE x.place <= $4
        ORDER BY e.ends_at, e.id
        """
    ) { row in try read(row) }

    /// $1 account, $2 hash of the secret, $3 now. Returns the account, or no row if the link was ended for some time
    /// (see the SQL function `end_calendar_link`).
    static let setLink = Statement(
        """
        INSERT INTO entities.calendar_links (account, secret_hash, created_at, window_at, fetches)
        VALUES ($1, $2, $3, $3, 0)
        ON CONFLICT (account) DO UPDATE
        SET secret_hash = excluded.secret_hash,
            created_at = excluded.created_at
        WHERE calendar_links.secret_hash IS NOT NULL
            OR calendar_links.created_at <= excluded.created_at
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// $1 account. Returns it, or no row if it has no link. The row stays, so that fetches are counted by the person.
    static let deleteLink = Statement(
        """
        UPDATE entities.calendar_links
        SET secret_hash = NULL
        WHERE account = $1
            AND secret_hash IS NOT NULL
        RETURNING account
        """
    ) { row in try row.account(0) }

    /// Counts a fetch. $1 hash of the secret, $2 now, $3 the number to count. No row if the person is suspended.
    static let fetch = Statement(
        """
        UPDATE entities.calendar_links
        SET window_at = CASE WHEN window_at > $2 - 3600000000 THEN window_at ELSE $2 END,
            fetches = CASE WHEN window_at > $2 - 3600000000 THEN least(fetches, 1000000) ELSE 0 END + $3
        WHERE secret_hash = $1
            AND NOT EXISTS (SELECT FROM conversations.suspended AS s WHERE s.account = calendar_links.account)
        RETURNING account, fetches, window_at
        """
    ) { row in (account: try row.account(0), fetches: try row.int32(1), windowAt: try row.time(2)) }
}
