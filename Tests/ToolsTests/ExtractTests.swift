import Foundation
import Language
import LanguageModel
import TestSupport
import Testing

@testable import Command
@testable import LabCommand

@Suite("E8: the labelled messages and phrases")
struct ExtractTests {
    private static let folder = MigratedDatabase.root.appending(path: "Tests/Extraction")

    private static func file(_ name: String) throws -> LabelledFile {
        try LabelledFile(path: folder.appending(path: name).path)
    }

    /// Rules were written by the one half of the files, and measured by the other: by FNV-1a of the case's id.
    enum Half: String, CaseIterable {
        case written, measured

        func has(_ id: String) -> Bool {
            let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return (hash % 2 == 0) == (self == .written)
        }
    }

    /// What each half reaches, rounded down. Raise a floor when the rules get better; never lower one.
    @Test(
        "both halves of the messages reach their floors",
        arguments: [(Half.written, (0.99, 0.99, 0.99, 0.99)), (Half.measured, (0.89, 0.91, 0.89, 0.97))])
    func messages(half: Half, floor: (event: Double, reminder: Double, decision: Double, dates: Double)) async throws {
        guard case .messages(let cases) = try Self.file("messages.jsonl") else { throw Unexpected() }
        let own = cases.filter { half.has($0.0.id) }
        #expect(own.count == (half == .written ? 193 : 203))
        let scores = await MessageScores(own, by: Extractor())
        #expect(scores.event.f1 >= floor.event && scores.reminder.f1 >= floor.reminder, "\(scores)")
        #expect(scores.decision.f1 >= floor.decision && scores.dateAccuracy >= floor.dates, "\(scores)")
    }

    @Test(
        "the messages of other people reach their floors",
        arguments: [
            ("write", 134, (0.96, 0.99, 0.99, 0.98)), ("measure", 130, (0.81, 0.88, 0.84, 0.98)),
            ("final", 137, (0.92, 0.89, 0.92, 0.92)), ("last", 140, (0.85, 0.89, 0.76, 0.92)),
        ])
    func others(
        name: String, count: Int, floor: (event: Double, reminder: Double, decision: Double, dates: Double)
    ) async throws {
        guard case .messages(let cases) = try Self.file("messages-\(name).jsonl") else { throw Unexpected() }
        #expect(cases.count == count)
        let scores = await MessageScores(cases, by: Extractor())
        #expect(scores.event.f1 >= floor.event && scores.reminder.f1 >= floor.reminder, "\(scores)")
        #expect(scores.decision.f1 >= floor.decision && scores.dateAccuracy >= floor.dates, "\(scores)")
    }

    @Test("both halves of the phrases reach their floors", arguments: [(Half.written, 0.98), (.measured, 0.86)])
    func phrases(half: Half, floor: Double) throws {
        guard case .phrases(let cases) = try Self.file("dates.jsonl") else { throw Unexpected() }
        let own = cases.filter { half.has($0.0.id) }
        #expect(own.count == (half == .written ? 231 : 223))
        let scores = PhraseScores(own)
        #expect(scores.accuracy >= floor && scores.endAccuracy >= 0.95, "\(scores)")
    }

    @Test("a model is evaluated as the rules are; what it does not answer counts as missed")
    func model() async throws {
        guard case .messages(let cases) = try Self.file("messages.jsonl") else { throw Unexpected() }
        let own = Array(cases.filter { $0.0.entities.count == 1 && $0.0.entities[0].kind == "decision" }.prefix(10))
        let model = ModelServer { asked in
            asked.message == own[0].0.message.text
                ? .status(503)
                : .text(ModelServer.suggestions(ModelServer.suggestion("decision", "x", quote: asked.message)))
        }
        let scores = await MessageScores(
            own, by: ModelExtractor(url: model.url, model: "small", key: "", timeout: .seconds(5)))
        #expect(scores.failures == 1 && scores.decision.recall == 0.9 && scores.decision.precision == 1)
        #expect(model.asked.count == 10)
    }

    @Test("scores count as the grading says: one to one, of several the pairs that agree best")
    func grading() {
        #expect(MessageScores.Score(right: 3, wrong: 1, missed: 2).precision == 0.75)
        #expect(MessageScores.Score(right: 3, wrong: 1, missed: 2).recall == 0.6)
        #expect(abs(MessageScores.Score(right: 3, wrong: 1, missed: 2).f1 - 2.0 / 3) < 0.001)
        #expect(MessageScores.Score(right: 0, wrong: 0, missed: 4).f1 == 0)
    }

