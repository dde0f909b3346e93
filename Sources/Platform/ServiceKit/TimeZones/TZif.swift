/// Reads the rules of a zone from a file of the format TZif (RFC 8536), version 2 or later, as the package `tzdata` has
/// them. Pure.
enum TZif {
    /// Returns nil for bytes that are not such a file. One with leap seconds is none: its times are not those of Unix.
    static func rules(_ bytes: [UInt8]) -> ZoneRules? {
        var reader = Reader(bytes[...])
        // The first block is for programs with 32-bit times.
        guard let old = reader.header(), reader.skip(old.length(timeBytes: 4)), let header = reader.header() else {
            return nil
        }
        guard header.leaps == 0, header.types > 0 else { return nil }
        var times: [Int64] = []
        for _ in 0..<header.times {
            guard let time = reader.integer(8) else { return nil }
            times.append(time)
        }
        guard times == times.sorted() else { return nil }
        guard let kinds = reader.take(header.times) else { return nil }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            guard let offset = reader.integer(4), offset.magnitude < 97_200, reader.skip(2) else { return nil }
            offsets.append(offset)
        }
        guard reader.skip(header.characters + header.standards + header.universals) else { return nil }
        guard kinds.allSatisfy({ Int($0) < offsets.count }), let footer = reader.footer() else { return nil }
        let rule = PosixRule(footer)
        guard footer.isEmpty || rule != nil else { return nil }
        return ZoneRules(
            first: offsets[0],
            transitions: zip(times, kinds).map { ZoneRules.Transition(at: $0, offset: offsets[Int($1)]) },
            rule: rule)
    }

    private struct Header {
        var (universals, standards, leaps, times, types, characters): (Int, Int, Int, Int, Int, Int)

        /// The bytes that follow the header in its block.
        func length(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standards + universals
        }
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        /// A signed number of this many bytes, big-endian.
        mutating func integer(_ count: Int) -> Int64? {
            guard let bytes = take(count), let first = bytes.first else { return nil }
            return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        }

        mutating func header() -> Header? {
            guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(1)?.first,
                version >= UInt8(ascii: "2"), skip(15)
            else { return nil }
            var counts: [Int] = []
            for _ in 0..<6 {
                guard let count = integer(4), 0...100_000 ~= count else { return nil }
                counts.append(Int(count))
            }
            return Header(
                universals: counts[0], standards: counts[1], leaps: counts[2], times: counts[3], types: counts[4],
                characters: counts[5])
        }

        mutating func footer() -> String? {
            guard take(1)?.first == UInt8(ascii: "\n"), let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                return nil
            }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
    }
}
