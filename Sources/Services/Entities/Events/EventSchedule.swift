import Schema
import ServiceKit
import Wire

/// When an event takes place. Its times on the wall become instants by the rules of its own zone, those of whole days
/// by the rules of the reader's. Pure.
struct EventSchedule: Equatable, Sendable {
    /// A date that is called off, or takes place at another time.
    enum Change: Equatable, Sendable {
        case cancelled
        /// - Parameter seconds: of the day; nil: whole days.
        case moved(day: Int, seconds: Int?)
    }

    /// The first day.
    var day: Int
    /// The seconds of the day at which it begins; nil: whole days.
    var seconds: Int?
    /// The IANA name of its zone; empty: whole days.
    var zone: String
    var minutes: Int
    var recurrence: Recurrence?
    /// By the day that the recurrence gives.
    var changes: [Int: Change] = [:]

    /// The most minutes of a date: 366 days.
    static let minutesMax = 527_040
    static let changesMax = 100

    var isWholeDays: Bool { seconds == nil }

    /// Whether the recurrence gives this day.
    func takesPlace(on day: Int) -> Bool { days(from: day).first { _ in true } == day }

    private func days(from day: Int) -> AnySequence<Int> {
        guard let recurrence else { return AnySequence(self.day >= day ? [self.day] : []) }
        return AnySequence(recurrence.days(of: self.day, from: day))
    }

    // MARK: Dates

    /// A date of an event.
    struct Date: Equatable, Sendable {
        /// The day by the recurrence.
        var day: Int
        var starts: ZonedTime
        var ends: Timestamp
    }

    /// Returns the dates that the recurrence gives and that end after `start` and begin before `end`, in order, without
    /// those that are called off or moved; then those that were moved there.
    func dates(from start: Timestamp, to end: Timestamp, _ rules: ZoneRules) -> AnySequence<Date> {
        let margin = minutes / 1440 + 3
        let firstDay = start == .min ? .min : CivilTime(start.rawValue).day - margin
        let lastDay = end == .max ? Int.max : CivilTime(end.rawValue).day + 2
        let isWanted = { (date: Date) in
            date.starts.instant < end && (date.ends > start || date.starts.instant >= start)
        }
        let regular = days(from: firstDay).lazy.prefix { $0 <= lastDay && !isOver($0, rules) }
            .filter { changes[$0] == nil }.map { date($0, on: $0, at: seconds, rules) }.filter(isWanted)
        let moved = changes.compactMap { original, change -> Date? in
            guard case .moved(let day, let seconds) = change else { return nil }
            return date(original, on: day, at: seconds, rules)
        }.filter(isWanted).sorted { ($0.starts.instant, $0.day) < ($1.starts.instant, $1.day) }
        return AnySequence([AnySequence(regular), AnySequence(moved)].lazy.joined())
    }

    /// Returns the first date that begins after a time; nil if there is none.
    func first(after time: Timestamp, _ rules: ZoneRules) -> Date? {
        let day = time == .min ? .min : CivilTime(time.rawValue).day - 2
        var found: Date?
        for original in days(from: day) {
            if isOver(original, rules) { break }
            guard changes[original] == nil else { continue }
            let date = date(original, on: original, at: seconds, rules)
            guard date.starts.instant > time else { continue }
            found = date
            break
        }
        for (original, change) in changes {
            guard case .moved(let day, let seconds) = change else { continue }
            let date = date(original, on: day, at: seconds, rules)
            if date.starts.instant > time, date.starts.instant < found?.starts.instant ?? .max { found = date }
        }
        return found
    }

    /// When its first date begins and its last one ends; `Timestamp.max` if it goes on for ever. The end may be later
    /// than that.
    func span(_ rules: ZoneRules) -> (starts: Timestamp, ends: Timestamp) {
        let lastDay: Int? =
            switch recurrence?.end {
            case nil: day
            case .never: nil
            case .count(_, let last): last ?? days(from: day).reduce(day) { $1 }
            case .day(let last): last
            case .time(let time): CivilTime(time.rawValue).day + 1
            }
        var last = lastDay.map { date($0, on: $0, at: seconds, rules).ends } ?? .max
        var first = date(day, on: day, at: seconds, rules).starts.instant
        for (original, change) in changes {
            guard case .moved(let day, let seconds) = change else { continue }
            let date = date(original, on: day, at: seconds, rules)
            first = min(first, date.starts.instant)
            if last != .max { last = max(last, date.ends) }
        }
        return (first, last)
    }

    /// Whether a day that the recurrence gives is after the time of UNTIL.
    func isOver(_ day: Int, _ rules: ZoneRules) -> Bool {
        guard case .time(let until) = recurrence?.end else { return false }
        return rules.time(CivilTime(day: day, seconds: seconds ?? 0)).instant > until
    }

    private func date(_ original: Int, on day: Int, at seconds: Int?, _ rules: ZoneRules) -> Date {
        let starts = rules.time(CivilTime(day: day, seconds: seconds ?? 0))
        let ends =
            isWholeDays
            ? rules.time(CivilTime(day: day + max(1, minutes / 1440), seconds: 0)).instant
            : starts.instant + .seconds(minutes * 60)
        return Date(day: original, starts: starts, ends: ends)
    }
}
