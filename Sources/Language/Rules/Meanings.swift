// Which words of a clause mean what they say elsewhere.

extension Analysis {
    /// Some words are cues in most places, but not in all.
    func isMeant(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        switch match.cue {
        case .history: return isHistory(match)
        case .picked: return isPicked(match)
        case .concluded: return isConcluded(match)
        case .conditional: return isConditional(match)
        case .tentative, .opinion, .noNeed, .request: return isWishOrView(match)
        // "we're going ahead with it".
        case .meeting
        where tokens[last].text == "going" && ["ahead", "with", "for"].contains(tokens[safe: last + 1]?.text ?? ""):
            return false
        // "I need to know if you're coming".
        case .meeting: return !["if", "whether", "fancy"].contains(tokens[safe: first - 1]?.text ?? "")
        // "going to bed then".
        case .inclined where tokens[first].text == "going" && tokens[safe: first + 1]?.text == "to":
            return tokens[safe: first + 2]?.has([.article, .possessive]) ?? false
        // "we're in Wales that weekend" is elsewhere.
        case .accepts where tokens[last].text == "in" && tokens[first].has(.us):
            return tokens[safe: last + 1].map {
                $0.kind != .word || $0.has([.opener, .conjunction, .adverb, .preposition])
            }
                ?? true
        // "England beat Wales 2-1": a game.
        case .voted where ["beat", "beats"].contains(tokens[first].text):
            return !(tokens[safe: first - 1]?.isCapital ?? false) || !(tokens[safe: first + 1]?.isCapital ?? false)
        // "let's leave it as it is"
        case .defers where tokens[last].text == "leave", .undecided where tokens[last].text == "leave":
            return !(tokens[safe: last + 1]?.text == "it" && tokens[safe: last + 2]?.text == "as")
        // "I'll let Priya know" defers nothing.
        case .defers where tokens[last].text == "let": return tokens[safe: last + 1]?.has(.you) ?? true
        case .compound where tokens[first].text == "polling": return false
        // "good luck" accepts nothing.
        case .accepts where tokens[last].text == "good" && tokens[safe: last + 1]?.text == "luck": return false
        // "5 out of 7 days it rained"
        case .voted:
            return !match.tokens.contains { piece(at: $0) != nil } && !(tokens[safe: last + 1]?.has(.unit) ?? false)
        // "no more crisps left", "no more tears", "new rule at work".
        case .ruled where tokens[first].text == "no":
            return tokens.count >= 4 && tokens.last(where: { $0.kind == .word })?.text != "left"
        case .ruled where ["rule", "policy"].contains(tokens[last].text): return tokens[safe: last + 1]?.text != "at"
        case .invitation:
            // "I'll pop round" invites nobody.
            let before = tokens[safe: first - 2]?.text ?? ""
            // "I need to pop to the bank".
            if tokens[first - (first > 0 ? 1 : 0)].text == "to",
                ["need", "needs", "have", "got", "going"].contains(before)
            {
                return false
            }
            return !["come", "drop", "pop", "swing"].contains(tokens[first].text)
                || !(tokens[safe: first - 1].map { $0.has([.me, .us]) || ["'ll", "will"].contains($0.text) } ?? false)
        case .news: return !["door", "doors"].contains(tokens[safe: first - 1]?.text ?? "")
        default: return true
        }
    }

