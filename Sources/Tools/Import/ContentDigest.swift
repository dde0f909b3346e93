import Signatures

/// Tells whether two exports have the same records. The order in which they are found does not matter.
struct ContentDigest {
    /// Raise it when the same records of an export give other rows.
    private static let rules: UInt8 = 2

    /// The sum of the hashes of the records.
    private var sum = SIMD4<UInt64>()
    private(set) var count = 0

    mutating func add(_ hash: SIMD4<UInt64>) {
        sum &+= hash
        count += 1
    }

    static func hash(_ key: [UInt8], _ record: [UInt8]) -> SIMD4<UInt64> {
        let length = withUnsafeBytes(of: UInt64(key.count)) { Array($0) }
        return Digest.sha256(length + key + record).withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// - Parameter withFiles: whether files of messages come in, too.
    func bytes(withFiles: Bool) -> [UInt8] {
        Digest.sha256([Self.rules, withFiles ? 1 : 0] + withUnsafeBytes(of: sum) { Array($0) })
    }
}

/// What an export has of a conversation.
package struct TalkContent {
    private var all = ContentDigest()
    private var said = ContentDigest()

    mutating func add(_ hash: SIMD4<UInt64>, isMessage: Bool) {
        all.add(hash)
        if isMessage { said.add(hash) }
    }

    /// How many messages there are.
    package var messages: Int { said.count }

    /// Equal for two exports that have the same of it.
    package func digest(withFiles: Bool) -> [UInt8] { all.bytes(withFiles: withFiles) }

    /// Equal for two exports that have the same messages of it.
    package func digestOfMessages(withFiles: Bool) -> [UInt8] { said.bytes(withFiles: withFiles) }
}

extension Conversion {
    /// Returns the digests of the first messages of conversations. Call it before ``nextItem()``.
    /// - Parameter counts: how many of each, by where it stands in ``conversations``; others have none.
    package func digests(ofFirst counts: [Int: Int], withFiles: Bool) throws(ImportError) -> [Int: [UInt8]] {
        guard !counts.isEmpty else { return [:] }
        var found: [Int: ContentDigest] = [:]
        let all = try ordered.sorted(isLast: false)
        while let record = try all.next() {
            let index = record.key.prefix(8).reduce(0) { $0 << 8 | Int($1) }
            let isWanted = record.key[8] == Self.messageKey && found[index]?.count ?? 0 < counts[index] ?? 0
            guard isWanted else { continue }
            found[index, default: ContentDigest()].add(ContentDigest.hash(Array(record.key[8...]), record.value))
        }
        return found.mapValues { $0.bytes(withFiles: withFiles) }
    }
}
