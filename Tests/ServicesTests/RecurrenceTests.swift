import Foundation
import Reactor
import Schema
import ServiceKit
import Testing
import Wire

@testable import EntitiesService

@Suite("Recurring events (E1)")
struct RecurrenceTests {
    /// First date and time, zone, rule, and from where to list. Each is also expanded by python3-dateutil.
    static let cases: [(start: String, zone: String, rule: String, from: String)] = [
        ("2026-01-05T10:00", "Europe/Zurich", "FREQ=DAILY", "2026-03-20"),
        ("2026-01-05T10:00", "Europe/Zurich", "FREQ=DAILY;INTERVAL=3;COUNT=40", "2026-01-01"),
        ("2026-01-05T10:00", "Europe/Zurich", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "2026-10-15"),
        ("2026-03-01T02:30", "Europe/Zurich", "FREQ=DAILY", "2026-03-20"),
        ("2026-10-01T02:30", "Europe/Zurich", "FREQ=DAILY", "2026-10-18"),
        ("2026-03-01T02:30", "America/New_York", "FREQ=WEEKLY", "2026-01-01"),
        ("2026-09-01T00:15", "Australia/Lord_Howe", "FREQ=DAILY;INTERVAL=2", "2026-09-20"),
        ("2026-03-20T23:30", "America/Sao_Paulo", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20271231", "2027-01-01"),
        ("2026-01-06T19:00", "Europe/London", "FREQ=WEEKLY;BYDAY=TU,TH", "2026-03-15"),
        ("2026-01-06T19:00", "Europe/London", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU", "2026-03-15"),
        ("2026-01-06T19:00", "Europe/London", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "2026-03-15"),
        ("2026-01-06T19:00", "Europe/London", "FREQ=WEEKLY;COUNT=10;BYDAY=TU,TH", "2026-01-20"),
        ("2026-01-31T08:00", "Asia/Tokyo", "FREQ=MONTHLY", "2026-01-01"),
        ("2026-01-30T08:00", "Asia/Tokyo", "FREQ=MONTHLY;INTERVAL=5", "2030-01-01"),
        ("2026-01-13T08:00", "Europe/Zurich", "FREQ=MONTHLY;BYDAY=2TU", "2026-02-01"),
        ("2026-01-30T08:00", "Europe/Zurich", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=30", "2026-05-01"),
        ("2026-01-30T08:00", "Europe/Zurich", "FREQ=MONTHLY;BYDAY=5FR", "2026-01-01"),
        ("2026-01-05T08:00", "Europe/Zurich", "FREQ=MONTHLY;BYDAY=MO", "2027-06-01"),
        ("2026-01-05T08:00", "Europe/Zurich", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,-2WE", "2026-01-01"),
        ("2024-02-29T12:00", "UTC", "FREQ=YEARLY", "2024-01-01"),
        ("2026-06-15T12:00", "Africa/Casablanca", "FREQ=YEARLY;INTERVAL=2;COUNT=8", "2026-01-01"),
        ("2026-03-29T12:00", "Europe/Dublin", "FREQ=YEARLY;BYDAY=13SU", "2026-01-01"),
        ("2026-12-27T12:00", "America/Los_Angeles", "FREQ=YEARLY;BYDAY=-1SU;UNTIL=20401231T235959Z", "2030-01-01"),
        ("2026-01-05T10:00", "Europe/Zurich", "FREQ=DAILY;UNTIL=20260401T080000Z", "2026-03-25"),
        ("2026-01-05T10:00", "Europe/Zurich", "FREQ=DAILY;UNTIL=20260401T075959Z", "2026-03-25"),
        ("2026-01-05T10:00", "Pacific/Apia", "FREQ=WEEKLY;INTERVAL=1000", "2026-01-01"),
    ]

    /// Prints the first 60 instants of each case from where its list begins.
    private static let script = #"""
        import datetime as d, sys, zoneinfo
        from dateutil import rrule
        for line in sys.stdin.read().split("\n"):
            start, zone, rule, since = line.split()
            zone = zoneinfo.ZoneInfo(zone)
            start = d.datetime.fromisoformat(start)
            until = None
            parts = []
            for part in rule.split(";"):
                if part.startswith("UNTIL="):
                    until = part[6:]
                else:
                    parts.append(part)
            found = []
            for wall in rrule.rrulestr(";".join(parts), dtstart=start):
                if wall.year > 2150: break
                at = wall.replace(tzinfo=zone).astimezone(d.timezone.utc)
                if until and len(until) == 8 and wall.strftime("%Y%m%d") > until: break
                if until and len(until) == 16 and at.strftime("%Y%m%dT%H%M%SZ") > until: break
                if wall.strftime("%Y-%m-%d") >= since: found.append(int(at.timestamp()))
                if len(found) == 60: break
            print(*found)
        """#

    @Test("every rule gives the dates that python3-dateutil gives, also where clocks change")
    func python() async throws {
        let input = Self.cases.map { "\($0.start) \($0.zone) \($0.rule) \($0.from)" }.joined(separator: "\n")
        let output = try await Self.run(Self.script, input)
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, one) in Self.cases.enumerated() {
            let expected = try #require(lines.indices.contains(index) ? lines[index] : nil)
                .split(separator: " ").compactMap { Int64($0) }
            #expect(expected.count > 2, "\(one)")
            let schedule = try Self.schedule(one.start, one.zone, one.rule)
            let rules = try await Self.rules(of: one.zone)
            let from = try #require(CivilTime(one.from + "T00:00"))
            let found = schedule.dates(from: rules.time(from).instant, to: .max, rules)
                .prefix { $0.day < CivilDay.number(year: 2151, month: 1, day: 1) }.prefix(60)
                .map { $0.starts.instant.rawValue / 1_000_000 }
            #expect(found == expected, "\(one)")
            // What follows a date is the next one.
            for (date, next) in zip(found, found.dropFirst()) {
                let after = schedule.first(after: Timestamp(date * 1_000_000), rules)
                #expect(after?.starts.instant.rawValue == next * 1_000_000, "\(one) after \(date)")
            }
            let (first, last) = schedule.span(rules)
            #expect(first.rawValue <= found[0] * 1_000_000 && last.rawValue >= found[found.count - 1] * 1_000_000)
        }
    }

    @Test("dates that are called off or moved are left out, or come at their new time")
    func changed() async throws {
        let rules = try await Self.rules(of: "Europe/Zurich")
        var schedule = try Self.schedule("2026-10-20T19:00", "Europe/Zurich", "FREQ=WEEKLY;COUNT=4")
        try schedule.change(
            [
                ChangedDate(date: "2026-10-27", cancelled: true),
                ChangedDate(date: "2026-11-03", newDate: "2026-11-04", newTime: "20:15"),
                ChangedDate(date: "2026-11-10", newDate: "2026-10-18", newTime: "19:00"),
            ], restoring: [])
        let dates = schedule.dates(from: .min, to: .max, rules).sorted { $0.starts.instant < $1.starts.instant }
        #expect(
            dates.map(\.starts.civil.text) == ["2026-10-18T19:00:00", "2026-10-20T19:00:00", "2026-11-04T20:15:00"])
        #expect(dates.map { CivilDay.text($0.day) } == ["2026-11-10", "2026-10-20", "2026-11-03"])
        #expect(schedule.span(rules).starts == dates[0].starts.instant)
        #expect(schedule.first(after: dates[1].starts.instant, rules) == dates[2])
        #expect(schedule.first(after: dates[2].starts.instant, rules) == nil)
        try schedule.change([], restoring: ["2026-11-10", "2026-10-27", "2026-11-03"])
        #expect(schedule.changes.isEmpty)
        // A rule without a day forgets what was changed about it.
        try schedule.change([ChangedDate(date: "2026-10-27", cancelled: true)], restoring: [])
        schedule.recurrence = try Recurrence("FREQ=DAILY;INTERVAL=2")
        schedule.forgetOthers()
        #expect(schedule.changes.isEmpty)
        for date in ["2026-10-21", "2025-10-20", "x"] {
            #expect(throws: Refusal.self, "\(date)") {
                try schedule.change([ChangedDate(date: date, cancelled: true)], restoring: [])
            }
        }
    }

    @Test("whole days are days wherever the reader is, and a date is listed while it lasts")
    func wholeDays() async throws {
        var schedule = try Self.schedule("2026-12-30T00:00", "", "FREQ=YEARLY")
        (schedule.seconds, schedule.minutes) = (nil, 3 * 1440)
        for zone in ["Pacific/Auckland", "America/Los_Angeles", "UTC"] {
            let rules = try await Self.rules(of: zone)
            let day = { (text: String) in rules.time(CivilTime(text + "T00:00")!).instant }
            #expect(Array(schedule.dates(from: day("2027-01-01"), to: day("2027-01-02"), rules)).count == 1, "\(zone)")
            #expect(Array(schedule.dates(from: day("2027-01-02"), to: day("2027-12-30"), rules)).isEmpty, "\(zone)")
            let date = try #require(schedule.first(after: day("2027-06-01"), rules))
            #expect(date.starts.civil.text == "2027-12-30T00:00:00" && date.ends == day("2028-01-02"))
        }
    }

    @Test(
        "a rule is written in one way, and what is not one is refused",
        arguments: [
            ("freq=weekly;byday=mo", "FREQ=WEEKLY;BYDAY=MO"),
            ("COUNT=3;FREQ=DAILY;INTERVAL=1", "FREQ=DAILY;COUNT=3"),
            ("FREQ=MONTHLY;BYDAY=+2MO,-1FR;WKST=SU", "FREQ=MONTHLY;BYDAY=2MO,-1FR;WKST=SU"),
            ("FREQ=YEARLY;UNTIL=20300101T120000Z", "FREQ=YEARLY;UNTIL=20300101T120000Z"),
            ("FREQ=YEARLY;UNTIL=20300101;WKST=MO", "FREQ=YEARLY;UNTIL=20300101"),
            ("FREQ=WEEKLY;BYDAY=MO,MO,TH,MO", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("FREQ=MONTHLY;BYDAY=-9223372036854775808MO", nil), ("FREQ=YEARLY;BYDAY=9223372036854775808MO", nil),
            ("", nil), ("FREQ=HOURLY", nil), ("FREQ=DAILY;FREQ=DAILY", nil), ("FREQ=DAILY;COUNT=0", nil),
            ("FREQ=DAILY;COUNT=1001", nil), ("FREQ=DAILY;COUNT=2;UNTIL=20300101", nil), ("FREQ=DAILY;INTERVAL=0", nil),
            ("FREQ=DAILY;BYMONTH=2", nil), ("FREQ=WEEKLY;BYDAY=1MO", nil), ("FREQ=MONTHLY;BYDAY=6MO", nil),
            ("FREQ=MONTHLY;BYDAY=0MO", nil), ("FREQ=WEEKLY;BYDAY=", nil), ("FREQ=DAILY;UNTIL=2030", nil),
            ("FREQ=DAILY;UNTIL=20300230", nil), ("FREQ=DAILY;UNTIL=20300101T120000", nil), ("FREQ=DAILY;", nil),
            ("FREQ=DAILY;INTERVAL=-1", nil), ("FREQ=DAILY\r\nATTENDEE:x", nil),
        ] as [(String, String?)])
    func text(given: String, expected: String?) throws {
        let rule = try? Recurrence(given)
        #expect(rule?.text == expected)
        if let rule { #expect(try Recurrence(rule.text) == rule) }
    }

    @Test("a rule with COUNT is stored with its last day, gives the same days from any, and counts none again")
    func counted() throws {
        for (start, _, text, _) in Self.cases where text.contains("COUNT") {
            let first = try #require(CivilTime(start)).day
            let rule = try Recurrence(text)
            let counted = rule.counted(from: first)
            let days = Array(rule.days(of: first, from: first))
            #expect(Array(counted.days(of: first, from: first)) == days)
            #expect(try Recurrence(stored: counted.storedText) == counted && counted.text == rule.text)
            for (index, day) in days.enumerated() {
                #expect(Array(counted.days(of: first, from: day)) == Array(days[index...]), "\(text) from \(day)")
            }
        }
        // A last day that is too early shows that nobody counts.
        var rule = try Recurrence("FREQ=DAILY;COUNT=1000")
        rule.end = .count(1000, last: 3)
        #expect(Array(rule.days(of: 1, from: 2)) == [2, 3])
    }

    @Test("a rule that gives no date any more ends, and a far day is reached at once")
    func ends() throws {
        let never = try Recurrence("FREQ=DAILY;INTERVAL=7;BYDAY=TU")
        // 1970-01-01 is a Thursday.
        #expect(Array(never.days(of: 0, from: 0)).isEmpty)
        for text in ["FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "FREQ=WEEKLY;INTERVAL=2"] {
            let rule = try Recurrence(text)
            let all = Array(rule.days(of: 1, from: 1))
            for start in [2_000, 100_000, 2_900_000] {
                #expect(rule.days(of: 1, from: start).first { _ in true } == all.first { $0 >= start }, "\(text)")
            }
        }
    }

    @Test("a list of many recurring events has each of its dates on one page, in order of time")
    func pages() async throws {
        let rules = try await Self.rules(of: "Europe/Zurich")
        let start = rules.time(CivilTime("2027-01-01T00:00")!).instant
        var listing = EventListing(start: start, end: start + .seconds(366 * 86_400), after: .start, limit: 100)
        for number in 0..<20 {
            var schedule = try Self.schedule(
                "2026-01-05T1\(number % 10):00", "Europe/Zurich", number % 3 == 0 ? "FREQ=WEEKLY" : "FREQ=MONTHLY")
            schedule.minutes = number * 3000
            let event = ListedEvent(
                id: [UInt8](repeating: UInt8(number), count: 16), title: "x", location: "", isCancelled: false,
                own: .accepted, schedule: schedule)
            listing.events.append((event, rules))
        }
        var found: [EventDate] = []
        while true {
            let (dates, next) = listing.page()
            found += dates
            guard let next else { break }
            #expect(dates.count == 100)
            listing.after = try EventDateCursor(next.text)
        }
        let expected = listing.events.flatMap { event, rules in
            event.schedule.dates(from: listing.start, to: listing.end, rules).map(event.date)
        }
        #expect(found.count == expected.count && found.count > 500)
        #expect(Set(found.map { "\($0.event) \($0.date)" }).count == found.count)
        #expect(
            zip(found, found.dropFirst()).allSatisfy {
                max($0.startsAtUs, start.rawValue) <= max($1.startsAtUs, start.rawValue)
            })
    }

    // MARK: Parts

    private static func schedule(_ start: String, _ zone: String, _ rule: String) throws -> EventSchedule {
        let civil = try #require(CivilTime(start))
        return EventSchedule(
            day: civil.day, seconds: Int(civil.rawValue / 1_000_000) - civil.day * 86_400, zone: zone, minutes: 60,
            recurrence: try Recurrence(rule))
    }

    private static func rules(of zone: String) async throws -> ZoneRules {
        try await Task { @ReactorActor in
            let zones = TimeZones(folder: "/usr/share/zoneinfo")
            return try zones.rules(of: zone)
        }.value
    }

    /// Runs a script of Debian's Python, with its packages.
    static func run(_ script: String, _ input: String) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        let (stdin, stdout) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (stdin, stdout)
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try stdout.fileHandleForReading.readToEnd() ?? Data() })
            }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }
}
