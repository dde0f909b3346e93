/// The limits of the links between processes.
public enum WireLimits {
    /// The largest body. Senders refuse a larger one.
    public static let messageBytesMax = 2 * 1024 * 1024
    /// The largest header. That of an Update with the largest audience has 11 KiB.
    public static let headerBytesMax = 32 * 1024
    /// A frame of requests or replies is sent when the next record would make it larger than this.
    public static let frameBytesUsual = 256 * 1024
    /// The same of Updates, of which many frames may wait for a slow subscriber.
    public static let updateFrameBytesUsual = 16 * 1024
    /// The maximum number of records in one frame.
    public static let recordsPerFrameMax = 1000
    /// The largest frame: the largest body with its header, and the overhead of encryption. ZeroMQ drops the connection
    /// over a larger one.
    static let frameBytesMax = messageBytesMax + 2 * headerBytesMax
    /// How many requests a client may have in flight at one replica, and a server in total.
    public static let inFlightMax = 10_000
    /// A socket that has been without its connection for this long is replaced.
    static let socketRenewal: Duration = .seconds(5)
    /// How many frames may wait in one connection's queue at a publisher. A subscriber further behind loses Updates
    /// and sees the gap in the lanes' numbers.
    public static let waitingUpdateFramesMax = 20_000
}
