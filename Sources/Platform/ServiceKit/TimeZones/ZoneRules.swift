import Schema

/// The rules of one time zone: the offsets from UTC in order of time. Pure.
public struct ZoneRules: Equatable, Sendable {
    struct Transition: Equatable, Sendable {
        /// Seconds since 1970, UTC.
        var at: Int64
        /// Seconds to add to UTC from then on.
        var offset: Int64
    }

    /// The offset before the first transition.
    var first: Int64
    var transitions: [Transition]
    /// The rule after the last transition; nil: that transition lasts.
    var rule: PosixRule?

    /// The offset from UTC at a time, both in seconds.
    public func offset(at time: Int64) -> Int64 {
        if let rule, time >= transitions.last?.at ?? .min { return rule.offset(at: time) }
        // The first transition that is later.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : transitions[low - 1].offset
    }

    /// The offsets in effect from `start` to `end`.
    private func offsets(from start: Int64, to end: Int64) -> Set<Int64> {
        var found: Set<Int64> = [offset(at: start), offset(at: end)]
        for transition in transitions where transition.at > start && transition.at <= end {
            found.insert(transition.offset)
        }
        if let rule, end >= transitions.last?.at ?? .min { found.formUnion(rule.offsets) }
        return found
    }

    /// The times at which the offset changes from `start` to `end`, in order.
    public func changes(from start: Timestamp, to end: Timestamp) -> [OffsetChange] {
        let (first, last) = (start.rawValue.floorDivided(by: 1_000_000), end.rawValue.floorDivided(by: 1_000_000))
        guard first <= last else { return [] }
        var times = Set(transitions.map(\.at))
        if let rule {
            for year in CivilDay.year(of: Int(first / 86_400)) - 1...CivilDay.year(of: Int(last / 86_400)) + 1 {
                times.formUnion(rule.changes(in: year))
            }
        }
        return times.filter { first...last ~= $0 }.sorted().compactMap { time in
            let (before, after) = (offset(at: time - 1), offset(at: time))
            return before == after
                ? nil : OffsetChange(at: Timestamp(time * 1_000_000), before: before, after: after)
        }
    }

    /// The time on the wall at an instant.
    public func time(at instant: Timestamp) -> ZonedTime {
        let offset = offset(at: instant.rawValue.floorDivided(by: 1_000_000))
        return ZonedTime(
            instant: instant, civil: CivilTime(instant.rawValue.addingSaturated(offset * 1_000_000)), offset: offset)
    }

    /// The instant of a time on the wall, by the rules of RFC 5545, section 3.3.5. A time that the clocks skip is read
    /// with the offset before the gap, so 02:30 becomes 03:30. Of a time that comes twice, the first counts.
    /// - Parameter preferred: the offset that decides between two instants.
    public func time(_ civil: CivilTime, preferring preferred: Int64? = nil) -> ZonedTime {
        let wall = civil.seconds
        // No offset is a day and three hours or more.
        let candidates = offsets(from: wall - 97_200, to: wall + 97_200)
        let possible = candidates.filter { offset(at: wall - $0) == $0 }
        if let preferred, possible.contains(preferred) { return ZonedTime(civil, offset: preferred) }
        if let earliest = possible.max() { return ZonedTime(civil, offset: earliest) }
        // In a gap: read with either offset, the time is on its other side.
        let before = candidates.sorted().first { before in
            let after = offset(at: wall - before)
            return after > before && offset(at: wall - after) == before
        }
        return time(at: Timestamp(civil.rawValue.subtractingSaturated((before ?? first) * 1_000_000)))
    }
}

/// A time at which the clocks of a zone are set. Pure.
public struct OffsetChange: Equatable, Sendable {
    public var at: Timestamp
    /// The offsets from UTC before and after, in seconds.
    public var before: Int64
    public var after: Int64
}

/// An instant, with the time on the wall in some zone. Pure.
public struct ZonedTime: Equatable, Sendable {
    public var instant: Timestamp
    public var civil: CivilTime
    /// Seconds to add to UTC. It tells apart the two instants of a time that comes twice.
    public var offset: Int64

    public init(instant: Timestamp, civil: CivilTime, offset: Int64) {
        (self.instant, self.civil, self.offset) = (instant, civil, offset)
    }

    init(_ civil: CivilTime, offset: Int64) {
        let instant = civil.rawValue.subtractingSaturated(offset * 1_000_000)
        self.init(instant: Timestamp(instant), civil: civil, offset: offset)
    }
}
