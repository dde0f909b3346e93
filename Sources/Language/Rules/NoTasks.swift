// What follows a cue and yet names no task: questions, notices, arrangements with others.

extension Reading {
    /// Whether nothing is to be done: "please note", "please save the date", "don't forget we have the dentist".
    func asksForNothing(_ match: CueMatch, _ clause: Clause) -> Bool {
        let index = match.tokens.upperBound
        // "don't forget we have the dentist": no task follows.
        if tokens[index - 1].text == "forget", tokens[safe: index]?.has([.me, .us]) ?? false { return true }
        // "please note the meeting is at 4" asks for nothing.
        if ["note", "consider"].contains(tokens[index - 1].text)
            || tokens[index - 1].text == "be"
                && ["advised", "aware", "informed"].contains(tokens[safe: index]?.text ?? "")
        {
            return true
        }
        // "please save the date", "please join us": an invitation.
        if tokens[match.tokens.lowerBound].text == "please", clause.cues.has(.invitation),
            !clause.pieces.contains(where: \.isDeadline)
        {
            return true
        }
        // "I need to move our 2pm to 3"
        if isNamedByTime(clause) { return true }
        // "I'll speak to you tomorrow"
        if let speak = clause.tokens.first(where: { ["speak", "speaking"].contains(tokens[$0].text) }),
            speak + 1 >= index - 1, tokens[safe: speak + 1]?.text != "to" || tokens[safe: speak + 2]?.has(.you) ?? true
        {
            return true
        }
        if analysis.contains("forget", in: match.tokens), tokens[index - 1].text != "to",
            tokens[safe: index]?.text != "to",
            analysis.isGathering(clause)
        {
            return true
        }
        return tokens[match.tokens.lowerBound].text == "let" && clause.cues.has(.defers)
    }

    /// Whether a request asks for an answer or proposes something.
    func isOnlyAQuestion(_ match: CueMatch, _ clause: Clause) -> Bool {
        guard match.cue == .request else { return false }
        let index = match.tokens.upperBound
        if isHoped(match.tokens.lowerBound) { return true }
        // "do you have to work tomorrow?" asks for an answer.
        if clause.isQuestion, tokens[match.tokens.lowerBound].has(.you),
            ["do", "did"].contains(tokens[safe: match.tokens.lowerBound - 1]?.text ?? "")
        {
            return true
        }
        // "can we get it signed off by Friday?" asks; "can we get pizza on Friday?" proposes.
        if clause.isQuestion,
            tokens[match.tokens].prefix(2).contains(where: { $0.has([.us, .me]) }),
            !clause.pieces.contains(where: \.isDeadline) || analysis.mayBeGathering(clause)
        {
            return true
        }
        // "you couldn't pay me to go back" asks for nothing.
        if tokens[match.tokens.lowerBound].has(.you),
            tokens[safe: match.tokens.lowerBound + 1]?.text == "could", !clause.isQuestion,
            !(tokens[clause.tokens].last { $0.kind == .word }?.has(.you) ?? false)
        {
            return true
        }
        // "can you get the afternoon off?"
        return clause.isQuestion && tokens[index - 1].text == "get" && analysis.contains("off", in: clause.tokens)
            && analysis.contains("day", "morning", "afternoon", "evening", "time", "week", in: clause.tokens)
    }

