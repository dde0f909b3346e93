/// The 4,096 buckets over which all streams are distributed, so that a process can subscribe to some of them.
public enum Bucket {
    public static let count: UInt16 = 4096

    /// Returns the bucket of `stream`. It is part of the contract between processes and never changes.
    public static func of(stream: String) -> UInt16 {
        UInt16(truncatingIfNeeded: Hash.fnv1a(stream) % UInt64(count))
    }

    /// Not the bucket of any stream. A publisher uses it to greet new subscribers.
    static let greeting: UInt16 = 0xffff

    static func prefix(_ bucket: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket)]
    }
}
