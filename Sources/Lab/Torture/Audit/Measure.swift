extension Audit {
    /// One part of the least that a run must have done, and how much of it was done.
    struct Measure: Hashable, Sendable {
        var number: Int
        var least: Int
        /// Says what is missing, if it is.
        var shortage: String

        var isReached: Bool { number >= least }

        /// - Parameter done: what was done, after its number: "files were downloaded".
        init(_ number: Int, of least: Int, _ done: String) {
            (self.number, self.least) = (number, least)
            shortage = "only \(number) \(done), but \(least) are required"
        }

        /// Something that must have happened at all.
        /// - Parameter nothing: what to say if it did not.
        init(once number: Int, _ nothing: String) {
            (self.number, least, shortage) = (number, 1, nothing)
        }
    }

    /// Checks that the run did enough for its result to count.
    mutating func check(_ minimum: Minimum) {
        let missing = measures(minimum).filter { !$0.isReached }
        for measure in missing { found(.tooLittle, measure.shortage) }
        if !missing.isEmpty, let why = facts.gaveUp { found(.tooLittle, why) }
    }

    /// Returns every part of the minimum, with what the checks counted of it.
    func measures(_ minimum: Minimum) -> [Measure] {
        let figures = [
            Measure(checked.acknowledged, of: minimum.acknowledged, "messages were acknowledged"),
            Measure(checked.histories, of: minimum.histories, "histories were read"),
            Measure(checked.messagesOfReaders, of: minimum.messagesOfReaders, "messages of members were compared"),
            Measure(facts.kept.count, of: minimum.keptClients, "clients were compared with new ones"),
            Measure(checked.notes, of: minimum.notes, "system messages were checked"),
            Measure(checked.acceptedRequests, of: minimum.acceptedRequests, "requests were accepted"),
            Measure(checked.downloads, of: minimum.downloads, "files were downloaded"),
            Measure(checked.cards["decision"] ?? 0, of: minimum.cards, "decisions were found in conversations"),
            Measure(checked.cards["event"] ?? 0, of: minimum.cards, "events were found in conversations"),
            Measure(checked.answers, of: minimum.answers, "answers to events were compared"),
            Measure(checked.presence, of: minimum.presence, "people who are there were shown"),
            Measure(checked.closed, of: minimum.closed, "people who look offline were shown"),
            Measure(checked.heardTyping, of: minimum.heardTyping, "signs of typing were awaited"),
            Measure(checked.awaitedPushes, of: minimum.awaitedPushes, "pushes were awaited"),
            Measure(facts.processes.count, of: minimum.processes, "processes were watched"),
            Measure(facts.faults.values.reduce(0, +), of: minimum.faults, "faults happened"),
        ]
        let values = ValueFact.Kind.allCases.map { kind in
            // Of these each person has one.
            let isOne = [.availability, .hiding].contains(kind)
            let least = isOne ? min(minimum.valuesOfEachKind, facts.listeners.count / 2) : minimum.valuesOfEachKind
            return Measure(checked.values[kind, default: 0], of: least, "values of kind \(kind) are certain")
        }
        let kinds = minimum.kinds.sorted().map { kind in
            Measure(once: facts.faults[kind, default: 0], "no fault of kind \(kind) happened")
        }
        return figures + values + kinds + [Measure(once: facts.readings.count, "no position was read")]
    }
}

extension Audit.Minimum {
    /// The part of it that the load does. The rest is done once after the load, by all people and processes alike.
    var ofLoad: Self {
        var minimum = self
        (minimum.keptClients, minimum.presence, minimum.closed, minimum.processes) = (0, 0, 0, 0)
        minimum.awaitedPushes = 0
        return minimum
    }
}
