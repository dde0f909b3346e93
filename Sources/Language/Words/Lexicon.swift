/// What a word can be. A word may be several.
struct Traits: OptionSet, Sendable {
    let rawValue: UInt64
    init(rawValue: UInt64) { self.rawValue = rawValue }
    private init(bit: UInt64) { rawValue = 1 << bit }

    // Numbers and times.
    static let cardinal = Traits(bit: 0)
    static let ordinal = Traits(bit: 1)
    static let month = Traits(bit: 2)
    static let weekday = Traits(bit: 3)
    static let weekdays = Traits(bit: 4)
    static let unit = Traits(bit: 5)
    // Gatherings.
    static let gathering = Traits(bit: 6)
    /// Names a gathering only together with a time: "call", "game", "show".
    static let looseGathering = Traits(bit: 7)
    static let evening = Traits(bit: 8)
    static let morning = Traits(bit: 9)
    // Verbs.
    static let task = Traits(bit: 10)
    static let taskThird = Traits(bit: 11)
    static let tasking = Traits(bit: 12)
    static let past = Traits(bit: 13)
    static let staying = Traits(bit: 14)
    static let settled = Traits(bit: 15)
    static let choosing = Traits(bit: 16)
    // Small words.
    static let me = Traits(bit: 17)
    static let us = Traits(bit: 18)
    static let you = Traits(bit: 19)
    static let others = Traits(bit: 20)
    static let question = Traits(bit: 21)
    static let auxiliary = Traits(bit: 22)
    static let article = Traits(bit: 23)
    static let preposition = Traits(bit: 24)
    static let adverb = Traits(bit: 25)
    static let kin = Traits(bit: 26)
    static let body = Traits(bit: 27)
    static let venue = Traits(bit: 28)
    static let opener = Traits(bit: 29)
    static let foreign = Traits(bit: 30)
    static let english = Traits(bit: 31)
    static let conjunction = Traits(bit: 32)
    static let possessive = Traits(bit: 33)
    static let doing = Traits(bit: 34)
    static let group = Traits(bit: 35)
    /// A number in digits.
    static let figure = Traits(bit: 37)
    /// May begin a date or a time.
    static let timeStart = Traits(bit: 36)
    /// What people put out, hand in, bring back or pay: "bins", "slip", "rent".
    static let thing = Traits(bit: 38)
}

/// What the vocabulary knows of a word.
struct Lexeme: Sendable {
    /// The number by which patterns name the word; 0 for one that none names.
    var id: Int32 = 0
    var traits: Traits = []
    /// The value of a number in words, such as 3 for "three" and "third".
    var number: Int16 = 0
    /// 1 is January.
    var month: Int8 = 0
    /// 0 is Monday.
    var weekday: Int8 = 0
    var unit: Unit = .none
}

/// A unit of time.
enum Unit: Int8, Sendable {
    case none, second, minute, hour, day, workday, week, fortnight, month, quarter, half, year, decade
}

/// The vocabulary: every word that a rule or a pattern knows.
struct Lexicon: Sendable {
    private var words: [Word: Lexeme] = [:]
    private var spellings: [Word: [Word]] = [:]
    private var count: Int32 = 0

    private static let shared = Lexicon(Vocabulary.traits, patterns: Cues.words)

    /// Those that the vocabulary lists.
    static var lexemes: some Collection<Lexeme> { shared.words.values }

    static func lexeme(_ word: Word) -> Lexeme {
        if let lexeme = shared.words[word] { return lexeme }
        // A verb's form, though nobody listed the verb.
        if word.count > 5, word.hasSuffix("ed"), !notPast.contains(word) { return Lexeme(id: -1, traits: .past) }
        return word.count > 5 && word.hasSuffix("ing") ? Lexeme(id: -1, traits: .doing) : Lexeme()
    }
    private static let notPast: Set<Word> = [
        "hundred", "sacred", "naked", "excited", "crowded", "talented", "limited", "united", "related", "biased",
        "indeed", "exceed", "succeed", "proceed", "wicked", "wretched", "rugged", "beloved", "wooded", "bearded",
        "seabed", "wouldbed",
    ]

    /// The words that a short or careless spelling stands for.
    static func spelledOut(_ word: Word) -> [Word]? { shared.spellings[word] }

