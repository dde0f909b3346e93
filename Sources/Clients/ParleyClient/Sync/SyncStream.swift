/// A stream as a ``SyncMachine`` follows it: what it remembers, and the Updates that wait for earlier ones.
struct SyncStream: Sendable {
    /// The history that is read before the stream goes on from a position.
    struct Reading: Sendable, Equatable {
        /// The stream's position and epoch once all is read.
        var position: Int64
        var epoch: String
        var request: SyncRequest
        /// Whether later changes are requested afterwards.
        var continues = false
    }

    var stored: StoredStream
    /// Whether it is read from its beginning, since this version knows kinds that were not known when it was read.
    var isReadAnew = false
    /// Later Updates by position.
    private(set) var held: [Int64: Update.Content] = [:]
    /// Up to which position Updates were dropped since a reply said to start over: they may be later than the reply.
    private var droppedTo: Int64 = 0
    /// Up to which position Updates of this session were not new. If the server starts over they may have been: of the
    /// new epoch, and faster than the reply.
    private var ignoredTo: Int64 = 0
    /// When the missing Updates are requested.
    var dueAt: ContinuousClock.Instant?
    var reading: Reading?
    /// How often the server has said to start over since the changes were last complete.
    var restarts = 0
    /// Of a stream of messaging's own states, the position that the next page of a `Sync` begins at.
    var pageSince: Int64?
    /// The conversations that the pages of this `Sync` have returned.
    var pageEntries: Set<String> = []
    /// Whether this `Sync` lists all conversations, as nothing was held.
    var isListing = false
    /// My states of messages, and reactions to them, that came while a request for the messages was under way: they are
    /// newer than the reply.
    var meanwhile: [SyncChange] = []

    init(_ stored: StoredStream) { self.stored = stored }

    /// Whether later Updates are held.
    var hasGap: Bool { !held.isEmpty }

    /// Holds an Update, unless it is applied or held already.
    /// - Parameter max: when more are held they are dropped, since a request brings them again.
    mutating func hold(_ content: Update.Content, at position: Int64, max: Int) {
        guard position > stored.position else { return ignoredTo = Swift.max(ignoredTo, position) }
        if held.count >= max { held = [:] }
        held[position] = content
    }

    /// Returns the next Update if it has come, and moves the position.
    mutating func next() -> Update.Content? {
        guard let content = held.removeValue(forKey: stored.position + 1) else { return nil }
        stored.position += 1
        return content
    }

    /// Puts an Update back that cannot be applied.
    mutating func putBack(_ content: Update.Content) {
        held[stored.position] = content
        stored.position -= 1
    }

    /// Forgets the requests under way.
    mutating func endSession() {
        (meanwhile, ignoredTo) = ([], 0)
        endPages()
    }

    /// Ends a `Sync` of several pages.
    mutating func endPages() { (pageSince, pageEntries, isListing) = (nil, [], false) }

    /// Drops the Updates held, which a request brings again.
    mutating func dropHeld() { (held, dueAt) = ([:], nil) }

    /// Drops the Updates held, which may be of another epoch, and goes back to the beginning.
    mutating func startOver() {
        droppedTo = max(ignoredTo, held.keys.max() ?? 0)
        dropHeld()
        (stored.position, stored.cursor) = (0, "")
    }

    /// Returns whether it dropped Updates that are beyond its position, which a request brings again. It says so once.
    mutating func dropsLaterUpdates() -> Bool {
        defer { droppedTo = 0 }
        return droppedTo > stored.position
    }

    /// Moves to a position that a reply reached, in this epoch.
    mutating func reach(_ position: Int64, epoch: String) {
        stored.epoch = epoch
        stored.position = position
        held = held.filter { $0.key > position }
    }
}
