/// A message with who wrote it.
public struct Utterance: Sendable {
    public var sender: String
    public var text: String

    public init(sender: String, text: String) { (self.sender, self.text) = (sender, text) }
}

/// What a message yields.
public struct Extraction: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case event, reminder, decision
    }

    public enum End: Equatable, Sendable {
        case time(WallTime)
        /// The last of several days.
        case day(Day)
    }

    /// Who is to do a task.
    public enum Doers: String, Sendable {
        case sender
        /// The one to whom the message speaks.
        case addressee
        /// Everyone but the sender.
        case others
        case everyone
    }

    public var kind: Kind
    public var title: String
    public var date: Day?
    public var time: TimeOfDay?
    public var end: End?
    public var location: String?
    /// Whether the date is a limit.
    public var isDeadline = false
    /// Of a reminder.
    public var doers = Doers.sender
    /// The rule that found it, or "model".
    public var rule: String
    /// The words that it was read from.
    public var words: [String]

    /// The days that it names.
    public var days: [Day] {
        let last: Day? =
            switch end {
            case .time(let time): time.day
            case .day(let day): day
            case nil: nil
            }
        return [date, last].compactMap { $0 }
    }

    public init(kind: Kind, title: String, rule: String, words: [String]) {
        (self.kind, self.title, self.rule, self.words) = (kind, title, rule, words)
    }
}

/// What finds events, reminders and decisions in messages: the rules, or a model.
public protocol MessageExtractor: Sendable {
    /// - Parameters:
    ///   - context: the messages before, the oldest first. They yield nothing by themselves.
    ///   - moment: when and where the message was sent; dates and times of results are in that zone.
    func extract(_ message: Utterance, after context: [Utterance], at moment: Moment) async throws -> [Extraction]
}

/// Finds events, reminders and decisions in messages, by rules for English. Deterministic; the work grows with the
/// text.
///
/// Tokens become clauses with cues (``Cues``) and dates (``Grammar``). The rules of a kind judge the clauses; a message
/// that answers others is judged together with what it answers.
public struct Extractor: MessageExtractor {
    /// At most so many messages before one are read.
    public static let contextMax = 5
    /// The IANA names of the zones that a text may name.
    public static let zoneNames = ZoneNames.all

    public init() {}

    /// - Parameters:
    ///   - context: the messages before, the oldest first. They yield nothing by themselves.
    ///   - moment: when and where the message was sent; its dates and times are in that zone.
    public func extract(_ message: Utterance, after context: [Utterance] = [], at moment: Moment) -> [Extraction] {
        extract(message, at: moment) { context } ?? []
    }

    /// The same with a context that is read when a rule asks about it: most messages are judged by their own words.
    /// - Parameter context: returns nil if it is not known.
    /// - Returns: nil if the result depends on a context that is not known.
    public func extract(
        _ message: Utterance, at moment: Moment, after context: @escaping () -> [Utterance]?
    ) -> [Extraction]? {
        let analysis = Analysis(message.text, at: moment)
        guard !analysis.isForeign, !analysis.tokens.isEmpty else { return [] }
        let talk = Talk(context, message, at: moment)
        var reading = Reading(analysis: analysis, talk: talk, moment: moment)
        reading.read()
        return talk.isUnknown ? nil : reading.found
    }
}

/// What the messages before one have left open. They are read when a rule first asks about them.
final class Talk {
    private let message: Utterance
    private let moment: Moment
    private let read: () -> [Utterance]?
    /// Whether a rule asked about it, and it is not known.
    private(set) var isUnknown = false

    private lazy var context: ArraySlice<Utterance> = {
        let known = read()
        isUnknown = known == nil
        return (known ?? []).suffix(Extractor.contextMax)
    }()

    private(set) lazy var messages: [Analysis] = context.map { Analysis($0.text, at: moment) }

    init(_ context: @escaping () -> [Utterance]?, _ message: Utterance, at moment: Moment) {
        (read, self.message, self.moment) = (context, message, moment)
    }

    /// Whether the one who asks in it is the sender of the message.
    var isAskedBySender: Bool { context.first.map { $0.sender == message.sender } ?? false }

