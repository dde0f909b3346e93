import Command
import Foundation
import Language

/// A message with what it should yield.
struct LabelledMessage: Decodable {
    struct Text: Decodable {
        var sender: String
        var text: String
    }

    struct Entity: Decodable {
        var kind: String
        var date: String?
        var time: String?
        var end: String?
        var location: String?
    }

    var id: String
    var now: String
    var tz: String
    var context: [Text]
    var message: Text
    var entities: [Entity]
}

/// A phrase with the date that it means.
struct LabelledPhrase: Decodable {
    struct Expected: Decodable {
        var type: String
        var value: String
        var end: String?
    }

    var id: String
    var source: String
    var phrase: String
    var reference: String
    var expect: Expected
}

/// A file of labelled messages or phrases, one JSON object a line.
enum LabelledFile {
    case messages([(LabelledMessage, Moment)])
    case phrases([(LabelledPhrase, Moment)])

    /// - Throws: ``Failure`` that names the first line that is malformed.
    init(path: String) throws(Failure) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(.noFile, "Cannot read the file \(path).", exitCode: .usage)
        }
        var messages: [(LabelledMessage, Moment)] = []
        var phrases: [(LabelledPhrase, Moment)] = []
        let decoder = JSONDecoder()
        for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            if phrases.isEmpty, let found = try? decoder.decode(LabelledMessage.self, from: line),
                let moment = Moment(of: found)
            {
                messages.append((found, moment))
            } else if messages.isEmpty, let found = try? decoder.decode(LabelledPhrase.self, from: line),
                let moment = Moment(of: found)
            {
                phrases.append((found, moment))
            } else {
                let kind =
                    messages.isEmpty
                    ? phrases.isEmpty ? "labelled message or phrase" : "labelled phrase" : "labelled message"
                throw Failure(
                    .invalid, "\(path), line \(index + 1): this is no \(kind).",
                    advice: "Each line is one JSON object with all fields of its kind.", exitCode: .usage)
            }
        }
        guard !messages.isEmpty || !phrases.isEmpty else {
            throw Failure(.invalid, "\(path) has no lines.", exitCode: .usage)
        }
        self = phrases.isEmpty ? .messages(messages) : .phrases(phrases)
    }
}

extension Moment {
    fileprivate init?(of message: LabelledMessage) {
        guard let date = try? Date(message.now, strategy: .iso8601) else { return nil }
        self.init(us: Int64(date.timeIntervalSince1970) * 1_000_000, zone: message.tz)
    }

    /// A reference without an offset is local time.
    fileprivate init?(of phrase: LabelledPhrase) {
        let reference = phrase.reference
        let hasOffset = reference.hasSuffix("Z") || reference.dropFirst(16).contains { $0 == "+" || $0 == "-" }
        guard let date = try? Date(hasOffset ? reference : reference + "Z", strategy: .iso8601) else { return nil }
        let local = try? Date(reference.prefix(19) + "Z", strategy: .iso8601)
        let offset = local.map { $0.timeIntervalSince(date) } ?? 0
        self.init(
            instant: Int(date.timeIntervalSince1970), zone: FixedZone(seconds: Int(offset)), zoneName: "UTC"
        ) { MachineZone(name: $0) }
    }
}

/// How well messages are read.
struct MessageScores: Encodable {
    struct Score: Encodable {
        var precision = 0.0
        var recall = 0.0
        var f1 = 0.0

        init(right: Int, wrong: Int, missed: Int) {
            precision = Self.share(right, right + wrong)
            recall = Self.share(right, right + missed)
            f1 = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
        }

