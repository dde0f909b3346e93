/// The limits of the links between processes, each named once.
public enum WireLimits {
    /// One body. Senders refuse a larger one.
    public static let messageBytesMax = 2 * 1024 * 1024
    /// One header; an Update's with the largest audience has 11 KiB.
    public static let headerBytesMax = 32 * 1024
    /// A frame is sent when the next record would make it larger than this.
    public static let frameBytesUsual = 256 * 1024
    /// Records in one frame.
    public static let recordsPerFrameMax = 1000
    /// One frame: the largest body with its header, and what encryption adds. ZeroMQ drops the connection over a larger
    /// one.
    static let frameBytesMax = messageBytesMax + 2 * headerBytesMax
    /// Requests a client has in flight at one replica, and requests a server has in flight in all.
    public static let inFlightMax = 10_000
    /// A socket that has been without its connection so long is made anew.
    static let socketRenewal: Duration = .seconds(5)
    /// Messages that may wait in one connection's queue at a publisher; a subscriber further behind loses Updates and
    /// sees the gap in the lanes' numbers.
    public static let waitingUpdatesMax = 20_000
}
