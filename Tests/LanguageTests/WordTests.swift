import Testing

@testable import Language

@Suite("Words")
struct WordTests {
    @Test("a literal, a text and its bytes make the same word, of one byte and of up to 15")
    func made() {
        #expect(Word("a") == "a" && Word("字") == "字" && Word("café".utf8) == "café" && Word("") == .empty)
        #expect(Word(Array("understandings".utf8)[...]) == "understandings")
        let words: [Word] = ["", "a", "ab", "b", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefghijklmno"]
        #expect(Set(words).count == words.count)
        #expect(words.map(\.count) == [0, 1, 2, 1, 8, 9, 9, 15])
    }

    @Test("longer words differ by their length, their first eight bytes or their last seven")
    func long() {
        let word: Word = "gastroenterologist"
        #expect(word == Word("gastroenterologist") && word.count == 18)
        for other: Word in ["gastroenterologists", "Gastroenterologist", "gastroenterologisT", "gastroentero"] {
            #expect(word != other)
        }
        #expect(Word(String(repeating: "x", count: 4096)).count == 255)
    }

    @Test("beginnings and ends are found in words of each length", arguments: [1, 2, 7, 8, 9, 14, 15, 16, 30])
    func ends(_ count: Int) {
        let text = String("abcdefghijklmnopqrstuvwxyzabcd".prefix(count))
        let word = Word(text)
        for length in 0...min(7, count) {
            #expect(word.hasPrefix(Word(text.prefix(length))) && word.hasSuffix(Word(text.suffix(length))))
        }
        #expect(!word.hasPrefix("b") && !word.hasSuffix("-") && !Word("").hasSuffix("a"))
    }

    @Test("the vocabulary has no two words that are one in place")
    func vocabulary() {
        let texts = Set(
            (Vocabulary.traits.flatMap { $0.1.split { $0 == " " || $0 == "\n" } } + Cues.words).map(String.init))
        #expect(Set(texts.map { Word($0) }).count == texts.count)
    }
}
