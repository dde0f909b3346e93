// Where a gathering is: after a word such as "at", in words such as "my place", or between marks beside its time.

extension Analysis {
    var place: String? {
        (placeAfter(Self.sure) ?? ownPlace ?? placeBesideTime ?? placeAfter(Self.unsure)).map { text($0) }
    }

    /// Words before a place, and whether they are a part of it: "outside the theatre".
    private static let sure: [Word: Bool] = ["at", "@", "outside", "round", "under", "behind", "opposite"].reduce(
        into: [:]
    ) { $0[$1] = !["at", "@"].contains($1) }
    private static let unsure: [Word: Bool] = ["in": false, "on": false, "by": true]
    private static let nowhere: Set<Word> = [
        "dawn", "dusk", "noon", "least", "all", "last", "first", "once", "person", "case", "advance", "total", "time",
        "touch", "way", "end", "charge", "general", "theory", "info", "group", "chat", "cash", "fact", "addition",
    ]
    private static let house: Set<Word> = [
        "place", "house", "flat", "garage", "yard", "backyard", "garden", "office", "room", "apartment", "apt",
    ]

    private func placeAfter(_ words: [Word: Bool]) -> Range<Int>? {
        for index in tokens.indices.dropLast() {
            guard let isPart = words[tokens[index].text], piece(at: index) == nil, canBePlace(index + 1) else {
                continue
            }
            let isOn = tokens[index].text == "on"
            let end = placeEnd(index + 1)
            guard tokens[index + 1..<end].allSatisfy({ !Self.nowhere.contains($0.text) }),
                !isOn && tokens[index].text != "by"
                    || tokens[index + 1..<end].contains(where: { $0.has(.venue) })
                    || isOn && tokens[index + 1].isCapital
            else { continue }
            return (isPart ? index : index + 1)..<end
        }
        return nil
    }

    private func canBePlace(_ index: Int) -> Bool {
        let token = tokens[index]
        return token.kind == .word && token.text != Token.opaque && piece(at: index) == nil
            && token.lexeme.unit == .none && !token.has([.cardinal, .auxiliary, .doing, .preposition])
    }

    /// A place has at most six words: "the beach, tower 26".
    private func placeEnd(_ start: Int) -> Int {
        var end = start
        while end < tokens.count, end - start < 6, tokens[end].kind == .word || tokens[end].kind == .number,
            !tokens[end].has([.conjunction, .auxiliary]) || tokens[end].text == "'s",
            piece(at: end) == nil,
            end == start || !tokens[end].has([.preposition, .me, .us, .you])
        { end += 1 }
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

    /// "breakfast at 8, hotel lobby": a few words between marks after a time.
    private var placeBesideTime: Range<Int>? {
        for index in tokens.indices.dropFirst()
        where (tokens[index].isMark(",") || tokens[index].isMark("-") || tokens[index].isMark("!"))
            && piece(at: index - 1) != nil && piece(at: index) == nil
        {
            let start = index + 1
            guard start < tokens.count, canBePlace(start),
                !tokens[start].has([.me, .us, .you, .others, .opener, .question, .task, .tasking])
            else { continue }
            let end = placeEnd(start)
            guard end == tokens.count || tokens[end].kind == .mark, end - start <= 5,
                !tokens[start..<end].contains(where: {
                    $0.has([.auxiliary, .past, .adverb, .doing, .looseGathering, .gathering, .others, .task])
                        || [
                            "no", "not", "n't", "welcome", "free", "only", "bring", "bringing", "provided", "people",
                            "of", "need",
                        ].contains($0.text)
                })
            else { continue }
            return start..<end
        }
        return nil
    }
}
