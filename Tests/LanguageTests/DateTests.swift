import Language
import Testing

@Suite("E8: dates and times in a chat")
struct DateTests {
    /// Each row of the conventions, said on Wednesday, 4 March 2026, at 10:15 in London.
    @Test(
        "the words of a date mean what people in a chat mean",
        arguments: [
            ("dinner on Wednesday", "2026-03-11", nil), ("dinner this Wednesday at 7", "2026-03-04", "19:00"),
            ("dinner Friday", "2026-03-06", nil), ("dinner this coming Friday", "2026-03-06", nil),
            ("dinner next Friday", "2026-03-13", nil), ("dinner a week on Tuesday", "2026-03-17", nil),
            ("dinner Friday week", "2026-03-13", nil), ("dinner sat week", "2026-03-14", nil),
            ("dinner this weekend", "2026-03-07", nil), ("dinner next weekend", "2026-03-14", nil),
            ("dinner tomorrow", "2026-03-05", nil), ("dinner the day after tomorrow", "2026-03-06", nil),
            ("dinner in three days", "2026-03-07", nil), ("dinner in two weeks", "2026-03-18", nil),
            ("dinner a fortnight today", "2026-03-18", nil), ("dinner on the 14th", "2026-03-14", nil),
            ("dinner on the 3rd", "2026-04-03", nil), ("dinner March 14", "2026-03-14", nil),
            ("dinner 14 June", "2026-06-14", nil), ("dinner on the 4th of July", "2026-07-04", nil),
            ("dinner 3 March", "2027-03-03", nil), ("dinner on 30/06/2027", "2027-06-30", nil),
            ("dinner on 13.03.2027", "2027-03-13", nil), ("dinner on 18/9", "2026-09-18", nil),
            ("dinner on the first Monday of April", "2026-04-06", nil),
            ("dinner on the last friday of this month", "2026-03-27", nil),
            ("dinner on the second Tuesday of next month", "2026-04-14", nil),
            ("dinner on Christmas Eve", "2026-12-24", nil), ("dinner on New Year's Eve", "2026-12-31", nil),
            ("dinner at Halloween", "2026-10-31", nil), ("dinner on Thanksgiving", "2026-11-26", nil),
            ("dinner on 12-14 June", "2026-06-12", nil), ("dinner tonight", "2026-03-04", nil),
            ("the match is Saturday at 3", "2026-03-07", "15:00"), ("meeting at 12", "2026-03-04", "12:00"),
            ("meeting at noon", "2026-03-04", "12:00"), ("meeting at 4", "2026-03-04", "16:00"),
            ("meeting tomorrow at 9", "2026-03-05", "09:00"), ("dinner tomorrow at 9", "2026-03-05", "21:00"),
            ("breakfast tomorrow at 7", "2026-03-05", "07:00"),
            ("gym tomorrow at 6 before work", "2026-03-05", "06:00"),
            ("meeting at 9", "2026-03-04", "21:00"), ("meeting at 09:30", "2026-03-05", "09:30"),
            ("meeting tomorrow around 7", "2026-03-05", "19:00"), ("drinks tomorrow 7ish", "2026-03-05", "19:00"),
            ("meeting tomorrow at half past six", "2026-03-05", "18:30"),
            ("meeting tomorrow at quarter to eight", "2026-03-05", "19:45"),
            ("pub tomorrow half 8", "2026-03-05", "20:30"),
            ("meeting tomorrow 19h", "2026-03-05", "19:00"), ("meeting tomorrow 7.30pm", "2026-03-05", "19:30"),
            ("meeting tomorrow 11:15a", "2026-03-05", "11:15"), ("meeting tomorrow 14:00", "2026-03-05", "14:00"),
            ("rehearsal tomorrow 3-5pm", "2026-03-05", "15:00"), ("dinner friday 7 to 10", "2026-03-06", "19:00"),
            ("workshop tomorrow 10am-1pm", "2026-03-05", "10:00"),
            ("workshop tomorrow 9 till 11:30", "2026-03-05", "09:00"),
            ("call tomorrow 9am PT", "2026-03-05", "17:00"), ("call tomorrow 2pm Eastern", "2026-03-05", "19:00"),
            ("call tomorrow 18:00 CET", "2026-03-05", "17:00"), ("call tomorrow 10:30 UTC", "2026-03-05", "10:30"),
            ("the halloween party on Saturday at 8", "2026-03-07", "20:00"),
            ("I booked a table for 4 on friday at 7:30", "2026-03-06", "19:30"),
            ("match on sunday, kickoff 15:00, meet 14:15", "2026-03-08", "14:15"),
            ("call tomorrow 5pm PT", "2026-03-06", "01:00"), ("call in two hours", "2026-03-04", "12:15"),
        ] as [(String, String, String?)])
    func conventions(text: String, date: String, time: String?) throws {
        let found = try #require(Scene.found(text).first { $0.kind == .event }, "\(text)")
        #expect(found.date?.text == date, "\(text)")
        if let time { #expect(found.time?.text == time, "\(text)") }
    }

    @Test(
        "a time with a distance from Greenwich is its instant",
        arguments: [
            ("call tomorrow 15:00 UTC-5", "2026-03-05", "20:00"), ("call tomorrow 3pm GMT+2", "2026-03-05", "13:00"),
            ("call 2026-03-09T09:30+02:00", "2026-03-09", "07:30"),
            ("call 2026-03-09T09:30-05:00", "2026-03-09", "14:30"),
            ("call 2026-03-09T09:30:00Z", "2026-03-09", "09:30"), ("call 2026-03-09T09:30-0330", "2026-03-09", "13:00"),
            ("call tomorrow 15:00 UTC+5:30", "2026-03-05", "09:30"),
            ("call tomorrow at 3pm (UTC-8)", "2026-03-05", "23:00"),
            ("call tomorrow at 15:00 GMT -3", "2026-03-05", "18:00"),
            ("call tomorrow 11pm UTC-5", "2026-03-06", "04:00"),
            // A range is none.
            ("workshop tomorrow 10:00-12:00", "2026-03-05", "10:00"),
            ("workshop tomorrow 10:00 UTC - 12:00", "2026-03-05", "10:00"),
        ])
    func offsets(text: String, date: String, time: String) throws {
        let found = try #require(Scene.found(text).first { $0.kind == .event }, "\(text)")
        #expect(found.date?.text == date && found.time?.text == time, "\(found)")
    }

    @Test(
        "a day that no calendar has is no date, and its time is not one of another day",
        arguments: [
            "dinner on 31 April at 7pm", "dinner on the 32nd at 7pm", "dinner on 29 February 2027",
            "dinner on Feb 30 at 8", "dinner on 31/04/2026 at 7", "meeting on 2026-02-30 at 10:00",
            "dinner on April 31st", "lunch on June 31st at noon", "dinner 31st of September 7pm", "call on 2026-13-05",
        ])
    func impossible(text: String) {
        #expect(Scene.found(text).allSatisfy { $0.date == nil && $0.time == nil }, "\(Scene.found(text))")
        #expect(DateReader(at: Scene.wednesday, .chat).time(text) == nil)
    }

    @Test("what another sentence says of another day stays")
    func possible() throws {
        let found = try #require(Scene.found("The form said 31 April. Dinner tomorrow at 7!").first)
        #expect(found.date?.text == "2026-03-05" && found.time?.text == "19:00")
    }

    @Test(
        "numbers of people, dates of months, and names are no times of their own",
        arguments: [
            ("dinner for 4 tomorrow at 7", "2026-03-05", "19:00"),
            ("lunch for 6 on friday at 1pm", "2026-03-06", "13:00"),
            ("drinks for 8 on saturday from 20:30", "2026-03-07", "20:30"),
            ("dinner for 7 tomorrow", "2026-03-05", "19:00"),
            ("board meeting every 3rd friday at 10", "2026-03-20", "10:00"),
            ("standup every first monday at 9:30", "2026-04-06", "09:30"),
            ("drinks every last friday at 6pm", "2026-03-27", "18:00"),
            ("choir every 2nd thursday at 19:00", "2026-03-12", "19:00"),
            ("lunch at TGI Fridays tomorrow at 1", "2026-03-05", "13:00"),
            ("dinner at Ruby Tuesday on Saturday at 8", "2026-03-07", "20:00"),
            ("drinks at Cafe Sunday on Friday at 6", "2026-03-06", "18:00"),
            ("dinner at Mario's Friday at 7", "2026-03-06", "19:00"),
            ("new year countdown party 31 december 11:59pm", "2026-12-31", "23:59"),
            ("Christmas market trip 12 december 3pm", "2026-12-12", "15:00"),
            ("Halloween costume party 24 october 8pm", "2026-10-24", "20:00"),
            ("Easter egg hunt party 28 march 2pm", "2026-03-28", "14:00"),
        ])
    func meant(text: String, date: String, time: String) throws {
        let found = try #require(Scene.found(text).first { $0.kind == .event }, "\(text)")
        #expect(found.date?.text == date && found.time?.text == time, "\(text): \(found)")
    }

    @Test(
        "a limit is the day that is named",
        arguments: [
            ("send it by Friday", "2026-03-06", nil), ("send it before Saturday", "2026-03-07", nil),
            ("send it by EOW", "2026-03-06", nil), ("send it before the weekend", "2026-03-06", nil),
            ("send it by the end of the month", "2026-03-31", nil), ("send it by EOD", "2026-03-04", "17:00"),
            ("send it by the end of next month", "2026-04-30", nil),
            ("send it by the end of the year", "2026-12-31", nil),
            ("send it by close of business tomorrow", "2026-03-05", "17:00"), ("send it by 5", "2026-03-04", "17:00"),
            ("send it no later than March 15", "2026-03-15", nil),
            ("send it within the next hour", "2026-03-04", "11:15"),
            ("I'll send it in 20 minutes", "2026-03-04", "10:35"), ("I'll send it tomorrow morning", "2026-03-05", nil),
        ] as [(String, String, String?)])
    func limits(text: String, date: String, time: String?) throws {
        let found = try #require(Scene.found(text).first { $0.kind == .reminder }, "\(text)")
        #expect(found.date?.text == date && found.time?.text == time, "\(text)")
    }

    @Test("numeric dates begin with the month in America's zones only")
    func america() {
        let there = Scene.moment(1_772_619_300, zoneName: "America/New_York")
        #expect(Scene.found("dinner on 9/8", at: there).first?.date?.text == "2026-09-08")
        #expect(Scene.found("dinner on 9/8").first?.date?.text == "2026-08-09")
    }

    @Test("an elapsed time is true over a change of the clocks, and a wall time stays one")
    func clockChange() {
        // Saturday, 28 March 2026, 23:30: an hour is skipped in the night.
        let night = Scene.moment(1_774_740_600)
        #expect(Scene.found("I'll send it in three hours", at: night).first?.time?.text == "03:30")
        #expect(Scene.found("dinner tomorrow at 7", at: night).first?.time?.text == "19:00")
    }

    @Test(
        "what is too vague has no date, and what is past yields nothing",
        arguments: [
            "dinner next week", "dinner in spring", "dinner soon", "dinner one day", "dinner in the next few weeks",
            "dinner last Friday was great", "we had dinner yesterday at 7", "dinner 3 days ago",
        ])
    func vague(text: String) { #expect(Scene.found(text).isEmpty, "\(text)") }

    @Test(
        "numbers that are no times are none",
        arguments: [
            "we sat in row 19, seats 3-5", "Page 11 to 13", "final score was 7-5", "p99 went from 8 to 3 ms",
            "24/7 support",
            "that was 50/50", "version 7.30 is out", "it costs $7", "room 1430", "I have 3 kids",
            "we won 3-1 in the match",
        ])
    func numbers(text: String) { #expect(Scene.found(text).isEmpty, "\(text)") }

    @Test(
        "a phrase is read as a whole: periods are ranges, clock times the next ones",
        arguments: [
            ("next week", "2026-03-09/2026-03-16"), ("March", "2026-03-01/2026-04-01"),
            ("Q4 2018", "2018-10-01/2019-01-01"),
            ("2014", "2014-01-01/2015-01-01"), ("from 3pm to 5pm", "2026-03-04T15:00/2026-03-04T17:00"),
            ("two weeks before Christmas", "2026-12-11"), ("the third of march", "2027-03-03"),
            ("at 9am", "2026-03-05T09:00"),
            ("last Sunday of March 2014", "2014-03-30"), ("3 days ago", "2026-03-01"),
            ("the 90s", "1990-01-01/2000-01-01"),
            ("July 13-15", "2026-07-13/2026-07-15"), ("in 2.5 hours", "2026-03-04T12:45"), ("nothing at all", ""),
            ("4pm for 30 minutes", "2026-03-04T16:00/2026-03-04T16:30"),
            ("week of October 6th", "2026-10-05/2026-10-12"),
            ("06-11-2026", "2026-06-11"), ("2026-06-01T13:45", "2026-06-01T13:45"),
            ("midnight tonight", "2026-03-05T00:00"), ("thursday 0800", "2026-03-05T08:00"),
            ("the friday after thanksgiving", "2026-11-27"), ("third friday from now", "2026-03-20"),
            ("friday the week after next", "2026-03-20"), ("five to noon tomorrow", "2026-03-05T11:55"),
            ("nine oh five tomorrow", "2026-03-05T09:05"), ("in 1h30", "2026-03-04T11:45"),
            ("last november", "2025-11-01/2025-12-01"), ("rest of the week", "2026-03-04/2026-03-09"),
            ("the year before last", "2024-01-01/2025-01-01"), ("quarter 2 of 2020", "2020-04-01/2020-07-01"),
            ("last quarter of 2020", "2020-10-01/2021-01-01"), ("2022 october", "2022-10-01/2022-11-01"),
            ("last 2 weeks of october", "2026-10-18/2026-11-01"), ("first friday next month", "2026-04-03"),
            ("the past hour", "2026-03-04T09:15/2026-03-04T10:15"), ("1900 hours", "2026-03-04T19:00"),
            ("feb13", "2027-02-13"), ("12-31", "2026-12-31"), ("3h18", "2026-03-05T03:18"),
            ("at 5h", "2026-03-05T05:00"), ("8h15 tomorrow", "2026-03-05T08:15"), ("ten-thirty pm", "2026-03-04T22:30"),
            ("eighteen hundred hours", "2026-03-04T18:00"), ("half an hour after noon", "2026-03-04T12:30"),
            ("5 minutes before midnight", "2026-03-04T23:55"), ("2027 july 4", "2027-07-04"),
            ("20270704", "2027-07-04"), ("20271304", ""), ("previous week - monday", "2026-02-23"),
            ("next few days", "2026-03-05/2026-03-08"), ("few days ago", "2026-03-01"), ("a few of us", ""),
            ("past couple of hours", "2026-03-04T08:15/2026-03-04T10:15"), ("last may 5th", "2025-05-05"),
            ("the last weekend of june", "2026-06-27/2026-06-29"),
        ])
    func phrases(text: String, expected: String) {
        let found =
            switch DateReader(at: Scene.wednesday, .phrase).read(text)?.value {
            case .date(let day): day.text
            case .dateTime(let wall): wall.text
            case .time(let time): time.text
            case .dates(let first, let end): first.text + "/" + end.text
            case .dateTimes(let first, let end): first.text + "/" + end.text
            case .times(let first, let end): first.text + "/" + end.text
            case nil: ""
            }
        #expect(found == expected, "\(text)")
    }

    @Test(
        "a time in words is read only if the whole text is one",
        arguments: [
            ("tomorrow 7pm", "2026-03-05T19:00"), ("friday at half past six", "2026-03-06T18:30"),
            ("in two hours", "2026-03-04T12:15"), ("noon", "2026-03-04T12:00"), ("tomorrow", nil), ("next week", nil),
            ("nonsense 7pm", nil), ("", nil), ("the 14th at 9am", "2026-03-14T09:00"),
        ] as [(String, String?)])
    func whole(text: String, expected: String?) {
        #expect(DateReader(at: Scene.wednesday, .chat).time(text)?.text == expected, "\(text)")
    }
}

@Suite("E8: the calendar")
struct CalendarTests {
    @Test("days are numbered as the Gregorian calendar has them, over 800 years")
    func days() throws {
        var day = try #require(Day(year: 1600, month: 1, day: 1))
        var (year, month, number) = (1600, 1, 1)
        while year < 2400 {
            #expect(day.parts == (year, month, number))
            #expect(Day(year: year, month: month, day: number) == day)
            number += 1
            if Day(year: year, month: month, day: number) == nil { (month, number) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            day = Day(number: day.number + 1)
        }
        #expect(Day(year: 2023, month: 2, day: 29) == nil && Day(year: 1900, month: 2, day: 29) == nil)
    }

    @Test("a skipped time is read with the offset before the gap, and of a time that comes twice the first counts")
    func gaps() throws {
        let gap = try #require(Day(year: 2026, month: 3, day: 29))
        let fold = try #require(Day(year: 2026, month: 10, day: 25))
        let halfPastOne = TimeOfDay(seconds: 5400)
        #expect(LondonZone().instant(of: WallTime(day: gap, time: halfPastOne)) == 1_774_747_800)
        #expect(LondonZone().instant(of: WallTime(day: fold, time: halfPastOne)) == 1_792_888_200)
    }
}
