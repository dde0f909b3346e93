extension Grammar {
    /// Whether a number here is likely to be an hour: after "at" or a day.
    func expectsClock(before index: Int, after previous: Piece?) -> Bool {
        if !isChat { return true }
        if let previous, previous.tokens.upperBound >= index - 1, isNearDay(previous, index) { return true }
        guard index > 0 else { return isReplyNumber(index) }
        let before = tokens[index - 1]
        if before.kind == .mark {
            return
                before.text == "@" || before.text == "~"
                || before.text == "," && isWord(index + 1, "tomorrow", "tonight", "today") && isReplyNumber(index)
        }
        switch before.text {
        case "at", "around", "by", "until", "from", "before", "after", "about", "roughly", "approx", "circa", "say",
            "past", "till", "is", "make", "between", "like", "since", "starting", "starts", "for":
            // "a table for 4", "enough for 8": people.
            if before.text == "for", hasClock(after: index) { return false }
            if before.text == "for", isWord(index - 2, "table", "tables", "room", "space", "places", "enough", "cook") {
                return false
            }
            return before.text != "for" && before.text != "is" && before.text != "make" && before.text != "like"
                || isReplyNumber(index)
        case "to" where isWord(index - 2, "moved", "moves", "pushed", "shifted", "changed", "forward", "back"):
            return true
        default: return isReplyNumber(index)
        }
    }

    /// "dinner for 4 tomorrow at 7": a sentence that says its time later counts people before.
    private func hasClock(after index: Int) -> Bool {
        guard self[index + 1]?.kind == .word, cardinal(at: index) != nil else { return false }
        for next in (index + 1)..<min(tokens.count, index + 10) {
            if tokens[next].kind == .mark, [".", "!", "?", "\n", ";"].contains(tokens[next].text) { return false }
            if isWord(next, "at") || isMark(next, "@"), let number = cardinal(at: next + 1), 0...24 ~= number.value {
                return true
            }
            if tokens[next].kind == .number, isWord(next + 1, "am", "pm", "h") || isMark(next + 1, ":") { return true }
        }
        return false
    }

    private func isNearDay(_ piece: Piece, _ index: Int) -> Bool {
        switch piece.value {
        case .day, .days, .part:
            return piece.tokens.upperBound == index || isMark(index - 1, ",") || isMark(index - 1, "@")
        default: return false
        }
    }

    /// A number that stands alone, as in "8?" and "8 it is", or goes with a day, as in "9 tomorrow".
    private func isReplyNumber(_ index: Int) -> Bool {
        guard let number = cardinal(at: index), 1...12 ~= number.value,
            !isWord(index - 1, "number", "no", "flat", "room", "gate", "bus", "level", "house", "unit")
        else { return false }
        let isFirst =
            index == 0 || tokens[index - 1].kind == .mark || tokens[index - 1].has([.opener, .conjunction])
            || isWord(
                index - 1, "for", "say", "it", "is", "make", "not", "like", "'s", "do", "doors", "kickoff",
                "start", "starts", "begins", "meet", "does", "would", "maybe")
        let next = afterRange(number.next)
        if isWord(next, "tomorrow", "tonight", "today", "this", "sharp", "ish", "tmrw")
            || next > number.next && self[next]?.has(.weekday) ?? false
        {
            return true
        }
        guard isFirst else { return false }
        guard let after = self[number.next] else { return true }
        if after.kind == .mark { return [".", "?", "!", ",", "\n", "·", ")"].contains(after.text) }
        return [
            "it", "then", "works", "'s", "is", "sounds", "please", "would", "suits", "good", "or", "instead", "okay",
            "on", "and", "for", "but", "at", "by", "outside", "under", "opposite", "not",
        ]
        .contains(after.text)
    }

    /// Past the rest of "9.10" and of "6-8".
    private func afterRange(_ index: Int) -> Int {
        if isMark(index, "."), isJoined(index), minute(at: index + 1) != nil { return index + 2 }
        return isMark(index, "-") ? cardinal(at: index + 1)?.next ?? index : index
    }

    /// What follows a number that counts or measures something.
    private func isMeasured(_ index: Int) -> Bool {
        guard let next = self[index] else { return false }
        if next.kind == .mark { return next.text == "%" || next.text == "/" && isJoined(index) || next.text == "+" }
        if next.kind == .number { return !isMark(index, ":") && next.isSpaced }
        if next.lexeme.unit != .none, next.text != "h" { return true }
        // "4k", whose letter alone is "okay"
        if isWord(index, "okay"), isJoined(index) { return true }
        switch next.text {
        case "of", "people", "ppl", "percent", "degrees", "km", "miles", "euros", "euro", "dollars", "quid", "bucks",
            "pounds", "kids", "guys", "pages", "times", "points", "items", "ms", "kg", "gb", "mb", "seats", "tickets",
            "more", "others", "adults", "nights", "beers", "pints", "m", "cm", "k", "star", "stars", "bedrooms",
            "rooms", "tables", "copies", "persons", "blocks", "stops", "years", "goals", "hundred", "thousand":
            return true
        default: return false
        }
    }

    /// A clock time.
    /// - Parameter allowsBare: whether an hour without any sign may be one.
    func clock(at index: Int, allowsBare: Bool) -> Found<Clock>? {
        guard var found = plainClock(at: index, allowsBare: allowsBare) else { return nil }
        if let half = half(at: found.next), !found.value.isExact || found.value.hour <= 12 {
            (found.value.half, found.value.isExact, found.value.isBare) = (half.value, false, false)
            if found.value.hour == 0 { found.value.isExact = true }
            found.next = half.next
        }
        if found.value.isBare, !allowsBare { return nil }
        if isJoined(found.next), isWord(found.next, "ish") { found.next += 1 }
        if isMark(found.next, "-"), isWord(found.next + 1, "ish") { found.next += 2 }
        if let zone = zone(at: found.next) ?? bracketedZone(at: found.next) ?? isoOffset(after: index, at: found.next) {
            found.value.zone = zone.value
            found.next = zone.next
        }
        return found
    }

    /// "15:00 (UTC+1)"
    private func bracketedZone(at index: Int) -> Found<ZoneName>? {
        guard isMark(index, "("), let zone = zone(at: index + 1), isMark(zone.next, ")") else { return nil }
        return Found(zone.value, zone.next + 1)
    }

    /// "09:30+02:00", and after a date "T09:30-0500" and "T09:30Z".
    private func isoOffset(after start: Int, at index: Int) -> Found<ZoneName>? {
        let isAfterDate = isWord(start - 1, "t") && isJoined(start)
        if isAfterDate, isJoined(index), isWord(index, "z") { return Found(.fixed(0), index + 1) }
        guard isJoined(index), isMark(start + 1, ":"), isAfterDate || isMark(index, "+") else { return nil }
        return offset(at: index)
    }

    /// "+2", "-5", "+05:30", "-0330": hours east of Greenwich.
    private func offset(at index: Int) -> Found<ZoneName>? {
        guard isMark(index, "+") || isMark(index, "-"), isJoined(index + 1), let token = self[index + 1],
            token.kind == .number, !token.isOrdinal, half(at: index + 2) == nil
        else { return nil }
        var (hours, minutes, next) = (token.value, 0, index + 2)
        if token.digits > 2 {
            guard 3...4 ~= token.digits else { return nil }
            (hours, minutes) = token.value.quotientAndRemainder(dividingBy: 100)
        } else if isMark(next, ":"), isJoined(next), isJoined(next + 1), let found = minute(at: next + 1) {
            (minutes, next) = (found, next + 2)
        }
        guard 0...14 ~= hours, minutes < 60 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return Found(.fixed(isMark(index, "-") ? -seconds : seconds), next)
    }

    private func plainClock(at index: Int, allowsBare: Bool) -> Found<Clock>? {
        guard let token = self[index] else { return nil }
        if token.kind == .word { return spokenClock(at: index, allowsBare: allowsBare) }
        guard token.kind == .number, !token.isOrdinal, token.digits <= 4, index == 0 || !isPrice(index) else {
            return nil
        }
        if let noon = after(index + 1, "noon"), token.value == 12 { return Found(Clock(hour: 12, isExact: true), noon) }
        if token.value == 12, let midnight = after(index + 1, "midnight") {
            return Found(Clock(hour: 0, isExact: true, isMidnight: true), midnight)
        }
        if let found = pastHour(token.value, at: index + 1) { return found }
        guard token.digits <= 2, token.value <= 24 else { return militaryClock(at: index) }
        let hour = token.value
        let isPadded = token.digits == 2 && hour < 10
        if isMark(index + 1, ":"), isJoined(index + 1), isJoined(index + 2), let minute = minute(at: index + 2),
            !isChat || !isWord(index - 1, "in")
        {
            var (clock, next) = (Clock(hour: hour % 24, minute: minute), index + 3)
            if isMark(next, ":"), isJoined(next), let second = self.minute(at: next + 1) {
                (clock.second, next) = (second, next + 2)
            }
            clock.isExact = isPadded || hour > 12 || hour == 0
            if isWord(next, "h"), isJoined(next) { next += 1 }
            return Found(clock, next)
        }
        if isMark(index + 1, "."), isJoined(index + 1), isJoined(index + 2), let minute = minute(at: index + 2) {
            // "7.30" may be a price or a version: it needs a half, or a word before that wants a time.
            let isTaken = isWord(index - 1, "the") && isWord(index - 2, "take", "have", "grab", "do", "for", "prefer")
            if half(at: index + 3) != nil || (allowsBare || isTaken) && !isMeasured(index + 3) {
                return Found(Clock(hour: hour % 24, minute: minute, isExact: isPadded || hour > 12), index + 3)
            }
            return nil
        }
        if isWord(index + 1, "h"), isJoined(index + 1) {
            if isJoined(index + 2), let minute = minute(at: index + 2) {
                return Found(Clock(hour: hour % 24, minute: minute, isExact: true), index + 3)
            }
            return Found(Clock(hour: hour % 24, isExact: true), index + 2)
        }
        if let next = after(index + 1, "o'clock") { return Found(Clock(hour: hour, isExact: hour > 12), next) }
        guard 1...12 ~= hour else { return nil }
        if half(at: index + 1) != nil { return Found(Clock(hour: hour, isBare: true), index + 1) }
        if isJoined(index + 1), isWord(index + 1, "ish") { return Found(Clock(hour: hour), index + 1) }
        if isMark(index + 1, "-"), isWord(index + 2, "ish") { return Found(Clock(hour: hour), index + 1) }
        guard allowsBare, !isMeasured(index + 1) else { return nil }
        return Found(Clock(hour: hour, isBare: true), index + 1)
    }

    private func isPrice(_ index: Int) -> Bool {
        isMark(index - 1, "$") || isMark(index - 1, "£") || isMark(index - 1, "#") || isMark(index - 1, "€")
            || isMark(index - 1, "·") && isJoined(index)
    }

    /// "1430 hours", "0900".
    private func militaryClock(at index: Int) -> Found<Clock>? {
        let token = tokens[index]
        guard 3...4 ~= token.digits, token.value / 100 < 24, token.value % 100 < 60 else { return nil }
        let clock = Clock(hour: token.value / 100, minute: token.value % 100, isExact: true)
        if token.digits == 4, isWord(index + 1, "h", "hrs", "hours") { return Found(clock, index + 2) }
        if token.digits >= 3, isWord(index + 1, "am", "pm") || isJoined(index + 1) && isWord(index + 1, "a", "p"),
            1...12 ~= token.value / 100
        {
            return Found(Clock(hour: token.value / 100, minute: token.value % 100), index + 1)
        }
        guard token.digits == 4 else { return nil }
        // "thursday 0800"
        if token.value < 1000,
            self[index - 1]?.has(.weekday) ?? false || isWord(index - 1, "tomorrow", "today")
                || isWord(index + 1, "tomorrow", "today", "on")
        {
            return Found(clock, index + 1)
        }
        return isWord(index - 1, "at", "@") && token.value % 5 == 0 && !(1900...2100 ~= token.value)
            ? Found(clock, index + 1) : nil
    }

    private func minute(at index: Int) -> Int? {
        guard let token = self[index], token.kind == .number, token.digits == 2, token.value < 60 else { return nil }
        return token.value
    }

    /// "15 past noon", "20 to 8", "5 minutes past 3".
    private func pastHour(_ minutes: Int, at index: Int) -> Found<Clock>? {
        guard 1...59 ~= minutes else { return nil }
        let sign = self[index]?.lexeme.unit == .minute ? index + 1 : index
        let isUntilNoon = isWord(sign, "until") && isWord(sign + 1, "noon", "midnight")
        guard
            isWord(sign, "past", "after") || isUntilNoon
                || isWord(sign, "to", "before") && (sign > index || minutes % 5 == 0)
        else { return nil }
        // "5 to 7" is a range.
        guard isWord(sign, "past") || sign > index || minutes >= 13 || isWord(sign + 1, "noon", "midnight") else {
            return nil
        }
        let isBefore = isWord(sign, "to", "before", "until")
        guard let hour = hourName(at: sign + 1) else { return nil }
        return Found(shifted(hour.value, isBefore ? -minutes : minutes), hour.next)
    }

    private func shifted(_ clock: Clock, _ minutes: Int) -> Clock {
        var clock = clock
        let total = (clock.hour * 60 + minutes + 1440) % 1440
        (clock.hour, clock.minute, clock.isBare) = (total / 60, total % 60, false)
        if clock.hour == 0, !clock.isExact { clock.hour = 12 }
        return clock
    }

    /// An hour after "half past": "six", "6", "noon".
    private func hourName(at index: Int) -> Found<Clock>? {
        if isWord(index, "noon", "midday") { return Found(Clock(hour: 12, isExact: true), index + 1) }
        if isWord(index, "midnight") { return Found(Clock(hour: 0, isExact: true), index + 1) }
        guard let hour = cardinal(at: index), 1...23 ~= hour.value else { return nil }
        return Found(Clock(hour: hour.value, isExact: hour.value > 12), hour.next)
    }

    /// "noon", "half past six", "half 5", "quarter to eight", "seven thirty", "eight o'clock".
    private func spokenClock(at index: Int, allowsBare: Bool) -> Found<Clock>? {
        switch tokens[index].text {
        case "noon", "midday": return Found(Clock(hour: 12, isExact: true), index + 1)
        case "mid" where isWord(index + 1, "day") || isMark(index + 1, "-") && isWord(index + 2, "day"):
            return Found(Clock(hour: 12, isExact: true), isWord(index + 1, "day") ? index + 2 : index + 3)
        case "mid"
        where !isChat
            && (isWord(index + 1, "morning", "afternoon")
                || isMark(index + 1, "-") && isWord(index + 2, "morning", "afternoon")):
            let part = isMark(index + 1, "-") ? index + 2 : index + 1
            return Found(Clock(hour: isWord(part, "morning") ? 10 : 14, isExact: true), part + 1)
        case "midmorning" where !isChat: return Found(Clock(hour: 10, isExact: true), index + 1)
        case "midafternoon" where !isChat: return Found(Clock(hour: 14, isExact: true), index + 1)
        case "noontime": return Found(Clock(hour: 12, isExact: true), index + 1)
        case "midnight": return Found(Clock(hour: 0, isExact: true, isMidnight: true), index + 1)
        case "half":
            let next = isWord(index + 1, "past") ? index + 2 : index + 1
            guard let hour = hourName(at: next), hour.value.hour <= 12 else { return nil }
            // "half 5" is half past; "half 5" of something is not.
            if next == index + 1, self[hour.next]?.lexeme.unit != Unit.none, self[hour.next] != nil { return nil }
            return Found(shifted(hour.value, 30), hour.next)
        case "a" where isWord(index + 1, "quarter"), "quarter":
            let sign = isWord(index, "a") ? index + 2 : index + 1
            guard isWord(sign, "past", "to", "after", "before", "of"), let hour = hourName(at: sign + 1) else {
                return nil
            }
            return Found(shifted(hour.value, isWord(sign, "past", "after") ? 15 : -15), hour.next)
        default: break
        }
        guard tokens[index].has(.cardinal), let hour = cardinal(at: index) else { return nil }
        // "eighteen hundred hours"
        if hour.value < 24, isWord(hour.next, "hundred"), isWord(hour.next + 1, "hours", "hrs", "h") {
            return Found(Clock(hour: hour.value, isExact: true), hour.next + 2)
        }
        if let found = pastHour(hour.value, at: hour.next) { return found }
        guard 1...12 ~= hour.value else { return nil }
        if let next = after(hour.next, "o'clock") { return Found(Clock(hour: hour.value), next) }
        // "nine oh five"
        if isWord(hour.next, "oh"), let minute = cardinal(at: hour.next + 1), 1...9 ~= minute.value {
            return Found(Clock(hour: hour.value, minute: minute.value), minute.next)
        }
        // "ten-thirty"
        if isMark(hour.next, "-"), isJoined(hour.next), isJoined(hour.next + 1), self[hour.next + 1]?.kind == .word,
            let minute = cardinal(at: hour.next + 1), minute.value % 5 == 0, 10...55 ~= minute.value
        {
            return Found(Clock(hour: hour.value, minute: minute.value), minute.next)
        }
        if let minute = cardinal(at: hour.next), self[hour.next]?.kind == .word, 10...59 ~= minute.value {
            return Found(Clock(hour: hour.value, minute: minute.value), minute.next)
        }
        if half(at: hour.next) != nil { return Found(Clock(hour: hour.value, isBare: true), hour.next) }
        if isJoined(hour.next), isWord(hour.next, "ish") { return Found(Clock(hour: hour.value), hour.next) }
        guard allowsBare, !isMeasured(hour.next) else { return nil }
        if isChat, hour.value == 1, !isWord(index - 1, "at", "around", "by", "until", "before") { return nil }
        return Found(Clock(hour: hour.value, isBare: true), hour.next)
    }

    /// "pm", "p", "in the morning", "at night".
    private func half(at index: Int) -> Found<Clock.Half>? {
        guard let token = self[index], token.kind == .word else { return nil }
        switch token.text {
        case "am" where !(isChat && token.isSpaced && isAmVerb(index)): return Found(.am, index + 1)
        case "pm": return Found(.pm, index + 1)
        case "a" where isJoined(index): return Found(.am, index + 1)
        case "p" where isJoined(index): return Found(.pm, index + 1)
        case "a" where isWord(index + 1, "m"): return Found(.am, index + 2)
        case "p" where isWord(index + 1, "m"): return Found(.pm, index + 2)
        case "in":
            let part = isWord(index + 1, "the") ? index + 2 : index + 1
            if isWord(part, "morning", "am") { return Found(.am, part + 1) }
            return isWord(part, "afternoon", "evening", "night", "pm") ? Found(.pm, part + 1) : nil
        case "at" where isWord(index + 1, "night"): return Found(.pm, index + 2)
        case "this" where isWord(index + 1, "morning") && !isChat: return Found(.am, index + 2)
        default: return nil
        }
    }

    /// "5 am I": the verb.
    private func isAmVerb(_ index: Int) -> Bool { isWord(index + 1, "i") }

    /// Two clock times with a sign between: "3-5pm", "10am to 1pm", "between 9.30 and 4.30pm".
    func clockRange(at index: Int, after previous: Piece?) -> Found<Piece.Value>? {
        guard let token = self[index],
            token.kind == .number || token.has([.cardinal])
                || isWord(index, "between", "noon", "from", "half", "quarter")
        else { return nil }
        let isBetween = isWord(index, "between")
        var start = isBetween || isWord(index, "from") ? index + 1 : index
        if start > index, isWord(start, "the", "around", "about") { start += 1 }
        var wants = start > index || expectsClock(before: start, after: previous)
        // A bare first hour is one if the second is.
        guard var first = clock(at: start, allowsBare: true) else { return nil }
        // "T09:30-05:00"
        if isWord(start - 1, "t"), isJoined(start), first.value.zone != nil { return nil }
        let sign =
            isBetween
            ? after(first.next, "and") ?? after(first.next, "&") ?? rangeSign(at: first.next)
            : rangeSign(at: first.next)
        guard let sign, var second = clock(at: sign, allowsBare: true), !isMeasured(second.next) else { return nil }
        // "7-5" is a score, "3-5" in a row of seats.
        var isSure = !first.value.isBare || !second.value.isBare
        // "the slot is 10-12 on sunday"
        let day = isWord(second.next, "on") ? second.next + 1 : second.next
        if isWord(index - 1, "is", "from", "'s"), self[day]?.has(.weekday) ?? isWord(day, "tomorrow", "today") {
            (isSure, wants) = (true, true)
        }
        guard
            isSure
                || wants
                    && (start > index || index > 0 && (isNear(previous, start) || isWord(index - 1, "at")) || !isChat)
        else { return nil }
        if let zone = second.value.zone, first.value.zone == nil { first.value.zone = zone }
        if second.value.half == .pm, first.value.isOpen {
            first.value.half = first.value.time(.pm) <= second.value.time(nil) ? .pm : .am
        } else if second.value.half == .am, first.value.isOpen {
            first.value.half = first.value.time(.am) <= second.value.time(nil) ? .am : .pm
        }
        if isPlaced(first.value), second.value.isOpen {
            let later = [Clock.Half.am, .pm].first { second.value.time($0) > first.value.time(nil) }
            second.value.half = later ?? .am
        }
        return Found(.clocks(first.value, second.value), second.next)
    }

    private func isPlaced(_ clock: Clock) -> Bool { !clock.isOpen }

    private func isNear(_ piece: Piece?, _ index: Int) -> Bool {
        guard let piece else { return false }
        return piece.tokens.upperBound >= index - 1 && isNearDay(piece, index)
    }

    /// "PT", "Eastern", "CET", "London time".
    private func zone(at index: Int) -> Found<ZoneName>? {
        guard let token = self[index], token.kind == .word else { return nil }
        if let zone = ZoneNames.abbreviations[token.text], token.isCapital || token.text.count > 2 || !isChat {
            // "UTC-5", "GMT +2"
            if isWord(index, "utc", "gmt"), let offset = offset(at: index + 1) { return offset }
            let next = isWord(index + 1, "time") ? index + 2 : index + 1
            if token.text == "mountain" || token.text == "central" || token.text == "eastern" || token.text == "pacific"
            {
                let isZone = token.isCapital || isWord(index + 1, "time")
                guard isZone else { return nil }
                return Found(
                    zone, isWord(index + 1, "standard", "daylight") && isWord(index + 2, "time") ? index + 3 : next)
            }
            return Found(zone, next)
        }
        if isWord(index, "your", "my", "our", "local"), isWord(index + 1, "time") { return Found(.own, index + 2) }
        if isWord(index + 1, "time"), let city = ZoneNames.cities[[token.text]] {
            return Found(.named(city), index + 2)
        }
        if isWord(index + 2, "time"), let city = ZoneNames.cities[[token.text, word(index + 1)]] {
            return Found(.named(city), index + 3)
        }
        return nil
    }
}
