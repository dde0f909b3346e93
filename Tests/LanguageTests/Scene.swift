import Language

/// A zone with the clock changes of a rule, enough for tests: summer from the last Sunday of March to that of October.
struct LondonZone: Zone {
    func offset(at instant: Int) -> Int {
        // 2026: 29 March to 25 October, 01:00 UTC.
        (1_774_746_000..<1_792_890_000).contains(instant) ? 3600 : 0
    }
}

enum Scene {
    static let zones: @Sendable (String) -> (any Zone)? = { name in
        switch name {
        case "America/Los_Angeles": FixedZone(seconds: -8 * 3600)
        case "America/New_York": FixedZone(seconds: -5 * 3600)
        case "Europe/London": LondonZone()
        case "Europe/Paris": FixedZone(seconds: 3600)
        default: nil
        }
    }

    /// Wednesday, 4 March 2026, 10:15 in London.
    static let wednesday = moment(1_772_619_300)

    static func moment(_ instant: Int, zoneName: String = "Europe/London") -> Moment {
        Moment(instant: instant, zone: LondonZone(), zoneName: zoneName, zones: zones)
    }

    static func found(_ text: String, after context: [String] = [], at moment: Moment = wednesday) -> [Extraction] {
        Extractor().extract(
            Utterance(sender: "me", text: text), after: context.map { Utterance(sender: "you", text: $0) }, at: moment)
    }
}

/// A generator of numbers that a seed reproduces (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var number = state
        number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
        return number ^ (number >> 31)
    }
}
