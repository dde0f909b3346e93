// Which words of a clause name a gathering.

extension Analysis {
    /// Whether a clause names a gathering that needs no time to be one.
    func isGathering(_ clause: Clause) -> Bool {
        if clause.matches.contains(where: { $0.cue == .compound && !isOfThing($0.tokens.upperBound, clause) })
            || clause.tokens.contains(where: isBirthday)
        {
            return true
        }
        return clause.tokens.contains { index in
            tokens[index].has(.gathering) && !isOfThing(index + 1, clause) && !isPerson(index) && !isReferredTo(index)
        }
    }

    /// "Grandad's 90th", "my 40th", which are no days of a month.
    private func isBirthday(_ index: Int) -> Bool {
        guard tokens[index].isOrdinal, piece(at: index) == nil, let before = tokens[safe: index - 1] else {
            return false
        }
        return before.text == "'s" || before.has(.possessive)
    }

    /// "the pages for tomorrow's class": one that is known already.
    private func isReferredTo(_ index: Int) -> Bool {
        guard tokens[safe: index - 1]?.text == "'s", let day = piece(at: index - 2) ?? piece(at: index - 1) else {
            return false
        }
        // "following Tuesday's discussion".
        if tokens[day.tokens.lowerBound].text == "following" { return true }
        return ["for", "before", "after", "from", "about", "until", "since", "per", "in", "during"].contains(
            tokens[safe: day.tokens.lowerBound - 1]?.text ?? "")
    }

    /// "the doctor sees patients": who works there, not the appointment.
    private func isPerson(_ index: Int) -> Bool {
        guard let next = tokens[safe: index + 1],
            !(tokens[safe: index + 2]?.has(.preposition) ?? false) || next.has(.past)
        else { return false }
        return ["doctor", "dentist", "vet", "barber", "hairdresser", "physio", "therapist", "optician", "gp", "nurse"]
            .contains(
                tokens[index].text)
            && (next.has(.taskThird)
                || ["sees", "said", "says", "told", "thinks", "has", "was", "wants", "gave", "called"].contains(
                    next.text))
    }

    /// "when will you call the plumber": a verb with its object.
    private func isVerb(_ index: Int) -> Bool {
        guard tokens[index].has(.task), let before = tokens[safe: index - 1], let next = tokens[safe: index + 1] else {
            return false
        }
        return
            (before.has([.me, .us, .you, .others])
            || ["to", "will", "'ll", "please", "and", "can", "could", "should", "must"].contains(before.text))
            && (next.has([.article, .possessive, .kin])
                || ["him", "them", "her", "to", "over", "into", "through"].contains(next.text))
    }

    /// "the school run": no run.
    private func isErrand(_ index: Int) -> Bool {
        tokens[index].text == "run"
            && ["school", "nursery", "food", "beer", "tip", "airport", "dry", "trial"].contains(
                self.tokens[safe: index - 1]?.text ?? "")
    }

    /// "birthday present", "dinner reservation": a thing for a gathering.
    private func isOfThing(_ index: Int, _ clause: Clause) -> Bool {
        guard clause.tokens.contains(index) else { return false }
        return [
            "present", "presents", "gift", "gifts", "card", "cards", "cake", "list", "invite", "invites", "invitation",
            "invitations", "notes", "ticket", "money", "kit", "form", "forms", "minutes", "agenda", "slides", "shoes",
            "dress", "free", "bag", "fee", "fees", "order", "orders", "slip", "slips", "tickets", "permission",
            "signup", "budget", "recording", "break", "menu", "box", "hour", "stuff", "things", "gear", "clothes",
            "costume", "prize", "prizes", "songs", "song", "playlist", "music", "room", "point", "link", "documents",
            "paperwork", "letter", "goggles", "uniform",
        ].contains(tokens[index].text)
    }

    /// Whether a clause names anything that people may gather for.
    func mayBeGathering(_ clause: Clause) -> Bool {
        isGathering(clause)
            || clause.tokens.contains {
                tokens[$0].has(.looseGathering) && !isVerb($0) && !isErrand($0) && !isReferredTo($0)
                    && !isOfThing($0 + 1, clause)
            }
    }
}
