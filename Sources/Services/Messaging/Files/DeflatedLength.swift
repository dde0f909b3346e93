/// Counts the bytes to which deflated data (RFC 1951) unpack, without unpacking them: an archive's directory may say
/// anything. Pure: it reads only through a reader.
struct DeflatedLength {
    /// The data are not deflated.
    struct Malformed: Error {}

    private let read: FileKind.Reader
    private var at: Int64
    private let end: Int64
    private var page: [UInt8] = []
    private var next = 0
    private var bits: UInt64 = 0
    private var bitCount = 0

    private init(_ read: @escaping FileKind.Reader, from start: Int64, size: Int64) {
        self.read = read
        (at, end) = (start, start + size)
    }

    /// - Parameters:
    ///   - start: where the data begin; they have `size` bytes.
    ///   - limit: counting ends when it is exceeded.
    /// - Throws: ``Malformed``; what `read` throws.
    static func count(from start: Int64, size: Int64, limit: Int64, reading read: @escaping FileKind.Reader) throws
        -> Int64
    {
        var data = DeflatedLength(read, from: start, size: size)
        var (count, isLast): (Int64, Bool) = (0, false)
        while !isLast, count <= limit {
            isLast = try data.take(1) == 1
            switch try data.take(2) {
            case 0: count += try data.skipStored()
            case 1: count += try data.block(Self.fixedLengths, Self.fixedDistances, limit: limit - count)
            case 2:
                let (lengths, distances) = try data.codes()
                count += try data.block(lengths, distances, limit: limit - count)
            default: throw Malformed()
            }
        }
        return count
    }

    // MARK: Bits, the lowest of a byte first

    private mutating func fill(_ count: Int) throws {
        while bitCount < count {
            if next == page.count {
                guard at < end else { throw Malformed() }
                page = try read(at, Int(min(end - at, 256 * 1024)))
                guard !page.isEmpty else { throw Malformed() }
                at += Int64(page.count)
                next = 0
            }
            bits |= UInt64(page[next]) << UInt64(bitCount)
            next += 1
            bitCount += 8
        }
    }

    private mutating func take(_ count: Int) throws -> Int {
        guard count > 0 else { return 0 }
        try fill(count)
        defer {
            bits >>= UInt64(count)
            bitCount -= count
        }
        return Int(bits & (1 << UInt64(count) - 1))
    }

    /// Skips the bytes of a block that is not packed. Returns their number.
    private mutating func skipStored() throws -> Int64 {
        _ = try take(bitCount & 7)
        let (count, complement) = (try take(16), try take(16))
        guard count == complement ^ 0xFFFF else { throw Malformed() }
        for _ in 0..<count { _ = try take(8) }
        return Int64(count)
    }

    // MARK: Blocks

    /// Counts what a block unpacks to.
    private mutating func block(_ lengths: Code, _ distances: Code, limit: Int64) throws -> Int64 {
        var count: Int64 = 0
        while count <= limit {
            let symbol = try symbol(of: lengths)
            switch symbol {
            case ..<256: count += 1
            case 256: return count
            case 257..<286:
                count += Int64(Self.lengths[symbol - 257] + (try take(Self.lengthBits[symbol - 257])))
                let distance = try self.symbol(of: distances)
                guard distance < 30 else { throw Malformed() }
                _ = try take(distance < 2 ? 0 : distance / 2 - 1)
            default: throw Malformed()
            }
        }
        return count
    }

    private mutating func symbol(of code: Code) throws -> Int {
        // Bit by bit through the canonical code; the first code of each length follows from the shorter ones.
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try take(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Malformed()
    }

    /// Reads the codes of a block, which are themselves coded.
    private mutating func codes() throws -> (lengths: Code, distances: Code) {
        let (lengthCount, distanceCount, count) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        var lengths = [Int](repeating: 0, count: 19)
        for index in Self.order.prefix(count) { lengths[index] = try take(3) }
        let code = try Code(lengths)
        lengths = []
        while lengths.count < lengthCount + distanceCount {
            switch try symbol(of: code) {
            case let length where length < 16: lengths.append(length)
            case 16:
                guard let last = lengths.last else { throw Malformed() }
                lengths += Array(repeating: last, count: 3 + (try take(2)))
            case 17: lengths += Array(repeating: 0, count: 3 + (try take(3)))
            default: lengths += Array(repeating: 0, count: 11 + (try take(7)))
            }
        }
        guard lengths.count == lengthCount + distanceCount else { throw Malformed() }
        return (try Code(Array(lengths[..<lengthCount])), try Code(Array(lengths[lengthCount...])))
    }

    /// A canonical Huffman code.
    private struct Code {
        /// How many codes have each length.
        var counts = [Int](repeating: 0, count: 16)
        /// In order of their codes.
        var symbols: [Int] = []

        /// - Parameter lengths: of the code of each symbol; zero: it has none.
        init(_ lengths: [Int]) throws(Malformed) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var left = 1
            for length in 1...15 {
                left = left << 1 - counts[length]
                guard left >= 0 else { throw Malformed() }
            }
            symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        }

        init(fixed lengths: [Int]) {
            for length in lengths { counts[length] += 1 }
            symbols = lengths.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        }
    }

    private static let fixedLengths = Code(
        fixed: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = Code(fixed: [Int](repeating: 5, count: 32))
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
}
