// Whether a verb names a task ("send", "buy") rather than a place or a meeting.

extension Reading {
    /// Whether what follows a cue is done, rather than where somebody is or whom they meet.
    func isTask(after match: CueMatch, _ clause: Clause) -> Bool {
        let index = match.tokens.upperBound
        // "is it possible to have it by Friday?", "can this be done by noon?"
        if match.cue == .request, clause.isQuestion, !clause.pieces.contains(where: \.isDeadline),
            analysis.contains("possible", "of", in: match.tokens)
                && !analysis.contains("lift", "ride", "hand", "loan", "favour", "favor", in: match.tokens)
                || tokens[index - 1].has(.past) && tokens[index - 2].text == "be"
        {
            return false
        }
        // "water my plants on sunday would you?": the task is before.
        if match.cue == .request, tokens[index - 1].has(.you), tokens[index - 2].has(.auxiliary),
            match.tokens.count == 2,
            match.tokens.lowerBound > clause.begin, isLast(index, clause)
        {
            return order(in: clause) != nil
        }
        if asksForNothing(match, clause) || isOnlyAQuestion(match, clause) || isArrangement(match, clause)
            || promisesNothing(match, clause)
        {
            return false
        }
        let last = tokens[index - 1]
        if tokens[match.tokens.lowerBound].text == "let", match.cue == .request {
            return clause.pieces.contains(where: \.isDeadline) && !analysis.isGathering(clause)
        }
        if last.isMark(":")
            || last.text == "forget" && tokens[safe: index].map({ $0.isMark(":") || $0.isMark(",") }) ?? false
        {
            return !analysis.mayBeGathering(clause)
                || analysis.hasTrait(.thing, in: clause.tokens) && analysis.appointment([clause]).clock == nil
        }
        let verb = verb(after: match, clause)
        if tokens[match.tokens.lowerBound].text == "please", match.tokens.count == 1 {
            return analysis.hasTrait([.task, .taskThird], in: clause.tokens) && !analysis.isGathering(clause)
                || clause.pieces.contains(where: \.isDeadline)
        }
        return isTask(verb, match, clause)
    }

    /// The verb is the last word of the cue, or the next one after "to".
    private func verb(after match: CueMatch, _ clause: Clause) -> Int {
        let index = match.tokens.upperBound
        let hasAdverb = tokens[index - 1].has(.adverb) && tokens[safe: index]?.kind == .word
        var verb = hasAdverb ? index : index - 1
        if [
            "to", "must", "should", "better", "got", "forget", "sure", "please", "n't", "not", "need", "just", "also",
            "really", "could", "can", "would", "you", "turn",
        ].contains(tokens[verb].text), verb + 1 < clause.tokens.upperBound {
            verb += 1
        }
        while verb < clause.tokens.upperBound - 1,
            tokens[verb].has(.adverb) || ["to", "not"].contains(tokens[verb].text)
        { verb += 1 }
        // "I'm going to have to call them"
        while ["have", "need"].contains(tokens[verb].text), tokens[safe: verb + 1]?.text == "to",
            verb + 2 < clause.tokens.upperBound
        { verb += 2 }
        return verb
    }

