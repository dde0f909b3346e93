import Schema

/// A message for which the generated code (Generated/Samples.swift) makes random values within the limits.
protocol Sampled: WireMessage {
    static func sample(_ sampler: inout Sampler) -> Self
}

/// A source of random values. The same seed gives the same values.
struct Sampler {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns the next value, by SplitMix64.
    mutating func uint64() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        let value = z ^ (z >> 31)
        return value & 7 == 0 ? 0 : value >> (value >> 8 & 63)  // often small, often zero
    }

    mutating func pick(_ count: Int) -> Int { Int(uint64() % UInt64(count)) }
    mutating func int64() -> Int64 { Int64(bitPattern: uint64()) }
    mutating func uint32() -> UInt32 { UInt32(truncatingIfNeeded: uint64()) }
    mutating func int32() -> Int32 { Int32(bitPattern: uint32()) }
    mutating func bool() -> Bool { pick(2) == 0 }
    mutating func double() -> Double { Double(int64()) / 1024 }
    mutating func enumeration() -> Int32 { pick(4) == 0 ? int32() : Int32(pick(5)) }

    mutating func string(maxBytes: Int) -> String {
        let letters = ["a", "Z", "0", "é", "漢", "😀", "\n", "\u{10FFFF}", "\u{202E}"]
        var text = ""
        for _ in 0..<pick(80) {
            let letter = letters[pick(letters.count)]
            if text.utf8.count + letter.utf8.count > maxBytes { break }
            text += letter
        }
        return text
    }

    mutating func string(exactly count: Int) -> String { bool() ? "" : String(repeating: "x", count: count) }
    mutating func bytes(maxBytes: Int) -> [UInt8] { bytes(count: pick(min(maxBytes, 300) + 1)) }
    mutating func bytes(exactly count: Int) -> [UInt8] { bytes(count: bool() ? 0 : count) }

    mutating func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(UInt8(pick(256))) }
        return bytes
    }

    mutating func optional<Value>(_ make: (inout Sampler) -> Value) -> Value? {
        bool() ? make(&self) : nil
    }

    mutating func array<Value>(maxItems: Int, _ make: (inout Sampler) -> Value) -> [Value] {
        var values: [Value] = []
        for _ in 0..<pick(min(maxItems, 5) + 1) { values.append(make(&self)) }
        return values
    }
}
