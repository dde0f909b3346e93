extension Reading {
    mutating func readReminders() {
        for index in clauses.indices where found.count < Self.foundMax {
            if let found = reminder(at: index) {
                add(found)
                used.insert(index)
            }
        }
    }

    private func reminder(at index: Int) -> Extraction? {
        let clause = clauses[index]
        if let wish = wish(in: clause) {
            let when = taskAppointment(index, allowsOthers: true)
            var found = extraction(
                .reminder, title(ofTask: clause, after: wish.tokens.upperBound),
                when.isDated ? resolved(when, clause) : nil,
                "a wish to be reminded", [wish.tokens])
            found.doers = tokens[wish.tokens].contains { $0.has(.us) } ? .everyone : .sender
            return found
        }
        guard !clause.isConditional, !clause.cues.has(.forgets), !isOfOthers(clause), !isPast(clause),
            let (rule, cue) = task(in: clause, index), !isForGathering(index, cue)
        else { return nil }
        guard !clause.cues.has(.noNeed) || isStillTask(clause),
            !clause.cues.has(.advice) || clause.pieces.contains(where: \.isDeadline), !isOpenWish(clause)
        else {
            return nil
        }
        let when = taskAppointment(index, allowsOthers: rule != "something is due")
        guard when.isDated || when.part != nil else { return nil }
        var found = extraction(
            .reminder, title(ofTask: clause, after: cue.lowerBound), resolved(when, clause), rule, [cue])
        found.doers = doers(of: rule, cue, clause)
        return found
    }

    /// Who is to do a task: whom its words name, otherwise whom its rule means.
    private func doers(of rule: String, _ cue: Range<Int>, _ clause: Clause) -> Extraction.Doers {
        let words = tokens[cue]
        let isForAll =
            tokens[clause.tokens].contains { Self.all.contains($0.text) } || words.contains { $0.text == "all" }
        if isForAll {
            return words.contains { $0.has(.us) } ? .everyone : .others
        }
        switch rule {
        case "something is promised": return .sender
        case "something is due", "a limit that was given":
            if words.contains(where: { $0.has(.me) }) { return .sender }
            return words.contains { $0.has(.you) } ? .addressee : .everyone
        case "a commitment", "an own task":
            if words.contains(where: { $0.has(.us) }) { return .everyone }
            return words.contains { $0.has(.you) } ? .addressee : .sender
        default:
            return words.contains { $0.text == "let" } && !analysis.contains("me", in: clause.tokens)
                ? .everyone : .addressee
        }
    }

    /// Words that speak to all who read the message.
    private static let all: Set<String> = ["everyone", "everybody", "guys", "folks", "team"]

    /// "remind me", unless it is spoken of.
    private func wish(in clause: Clause) -> CueMatch? {
        guard let wish = clause.first(.remind), !clause.cues.has(.forgets) else { return nil }
        let before = tokens[safe: wish.tokens.lowerBound - 1]
        if let before,
            before.has([.others]) && before.text != "it" || before.text == "that"
                || before.text == "to" && !clause.cues.has(.request, .remind)
        {
            return nil
        }
        if analysis.contains("did", "was", "were", "had", "already", in: clause.tokens) { return nil }
        return wish
    }

    /// "do n't" in "don't forget" denies nothing.
    private func isStillTask(_ clause: Clause) -> Bool {
        guard let first = clause.first(.noNeed) else { return true }
        // "I've got to" is no "I've got".
        if clause.matches.contains(where: {
            [.duty, .request, .commitment, .until].contains($0.cue) && $0.tokens.lowerBound == first.tokens.lowerBound
                && $0.tokens.upperBound > first.tokens.upperBound
        }) {
            return clause.matches.filter { $0.cue == .noNeed }.count == 1
        }
        let text = analysis.text(first.tokens).lowercased()
        if text.contains("forget") { return true }
        return clause.matches.contains { $0.cue == .request && tokens[$0.tokens.upperBound - 1].text == "forget" }
    }

    /// "I might send it", "should we bring something?"
    private func isOpenWish(_ clause: Clause) -> Bool {
        guard clause.cues.has(.tentative) else { return clause.isQuestion && !clause.cues.has(.request) }
        let words = tokens[clause.tokens]
        if analysis.contains("sure", "doubt", in: clause.tokens),
            analysis.contains("not", "n't", "doubt", in: clause.tokens)
        {
            return true
        }
        if words.contains(where: { ["maybe", "perhaps", "possibly", "might"].contains($0.text) }) {
            return !clause.cues.has(.request)
        }
        return clause.isQuestion && !clause.cues.has(.request)
    }

    func isPast(_ clause: Clause) -> Bool {
        guard clause.cues.has(.history) else { return clause.pieces.contains { $0.isPast } }
        // "I told the bank I'd bring it": what was promised is ahead.
        return !clause.matches.contains {
            $0.cue == .commitment && tokens[$0.tokens].contains { ["'d", "would", "'ll", "will"].contains($0.text) }
                || $0.cue == .request
                    && tokens[$0.tokens].contains { ["promised", "agreed", "said"].contains($0.text) }
        }
    }

    /// What makes a clause a task, and where it says so.
    private func task(in clause: Clause, _ index: Int) -> (String, Range<Int>)? {
        if let cue = clause.matches.first(where: { $0.cue == .request && isTask(after: $0, clause) }) {
            return ("a request", cue.tokens)
        }
        if clause.isQuestion { return nil }
        if let cue = clause.matches.first(where: { $0.cue == .due && isLimited($0, clause) }),
            !clause.cues.has(.closed), !isForNobody(clause)
        {
            return ("something is due", cue.tokens)
        }
        if let cue = clause.first(.until) { return ("a limit that was given", cue.tokens) }
        if let cue = clause.first(.delivered), !isOfOthers(clause) { return ("something is promised", cue.tokens) }
        for match in clause.matches where match.cue == .commitment {
            if isTask(after: match, clause) { return ("a commitment", match.tokens) }
        }
        for match in clause.matches where match.cue == .duty {
            if isTask(after: match, clause) { return ("an own task", match.tokens) }
        }
        if let order = order(in: clause) { return ("an order", order) }
        return nil
    }

    /// "I need the numbers by noon": a wish is due only with a limit.
    private func isLimited(_ match: CueMatch, _ clause: Clause) -> Bool {
        guard
            ["need", "want", "expect", "require", "needs", "wants", "expects", "'d", "would", "have", "got"].contains(
                tokens[match.tokens.lowerBound].text)
        else { return true }
        // "wants her to redo it": of somebody else. "I have to be up early": where somebody is.
        if tokens[match.tokens.upperBound - 1].text == "to" { return false }
        if ["up", "there", "here", "back", "in", "over"].contains(tokens[match.tokens.upperBound - 1].text),
            tokens[safe: match.tokens.lowerBound - 1]?.has([.me, .us, .you]) ?? false
        {
            return false
        }
        // "I have to be in court at 1".
        if match.tokens.lowerBound == clause.begin
            || tokens[safe: match.tokens.lowerBound - 1]?.has([.me, .us, .you]) ?? false,
            tokens[match.tokens.upperBound - 1].text == "in", analysis.piece(at: match.tokens.upperBound) == nil,
            let next = tokens[safe: match.tokens.upperBound], next.kind == .word, !next.has(.preposition)
        {
            return false
        }
        // "have the draft on my desk by Tuesday"
        if tokens[match.tokens.lowerBound].text == "have", match.tokens.lowerBound == clause.begin {
            return clause.pieces.contains { $0.isDeadline }
        }
        // "comments by Friday would be great"
        if ["would", "'d"].contains(tokens[match.tokens.lowerBound].text), analysis.contains("be", in: match.tokens) {
            return clause.pieces.contains { $0.isDeadline && $0.tokens.upperBound <= match.tokens.lowerBound }
                && !analysis.isGathering(clause) && !analysis.hasTrait([.me, .us], in: clause.tokens)
        }
        // "the prescription needs to be picked up": a need of the thing itself.
        if analysis.contains("be", in: match.tokens) { return true }
        if ["have", "got"].contains(tokens[match.tokens.lowerBound].text) { return true }
        return clause.pieces.contains { $0.isDeadline }
            || analysis.contains("on", "in", in: clause.tokens) && analysis.contains("desk", "inbox", in: clause.tokens)
    }

    /// Whether what follows a cue is done, rather than where somebody is or whom they meet.
    private func isTask(after match: CueMatch, _ clause: Clause) -> Bool {
        var index = match.tokens.upperBound
        // "is it possible to have it by Friday?", "can this be done by noon?"
        if match.cue == .request, clause.isQuestion, !clause.pieces.contains(where: \.isDeadline),
            analysis.contains("possible", "of", in: match.tokens)
                || tokens[index - 1].has(.past) && tokens[index - 2].text == "be"
        {
            return false
        }
        // "don't forget we have the dentist": no task follows.
        if tokens[index - 1].text == "forget", tokens[safe: index]?.has([.me, .us]) ?? false { return false }
        // "please note the meeting is at 4" asks for nothing.
        if ["note", "consider"].contains(tokens[index - 1].text) { return false }
        // "please save the date", "please join us": an invitation.
        if tokens[match.tokens.lowerBound].text == "please", clause.cues.has(.invitation),
            !clause.pieces.contains(where: \.isDeadline)
        {
            return false
        }
        if match.cue == .request, isHoped(match.tokens.lowerBound) { return false }
        // "do you have to work tomorrow?" asks for an answer.
        if match.cue == .request, clause.isQuestion, tokens[match.tokens.lowerBound].has(.you),
            ["do", "did"].contains(tokens[safe: match.tokens.lowerBound - 1]?.text ?? "")
        {
            return false
        }
        // "can we get it signed off by Friday?" asks; "can we get pizza on Friday?" proposes.
        if match.cue == .request, clause.isQuestion,
            tokens[match.tokens].prefix(2).contains(where: { $0.has([.us, .me]) }),
            !clause.pieces.contains(where: \.isDeadline) || analysis.mayBeGathering(clause)
        {
            return false
        }
        // "I can do that" agrees.
        if match.cue == .commitment, tokens[index - 1].text == "do",
            tokens[match.tokens].contains(where: { $0.text == "can" }),
            tokens[safe: index].map({ ["that", "this", "it"].contains($0.text) || $0.kind == .number }) ?? false
        {
            return false
        }
        if match.cue == .commitment, match.tokens.lowerBound == clause.begin, isSubject(match.tokens, clause) {
            return false
        }
        if analysis.contains("forget", in: match.tokens), tokens[index - 1].text != "to",
            tokens[safe: index]?.text != "to",
            analysis.isGathering(clause)
        {
            return false
        }
        if tokens[match.tokens.lowerBound].text == "let", clause.cues.has(.defers) { return false }
        let last = tokens[index - 1]
        if tokens[match.tokens.lowerBound].text == "let", match.cue == .request {
            return clause.pieces.contains(where: \.isDeadline) && !analysis.isGathering(clause)
        }
        if last.isMark(":") || last.text == "forget" && tokens[safe: index]?.isMark(":") ?? false {
            return !analysis.mayBeGathering(clause)
        }
        if last.has(.adverb), tokens[safe: index]?.kind == .word { index += 1 }
        var verb = index - 1
        // The verb is the last word of the cue, or the next one after "to".
        if [
            "to", "must", "should", "better", "got", "forget", "sure", "please", "n't", "not", "need", "just", "also",
            "really",
            "could", "can", "would", "you", "turn",
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
        if tokens[match.tokens.lowerBound].text == "please", match.tokens.count == 1 {
            return analysis.hasTrait([.task, .taskThird], in: clause.tokens) && !analysis.isGathering(clause)
                || clause.pieces.contains(where: \.isDeadline)
        }
        let token = tokens[verb]
        guard token.kind == .word, !["n't", "not", "decide", "discuss"].contains(token.text) else { return false }
        if [
            "be", "see", "come", "meet", "join", "attend", "arrive", "land", "stay", "sleep", "live", "leave", "miss",
            "love", "like", "hate", "know", "think", "guess", "wait", "admit", "say", "never", "always", "eat", "die",
            "cry", "laugh", "hang", "watch", "play", "dance", "relax", "survive", "catch", "expect", "hope", "enjoy",
            "appreciate", "regret", "believe", "understand", "feel", "want", "matter", "depend", "happen", "miss",
        ].contains(token.text) {
            if token.text == "be" {
                if analysis.mayBeGathering(clause),
                    analysis.contains(
                        "giving", "having", "hosting", "doing", "holding", "running", "at", in: clause.tokens)
                {
                    return false
                }
                let rest = tokens[min(verb + 1, clause.tokens.upperBound)..<clause.tokens.upperBound]
                return rest.first.map { $0.has([.tasking, .past]) && !$0.has(.staying) } ?? false
                    || match.cue == .request && clause.cues.has(.due)
            }
            if token.text == "leave" || token.text == "catch" || token.text == "hang" || token.text == "watch" {
                return hasObject(after: verb, clause) && !clause.cues.has(.elsewhere)
            }
            return false
        }
        if token.text == "get" || token.text == "getting" {
            // "I'm getting my braces off": done by others.
            if clause.cues.has(.meeting), token.text == "getting" { return false }
            if tokens[safe: verb + 1]?.text == "back", tokens[safe: verb + 2]?.text == "to" { return true }
            return ![
                "home", "there", "here", "back", "in", "up", "off", "to", "together", "out", "married", "hitched",
                "engaged",
            ].contains(
                tokens[safe: verb + 1]?.text ?? "home")
        }
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
                    "running", "start", "starting", "go",
                    "going", "organising", "organizing", "host", "throw", "grab", "grabbing", "get", "getting",
                ].contains(token.text)
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

    /// "taking Dad to his check-up", rather than a thing.
    private func isCompany(_ index: Int) -> Bool {
        guard let token = tokens[safe: index] else { return false }
        let next = tokens[safe: index + 1]
        return token.has([.kin, .you]) || token.isCapital || ["him", "her", "them", "us"].contains(token.text)
            || token.has(.possessive) && next?.has(.kin) ?? false
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

    /// "bring snacks" beside "game night, thursday at 7": part of a gathering that the message states.
    private func isForGathering(_ index: Int, _ cue: Range<Int>) -> Bool {
        let clause = clauses[index]
        guard
            let verb = clause.tokens.first(where: { cue.contains($0) && tokens[$0].has(.task) || $0 >= cue.upperBound }
            ),
            ["bring", "wear", "dress", "pack"].contains(tokens[verb].text), !clause.pieces.contains(where: \.isDeadline)
        else { return false }
        return clauses.indices.contains { other in
            let stated = clauses[other]
            return other != index && (analysis.isGathering(stated) || stated.cues.has(.meeting))
                && !stated.isQuestion && !stated.cues.has(.cancelled, .tentative, .history)
        }
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

    /// "she has to hand in her thesis", "is due" in news.
    private func isForNobody(_ clause: Clause) -> Bool {
        let start = clause.begin
        guard let first = tokens[safe: start] else { return false }
        if first.has(.others), !["it"].contains(first.text) { return true }
        if [
            "baby", "babies", "bus", "train", "flight", "plane", "ferry", "storm", "rain", "snow", "delivery", "parcel",
            "package", "twins",
        ].contains(where: { name in tokens[clause.tokens].contains { $0.text == name } }) {
            return true
        }
        // "Tom's essay is due": of somebody who may not be here.
        let isOpenTask = analysis.contains("needs", "need", in: clause.tokens)
        if !isOpenTask, let owner = tokens[safe: start + 1], owner.text == "'s",
            first.isCapital && first.lexeme.id == 0 || first.has(.kin)
        {
            return true
        }
        if first.has(.possessive), tokens[safe: start + 1]?.has(.kin) ?? false, tokens[safe: start + 2]?.text == "'s" {
            return true
        }
        let isOfDoors = clause.matches.allSatisfy {
            $0.cue != .due
                || ["close", "closes", "closing", "ends", "end", "shut", "shuts"].contains(
                    tokens[$0.tokens.lowerBound].text)
        }
        let isOfEntries = analysis.contains(
            "applications", "application", "registration", "registrations", "entries", "entry", "bookings", "booking",
            "portal", "submissions",
            "submission", "signup", "signups", "enrolment", "enrollment", "nominations", "survey", "offer", "bird",
            "window", "form", "forms", "sales", "rsvps", "orders",
            "deadline", "papers", in: clause.tokens)
        if isOfDoors, !isOfEntries { return true }
        let names = ["due", "deadline", "rsvp", "submitted", "later", "cut", "cutoff", "cut-off"]
        let isNamed = clause.matches.contains { match in
            match.cue == .due && tokens[match.tokens].contains { names.contains($0.text) }
        }
        return analysis.isGathering(clause) && !isNamed
    }

    /// A word that no list knows, before "the", "your" or "my": "bleed the radiators".
    private func isLikeAnOrder(_ index: Int) -> Bool {
        tokens[index].kind == .word && tokens[index].lexeme.id == 0 && tokens[index].text.utf8.count > 2
            && ["the", "your", "my", "our", "this", "all"].contains(tokens[safe: index + 1]?.text ?? "")
    }

    /// An imperative: a verb at the begin, with an object or a particle.
    private func order(in clause: Clause) -> Range<Int>? {
        let index = clause.begin
        guard let verb = tokens[safe: index], index < clause.tokens.upperBound, verb.has(.task) || isLikeAnOrder(index)
        else { return nil }
        let next = tokens[safe: index + 1]
        guard index + 1 < clause.tokens.upperBound, let next,
            next.kind == .word || next.kind == .number || next.isMark("#") || next.isMark("\"") || next.isMark("@")
        else { return nil }
        if next.has(.auxiliary), next.text != "do" { return nil }
        if verb.text == "make", next.text == "it" { return nil }
        // "Water supply will be cut": a noun with its verb.
        for position in index + 1..<min(clause.tokens.upperBound, index + 7) {
            if tokens[position].has([.me, .us, .you, .others, .question, .article, .possessive])
                || tokens[position].kind == .mark
            {
                break
            }
            if ["is", "are", "will", "was", "has", "'s"].contains(tokens[position].text),
                position > index + 1 || tokens[position].text != "'s"
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
        if let named = clause.first(.invitation), named.tokens.lowerBound == index { return nil }
        if verb.text == "do", next.has([.you, .us]) || next.text == "n't" { return nil }
        return index..<index + 1
    }
}
