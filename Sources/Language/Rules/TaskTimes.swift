// When a task is to be done.

extension Reading {
    /// The day and clock of a task: its clause's, or those of the sentence it is in.
    func taskAppointment(_ index: Int, allowsOthers: Bool) -> Appointment {
        var own = analysis.appointment([clauses[index]])
        if own.isDated && !isRelated(clauses[index]) || !allowsOthers { return own }
        let part = own
        let sentence = clauses[index].sentence
        let candidates = (max(0, index - 3)..<min(clauses.count, index + 4)).filter {
            // "Friday at two is fine, I'll update the invite": the day of what is agreed.
            $0 != index && clauses[$0].sentence == sentence
                && !(clauses[$0].cues.has(.accepts) && talk.proposesGathering)
                && (!clauses[$0].cues.has(.news) || isLimit(clauses[$0]))
                && !(clauses[$0].cues.has(.tentative)
                    && analysis.contains("confirm", "know", in: clauses[index].tokens))
                && (!isPast(clauses[$0]) || clauses[$0].isConditional)
        }
        .sorted { ($0 - index).magnitude < ($1 - index).magnitude }
        // "remind me" has no day unless its sentence gives one.
        let isWish = clauses[index].cues.has(.remind)
        for other in candidates where !isWish || clauses[other].isConditional {
            let borrowed = analysis.appointment([clauses[other]])
            if !own.isDated, borrowed.isDated,
                !isGathering(clauses[other]) && !isGatheringStated(clauses[other]) || isRelated(clauses[index])
            {
                own = own.filled(from: borrowed); break
            }
        }
        if isRelated(clauses[index]), own.clock == nil, index > 0,
            !analysis.contains("day", "same", in: clauses[index].tokens)
        {
            let borrowed = analysis.appointment([clauses[index - 1]])
            if borrowed.isDated { own = own.filled(from: borrowed) }
        }
        return own.isDated ? own : part
    }

    /// "… before they shut at 6", "… when they open at 8".
    private func isLimit(_ clause: Clause) -> Bool {
        ["before", "until", "when", "once", "after"].contains(tokens[clause.tokens.lowerBound].text)
    }

    /// Whether a clause speaks of a time that was said before: "then", "before that".
    private func isRelated(_ clause: Clause) -> Bool {
        analysis.contains("then", in: clause.tokens)
            || clause.pieces.contains { if case .sameDay = $0.value { true } else { false } }
    }

    private func isGathering(_ clause: Clause) -> Bool { analysis.isGathering(clause) || clause.cues.has(.meeting) }

    func resolved(_ appointment: Appointment, _ clause: Clause) -> When {
        let hasClock = clause.pieces.contains {
            if case .clock = $0.value { true } else if case .clocks = $0.value { true } else { false }
        }
        let range = hasClock ? clause.tokens : analysis.tokens.indices
        return appointment.when(
            at: moment,
            analysis.contains("tonight", "night", "evening", "morning", "breakfast", in: range)
                ? analysis.hint(in: range) : .none)
    }
}
