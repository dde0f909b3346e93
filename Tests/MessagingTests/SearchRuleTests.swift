import Schema
import Testing
import Wire

@testable import MessagingService

@Suite("M15: words, snippets and the order of hits")
struct SearchRuleTests {
    @Test(
        "M15 texts are split into words in any script, without capitals and accents",
        arguments: [
            ("Crème BRÛLÉE, s'il vous plaît!", "creme brulee s il vous plait"),
            ("Straße und GRÖßE", "strasse und grosse"),
            ("cafe\u{301} İstanbul Łódź Þórr", "cafe istanbul lodz thorr"),
            ("Ёлка съешь ЕЩЁ", "елка съешь еще"),
            ("Ἀθῆναι ΣΊΣΥΦΟΣ", "αθηναι σισυφοσ"),
            ("你好吗", "你好 好吗 吗"),
            ("iPhone手机 好", "iphone 手机 机 好"),
            ("カタカナ", "カタ タカ カナ ナ"),
            ("สวัส", "สว วั ัส ส"),
            ("안녕하세요 친구", "안녕 녕하 하세 세요 요 친구 구"),
            ("مُحَمَّد أحمد ١٢٣", "محمد احمد 123"),
            ("שָׁלוֹם", "שלום"),
            ("नमस्ते दुनिया", "नमस्ते दुनिया"),
            ("🎉 party 👍🏽", "🎉 party 👍"),
            ("https://example.com/a?b=1", "https example com a b 1"),
            ("a_b-c don't", "a b c don t"),
            ("ﬁne ＡＢＣ", "fine abc"),
            ("…!? \n\t", ""),
        ])
    func words(text: String, words: String) {
        // Compare scalars, because a Thai vowel sign after a space would form one character with it.
        let expected = words.unicodeScalars.split(separator: " ").map(Array.init)
        let found = SearchRules.words(of: text)
        #expect(found.map { Array($0.unicodeScalars) } == expected, "\(found)")
    }

    @Test(
        "M15 words are the same in every normal form and width, and on every keyboard of related languages",
        arguments: [
            ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"), ("テスト", "ﾃｽﾄ"),
            ("ガギデパ", "ｶﾞｷﾞﾃﾞﾊﾟ"), ("が", "か\u{3099}"), ("Nguyễn", "Nguye\u{302}\u{303}n"), ("क़लम", "क\u{93C}लम"),
            ("ড়", "ড\u{9BC}"), ("கொ", "க\u{BC6}\u{BBE}"), ("ကြို", "ကြို"), ("น้ำ", "น\u{E49}\u{E4D}า"),
            ("کتاب", "كتاب"), ("یک", "يك"), ("خانه", "خانة"), ("علی", "على"), ("ＡＢＣ１２３", "abc123"), ("①②", "12"),
            ("K", "k"), ("ǅ", "dž"), ("ﷺ", "صلى الله عليه وسلم"), ("ﬀ", "ff"), ("㍿", "株式会社"), ("Й", "И\u{306}"),
            ("ё", "е"), ("ſ", "s"), ("𝓗𝓮𝓵𝓵𝓸", "hello"), ("۱۲۳", "123"), ("豈", "豈"),
        ])
    func sameWords(text: String, other: String) {
        let words = SearchRules.words(of: text)
        #expect(!words.isEmpty && words == SearchRules.words(of: other))
    }

    @Test(
        "M15 a query matches whole words, beginnings of words, and parts of text without spaces",
        arguments: [
            ("hel", "Hello help shelf", [0..<5, 6..<10]), ("HELLO", "well, hello", [6..<11]),
            ("creme br", "une Crème brûlée!", [4..<10, 11..<19]), ("br creme", "une Crème brûlée!", nil),
            ("groß", "GRÖSSE", [0..<7]), ("两个字", "说两个字吧", [3..<12]), ("两字", "两个字", nil), ("字", "两个字", [6..<9]),
            ("个", "两个字", [3..<6]), ("东京大学", "我在东京大学", [6..<18]), ("大学 hello", "hello 东京大学", [0..<5, 12..<18]),
            ("ครับ", "สวัสดีครับ", [18..<30]), ("🎉", "la 🎉🎉", [3..<11]),
            ("example.com", "see https://example.com/x", [12..<19, 20..<23]),
            ("ตอนเช้า", "สวัสดีตอนเช้าครับ", [18..<39]), ("น้ำ", "ดื่มน้ำ", [12..<21]), ("ช้า", "เช้า", [3..<12]),
            ("missing", "nothing here", nil), ("a a", "a", [0..<1]),
        ] as [(String, String, [Range<Int>]?)])
    func highlights(query: String, text: String, ranges: [Range<Int>]?) throws {
        #expect(try #require(SearchQuery(query)).highlights(in: text) == ranges)
    }

