import Schema
import Testing

@testable import EntitiesService
@testable import ServiceKit

@Suite("Shares: what one person may cause for others (X2)")
struct FairnessTests {
    @Test("texts are read in turns, one of each sender; who has used up their share is left out")
    func reading() {
        #expect(ReadingInTurns<AccountNumber>.turns([1, 1, 1, 2, 3, 2]) == [0, 3, 4, 1, 5, 2])
        var turns = ReadingInTurns<AccountNumber>(millisecondsMax: 1)
        var texts = [(AccountNumber(1), ""), (1, ""), (1, ""), (2, ""), (3, "")]
        var order: [AccountNumber] = []
        turns.read(&texts, by: \.0, used: [3]) { text in
            order.append(text.0)
            text.1 = "read"
            // Sender 1 takes several milliseconds of a processor.
            var work = 0.0
            if text.0 == 1 { for number in 0..<2_000_000 { work += Double(number).squareRoot() } }
            #expect(work >= 0)
        }
        #expect(order == [1, 2] && texts.map(\.1) == ["read", "", "", "read", ""])
        #expect(turns.leftOut == 3 && !turns.isCutShort && turns.spent[1, default: 0] >= 1000)
    }

    @Test("a calendar is kept while it is sent, for its person alone, in bounded memory")
    func calendars() {
        var kept = KeptCalendars()
        let now = ContinuousClock.now
        kept.keep([1, 2], [7], of: 1, at: now)
        #expect(kept.find([7], of: 1, at: now + .seconds(29)) == [1, 2] && kept.find([7], of: 2, at: now) == nil)
        #expect(kept.find([7], of: 1, at: now + .seconds(60)) == nil, "nobody asked for a piece for 30 s")
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        for account in 1...40 { kept.keep(megabyte, [1], of: AccountNumber(Int64(account)), at: now) }
        #expect(kept.bytes <= 32 << 20)
        #expect(kept.find([1], of: 40, at: now) != nil && kept.find([1], of: 1, at: now) == nil)
        kept.forget([1], of: 40)
        #expect(kept.find([1], of: 40, at: now) == nil && kept.bytes <= 31 << 20)
    }

    @Test("a calendar has at most so many bytes: the events from the first on that does not fit are left out")
    func calendarBytes() throws {
        let rules = ZoneRules(first: 0, transitions: [])
        let entries = (0..<100).map { number in
            CalendarText.Entry(
                event: Event(title: "\(number)", notes: String(repeating: "n", count: 1000)),
                schedule: EventSchedule(day: 20_000 + number, seconds: 3600, zone: "Europe/Zurich", minutes: 60),
                rules: rules, changedAt: 1, attendees: [])
        }
        let whole = String(decoding: CalendarText.calendar(.feed, entries, now: 1), as: UTF8.self)
        let cut = String(decoding: CalendarText.calendar(.feed, entries, now: 1, bytesMax: 20_000), as: UTF8.self)
        #expect(whole.split(separator: "BEGIN:VEVENT").count == 101 && whole.utf8.count > 100_000)
        #expect((18_000...20_100).contains(cut.utf8.count) && cut.hasSuffix("END:VCALENDAR\r\n"))
        #expect(cut.contains("SUMMARY:0\r\n") && cut.split(separator: "BEGIN:VTIMEZONE").count == 2)
    }

    @Test("when many reminders are due, people have turns until the order is out of date")
    func due() {
        let now = ContinuousClock.now
        var due = DueInTurns([(1, [1]), (2, [2]), (1, [3])], latest: 5, at: now)
        #expect(due.next(2, at: now).map(\.id) == [[1], [2]] && !due.isUsedUp(at: now))
        #expect(due.isUsedUp(at: now + .milliseconds(200)) && due.next(2, at: now + .milliseconds(200)).isEmpty)
        #expect(due.next(2, at: now).map(\.id) == [[3]] && due.isUsedUp(at: now))
    }
}
