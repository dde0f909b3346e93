/// A unique id that begins with its time (RFC 9562). Clients make the ids of messages, groups and other new objects.
public struct UUIDv7: Hashable, Comparable, Sendable, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates an id from 48 bits of milliseconds, 12 bits of a counter and 62 random bits.
    init(milliseconds: UInt64, counter: UInt16, random: UInt64) {
        high = milliseconds << 16 | 0x7000 | UInt64(counter & 0x0fff)
        low = random & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    }

    /// Creates an id from 16 bytes; nil unless they are a UUIDv7.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard high & 0xf000 == 0x7000, low >> 62 == 2 else { return nil }
    }

    /// Creates an id from 32 hexadecimal digits, with hyphens between them or without; nil unless they are a UUIDv7.
    public init?(_ description: String) {
        let digits = description.utf8.filter { $0 != UInt8(ascii: "-") }.compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard digits.count == 32, description.utf8.count <= 36 else { return nil }
        self.init(bytes: stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// The 16 bytes, as requests carry them.
    public var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    /// The time of the id in milliseconds UTC.
    public var milliseconds: UInt64 { high >> 16 }

    /// The id as 32 lower-case hexadecimal digits, which is also the form of a group's conversation id.
    public var description: String { bytes.hexDigits }

    private var counter: UInt16 { UInt16(high & 0x0fff) }

    public static func < (left: UUIDv7, right: UUIDv7) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// Generates ids that ascend, even within a millisecond and when the clock steps back.
    public struct Generator: Sendable {
        private var milliseconds: UInt64 = 0
        private var counter: UInt16 = 0

        /// Creates a generator that has made no ids yet.
        public init() {}

        /// Returns the next id.
        /// - Parameter microseconds: the server's time in microseconds UTC (``ServerClock``).
        public mutating func next(at microseconds: Int64) -> UUIDv7 {
            var generator = SystemRandomNumberGenerator()
            return next(at: microseconds, using: &generator)
        }

        /// Makes all ids from now on ascend from this one, which another generator made.
        public mutating func noteUsed(_ id: UUIDv7) {
            guard (id.milliseconds, id.counter) > (milliseconds, counter) else { return }
            // What is left of its millisecond may be below it.
            (milliseconds, counter) = (id.milliseconds, 0x0fff)
        }

        /// Returns the next id, with a given source of randomness.
        public mutating func next(at microseconds: Int64, using random: inout some RandomNumberGenerator) -> UUIDv7 {
            let now = UInt64(max(microseconds, 0)) / 1000
            if now > milliseconds {
                milliseconds = now
                counter = UInt16.random(in: 0..<0x0800, using: &random)
            } else if counter < 0x0fff {
                counter += 1
            } else {
                milliseconds += 1
                counter = 0
            }
            return UUIDv7(milliseconds: milliseconds, counter: counter, random: random.next())
        }
    }
}