    var isEmpty: Bool { context.isEmpty }

    /// Whether a choice may stand in it: "or". Costs little.
    var mayOffer: Bool {
        context.contains { utterance in
            var before: UInt8 = 0
            for byte in utterance.text.utf8 {
                if byte | 0x20 == UInt8(ascii: "r"), before | 0x20 == UInt8(ascii: "o") { return true }
                before = byte
            }
            return false
        }
    }

    /// Whether a gathering was proposed.
    var proposesGathering: Bool {
        messages.contains { analysis in
            analysis.clauses.contains { clause in
                !clause.cues.has(.due) && !isChecked(analysis, clause)
                    && (clause.cues.has(.meeting, .invitation)
                        || analysis.mayBeGathering(clause)
                            && !(clause.cues.has(.request) && !clause.isQuestion && !analysis.isGathering(clause))
                        || isTimeQuestion(analysis, clause))
            }
        }
    }

    /// "Nando's on friday at 7?"
    private func isTimeQuestion(_ analysis: Analysis, _ clause: Clause) -> Bool {
        // "when can we go through the budget?"
        if analysis.contains("when", in: clause.tokens), analysis.hasTrait(.us, in: clause.tokens),
            analysis.contains("can", "could", "shall", "should", in: clause.tokens)
        {
            return true
        }
        guard clause.isQuestion || clause.cues.has(.tentative), !isTaskQuestion(analysis, clause),
            !isOfWork(analysis, clause),
            !clause.cues.has(.request, .duty, .until, .closed)
        else { return false }
        return clause.pieces.contains { piece in
            switch piece.value {
            case .day, .days, .clock, .clocks: !piece.isPast && !piece.isDeadline
            default: false
            }
        }
    }

    /// The day and the clock that were spoken of last.
    private(set) lazy var appointment: Appointment = {
        var found = messages.reversed().reduce(Appointment()) { result, analysis in
            // "can we reschedule your 2pm to 3.30": the last one is meant.
            let isMoved = analysis.contains("move", "push", "reschedule", "shift", "bump", "change", "swap")
            let clauses = analysis.clauses.filter { !$0.cues.has(.history) }
            return result.filled(from: analysis.appointment(clauses, isMoved: isMoved))
        }
        // The words of a result are those of its own message.
        found.tokens = []
        return found
    }()

    /// Whether somebody asked a question, named a choice or made a proposal.
    var isOpen: Bool {
        messages.contains { analysis in
            analysis.isQuestion
                || analysis.clauses.contains {
                    $0.isQuestion || $0.cues.has(.tentative, .opinion, .inclined, .picked, .voted)
                        || analysis.tokens[$0.begin].has(.question)
                }
                || analysis.contains("or")
        }
    }

    /// Whether somebody asked when something is due, or for something to be done.
    /// - Parameter orTells: whether a request that is no question counts.
    func asksForTask(orTells: Bool) -> Bool {
        messages.contains { analysis in
            analysis.clauses.contains { clause in
                orTells && clause.cues.has(.request) && !analysis.mayBeGathering(clause)
                    || clause.isQuestion
                        && (clause.cues.has(.due, .request, .duty, .until) || isTaskQuestion(analysis, clause))
            }
        }
    }

    private func isTaskQuestion(_ analysis: Analysis, _ clause: Clause) -> Bool {
        // "are you going to finish the slides today?"
        if analysis.hasTrait(.you, in: clause.tokens), analysis.contains("going", "plan", in: clause.tokens),
            analysis.hasTrait(.task, in: clause.tokens), !analysis.mayBeGathering(clause)
        {
            return true
        }
        if isChecked(analysis, clause) { return true }
        return analysis.contains("when", "long", "soon", "who", in: clause.tokens) && !analysis.isGathering(clause)
            && (analysis.hasTrait([.task, .taskThird, .tasking], in: clause.tokens)
                || analysis.contains("be", in: clause.tokens)
                    && (analysis.hasTrait(.past, in: clause.tokens) || analysis.contains("ready", in: clause.tokens))
                || analysis.contains("long", in: clause.tokens))
    }