    @Test(
        "a malformed line is refused with its number",
        arguments: [
            ("{}", 1), ("not json", 1), ("GOOD\nGOOD\n{\"id\": 3}", 3), ("GOOD\n\n[]", 3),
            ("GOOD\n{\"id\": \"d\", \"source\": \"duckling\", \"phrase\": \"x\", \"reference\": \"2026\"}", 2),
        ])
    func malformed(text: String, line: Int) throws {
        let good =
            #"{"id":"x","now":"2026-03-04T10:15:00Z","tz":"UTC","context":[],"#
            + #""message":{"sender":"a","text":"hi"},"entities":[]}"#
        let folder = try TestFolder()
        let path = "\(folder.path)/cases.jsonl"
        try Data(text.replacing("GOOD", with: good).utf8).write(to: URL(fileURLWithPath: path))
        let failure = #expect(throws: Failure.self) { try LabelledFile(path: path) }
        #expect(
            failure?.exitCode == .usage && failure?.message.contains("line \(line):") == true,
            "\(String(describing: failure))")
    }

    @Test("a missing and an empty file are refused")
    func missing() throws {
        let folder = try TestFolder()
        #expect(throws: Failure.self) { try LabelledFile(path: "\(folder.path)/none.jsonl") }
        try Data("\n\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/empty.jsonl"))
        #expect(throws: Failure.self) { try LabelledFile(path: "\(folder.path)/empty.jsonl") }
    }

    @Test("a reminder's time may be said in words, in the zone of its owner, and lies ahead")
    func spoken() {
        // Saturday, 21 November 2026, 12:00 UTC.
        let noon: Int64 = 1_795_262_400_000_000
        func iso(_ text: String, _ zone: String) -> String? {
            Times.spoken(text, zone: zone, now: noon).map { Times.iso($0) }
        }
        #expect(iso("tomorrow 7pm", "UTC") == "2026-11-22T19:00:00.000000Z")
        #expect(iso("tomorrow 7pm", "Europe/Zurich") == "2026-11-22T18:00:00.000000Z")
        #expect(iso("in two hours", "UTC") == "2026-11-21T14:00:00.000000Z")
        #expect(iso("2026-12-24 18:00", "UTC") == "2026-12-24T18:00:00.000000Z" && iso("18:00", "UTC") != nil)
        #expect(iso("yesterday 7pm", "UTC") == nil && iso("tomorrow", "UTC") == nil && iso("soon", "UTC") == nil)
    }

    @Test("every command that takes a time reads words, and a zone")
    func oneReader() throws {
        for words in [
            ["event", "Dinner", "--at", "friday 7pm"],
            ["event", "Dinner", "--at", "tomorrow at noon", "--zone", "UTC"],
            ["remind", "Call", "--at", "in two hours"], ["snooze", "Call", "--until", "tomorrow 9am"],
            ["mute", "alice", "--until", "monday 8am", "--zone", "Asia/Tokyo"],
            ["status", "At lunch", "--until", "today at 23:59"], ["search", "x", "--after", "2026-01-01 10:00"],
            ["extract", "dinner", "--now", "2026-12-24 18:00", "--zone", "Europe/Zurich"],
        ] {
            #expect(throws: Never.self, "\(words)") { try ParleyCommand.parseAsRoot(words) }
        }
        for words in [
            ["event", "Dinner", "--at", "soon"], ["mute", "alice", "--until", "friday"],
            ["status", "x", "--until", "31 april 7pm"],
            ["event", "Dinner", "--at", "friday 7pm", "--zone", "Mars/Base"],
        ] {
            let text = #expect(throws: (any Error).self, "\(words)") { try ParleyCommand.parseAsRoot(words) }
            #expect(text.map { ParleyCommand.message(for: $0).contains("is not a time") } == true, "\(words)")
        }
    }

    @Test(
        "a link to a calendar is the URL at the gateway that the command uses",
        arguments: [
            ("ws://127.0.0.1:8080", "http://127.0.0.1:8080/x"),
            ("wss://chat.example.org", "https://chat.example.org/x"),
            ("wss://chat.example.org/v1/socket?a", "https://chat.example.org/x"),
            ("WSS://[::1]:443", "https://[::1]:443/x"), ("ws://localhost/", "http://localhost/x"),
        ])
    func calendarURL(gateway: String, url: String) { #expect(CalendarCommand.url(of: "/x", at: gateway) == url) }

    @Test("the speed is measured in messages of a chat, and beside plain work on the same text")
    func bench() {
        let result = ExtractBench.run(seconds: 0.2)
        #expect(result.messages > 0 && result.messagesPerSecond > 0 && result.ratio > 0)
    }

    private struct Unexpected: Error {}
}