    /// Whether a cue of what somebody wishes, needs or thinks says so.
    private func isWishOrView(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        switch match.cue {
        // "I'd like to confirm our meeting on Thursday"
        case .tentative where tokens[last].text == "'d" && tokens[safe: last + 1]?.text == "like",
            .opinion where tokens[last].text == "'d" && tokens[safe: last + 1]?.text == "like":
            return !["confirm", "announce", "remind", "invite"].contains(tokens[safe: last + 3]?.text ?? "")
                && !(match.cue == .tentative
                    && tokens[min(last + 2, tokens.count)..<min(last + 4, tokens.count)].contains { $0.has(.you) })
        // "ensure the forms are submitted by Friday": ahead.
        case .noNeed
        where ["is", "are", "'s"].contains(tokens[first].text) && tokens[safe: last + 1]?.has(.preposition) ?? false:
            return !(piece(at: last + 2)?.isDeadline ?? false) && !(piece(at: last + 1)?.isDeadline ?? false)
        // "you couldn't nip to the shop, could you?"
        case .noNeed where tokens[first].text == "n't" && tokens[safe: first - 1]?.text == "could":
            return !(tokens[safe: first - 2]?.has(.you) ?? false)
        // "I've got homework due tomorrow": has it.
        case .noNeed where tokens[last].text == "got" && ["'ve", "have"].contains(tokens[last - 1].text): return false
        // "we'd love for you to join us"
        case .tentative where tokens[last].text == "'d":
            return
                !(["love", "like"].contains(tokens[safe: last + 1]?.text ?? "")
                && tokens[min(last + 2, tokens.count)..<min(last + 4, tokens.count)].contains { $0.has(.you) })
        // "fancy putting the oven on for me?"
        case .request where tokens[first].text == "fancy":
            return tokens[last + 1..<min(tokens.count, last + 12)].contains { $0.text == "for" }
                && tokens[last + 1..<min(tokens.count, last + 13)].contains { $0.has([.me, .us]) }
        // "do you need a lift?" offers.
        case .request where tokens[first].has([.me]) == false && ["need", "want"].contains(tokens[first].text):
            return !(tokens[safe: first - 1]?.has([.you, .others]) ?? false)
        // "please find some time today"
        case .tentative where tokens[first].text == "some", .noNeed where tokens[first].text == "some":
            return !["find", "make", "have", "take", "give", "me", "us"].contains(tokens[safe: first - 1]?.text ?? "")
        case .opinion:
            // "sounds like we're going with Swift" tells what is settled.
            return
                !(["looks", "sounds", "seems"].contains(tokens[last].text) && tokens[safe: last + 1]?.text == "like"
                && (tokens[safe: last + 2]?.has(.us) ?? false))
        default: return true
        }
    }

    /// Whether a cue of what was done tells of the past.
    private func isHistory(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        // "packed lunch needed on friday"
        if tokens[last].text == "needed" && !tokens[first].has([.me, .us, .others, .you]) { return false }
        if tokens[first].text == "have" && (first == 0 || tokens[first - 1].kind == .mark) {
            // "have moved mum's check up": just now.
            return !["moved", "booked", "rescheduled", "pushed", "shifted", "arranged", "reserved"].contains(
                tokens[last].text)
        }
        // "try to get it done": by those who read it.
        if tokens[first].has([.others, .me, .us]) || ["that", "this"].contains(tokens[first].text),
            ["get", "getting", "consider", "have", "need", "want", "keep", "make", "see"].contains(
                tokens[safe: first - 1]?.text ?? "")
        {
            return false
        }
        // "the last Friday of this month" is ahead; "we have got a meeting" is now.
        if piece(at: last).map({ !$0.isPast }) ?? false { return false }
        // "bring it back in tomorrow".
        if tokens[first].text == "back", let next = piece(at: last + 1) {
            switch next.value {
            case .day, .clock: return false
            default: break
            }
        }
        // "panel confirmed: Friday", "meeting confirmed: Tuesday": ahead.
        if tokens[safe: last + 1]?.isMark(":") ?? false, tokens[last].text == "confirmed" { return false }
        // "rehearsal called for 6 tonight": ahead.
        if tokens[first].has([.gathering, .looseGathering]), tokens[safe: last + 1]?.text == "for",
            let next = piece(at: last + 2), !next.isPast
        {
            return false
        }
        if tokens[first].has([.gathering, .looseGathering]),
            ["confirmed", "scheduled", "booked", "arranged", "planned", "set", "organised"].contains(
                tokens[last].text)
        {
            return false
        }
        // "got a meeting at 3": has one.
        if tokens[first].text == "got", last == first + 1, tokens[last].has([.article, .possessive]),
            tokens[last + 1..<min(tokens.count, last + 5)].contains(where: {
                $0.has([.gathering, .looseGathering])
            })
        {
            return false
        }
        return tokens[last].text != "got"
            || !(tokens[safe: last + 1]?.has([.article, .possessive, .gathering]) ?? false)
                && tokens[safe: last + 1]?.text != "to"
    }

