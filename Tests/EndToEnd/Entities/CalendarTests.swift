import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("E9: the calendar leaves")
struct CalendarTests {
    /// Reads a calendar with python3-icalendar and python3-vobject, and prints what they found, a line each.
    private static let script = #"""
        import datetime as d, icalendar, json, sys, vobject
        data = sys.stdin.buffer.read()
        assert data.endswith(b"END:VCALENDAR\r\n")
        lines = data.split(b"\r\n")
        assert all(len(line) <= 75 and b"\n" not in line for line in lines)
        for line in lines: line.decode()
        found = icalendar.Calendar.from_ical(data)
        events = []
        for event in found.walk("VEVENT"):
            starts = event["DTSTART"].dt
            one = {name.lower(): str(event[name]) for name in
                ("UID", "SUMMARY", "LOCATION", "DESCRIPTION", "URL", "STATUS", "SEQUENCE", "ORGANIZER") if name in event}
            is_day = not isinstance(starts, d.datetime)
            one["starts"] = starts.isoformat() if is_day else str(int(starts.timestamp()))
            if "DTEND" in event: one["ends"] = event["DTEND"].dt.isoformat()
            if "DURATION" in event: one["minutes"] = str(int(event["DURATION"].dt.total_seconds() // 60))
            if "RECURRENCE-ID" in event: one["instead"] = str(int(event["RECURRENCE-ID"].dt.timestamp()))
            attendees = event.get("ATTENDEE", [])
            if not isinstance(attendees, list): attendees = [attendees]
            one["attendees"] = " ".join(sorted(str(a).split(":")[-1] + "=" + a.params["PARTSTAT"] for a in attendees))
            events.append(one)
        # The other parser expands the series, by the zones in the file.
        dates = []
        notes = []
        for event in getattr(vobject.readOne(data.decode()), "vevent_list", []):
            if hasattr(event, "description"): notes.append(event.description.value)
            if hasattr(event, "recurrence_id") or not hasattr(event, "rrule"): continue
            for at in event.getrruleset(addRDate=True):
                if len(dates) == 40: break
                dates.append(str(int(at.timestamp())))
        print(json.dumps({
            "method": [str(found.get("METHOD", "")), str(found.get("X-WR-CALNAME", ""))], "zones": [str(z["TZID"]) for z in found.walk("VTIMEZONE")], "dates": dates,
            "notes": notes, "events": [json.dumps(e) for e in events]}))
        """#

    private struct Found {
        var method: String
        var zones: [String]
        /// The instants of the first dates of series, in seconds.
        var dates: [Int64]
        var notes: [String]
        var events: [[String: String]]
    }

    private static func read(_ calendar: [UInt8]) async throws -> Found {
        let reading = try await runToEnd(["/usr/bin/python3", "-c", script], input: .holding(Data(calendar)))
        #expect(reading.status == 0, "\(reading.errors)\(String(decoding: calendar, as: UTF8.self))")
        let lists = try JSONDecoder().decode([String: [String]].self, from: Data(reading.output.utf8))
        return Found(
            method: lists["method"]?.first ?? "", zones: lists["zones"] ?? [],
            dates: (lists["dates"] ?? []).compactMap { Int64($0) },
            notes: lists["notes"] ?? [],
            events: try (lists["events"] ?? []).map {
                try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
            })
    }

    @Test(
        "E9 an event's file is what two independent parsers read: text, zone, series, changed dates, answers, its end")
    func file() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(3) { $0 % 2 }
        let (alice, bob, stranger) = (people[0], people[1], people[2])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let title = "Chor, Probe; \\ „Messe in h-Moll“ " + String(repeating: "🎶 und ", count: 12) + "\"Ende\""
        let id = await alice.client.newID()
        _ = try await alice.client.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), title, [direct])
                ($0.when.date, $0.when.time, $0.when.timeZone) = ("2027-09-22", "19:30", "Europe/Zurich")
                ($0.when.durationMinutes, $0.recurrence) = (90, "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU;UNTIL=20280401")
                ($0.location, $0.link) = ("Aula, 1. Stock", "https://example.org/a,b;c")
                $0.notes = "Zeile 1\nZeile 2\tmit Tab, Komma; und \\n als Text"
            })
        _ = try await alice.client.updateEvent(id, version: 1) {
            $0.changedDates = [
                .with { ($0.date, $0.cancelled) = ("2027-10-06", true) },
                .with { ($0.date, $0.newDate, $0.newTime) = ("2027-11-03", "2027-11-04", "20:00") },
            ]
        }
        try await eventually("bob sees it") { (try? await bob.client.event(id)) != nil }
        try await bob.client.answerEvent(id, .tentative, guests: 2)
        let text = try await bob.client.exportEvent(id)
        let found = try await Self.read(Array(text.utf8))
        #expect(found.method.isEmpty && found.zones == ["Europe/Zurich"] && found.events.count == 2)
        let series = found.events[0]
        #expect(series["summary"] == title && series["location"] == "Aula, 1. Stock")
        // The first parser takes an escaped backslash before an n for a line break.
        #expect(found.notes.first == "Zeile 1\nZeile 2\tmit Tab, Komma; und \\n als Text")
        #expect(series["url"] == "https://example.org/a,b;c" && series["minutes"] == "90" && series["sequence"] == "1")
        #expect(series["uid"] == "\(Data(id.bytes).map { String(format: "%02x", $0) }.joined())@parley")
        #expect(series["status"] == "CONFIRMED" && series["organizer"]?.hasSuffix(alice.user) == true)
        #expect(
            series["attendees"]
                == ["\(alice.user)=ACCEPTED", "\(bob.user)=TENTATIVE"].sorted().joined(separator: " "))
        // A changed date has the people, too.
        #expect(found.events[1]["attendees"] == series["attendees"] && found.events[1]["organizer"] != nil)
        let dates = try await alice.client.listEvents(from: "2027-09-01", to: "2028-04-30", timeZone: "Europe/Zurich")
            .dates
        let starts = dates.map { $0.startsAtUs / 1_000_000 }
        #expect(series["starts"] == "\(starts[0])")
        let moved = try #require(dates.first { $0.date == "2027-11-03" })
        #expect(found.events[1]["starts"] == "\(moved.startsAtUs / 1_000_000)")
        // The date that was moved is in the series, until its own entry replaces it.
        let instead = try #require(found.events[1]["instead"].flatMap { Int64($0) })
        let expected = (starts.filter { $0 != moved.startsAtUs / 1_000_000 } + [instead]).sorted()
        #expect(found.dates == expected && expected.count > 25)
        let refused = try await refusal { () async throws(ParleyError) in try await stranger.client.exportEvent(id) }
        #expect(refused.code == "not_found")

        try await alice.client.cancelEvent(id)
        let cancelled = try await Self.read(Array(try await alice.client.exportEvent(id).utf8))
        #expect(cancelled.method == "CANCEL" && cancelled.events[0]["status"] == "CANCELLED")
        #expect(cancelled.events[0]["sequence"] == "2")
    }

    @Test("E9 a secret link gives all of a person's events, with 304 while nothing changes, until it is ended")
    func link() async throws {
        let cluster = try await TestCluster.shared
        let people = try await cluster.people(2) { $0 % 2 }
        let (alice, bob) = (people[0], people[1])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let server = cluster.endpoints.http[0]
        func get(_ path: String, _ method: String = "GET", known: String = "") async throws -> RawHTTP.Answer {
            try #require(
                try await onThread {
                    try RawHTTP.send(
                        method, path, to: server, headers: known.isEmpty ? [:] : ["If-None-Match": known])
                })
        }
        let path = try await bob.client.createCalendarLink()
        let secret = path.dropFirst("/v1/calendar/".count).prefix(32)
        #expect(path.hasSuffix(".ics") && secret.count == 32)
        let feed = try await get(path).body
        let empty = try await Self.read(feed)
        #expect(empty.events.isEmpty && empty.method.isEmpty)
        for line in [
            "X-WR-CALNAME:Parley", "NAME:Parley", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
        ] {
            #expect(String(decoding: feed, as: UTF8.self).contains("\r\n\(line)\r\n"), "\(line)")
        }

        let day = { (offset: Int) in
            Date(timeIntervalSinceNow: TimeInterval(offset * 86_400)).formatted(.iso8601.year().month().day())
        }
        func make(_ title: String, _ offset: Int, by person: Device) async throws -> UUIDv7 {
            let id = await person.client.newID()
            _ = try await person.client.createEvent(
                .with {
                    ($0.id, $0.title, $0.when.date, $0.conversations) = (Data(id.bytes), title, day(offset), [direct])
                })
            try await eventually("both see it") {
                let (first, second) = (try? await alice.client.event(id), try? await bob.client.event(id))
                return first != nil && second != nil
            }
            return id
        }
        let first = try await make("Soon", 3, by: alice)
        let declined = try await make("Declined", 4, by: alice)
        _ = try await make("Long ago", -370, by: bob)
        _ = try await make("Far away", 740, by: bob)
        try await bob.client.answerEvent(declined, .declined)
        let answer = try await get(path)
        #expect(answer.status == 200 && answer.headers["content-type"] == "text/calendar; charset=utf-8")
        let tag = try #require(answer.headers["etag"])
        let found = try await Self.read(answer.body)
        #expect(found.events.map { $0["summary"] } == ["Soon"] && found.events[0]["starts"] == day(3))
        #expect(found.events[0]["ends"] == day(4) && found.events[0]["attendees"] == "\(bob.user)=NEEDS-ACTION")
        let same = try await get(path, known: tag)
        #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
        let head = try await get(path, "HEAD")
        #expect(head.status == 200 && head.headers["content-length"] == "\(answer.body.count)" && head.body.isEmpty)
        try await bob.client.answerEvent(first, .accepted)
        let changed = try await get(path, known: tag)
        #expect(changed.status == 200 && changed.headers["etag"] != tag)
        #expect(try await Self.read(changed.body).events[0]["attendees"] == "\(bob.user)=ACCEPTED")

        // Several pieces.
        for number in 0..<60 {
            _ = try await bob.client.createEvent(
                .with {
                    ($0.title, $0.notes) = ("\(number)", String(repeating: "x\n", count: 2048))
                    ($0.when.date, $0.when.time, $0.when.timeZone) = (day(5), "10:00", "Europe/Zurich")
                })
        }
        let large = try await get(path)
        #expect(large.body.count > 400_000)
        #expect(try await Self.read(large.body).events.count == 61)

        let other = path.dropLast(4).last == "0" ? "1" : "0"
        #expect(try await get("\(path.dropLast(5))\(other).ics").status == 404)
        #expect(try await get("/v1/calendar/x").status == 404)
        let next = try await bob.client.createCalendarLink()
        #expect(try await get(path).status == 404, "the earlier link has ended")
        #expect(try await get(next).status == 200)
        // The sixty first fetch within an hour, also by another link.
        var statuses: [Int] = []
        while statuses.last != 429, statuses.count < 70 { statuses.append(try await get(next, "HEAD").status) }
        let limited = try await get(next)
        #expect(statuses.count == 60 - 6 && limited.status == 429)
        #expect(limited.headers["retry-after"].flatMap { Int($0) } ?? 0 > 3000)
        try await bob.client.deleteCalendarLink()
        #expect(try await get(next).status == 404)
        if !TestCluster.isElsewhere {
            for process in ["gateway-1", "gateway-2", "entities-1"] {
                let log = cluster.log(of: process, last: 1_000_000).joined()
                #expect(!log.contains(secret) && !log.contains("/v1/calendar/\(secret)"), "\(process)")
            }
        }
    }
}
