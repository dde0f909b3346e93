@testable import EntitiesService
@testable import Language
@testable import Schema
@testable import ServiceKit

extension FuzzTarget {
    private static let rules = ZoneRules(first: 3600, transitions: [])
    /// 2026-03-04T09:15:00Z.
    private static let sentAt: Timestamp = 1_772_615_700_000_000

    /// What messages say of times, as far as the event or reminder that accepting would make.
    static let phrases = FuzzTarget(
        "phrases", bytesMax: 4096,
        seeds: {
            [
                "remind me to call mum in 999999999 and a half years", "lunch in 10000 decades, 10000 decades",
                "Dinner at Nando's on friday at 7?", "pay the rent by 31.12.9999", "in 2 1/2 hours and 3 days",
                "let's meet 5 minutes before midnight, from 3pm to 5pm", "call me 20 minutes ago || 1900 hours",
                "holiday from 1st July to 30 June", "remind me on 29 February 2100 at 25:61", "9:30 am Pacific, tmrw",
            ].map { Array($0.utf8) }
        }
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let moment = Moment(
            instant: Int(sentAt.seconds), zone: SenderZone(rules: rules), zoneName: "Europe/Zurich",
            zones: { _ in nil })
        let message = ReadMessage(
            key: MessageKey(conversation: 1, seq: 1), id: [], position: 1, sender: 1, text: text, sentAt: sentAt,
            editedAt: 0, mentions: [], zone: "Europe/Zurich", isZoned: true, rules: rules)
        for found in Extractor().extract(Utterance(sender: "1", text: text), at: moment) {
            guard let content = SuggestedContent(found, in: message) else { continue }
            let last = sentAt + .seconds(4100 * 86_400)
            try require(content.expiresAt > sentAt && content.expiresAt < last, "\(content)")
            try require((1...512).contains(content.title.utf8.count), "a title of \(content.title.utf8.count) bytes")
            guard let schedule = content.schedule else { continue }
            try require(CivilDay.number(schedule.when.date) == schedule.day, "\(schedule) has no day to accept")
            try require((0...EventSchedule.minutesMax).contains(schedule.minutes), "\(schedule.minutes) minutes")
        }
    }

    /// Rules of recurring events. An input is a day's number in two bytes, then a rule.
    static let recurrences = FuzzTarget(
        "recurrences", bytesMax: 300,
        seeds: {
            [
                "FREQ=MONTHLY;BYDAY=-9223372036854775808MO", "FREQ=WEEKLY;BYDAY=MO,MO,TH;COUNT=1000;WKST=SU",
                "FREQ=YEARLY;INTERVAL=1000;BYDAY=53SU,-53MO", "FREQ=DAILY;INTERVAL=7;BYDAY=TU;UNTIL=99991231",
                "FREQ=DAILY;UNTIL=20280101T000000Z", "FREQ=MONTHLY;INTERVAL=12;BYDAY=5MO;COUNT=9",
            ].map { [0x50, 0x20] + Array($0.utf8) }
        }
    ) { input in
        var choices = Choices(input)
        let day = Int(choices.byte()) << 8 | Int(choices.byte())
        guard let rule = try? Recurrence(String(decoding: choices.all(), as: UTF8.self)) else { return }
        try require(try Recurrence(rule.text) == rule, "\(rule.text) is read differently")
        let counted = rule.counted(from: day)
        try require(try Recurrence(stored: counted.storedText) == counted, "\(counted.storedText) is read differently")
        let days = Array(counted.days(of: day, from: day).prefix(1001))
        let same = days == Array(rule.days(of: day, from: day).prefix(1001))
        try require(same, "counting changes the days of \(rule.text)")
        try require(zip(days, days.dropFirst()).allSatisfy { $0 < $1 }, "the days of \(rule.text) have no order")
        if let middle = days.dropFirst(days.count / 2).first {
            let found = counted.days(of: day, from: middle).first { _ in true }
            try require(found == middle, "\(rule.text) skips \(middle)")
        }
        let schedule = EventSchedule(day: day, seconds: 3600, zone: "Europe/Zurich", minutes: 60, recurrence: counted)
        _ = schedule.span(rules)
        _ = schedule.first(after: .max, rules)
        _ = Array(schedule.dates(from: sentAt, to: .max, rules).prefix(100))
        let entry = CalendarText.Entry(
            event: Event(), schedule: schedule, rules: rules, changedAt: sentAt, attendees: [])
        let file = String(decoding: CalendarText.calendar(.file, [entry], now: sentAt), as: UTF8.self)
        let isFolded = file.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 }
        try require(isFolded, "a line of a calendar is too long")
    }
}
