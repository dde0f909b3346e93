/// Which messages of a conversation are loaded: all from a number on, and ranges of older ones.
struct LoadedRanges: Sendable, Hashable {
    /// From this number on all messages are loaded that are stored; nil: none are loaded.
    private(set) var from: Int64?
    /// Ranges of older messages, in ascending order. They do not touch each other, nor what ``from`` begins.
    private(set) var islands: [ClosedRange<Int64>] = []

    init(from: Int64? = nil) { self.from = from }

    var isEmpty: Bool { from == nil }

    /// The lowest number that is loaded.
    var first: Int64? { islands.first?.lowerBound ?? from }

    /// What is missing between the ranges that are loaded.
    var gaps: [ClosedRange<Int64>] {
        guard let from else { return [] }
        return zip(islands, islands.dropFirst().map(\.lowerBound) + [from]).map { island, next in
            (island.upperBound + 1)...(next - 1)
        }
    }

    func contains(_ seq: Int64) -> Bool {
        guard let from else { return false }
        return seq >= from || islands.contains { $0.contains(seq) }
    }

    /// Adds a range.
    mutating func cover(_ range: ClosedRange<Int64>) {
        guard var from else { return }
        var merged: [ClosedRange<Int64>] = []
        for next in (islands + [range]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, next.lowerBound <= last.upperBound || next.lowerBound == last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
        while let last = merged.last, last.upperBound >= from || last.upperBound + 1 == from {
            from = min(from, last.lowerBound)
            merged.removeLast()
        }
        (self.from, islands) = (from, merged)
    }

    /// Forgets the ranges up to a number.
    mutating func drop(upTo seq: Int64) { islands.removeAll { $0.upperBound <= seq } }

    /// Returns what is wrong; empty: nothing.
    func problems() -> [String] {
        let ends = islands.dropFirst().map(\.lowerBound) + [from ?? .max]
        return zip(islands, ends).compactMap { island, next in
            island.upperBound + 1 < next ? nil : "the range \(island) touches \(next)"
        }
    }
}
