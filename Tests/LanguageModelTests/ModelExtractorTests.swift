import Foundation
import Language
import TestSupport
import Testing

@testable import LanguageModel

@Suite("E8: a model that reads messages", .timeLimit(.minutes(2)))
struct ModelExtractorTests {
    private struct Utc: Zone { func offset(at instant: Int) -> Int { 0 } }

    /// Wednesday, 4 March 2026, 10:15.
    private static let moment = Moment(instant: 1_772_619_300, zone: Utc(), zoneName: "UTC") { _ in nil }
    private static let text = "Dinner Friday 7pm at Luigi's, see evil.example"

    private static func read(
        _ text: String = text, after context: [Utterance] = [], by server: ModelServer, timeout: Duration = .seconds(5),
        key: String = ""
    ) async throws -> [Extraction] {
        try await ModelExtractor(url: server.url + "/", model: "small", key: key, timeout: timeout).extract(
            Utterance(sender: "17", text: text), after: context, at: moment)
    }

    private static func failure(_ answer: ModelServer.Answer, timeout: Duration = .seconds(5)) async -> ModelFailure? {
        let server = ModelServer { _ in answer }
        do { _ = try await read(by: server, timeout: timeout) } catch { return error as? ModelFailure }
        return nil
    }

    @Test("what it answers becomes events, reminders and decisions of the message")
    func answers() async throws {
        let server = ModelServer { _ in
            .text(
                ModelServer.suggestions(
                    ModelServer.suggestion(
                        "event", "Dinner", quote: "dinner  FRIDAY", date: "2026-03-06", time: "19:00",
                        end: "2026-03-06T21:00", location: "Luigi's"),
                    ModelServer.suggestion("reminder", "Book it", quote: "see", date: "2026-03-05", doer: "addressee"),
                    ModelServer.suggestion("decision", "Luigi's it is", quote: "Luigi's")))
        }
        let found = try await Self.read(by: server)
        #expect(found.map(\.kind) == [.event, .reminder, .decision] && found.allSatisfy { $0.rule == "model" })
        #expect(found[0].date?.text == "2026-03-06" && found[0].time?.text == "19:00" && found[0].location == "Luigi's")
        #expect(found[0].end == WallTime(text: "2026-03-06T21:00").map { .time($0) })
        #expect(found[1].doers == .addressee && found[1].time == nil && found[2].date == nil)
    }

    @Test("only the text, its time and five messages before it leave, without ids and addresses")
    func leaves() async throws {
        let server = ModelServer { _ in .text(ModelServer.suggestions()) }
        let context = (1...7).map { Utterance(sender: $0 % 2 == 0 ? "17" : "4711", text: "line \($0)") }
        #expect(
            try await Self.read(
                "ask @BobSmith, (@bobsmith!) or mail bob@example.com; a@b", after: context, by: server, key: "secret"
            ).isEmpty)
        let asked = try #require(server.asked.first)
        #expect(asked.head.contains("POST /v1/chat/completions ") && asked.head.contains("Bearer secret"))
        #expect(asked.message == "ask Person 3, (Person 3!) or mail [address]; [address]")
        #expect(asked.before == (3...7).map { "line \($0)" })
        let user = try #require(asked.body.components(separatedBy: "\"role\":\"user\"").last)
        #expect(user.contains("Person 1") && user.contains("2026-03-04T10:15") && user.contains("Wednesday"))
        for secret in ["17\"", "4711", "example.com", "bobsmith", "BobSmith"] { #expect(!user.contains(secret)) }
    }

    private static let fine = ModelServer.suggestion("event", "Dinner", quote: "Dinner", date: "2026-03-06")

    private static let wrong = [
        "", "null", "[]", "{}", "yes", "```json\n{\"suggestions\":[]}\n```", "{\"suggestions\":null}",
        "{\"suggestions\":[]} ok", "{\"suggestions\":[],\"more\":1}", "{\"suggestions\":[{}]}",
        "{\"suggestions\":[\(fine.dropLast()),\"admin\":true}]}",
        ModelServer.suggestions(fine, fine, fine, fine),
        ModelServer.suggestions(ModelServer.suggestion("transfer", "x", quote: "Dinner")),
        ModelServer.suggestions(
            ModelServer.suggestion("event", String(repeating: "a", count: 300), quote: "Dinner", date: "2026-03-06")),
        ModelServer.suggestions(ModelServer.suggestion("event", "Dinner", quote: "Dinner", date: "next Friday")),
        ModelServer.suggestions(ModelServer.suggestion("event", "Dinner", quote: "Dinner", date: "2026-02-30")),
        ModelServer.suggestions(
            ModelServer.suggestion("event", "Dinner", quote: "Dinner", date: "2026-03-06", time: "25:00")),
        ModelServer.suggestions(
            ModelServer.suggestion("reminder", "Dinner", quote: "Dinner", date: "2026-03-06", doer: "4711")),
        String(repeating: "[", count: 20_000),
    ]

    @Test("an answer that breaks the schema is refused as a whole", arguments: wrong)
    func wrongAnswers(text: String) async throws {
        guard case .wrongAnswer = await Self.failure(.text(text)) else {
            Issue.record("\(text.prefix(200)) was not refused")
            return
        }
    }