    /// Whether a verb is done: "bring", "sort out", but not "I have to work tomorrow".
    private func isTask(_ verb: Int, _ match: CueMatch, _ clause: Clause) -> Bool {
        let token = tokens[verb]
        guard token.kind == .word, !["n't", "not", "decide", "discuss"].contains(token.text) else { return false }
        if Self.seldomTasks.contains(token.text) { return isSeldomTask(verb, match, clause) }
        if token.text == "get" || token.text == "getting" { return isGetting(verb, match, clause) }
        // "I'll have been here five years", "can you make it on Friday?"
        if token.text == "have", tokens[safe: verb + 1]?.text == "been" { return false }
        if token.text == "make", tokens[safe: verb + 1]?.text == "it", clause.isQuestion,
            tokens[safe: verb + 2].map({ $0.kind == .mark || analysis.piece(at: verb + 2) != nil || $0.text == "on" })
                ?? true
        {
            return false
        }
        let isStaying =
            token.has(.staying) && !(token.text == "finish" && clause.pieces.contains(where: \.isDeadline))
            && !(token.has(.task) && hasThing(after: verb, clause))
        if match.cue == .commitment, isStaying || token.text == "help" { return false }
        // "I have to work tomorrow": where somebody is.
        if match.cue == .duty, isStaying, !token.has(.task) { return false }
        if match.cue == .commitment, token.has(.tasking), !hasThing(after: verb, clause) { return false }
        if match.cue == .commitment, token.has(.tasking), let next = tokens[safe: verb + 1],
            next.has([.taskThird, .auxiliary])
        {
            return false
        }
        if token.text == "take", let next = tokens[safe: verb + 1],
            analysis.piece(at: next.has(.article) ? verb + 2 : verb + 1) != nil
        {
            return false
        }
        if ["starting", "kicking", "playing", "gathering", "training"].contains(token.text),
            tokens[safe: verb + 1].map({ $0.has(.preposition) || analysis.piece(at: verb + 1) != nil }) ?? true
        {
            return false
        }
        // "we're doing a birthday thing", "we'll have Bible study": hosts, not tasks.
        if match.cue == .commitment || match.cue == .duty, analysis.mayBeGathering(clause),
            isCompany(verb + 1) && ["take", "taking", "drive", "driving"].contains(token.text)
                || [
                    "do", "doing", "give", "giving", "lead", "leading", "have", "having", "hold", "holding", "run",
                    "running", "start", "starting", "go", "going", "organising", "organizing", "host", "throw", "grab",
                    "grabbing", "get", "getting",
                ].contains(token.text)
                    && !(token.text == "give" && tokens[safe: verb + 1]?.has(.you) ?? false)
                    && !(["grab", "get", "getting", "grabbing"].contains(token.text)
                        && ["the", "your", "his", "her", "their"].contains(tokens[safe: verb + 1]?.text ?? ""))
        {
            return false
        }
        if token.has(.doing), !token.has(.tasking) { return false }
        if match.cue == .duty || match.cue == .commitment,
            token.text == "have" || token.text == "do" || token.text == "make"
        {
            return hasObject(after: verb, clause)
        }
        if clause.cues.has(.meeting, .invitation), !token.has([.task, .tasking]) { return false }
        if match.cue == .request, clause.isQuestion, clause.cues.has(.meeting) { return false }
        return true
    }

    /// Verbs that mostly say where somebody is or what they feel.
    private static let seldomTasks: Set<Word> = [
        "be", "see", "come", "meet", "join", "attend", "arrive", "land", "stay", "sleep", "live", "leave", "miss",
        "love", "like", "hate", "know", "think", "guess", "wait", "admit", "say", "never", "always", "eat", "die",
        "cry", "laugh", "hang", "watch", "play", "dance", "relax", "survive", "catch", "expect", "hope", "enjoy",
        "appreciate", "regret", "believe", "understand", "feel", "want", "matter", "depend", "happen",
    ]

    /// "could you be in for the plumber", "come with your receipts".
    private func isSeldomTask(_ verb: Int, _ match: CueMatch, _ clause: Clause) -> Bool {
        let token = tokens[verb]
        if token.text == "be" {
            if analysis.mayBeGathering(clause),
                analysis.contains(
                    "giving", "having", "hosting", "doing", "holding", "running", "at", in: clause.tokens)
            {
                return false
            }
            let rest = tokens[min(verb + 1, clause.tokens.upperBound)..<clause.tokens.upperBound]
            // "could you be in for the plumber"
            if match.cue == .request, rest.count > 1,
                ["in", "home", "around"].contains(rest[rest.startIndex].text),
                rest[rest.startIndex + 1].text == "for"
            {
                return true
            }
            if ["seated", "advised", "aware", "informed"].contains(rest.first?.text ?? "") { return false }
            return rest.first.map { $0.has([.tasking, .past]) && !$0.has(.staying) } ?? false
                || match.cue == .request && clause.cues.has(.due)
        }
        // "someone has to stay in for the delivery"
        if ["stay", "wait"].contains(token.text),
            ["in", "home", "around"].contains(tokens[safe: verb + 1]?.text ?? ""),
            tokens[safe: verb + 2]?.text == "for"
        {
            return true
        }
        // "come with your receipts": bring them.
        if token.text == "come" { return tokens[safe: verb + 1]?.text == "with" }
        if token.text == "leave" || token.text == "catch" || token.text == "hang" || token.text == "watch" {
            return hasObject(after: verb, clause) && !clause.cues.has(.elsewhere)
        }
        return false
    }

