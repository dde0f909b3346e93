/// A word, kept in place, so that tokens are copied and compared as numbers are.
///
/// It holds 15 bytes of UTF-8. Of a longer word it holds the length, the first eight bytes and the last seven, which
/// tell the words of the vocabulary apart.
struct Word: Hashable, Sendable {
    /// The first eight bytes, the first one lowest.
    private let head: UInt64
    /// The bytes after those, and above them the length.
    private let rest: UInt64

    static let empty = Word(UnsafeBufferPointer(start: nil, count: 0))

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var (head, rest): (UInt64, UInt64) = (0, 0)
        let count = bytes.count
        // Where the last bytes begin.
        let tail = count > 15 ? count - 7 : 8
        var index = 0
        while index < count, index < 8 {
            head |= UInt64(bytes[index]) << UInt64(8 * index)
            index += 1
        }
        index = tail
        while index < count {
            rest |= UInt64(bytes[index]) << UInt64(8 * (index - tail))
            index += 1
        }
        rest |= UInt64(min(count, 255)) << 56
        (self.head, self.rest) = (head, rest)
    }

    init(_ bytes: some Sequence<UInt8>) {
        let word = bytes.withContiguousStorageIfAvailable { Word($0) }
        self = word ?? ContiguousArray(bytes).withUnsafeBufferPointer { Word($0) }
    }

    init(_ text: some StringProtocol) { self.init(text.utf8) }

    /// In bytes; of more than 255, 255.
    var count: Int { Int(rest >> 56) }
    var isEmpty: Bool { self == .empty }

    /// - Parameter prefix: at most eight bytes.
    func hasPrefix(_ prefix: Word) -> Bool {
        prefix.count <= count && (head ^ prefix.head) & Self.mask(prefix.count) == 0
    }

    /// - Parameter suffix: at most seven bytes.
    func hasSuffix(_ suffix: Word) -> Bool {
        guard suffix.count <= count else { return false }
        let skipped = UInt64(8 * (min(count, 15) - suffix.count))
        // The bytes as one number of 120 bits, without those before the suffix.
        let last = skipped < 64 ? head >> skipped | (rest & Self.mask(7)) << (64 - skipped) : rest >> (skipped - 64)
        return (last ^ suffix.head) & Self.mask(suffix.count) == 0
    }

    private static func mask(_ bytes: Int) -> UInt64 { bytes >= 8 ? .max : (1 << UInt64(8 * bytes)) - 1 }
}

extension Word: ExpressibleByStringLiteral {
    /// The optimizer makes it two numbers.
    @inline(__always)
    init(stringLiteral value: StaticString) {
        self.init(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }
}
