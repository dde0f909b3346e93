import Foundation

/// Times as apps write them. Pure.
enum Times {
    /// Numbers below it are seconds: as milliseconds it is March 1973, as seconds the year 5138.
    private static let secondsBelow = 100_000_000_000.0
    /// The year 9999.
    static let microsecondsMax: Int64 = 253_402_300_799_999_999

    /// Returns µs since 1970 of a number of seconds or milliseconds, of a text in ISO 8601, or of a timestamp of
    /// Firestore; nil for what is no time after 1970, such as the placeholder `{".sv": "timestamp"}`.
    static func microseconds(_ value: JSON) -> Int64? {
        if let seconds = value["_seconds"] ?? value["seconds"] {
            guard let whole = seconds.integer, (0...microsecondsMax / 1_000_000).contains(whole) else { return nil }
            let nanoseconds = (value["_nanoseconds"] ?? value["nanoseconds"])?.integer ?? 0
            return checked(whole * 1_000_000 + min(max(nanoseconds, 0), 999_999_999) / 1_000)
        }
        if let inner = value["value"], value["__datatype__"]?.string == "timestamp" { return microseconds(inner) }
        if let number = value.double { return microseconds(number, exact: value.integer) }
        return value.string.flatMap(iso)
    }

    private static func microseconds(_ number: Double, exact: Int64?) -> Int64? {
        guard number > 0, number <= Double(microsecondsMax / 1_000) else { return nil }
        if number < secondsBelow { return checked(Int64((number * 1_000_000).rounded())) }
        return checked(exact.map { $0 * 1_000 } ?? Int64((number * 1_000).rounded()))
    }

    private static func checked(_ time: Int64) -> Int64? { (1...microsecondsMax).contains(time) ? time : nil }

    private static func iso(_ text: String) -> Int64? {
        var bytes = Array(text.utf8)
        guard bytes.count <= 64 else { return nil }
        // An import reads millions of them: no regular expressions.
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        var fraction: Int64 = 0
        if let dot = bytes.firstIndex(of: UInt8(ascii: ".")) {
            let digits = bytes[(dot + 1)...].prefix(9).prefix(while: isDigit)
            fraction = (0..<6).reduce(0) { sum, place in
                sum * 10 + (place < digits.count ? Int64(digits[dot + 1 + place] - UInt8(ascii: "0")) : 0)
            }
            bytes.removeSubrange(dot..<(digits.isEmpty ? dot : digits.endIndex))
        }
        // +01:00 as +0100.
        if bytes.count > 6, bytes[bytes.count - 3] == UInt8(ascii: ":"),
            [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[bytes.count - 6])
        {
            bytes.remove(at: bytes.count - 3)
        }
        let plain = String(decoding: bytes, as: UTF8.self)
        let day = Date.ISO8601FormatStyle().year().month().day()
        let found =
            (try? Date(plain, strategy: .iso8601)) ?? (try? Date(plain + "Z", strategy: .iso8601))
            ?? (plain.utf8.count == 10 ? try? Date(plain, strategy: day) : nil)
        guard let found else { return nil }
        let seconds = found.timeIntervalSince1970.rounded(.down)
        guard seconds >= 0, seconds <= Double(microsecondsMax / 1_000_000) else { return nil }
        return checked(Int64(seconds) * 1_000_000 + fraction)
    }

    /// Returns the time in a push id of Realtime Database: 48 bits of milliseconds in its first eight characters.
    static func microseconds(ofPushID id: String) -> Int64? {
        let letters = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
        let bytes = Array(id.utf8)
        guard bytes.count == 20, bytes[0] == UInt8(ascii: "-") else { return nil }
        var milliseconds: Int64 = 0
        for byte in bytes.prefix(8) {
            guard let digit = letters.firstIndex(of: byte) else { return nil }
            milliseconds = milliseconds << 6 | Int64(digit)
        }
        guard bytes.allSatisfy(letters.contains) else { return nil }
        // Realtime Database is from 2011.
        return milliseconds > 1_300_000_000_000 ? checked(milliseconds * 1_000) : nil
    }
}