    /// "get the bread", but not "getting the 6pm train".
    private func isGetting(_ verb: Int, _ match: CueMatch, _ clause: Clause) -> Bool {
        let token = tokens[verb]
        // "I'm getting my braces off": done by others.
        if token.text == "getting", clause.cues.has(.meeting) || tokens[safe: verb + 1]?.has(.past) ?? false {
            return false
        }
        if tokens[safe: verb + 1]?.text == "back", tokens[safe: verb + 2]?.text == "to" { return true }
        // "getting the 6pm train": on the way.
        if analysis.contains(
            "train", "bus", "tube", "tram", "flight", "ferry", "coach", "metro", "taxi", "uber", "plane",
            in: verb..<min(verb + 7, clause.tokens.upperBound)),
            !analysis.contains("tickets", "ticket", "pass", "times", in: clause.tokens),
            !analysis.hasTrait(.you, in: match.tokens)
        {
            return false
        }
        return ![
            "home", "there", "here", "back", "in", "up", "off", "to", "together", "out", "married", "hitched",
            "engaged",
        ].contains(
            tokens[safe: verb + 1]?.text ?? "home")
    }

    private func isLast(_ index: Int, _ clause: Clause) -> Bool {
        !tokens[index..<max(index, clause.tokens.upperBound)].contains { $0.kind == .word }
    }

    /// "taking Dad to his check-up", rather than a thing.
    private func isCompany(_ index: Int) -> Bool {
        guard let token = tokens[safe: index] else { return false }
        let next = tokens[safe: index + 1]
        return token.has([.kin, .you]) || token.isCapital || ["him", "her", "them", "us"].contains(token.text)
            || token.has(.possessive) && next?.has(.kin) ?? false
    }

    /// "I'm printing them", "sending it over", but not "I'm cooking tonight".
    private func hasThing(after verb: Int, _ clause: Clause) -> Bool {
        guard let next = tokens[safe: verb + 1], verb + 1 < clause.tokens.upperBound,
            next.kind == .word || next.kind == .number
        else { return false }
        return analysis.piece(at: verb + 1) == nil
            && (!next.has([.preposition, .conjunction, .adverb])
                || ["off", "up", "out", "over", "in", "back", "for", "to"].contains(next.text))
    }

    private func hasObject(after verb: Int, _ clause: Clause) -> Bool {
        guard let next = tokens[safe: verb + 1], verb + 1 < clause.tokens.upperBound, next.kind != .mark else {
            return false
        }
        return !clause.pieces.contains { $0.tokens.lowerBound == verb + 1 } && !next.has([.preposition, .conjunction])
    }

    /// A word that no list knows, before "the", "your" or "my": "bleed the radiators".
    private func isLikeAnOrder(_ index: Int) -> Bool {
        tokens[index].kind == .word && tokens[index].lexeme.id == 0 && tokens[index].text.count > 2
            && ["the", "your", "my", "our", "this", "all"].contains(tokens[safe: index + 1]?.text ?? "")
    }

    /// "Joan's card": no verb.
    private func isOwned(_ sign: Int) -> Bool {
        let (owner, thing) = (tokens[sign - 1], tokens[safe: sign + 1])
        return (owner.isCapital || owner.has(.kin))
            && thing.map { $0.kind == .word && !$0.has([.article, .doing, .past, .adverb, .preposition]) } ?? false
    }

