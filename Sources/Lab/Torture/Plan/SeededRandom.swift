/// A random number generator (SplitMix64) that gives the same numbers for a seed on every machine, with every compiler.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// Creates a separate generator for a part of a run, so that drawing in one part does not affect the others.
    public init(seed: UInt64, part: String) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var mixed = SeededRandom(seed: seed ^ hash)
        state = mixed.next()
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound` - 1; 0 if `bound` is not positive.
    public mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        // Written out because the standard library does not promise to keep its method.
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a number in `range`.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true in `perMille` of 1,000 cases.
    public mutating func chance(_ perMille: Int) -> Bool { below(1000) < perMille }

    /// Returns one of the elements; nil if there is none.
    public mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// Returns the elements in random order.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(index, below(index + 1))
        }
        return elements
    }
}
