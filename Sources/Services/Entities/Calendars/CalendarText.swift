import Schema
import ServiceKit

/// Writes events in the format iCalendar (RFC 5545). Pure.
struct CalendarText {
    /// What a calendar is. Only a message by RFC 5546 has a METHOD: one that publishes may not name attendees.
    enum Method {
        /// An event with its people.
        case file
        /// That an event is called off.
        case cancel
        /// What a calendar application gets again and again.
        case feed
    }

    /// An event, with the rules of its zone; for whole days those of UTC.
    struct Entry: Sendable {
        var event: Event
        var schedule: EventSchedule
        var rules: ZoneRules
        var changedAt: Timestamp
        var attendees: [Attendance]
    }

    /// How long after its events a calendar knows the changes of zones, if they go on.
    private static let ahead = Duration.seconds(20 * 366 * 86_400)

    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - now: up to twenty years later the changes of zones are listed.
    ///   - bytesMax: events from the first on that does not fit are left out.
    static func calendar(
        _ method: Method, _ entries: [Entry], now: Timestamp, bytesMax: Int = .max
    ) -> [UInt8] {
        var zones = CalendarText()
        zones.line("BEGIN", "VCALENDAR")
        zones.line("VERSION", "2.0")
        zones.line("PRODID", "-//Parley//Parley//EN")
        zones.line("CALSCALE", "GREGORIAN")
        switch method {
        case .file: break
        case .cancel: zones.line("METHOD", "CANCEL")
        case .feed:
            // RFC 7986, and the names that older applications know.
            for name in ["NAME", "X-WR-CALNAME"] { zones.line(name, "Parley") }
            zones.line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
            zones.line("X-PUBLISHED-TTL", "PT1H")
        }
        let zoned = Dictionary(grouping: entries.filter { !$0.schedule.isWholeDays }, by: \.schedule.zone)
        var (events, written) = (CalendarText(), Set<String>())
        for entry in entries {
            var (zone, event) = (CalendarText(), CalendarText())
            if let others = zoned[entry.schedule.zone], !written.contains(entry.schedule.zone) {
                let starts = others.map { $0.schedule.span($0.rules).starts }
                let (first, last) = (starts.min() ?? now, starts.max() ?? now)
                zone.zone(entry.schedule.zone, entry.rules, from: first, to: max(last, now) + Self.ahead)
            }
            event.event(entry)
            for (day, change) in entry.schedule.changes.sorted(by: { $0.key < $1.key }) {
                if case .moved(let newDay, let seconds) = change { event.event(entry, moved: day, to: newDay, seconds) }
            }
            let count = zones.bytes.count + zone.bytes.count + events.bytes.count + event.bytes.count
            guard count <= bytesMax else { break }
            written.insert(entry.schedule.zone)
            zones.bytes += zone.bytes
            events.bytes += event.bytes
        }
        events.line("END", "VCALENDAR")
        return zones.bytes + events.bytes
    }

    // MARK: Zones

    /// The rules of a zone: the offset at the beginning, then the times at which it changes, grouped by the change.
    private mutating func zone(_ name: String, _ rules: ZoneRules, from first: Timestamp, to last: Timestamp) {
        // A year before the first event, so that a rule is in effect at it.
        let start = first - .seconds(366 * 86_400)
        line("BEGIN", "VTIMEZONE")
        line("TZID", name)
        let offset = rules.time(at: start).offset
        observance("STANDARD", [start], before: offset, after: offset)
        let changes = Dictionary(grouping: rules.changes(from: start, to: last)) { [$0.before, $0.after] }
        for (offsets, changes) in changes.sorted(by: { $0.value[0].at < $1.value[0].at }) {
            observance(
                offsets[1] > offsets[0] ? "DAYLIGHT" : "STANDARD", changes.map(\.at), before: offsets[0],
                after: offsets[1])
        }
        line("END", "VTIMEZONE")
    }

    private mutating func observance(_ kind: String, _ times: [Timestamp], before: Int64, after: Int64) {
        // On the wall before the change.
        let walls = times.map { Self.compact(CivilTime($0.rawValue + before * 1_000_000)) }
        line("BEGIN", kind)
        line("DTSTART", walls[0])
        for wall in walls.dropFirst() { line("RDATE", wall) }
        line("TZOFFSETFROM", Self.offset(before))
        line("TZOFFSETTO", Self.offset(after))
        line("END", kind)
    }