    @Test("a query needs a letter, a digit or an emoji")
    func nothing() {
        for text in ["", " ", "?!", "\u{301}", "--"] { #expect(SearchQuery(text) == nil, "\(text)") }
        #expect(SearchQuery(String(repeating: "word ", count: 100))?.terms.count == 2)
    }

    @Test("M15 the first search wants the last word as typed, the second longer words; only the last word is open")
    func tsqueries() throws {
        let query = try #require(SearchQuery("Blue sk"))
        #expect(query.isOpen)
        #expect(query.tsquery(behind: "a.0.", isLonger: false) == "'a.0.blue' & 'a.0.sk'")
        #expect(query.tsquery(behind: "a.0.", isLonger: true) == "'a.0.blue' & 'a.0.sk':* & !'a.0.sk'")
        let dense = try #require(SearchQuery("好 你好吗"))
        #expect(!dense.isOpen)
        #expect(dense.tsquery(behind: "a.0.", isLonger: false) == "'a.0.好':* & 'a.0.你好' & 'a.0.好吗'")
    }

    @Test("M15 a snippet shows the match, is short, and highlights whole characters", arguments: [0, 1, 17, 400, 5000])
    func snippets(before: Int) throws {
        for filler in ["lorem ipsum ", "Ünïcödé ", "👨‍👩‍👧", "文字文字"] {
            let text = String(repeating: filler, count: before) + " needle " + String(repeating: filler, count: 300)
            let ranges = try #require(SearchQuery("needle")).highlights(in: text)
            let snippet = SearchSnippet(of: text, try #require(ranges))
            #expect(snippet.text.utf8.count <= SearchSnippet.bytesMax && text.contains(snippet.text))
            try #require(snippet.highlights.count == 2, "\(snippet)")
            let bytes = Array(snippet.text.utf8)[Int(snippet.highlights[0])..<Int(snippet.highlights[1])]
            #expect(String(decoding: bytes, as: UTF8.self) == "needle")
        }
    }

    @Test("M15 a walk finds the same pages in the same order as sorting everything", arguments: 0..<40)
    func walks(seed: UInt64) {
        var random = Seeded(seed)
        let talks = (1...Int64.random(in: 1...30, using: &random)).map {
            talk(conversation: ConversationNumber($0), &random)
        }
        let all = talks.flatMap { $0 }.sorted(by: >)
        var found: [SearchHit] = []
        var before = SearchHit.newest
        let limit = Int.random(in: 1...20, using: &random)
        while true {
            let page = walk(talks, before: before, wanted: limit)
            #expect(page.count <= limit)
            found += page
            guard let last = page.last else { break }
            before = last
        }
        #expect(found == all)
    }

    /// Returns messages of one conversation in a few blocks, with times nearly in order.
    private func talk(conversation: ConversationNumber, _ random: inout Seeded) -> [SearchHit] {
        let last = Int64.random(in: 1...20_000, using: &random)
        let seqs = (0..<Int.random(in: 1...40, using: &random)).map { _ in Int64.random(in: 1...last, using: &random) }
        return Set(seqs).sorted().map { seq in
            let sentAt = (1_000_000 - last + seq) * 1_000_000 + Int64.random(in: -5_000_000...5_000_000, using: &random)
            return SearchHit(sentAt: Timestamp(sentAt), conversation: conversation, seq: Seq(seq))
        }
    }

    /// Walks as the service does, but over arrays.
    private func walk(_ talks: [[SearchHit]], before: SearchHit, wanted: Int) -> [SearchHit] {
        let touched = talks.map { ($0.map(\.sentAt).max() ?? 0, $0) }.sorted { $0.0 > $1.0 }
        var walk = SearchWalk(wanted: wanted, before: before, after: 0)
        var loaded = 0
        while true {
            switch walk.next() {
            case .done: return walk.hits
            case .load:
                let next = touched[loaded..<min(loaded + 7, touched.count)]
                loaded += next.count
                walk.addUnits(
                    next.flatMap { units(of: $1, newestAt: $0) },
                    upTo: loaded == touched.count ? nil : touched[loaded].0 + .seconds(30))
            case .search(let units):
                walk.addHits(
                    units.flatMap { unit in
                        talks.flatMap { $0 }.filter {
                            $0.conversation == unit.conversation && (unit.low...unit.high).contains($0.seq)
                                && $0 < before
                        }.sorted(by: >).prefix(wanted)
                    })
            }
        }
    }

    private func units(of talk: [SearchHit], newestAt: Timestamp) -> [SearchUnit] {
        let high = talk.last?.seq ?? 0
        let blocks = stride(from: (high.rawValue >> SearchUnit.blockBits) - 1, through: 0, by: -1)
        // Only hits have a time here, so the next hit above stands for the end of the block.
        let ends = blocks.map { block in
            talk.first { $0.seq.rawValue >= (block + 1) << SearchUnit.blockBits }?.sentAt ?? .max
        }
        var units = SearchUnit.units(
            of: talk[0].conversation, low: 1, high: high, newestAt: newestAt, ends: ends)
        for index in units.indices { units[index].oldestAt = 0 }
        return units
    }

    @Test("a cursor round-trips, and invalid ones are refused")
    func cursors() throws {
        let cursor = SearchCursor(hit: SearchHit(sentAt: .max, conversation: .max, seq: .max), isLonger: true)
        #expect(try cursor.text.utf8.count <= 64 && SearchCursor(cursor.text) == cursor)
        #expect(try SearchCursor("") == .start)
        for text in ["1.2.3", "2.1.1.1", "0.-1.1.1", "0.x.1.1", "0.1.1.1.1", "."] {
            #expect(throws: Refusal.self, "\(text)") { try SearchCursor(text) }
        }
    }
}

/// SplitMix64.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
