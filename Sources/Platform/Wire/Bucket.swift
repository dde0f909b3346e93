/// The 4,096 parts that all streams are dealt out to, so that a process can subscribe to some of them.
public enum Bucket {
    public static let count: UInt16 = 4096

    /// Where the Updates of `stream` go. Part of the contract between processes: it never changes.
    public static func of(stream: String) -> UInt16 {
        UInt16(truncatingIfNeeded: Hash.fnv1a(stream) % UInt64(count))
    }

    /// No bucket: under it a publisher greets whoever has just subscribed.
    static let greeting: UInt16 = 0xffff

    static func prefix(_ bucket: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket)]
    }
}
