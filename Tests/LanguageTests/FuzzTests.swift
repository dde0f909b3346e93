import Language
import Testing

@Suite("E8: hostile texts")
struct LanguageFuzzTests {
    private static let words = [
        "7", "7pm", "19:30", ".", ",", "-", "/", ":", "to", "until", "on", "the", "14th", "march", "may", "monday",
        "next", "last",
        "week", "of", "half", "past", "in", "two", "hours", "and", "a", "dinner", "meeting", "remind", "me", "please",
        "send", "by",
        "we", "decided", "going", "with", "if", "not", "n't", "'s", "?", "!", "\n", "(", "@", "é", "🎉", "会", "\u{0}",
        "00000000000",
        "99999999999999999999", "twenty", "first", "quarter", "day", "after", "tomorrow", "ago", "every", "from",
        "between", "I'll",
        "PT", "UTC", "q4", "2026", "30/02/2026", "31.13", "noon", "am", "it is", "then", "yes", "no", "or", "’", "\"",
        "\u{feff}",
    ]

    @Test(
        "random texts of dates, cues and rubbish are read without harm, and dates are days of the calendar",
        arguments: 1...40)
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let count = Int.random(in: 0...60, using: &numbers)
            let text = (0..<count).map { _ in
                (Self.words.randomElement(using: &numbers) ?? "") + (Bool.random(using: &numbers) ? " " : "")
            }.joined()
            let found = Scene.found(text, after: [text, "dinner at 7?"])
            #expect(found.count <= 3)
            for extraction in found {
                #expect(extraction.time.map { (0..<86_400).contains($0.seconds) } ?? true)
                #expect(extraction.title.utf8.count <= 400, "\(text)")
            }
            _ = DateReader(at: Scene.wednesday, .phrase).read(text)
        }
    }

    @Test("random bytes are read without harm", arguments: 1...20)
    func bytes(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 0...300, using: &numbers)).map { _ in
                UInt8.random(in: .min ... .max, using: &numbers)
            }
            _ = Scene.found(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static let hostile = [
        "7", ".", "march ", "7.", "12-", "monday ", "1/", "half past ", "in a ", "the 14th of ", "next ", "if ",
        "I'll send it, ",
        "dinner friday at 7, ", "and ", "not ", "we decided ", "7 to ", "'", "a.m.", "\n", "?", "é", "🎉",
        "from monday to ", "please ",
        "ooooo", "twenty ", "2 years 1 month ", "monday the ", "remind me ",
    ]

    /// The work on a long text is compared with that on a plain one of the same length, so that no machine is too slow.
    @Test("64 KiB of anything take no longer than a long plain message, by a factor", arguments: hostile)
    func long(unit: String) {
        let clock = ContinuousClock()
        let size = 65_536
        func text(_ unit: String) -> String { String(repeating: unit, count: size / unit.utf8.count + 1) }
        func time(_ unit: String) -> Duration {
            let text = text(unit)
            return (0..<3).map { _ in
                clock.measure {
                    _ = Scene.found(text)
                    _ = DateReader(at: Scene.wednesday, .phrase).read(text)
                }
            }.min() ?? .zero
        }
        let plain = time("the quick brown fox jumps over it ")
        let hostile = time(unit)
        #expect(hostile < plain * 25, "\(hostile) against \(plain)")
    }
}
