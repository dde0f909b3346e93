/// Puts the Updates of many streams in order. It decides for each Update whether to apply it, and when to request
/// missing ones. It does no I/O: the caller makes the requests and passes in the time.
///
/// Positions of a stream are dense. A client that holds 41 and receives 43 waits 250 ms for 42, then requests the
/// changes since 41.
public struct StreamTracker<Item: Sendable>: Sendable {
    /// What the caller does with an Update.
    public enum Verdict: Sendable {
        /// Apply these, in this order: the given Update and the held ones that follow it.
        case apply([Item])
        /// Already applied or held: drop it.
        case duplicate
        /// An earlier Update is missing, so this one is held. Call ``StreamTracker/due(at:)`` at the given time.
        case held(until: ContinuousClock.Instant)
        /// The stream is not followed, and the Update is not held. Call ``StreamTracker/start(_:at:)`` first.
        case unknown
    }

    /// A request for missing changes.
    public struct Repair: Hashable, Sendable {
        /// The stream that has a gap.
        public var stream: String
        /// The position up to which everything is applied: request the changes after it.
        public var since: Int64
    }

    private struct State: Sendable {
        var position: Int64
        var held: [Int64: Item] = [:]
        var dueAt: ContinuousClock.Instant?
        var isUnderRepair = false
    }

    private let patience: Duration
    private let heldMax: Int
    private var streams: [String: State] = [:]
    /// Streams with a gap.
    private var gaps: Set<String> = []

    /// The server epoch that the positions belong to. When it changes, start over (``enter(epoch:)``).
    public private(set) var epoch = ""

    /// Creates a tracker that follows no stream yet.
    /// - Parameters:
    ///   - patience: how long to wait for a missing Update before requesting it.
    ///   - heldMax: the most Updates held for one stream. When one more arrives, they are dropped; the repair brings
    ///     them again.
    public init(patience: Duration = .milliseconds(250), heldMax: Int = 1000) {
        (self.patience, self.heldMax) = (patience, heldMax)
    }

    /// Returns the position up to which a stream is applied; nil when it is not followed.
    public func position(of stream: String) -> Int64? { streams[stream]?.position }

    /// Whether any stream has a gap.
    public var hasGaps: Bool { !gaps.isEmpty }

    /// Takes over the server's epoch.
    /// - Returns: true when it differs from the earlier epoch. All positions were dropped then: start over.
    public mutating func enter(epoch: String) -> Bool {
        guard epoch != self.epoch else { return false }
        let startOver = !self.epoch.isEmpty
        self.epoch = epoch
        if startOver { forgetAll() }
        return startOver
    }

    /// Follows a stream from a position whose state the caller holds or is reading.
    public mutating func start(_ stream: String, at position: Int64) {
        streams[stream] = State(position: position)
        gaps.remove(stream)
    }

    /// Stops following a stream.
    public mutating func forget(_ stream: String) {
        streams[stream] = nil
        gaps.remove(stream)
    }

    /// Stops following all streams.
    public mutating func forgetAll() {
        streams = [:]
        gaps = []
    }

    /// Takes an Update, or the same change from a reply.
    /// - Returns: what to do with it.
    public mutating func received(
        _ item: Item, stream: String, position: Int64, at now: ContinuousClock.Instant
    ) -> Verdict {
        guard var state = streams.removeValue(forKey: stream) else { return .unknown }
        defer { streams[stream] = state }
        guard position > state.position, state.held[position] == nil else { return .duplicate }
        if position == state.position + 1 {
            state.position = position
            let ready = [item] + release(&state)
            settle(stream, &state, at: now)
            return .apply(ready)
        }
        if state.held.count >= heldMax { state.held = [:] }
        state.held[position] = item
        let until = state.dueAt ?? now + patience
        state.dueAt = until
        gaps.insert(stream)
        return .held(until: until)
    }

    /// Returns the requests to make now. Each is returned once, until ``repaired(_:to:at:)`` or ``failed(_:at:)`` is
    /// called for its stream.
    public mutating func due(at now: ContinuousClock.Instant) -> [Repair] {
        gaps.sorted().compactMap { stream in
            guard var state = streams[stream], !state.isUnderRepair, let dueAt = state.dueAt, dueAt <= now else {
                return nil
            }
            state.isUnderRepair = true
            streams[stream] = state
            return Repair(stream: stream, since: state.position)
        }
    }

    /// When to call ``due(at:)`` next; nil: nothing is missing.
    public var nextDue: ContinuousClock.Instant? {
        gaps.lazy.compactMap { streams[$0] }.filter { !$0.isUnderRepair }.compactMap(\.dueAt).min()
    }

    /// Records that the changes up to a position were read from the server and applied.
    /// - Returns: the held Updates that now follow; apply them in this order.
    public mutating func repaired(
        _ stream: String, to position: Int64, at now: ContinuousClock.Instant
    ) -> [Item] {
        guard var state = streams.removeValue(forKey: stream) else { return [] }
        defer { streams[stream] = state }
        state.isUnderRepair = false
        state.position = max(state.position, position)
        state.held = state.held.filter { $0.key > state.position }
        let ready = release(&state)
        state.dueAt = nil
        settle(stream, &state, at: now)
        return ready
    }

    /// Records that a request failed. It is due again after `patience`.
    public mutating func failed(_ stream: String, at now: ContinuousClock.Instant) {
        guard streams[stream] != nil else { return }
        streams[stream]?.isUnderRepair = false
        streams[stream]?.dueAt = now + patience
        gaps.insert(stream)
    }

    private func release(_ state: inout State) -> [Item] {
        var ready: [Item] = []
        while let next = state.held.removeValue(forKey: state.position + 1) {
            state.position += 1
            ready.append(next)
        }
        return ready
    }

    /// Updates the gap of a stream after its position moved.
    private mutating func settle(_ stream: String, _ state: inout State, at now: ContinuousClock.Instant) {
        if state.held.isEmpty, !state.isUnderRepair {
            state.dueAt = nil
            gaps.remove(stream)
        } else {
            // The position moved, so the Update that is missing now gets the full wait.
            state.dueAt = now + patience
            gaps.insert(stream)
        }
    }
}
