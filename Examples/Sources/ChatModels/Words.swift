import Foundation

/// How times, counts and lists of names read, by Foundation's formatters.
public struct Words: Sendable {
    public var locale: Locale
    public var calendar: Calendar

    public init(locale: Locale = .current, calendar: Calendar = .current) {
        (self.locale, self.calendar) = (locale, calendar)
    }

    /// "Today", "Yesterday", "Mon 30 Nov", or with its year.
    public func day(_ date: Date, now: Date = .now) -> String {
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: date), to: calendar.startOfDay(for: now)
        ).day
        switch days {
        case 0: return "Today"
        case 1: return "Yesterday"
        case -1: return "Tomorrow"
        default: break
        }
        let isThisYear = calendar.component(.year, from: date) == calendar.component(.year, from: now)
        let style = style.weekday(.abbreviated).day().month(.abbreviated)
        return date.formatted(isThisYear ? style : style.year())
    }

    /// "14:05", or as the locale writes it.
    public func time(_ date: Date) -> String { date.formatted(style.hour().minute()) }

    /// Short, for a list: the time of today, otherwise the day.
    public func short(_ date: Date, now: Date = .now) -> String {
        calendar.isDate(date, inSameDayAs: now) ? time(date) : day(date, now: now)
    }

    /// "Tomorrow, 14:05".
    public func dayAndTime(_ date: Date, now: Date = .now) -> String { "\(day(date, now: now)), \(time(date))" }

    /// "1 reply", "1,200 replies".
    public func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number.formatted(.number.locale(locale))) \(number == 1 ? one : many)"
    }

    /// "Ada, Bob, and Cleo".
    public func list(_ names: [String]) -> String { names.formatted(.list(type: .and).locale(locale)) }

    /// "2 MB".
    public func size(_ bytes: Int64) -> String { bytes.formatted(.byteCount(style: .file).locale(locale)) }

    /// "40%".
    public func share(_ part: Double) -> String {
        part.formatted(.percent.precision(.fractionLength(0)).locale(locale))
    }

    /// Who is typing: "Ada is typing …"; empty: nobody.
    public func typing(_ names: [String]) -> String {
        switch names.count {
        case 0: ""
        case 1: "\(names[0]) is typing …"
        case 2, 3: "\(list(names)) are typing …"
        default: "\(count(names.count, "person is", "people are")) typing …"
        }
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
    }
}
