/// Days that have names.
enum Holiday: Sendable {
    case fixed(Int, Int)
    /// A weekday (0 is Monday) of a month, counted from 1, or -1 for the last one, and days after it.
    case weekday(Int, Int, month: Int, plus: Int = 0)
    /// Days after Easter Sunday.
    case easter(Int)

    func day(in year: Int) -> Day {
        switch self {
        case .fixed(let month, let day): return Day(year: year, month: month, day: day) ?? Day(year: year, month: month)
        case .easter(let plus): return Self.easter(in: year) + plus
        case .weekday(let count, let weekday, let month, let plus):
            let first = Day(year: year, month: month)
            if count > 0 { return first + (weekday - first.weekday).modulo(7) + (count - 1) * 7 + plus }
            let last = Day(year: year, month: month + 1) - 1
            return last - (last.weekday - weekday).modulo(7) + plus
        }
    }

    /// Easter Sunday by the Gregorian algorithm of Meeus, Jones and Butcher.
    private static func easter(in year: Int) -> Day {
        let (golden, century, rest) = (year % 19, year / 100, year % 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let late = (golden + 11 * epact + 22 * weekday) / 451
        let number = epact + weekday - 7 * late + 114
        return Day(year: year, month: number / 31) + number % 31
    }

    /// By their words, the longest first.
    static let byFirstWord: [Word: [(words: [Word], holiday: Holiday)]] = {
        var lists: [Word: [(words: [Word], holiday: Holiday)]] = [:]
        for (names, holiday) in names {
            for name in names.split(separator: "|") {
                let words = name.split(separator: " ").map { Word($0) }
                lists[words[0], default: []].append((words, holiday))
            }
        }
        return lists.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }()

    static let firstWords = names.flatMap { $0.0.split(separator: "|").compactMap { $0.split(separator: " ").first } }

    private static let names: [(String, Holiday)] = [
        ("christmas eve|xmas eve|x-mas eve", .fixed(12, 24)),
        ("christmas|christmas day|xmas|xmas day|x-mas", .fixed(12, 25)),
        ("boxing day|st stephen 's day|st stephens day", .fixed(12, 26)),
        ("new year 's eve|new years eve|new year eve|nye|hogmanay", .fixed(12, 31)),
        ("new year 's day|new years day|new year day|new year|new year 's|new years", .fixed(1, 1)),
        ("siblings day", .fixed(4, 10)), ("boss 's day|bosses day|boss day", .fixed(10, 16)),
        ("patriot day", .fixed(9, 11)),
        ("king 's day|kings day", .fixed(4, 27)), ("emancipation day", .fixed(4, 16)),
        ("world vegan day", .fixed(11, 1)),
        ("flag day", .fixed(6, 14)), ("pi day", .fixed(3, 14)), ("all souls day|all souls ' day", .fixed(11, 2)),
        ("star wars day|may the fourth", .fixed(5, 4)),
        ("labour day|workers day|international workers ' day", .fixed(5, 1)),
        ("grandparents day|grandparent 's day|grandparents ' day", .weekday(1, 0, month: 9, plus: 6)),
        ("parents day|parents ' day|parent 's day", .weekday(4, 6, month: 7)),
        ("administrative professionals day|secretaries day|admin day", .weekday(-1, 6, month: 4, plus: -4)),
        ("spring bank holiday", .weekday(-1, 0, month: 5)), ("arbor day", .weekday(-1, 4, month: 4)),
        ("singles day|singles ' day|single 's day", .fixed(11, 11)),
        ("teacher 's day|teachers day|teachers ' day", .fixed(9, 10)),
        ("inauguration day", .fixed(1, 20)), ("small business saturday", .weekday(4, 3, month: 11, plus: 2)),
        ("giving tuesday", .weekday(4, 3, month: 11, plus: 5)), ("super tuesday", .weekday(1, 0, month: 3, plus: 1)),
        ("commonwealth day", .weekday(2, 0, month: 3)), ("children 's day|childrens day", .fixed(6, 1)),
        ("epiphany", .fixed(1, 6)), ("groundhog day|ground hog day", .fixed(2, 2)), ("burns night", .fixed(1, 25)),
        (
            "valentine 's|valentine 's day|valentines|valentines day|valentine day|valentine|st valentine 's day",
            .fixed(2, 14)
        ),
        (
            "st patrick 's day|st patricks day|saint patrick 's day|saint patricks day|saint patrick|st patrick|st paddy 's day|paddy 's day|st . patrick 's day",
            .fixed(3, 17)
        ),
        ("april fools|april fools day|april fool 's day|april fool 's|april fools ' day", .fixed(4, 1)),
        ("earth day", .fixed(4, 22)), ("anzac day", .fixed(4, 25)), ("may day", .fixed(5, 1)),
        ("cinco de mayo", .fixed(5, 5)), ("juneteenth", .fixed(6, 19)), ("canada day", .fixed(7, 1)),
        ("independence day|fourth of july", .fixed(7, 4)), ("bastille day", .fixed(7, 14)),
        ("halloween|hallowe'en|halloween day|all hallows eve", .fixed(10, 31)),
        ("all saints day|all saints ' day|all saint 's day", .fixed(11, 1)),
        ("bonfire night|guy fawkes|guy fawkes night|guy fawkes day", .fixed(11, 5)),
        ("veterans day|veteran 's day|armistice day|remembrance day", .fixed(11, 11)),
        ("australia day", .fixed(1, 26)), ("waitangi day", .fixed(2, 6)), ("republic day", .fixed(1, 26)),
        ("women 's day|womens day", .fixed(3, 8)),
        (
            "martin luther king day|martin luther king 's day|martin luther king jr day|martin luther king jr . day|mlk day|mlk|civil rights day",
            .weekday(3, 0, month: 1)
        ),
        ("presidents day|president 's day|presidents ' day|washington 's birthday", .weekday(3, 0, month: 2)),
        ("mother 's day|mothers day", .weekday(2, 6, month: 5)), ("memorial day", .weekday(-1, 0, month: 5)),
        ("father 's day|fathers day", .weekday(3, 6, month: 6)), ("labor day|labour day", .weekday(1, 0, month: 9)),
        ("columbus day|indigenous peoples day|indigenous people 's day", .weekday(2, 0, month: 10)),
        ("thanksgiving|thanksgiving day|turkey day", .weekday(4, 3, month: 11)),
        ("black friday", .weekday(4, 3, month: 11, plus: 1)), ("cyber monday", .weekday(4, 3, month: 11, plus: 4)),
        ("easter|easter sunday|easter day", .easter(0)), ("easter monday", .easter(1)), ("good friday", .easter(-2)),
        ("holy saturday|easter saturday|easter eve", .easter(-1)), ("maundy thursday|holy thursday", .easter(-3)),
        ("palm sunday", .easter(-7)), ("ash wednesday", .easter(-46)),
        ("shrove tuesday|pancake day|pancake tuesday|mardi gras|fat tuesday", .easter(-47)),
        ("ascension|ascension day", .easter(39)), ("pentecost|whitsun|whit sunday|whitsunday", .easter(49)),
        ("whit monday|pentecost monday", .easter(50)), ("trinity sunday", .easter(56)),
        ("corpus christi", .easter(60)),
        ("super bowl sunday", .weekday(2, 6, month: 2)), ("election day", .weekday(1, 0, month: 11, plus: 1)),
        ("melbourne cup day", .weekday(1, 1, month: 11)),
    ]
}

extension Grammar {
    /// "Christmas Eve", "next Halloween", "thanksgiving 2014", "Black Friday of this year".
    func holiday(at index: Int, _ which: Which = .coming) -> DayFound? {
        guard let token = self[index], token.kind == .word, let names = Holiday.byFirstWord[token.text] else {
            return nil
        }
        guard let name = names.first(where: { matches($0.words, at: index) }) else { return nil }
        var next = index + name.words.count
        if isMark(next, "'") { next += 1 }
        if !isWord(next - 1, "day"), isWord(next, "day"), !isChat { next += 1 }
        if let year = yearSuffix(at: next) {
            var found = DayFound(.day(name.holiday.day(in: year.value)), index..<year.next)
            found.hasYear = true
            found.isPast = year.value < today.year
            return found
        }
        let own = name.holiday.day(in: today.year)
        let day: Day
        switch which {
        case .last: day = own < today ? own : name.holiday.day(in: today.year - 1)
        default: day = own > today || own == today && which == .this ? own : name.holiday.day(in: today.year + 1)
        }
        return DayFound(.day(day), index..<next, isPast: which == .last)
    }

    private func matches(_ words: [Word], at index: Int) -> Bool {
        words.indices.allSatisfy { tokens.indices.contains(index + $0) && tokens[index + $0].text == words[$0] }
    }
}
