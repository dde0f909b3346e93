import Foundation
import Language

/// Formats and parses times. All are microseconds since 1970, UTC.
package enum Times {
    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    /// "14:03:22" today, "21 Nov 14:03" on another day, in the machine's zone.
    static func short(_ microseconds: Int64, now: Int64 = now()) -> String {
        let isToday = format(microseconds, "%Y-%m-%d") == format(now, "%Y-%m-%d")
        return format(microseconds, isToday ? "%H:%M:%S" : "%e %b %H:%M").trimmingCharacters(in: .whitespaces)
    }

    /// "2026-11-21 14:03" in the machine's zone.
    static func minute(_ microseconds: Int64) -> String { format(microseconds, "%Y-%m-%d %H:%M") }

    /// "2026-11-21T13:03:22.123456Z"
    static func iso(_ microseconds: Int64) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return text(&parts, "%Y-%m-%dT%H:%M:%S") + ".\(fraction)Z"
    }

    /// "just now", "5 min ago", "3 h ago", or the day.
    static func ago(_ microseconds: Int64, now: Int64 = now()) -> String {
        switch (now - microseconds) / 1_000_000 {
        case ..<60: "just now"
        case let seconds where seconds < 3600: "\(seconds / 60) min ago"
        case let seconds where seconds < 86_400: "\(seconds / 3600) h ago"
        default: format(microseconds, "%e %b %Y").trimmingCharacters(in: .whitespaces)
        }
    }

    /// Reads "2026-12-24 18:00", "2026-12-24T18:00:00Z", "18:00" (the next one) and "+90m". Commands use ``spoken``.
    static func parse(_ text: String, zone: TimeZone, now: Int64 = now()) -> Int64? {
        if text.hasPrefix("+") { return span(text.dropFirst()).map { now + $0 } }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        if let date = try? Date(text, strategy: .iso8601) { return Int64(date.timeIntervalSince1970) * 1_000_000 }
        let halves = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard let last = halves.last, (1...2).contains(halves.count), let clock = numbers(last, ":"),
            (2...3).contains(clock.count)
        else { return nil }
        var parts = DateComponents()
        (parts.hour, parts.minute, parts.second) = (clock[0], clock[1], clock.count > 2 ? clock[2] : 0)
        guard clock[0] < 24, clock[1] < 60, parts.second ?? 0 < 60 else { return nil }
        let current = Date(timeIntervalSince1970: Double(now) / 1_000_000)
        guard halves.count == 2 else {
            let next = calendar.nextDate(after: current, matching: parts, matchingPolicy: .nextTime)
            return next.map { Int64($0.timeIntervalSince1970) * 1_000_000 }
        }
        guard let day = numbers(halves[0], "-"), day.count == 3, (1...12).contains(day[1]), (1...31).contains(day[2])
        else { return nil }
        (parts.year, parts.month, parts.day) = (day[0], day[1], day[2])
        guard let date = calendar.date(from: parts), calendar.component(.day, from: date) == day[2] else { return nil }
        return Int64(date.timeIntervalSince1970) * 1_000_000
    }

    /// Reads what ``spoken`` reads in the machine's zone, and a day such as "2026-12-24", whose end it is.
    /// - Returns: nil also for a time that is over.
    static func end(_ text: String, now: Int64 = now()) -> Int64? {
        let isDay = text.count == 10 && !text.contains(":") && !text.hasPrefix("+")
        return spoken(isDay ? text + " 23:59:59" : text, zone: MachineZone.ownName, now: now)
            .flatMap { $0 > now ? $0 : nil }
    }

    /// Reads what ``parse(_:zone:now:)`` reads, and dates in words with a clock time: "tomorrow 7pm", "in two hours".
    /// The one reader of times for all commands.
    static func spoken(_ text: String, zone name: String, now: Int64 = now()) -> Int64? {
        guard let zone = TimeZone(identifier: name) else { return nil }
        if let exact = parse(text, zone: zone, now: now) { return exact }
        guard let moment = Moment(us: now, zone: name), let wall = DateReader(at: moment, .chat).time(text) else {
            return nil
        }
        let instant = Int64(moment.zone.instant(of: wall)) * 1_000_000
        return instant > now ? instant : nil
    }

    /// Reads "90s", "5m", "36h", "7d" as seconds.
    static func seconds(_ text: String) -> Int64? { span(text[...]).map { $0 / 1_000_000 } }

    /// "90 s", "5 min", "36 h", "7 days".
    static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case let s where s % 86400 == 0: "\(s / 86400) day\(s == 86400 ? "" : "s")"
        case let s where s % 3600 == 0: "\(s / 3600) h"
        case let s where s % 60 == 0: "\(s / 60) min"
        default: "\(seconds) s"
        }
    }

    private static func span(_ text: Substring) -> Int64? {
        guard let unit = text.last, let count = Int64(text.dropLast()), (1...100_000).contains(count) else {
            return nil
        }
        switch unit {
        case "s": return count * 1_000_000
        case "m": return count * 60_000_000
        case "h": return count * 3_600_000_000
        case "d": return count * 86_400_000_000
        default: return nil
        }
    }

    private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map {
            $0.allSatisfy(\.isNumber) ? Int($0) : nil
        }
        return parts.contains(nil) ? nil : parts.compactMap(\.self)
    }

    private static func format(_ microseconds: Int64, _ pattern: String) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return text(&parts, pattern)
    }

    private static func text(_ parts: inout tm, _ pattern: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
