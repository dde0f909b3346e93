/// Numbers that follow from a seed alone (SplitMix64): the same on every machine, in every run, with every compiler.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// A generator of its own for one part of a run, so that what one part draws changes nothing for the others.
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

    /// A number from 0 up to, but without, `bound`; 0 when there is none.
    public mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        // The standard library does not promise to draw the same way for ever; this is written down here.
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number of `range`.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True in so many of 1,000 cases.
    public mutating func chance(_ perMille: Int) -> Bool { below(1000) < perMille }

    /// One of them; nil when there is none.
    public mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// In an order of its own.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(index, below(index + 1))
        }
        return elements
    }
}
