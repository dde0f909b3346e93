// Plans that are told by what people do: no gathering is named.

extension Reading {
    /// "we're at nan's on sunday", "we're off to the Patels' saturday at 2": where the group is, with a day.
    func isOutingOfUs(_ clause: Clause) -> Bool {
        let own = analysis.appointment([clause])
        guard own.hasDay, !clause.pieces.contains(where: { $0.isDeadline || $0.isPast || $0.isRecurring }),
            let subject = clause.tokens.first(where: { tokens[$0].has(.us) }), subject <= clause.begin + 1,
            let verb = tokens[safe: subject + 1], ["'re", "are", "'ll", "will"].contains(verb.text)
        else { return false }
        var index = subject + 2
        while index < clause.tokens.upperBound,
            tokens[index].has([.adverb, .group])
                || ["be", "going", "heading", "off", "over", "back"].contains(tokens[index].text)
        {
            index += 1
        }
        guard let preposition = tokens[safe: index],
            ["at", "to", "round", "with"].contains(preposition.text), index < clause.tokens.upperBound
        else { return false }
        if tokens[safe: index + 1]?.text == "at" { index += 1 }
        return isHomeOfSomebody(index + 1, clause) || own.clock != nil && isPlaceToMeet(index + 1)
    }

    /// "nan's", "the Smiths'", "my brother's", "yours"; no "mum's birthday".
    private func isHomeOfSomebody(_ index: Int, _ clause: Clause) -> Bool {
        guard let first = tokens[safe: index] else { return false }
        if ["mine", "yours", "ours", "theirs", "hers"].contains(first.text) { return true }
        var name = index
        while let token = tokens[safe: name], token.has([.article, .possessive]), token.text != "mum's",
            token.text != "dad's"
        {
            name += 1
        }
        guard let token = tokens[safe: name], token.kind == .word else { return false }
        if ["mum's", "dad's"].contains(token.text) { return isEndOfPlace(name + 1, clause) }
        // "the Smiths", "my parents".
        if name > index, token.has(.kin) || token.text == "parents" || token.isCapital && token.text.hasSuffix("s") {
            return isEndOfPlace(name + 1, clause)
                || tokens[safe: name + 1]?.text == "'s" && isEndOfPlace(name + 2, clause)
        }
        return (token.has(.kin) || token.lexeme.id == 0) && tokens[safe: name + 1]?.text == "'s"
            && isEndOfPlace(name + 2, clause)
    }

    private func isEndOfPlace(_ index: Int, _ clause: Clause) -> Bool {
        guard index < clause.tokens.upperBound, let token = tokens[safe: index] else { return true }
        return token.kind == .mark || token.has([.preposition, .conjunction]) || analysis.piece(at: index) != nil
            || ["place", "house", "flat", "new", "this", "next"].contains(token.text)
    }

    /// "the Crown", "the rec", but neither "work" nor "the airport".
    private func isPlaceToMeet(_ index: Int) -> Bool {
        guard let first = tokens[safe: index], let next = tokens[safe: index + 1], first.text == "the" else {
            return false
        }
        return next.kind == .word
            && ![
                "airport", "hospital", "hotel", "office", "station", "border", "same", "moment", "door", "wheel", "top",
                "bottom", "end", "vets", "latest",
            ].contains(next.text)
    }

    /// "I'm at the allotment from 10 on Saturday if anyone wants to join": where somebody is, and others may come.
    func isOpenToOthers(_ index: Int) -> Bool {
        let clause = clauses[index]
        let own = analysis.appointment([clause])
        guard own.hasDay, own.clock != nil, !clause.cues.has(.duty, .history),
            clause.cues.has(.elsewhere) || !clause.cues.has(.commitment) || tokens[clause.begin].has(.doing),
            analysis.hasTrait([.me, .us], in: clause.tokens) || tokens[clause.begin].has(.doing),
            let next = clauses[safe: index + 1], next.sentence == clause.sentence
        else { return false }
        return next.cues.has(.invitation) && !next.cues.has(.cancelled, .refuses)
    }

    /// "no training Tuesday, it's Wednesday at 7": the time in the place of one that was called off.
    func isReplacement(_ clause: Clause) -> Bool {
        guard !clause.pieces.isEmpty, let index = position(of: clause), index > 0,
            clauses[index - 1].cues.has(.cancelled), analysis.mayBeGathering(clauses[index - 1]),
            clauses[index - 1].sentence >= clause.sentence - 1, analysis.appointment([clause]).isDated
        else { return false }
        let words = tokens[clause.begin..<clause.tokens.upperBound].prefix(4)
        return words.contains { $0.text == "it" } || analysis.contains("instead", in: clause.tokens)
    }

    /// Which clause of the message it is. The work grows with the logarithm of their number.
    func position(of clause: Clause) -> Int? {
        var range = clauses.indices
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            if clauses[middle].tokens == clause.tokens { return middle }
            range =
                clauses[middle].tokens.lowerBound < clause.tokens.lowerBound
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// "our 3pm is now at 4", "move our 2pm to 3": a gathering that is named by its time.
    func isNamedByTime(_ clause: Clause) -> Bool {
        clause.cues.has(.moved)
            && clause.pieces.contains { piece in
                guard case .clock = piece.value, let before = tokens[safe: piece.tokens.lowerBound - 1] else {
                    if case .clocks = piece.value, let before = tokens[safe: piece.tokens.lowerBound - 1] {
                        return ["our", "my"].contains(before.text)
                    }
                    return false
                }
                return ["our", "my", "the"].contains(before.text)
            }
    }
}