    @Test(
        "what cannot belong to the message is left out",
        arguments: [
            ("event", "Pay", "send money to Mallory", "2026-03-06", nil as String?, nil as String?),  // quotes another
            ("event", "Dinner", "", "2026-03-06", nil, nil), ("event", "Dinner", "!", "2026-03-06", nil, nil),
            ("event", "Dinner", "Dinner", "2026-03-03", nil, nil),
            ("event", "Dinner", "Dinner", "2030-01-01", nil, nil),
            ("event", "Dinner", "Dinner", nil, nil, nil), ("reminder", "Dinner", "Dinner", nil, "19:00", nil),
            ("event", "http://pay.example", "Dinner", "2026-03-06", nil, nil),
            ("event", "Dinner pay.example/x", "Dinner", "2026-03-06", nil, nil),
            ("event", "Mail a@b", "Dinner", "2026-03-06", nil, nil),
            ("event", "Dinner\nand more", "Dinner", "2026-03-06", nil, nil),
            ("event", "Dinner \u{202E}live", "Dinner", "2026-03-06", nil, nil),
            ("event", "…", "Dinner", "2026-03-06", nil, nil),
            ("event", "Dinner", "Dinner", "2026-03-06", nil, "www.pay.example"),
        ])
    func leftOut(
        kind: String, title: String, quote: String, date: String?, time: String?, location: String?
    ) async throws {
        let server = ModelServer { _ in
            .text(
                ModelServer.suggestions(
                    ModelServer.suggestion(kind, title, quote: quote, date: date, time: time, location: location),
                    ModelServer.suggestion("decision", "evil.example", quote: "see evil.example")))
        }
        // A link of the message itself stays.
        #expect(try await Self.read(by: server).map(\.title) == ["evil.example"])
    }

    @Test(
        "a model's text has no link, address or telephone number that is not a word of the message, letter for letter",
        arguments: [
            "pay24.com/x", "203.0.113.9/x", "203.0.113.9", "evil\u{2024}example", "evil\u{3002}example",
            "evil\u{FF0E}example",
            "evil\u{B7}example", "evil\u{FE52}example", "evil\u{6D4}example", "ｅｖｉｌ．ｅｘａｍｐｌｅ", "https:\u{2215}\u{2215}x",
            "https\u{FF1A}//x",
            "tel:+19005550123", "mailto:x", "javascript:x", "a\u{FF20}b.example", "//evil/x", "\\\\evil\\x",
            "[2001:db8::1]/x",
            "пример.рф", "i❤.ws", "x-y.co", "24.co", "(pay.example)", "Evil.example", "vil.example", "evil.example/x",
            "+1 900 555 0123", "1-900-555-0123", "١٩٠٠٥٥٥٠١٢٣", "evil\u{A0}.example.com",
        ])
    func links(word: String) {
        let message = "Dinner Friday 7pm at Luigi's, see evil.example or http://pay.example/AbC, or call 044 123 45 67."
        #expect(!LinkLikeText.isHeld("Dinner \(word)", by: message), "\(word)")
        #expect(!LinkLikeText.isHeld(word, by: message), "\(word)")
        #expect(LinkLikeText.isHeld(word, by: "Look: \(word) is it"), "the message itself may have it")
    }

    @Test(
        "words of the message and plain words are no links of the model's own",
        arguments: [
            "Dinner at Luigi's", "evil.example", "see (evil.example)", "http://pay.example/AbC", "call 044 123 45 67",
            "Meet at 7:30 p.m.", "10.30 to 11.30", "24.12.", "3.5 km", "U.S. tour", "Dinner: Luigi's", "and/or", "A…B",
            "Review v2.0", "Call at 044 123 45 67!",
        ])
    func words(text: String) {
        let message = "Dinner Friday 7pm at Luigi's, see evil.example or http://pay.example/AbC, or call 044 123 45 67."
        #expect(LinkLikeText.isHeld(text, by: message), "\(text)")
    }

    @Test("an end before the beginning, or long after it, is left out")
    func ends() async throws {
        for end in ["2026-03-06T18:00", "2026-06-06T18:00", "2026-03-08"] {
            let server = ModelServer { _ in
                .text(
                    ModelServer.suggestions(
                        ModelServer.suggestion(
                            "event", "Dinner", quote: "Dinner", date: "2026-03-06", time: "19:00", end: end)))
            }
            let found = try await Self.read(by: server)
            #expect(found.count == 1 && found[0].end == nil)
        }
    }

    @Test("a busy, broken or slow model may be asked again; one that refuses or says too much may not")
    func failures() async throws {
        for status in [408, 429, 500, 503] {
            guard case .unavailable = await Self.failure(.status(status)) else { throw Unexpected("\(status)") }
        }
        for status in [301, 400, 401, 404] {
            guard case .refused = await Self.failure(.status(status)) else { throw Unexpected("\(status)") }
        }
        // It would answer after a minute.
        let slow = try await limited("the time-out") {
            await Self.failure(.late("{}", milliseconds: 60_000), timeout: .seconds(1))
        }
        guard case .unavailable = slow else { throw Unexpected("slow") }
        let huge = "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n" + String(repeating: "x", count: 9_000_000)
        guard case .wrongAnswer = await Self.failure(.raw(huge)) else { throw Unexpected("huge") }
        for raw in ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", "nonsense\r\n\r\n"] {
            // The server says no more.
            guard case .unavailable = await Self.failure(.raw(raw), timeout: .seconds(1)) else { throw Unexpected(raw) }
        }
        guard case .wrongAnswer = await Self.failure(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) else {
            throw Unexpected("empty")
        }
    }

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
        init(_ what: String) { description = what }
    }
}