        static func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 1 : Double(part) / Double(whole) }
    }

    var cases: Int
    var event: Score
    var reminder: Score
    var decision: Score
    /// The share of matched events and reminders whose date is right, and their time where one is expected.
    var dateAccuracy: Double
    /// The share of those with an expected time whose time is right.
    var timeAccuracy: Double
    /// The shares of matched events with an expected end or place that have the same.
    var endAccuracy: Double
    var locationAccuracy: Double

    private struct Tally {
        var right: [String: Int] = [:]
        var wrong: [String: Int] = [:]
        var missed: [String: Int] = [:]
        var dates: (right: Int, all: Int) = (0, 0)
        var times: (right: Int, all: Int) = (0, 0)
        var ends: (right: Int, all: Int) = (0, 0)
        var locations: (right: Int, all: Int) = (0, 0)

        /// Matches the pairs that agree best in date and time, one to one.
        mutating func count(_ kind: String, _ expected: [LabelledMessage.Entity], _ found: [ExtractionJSON]) {
            var (expected, found) = (expected, found)
            while !expected.isEmpty, !found.isEmpty {
                var best = (expected: 0, found: 0, agreement: -1)
                for (one, wanted) in expected.enumerated() {
                    for (other, given) in found.enumerated() {
                        let agreement = (wanted.date == given.date ? 2 : 0) + (wanted.time == given.time ? 1 : 0)
                        if agreement > best.agreement { best = (one, other, agreement) }
                    }
                }
                count(expected.remove(at: best.expected), found.remove(at: best.found))
                right[kind, default: 0] += 1
            }
            wrong[kind, default: 0] += found.count
            missed[kind, default: 0] += expected.count
        }

        private mutating func count(_ wanted: LabelledMessage.Entity, _ given: ExtractionJSON) {
            guard wanted.kind != "decision" else { return }
            let isTimeRight = wanted.time == nil || wanted.time == given.time
            dates.all += 1
            if wanted.date == given.date, isTimeRight { dates.right += 1 }
            if wanted.time != nil { times = (times.right + (isTimeRight ? 1 : 0), times.all + 1) }
            if wanted.end != nil { ends = (ends.right + (wanted.end == given.end ? 1 : 0), ends.all + 1) }
            if wanted.location != nil {
                let isSame = wanted.location?.lowercased() == given.location?.lowercased()
                locations = (locations.right + (isSame ? 1 : 0), locations.all + 1)
            }
        }

        func score(_ kind: String) -> Score {
            Score(right: right[kind, default: 0], wrong: wrong[kind, default: 0], missed: missed[kind, default: 0])
        }
    }

    /// Where the extractor failed. What it would have found there counts as missed.
    var failures = 0

    init(_ cases: [(LabelledMessage, Moment)], by extractor: some MessageExtractor) async {
        var tally = Tally()
        for (message, moment) in cases {
            var found: [ExtractionJSON] = []
            do {
                found = try await extractor.extract(
                    Utterance(sender: message.message.sender, text: message.message.text),
                    after: message.context.map { Utterance(sender: $0.sender, text: $0.text) }, at: moment
                ).map { ExtractionJSON($0) }
            } catch {
                failures += 1
                if failures == 1 { Output.note("\(message.id): \(error)") }
            }
            for kind in ["event", "reminder", "decision"] {
                tally.count(kind, message.entities.filter { $0.kind == kind }, found.filter { $0.kind == kind })
            }
        }
        self.cases = cases.count
        (event, reminder, decision) = (tally.score("event"), tally.score("reminder"), tally.score("decision"))
        (dateAccuracy, timeAccuracy) = (
            Score.share(tally.dates.right, tally.dates.all), Score.share(tally.times.right, tally.times.all)
        )
        (endAccuracy, locationAccuracy) = (
            Score.share(tally.ends.right, tally.ends.all), Score.share(tally.locations.right, tally.locations.all)
        )
    }
}

/// How well phrases are read.
struct PhraseScores: Encodable {
    var cases: Int
    /// The share whose type and value are right.
    var accuracy: Double
    /// The share of right ranges whose end is right, too.
    var endAccuracy: Double

    init(_ cases: [(LabelledPhrase, Moment)]) {
        var (right, ranges, ends) = (0, 0, 0)
        for (phrase, moment) in cases {
            let style: DateStyle = phrase.source == "duckling" ? .phrase : .plainPhrase
            let found = Self.found(DateReader(at: moment, style).read(phrase.phrase)?.value)
            guard found.type == phrase.expect.type, found.value == phrase.expect.value else { continue }
            right += 1
            guard found.type == "range" else { continue }
            ranges += 1
            if found.end == phrase.expect.end { ends += 1 }
        }
        self.cases = cases.count
        accuracy = Double(right) / Double(cases.count)
        endAccuracy = ranges == 0 ? 1 : Double(ends) / Double(ranges)
    }

    private static func found(_ value: DateReading.Value?) -> (type: String, value: String, end: String?) {
        switch value {
        case .date(let day): ("date", day.text, nil)
        case .dateTime(let wall): ("datetime", wall.text, nil)
        case .time(let time): ("time", time.text, nil)
        case .dates(let first, let end): ("range", first.text, end.text)
        case .dateTimes(let first, let end): ("range", first.text, end.text)
        case .times(let first, let end): ("range", first.text, end.text)
        case nil: ("none", "", nil)
        }
    }
}