    /// Whether a cue of a choice picks something.
    private func isPicked(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        // "so no luck"
        if tokens[first].text == "so" && tokens[safe: first + 1]?.text == "no" {
            // "storm from midnight so no ferries": what follows from a fact.
            return (first == 0 || tokens[first - 1].kind == .mark)
                && ![
                    "luck", "idea", "clue", "thanks", "worries", "problem", "pressure", "rush", "way", "need", "chance",
                    "news", "hurry", "excuses", "change", "stress", "biggie", "harm",
                ].contains(tokens[safe: first + 2]?.text ?? "")
        }
        // "it's a yes from simon cowell"
        if tokens[last].text == "from" {
            return ["all", "everyone", "everybody", "us", "both", "the"].contains(tokens[safe: last + 1]?.text ?? "")
        }
        // "Fox it is!" is a pick, "it is what it is" none; "going with my mum" says with whom.
        if tokens[last].text == "is", tokens[safe: first - 1]?.has(.question) ?? false { return false }
        if tokens[safe: last + 2]?.text == "flow"
            || tokens[last].text == "the" && tokens[safe: last + 1]?.text == "flow"
        {
            return false
        }
        guard let next = tokens[safe: last + 1] else { return true }
        if tokens[last].text == "is", first == last - 1 {
            return next.kind == .mark || next.has([.opener, .adverb]) && next.text != "not"
        }
        return !["with", "for"].contains(tokens[last].text)
            || next.traits.isDisjoint(with: [.kin, .you, .me, .us]) && next.text != "friends"
                && !(next.has(.possessive) && (tokens[safe: last + 2]?.has(.kin) ?? false))
    }

    /// Whether a cue of a conclusion tells what is settled.
    private func isConcluded(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        // "further to our call"
        if tokens[first].text == "our" && tokens[safe: first + 1]?.text == "call" {
            return !(tokens[safe: first - 1]?.has(.preposition) ?? false)
        }
        // "it's already done" tells of a task.
        if tokens[match.tokens].contains(where: { $0.text == "already" }) { return false }
        // "agreed, it was great": of an opinion.
        if tokens[last].text == "agreed" && tokens[safe: last + 1]?.isMark(",") ?? false {
            return !(tokens[safe: last + 2]?.has(.others) ?? false)
        }
        // "the theme is due to be announced"
        if ["theme", "motto"].contains(tokens[safe: first + 1]?.text ?? "") {
            return !["due", "not", "still", "yet", "a", "so", "too", "undecided"].contains(
                tokens[safe: last + 1]?.text ?? "")
        }
        // "the plan is falling apart", "nobody picked up"
        if tokens[last].text == "is" && tokens[safe: last - 1]?.text == "plan" {
            return
                !(tokens[safe: last + 1].map { $0.has(.doing) || ["in", "still", "not"].contains($0.text) } ?? false)
        }
        if tokens[last].text == "picked" { return tokens[safe: last + 1]?.text != "up" }
        // "settled in nicely"
        if tokens[last].text == "settled" && tokens[safe: last + 1]?.text == "in" { return false }
        // "officially sick of this weather"
        if first == last && tokens[first].text == "officially" {
            return tokens[safe: first - 1]?.has([.us, .auxiliary]) ?? false
                || tokens[safe: first + 1]?.has([.settled, .choosing, .past]) ?? false
        }
        // "the answer is 42"
        if tokens[last].text == "is" && tokens[safe: last + 1]?.kind == .number { return false }
        if tokens[last].text == "landed" { return tokens[safe: last + 1]?.text == "on" }
        return tokens[last].text != "confirmed" || !(tokens[safe: last + 1]?.isMark(":") ?? false)
    }

    /// Whether a cue of a condition leaves something open.
    private func isConditional(_ match: CueMatch) -> Bool {
        let (first, last) = (match.tokens.lowerBound, match.tokens.upperBound - 1)
        // "I don't suppose you could …" asks.
        if tokens[first].text == "suppose", tokens[safe: last + 1]?.has(.you) ?? false { return false }
        // "comments by Friday would be great" asks.
        if tokens[last].text == "be", tokens[first].text == "would",
            piece(at: first - 1)?.isDeadline ?? false || piece(at: first - 2)?.isDeadline ?? false
        {
            return false
        }
        // "we should have the slides by Friday", "I'd like the draft by noon".
        if tokens[last].text == "have", tokens[safe: last + 1]?.has([.article, .possessive]) ?? false {
            return false
        }
        if tokens[last].text == "'d",
            ["like", "love", "need", "appreciate"].contains(tokens[safe: last + 1]?.text ?? "")
        {
            return false
        }
        return !tokens[match.tokens].contains { $0.text == "if" }
            || !(match.tokens.contains { tokens[$0].text == "if" && isWhether($0) })
    }
}
