/// A word, a number or a mark of a text. Pure.
struct Token: Sendable {
    enum Kind: UInt8, Sendable {
        case word, number, mark
    }

    var kind: Kind
    /// In lower case, and spelled out: "tmrw" is "tomorrow", "dont" is "do" and "n't".
    var text: Word
    var lexeme = Lexeme()
    /// The value of a number; of more than nine digits, -1.
    var value = -1
    /// How many digits a number has.
    var digits = 0
    var isOrdinal = false
    /// The bytes of the text that it stands for.
    var start: Int
    var end: Int
    /// Whether white space is before it.
    var isSpaced: Bool
    var isCapital = false

    /// The text of a link, a file name, code or a quoted line.
    static let opaque: Word = "\u{FFFC}"

    func has(_ traits: Traits) -> Bool { !lexeme.traits.isDisjoint(with: traits) }
    func isMark(_ mark: Word) -> Bool { kind == .mark && text == mark }
}

/// Cuts a text into tokens. One pass; the work grows with the bytes.
struct Tokenizer {
    private let bytes: [UInt8]
    private var position = 0
    private var isSpaced = false
    private(set) var tokens: [Token] = []

    static func tokens(_ bytes: [UInt8]) -> [Token] {
        var tokenizer = Tokenizer(bytes)
        tokenizer.run()
        return tokenizer.tokens
    }

