import Foundation
import Schema
import TestSupport
import Testing
import Wire

@testable import ServiceKit

@Suite("E4: time zones")
struct TimeZoneTests {
    @Test(
        "a time on the wall is read and written to the second",
        arguments: [
            ("1970-01-01T00:00:00", 0), ("2026-12-01T10:00", 1_796_119_200), ("2024-02-29T23:59:59", 1_709_251_199),
            ("9999-12-31T23:59:59", 253_402_300_799),
        ])
    func civil(text: String, seconds: Int64) throws {
        let civil = try #require(CivilTime(text))
        #expect(civil.rawValue == seconds * 1_000_000)
        #expect(civil.text == text + (text.utf8.count == 16 ? ":00" : ""))
    }

    @Test(
        "what is no time on the wall is refused",
        arguments: [
            "", "2026-12-01", "2026-12-01T10", "2026-12-01 10:00", "2026-12-01T10:00Z", "2026-13-01T10:00",
            "2026-00-01T10:00", "2026-02-29T10:00", "2026-04-31T10:00", "2026-12-01T24:00", "2026-12-01T10:60",
            "2026-12-01T10:00:60", "1969-12-31T23:59", "+026-12-01T10:00", "2026-12-01T10:00:0", "２026-12-01T10:00",
        ])
    func notCivil(text: String) { #expect(CivilTime(text) == nil) }

    @Test("E4 names that phones and browsers still report are known where only tzdata.zi has them")
    func earlierNames() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for zone in ["Asia/Kolkata", "America/New_York", "Europe/Kyiv", "Asia/Ho_Chi_Minh"] {
            let file = folder.appending(path: zone)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)")).write(to: file)
        }
        let links = """
            # version 2025b
            L Asia/Kolkata Asia/Calcutta
            L America/New_York US/Eastern
            L Europe/Kyiv Europe/Kiev
            L Asia/Ho_Chi_Minh Asia/Saigon
            L US/Eastern EST5EDT
            L ../../etc/passwd Mexico/General
            L Asia/Nowhere Asia/Elsewhere

            """
        try Data(links.utf8).write(to: folder.appending(path: "tzdata.zi"))
        let zones = await TimeZones(folder: folder.path)
        try await zones.load()
        for (name, zone) in [
            ("Asia/Calcutta", "Asia/Kolkata"), ("US/Eastern", "America/New_York"), ("Europe/Kiev", "Europe/Kyiv"),
            ("Asia/Saigon", "Asia/Ho_Chi_Minh"), ("EST5EDT", "America/New_York"),
        ] {
            let (rules, own) = (try await zones.rules(of: name), try await zones.rules(of: zone))
            for time in stride(from: Int64(1_700_000_000), to: 1_800_000_000, by: 5_000_000) {
                #expect(rules.offset(at: time) == own.offset(at: time), "\(name)")
            }
        }
        for name in ["Mexico/General", "Asia/Elsewhere", "Asia/Nowhere", "L", "version"] {
            await #expect(throws: Refusal.self, "\(name)") { try await zones.rules(of: name) }
        }
    }

    /// Offsets in hours. Calculated by hand from the rules.
    @Test(
        "a rule of POSIX holds from its hour on",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T00:59:59", 1.0),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T01:00", 2),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T00:59:59", 2),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T01:00", 1),
            ("EST5EDT,M3.2.0,M11.1.0", "2400-03-12T06:59:59", -5), ("EST5EDT,M3.2.0,M11.1.0", "2400-03-12T07:00", -4),
            // The southern summer lasts over New Year.
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2051-01-01T00:00", 11),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2051-07-01T00:00", 10),
            // Half an hour, and names in brackets.
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2051-01-01T00:00", 11), ("<-03>3", "2051-01-01T00:00", -3),
            // Hours before midnight and after the day.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59", -2),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00", -1),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2050-03-24T23:59", 2),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2050-03-25T00:00", 3),
            // Days by number, and a summer that never ends.
            ("AAA0BBB,J60,J61", "2048-03-01T01:59", 0), ("AAA0BBB,J60,J61", "2048-03-01T02:00", 1),
            ("AAA0BBB,59,60", "2048-02-29T02:00", 1), ("XXX3EDT4,0/0,J365/23", "2050-06-01T00:00", -4),
            ("XXX3EDT4,0/0,J365/23", "2051-01-01T02:30", -4),
        ])
    func posix(rule: String, at: String, hours: Double) throws {
        let rule = try #require(PosixRule(rule))
        let time = try #require(CivilTime(at))
        #expect(rule.offset(at: time.seconds) == Int64(hours * 3600))
    }

    @Test(
        "what is no rule is refused",
        arguments: [
            "", "CET", "CE-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1", "CET-1CEST,J0,J10", "CET-168",
        ])
    func notPosix(text: String) { #expect(PosixRule(text) == nil) }

    @Test(
        "a skipped time is later by the gap, a time that comes twice is the first, or the one of its offset",
        arguments: [
            ("Europe/Zurich", "2026-03-29T01:59:59", nil, "2026-03-29T00:59:59"),
            ("Europe/Zurich", "2026-03-29T02:30", nil, "2026-03-29T01:30"),
            ("Europe/Zurich", "2026-03-29T03:00", nil, "2026-03-29T01:00"),
            ("Europe/Zurich", "2026-10-25T02:30", nil, "2026-10-25T00:30"),
            ("Europe/Zurich", "2026-10-25T02:30", 3600, "2026-10-25T01:30"),
            ("Europe/Zurich", "2026-10-25T02:30", 7200, "2026-10-25T00:30"),
            ("Europe/Zurich", "2026-10-25T12:00", 7200, "2026-10-25T11:00"),
            // A day that was skipped, and rules that only the footer has.
            ("Pacific/Apia", "2011-12-30T12:00", nil, "2011-12-30T22:00"),
            ("Australia/Lord_Howe", "2150-10-04T02:15", nil, "2150-10-03T15:45"),
            ("UTC", "2300-01-01T00:00", nil, "2300-01-01T00:00"),
        ] as [(String, String, Int64?, String)])
    func gapsAndOverlaps(zone: String, civil: String, offset: Int64?, utc: String) async throws {
        let civil = try #require(CivilTime(civil))
        let zones = try await Self.zones()
        let time = try await zones.rules(of: zone).time(civil, preferring: offset)
        #expect(CivilTime(time.instant.rawValue) == CivilTime(utc))
        #expect(try await zones.rules(of: zone).time(at: time.instant) == time)
    }

    private static func zones() async throws -> TimeZones {
        let zones = await TimeZones(folder: "/usr/share/zoneinfo")
        try await zones.load()
        return zones
    }

    /// Prints each offset change of some years in all zones, and times on the wall around it with both of their
    /// instants.
    private static let script = """
        import zoneinfo, datetime as d
        utc, day = d.timezone.utc, d.timedelta(days=1)
        for name in sorted(zoneinfo.available_timezones()):
            if name in ("localtime", "Factory") : continue
            zone = zoneinfo.ZoneInfo(name)
            for year in (1996, 2011, 2026, 2037, 2090):
                at = d.datetime(year, 1, 1, 12, tzinfo=utc)
                while at.year == year:
                    if at.astimezone(zone).utcoffset() != (at + day).astimezone(zone).utcoffset() or at.day == 15 and at.month == 7:
                        wall = at.astimezone(zone).replace(tzinfo=None, minute=0, second=0)
                        for step in range(0, 52):
                            one = wall + step * d.timedelta(minutes=30)
                            both = [int(one.replace(tzinfo=zone, fold=fold).timestamp()) for fold in (0, 1)]
                            offset = int(one.replace(tzinfo=zone, fold=1).utcoffset().total_seconds())
                            print(name, one.isoformat(), both[0], both[1], offset)
                    at += day
        """

    @Test(
        "every zone has the instants that Python's zoneinfo has, around each change of some years",
        .timeLimit(.minutes(3)))
    func python() async throws {
        let reading = try await runToEnd(["/usr/bin/python3", "-c", Self.script])
        #expect(reading.status == 0, "\(reading.errors)")
        let zones = try await Self.zones()
        var (count, wrong) = (0, [Substring]())
        var rules: (name: Substring, rules: ZoneRules)?
        for line in reading.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if rules?.name != words[0] { rules = (words[0], try await zones.rules(of: String(words[0]))) }
            let civil = try #require(CivilTime(String(words[1])))
            let (first, second) = (Int64(words[2])! * 1_000_000, Int64(words[3])! * 1_000_000)
            let known = try #require(rules).rules
            count += 1
            // Where the two differ but the second is earlier, the time is skipped: Python has no instant of its own.
            let again = second > first ? known.time(civil, preferring: Int64(words[4])!).instant.rawValue : second
            if known.time(civil).instant.rawValue != first || again != second { wrong.append(line) }
        }
        #expect(count > 50_000)
        #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(5))")
    }

    @Test(
        "an unknown zone is refused as invalid, and no name leaves the folder",
        arguments: [
            "", "Mars/Olympus", "europe/zurich/", "/etc/passwd", "../../../etc/passwd", "Europe//Zurich", "Europe",
            "Europe/.",
            "tzdata.zi", "zone.tab", "right/UTC", "posix/UTC", "localtime", "posixrules", "Europe/Zürich",
            "'; DROP TABLE",
            String(repeating: "A", count: 65), "Factory", "leapseconds",
        ])
    func unknown(name: String) async throws {
        let zones = try await Self.zones()
        await #expect(throws: Refusal.self) { try await zones.rules(of: name) }
    }

    @Test("a damaged file has no rules, whichever byte ends it")
    func damaged() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Zurich")))
        #expect(TZif.rules(bytes) != nil)
        for count in 0..<bytes.count { #expect(TZif.rules(Array(bytes[..<count])) == nil) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] = 0xff
            // It may still be a file with rules, but nothing breaks.
            _ = TZif.rules(changed)?.time(CivilTime(1_796_119_200_000_000))
        }
    }

    @Test("other rules are read once the version in the folder changes, and a folder without zones is refused")
    func version() async throws {
        let folder = try TestFolder()
        let zones = await TimeZones(folder: folder.path)
        await #expect(throws: StartRefused.self) { try await zones.load() }
        func install(_ zone: String, as version: String) throws {
            try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)"))
                .write(to: URL(fileURLWithPath: "\(folder.path)/Town"))
            try Data("# version \(version)\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/tzdata.zi"))
        }
        try install("Etc/GMT-1", as: "2025b")
        try await zones.load()
        #expect(try await zones.rules(of: "Town").time(CivilTime(0)).offset == 3600)
        try install("Etc/GMT-2", as: "2026a")
        #expect(try await zones.rules(of: "Town").time(CivilTime(0)).offset == 3600)
        try await zones.load()
        #expect(await zones.version == "2026a")
        #expect(try await zones.rules(of: "Town").time(CivilTime(0)).offset == 7200)
    }
}
