extension Reading {
    mutating func readReminders() {
        guard !isAdvert else { return }
        for index in clauses.indices where found.count < Self.foundMax {
            if let found = reminder(at: index) {
                add(found)
                used.insert(index)
            }
        }
    }

    /// "you have won a voucher, claim by midnight", "20% off when you book today".
    private var isAdvert: Bool {
        analysis.contains("voucher", "vouchers", "promo", "unsubscribe", "otp", "bogo")
            || tokens.indices.contains {
                tokens[$0].text == "off" && ["%"].contains(tokens[safe: $0 - 1]?.text ?? "")
            }
            || analysis.contains("won") && analysis.contains("claim")
            || tokens.indices.contains { tokens[$0].text == "on" && tokens[safe: $0 + 1]?.text == "sale" }
    }

    private func reminder(at index: Int) -> Extraction? {
        let clause = clauses[index]
        // "note to self, cancel the trial": the task is in the next clause.
        let isHead =
            analysis.contains("self", in: clause.tokens) && clauses[safe: index + 1]?.sentence == clause.sentence
        if let wish = wish(in: clause), !isHead {
            let when = taskAppointment(index, allowsOthers: true)
            var found = extraction(
                .reminder, title(ofTask: clause, after: wish.tokens.upperBound),
                when.isDated ? resolved(when, clause) : nil,
                "a wish to be reminded", [wish.tokens])
            found.doers = tokens[wish.tokens].contains { $0.has(.us) } ? .everyone : .sender
            return found
        }
        guard !clause.isConditional, !clause.cues.has(.forgets), !isOfOthers(clause), !isPast(clause),
            !takesTime(clause),
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

    /// "we'll take the 9.10 tomorrow": one of the times that were offered.
    private func takesTime(_ clause: Clause) -> Bool {
        clause.tokens.contains { index in
            guard ["take", "have", "grab", "do"].contains(tokens[index].text), tokens[safe: index + 1]?.text == "the",
                case .clock = analysis.piece(at: index + 2)?.value
            else { return false }
            return talk.appointment.clock != nil
        }
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
        case "something is due", "a limit that was given", "a thing with a limit":
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
    private static let all: Set<Word> = ["everyone", "everybody", "guys", "folks", "team"]

    /// "remind me", unless it is spoken of.
    private func wish(in clause: Clause) -> CueMatch? {
        guard let wish = clause.first(.remind), !clause.cues.has(.forgets) else { return nil }
        let before = tokens[safe: wish.tokens.lowerBound - 1]
        if let before,
            before.has([.others]) && before.text != "it" || ["that", "stop", "quit"].contains(before.text)
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
        guard clause.cues.has(.tentative) else {
            return clause.isQuestion && !clause.cues.has(.request) && order(in: clause) == nil
        }
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
        if clause.isQuestion {
            // "ping me the doc by 3?"
            // "cover me at 4?"
            let isForMe =
                tokens[safe: clause.begin + 1]?.has([.me, .us]) ?? false && tokens[clause.begin].text != "let"
            let isOrder =
                (clause.pieces.contains(where: \.isDeadline) || isForMe) && tokens[clause.begin].text != "do"
            return isOrder ? order(in: clause).map { ("a request", $0) } : nil
        }
        if let cue = clause.matches.first(where: { $0.cue == .due && isLimited($0, clause) }),
            !clause.cues.has(.closed), !isForNobody(clause), !isOverdue(clause)
        {
            return ("something is due", cue.tokens)
        }
        if let cue = clause.first(.until) { return ("a limit that was given", cue.tokens) }
        if let cue = clause.first(.delivered), !isOfOthers(clause), !isSentByShop(clause) {
            return ("something is promised", cue.tokens)
        }
        for match in clause.matches where match.cue == .commitment {
            if isTask(after: match, clause) { return ("a commitment", match.tokens) }
        }
        for match in clause.matches where match.cue == .duty {
            if isTask(after: match, clause) { return ("an own task", match.tokens) }
        }
        if let order = order(in: clause) { return ("an order", order) }
        return namedTask(in: clause).map { ("a thing with a limit", $0) }
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
            return clause.pieces.contains { $0.isDeadline } || analysis.contains("ready", in: clause.tokens)
        }
        // "comments by Friday would be great"
        if ["would", "'d"].contains(tokens[match.tokens.lowerBound].text), analysis.contains("be", in: match.tokens) {
            return clause.pieces.contains { $0.isDeadline && $0.tokens.upperBound <= match.tokens.lowerBound }
                && !analysis.isGathering(clause) && !analysis.hasTrait([.me, .us], in: clause.tokens)
        }
        // "Maya needs picking up from gym".
        if tokens[match.tokens.upperBound - 1].has(.tasking) { return true }
        // "the prescription needs to be picked up": a need of the thing itself.
        if analysis.contains("be", in: match.tokens) { return true }
        if ["have", "got"].contains(tokens[match.tokens.lowerBound].text) { return true }
        // "I need that order signed tomorrow": what is to happen to it.
        let rest = match.tokens.upperBound..<min(match.tokens.upperBound + 4, clause.tokens.upperBound)
        return clause.pieces.contains { $0.isDeadline } || !rest.isEmpty && analysis.hasTrait(.past, in: rest)
            || analysis.contains("answer", "reply", "response", "decision", in: clause.tokens)
            || analysis.contains("on", "in", in: clause.tokens) && analysis.contains("desk", "inbox", in: clause.tokens)
    }

    /// "bring snacks" beside "game night, thursday at 7": part of a gathering that the message states.
    private func isForGathering(_ index: Int, _ cue: Range<Int>) -> Bool {
        let clause = clauses[index]
        guard
            let verb = clause.tokens.first(where: { cue.contains($0) && tokens[$0].has(.task) || $0 >= cue.upperBound }
            ),
            ["bring", "wear", "dress", "pack"].contains(tokens[verb].text), !clause.pieces.contains(where: \.isDeadline)
        else { return false }
        return (max(0, index - 8)..<min(clauses.count, index + 9)).contains { other in
            let stated = clauses[other]
            return other != index && (isGatheringStated(stated) || isOpenToOthers(other))
                && !stated.isQuestion && !stated.cues.has(.cancelled, .tentative, .history)
        }
    }

    /// "she has to hand in her thesis", "is due" in news.
    private func isForNobody(_ clause: Clause) -> Bool {
        let start = clause.begin
        guard let first = tokens[safe: start] else { return false }
        if first.has(.others), !["it"].contains(first.text), !isAskedOfReaders(start) { return true }
        if [
            "baby", "babies", "bus", "train", "flight", "plane", "ferry", "storm", "rain", "snow", "delivery", "parcel",
            "package", "twins", "code", "link", "voucher", "token", "otp",
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
            "portal", "submissions", "submission", "signup", "signups", "enrolment", "enrollment", "nominations",
            "survey", "offer", "bird", "window", "form", "forms", "sales", "rsvps", "orders",
            "deadline", "papers", in: clause.tokens)
        if isOfDoors, !isOfEntries { return true }
        let names: Set<Word> = [
            "needed", "completed", "done", "returned", "signed", "due", "deadline", "rsvp", "submitted", "later", "cut",
            "cutoff", "cut-off",
        ]
        let isNamed = clause.matches.contains { match in
            match.cue == .due && tokens[match.tokens].contains { names.contains($0.text) }
        }
        return analysis.isGathering(clause) && !isNamed && !isThingFirst(clause)
    }

    /// "the deadline for the poster was Friday".
    private func isOverdue(_ clause: Clause) -> Bool {
        analysis.contains("deadline", "cutoff", in: clause.tokens)
            && analysis.contains("was", "were", in: clause.tokens)
    }

    /// "your order will be with you on Thursday".
    private func isSentByShop(_ clause: Clause) -> Bool {
        analysis.contains("order", "parcel", "package", "delivery", "courier", "shipment", in: clause.tokens)
            && !analysis.hasTrait([.me, .us], in: clause.tokens)
    }

    /// "the form for the trip has to be back": of the thing, not the trip.
    private func isThingFirst(_ clause: Clause) -> Bool {
        guard
            let noun = tokens[clause.begin..<clause.tokens.upperBound].first(where: {
                !$0.has([.article, .possessive])
            })
        else { return false }
        return noun.has(.thing) && analysis.contains("for", "from", in: clause.tokens)
    }
}
