import Schema

/// When a person was last seen, as far as it is not stored yet. Pure.
struct Sighting: Equatable, Sendable {
    /// A time during which the person was away.
    struct Absence: Equatable, Sendable {
        /// When they had gone; nil: when they were last seen by what is stored.
        var from: Timestamp?
        var to: Timestamp
    }

    /// The most absences kept; of somebody who comes and goes more often, the shortest is forgotten.
    static let absencesMax = 32

    /// When they last came or went.
    var at: Timestamp
    /// The absences but a first one without a beginning. Most people have only that one, and so no array.
    private var others: [Absence] = []
    /// The end of that one.
    private var cameAt: Timestamp?
    /// Whether they came ``at`` that time.
    var isPresent: Bool

    private(set) var absences: [Absence] {
        get { (cameAt.map { [Absence(from: nil, to: $0)] } ?? []) + others }
        set {
            let first = newValue.first.flatMap { $0.from == nil ? $0 : nil }
            (cameAt, others) = (first?.to, Array(first == nil ? newValue[...] : newValue.dropFirst()))
        }
    }

    init(at: Timestamp, isPresent: Bool) {
        (self.at, self.isPresent) = (at, isPresent)
        if isPresent { cameAt = at }
    }

    /// Notes that they came or went.
    mutating func change(isPresent: Bool, at now: Timestamp) {
        if isPresent, !self.isPresent { absences.append(Absence(from: at, to: now)) }
        if absences.count > Self.absencesMax {
            let shortest = absences.indices.min { length(absences[$0]) < length(absences[$1]) }
            if let shortest { absences.remove(at: shortest) }
        }
        (at, self.isPresent) = (now, isPresent)
    }

    /// In microseconds.
    private func length(_ absence: Absence) -> Int64 {
        absence.from.map { from in absence.to.rawValue - from.rawValue } ?? .max
    }

    /// Forgets the absences that are stored.
    mutating func wasWritten(_ stored: Sighting) {
        absences.removeAll { stored.absences.contains($0) }
    }

    /// Puts what was noted before this in front.
    func after(_ earlier: Sighting?) -> Sighting {
        guard let earlier else { return self }
        var both = self
        both.absences = earlier.absences + absences
        return both
    }
}

extension Seen {
    /// When the person was last seen, now or as of the time at which they closed to the other.
    /// - Parameter sighting: what is not stored yet.
    func lastSeen(isOnline: Bool, _ sighting: Sighting?, now: Timestamp) -> Timestamp {
        let last = isOnline ? now : sighting?.at ?? lastSeenAt ?? 0
        guard let closedAt else { return last }
        if let frozenAt { return frozenAt }
        let stored = isPresent ? nil : lastSeenAt
        for absence in sighting?.absences ?? [] {
            guard let from = absence.from ?? stored, from < closedAt, closedAt < absence.to else { continue }
            return from
        }
        return min(last, closedAt)
    }
}
