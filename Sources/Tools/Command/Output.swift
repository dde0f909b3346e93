import Foundation
import Synchronization

/// Output to the terminal or a pipe. Each call writes whole lines, so that lines of several tasks do not mix.
package enum Output {
    /// Prints a line of the result to standard output.
    package static func line(_ text: String) { write(harmless(text) + "\n", to: STDOUT_FILENO) }

    /// Prints a line that is not part of the result to standard error.
    package static func note(_ text: String) { write(harmless(text) + "\n", to: STDERR_FILENO) }

    /// Prints a file to standard output: as it is, unless that is a terminal.
    static func file(_ text: String) {
        let isShown = isatty(STDOUT_FILENO) == 1
        write(isShown ? harmless(text.replacingOccurrences(of: "\r\n", with: "\n")) : text, to: STDOUT_FILENO)
    }

    /// Replaces what could control a terminal with `�`, whoever wrote it: control and text-direction characters, except
    /// ends of lines, tabs and the colours of ``Style``.
    static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { PlainText.isSteering($0) && $0 != "\n" && $0 != "\t" }) else {
            return text
        }
        var shown = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\u{1B}", let colour = Style.codes.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                shown.append(contentsOf: colour.unicodeScalars)
                rest = rest.dropFirst(colour.unicodeScalars.count)
                continue
            }
            let isKept = !PlainText.isSteering(scalar) || scalar == "\n" || scalar == "\t"
            shown.append(isKept ? scalar : "\u{FFFD}")
            rest = rest.dropFirst()
        }
        return String(shown)
    }

    /// Prints one JSON object on its own line.
    package static func json(_ value: some Encodable) {
        line(jsonText(value))
    }

    package static func jsonText(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return escaped(String(decoding: data, as: UTF8.self))
    }

    /// Escapes control and text-direction characters as `\uXXXX`, because they could control a terminal.
    private static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: PlainText.isSteering) else { return json }
        var safe = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            guard PlainText.isSteering(scalar) else {
                safe.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            safe.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
        }
        return String(safe)
    }

    static func complain(_ failure: Failure, of program: String) {
        let style = Style(STDERR_FILENO)
        note(style.red("\(program): ") + "\(failure.message) (\(failure.code))")
        if !failure.advice.isEmpty { note("  " + failure.advice) }
    }

    static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        lock.withLock { _ in
            var start = 0
            while start < bytes.count {
                let count = bytes[start...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    start += count
                } else if errno == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                } else if errno != EINTR {
                    // The reader has closed the pipe, as `head` does.
                    if errno == EPIPE, endsWithItsReader.load(ordering: .relaxed) { _exit(0) }
                    return
                }
            }
        }
    }

    /// Whether the process ends when the reader of its output closes the pipe.
    static let endsWithItsReader = Atomic<Bool>(true)
    private static let lock = Mutex(())
}

/// Colours for a terminal that supports them.
package struct Style: Sendable {
    let isColoured: Bool

    package init(_ descriptor: Int32 = STDOUT_FILENO) {
        let environment = ProcessInfo.processInfo.environment
        isColoured =
            isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    init(isColoured: Bool) { self.isColoured = isColoured }

    private static let colours = ["32", "33", "34", "35", "36", "92", "94", "95", "96"]
    /// All that this writes besides text.
    static let codes = (["0", "1", "2", "31"] + colours).map { "\u{1B}[\($0)m" }

    package func bold(_ text: String) -> String { paint(text, "1") }
    package func dim(_ text: String) -> String { paint(text, "2") }
    package func red(_ text: String) -> String { paint(text, "31") }
    package func green(_ text: String) -> String { paint(text, "32") }
    package func yellow(_ text: String) -> String { paint(text, "33") }
    package func cyan(_ text: String) -> String { paint(text, "36") }

    /// Paints a name in a colour that is always the same for that name.
    func person(_ name: String, shown: String? = nil) -> String {
        let colours = Self.colours
        let sum = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return paint(shown ?? name, colours[Int(sum % UInt32(colours.count))])
    }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Makes text of other people harmless for a terminal.
package enum PlainText {
    /// Replaces control and text-direction characters with `�` and indents further lines.
    package static func shown(_ text: String, indent: Int = 4) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: shown += "\n" + String(repeating: " ", count: indent)
            case 0x0D: continue
            case 0x09: shown += "    "
            case _ where isSteering(scalar): shown += "\u{FFFD}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Whether a character could control a terminal: control characters, marks of the direction of text, and ends of
    /// lines and paragraphs of Unicode's own.
    static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Pads the text with spaces to a width.
    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