    private init(_ lists: [(Traits, String)], patterns: [Substring]) {
        for (traits, list) in lists {
            for word in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
                change(word) { $0.traits.formUnion(traits) }
            }
        }
        for word in Holiday.firstWords { change(word) { $0.traits.formUnion(.timeStart) } }
        addTimes()
        addForms()
        for word in patterns {
            change(word) {
                if $0.traits.isEmpty, word.utf8.count > 5, word.hasSuffix("ing"), !word.hasSuffix("thing") {
                    $0.traits.formUnion(.doing)
                }
            }
        }
        for line in Vocabulary.spellings.split(separator: "\n") {
            let halves = line.split(separator: "=")
            let words = halves[0].split(separator: " ").map { Word($0) }
            for word in halves[1].split(separator: " ") { spellings[Word(word)] = words }
        }
    }

    private mutating func change(_ text: some StringProtocol, _ body: (inout Lexeme) -> Void) {
        let word = Word(text)
        var lexeme = words[word] ?? Lexeme()
        if lexeme.id == 0 {
            count += 1
            lexeme.id = count
        }
        body(&lexeme)
        words[word] = lexeme
    }

    private mutating func addTimes() {
        for (index, names) in Vocabulary.months.enumerated() {
            for name in names.split(separator: " ") {
                change(name) { ($0.month, $0.traits) = (Int8(index + 1), $0.traits.union(.month)) }
            }
        }
        for (index, names) in Vocabulary.weekdays.enumerated() {
            for name in names.split(separator: " ") {
                change(name) { ($0.weekday, $0.traits) = (Int8(index), $0.traits.union(.weekday)) }
            }
            let plural = String(names.prefix { $0 != " " }) + "s"
            change(plural) { ($0.weekday, $0.traits) = (Int8(index), $0.traits.union([.weekday, .weekdays])) }
        }
        for (number, name) in Vocabulary.cardinals {
            change(name) { ($0.number, $0.traits) = (number, $0.traits.union(.cardinal)) }
        }
        for (number, name) in Vocabulary.ordinals {
            change(name) { ($0.number, $0.traits) = (number, $0.traits.union(.ordinal)) }
        }
        for (unit, names) in Vocabulary.units {
            for name in names.split(separator: " ") {
                change(name) { ($0.unit, $0.traits) = (unit, $0.traits.union(.unit)) }
            }
        }
    }

    /// The forms of regular verbs: "sends", "sending", "stopped".
    private mutating func addForms() {
        for verb in Vocabulary.tasks.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let forms = VerbForms(String(verb))
            change(forms.third) { $0.traits.formUnion(.taskThird) }
            change(forms.ing) { $0.traits.formUnion([.tasking, .doing]) }
            if !Vocabulary.irregular.contains(verb) { change(forms.past) { $0.traits.formUnion(.past) } }
        }
        for verb in Vocabulary.pastBases.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let forms = VerbForms(String(verb))
            change(forms.past) { $0.traits.formUnion(.past) }
            change(forms.ing) { $0.traits.formUnion(.doing) }
        }
    }
}

/// The regular forms of a verb.
struct VerbForms {
    let third: String
    let ing: String
    let past: String

    init(_ verb: String) {
        let letters = Array(verb)
        let last = letters.last ?? "e"
        let before = letters.dropLast().last ?? "e"
        let isVowel: (Character) -> Bool = { "aeiou".contains($0) }
        // "stop" doubles its last letter, "open" and "mail" do not.
        let doubles =
            letters.count <= 4 && !isVowel(last) && !"wxy".contains(last) && isVowel(before)
            && !(letters.count > 2 && isVowel(letters[letters.count - 3])) && verb != "open" && verb != "edit"
        switch last {
        case "e":
            (third, past) = (verb + "s", verb + "d")
            ing = before == "e" ? verb + "ing" : String(verb.dropLast()) + "ing"
        case "y" where !isVowel(before):
            (third, past, ing) = (verb.dropLast() + "ies", verb.dropLast() + "ied", verb + "ing")
        default:
            let stem = doubles ? verb + String(last) : verb
            (past, ing) = (stem + "ed", stem + "ing")
            third = verb + ("sxzh".contains(last) && !verb.hasSuffix("gh") ? "es" : "s")
        }
    }
}