    /// "do we release today?": something to do, and nobody to meet.
    private func isOfWork(_ analysis: Analysis, _ clause: Clause) -> Bool {
        guard let us = clause.tokens.first(where: { analysis.tokens[$0].has(.us) }),
            let verb = analysis.tokens[safe: us + 1]
        else { return false }
        return verb.has(.task) && !analysis.mayBeGathering(clause)
            && !["do", "get", "have", "start", "make", "try", "book", "grab", "take", "order", "go", "move"].contains(
                verb.text)
    }

    /// "did anyone call the plumber", "have you booked the vet"
    private func isChecked(_ analysis: Analysis, _ clause: Clause) -> Bool {
        clause.isQuestion && ["did", "have", "has"].contains(analysis.tokens[clause.begin].text)
            && analysis.tokens[safe: clause.begin + 1]?.has([.you, .group]) ?? false
            && analysis.hasTrait(
                [.task, .past], in: clause.begin + 1..<max(clause.begin + 1, clause.tokens.upperBound))
    }

    var hint: Appointment.Hint {
        for analysis in messages where analysis.hint() != .none { return analysis.hint() }
        return .none
    }
}

/// The reading of one message.
struct Reading {
    let analysis: Analysis
    let talk: Talk
    let moment: Moment
    private(set) var found: [Extraction] = []
    /// At most so many results of one message.
    static let foundMax = 3
    /// Clauses that a rule has used.
    var used: Set<Int> = []

    init(analysis: Analysis, talk: Talk, moment: Moment) {
        (self.analysis, self.talk, self.moment) = (analysis, talk, moment)
    }

    var tokens: [Token] { analysis.tokens }
    var clauses: [Clause] { analysis.clauses }

    mutating func read() {
        readReminders()
        readEvents()
        if found.isEmpty { readAnswers() }
        readDecisions()
    }

    mutating func add(_ extraction: Extraction) {
        guard found.count < Self.foundMax,
            !found.contains(where: {
                $0.kind == extraction.kind && $0.date == extraction.date && $0.time == extraction.time
            })
        else { return }
        found.append(extraction)
    }

    func has(_ kind: Extraction.Kind) -> Bool { found.contains { $0.kind == kind } }

    /// The subject of a clause is somebody who is not here.
    func isOfOthers(_ clause: Clause) -> Bool {
        guard let first = tokens[safe: clause.begin] else { return false }
        let next = tokens[safe: clause.begin + 1]
        if isQuoted(clause) { return true }
        // "they need our numbers by Friday": of those who read it.
        if isAskedOfReaders(clause.begin) { return false }
        // "kids are to bring a packed lunch"
        if first.text == "kids", next?.text == "are", tokens[safe: clause.begin + 2]?.text == "to" { return false }
        // "she and I are having lunch"
        if ["and", "&"].contains(next?.text ?? ""), tokens[safe: clause.begin + 2]?.has(.me) ?? false { return false }
        // "someone's throwing a party"
        if ["someone", "somebody", "people"].contains(first.text), let next, ["'s", "is", "are"].contains(next.text),
            tokens[safe: clause.begin + 2]?.has(.doing) ?? false
        {
            return true
        }
        if first.has(.others), first.text != "it", !["them", "him", "her"].contains(first.text) { return true }
        // "Amy has a dentist appointment": a name that no list knows.
        if first.isCapital, first.lexeme.id == 0, !isInstitution(clause.begin), let next,
            ["has", "had", "needs", "wants", "gets", "owes"].contains(next.text),
            !isThingInNeed(clause.begin + 1)
        {
            return true
        }
        // "dan's going for a run": a name in lower case.
        if first.lexeme.id == 0, next?.text == "'s", let verb = tokens[safe: clause.begin + 2],
            ["going", "having", "getting", "doing", "seeing", "meeting", "taking", "working", "coming"].contains(
                verb.text)
                || verb.has(.tasking) && verb.text != "cooking"
                    && tokens[safe: clause.begin + 3]?.has([.article, .possessive]) ?? false
        {
            return true
        }
        // "mum don't forget": spoken to.
        if first.has(.kin), let next, next.has([.auxiliary, .taskThird, .past]), next.text != "do",
            !(tokens[safe: clause.begin + 2]?.has(.you) ?? false),
            next.text != "'s" || tokens[safe: clause.begin + 2]?.has([.doing, .tasking]) ?? false
        {
            return true
        }
        if first.has(.possessive), let next, next.has(.kin), let verb = tokens[safe: clause.begin + 2] {
            return verb.has([.auxiliary, .taskThird, .past]) && verb.text != "'s"
                || ["needs", "wants"].contains(verb.text)
        }
        return first.has(.possessive) && ["his", "her", "their"].contains(first.text)
    }

