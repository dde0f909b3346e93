import Schema

/// Where a client's request for the changes of a stream starts. Pure.
public struct SyncStart: Hashable, Sendable {
    /// The client holds a position of another history: of another epoch, of none, or beyond the head, which is from
    /// before a restore, whatever the epoch says.
    public let startOver: Bool
    /// The position after which changes are wanted.
    public let since: Position

    /// - Parameters:
    ///   - position: as the client says, with the epoch of the same reply; zero and empty at first.
    ///   - current: the stored epoch, with the newest position of the stream.
    public init(_ position: Int64, of epoch: String, current: String, head: Position) {
        let isFirst = position == 0 && epoch.isEmpty
        startOver = !isFirst && (epoch != current || position < 0 || Position(position) > head)
        since = startOver ? 0 : Position(position)
    }
}
