import ChatModels
import Foundation
import Testing

@Suite("Times, counts and names")
struct WordsTests {
    private func date(_ text: String) throws -> Date { try #require(ISO8601DateFormatter().date(from: text)) }

    @Test("a day is said as people say it, in their own zone")
    func days() throws {
        let now = try date("2026-11-28T22:30:00Z")
        let days: [(String, String)] = [
            ("2026-11-27T23:30:00Z", "Today"), ("2026-11-27T22:30:00Z", "Yesterday"),
            ("2026-11-28T23:30:00Z", "Tomorrow"), ("2026-11-25T12:00:00Z", "Wed, 25 Nov"),
            ("2025-11-25T12:00:00Z", "Tue, 25 Nov 2025"),
        ]
        for (time, said) in days {
            // Whether a comma follows the weekday depends on the version of the locale's data.
            #expect(words.day(try date(time), now: now).filter { $0 != "," } == said.filter { $0 != "," })
        }
        #expect(words.time(try date("2026-11-28T13:05:00Z")) == "14:05")
        #expect(words.short(try date("2026-11-28T13:05:00Z"), now: now) == "14:05")
        #expect(words.short(try date("2026-11-27T13:05:00Z"), now: now) == "Yesterday")
        #expect(words.dayAndTime(try date("2026-11-27T13:05:00Z"), now: now) == "Yesterday, 14:05")
    }

    @Test("one is one, and more are many")
    func counts() {
        #expect(words.count(1, "reply", "replies") == "1 reply")
        #expect(words.count(0, "reply", "replies") == "0 replies")
        #expect(words.count(1200, "reply", "replies") == "1,200 replies")
        #expect(words.list(["Ada", "Bob"]) == "Ada and Bob")
        #expect(words.typing([]).isEmpty && words.typing(["Ada"]) == "Ada is typing …")
        #expect(words.typing(["Ada", "Bob"]) == "Ada and Bob are typing …")
        #expect(words.typing(["Ada", "Bob", "Cleo", "Dan"]) == "4 people are typing …")
        #expect(words.share(0.4) == "40%" && words.size(2_000_000) == "2 MB")
    }
}