    /// Whether a commitment says when and where people meet, or what they chose.
    func isArrangement(_ match: CueMatch, _ clause: Clause) -> Bool {
        guard match.cue == .commitment else { return false }
        let index = match.tokens.upperBound
        // "I'll pick you up at 7": where they meet.
        if tokens[match.tokens].contains(where: { ["pick", "picking"].contains($0.text) }),
            tokens[safe: index]?.has(.you) ?? false
        {
            return true
        }
        // "we'll drop the Wednesday slot", when somebody asked whether to drop it: a choice.
        if tokens[match.tokens.lowerBound].has(.us), talk.isOpen,
            ["keep", "drop", "skip", "cancel", "move", "take"].contains(tokens[index - 1].text),
            talk.messages.contains(where: { other in
                other.isQuestion && other.tokens.contains { $0.text == tokens[index - 1].text }
            })
        {
            return true
        }
        // "we'll start at 6.45": a plan.
        if tokens[match.tokens.lowerBound].has(.us),
            ["start", "begin"].contains(tokens[index - 1].text),
            ["at", "from"].contains(tokens[safe: index]?.text ?? "")
        {
            return true
        }
        // "walking the dogs at 10, join us"
        if tokens[match.tokens.lowerBound].has(.doing), match.tokens.count == 1,
            position(of: clause).map(isOpenToOthers) ?? false
        {
            return true
        }
        // "we'll stick with Tuesdays" decides.
        if ["stick", "sticking"].contains(tokens[index - 1].text),
            ["with", "w", "to"].contains(tokens[safe: index]?.text ?? "")
        {
            return true
        }
        // "I'll book the lane, see you there": a plan.
        if ["book", "booking", "reserve"].contains(tokens[index - 1].text),
            clauses.contains(where: { other in
                other.tokens.lowerBound >= clause.tokens.upperBound && other.cues.has(.meeting)
                    && analysis.contains("there", "then", in: other.tokens)
            })
        {
            return true
        }
        // "standup's cancelled, we'll do it tomorrow".
        return isReplacement(clause)
    }

    /// Whether a commitment names nothing that is to be done: "leaving at 8", "popping to Ikea".
    func promisesNothing(_ match: CueMatch, _ clause: Clause) -> Bool {
        guard match.cue == .commitment else { return false }
        let index = match.tokens.upperBound
        // "leaving mine at 9", "leaving at 8"; "doing nothing on Sunday".
        if let next = tokens[safe: index],
            tokens[index - 1].text == "leaving"
                && (next.has(.preposition)
                    || ["mine", "ours", "yours", "here", "home", "early", "work"].contains(next.text))
                || next.text == "nothing" || tokens[index - 1].text == "starting" && ["a", "at"].contains(next.text)
        {
            return true
        }
        // "I'll be doing a reading"
        if tokens[index - 1].text == "be", tokens[safe: index]?.text == "doing" { return true }
        // "popping to Ikea"
        if ["popping", "nipping", "dropping", "swinging"].contains(tokens[index - 1].text),
            ["to", "round", "over", "by", "around"].contains(tokens[safe: index]?.text ?? "")
        {
            return true
        }
        // "walking club: sunday": a name.
        if clause.matches.contains(where: {
            $0.cue == .compound && $0.tokens.lowerBound == match.tokens.lowerBound
        }) {
            return true
        }
        // "I can do that" agrees.
        if tokens[index - 1].text == "do",
            tokens[match.tokens].contains(where: { $0.text == "can" }),
            tokens[safe: index].map({ ["that", "this", "it"].contains($0.text) || $0.kind == .number }) ?? false
        {
            return true
        }
        return match.tokens.lowerBound == clause.begin && isSubject(match.tokens, clause)
    }

    /// "hope you can all make it" asks nobody.
    private func isHoped(_ index: Int) -> Bool {
        (max(0, index - 2)..<index).contains {
            ["hope", "hoping", "hopefully", "wish", "glad"].contains(tokens[$0].text)
        }
    }

    /// "moving day is friday": the first words are what the clause speaks of.
    private func isSubject(_ words: Range<Int>, _ clause: Clause) -> Bool {
        guard tokens[words.lowerBound].has(.tasking) else { return false }
        // "just confirming your appointment": a notice.
        if ["confirming", "reminding", "checking", "letting", "following", "asking"].contains(
            tokens[words.lowerBound].text)
        {
            return true
        }
        return tokens[words.upperBound..<min(words.upperBound + 3, clause.tokens.upperBound)].contains {
            ["is", "are", "'s", "was", "will"].contains($0.text)
        }
    }
}
