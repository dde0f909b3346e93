import ArgumentParser
import Foundation
import Language
import LanguageModel

struct ExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Show which events, reminders and decisions a message yields, and why.",
        discussion: """
            It runs on this machine and needs no server. The rules know English. Each result names the rule and the words \
            that it was read from. With --evaluate it reads a file of labelled messages or date phrases and prints how \
            many it finds; with --model a model behind an API like OpenAI's reads the messages instead of the rules. With \
            --bench it measures the speed.

            Examples:
              parley extract "Dinner Friday 7pm"
              parley extract "yes, count me in" --context "dinner friday at 7?" --zone Europe/London
              parley extract "9am PT tomorrow, demo" --now 2026-03-04T10:15:00Z
              parley extract --evaluate messages.jsonl --json
              parley extract --evaluate messages.jsonl --model http://127.0.0.1:11434/v1 --model-name qwen3:8b
            """)

    @Argument(help: "The message. Several words are joined with spaces.") var text: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A message before it, by somebody else, the oldest first. Repeatable.", valueName: "text"))
    var context: [String] = []
    @Option(help: ArgumentHelp("When the message was sent, as for \"parley remind\". Default: now.", valueName: "time"))
    var now: String?
    @Option(help: ArgumentHelp("The sender's time zone. Default: this machine's.", valueName: "zone")) var zone: String?
    @Option(help: ArgumentHelp("Evaluate the rules with this file of JSON lines.", valueName: "file")) var evaluate:
        String?
    @Option(help: ArgumentHelp("Let the model behind this API read instead of the rules.", valueName: "url"))
    var model: String?
    @Option(help: ArgumentHelp("The model's name there.", valueName: "name")) var modelName = "default"
    @Option(help: ArgumentHelp("A file with the key of the API.", valueName: "file")) var modelKeyFile: String?
    @Option(help: ArgumentHelp("The longest time of one answer, in seconds.", valueName: "seconds"))
    var modelTimeout = 60
    @Flag(help: "Measure how many messages a second one core reads.") var bench = false
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        let isAlone = evaluate != nil || bench
        guard isAlone != !text.isEmpty, evaluate == nil || !bench else {
            throw ValidationError("Give either a message, --evaluate FILE or --bench.")
        }
        guard !isAlone || context.isEmpty && now == nil && zone == nil else {
            throw ValidationError("--context, --now and --zone belong to a message.")
        }
        guard model == nil || !bench else { throw ValidationError("--bench measures the rules; leave out --model.") }
        guard (1...3600).contains(modelTimeout) else {
            throw ValidationError("--model-timeout: give a number of seconds from 1 to 3600.")
        }
        guard MachineZone(name: zoneName) != nil else {
            throw ValidationError("--zone: \(zoneName) is not a time zone. Use a name such as Europe/Zurich.")
        }
        guard nowUs != nil else {
            throw ValidationError("--now: \"\(now ?? "")\" is not a time. Use \"2026-12-24 18:00\" or ISO 8601.")
        }
    }

    private var zoneName: String { zone ?? MachineZone.ownName }
    private var nowUs: Int64? {
        guard let now else { return Times.now() }
        return TimeZone(identifier: zoneName).flatMap { Times.parse(now, zone: $0) }
    }

    func run() async throws {
        if let evaluate { return try await run(on: evaluate) }
        if bench { return runBench() }
        guard let moment = Moment(us: nowUs ?? 0, zone: zoneName) else { return }
        let found: [Extraction]
        do {
            found = try await extractor().extract(
                Utterance(sender: "sender", text: text.joined(separator: " ")),
                after: context.map { Utterance(sender: "other", text: $0) }, at: moment)
        } catch let failure as ModelFailure {
            throw Failure("model_failed", "The model does not read this: \(failure).")
        }
        for extraction in found {
            if json { Output.json(ExtractionJSON(extraction)) } else { Output.line(Self.shown(extraction)) }
        }
        if found.isEmpty, !json { Output.note("Nothing to suggest.") }
    }

    /// The rules, or the model that was named.
    private func extractor() throws -> any MessageExtractor {
        guard let model else { return Extractor() }
        var key = ""
        if let modelKeyFile {
            guard let data = FileManager.default.contents(atPath: modelKeyFile) else {
                throw Failure("no_file", "Cannot read the file \(modelKeyFile).", exitCode: .usage)
            }
            key = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return ModelExtractor(url: model, model: modelName, key: key, timeout: .seconds(modelTimeout))
    }

    private static func shown(_ extraction: Extraction) -> String {
        var parts = [extraction.title]
        if let date = extraction.date {
            parts.append(
                (extraction.isDeadline ? "by " : "") + date.text + (extraction.time.map { " " + $0.text } ?? ""))
        }
        if let end = ExtractionJSON(extraction).end { parts.append("until \(end)") }
        if let location = extraction.location { parts.append("at \(location)") }
        let words = extraction.words.map { "\"\($0)\"" }.joined(separator: ", ")
        return PlainText.padded(extraction.kind.rawValue, 10) + PlainText.shown(parts.joined(separator: "  "))
            + "\n          \(extraction.rule): \(PlainText.shown(words))"
    }

    private func run(on path: String) async throws {
        switch try LabelledFile(path: path) {
        case .messages(let cases):
            let scores = await MessageScores(cases, by: try extractor())
            if scores.failures == cases.count {
                throw Failure("model_failed", "The model read none of the \(cases.count) messages.")
            }
            if json { return Output.json(scores) }
            for (name, score) in [
                ("events", scores.event), ("reminders", scores.reminder), ("decisions", scores.decision),
            ] {
                Output.line(
                    "\(PlainText.padded(name, 12))precision \(share(score.precision))  recall \(share(score.recall))  "
                        + "F1 \(share(score.f1))")
            }
            Output.line(
                "\(PlainText.padded("dates", 12))\(share(scores.dateAccuracy))  times \(share(scores.timeAccuracy))")
        case .phrases(let cases):
            guard model == nil else {
                throw Failure("invalid", "A model reads messages; phrases are for the rules.", exitCode: .usage)
            }
            let scores = PhraseScores(cases)
            if json { return Output.json(scores) }
            Output.line("accuracy \(share(scores.accuracy))  ends of right ranges \(share(scores.endAccuracy))")
        }
    }

    private func share(_ value: Double) -> String { String(format: "%.3f", value) }

    private func runBench() {
        let result = ExtractBench.run()
        if json { return Output.json(result) }
        Output.line(
            "\(result.messagesPerSecond) messages/s on one core, \(result.bytesPerSecond) bytes/s; "
                + "cutting the same text at spaces takes \(String(format: "%.1f", result.ratio * 100))% of that time")
    }
}

/// A time zone of this machine, for the extractor.
struct MachineZone: Zone {
    private let zone: TimeZone

    init?(name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    static var ownName: String {
        let own = TimeZone.current.identifier
        return own.hasPrefix("GMT") ? "UTC" : own
    }

    func offset(at instant: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }
}

extension Moment {
    /// Returns nil if the machine has no such zone.
    init?(us: Int64, zone name: String) {
        guard let zone = MachineZone(name: name) else { return nil }
        self.init(instant: Int(us / 1_000_000), zone: zone, zoneName: name) { MachineZone(name: $0) }
    }
}

struct ExtractionJSON: Encodable {
    var kind: String
    var title: String
    var date: String?
    var time: String?
    var end: String?
    var location: String?
    var deadline: Bool
    var rule: String
    var words: [String]

    init(_ extraction: Extraction) {
        (kind, title, rule, words) = (extraction.kind.rawValue, extraction.title, extraction.rule, extraction.words)
        (date, time) = (extraction.date?.text, extraction.time?.text)
        (location, deadline) = (extraction.location, extraction.isDeadline)
        switch extraction.end {
        case .time(let wall): end = wall.text
        case .day(let day): end = day.text
        case nil: end = nil
        }
    }
}
