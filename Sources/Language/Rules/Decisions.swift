extension Reading {
    mutating func readDecisions() {
        // "will do" settles a task, not a choice.
        if isSettledTime || found.contains(where: { $0.rule == Self.taskAnswer }) { return }
        for index in clauses.indices where !used.contains(index) {
            let clause = clauses[index]
            guard let (rule, cue) = decision(in: clause, index) else { continue }
            add(extraction(.decision, title(ofDecision: index, cue), nil, rule, [cue]))
            return
        }
    }

    /// Settling when and where to meet is an event alone.
    private var isSettledTime: Bool {
        has(.event) && talk.proposesGathering
    }

    private func decision(in clause: Clause, _ index: Int) -> (String, Range<Int>)? {
        guard !clause.isQuestion, !clause.isConditional || clause.cues.has(.concluded, .ruled),
            !clause.cues.has(.undecided) || isFirm(clause)
        else { return nil }
        if clause.cues.has(.personal), !isOfGroup(clause) { return nil }
        if isOfOthers(clause),
            !clause.cues.has(.concluded)
                || !analysis.hasTrait(.body, in: clause.tokens)
                    && !analysis.contains("elected", "appointed", "chosen", in: clause.tokens),
            !isAskedFor(clause)
        {
            return nil
        }
        if isHistory(clause) { return nil }
        if let cue = clause.first(.concluded), isFirm(clause) || !clause.cues.has(.opinion) {
            // "it's official, I'm old"
            if isBare(clause, cue), let next = clauses[safe: index + 1], tokens[next.begin].has(.me) { return nil }
            if isBare(clause, cue), talk.isEmpty, clauses.count == 1 || has(.event) { return nil }
            return ("a conclusion of the group", cue.tokens)
        }
        if let cue = clause.first(.voted), !clause.cues.has(.opinion), !clause.cues.has(.news) {
            return ("the outcome of a vote", cue.tokens)
        }
        if clause.cues.has(.opinion) { return nil }
        if let winner = winner(in: clause) { return ("the outcome of a vote", winner) }
        if let cue = clause.first(.ruled), !isTimed(clause) || analysis.contains("now", in: clause.tokens) {
            return ("a rule from now on", cue.tokens)
        }
        // "we always go with the cheapest": a habit.
        if let cue = clause.first(.picked), !isTimed(clause), !clause.cues.has(.habit),
            !clause.cues.has(.cancelled) || analysis.contains("not", "n't", "no", in: clause.tokens)
        {
            return ("a choice that is told as settled", cue.tokens)
        }
        if let cue = conclusion(in: clause) ?? summary(in: clause) { return ("a choice that is told as settled", cue) }
        return pick(in: clause, index)
    }

    /// "Liam's doing the speech", when somebody asked who does.
    private func isAskedFor(_ clause: Clause) -> Bool {
        !(tokens[safe: clause.begin]?.has(.others) ?? false) && talk.messages.contains { $0.contains("who", "whose") }
    }

    /// "blue won", "the cabin won, sorry", "rota decided": a choice. "we won", "Spurs won 3-1": a game.
    private func winner(in clause: Clause) -> Range<Int>? {
        guard
            let won = clause.tokens.first(where: {
                ["won", "decided", "settled", "agreed", "chosen"].contains(tokens[$0].text)
            }), 1...4 ~= won - clause.begin,
            !tokens.contains(where: { $0.kind == .number }), !clause.cues.has(.news, .habit), clause.pieces.isEmpty
        else { return nil }
        let isTeam = tokens[clause.begin..<won].contains {
            $0.kind != .word
                || $0.has([
                    .me, .us, .you, .others, .kin, .question, .conjunction, .past, .auxiliary, .body, .possessive,
                ])
                || $0.lexeme.id == 0 && $0.text.hasSuffix("s") && talk.isEmpty
        }
        let next = tokens[safe: won + 1]
        let isLast = won + 1 >= clause.tokens.upperBound || next.map { $0.kind == .mark || $0.has([.opener]) } ?? true
        return isTeam || !isLast ? nil : clause.begin..<won + 1
    }

    /// "ok so we take the early train": what the group does, after a word that closes a talk.
    private func conclusion(in clause: Clause) -> Range<Int>? {
        guard let cue = clause.first(.inclined),
            let first = tokens[safe: clause.begin], first.has([.us, .choosing]) || ["let", "it"].contains(first.text),
            cue.tokens.lowerBound == clause.begin, !isTimed(clause),
            clause.pieces.allSatisfy({ $0.tokens.upperBound <= clause.begin }),
            !clause.matches.contains(where: { $0.cue == .history && $0.tokens.lowerBound >= clause.begin }),
            !clause.cues.has(.conditional, .due, .duty)
        else { return nil }
        // "let's take the train instead": one thing in the place of another.
        if analysis.contains("instead", in: clause.tokens) { return cue.tokens }
        // "we're having the DJ, not the band"
        if clause.tokens.dropLast(2).contains(where: {
            tokens[$0].isMark(",") && tokens[$0 + 1].text == "not" && tokens[$0 + 2].has([.article, .possessive])
        }) {
            return cue.tokens
        }
        // "after the meeting: we keep the old one"
        if tokens[safe: clause.begin - 1]?.isMark(":") ?? false,
            analysis.contains(
                "wrapping", "conclude", "conclusion", "tldr", "recap", "sum", "minutes", "decisions", "meeting",
                "discussion", "vote", "call", "talk", "talks", "update", "result", "summary", "chat",
                in: clause.tokens.lowerBound..<clause.begin)
        {
            return cue.tokens
        }
        let closing: [Word] = [
            "conclude", "okay", "so", "right", "alright", "fine", "good", "well", "then", "anyway", "great",
        ]
        let isClosed =
            tokens[clause.tokens.lowerBound..<clause.begin].contains { closing.contains($0.text) }
            || isAfter(closing, clause)
            || tokens[clause.tokens].last { $0.kind == .word }?.text == "then"
        // "ok then it's the red one"
        guard first.text != "it" && !first.has(.choosing) || analysis.contains("then", in: clause.tokens) else {
            return nil
        }
        return isClosed ? cue.tokens : nil
    }

    /// "TLDR of the call: no layoffs", "summary: vendor A wins".
    private func summary(in clause: Clause) -> Range<Int>? {
        guard tokens[safe: clause.begin - 1]?.isMark(":") ?? false, let first = tokens[safe: clause.begin],
            analysis.contains(
                "summary", "tldr", "recap", "conclusion", "decisions", "outcome", "result", "vote", "minutes",
                in: clause.tokens.lowerBound..<clause.begin),
            first.text == "no" || analysis.contains("wins", "won", "stays", "approved", in: clause.tokens)
        else { return nil }
        return clause.begin..<clause.begin + 1
    }

    /// "fine, we'll do it your way": the clause before has nothing but such words.
    private func isAfter(_ closing: [Word], _ clause: Clause) -> Bool {
        guard let index = index(of: clause), index > 0 else { return false }
        let words = tokens[clauses[index - 1].tokens].filter { $0.kind == .word }
        // "sold. we take it", "you win, we'll get the cat", "everyone hates it, we drop it"
        if clauses[index - 1].cues.has(.accepts), words.count <= 3, clauses[index - 1].pieces.isEmpty,
            !clauses[index - 1].isQuestion
        {
            return true
        }
        guard clauses[index - 1].sentence == clause.sentence else { return false }
        let closing =
            closing + ["everyone", "everybody", "nobody", "all", "tally", "vote", "votes", "result", "outcome"]
        if words.count <= 6, words.contains(where: { closing.suffix(9).contains($0.text) }) {
            return true
        }
        return words.count <= 3 && words.allSatisfy { $0.has(.opener) || closing.contains($0.text) }
            && words.contains { closing.contains($0.text) }
    }

    /// The pick after a question: it needs one before.
    private func pick(in clause: Clause, _ index: Int) -> (String, Range<Int>)? {
        guard mayPick(clause), !has(.reminder) || clause.cues.has(.settles),
            !analysis.cues.has(.refuses, .defers), !isInVain(clause), talk.isOpen,
            !talk.proposesGathering || !isTimed(clause),
            !(talk.proposesGathering && clause.cues.has(.elsewhere)),
            !(talk.proposesGathering && analysis.contains("was", "were", in: clause.tokens)),
            !clause.cues.has(.refuses, .defers) || clause.cues.has(.settles)
        else { return nil }
        let content = tokens[clause.tokens].contains {
            $0.kind == .word && !$0.has([.opener, .adverb, .auxiliary, .us, .me, .you, .article])
                && !["it", "that", "'s", "yes", "works"].contains($0.text)
        }
        let all = analysis.cues.has(.settles)
        if let cue = clause.first(.settles, .inclined), content || clauses.count > 1 || index > 0 {
            return ("the pick after a question", cue.tokens)
        }
        // "deal", "agreed": of a choice, not of a time.
        if tokens.count <= 2, ["deal", "agreed"].contains(tokens[0].text), !talk.proposesGathering {
            return ("an agreement to a proposal", clause.tokens)
        }
        if isEcho(clause) { return ("the pick of the one who asked", clause.tokens) }
        guard clause.cues.has(.accepts) || analysis.cues.has(.accepts), content || all,
            tokens.count <= 16, !isTimed(clause)
        else { return nil }
        let words = tokens.filter { $0.kind != .mark && !$0.has(.opener) }
        // "yes! Biscuit.", to "shall we call it Biscuit?"
        let isNamed =
            words.count == 1 && !words[0].has([.adverb, .english])
            && talk.messages.contains {
                $0.contains(words[0].text) && $0.contains("or", "shall", "should", "name", "call")
            }
        guard words.count >= 2 || isNamed, !clause.cues.has(.commitment) || all else { return nil }
        return ("an agreement to a proposal", clause.first(.accepts)?.tokens ?? clause.tokens)
    }

    /// Whether its own words allow a pick, whatever was asked.
    private func mayPick(_ clause: Clause) -> Bool {
        clause.cues.has(.settles, .inclined) || analysis.cues.has(.accepts)
            || tokens.count <= 2 && ["deal", "agreed"].contains(tokens[0].text)
            || !wordsOfEcho(clause).isEmpty && talk.isAskedBySender && talk.mayOffer
    }

    /// The words that may name a choice; none if the clause names no choice.
    private func wordsOfEcho(_ clause: Clause) -> [Word] {
        guard index(of: clause) == 0, !clause.cues.has(.tentative, .accepts) else { return [] }
        let words = tokens[clause.tokens].filter { $0.kind == .word && !$0.has([.opener, .english]) }.map(\.text)
        return words.count <= 5 ? words : []
    }

    /// The one who asked for a choice names one of them.
    private func isEcho(_ clause: Clause) -> Bool {
        let words = wordsOfEcho(clause)
        guard !words.isEmpty, talk.isAskedBySender else { return false }
        return talk.messages.contains { other in
            words.allSatisfy { word in other.tokens.contains { $0.text == word } } && other.contains("or")
        }
    }

    private func index(of clause: Clause) -> Int? { position(of: clause) }

    private func isFirm(_ clause: Clause) -> Bool {
        guard clause.cues.has(.undecided) else { return true }
        return false
    }

    private func isBare(_ clause: Clause, _ cue: CueMatch) -> Bool {
        cue.tokens.count <= 5
            && tokens[clause.tokens].filter { $0.kind == .number || $0.kind == .word && !$0.has(.opener) }.count
                <= tokens[cue.tokens].filter { $0.kind == .word }.count
    }

    /// "mum and I have settled".
    private func isOfGroup(_ clause: Clause) -> Bool {
        guard let cue = clause.first(.concluded, .picked), let before = tokens[safe: cue.tokens.lowerBound] else {
            return false
        }
        // "my parents decided" of a thing of their own.
        if before.text == "parents", let owner = tokens[safe: cue.tokens.lowerBound - 1], owner.has(.possessive),
            owner.text != "our"
        {
            return false
        }
        return before.has(.us) || before.has([.conjunction, .body]) || before.text == "and"
            || tokens[safe: cue.tokens.lowerBound + 1]?.text == "and"
    }

    private func isHistory(_ clause: Clause) -> Bool {
        clause.pieces.contains { $0.isPast && $0.tokens.upperBound > clause.begin }
            || analysis.contains("ago", "used", "remember", in: clause.tokens)
            || isToldOf(clause)
            || tokens[clause.tokens.lowerBound].text == "then"
                && analysis.contains("went", "got", "had", "came", "took", in: clause.tokens)
            || tokens[safe: clause.tokens.upperBound]?.text == "before"
            || analysis.contains("before", in: clause.tokens)
                && analysis.contains("my", "our", "time", in: clause.tokens)
            || clause.matches.contains {
                $0.cue == .history && $0.tokens.lowerBound >= clause.begin
                    && tokens[$0.tokens].contains { ["back", "years", "yesterday", "last"].contains($0.text) }
            }
    }

    /// "we went with a guide and saw three lions": what they did.
    private func isToldOf(_ clause: Clause) -> Bool {
        guard let went = clause.tokens.first(where: { tokens[$0].text == "went" }) else { return false }
        return tokens[went + 1..<max(went + 1, clause.tokens.upperBound)].contains { $0.has(.past) }
    }

    private func isTimed(_ clause: Clause) -> Bool {
        clause.pieces.contains { piece in
            switch piece.value {
            case .clock, .clocks, .instant: true
            case .day, .days: !piece.isRecurring
            default: false
            }
        } && (has(.event) || has(.reminder) || analysis.hasTrait([.gathering], in: clause.tokens))
    }
}
