import Signatures

/// Tells whether two exports have the same of a conversation. The order in which its records are found does not matter.
struct ContentDigest {
    /// Raise it when the same records of an export give other rows.
    private static let rules: UInt8 = 1

    /// The sum of the hashes of the records.
    private var sum = SIMD4<UInt64>()

    mutating func add(_ key: [UInt8], _ record: [UInt8]) {
        let length = withUnsafeBytes(of: UInt64(key.count)) { Array($0) }
        let hash = Digest.sha256(length + key + record)
        sum &+= hash.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// - Parameter withFiles: whether files of messages come in, too.
    func bytes(withFiles: Bool) -> [UInt8] {
        Digest.sha256([Self.rules, withFiles ? 1 : 0] + withUnsafeBytes(of: sum) { Array($0) })
    }
}
