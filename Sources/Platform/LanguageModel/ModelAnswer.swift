import FoundationEssentials  // JSON only; swift-configuration links it anyway.
import Language

/// What a model answered, checked. Pure.
///
/// An answer that breaks the schema is refused as a whole. A suggestion in it counts only if it can belong to the
/// message: it quotes words of that message, its day is near, it brings no link that the message does not have. So
/// what a text makes a model say stays within a suggestion of that very message.
struct ModelAnswer: Decodable {
    /// The most suggestions of a message.
    static let suggestionsMax = 3
    static let textBytesMax = 240
    /// How far ahead a date may lie.
    static let daysMax = 731
    /// How long an event may last.
    static let lengthDaysMax = 31

    /// What an answer must look like.
    static let schema = """
        {"type":"object","additionalProperties":false,"required":["suggestions"],"properties":{"suggestions":\
        {"type":"array","maxItems":3,"items":{"type":"object","additionalProperties":false,\
        "required":["kind","title","quote","date","time","end","location","deadline","doer"],"properties":{\
        "kind":{"type":"string","enum":["event","reminder","decision"]},"title":{"type":"string"},\
        "quote":{"type":"string"},"date":{"type":["string","null"]},"time":{"type":["string","null"]},\
        "end":{"type":["string","null"]},"location":{"type":["string","null"]},"deadline":{"type":"boolean"},\
        "doer":{"type":["string","null"],"enum":["sender","addressee","others","everyone",null]}}}}}}
        """

    private var suggestions: [Suggested]

    /// - Throws: ``ModelFailure/wrongAnswer(_:)``.
    init(reply: [UInt8]) throws(ModelFailure) {
        do {
            let completion = try JSONDecoder().decode(Completion.self, from: Data(reply))
            guard let content = completion.choices.first?.message.content else {
                throw ModelFailure.wrongAnswer("it has no content")
            }
            self = try JSONDecoder().decode(Self.self, from: Data(content.utf8))
        } catch let failure as ModelFailure {
            throw failure
        } catch {
            throw .wrongAnswer("it is not the JSON that the schema describes")
        }
        guard suggestions.count <= Self.suggestionsMax else {
            throw .wrongAnswer("it has \(suggestions.count) suggestions")
        }
    }

    private enum Key: String, CodingKey, CaseIterable { case suggestions }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(of: Key.self)
        suggestions = try fields.decode([Suggested].self, forKey: .suggestions)
    }

    /// The suggestions that the message can make.
    func extractions(of prompt: ModelPrompt) -> [Extraction] {
        suggestions.compactMap { $0.extraction(of: prompt) }
    }

    /// The reply of `/chat/completions`, of which the rest is ignored.
    private struct Completion: Decodable {
        struct Choice: Decodable {
            struct Message: Decodable { var content: String? }
            var message: Message
        }
        var choices: [Choice]
    }
}

private struct Suggested: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case kind, title, quote, date, time, end, location, deadline, doer
    }

    var kind: Extraction.Kind
    var title: String
    var quote: String
    var date: Day?
    var time: TimeOfDay?
    var end: Extraction.End?
    var location: String?
    var isDeadline: Bool
    var doers: Extraction.Doers?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(of: Key.self)
        func text(_ key: Key) throws -> String {
            let text = try fields.decode(String.self, forKey: key)
            guard text.utf8.count <= ModelAnswer.textBytesMax || key == .quote else { throw Invalid(key.rawValue) }
            return text
        }
        func optional<Value>(_ key: Key, _ read: (String) -> Value?) throws -> Value? {
            if try fields.decodeNil(forKey: key) { return nil }
            guard let value = read(try text(key)) else { throw Invalid(key.rawValue) }
            return value
        }
        guard let kind = Extraction.Kind(rawValue: try text(.kind)) else { throw Invalid("kind") }
        (self.kind, title, quote) = (kind, try text(.title), try text(.quote))
        (date, time) = (try optional(.date) { Day(text: $0) }, try optional(.time) { TimeOfDay(text: $0) })
        end = try optional(.end) { text in
            WallTime(text: text).map { .time($0) } ?? Day(text: text).map { .day($0) }
        }
        location = try optional(.location) { $0 }
        isDeadline = try fields.decode(Bool.self, forKey: .deadline)
        doers = try optional(.doer) { Extraction.Doers(rawValue: $0) }
    }

    func extraction(of prompt: ModelPrompt) -> Extraction? {
        guard Self.isQuoted(quote, in: prompt.message.text),
            LinkLikeText.isHeld(quote, by: prompt.message.text), let title = shown(title, prompt)
        else { return nil }
        var found = Extraction(kind: kind, title: title, rule: "model", words: [quote])
        guard kind != .decision else { return found }
        let today = prompt.moment.today
        if let date {
            guard today...Day(number: today.number + ModelAnswer.daysMax) ~= date else { return nil }
        } else if kind == .event || time != nil {
            return nil
        }
        (found.date, found.time, found.isDeadline) = (date, time, isDeadline)
        if let location {
            guard let shown = shown(location, prompt) else { return nil }
            found.location = shown
        }
        found.doers = doers ?? .sender
        if kind == .event { found.end = checkedEnd }
        return found
    }

    /// The end, if it is after the beginning and not long after it.
    private var checkedEnd: Extraction.End? {
        guard let date else { return nil }
        let last = Day(number: date.number + ModelAnswer.lengthDaysMax)
        switch end {
        case .day(let day): return time == nil && day > date && day <= last ? end : nil
        case .time(let wall):
            guard let time else { return nil }
            return wall > WallTime(day: date, time: time) && wall.day <= last ? end : nil
        case nil: return nil
        }
    }

    /// A text that may be shown: one line with a letter, without invisible characters and without a link of its own.
    private func shown(_ text: String, _ prompt: ModelPrompt) -> String? {
        guard text.contains(where: \.isLetter), !text.unicodeScalars.contains(where: Self.isHidden) else { return nil }
        return LinkLikeText.isHeld(text, by: prompt.message.text) ? text : nil
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }

    /// Whether the words stand in the text, apart from case and spaces.
    private static func isQuoted(_ quote: String, in text: String) -> Bool {
        let words = quote.lowercased().split(whereSeparator: \.isWhitespace)
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else { return false }
        return text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .contains(words.joined(separator: " "))
    }
}

private struct Invalid: Error {
    let field: String
    init(_ field: String) { self.field = field }
}

/// A key of any name.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The fields of an object that has exactly these.
    fileprivate func fields<Key: CodingKey & CaseIterable & RawRepresentable<String>>(
        of type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let given = Set(try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
        guard given == Set(Key.allCases.map(\.rawValue)) else { throw Invalid("fields") }
        return try container(keyedBy: type)
    }
}