    /// `+0130`.
    private static func offset(_ seconds: Int64) -> String {
        let parts = [seconds.magnitude / 3600, seconds.magnitude / 60 % 60, seconds.magnitude % 60]
        let digits = parts.prefix(parts[2] == 0 ? 2 : 3).map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 0 ? "-" : "+") + digits.joined()
    }

    // MARK: Events

    private mutating func event(_ entry: Entry) {
        let schedule = entry.schedule
        begin(entry, on: schedule.day, at: schedule.seconds)
        if let recurrence = schedule.recurrence { line("RRULE", Self.rule(recurrence, entry)) }
        for (day, change) in schedule.changes.sorted(by: { $0.key < $1.key }) where change == .cancelled {
            time("EXDATE", entry, on: day, at: schedule.seconds)
        }
        people(entry)
        line("END", "VEVENT")
    }

    private mutating func people(_ entry: Entry) {
        if let user = Self.address(entry.event.creator) { line("ORGANIZER", user) }
        for attendance in entry.attendees {
            guard let user = Self.address(attendance.user) else { continue }
            let guests = attendance.guests == 0 ? "" : ";X-NUM-GUESTS=\(attendance.guests)"
            line("ATTENDEE;PARTSTAT=\(Self.word(attendance.status))\(guests)", user)
        }
    }

    /// A date of a series that takes place at another time.
    private mutating func event(_ entry: Entry, moved day: Int, to newDay: Int, _ seconds: Int?) {
        begin(entry, on: newDay, at: seconds)
        time("RECURRENCE-ID", entry, on: day, at: entry.schedule.seconds)
        people(entry)
        line("END", "VEVENT")
    }

    private mutating func begin(_ entry: Entry, on day: Int, at seconds: Int?) {
        let (event, schedule) = (entry.event, entry.schedule)
        line("BEGIN", "VEVENT")
        line("UID", "\(Hex.text(event.id))@parley")
        line("DTSTAMP", Self.utc(entry.changedAt))
        line("CREATED", Self.utc(Timestamp(event.createdAtUs)))
        line("LAST-MODIFIED", Self.utc(entry.changedAt))
        line("SEQUENCE", "\(event.version - 1)")
        time("DTSTART", entry, on: day, at: seconds)
        if schedule.isWholeDays {
            time("DTEND", entry, on: day + schedule.minutes / 1440, at: nil)
        } else if schedule.minutes > 0 {
            line("DURATION", "PT\(schedule.minutes)M")
        }
        line("SUMMARY", Self.escaped(event.title))
        if !event.location.isEmpty { line("LOCATION", Self.escaped(event.location)) }
        if !event.link.isEmpty { line("URL", event.link) }
        if !event.notes.isEmpty { line("DESCRIPTION", Self.escaped(event.notes)) }
        line("STATUS", event.cancelledAtUs != 0 ? "CANCELLED" : "CONFIRMED")
    }

    private mutating func time(_ name: String, _ entry: Entry, on day: Int, at seconds: Int?) {
        let wall = Self.compact(CivilTime(day: day, seconds: seconds ?? 0))
        if seconds == nil {
            line("\(name);VALUE=DATE", String(wall.prefix(8)))
        } else {
            line("\(name);TZID=\(entry.schedule.zone)", wall)
        }
    }

    /// The rule with UNTIL as the format wants it: in UTC for an event with a time of day.
    private static func rule(_ recurrence: Recurrence, _ entry: Entry) -> String {
        var rule = recurrence
        if case .day(let last) = rule.end, let seconds = entry.schedule.seconds {
            rule.end = .time(entry.rules.time(CivilTime(day: last, seconds: seconds)).instant)
        }
        return rule.text
    }

    /// The address of a user: a URI that only names them.
    private static func address(_ user: String) -> String? { user.isEmpty ? nil : "urn:parley:user:\(user)" }

    private static func word(_ status: AttendanceStatus) -> String {
        switch status {
        case .accepted: "ACCEPTED"
        case .declined: "DECLINED"
        case .tentative: "TENTATIVE"
        case .pending, .unspecified, .unrecognized: "NEEDS-ACTION"
        }
    }

    // MARK: Lines

    private static func utc(_ time: Timestamp) -> String { compact(CivilTime(time.rawValue)) + "Z" }

    private static func compact(_ time: CivilTime) -> String { Recurrence.compact(time.text) }

    /// RFC 5545, section 3.3.11.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped += "\\"
                escaped.unicodeScalars.append(scalar)
            case "\n": escaped += "\\n"
            case "\r": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Adds a line, folded after at most 75 bytes, between characters.
    private mutating func line(_ name: String, _ value: String) {
        var width = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let count = UTF8.width(scalar)
            if width + count > 75 {
                bytes += [0x0D, 0x0A, 0x20]
                width = 1
            }
            bytes += Array(String(scalar).utf8)
            width += count
        }
        bytes += [0x0D, 0x0A]
    }
}