    /// "they need our numbers", "my mum wants us to bring the cake".
    func isAskedOfReaders(_ index: Int) -> Bool {
        let words = tokens[index..<min(index + 4, tokens.count)]
        guard let verb = words.firstIndex(where: { Self.asking.contains($0.text) }), let asked = tokens[safe: verb + 1]
        else { return false }
        // "mum said to bring a coat"
        if asked.text == "to" { return ["said", "says"].contains(tokens[verb].text) && !tokens[index].has(.others) }
        return tokens[index].has(.others) && verb == index + 1 && ["our", "your", "my"].contains(asked.text)
            || verb == index + 1 && tokens[index].has(.kin)
                && ["the", "that", "this", "our", "your"].contains(asked.text)
            || asked.has([.me, .us]) && tokens[safe: verb + 2]?.text == "to"
    }

    private static let asking: Set<Word> = ["need", "needs", "want", "wants", "asked", "expects", "said", "says"]

    /// "HMRC wants the return": all in capitals.
    private func isInstitution(_ index: Int) -> Bool {
        let text = analysis.text(index..<index + 1)
        return text.utf8.count >= 3 && text == text.uppercased()
    }

    /// "PR needs reviewing", "Milo needs to be fed": done by people here.
    private func isThingInNeed(_ verb: Int) -> Bool {
        guard tokens[verb].text == "needs" else { return false }
        return tokens[safe: verb + 1]?.has(.tasking) ?? false
            || tokens[safe: verb + 1]?.text == "to" && tokens[safe: verb + 2]?.text == "be"
    }

    /// "he said: \"I'll pay you on Friday\"": another's words.
    private func isQuoted(_ clause: Clause) -> Bool {
        // "buy milk tomorrow" said the note
        if tokens[safe: clause.begin - 1].map({ Self.quotes.contains($0.text) }) ?? false,
            let end = tokens[clause.begin...].firstIndex(where: { Self.quotes.contains($0.text) || $0.text == "”" }),
            ["said", "says", "goes", "wrote", "reads", "was", "is"].contains(tokens[safe: end + 1]?.text ?? "")
                || tokens[safe: end + 1]?.has(.others) ?? false
        {
            return true
        }
        guard
            let mark = (max(0, clause.begin - 2)..<clause.begin).first(where: { Self.quotes.contains(tokens[$0].text) })
        else { return false }
        return tokens[max(0, mark - 5)..<mark].contains {
            ["said", "says", "told", "goes", "like", "asked", "wrote", "say", "texted"].contains($0.text)
        }
    }

    private static let quotes: Set<Word> = ["\"", "“", "„", "«"]

    func words(_ ranges: [Range<Int>]) -> [String] {
        ranges.map { analysis.text($0) }.filter { !$0.isEmpty }
    }

    func extraction(
        _ kind: Extraction.Kind, _ title: String, _ when: When?, _ rule: String, _ ranges: [Range<Int>],
        location: String? = nil
    ) -> Extraction {
        let own = (ranges + (when?.tokens ?? [])).filter { $0.upperBound <= tokens.count }
        var result = Extraction(kind: kind, title: title, rule: rule, words: words(own))
        (result.date, result.time, result.location) = (when?.date, when?.time, location)
        result.end = when?.end.map { .time($0) } ?? when?.lastDay.map { .day($0) }
        result.isDeadline = when?.isDeadline ?? false
        return result
    }
}
