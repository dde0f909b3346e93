/// A mail to one person: plain text, and beside it the same as HTML if there is some.
public struct MailMessage: Equatable, Sendable {
    /// Where it goes.
    public var recipient: String
    public var subject: String
    public var text: String
    public var html: String?

    public init(to recipient: String, subject: String, text: String, html: String? = nil) {
        (self.recipient, self.subject, self.text, self.html) = (recipient, subject, text, html)
    }

    /// Writes it as RFC 5322 says. Whatever its parts say, none makes another header or part.
    /// - Parameters:
    ///   - from: the sender.
    ///   - id: what names the mail.
    ///   - seconds: when it is sent, in Unix time.
    public func bytes(from: MailAddress, id: String, at seconds: Int64) -> [UInt8] {
        var lines = [
            "From: \(from.header)", "To: <\(Self.plain(recipient))>", "Subject: \(Self.encodedWords(subject))",
            "Date: \(MailDate.text(seconds))", "Message-ID: <\(Self.plain(id))@\(from.domain)>", "MIME-Version: 1.0",
            // Nothing answers it by itself (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
        guard let html else {
            lines += Self.part(text, "plain")
            return Self.joined(lines)
        }
        let boundary = "=_alternative"  // Base64 has no such line.
        lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "--\(boundary)"]
        lines += Self.part(text, "plain") + ["--\(boundary)"] + Self.part(html, "html") + ["--\(boundary)--"]
        return Self.joined(lines)
    }

    private static func joined(_ lines: [String]) -> [UInt8] { Array((lines + [""]).joined(separator: "\r\n").utf8) }

    private static func part(_ text: String, _ kind: String) -> [String] {
        let encoded = Array(
            Base64.text(Array(text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n").utf8)).utf8)
        let lines = stride(from: 0, to: encoded.count, by: 76).map {
            String(decoding: encoded[$0..<min($0 + 76, encoded.count)], as: UTF8.self)
        }
        return ["Content-Type: text/\(kind); charset=utf-8", "Content-Transfer-Encoding: base64", ""] + lines
    }

    /// A text without what ends a header or its brackets.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value > 32 && $0.value != 127 && $0 != "<" && $0 != ">" }))
    }

    /// A text in a header (RFC 2047), in pieces that are short enough.
    static func encodedWords(_ text: String) -> String {
        var pieces: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            // Line breaks and such become blanks.
            let isControl =
                scalar.value < 32 || (127..<160).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029
            let bytes = isControl ? [UInt8(ascii: " ")] : Array(String(scalar).utf8)
            if pieces[pieces.count - 1].count + bytes.count > 42 { pieces.append([]) }
            pieces[pieces.count - 1] += bytes
        }
        let isPlain = text.utf8.allSatisfy { (32..<127).contains($0) } && text.utf8.count <= 60 && !text.contains("=?")
        return isPlain ? text : pieces.map { "=?utf-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
    }
}

/// Who sends, as "Chat <chat@example.com>" or "chat@example.com".
public struct MailAddress: Equatable, Sendable {
    public let name: String
    public let address: String

    /// - Returns: nil if it is none.
    public init?(_ text: String) {
        var rest = Substring(text)
        var name = Substring()
        if let open = text.lastIndex(of: "<") {
            guard text.hasSuffix(">") else { return nil }
            name = text[..<open]
            rest = text[text.index(after: open)...].dropLast()
        }
        let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, rest.utf8.count <= 254,
            rest.unicodeScalars.allSatisfy({
                $0.value > 32 && $0.value < 127 && !"<>\",;:()[]\\".unicodeScalars.contains($0)
            }),
            name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { return nil }
        var trimmed = name
        while let last = trimmed.last, last == " " || last == "\"" { trimmed.removeLast() }
        while let first = trimmed.first, first == " " || first == "\"" { trimmed.removeFirst() }
        (self.name, address) = (String(trimmed), String(rest))
    }

    public var domain: String { String(address.split(separator: "@").last ?? "") }

    var header: String {
        guard !name.isEmpty else { return "<\(address)>" }
        let isPlain = name.utf8.allSatisfy {
            (32..<127).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        return isPlain && name.utf8.count <= 60
            ? "\"\(name)\" <\(address)>" : "\(MailMessage.encodedWords(name)) <\(address)>"
    }
}

/// Dates of headers (RFC 5322 §3.3), in UTC.
enum MailDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(_ seconds: Int64) -> String {
        let (second, days) = (seconds.clamped % 86_400, seconds.clamped / 86_400)
        // The days since 1970 in years of 400 that begin in March (Howard Hinnant's civil_from_days).
        let shifted = days + 719_468
        let (era, day) = (shifted / 146_097, shifted % 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let date = ofYear - (153 * fromMarch + 2) / 5 + 1
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let (hour, minute) = (second / 3600, second / 60 % 60)
        return "\(Self.days[Int(days % 7)]), \(date) \(months[Int(month) - 1]) "
            + "\(year + era * 400 + (month <= 2 ? 1 : 0)) \(two(hour)):\(two(minute)):\(two(second % 60)) +0000"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int64 {
    /// From 1970 to the year 9999.
    fileprivate var clamped: Int64 { Swift.min(Swift.max(self, 0), 253_402_300_799) }
}

/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let piece = bytes[start..<min(start + 3, bytes.count)]
            let bits = piece.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - piece.count))
            for place in 0..<4 {
                text.append(place <= piece.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
