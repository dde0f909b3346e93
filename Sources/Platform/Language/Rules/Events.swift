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
            appointment = appointment.filled(
                from: analysis.appointment([clauses[index]], isMoved: clauses[index].cues.has(.moved)))
        }
        if talk.proposesGathering, !clauses[lead.clause].cues.has(.moved), !isAnotherGathering(lead.clause) {
            appointment = appointment.filled(from: talk.appointment())
        }
        guard appointment.isDated || appointment.hasDay else { return }
        addEvent(lead.clause, appointment)
    }

    private func isNamed(_ index: Int) -> Bool { analysis.mayBeGathering(clauses[index]) }

    /// Whether the message names a gathering and a day of its own.
    private func isAnotherGathering(_ index: Int) -> Bool {
        isNamed(index) && analysis.appointment([clauses[index]]).hasDay && !clauses.contains { $0.cues.has(.accepts) }
    }

    private mutating func addEvent(_ index: Int, _ appointment: Appointment) {
        let when = appointment.when(at: moment, hint())
        let clause = clauses[index]
        let cue = gathering(in: clause) ?? clause.first(.meeting, .invitation, .schedule)?.tokens ?? clause.tokens
        let rule =
            clause.cues.has(.moved)
            ? "a gathering that moved" : isNamed(index) ? "a gathering with a time" : "a plan to meet"
        add(extraction(.event, title(ofEvent: clause), when, rule, [cue], location: location))
        used.insert(index)
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
            && !clause.cues.has(.history, .news, .cancelled, .duty, .request, .elsewhere, .tentative)
            && !isOfOthers(clause)
            && !clause.pieces.isEmpty
    }

    /// Whether a clause states a gathering.
    private func isEvent(_ index: Int) -> Bool {
        let clause = clauses[index]
        guard isGatheringStated(clause) else { return false }
        guard !clause.isQuestion, !clause.isConditional, !isOfOthers(clause), !isOpenEnded(clause) else { return false }
        if clause.cues.has(.ruled), analysis.appointment([clause]).clock == nil { return false }
        if clause.cues.has(.moved) {
            return !clause.cues.has(.tentative) && (clause.pieces.isEmpty || !clause.pieces.allSatisfy(\.isPast))
        }
        guard !clause.cues.has(.tentative), !isDenied(clause), !isPast(clause) || clause.cues.has(.schedule),
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
        return !isElsewhere(clause)
    }

    private func isGatheringStated(_ clause: Clause) -> Bool {
        if analysis.isGathering(clause) { return true }
        // "let's get it in by Friday" is a task of all.
        let isLimited = !clause.pieces.isEmpty && clause.pieces.allSatisfy(\.isDeadline) && clause.cues.has(.request)
        if clause.cues.has(.meeting, .invitation), !isLimited { return true }
        if analysis.hasTrait(.looseGathering, in: clause.tokens) {
            return clause.pieces.contains { piece in
                switch piece.value {
                case .day, .days, .clock, .clocks, .instant: !piece.isDeadline
                default: false
                }
            } || clause.cues.has(.moved)
        }
        return clause.cues.has(.moved) && clause.cues.has(.schedule) || isTimeSettled(clause)
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
        return !times.isEmpty
            && times.allSatisfy { $0.isDeadline && tokens[safe: $0.tokens.lowerBound - 1]?.text == "until" }
    }

    private func isDenied(_ clause: Clause) -> Bool {
        clause.cues.has(.cancelled)
            || tokens[safe: clause.begin]?.text == "do" && tokens[safe: clause.begin + 1]?.text == "n't"
                && !["forget", "be", "miss", "worry"].contains(tokens[safe: clause.begin + 2]?.text ?? "")
    }

    private func isNews(_ clause: Clause) -> Bool {
        guard clause.cues.has(.news) else { return false }
        return !clause.cues.has(.meeting, .invitation, .moved)
    }

    /// "I'm free Friday", "home by 7".
    private func isElsewhere(_ clause: Clause) -> Bool {
        guard clause.cues.has(.elsewhere) else { return false }
        return !analysis.isGathering(clause) && !clause.cues.has(.invitation, .meeting)
    }

    // MARK: Answers

    /// A message that settles what others before it left open.
    mutating func readAnswers() {
        guard !talk.isEmpty, !clauses.contains(where: { $0.isQuestion }) else { return }
        let isOpen = clauses.contains { $0.cues.has(.refuses, .defers) && !isPositive($0) }
        guard !isOpen, !analysis.contains("if", "unless"),
            !analysis.contains("have") || !clauses.contains(where: \.isConditional)
        else { return }
        guard !clauses.contains(where: { isPast($0) && !$0.cues.has(.accepts) }) else { return }
        guard !clauses.contains(where: { $0.cues.has(.tentative) && analysis.contains("about", in: $0.tokens) }) else {
            return
        }
        let own = analysis.appointment(clauses)
        let accepts = clauses.contains { $0.cues.has(.accepts, .meeting) }
        if talk.asksForTask, !talk.proposesGathering || !accepts, readTaskAnswer(own, accepts) { return }
        guard talk.proposesGathering,
            accepts || own.clock != nil && tokens.count <= 14 || own.hasDay && tokens.count <= 8
        else { return }
        guard !isDecisionFirst(own) else { return }
        let appointment = own.filled(from: talk.appointment())
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

    private mutating func readTaskAnswer(_ own: Appointment, _ accepts: Bool) -> Bool {
        var appointment = own
        if !own.isDated, own.part == nil {
            // "can you send it by tomorrow?", "will do".
            guard accepts || clauses.contains(where: { $0.cues.has(.commitment) }),
                let asked = talk.messages.last(where: { analysis in
                    analysis.clauses.contains { $0.cues.has(.request) }
                })
            else { return false }
            appointment = asked.appointment(asked.clauses)
            appointment.tokens = []
            guard appointment.isDated, tokens.count <= 12 else { return false }
        } else if talk.proposesGathering || isPast(clauses[0]) || tokens.count > 16 {
            return false
        }
        let when = appointment.when(at: moment, .none)
        add(extraction(.reminder, titleFromTalk, when, "the answer to a question about a task", own.tokens))
        return true
    }
}