    private let opaque: Opaque
    private var isLineStart = true
    /// How often the run without white space that is being read was looked at.
    private var looks = 0
    private static let looksMax = 8

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        opaque = Opaque(bytes)
        tokens.reserveCapacity(bytes.count / 4 + 4)
    }

    private mutating func run() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > 0x20 {
                let isFirst = isLineStart
                isLineStart = false
                looks = isSpaced || tokens.isEmpty ? 1 : looks + 1
                if looks <= Self.looksMax, let end = opaque.end(from: position, isFirst: isFirst) {
                    skip(to: end)
                    continue
                }
            }
            switch byte {
            case UInt8(ascii: "\n"):
                isLineStart = true
                add(.mark, "\n", from: position, to: position + 1)
                position += 1
                isSpaced = true
            case 0x00...0x20:
                isSpaced = true
                position += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): word()
            case 0x80...: beyondASCII()
            default: mark()
            }
        }
    }

    /// A word that no language has.
    private mutating func skip(to end: Int) {
        tokens.append(
            Token(kind: .word, text: Token.opaque, lexeme: Lexeme(), start: position, end: end, isSpaced: isSpaced))
        isSpaced = false
        position = end
    }

    private mutating func add(_ kind: Token.Kind, _ text: Word, from start: Int, to end: Int) {
        var token = Token(kind: kind, text: text, start: start, end: end, isSpaced: isSpaced)
        token.lexeme = Lexicon.lexeme(text)
        if kind == .word {
            token.isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[start])
        }
        tokens.append(token)
        isSpaced = false
    }

    private mutating func number() {
        let start = position
        // "our 1:1" is a talk of two.
        if bytes[start...].starts(with: [UInt8(ascii: "1"), UInt8(ascii: ":"), UInt8(ascii: "1")]),
            start + 3 >= bytes.count || !Self.isOfWord(bytes[start + 3]) && bytes[start + 3] != UInt8(ascii: ":")
        {
            position += 3
            return add(.word, "1:1", from: start, to: position)
        }
        if shortened(start) { return }
        var value = 0
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            if position - start < 9 { value = value * 10 + Int(bytes[position] - UInt8(ascii: "0")) }
            position += 1
        }
        let digits = position - start
        tokens.append(Token(kind: .number, text: "", start: start, end: position, isSpaced: isSpaced))
        tokens[tokens.count - 1].value = digits > 9 ? -1 : value
        tokens[tokens.count - 1].digits = digits
        tokens[tokens.count - 1].lexeme = Lexeme(id: -1, traits: .figure)
        isSpaced = false
        guard position + 1 < bytes.count, digits <= 2 else { return }
        let suffix = (bytes[position] | 0x20, bytes[position + 1] | 0x20)
        let isAlone = position + 2 >= bytes.count || !Self.isLetter(bytes[position + 2])
        switch suffix {
        case (UInt8(ascii: "s"), UInt8(ascii: "t")), (UInt8(ascii: "n"), UInt8(ascii: "d")),
            (UInt8(ascii: "r"), UInt8(ascii: "d")), (UInt8(ascii: "t"), UInt8(ascii: "h")):
            guard isAlone else { return }
            position += 2
            tokens[tokens.count - 1].isOrdinal = true
            tokens[tokens.count - 1].end = position
        default: break
        }
    }

    /// "2moro", "2nite": a digit that stands for a syllable.
    private mutating func shortened(_ start: Int) -> Bool {
        guard start + 1 < bytes.count, Self.isLetter(bytes[start + 1]) else { return false }
        let letters = bytes[(start + 1)...].prefix(10).prefix(while: Self.isLetter)
        guard letters.count >= 3,
            let words = Lexicon.spelledOut(Word([bytes[start]] + letters.map { $0 | 0x20 })), words.count == 1
        else { return false }
        position = start + 1 + letters.count
        add(.word, words[0], from: start, to: position)
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Letters with the digits among them, and what follows an apostrophe.
    private mutating func word() {
        let start = position
        var letters: [UInt8] = []
        let followsNumber = !isSpaced && tokens.last?.kind == .number
        while position < bytes.count {
            let byte = bytes[position]
            if Self.isOfWord(byte) {
                // "3h18" and "04T18" are three tokens.
                if followsNumber, byte < 0x40, letters == [UInt8(ascii: "h")] || letters == [UInt8(ascii: "t")] {
                    break
                }
                // "feb13" is two.
                if byte < 0x40, 3...9 ~= letters.count, isMonth(letters) { break }
                letters.append(byte < 0x40 ? byte : byte | 0x20)
                position += 1
            } else if let length = apostrophe(at: position), position + length < bytes.count,
                Self.isLetter(bytes[position + length])
            {
                letters.append(UInt8(ascii: "'"))
                position += length
            } else if byte >= 0xC3, byte < 0xE0, position + 1 < bytes.count {
                // Letters of Latin, Greek and Cyrillic; "café" is one word.
                letters += [byte, bytes[position + 1]]
                position += 2
            } else {
                break
            }
        }
        if letters.count == 1, letters[0] == UInt8(ascii: "a") || letters[0] == UInt8(ascii: "p"), dottedHalf(start) {
            return
        }
        split(letters, from: start)
    }

    private func isMonth(_ letters: [UInt8]) -> Bool {
        letters.allSatisfy { $0 >= 0x60 } && Lexicon.lexeme(Word(letters)).month > 0
    }

    /// `a.m.`, `P.M`.
    private mutating func dottedHalf(_ start: Int) -> Bool {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."),
            bytes[position + 1] | 0x20 == UInt8(ascii: "m"),
            position + 2 >= bytes.count || !Self.isOfWord(bytes[position + 2])
        else { return false }
        let text: Word = bytes[start] | 0x20 == UInt8(ascii: "a") ? "am" : "pm"
        position += 2
        if position < bytes.count, bytes[position] == UInt8(ascii: "."),
            position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: " "),
            position + 2 < bytes.count, bytes[position + 2] | 0x20 == bytes[position + 2]
        {
            position += 1
        }
        add(.word, text, from: start, to: position)
        return true
    }

    private func apostrophe(at index: Int) -> Int? {
        if bytes[index] == UInt8(ascii: "'") { return 1 }
        guard index + 2 < bytes.count, bytes[index] == 0xE2, bytes[index + 1] == 0x80,
            bytes[index + 2] == 0x99 || bytes[index + 2] == 0x98
        else { return nil }
        return 3
    }

    private mutating func split(_ letters: [UInt8], from start: Int) {
        var text = Word(letters)
        if letters.count <= 24, let short = Self.withoutDrawl(letters), Lexicon.lexeme(text).id <= 0 { text = short }
        let spaced = isSpaced
        func place(_ words: [Word]) {
            isSpaced = spaced
            for word in words { add(.word, word, from: start, to: position) }
        }
        if letters.count <= 24, let spelled = Lexicon.spelledOut(text) { return place(spelled) }
        guard letters.count <= 24, let last = letters.lastIndex(of: UInt8(ascii: "'")), last > 0 else {
            return add(.word, text, from: start, to: position)
        }
        let suffix = Word(letters[last...])
        switch suffix {
        case "'t" where letters[last - 1] == UInt8(ascii: "n"):
            let base = Word(letters[..<(last - 1)])
            let verb: Word =
                switch base {
                case "ca": "can"
                case "wo": "will"
                case "sha": "shall"
                default: base
                }
            place([verb, "n't"])
        case "'s", "'ll", "'re", "'ve", "'d", "'m":
            let base = Word(letters[..<last])
            place((Lexicon.spelledOut(base) ?? [base]) + [suffix])
        default: add(.word, text, from: start, to: position)
        }
    }

    /// "gooo" is "go": a letter three times or more stands for one, or for two where that is a word.
    private static func withoutDrawl(_ letters: [UInt8]) -> Word? {
        let isDrawn = letters.indices.dropFirst(2).contains {
            letters[$0] == letters[$0 - 1] && letters[$0] == letters[$0 - 2]
        }
        guard isDrawn else { return nil }
        var (one, two): ([UInt8], [UInt8]) = ([], [])
        var run = 0
        for (index, letter) in letters.enumerated() {
            run = index > 0 && letters[index - 1] == letter ? run + 1 : 1
            if run == 1 { one.append(letter) }
            if run <= 2 { two.append(letter) }
        }
        for word in [Word(two), Word(one)] {
            if Lexicon.lexeme(word).id != 0 || Lexicon.spelledOut(word) != nil { return word }
        }
        return nil
    }

    private mutating func mark() {
        let start = position
        let byte = bytes[position]
        position += 1
        add(.mark, Word(CollectionOfOne(byte)), from: start, to: position)
    }

    private static let agreeing = ["👍", "👌", "✅", "🙌"]

    /// Dashes and quotes as their simple forms; letters of other scripts as words; anything else as one mark.
    private mutating func beyondASCII() {
        let start = position
        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : bytes[start] >= 0xC0 ? 2 : 1
        let end = min(bytes.count, start + length)
        position = end
        // A thumb or a tick alone answers.
        if tokens.isEmpty, Self.agreeing.contains(where: { bytes[start..<end].elementsEqual($0.utf8) }) {
            return add(.word, "yes", from: start, to: end)
        }
        if length == 2, bytes[start] == 0xC2 {
            // The no-break space is white space.
            if end > start + 1, bytes[start + 1] == 0xA0 {
                isSpaced = true
            } else {
                add(.mark, "·", from: start, to: end)
            }
        } else if length == 2, bytes[start] >= 0xC3 {
            position = start
            word()
            if position == start { position = end }
        } else if length == 3, end - start == 3, bytes[start] == 0xE2, bytes[start + 1] == 0x80 {
            let text: Word =
                switch bytes[start + 2] {
                case 0x90...0x95: "-"
                case 0x98, 0x99, 0xB2: "'"
                case 0x9C, 0x9D: "\""
                case 0xA6: "…"
                default: "·"
                }
            add(.mark, text, from: start, to: end)
        } else if length == 3, bytes[start] >= 0xE3, bytes[start] <= 0xED {
            add(.mark, "字", from: start, to: end)
        } else if length == 1 {
            add(.mark, "·", from: start, to: end)
        } else {
            add(.mark, "·", from: start, to: end)
        }
    }
}
