/// The limits of the links between processes, each named once.
public enum WireLimits {
    /// One part of a message. ZeroMQ drops the connection over a larger one, so senders refuse it before.
    public static let messageBytesMax = 2 * 1024 * 1024
    /// Requests a client has in flight at one replica, and requests a server has in flight in all.
    public static let inFlightMax = 10_000
    /// Messages that may wait in one connection's queue at a publisher; a subscriber further behind loses Updates and
    /// sees the gap in the lanes' numbers.
    public static let waitingUpdatesMax = 20_000
}
