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

    /// "kickball friday 6:30", "harambee for Otieno's fees is on Sunday 2pm at Uhuru Gardens": a noun, perhaps with
    /// names and a place, then a day and a clock time.
    func isNameAndTime(_ clause: Clause) -> Bool {
        guard let first = clause.pieces.first, !first.isDeadline, !clause.pieces.contains(where: \.isPast),
            !clause.cues.has(.news, .elsewhere, .due, .duty, .request, .commitment),
            !clause.cues.has(.opinion, .history, .habit, .forgets),
            !analysis.contains("against", "vs", "v", in: clause.tokens)
        else { return false }
        let own = analysis.appointment([clause])
        guard own.hasDay, own.clock != nil || isAtHome(clause) else { return false }
        var (begin, end) = (clause.begin, max(clause.begin, first.tokens.lowerBound))
        // "parents forum: Wednesday 6pm"
        if begin == end, tokens[safe: begin - 1]?.isMark(":") ?? false, !tokens[clause.tokens.lowerBound].has(.opener) {
            begin = clause.tokens.lowerBound
        }
        // "there's a PTM", "we've got a mentor session"
        if tokens[begin].has([.me, .us]) || tokens[begin].text == "there", end > begin + 2,
            tokens[begin + 1].has(.auxiliary)
        {
            begin += tokens[begin + 2].text == "got" ? 3 : 2
            guard begin < end, tokens[begin].has([.article, .possessive]) else { return false }
        }
        while end > begin, tokens[end - 1].kind == .mark || Self.ties.contains(tokens[end - 1].text) { end -= 1 }
        // "fellowship holds on Sunday by 4pm"
        guard
            !clause.pieces.contains(where: \.isDeadline) || tokens[safe: end]?.has(.auxiliary) ?? false
                || tokens[safe: end]?.text == "holds"
        else { return false }
        let head = (begin..<end).prefix { !tokens[$0].has(.preposition) }
        let names = tokens[head.endIndex..<end]
        let words = head.filter {
            tokens[$0].kind == .word && !tokens[$0].has([.article, .possessive]) && tokens[$0].text != "'s"
        }
        guard 1...5 ~= words.count, names.count <= 8, let last = words.last else { return false }
        if words.count == 1, tokens[begin].has(.possessive), Self.homes.contains(tokens[last].text) { return true }
        return !tokens[last].has(.kin)
            && words.allSatisfy { index in
                let isNoun = index > begin && tokens[index - 1].has([.article, .possessive])
                return !tokens[index].has([
                    .auxiliary, .me, .us, .you, .others, .question, .english, .conjunction, .thing,
                ])
                    && (isNoun || !tokens[index].has([.past, .task, .taskThird, .tasking, .staying]))
                    && !Self.plays.contains(tokens[index].text)
            }
            && !names.contains {
                $0.has([.auxiliary, .me, .you, .others, .question, .past, .staying]) && $0.text != "'s"
            }
    }

    /// "kenduri at our house this sunday" needs no clock.
    private func isAtHome(_ clause: Clause) -> Bool {
        clause.tokens.dropFirst().contains { index in
            tokens[index - 1].text == "at"
                && (Self.homes.contains(tokens[index].text)
                    || ["my", "our"].contains(tokens[index].text)
                        && Self.homes.contains(tokens[safe: index + 1]?.text ?? ""))
        }
    }

    /// "we booked the photographer for Sunday 3pm".
    func isBooked(_ clause: Clause) -> Bool {
        guard clause.cues.has(.schedule), !clause.pieces.isEmpty else { return false }
        let own = analysis.appointment([clause])
        return own.hasDay && own.clock != nil && !own.isDeadline
            && analysis.contains("booked", "reserved", "arranged", "scheduled", in: clause.tokens)
            && analysis.contains("for", in: clause.tokens)
    }

    /// What stands between a gathering and its time.
    private static let ties: Set<Word> = [
        "at", "on", "is", "'s", "are", "starts", "start", "begins", "holds", "hold", "from", "will", "be", "for", "set",
        "happening", "scheduled", "still", "by",
    ]
    private static let plays: Set<Word> = ["play", "plays", "face", "faces", "get", "gets"]

    static let homes: Set<Word> = [
        "mine", "ours", "yours", "theirs", "reception", "hers", "his", "place", "house", "flat", "garden", "basement",
        "garage", "yard",
    ]
}
