import Glibc
import Logging

/// Writes one line per entry to standard error, for people (`text`) or for programs (`json`).
struct LineLogHandler: LogHandler {
    enum Format: String { case text, json }

    let label: String
    let format: Format
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { _, new in new } }
        if let own = event.metadata { fields.merge(own) { _, new in new } }
        var line = format == .json ? json(event, fields) : text(event, fields)
        line.append("\n")
        // One write per line, so that lines of several threads never mix. A full disk loses the line, not the process.
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func text(_ event: LogEvent, _ fields: Logger.Metadata) -> String {
        var line = "\(timestamp()) \(event.level) \(label): \(Self.escaped(event.message.description))"
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=\(Self.escaped(value.description))"
        }
        return line
    }

    private func json(_ event: LogEvent, _ fields: Logger.Metadata) -> String {
        var line = "{\"at\":\"\(timestamp())\",\"level\":\"\(event.level)\",\"service\":\"\(Self.escaped(label))\""
        line += ",\"message\":\"\(Self.escaped(event.message.description))\""
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            line += ",\"\(Self.escaped(key))\":\"\(Self.escaped(value.description))\""
        }
        return line + "}"
    }

    /// The current time in RFC 3339, UTC, with milliseconds.
    private func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return "\(UTC.toTheSecond(Int64(now.tv_sec))).\(UTC.padded(now.tv_nsec / 1_000_000, 3))Z"
    }

    /// Escapes line breaks, quotes and control characters, so that nothing logged can pass for another line.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                // C0 and C1 control characters, and Unicode's line and paragraph separators.
                if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                    || (0x2028...0x2029).contains(scalar.value)
                {
                    let digits = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                } else {
                    out.unicodeScalars.append(scalar)
                }
            }
        }
        return out
    }
}