    /// An imperative: a verb at the begin, with an object or a particle.
    func order(in clause: Clause) -> Range<Int>? {
        var index = clause.begin
        // "Ma take your medicine", "Sam bring the ball": spoken to.
        if let name = tokens[safe: index], name.has(.kin) || name.isCapital && name.lexeme.id == 0,
            let verb = tokens[safe: index + 1], verb.has(.task), !verb.has([.gathering, .looseGathering]),
            tokens[safe: index + 2]?.has([.article, .possessive, .me, .us]) ?? false
        {
            index += 1
        }
        guard let verb = tokens[safe: index], index < clause.tokens.upperBound, verb.has(.task) || isLikeAnOrder(index)
        else { return nil }
        let next = tokens[safe: index + 1]
        guard index + 1 < clause.tokens.upperBound, let next,
            next.kind == .word || next.kind == .number || next.isMark("#") || next.isMark("\"") || next.isMark("@")
        else { return nil }
        if next.has(.auxiliary), next.text != "do" { return nil }
        if verb.text == "make", next.text == "it" { return nil }
        // "let me know if friday or saturday is better": no limit.
        if verb.text == "let", !clause.pieces.contains(where: \.isDeadline),
            analysis.contains("if", "whether", "which", "when", "what", in: clause.tokens),
            analysis.contains("or", "is", "'s", "works", "suits", in: clause.tokens)
        {
            return nil
        }
        if ["pick", "thank"].contains(verb.text), next.has(.you) { return nil }
        // "drop off friday", "invite sent": nouns.
        if ["off", "up", "in", "out"].contains(next.text), analysis.piece(at: index + 2) != nil,
            !verb.has(.looseGathering),
            ["drop", "pick", "check", "sign", "hand", "water"].contains(verb.text),
            !clause.pieces.contains(where: \.isDeadline)
        {
            return nil
        }
        if ["sent", "signed", "drops", "starts", "ends", "opens", "closes"].contains(next.text)
            || Self.told.contains(next.text)
        {
            return nil
        }
        if verb.text == "speak", next.text != "to" || tokens[safe: index + 2]?.has(.you) ?? true { return nil }
        if verb.text == "stick", ["with", "to", "around"].contains(next.text) { return nil }
        // "Water supply will be cut": a noun with its verb.
        for position in index + 1..<min(clause.tokens.upperBound, index + 7) {
            if tokens[position].has([.me, .us, .you, .others, .question, .article, .possessive])
                || tokens[position].kind == .mark
            {
                break
            }
            if ["is", "are", "will", "was", "has", "'s", "starts", "begins", "opens", "meets"].contains(
                tokens[position].text),
                position > index + 1 || tokens[position].text != "'s",
                tokens[position].text != "'s" || !isOwned(position)
            {
                return nil
            }
        }
        if clause.pieces.contains(where: { $0.tokens.lowerBound == index + 1 }) { return nil }
        if verb.has([.gathering, .looseGathering]) || ["call", "talk", "chat", "meet"].contains(verb.text) {
            if next.has([.preposition]), !["off", "up", "back", "in", "for", "out"].contains(next.text) { return nil }
            if next.has([.gathering, .looseGathering]) { return nil }
        }
        // "book club", "film night": one noun.
        if verb.text == "book", ["club", "group", "launch", "fair", "swap", "signing"].contains(next.text) {
            return nil
        }
        if ["open", "close", "start"].contains(verb.text), next.has(.preposition) || next.has([.gathering]) {
            return nil
        }
        if verb.text == "let", clause.cues.has(.meeting, .inclined, .picked),
            tokens[safe: index + 1]?.text == "'s" || next.has(.us)
        {
            return nil
        }
        if clause.cues.has(.defers, .accepts) { return nil }
        // "open day at the college": one noun.
        if clause.matches.contains(where: { $0.cue == .compound && $0.tokens.lowerBound == index }) { return nil }
        // "save the date": an invitation, no order.
        if let named = clause.first(.invitation, .meeting), named.tokens.lowerBound == index { return nil }
        if verb.text == "do", next.has([.you, .us]) || next.text == "n't" { return nil }
        return index..<index + 1
    }
}
