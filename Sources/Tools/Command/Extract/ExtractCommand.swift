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
            that it was read from. With --model a model behind an API like OpenAI's reads the message instead of the rules.

            Examples:
              parley extract "Dinner Friday 7pm"
              parley extract "yes, count me in" --context "dinner friday at 7?" --zone Europe/London
              parley extract "9am PT tomorrow, demo" --now 2026-03-04T10:15:00Z
              parley extract "Dinner Friday 7pm" --model http://127.0.0.1:11434/v1 --model-name qwen3:8b
            """)

    @Argument(help: "The message. Several words are joined with spaces.") var text: [String]
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A message before it, by somebody else, the oldest first. Repeatable.", valueName: "text"))
    var context: [String] = []
    @Option(help: ArgumentHelp("When the message was sent, as for \"parley remind\". Default: now.", valueName: "time"))
    var now: String?
    @OptionGroup var zone: ZoneOption
    @OptionGroup var model: ModelOptions
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        _ = try zone.time(now, of: "--now")
    }

    func run() async throws {
        guard let moment = Moment(us: try zone.time(now, of: "--now") ?? Times.now(), zone: zone.name) else { return }
        let found: [Extraction]
        do {
            found = try await model.extractor().extract(
                Utterance(sender: "sender", text: text.joined(separator: " ")),
                after: context.map { Utterance(sender: "other", text: $0) }, at: moment)
        } catch let failure as ModelFailure {
            throw Failure(.modelFailed, "The model does not read this: \(failure).")
        }
        for extraction in found {
            if json { Output.json(ExtractionJSON(extraction)) } else { Output.line(Self.shown(extraction)) }
        }
        if found.isEmpty, !json { Output.note("Nothing to suggest.") }
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
}

/// A time zone of this machine, for the extractor.
package struct MachineZone: Zone {
    private let zone: TimeZone

    package init?(name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    static var ownName: String {
        let own = TimeZone.current.identifier
        return own.hasPrefix("GMT") ? "UTC" : own
    }

    package func offset(at instant: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }
}

extension Moment {
    /// Returns nil if the machine has no such zone.
    package init?(us: Int64, zone name: String) {
        guard let zone = MachineZone(name: name) else { return nil }
        self.init(instant: Int(us / 1_000_000), zone: zone, zoneName: name) { MachineZone(name: $0) }
    }
}

package struct ExtractionJSON: Encodable {
    package var kind: String
    package var title: String
    package var date: String?
    package var time: String?
    package var end: String?
    package var location: String?
    package var deadline: Bool
    package var rule: String
    package var words: [String]

    package init(_ extraction: Extraction) {
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
