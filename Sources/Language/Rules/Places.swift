// Where a gathering is: after a word such as "at", in words such as "my place", or between marks beside its time.

extension Analysis {
    var place: String? {
        (placeAfter(Self.sure) ?? ownPlace ?? placeBesideTime ?? placeAfter(Self.unsure)).map { text($0) }
    }

    /// Words before a place, and whether they are a part of it: "outside the theatre".
    private static let sure: [Word: Bool] = [
        "at", "@", "to", "outside", "round", "under", "behind", "opposite", "inside", "near", "beside",
    ].reduce(into: [:]) { $0[$1] = !["at", "@", "to"].contains($1) }
    private static let homes: Set<Word> = ["mine", "ours", "yours", "hers"]
    private static let unsure: [Word: Bool] = ["in": false, "on": false, "by": true]
    private static let nowhere: Set<Word> = [
        "dawn", "dusk", "noon", "least", "all", "last", "first", "once", "person", "case", "advance", "total", "time",
        "touch", "way", "end", "charge", "general", "theory", "info", "group", "chat", "cash", "fact", "addition",
        "latest", "moment", "earliest", "future", "meantime", "house", "looks", "book", "account", "sale", "rain",
        "calendar", "diary", "invite", "thread", "app", "email", "doc", "comments", "post", "mail", "inbox",
    ]
    private static let house: Set<Word> = [
        "place", "house", "flat", "garage", "yard", "backyard", "garden", "office", "room", "apartment", "apt",
    ]
    /// What has a number: "court 3", "the beach, tower 26".
    private static let numbered: Set<Word> = [
        "room", "tower", "gate", "court", "hall", "floor", "level", "block", "unit", "pitch", "field", "door", "exit",
        "pier", "table", "studio", "lab", "lane", "bay", "terminal", "platform", "building", "rink", "screen", "stand",
        "canteen", "cafeteria", "library", "church", "auditorium", "clubhouse", "lounge", "lobby", "boardroom",
        "classroom", "chapel", "mosque", "temple", "park", "stadium", "arena", "mall", "plaza", "square", "rooftop",
        "courtyard", "playground", "centre", "center",
    ]

    private func placeAfter(_ words: [Word: Bool]) -> Range<Int>? {
        for index in tokens.indices.dropLast() {
            guard let isPart = words[tokens[index].text], piece(at: index) == nil, canBePlace(index + 1) else {
                continue
            }
            let preposition = tokens[index].text
            let end = placeEnd(index + 1)
            guard tokens[index + 1..<end].allSatisfy({ !Self.nowhere.contains($0.text) }),
                preposition != "on" && preposition != "by"
                    || isRoom(index + 1..<end)
                    || tokens[index + 1].isCapital
                    || preposition == "by" && tokens[index + 1].text == "the" && !isDone(index),
                preposition != "under" || tokens[index + 1].has(.article),
                preposition != "to" || Self.homes.contains(tokens[index + 1].text)
            else { continue }
            return (isPart ? index : index + 1)..<end
        }
        return nil
    }

    /// "led by the vicar", "inspection by the landlord": who does it.
    private func isDone(_ index: Int) -> Bool {
        tokens[safe: index - 1]?.has([.past, .task]) ?? false || tokens[safe: index + 2]?.has([.kin, .body]) ?? false
    }

    private func canBePlace(_ index: Int) -> Bool {
        let token = tokens[index]
        // "14 King Street"
        if token.kind == .number, piece(at: index) == nil { return tokens[safe: index + 1]?.isCapital ?? false }
        return token.kind == .word && token.text != Token.opaque && piece(at: index) == nil
            && token.lexeme.unit == .none && !token.has([.cardinal, .auxiliary, .doing, .preposition])
    }

    /// A place has at most six words: "the beach, tower 26".
    private func placeEnd(_ start: Int) -> Int {
        var end = start
        while end < tokens.count, end - start < 6, piece(at: end) == nil {
            let token = tokens[end]
            // "House of Fraser", "the Crown & Anchor"
            let isLink = end > start && (token.text == "of" || token.isMark("&")) && tokens[end - 1].isCapital
            let isNumbered =
                token.isMark(",") && Self.numbered.contains(tokens[safe: end + 1]?.text ?? "")
                && tokens[safe: end + 2].map { $0.kind != .mark } ?? false
            let isClock =
                token.kind == .number && tokens[safe: end + 1]?.isMark(".") ?? false
                && tokens[safe: end + 2].map { $0.kind == .number && !$0.isSpaced } ?? false
            let isWord =
                token.kind != .mark && !isClock && (!token.has([.conjunction, .auxiliary]) || token.text == "'s")
                && (end == start || !token.has([.preposition, .me, .us, .you]))
            guard isLink || isNumbered || isWord else { break }
            end += 1
        }
        while end > start + 1, tokens[end - 1].kind == .word, !tokens[end - 1].isCapital,
            tokens[end - 1].has([.adverb, .opener]) || ["instead", "x", "xx", "sharp"].contains(tokens[end - 1].text)
        { end -= 1 }
        return end
    }

    /// "my place", "Lisa's house", "mr nguyen's room".
    private var ownPlace: Range<Int>? {
        for index in tokens.indices.dropLast() where Self.house.contains(tokens[index + 1].text) {
            if tokens[index].has(.possessive) { return index..<index + 2 }
            guard tokens[index].text == "'s", index > 0 else { continue }
            let hasMore =
                index > 1 && tokens[index - 2].kind == .word && piece(at: index - 2) == nil
                && !tokens[index - 2].has([.preposition, .auxiliary, .conjunction])
            return (hasMore ? index - 2 : index - 1)..<index + 2
        }
        return nil
    }

    /// "breakfast at 8, hotel lobby", "7pm library level 3": a few words after a time, between marks or with a word for
    /// a place.
    private var placeBesideTime: Range<Int>? {
        for index in tokens.indices.dropFirst()
        where piece(at: index) == nil && (piece(at: index - 1) != nil || tokens[index - 1].text == "then") {
            let isMarked = [",", "-", "!"].contains { tokens[index].isMark($0) }
            var start = isMarked ? index + 1 : index
            while start < tokens.count, start < index + 4, tokens[start].isMark("!") { start += 1 }
            guard start < tokens.count, canBePlace(start), !isMarked || piece(at: start) == nil,
                !tokens[start].has([.me, .us, .you, .others, .opener, .question, .task, .tasking])
            else { continue }
            let end = placeEnd(start)
            guard end == tokens.count || tokens[end].kind == .mark || ["as", "then"].contains(tokens[end].text),
                end - start <= 5,
                isMarked || tokens[end - 1].text == "'s" || isRoom(start..<end),
                isRoom(start..<end) || !hasTrait([.gathering, .looseGathering], in: start..<end),
                !(start..<end).contains(where: { index in
                    let token = tokens[index]
                    return token.has([.auxiliary, .past, .adverb, .doing, .others, .task])
                        && token.text != "'s" && tokens[safe: index + 1]?.text != "'s"
                        || Self.noPlace.contains(token.text)
                })
            else { continue }
            return start..<end
        }
        return nil
    }

    private func isRoom(_ range: Range<Int>) -> Bool {
        tokens[range].contains { $0.has(.venue) || Self.numbered.contains($0.text) }
    }

    private static let noPlace: Set<Word> = [
        "be", "no", "not", "n't", "welcome", "free", "only", "bring", "bringing", "provided", "people", "of", "need",
    ]
}
