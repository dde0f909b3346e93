extension Reading {
    mutating func readEvents() {
        var groups: [(clause: Int, appointment: Appointment)] = []
        for index in clauses.indices where !used.contains(index) {
            guard isEvent(index) else { continue }
            groups.append((index, analysis.appointment([clauses[index]], isMoved: clauses[index].cues.has(.moved))))
        }
        guard !groups.isEmpty else { return }
        let dated = groups.filter { $0.appointment.hasDay || $0.appointment.clock != nil }
        if dated.count >= 2, dated[0].appointment.hasDay, dated[1].appointment.hasDay,
            dated[0].appointment.day != dated[1].appointment.day,
            isNamed(dated[0].clause), isNamed(dated[1].clause)
        {
            for group in dated.prefix(2) { addEvent(group.clause, group.appointment) }
            return
        }
        let lead = dated.first ?? groups[0]
        var appointment = lead.appointment
        // What the other clauses say of it: "bbq on sunday, kick off 2pm".
        for index in clauses.indices where index != lead.clause && !used.contains(index) && isDetail(index) {
            let own = analysis.appointment([clauses[index]], isMoved: clauses[index].cues.has(.moved))
            // "Marathon weekend! The start is at 7:15 on Sunday": the day with the clock is the exact one.
            let isExact = appointment.clock == nil && appointment.instant == nil && own.hasDay && own.clock != nil
            appointment = isExact ? own.filled(from: appointment) : appointment.filled(from: own)
        }
        // "I'll be outside the tube at ten to 7, see you there": the time of the clause before.
        if !appointment.isDated, clauses[lead.clause].cues.has(.meeting), lead.clause > 0,
            analysis.contains("there", "then", in: clauses[lead.clause].tokens), !isPast(clauses[lead.clause - 1])
        {
            appointment = appointment.filled(from: analysis.appointment([clauses[lead.clause - 1]]))
        }
        for index in clauses.indices where index != lead.clause && isDetail(index) {
            appointment = appointment.begun(
                by: analysis.appointment([clauses[index]]), at: moment, hint(),
                when: [
                    "doors", "meet", "meeting", "gather", "arrive", "warm", "registration",
                ].contains { analysis.contains($0, in: clauses[index].tokens) })
        }
        if talk.proposesGathering, !clauses[lead.clause].cues.has(.moved), !isAnotherGathering(lead.clause) {
            appointment = appointment.filled(from: talk.appointment)
        }
        guard appointment.isDated || appointment.hasDay else { return }
        addEvent(lead.clause, appointment)
    }

    private func isNamed(_ index: Int) -> Bool { analysis.mayBeGathering(clauses[index]) }

    /// Whether the message names a gathering and a day of its own.
    private func isAnotherGathering(_ index: Int) -> Bool {
        isNamed(index) && analysis.appointment([clauses[index]]).hasDay && !analysis.cues.has(.accepts)
    }

    private mutating func addEvent(_ index: Int, _ appointment: Appointment) {
        let clause = clauses[index]
        let when = appointment.when(at: moment, isTimed(clause) ? analysis.hint(in: clause.tokens) : hint())
        let cue = gathering(in: clause) ?? clause.first(.meeting, .invitation, .schedule)?.tokens ?? clause.tokens
        let rule =
            clause.cues.has(.moved)
            ? "a gathering that moved" : isNamed(index) ? "a gathering with a time" : "a plan to meet"
        let isAnswer = talk.proposesGathering && !isAnotherGathering(index)
        add(
            extraction(
                .event, title(ofEvent: clause), when, rule, [cue],
                location: location ?? (isAnswer ? locationFromTalk : nil)))
        used.insert(index)
    }

    /// "hike at 10, then the pub": only the words beside a clock say which half of the day it means.
    private func isTimed(_ clause: Clause) -> Bool {
        analysis.isGathering(clause)
            && clause.pieces.contains { piece in
                switch piece.value {
                case .clock, .clocks: true
                default: false
                }
            }
    }

    func hint() -> Appointment.Hint {
        let own = analysis.hint()
        return own == .none ? talk.hint : own
    }

    func gathering(in clause: Clause) -> Range<Int>? {
        clause.first(.compound)?.tokens ?? clause.tokens.first { tokens[$0].has(.gathering) }.map { $0..<$0 + 1 }
            ?? clause.tokens.first { tokens[$0].has(.looseGathering) }.map { $0..<$0 + 1 }
    }

    /// Whether a clause only adds to the gathering of another one.
    private func isDetail(_ index: Int) -> Bool {
        let clause = clauses[index]
        return !clause.isQuestion && !clause.isConditional
            && (!clause.cues.has(.history) || clause.cues.has(.schedule) && !clause.pieces.contains(where: \.isPast))
            && !clause.cues.has(.news, .cancelled, .duty, .request, .elsewhere, .tentative)
            // "Grandma turns 80 on the 12th, we're throwing a party".
            && (!isOfOthers(clause) || analysis.contains("turns", "turning", in: clause.tokens))
            && !clause.pieces.isEmpty
    }

    /// Whether a clause states a gathering.
    private func isEvent(_ index: Int) -> Bool {
        let clause = clauses[index]
        guard isGatheringStated(clause) || isOpenToOthers(index) else { return false }
        // "they've moved my surgery": of the sender all the same.
        let isOwn =
            clause.cues.has(.moved) && analysis.contains("my", "our", "the", in: clause.tokens) || takesAlong(clause)
            || isMourned(clause)
        guard !clause.isQuestion, !clause.isConditional, !isOfOthers(clause) || isOwn, !isOpenEnded(clause) else {
            return false
        }
        if clause.cues.has(.voted), talk.isOpen { return false }
        if tokens[clause.begin].text == "thank" { return false }
        // "sorry, in another meeting"
        if clause.cues.has(.refuses), clause.pieces.isEmpty, talk.proposesGathering, !clause.cues.has(.moved) {
            return false
        }
        // "9 to 12.30 is too long for a workshop"
        if clause.tokens.contains(where: {
            ["is", "'s"].contains(tokens[$0].text) && tokens[safe: $0 + 1]?.text == "too"
                && ["long", "early", "late", "short", "far", "much"].contains(tokens[safe: $0 + 2]?.text ?? "")
        }) {
            return false
        }
        // "back from the dentist at 3"
        if ["back", "home", "out"].contains(tokens[clause.begin].text), !clause.cues.has(.invitation) { return false }
        // "parties on Sundays are the worst"
        if !clause.pieces.isEmpty, clause.pieces.allSatisfy(\.isRecurring) || isPluralDay(clause),
            analysis.appointment([clause]).clock == nil,
            analysis.contains("are", "is", "go", "goes", in: clause.tokens),
            !clause.cues.has(.moved, .schedule)
        {
            return false
        }
        if clause.cues.has(.ruled), analysis.appointment([clause]).clock == nil { return false }
        if clause.cues.has(.moved) {
            return !clause.cues.has(.tentative) && (clause.pieces.isEmpty || !clause.pieces.allSatisfy(\.isPast))
        }
        // "you have to try the ramen place on Friday".
        if clause.cues.has(.advice), !analysis.isGathering(clause), !clause.cues.has(.meeting, .invitation) {
            return false
        }
        guard !clause.cues.has(.tentative), !isDenied(clause),
            !isPast(clause) || clause.cues.has(.schedule) || isInvited(clause),
            !isNews(clause)
        else { return false }
        if clause.cues.has(.habit), clause.pieces.contains(where: \.isRecurring) { return false }
        if clause.cues.has(.concluded, .voted), !analysis.isGathering(clause), !clause.cues.has(.meeting),
            analysis.appointment([clause]).clock == nil
        {
            return false
        }
        if clause.cues.has(.habit), !analysis.isGathering(clause) || analysis.appointment([clause]).day == nil {
            return false
        }
        return !isElsewhere(clause) || isOpenToOthers(index)
    }

    private func isPluralDay(_ clause: Clause) -> Bool {
        clause.pieces.allSatisfy { piece in piece.tokens.contains { tokens[$0].has(.weekdays) } }
    }

    /// "his memorial will be held on Friday": of all who knew him.
    private func isMourned(_ clause: Clause) -> Bool {
        tokens[clause.begin].has(.possessive)
            && ["memorial", "funeral", "wake", "cremation", "burial"].contains(
                tokens[safe: clause.begin + 1]?.text ?? "")
    }

    /// "mum's taking me to the optician": somebody else's doing, with the sender.
    private func takesAlong(_ clause: Clause) -> Bool {
        clause.tokens.dropFirst().contains { index in
            ["me", "us"].contains(tokens[index].text)
                && [
                    "taking", "driving", "bringing", "treating", "inviting", "throwing", "giving", "making", "cooking",
                    "meeting", "joining", "fit", "fitting", "squeeze", "squeezing", "asked", "invited",
                ].contains(
                    tokens[index - 1].text)
        }
    }

    /// "Friday 12:30 pho with the team": who with and when, and no verb.
    private func isWithSomebody(_ clause: Clause) -> Bool {
        guard let with = clause.tokens.first(where: { tokens[$0].text == "with" }), let who = tokens[safe: with + 1],
            who.has([.kin, .body, .article, .possessive, .you, .me, .us]) || who.isCapital,
            analysis.appointment(clauses).clock != nil, !clause.pieces.contains(where: \.isDeadline)
        else { return false }
        return with > clause.begin && analysis.piece(at: with - 1) == nil
            && !analysis.hasTrait([.auxiliary, .past, .taskThird, .task, .tasking, .others], in: clause.tokens)
            && !tokens[clause.begin..<with].contains { $0.has([.me, .us, .you, .preposition, .staying]) }
    }

    /// "you've been invited to an interview on Monday".
    private func isInvited(_ clause: Clause) -> Bool {
        clause.cues.has(.invitation) && analysis.contains("invited", "invite", "invites", "asked", in: clause.tokens)
            && !clause.pieces.contains(where: \.isPast)
    }

    func isGatheringStated(_ clause: Clause) -> Bool {
        if analysis.isGathering(clause) { return true }
        // "let's get it in by Friday" is a task of all.
        // "great to see you before christmas" is a wish.
        let isLimited =
            !clause.pieces.isEmpty && clause.pieces.allSatisfy(\.isDeadline)
            && (clause.cues.has(.request) || analysis.appointment([clause]).clock == nil)
        if clause.cues.has(.meeting, .invitation), !isLimited { return true }
        if analysis.mayBeGathering(clause) {
            return clause.pieces.contains { piece in
                switch piece.value {
                case .day, .days, .clock, .clocks, .instant: !piece.isDeadline
                default: false
                }
            } || clause.cues.has(.moved)
        }
        return clause.cues.has(.moved) && clause.cues.has(.schedule) || isTimeSettled(clause) || isTimeAndPlace(clause)
            || isWithSomebody(clause) || isBooked(clause) || isNameAndTime(clause) || isOutingOfUs(clause)
            || isReplacement(clause) || isNamedByTime(clause)
    }

    /// "6:30 outside the station", "tomorrow 5pm at the usual bench": a time, a place and nothing else.
    private func isTimeAndPlace(_ clause: Clause) -> Bool {
        guard analysis.appointment([clause]).clock != nil,
            !clause.pieces.contains(where: { $0.isDeadline || $0.isPast })
        else { return false }
        var index = clause.begin
        // "so that's sunday, 2 o'clock, under the clock"
        if ["that", "it"].contains(tokens[index].text), tokens[safe: index + 1]?.text == "'s" { index += 2 }
        while index < clause.tokens.upperBound,
            analysis.piece(at: index) != nil || tokens[index].isMark(",") || tokens[index].text == "then"
        { index += 1 }
        let hasPlaceAlone =
            tokens[safe: index].map { ["my", "our"].contains($0.text) } ?? false
            && analysis.appointment([clause]).hasDay
        guard index > clause.begin, index + 1 < clause.tokens.upperBound,
            hasPlaceAlone
                || ["at", "outside", "by", "@", "under", "near", "opposite", "behind", "inside"].contains(
                    tokens[index].text)
                || tokens[index].text == "in" && tokens[index + 1].text == "the"
        else { return false }
        let place = tokens[(hasPlaceAlone ? index : index + 1)..<clause.tokens.upperBound]
        return place.first.map { $0.has([.article, .possessive]) || $0.isCapital || Self.homes.contains($0.text) }
            ?? false
            && place.count <= 6
            && !place.contains { $0.has([.auxiliary, .me, .us, .you, .others, .past]) && $0.text != "'s" }
            && !["latest", "moment", "earliest"].contains { name in place.contains { $0.text == name } }
    }

    /// "Tuesday at 7 it is".
    private func isTimeSettled(_ clause: Clause) -> Bool {
        let own = analysis.appointment([clause])
        return clause.cues.has(.picked) && own.hasDay && own.clock != nil
    }

    /// "runs until 5 May", "open until 10": no time to meet.
    private func isOpenEnded(_ clause: Clause) -> Bool {
        let times = clause.pieces.filter { piece in
            switch piece.value {
            case .day, .days, .clock, .clocks: true
            default: false
            }
        }
        let isUntil = { (piece: Piece) in
            piece.isDeadline && tokens[safe: piece.tokens.lowerBound - 1]?.text == "until"
        }
        return !times.isEmpty && times.allSatisfy(isUntil)
            || times.contains(where: isUntil) && analysis.contains("open", "runs", in: clause.tokens)
    }

    private func isDenied(_ clause: Clause) -> Bool {
        clause.cues.has(.cancelled) || tokens[clause.begin].text == "never"
            || tokens[safe: clause.begin]?.text == "do" && tokens[safe: clause.begin + 1]?.text == "n't"
                && !["forget", "be", "miss", "worry"].contains(tokens[safe: clause.begin + 2]?.text ?? "")
    }

    private func isNews(_ clause: Clause) -> Bool {
        guard clause.cues.has(.news) else { return false }
        // "my exhibition opens on Thursday"
        if ["my", "our"].contains(tokens[clause.begin].text), analysis.isGathering(clause) { return false }
        // "a watch party for the finale", "a bake sale": what it is about is no news, unless people watch from afar.
        let isOfOwn =
            clause.first(.compound) != nil
            || analysis.isGathering(clause)
                && !clause.tokens.contains { Self.spectacles.contains(tokens[$0].text) }
        let isTopic = clause.matches.allSatisfy { match in
            match.cue != .news || !tokens[match.tokens].contains { Self.newsVerbs.contains($0.text) }
        }
        return !clause.cues.has(.meeting, .invitation, .moved) && !(isOfOwn && isTopic)
    }

    private static let spectacles: Set<Word> = [
        "match", "game", "race", "final", "tournament", "cup", "derby", "film", "movie", "festival", "exhibition",
        "gig",
        "concert", "kickoff", "kick-off", "football", "rugby", "cricket", "musical", "parade", "fireworks", "marathon",
        "show", "play",
    ]
    private static let newsVerbs: Set<Word> = [
        "luck", "opens", "open", "opening", "closes", "closed", "shut", "hope", "hoping", "goes", "go", "enjoy",
        "served",
        "delayed", "cut", "closure", "they", "he", "she", "says", "apparently", "reportedly", "allegedly", "supposedly",
        "free", "fun", "best", "dream", "arrives", "reopens", "plot", "dropping", "drops", "released", "out", "airs",
    ]

    /// "I'm free Friday", "home by 7".
    private func isElsewhere(_ clause: Clause) -> Bool {
        guard clause.cues.has(.elsewhere) else { return false }
        return !analysis.isGathering(clause) && !clause.cues.has(.invitation, .meeting) && !isOutingOfUs(clause)
    }

    // MARK: Answers

    /// A message that settles what others before it left open.
    mutating func readAnswers() {
        // "can't do friday, saturday works": not the day that is refused.
        let kept = clauses.filter { !$0.cues.has(.refuses, .cancelled) || $0.cues.has(.accepts, .meeting) }
        let own = analysis.appointment(kept.isEmpty ? clauses : kept)
        let accepts = analysis.cues.has(.accepts, .meeting)
        guard
            accepts || own.isDated || own.hasDay || own.clock != nil || own.part != nil
                || analysis.cues.has(.commitment)
        else { return }
        guard !talk.isEmpty, !clauses.indices.contains(where: { clauses[$0].isQuestion && !isFollowUp($0) }) else {
            return
        }
        let isOpen = clauses.contains {
            $0.cues.has(.refuses, .defers) && !isPositive($0) && !isDelay($0)
                && !(talk.asksForTask(orTells: false)
                    && (!$0.pieces.isEmpty && analysis.contains("hopefully", in: $0.tokens) || isNotYet($0)))
        }
        guard !isOpen, !tokens.indices.contains(where: isCondition),
            !analysis.contains("have") || !clauses.contains(where: \.isConditional)
        else { return }
        guard !clauses.contains(where: { isPast($0) && !$0.cues.has(.accepts) }) else { return }
        guard !clauses.contains(where: isInVain) else { return }
        // "we're in Wales that weekend"
        guard
            !clauses.contains(where: {
                $0.cues.has(.elsewhere) && !$0.isQuestion && !$0.cues.has(.accepts, .meeting) && own.clock == nil
                    && analysis.hasTrait([.me, .us], in: $0.tokens)
            })
        else { return }
        // "yes, it was at 8"
        if analysis.contains("was", "were"), !clauses.contains(where: { $0.cues.has(.meeting) }) { return }
        guard !clauses.contains(where: { $0.cues.has(.tentative) && analysis.contains("about", in: $0.tokens) }) else {
            return
        }
        // "will do, by Friday", to "please update the wiki"
        let isPromise = own.isDated && analysis.contains("do", "will", "'ll", "done") && !analysis.cues.has(.elsewhere)
        if talk.asksForTask(orTells: isPromise), !talk.proposesGathering || !accepts, readTaskAnswer(own, accepts) {
            return
        }
        // "see you there" also answers a plan that was told.
        guard talk.proposesGathering || analysis.cues.has(.meeting) && talk.appointment.clock != nil,
            accepts || own.clock != nil && tokens.count <= 14 || own.hasDay && tokens.count <= 8
        else { return }
        guard !isDecisionFirst(own), !isReaction else { return }
        let appointment = own.filled(from: talk.appointment)
        guard appointment.hasDay || appointment.clock != nil else { return }
        let when = appointment.when(at: moment, hint())
        let cue =
            clauses.lazy.compactMap { $0.first(.accepts, .meeting) }.first?.tokens ?? own.tokens.first
            ?? 0..<min(1, tokens.count)
        add(
            extraction(
                .event, titleFromTalk, when, "a proposal that is accepted", [cue],
                location: location ?? locationFromTalk))
    }

    /// "not yet", before it is said when.
    private func isNotYet(_ clause: Clause) -> Bool {
        analysis.contains("yet", in: clause.tokens) && clause.tokens.count <= 4
    }

    /// "oh nice!" to "I've got my driving test tomorrow": no answer to a proposal.
    private var isReaction: Bool {
        let words = tokens.filter { $0.kind == .word }
        guard words.count <= 3, words.allSatisfy({ $0.has([.opener, .adverb, .others]) }),
            words.contains(where: { Self.praise.contains($0.text) })
        else { return false }
        return talk.messages.allSatisfy { analysis in
            !analysis.isQuestion && !analysis.hasTrait([.you, .us])
                && !analysis.clauses.contains { $0.cues.has(.invitation, .tentative, .request) }
                && analysis.hasTrait(.me)
        }
    }

    private static let praise: Set<Word> = [
        "nice", "great", "awesome", "amazing", "wonderful", "lovely", "cool", "yay",
    ]

    /// "would love to but we're away", "8 is a bit much".
    func isInVain(_ clause: Clause) -> Bool {
        if let but = tokens.firstIndex(where: { $0.text == "but" || $0.text == "except" }),
            tokens[..<but].contains(where: { ["would", "'d", "wish"].contains($0.text) }),
            tokens[..<but].contains(where: { ["love", "like", "come", "join", "wish"].contains($0.text) })
        {
            return true
        }
        // "sounds amazing but we've got the in-laws"
        if tokens[clause.tokens.lowerBound].text == "but" || analysis.contains("but", in: clause.tokens),
            clause.tokens.contains(where: { index in
                tokens[index].text == "got" && ["'ve", "have"].contains(tokens[safe: index - 1]?.text ?? "")
                    && tokens[safe: index + 1]?.has([.article, .possessive]) ?? false
            })
        {
            return true
        }
        guard let hour = clause.pieces.first, !clause.cues.has(.accepts), hour.tokens.lowerBound == clause.begin,
            let verb = tokens[safe: hour.tokens.upperBound], ["is", "'s", "would"].contains(verb.text),
            let last = tokens[clause.tokens].last(where: { $0.kind == .word })
        else { return false }
        return !Self.welcome.contains(last.text)
            && !analysis.contains("better", "best", "good", "fine", "perfect", in: clause.tokens)
    }

    private static let welcome: Set<Word> = [
        "good", "great", "fine", "perfect", "okay", "better", "best", "ideal", "lovely", "cool", "easier", "it", "then",
        "works", "me", "us", "everyone", "spot", "on", "brilliant", "doable", "possible", "is", "'s",
    ]

    /// "if", unless "if possible".
    private func isCondition(_ index: Int) -> Bool {
        tokens[index].text == "unless"
            || tokens[index].text == "if" && !["possible", "poss"].contains(tokens[safe: index + 1]?.text ?? "")
    }

    /// "absolutely, where?": a question about what to bring and where, after the acceptance.
    private func isFollowUp(_ index: Int) -> Bool {
        // "absolutely, where?", "ok where?"
        (index > 0 || clauses[index].cues.has(.accepts)) && clauses[index].pieces.isEmpty
            && clauses[...index].contains { $0.cues.has(.accepts) }
            && (index > 0 || ["where", "what", "how"].contains(tokens[clauses[0].begin].text))
            && !analysis.contains(
                "time", "day", "date", "when", "if", "about", "should", "could", "but", "which", "sure", "instead",
                "not", "n't",
                in: clauses[index].tokens)
    }

    /// "yes but I might be a bit late".
    private func isDelay(_ clause: Clause) -> Bool {
        analysis.contains("late", "later", in: clause.tokens)
            && analysis.contains("be", "running", "come", "arrive", in: clause.tokens)
            && !analysis.contains("too", "if", in: clause.tokens)
            && clauses.contains { $0.cues.has(.accepts) && !$0.cues.has(.refuses, .defers) }
    }

    private func isPositive(_ clause: Clause) -> Bool {
        clause.cues.has(.accepts)
            && !analysis.contains(
                "maybe", "perhaps", "might", "not", "n't", "no", "if", "check", "busy", "sorry", "out",
                in: clause.tokens)
    }

    /// "ok going with the Italian place then" settles what, not when.
    private func isDecisionFirst(_ own: Appointment) -> Bool {
        !own.isDated
            && clauses.contains {
                $0.cues.has(.picked, .concluded, .voted, .ruled) && !$0.cues.has(.meeting) && !isBareAgreement($0)
            }
    }

    private func isBareAgreement(_ clause: Clause) -> Bool {
        tokens[clause.tokens].filter { $0.kind == .word && !$0.has(.opener) }.count <= 2
    }

    static let taskAnswer = "the answer to a question about a task"

    private mutating func readTaskAnswer(_ own: Appointment, _ accepts: Bool) -> Bool {
        var appointment = own
        if !own.isDated, own.part == nil {
            // "can you send it by tomorrow?", "will do"; "done!" is over.
            if tokens.count <= 2, tokens[0].text == "done" { return false }
            guard accepts || analysis.cues.has(.commitment),
                let asked = talk.messages.last(where: { analysis in
                    analysis.clauses.contains { $0.cues.has(.request) }
                })
            else { return false }
            appointment = asked.appointment(asked.clauses)
            appointment.tokens = []
            guard appointment.isDated, tokens.count <= 12 else { return false }
        } else if talk.proposesGathering || isPast(clauses[0]) && !own.isDeadline || tokens.count > 16 {
            return false
        }
        let when = appointment.when(at: moment, .none)
        add(extraction(.reminder, titleFromTalk, when, Self.taskAnswer, own.tokens))
        return true
    }
}
