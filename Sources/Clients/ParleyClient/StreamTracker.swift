/// Puts the changes of many streams in order: says of each Update whether to apply it, and when to ask for what is
/// missing. Pure: the caller does the asking, and tells the time.
///
/// Positions of a stream are dense. Who holds 41 and sees 43 waits 250 ms for 42, then asks for the changes since 41.
public struct StreamTracker<Item: Sendable>: Sendable {
    /// What to do about an Update.
    public enum Verdict: Sendable {
        /// Apply these, in this order: the given one, and those held that follow it.
        case apply([Item])
        /// Known already.
        case duplicate
        /// One before it is missing; it is held. Call ``due(at:)`` at that time.
        case held(until: ContinuousClock.Instant)
        /// The stream has no position yet: ``start(_:at:)`` it first. Nothing is held.
        case unknown
    }

    /// A question to the server.
    public struct Repair: Hashable, Sendable {
        /// Which stream has a gap.
        public var stream: String
        /// What is held: ask for the changes after it.
        public var since: Int64
    }

    private struct State: Sendable {
        var position: Int64
        var held: [Int64: Item] = [:]
        var askAt: ContinuousClock.Instant?
        var isAsking = false
    }

    private let patience: Duration
    private let heldMax: Int
    private var streams: [String: State] = [:]
    /// Streams that wait for `askAt`.
    private var gaps: Set<String> = []

    /// Of what the positions are; another one of the server's means: start over (``enter(epoch:)``).
    public private(set) var epoch = ""

    /// A tracker that follows nothing yet.
    /// - Parameters:
    ///   - patience: how long a missing Update may be late.
    ///   - heldMax: with more than this held for a stream, they are dropped; asking brings them again.
    public init(patience: Duration = .milliseconds(250), heldMax: Int = 1000) {
        (self.patience, self.heldMax) = (patience, heldMax)
    }

    /// The position held of a stream; nil when it is not followed.
    public func position(of stream: String) -> Int64? { streams[stream]?.position }

    /// Some stream has a gap.
    public var hasGaps: Bool { !gaps.isEmpty }

    /// Takes over the server's epoch.
    /// - Returns: true when everything held is of another one, and was dropped: start over.
    public mutating func enter(epoch: String) -> Bool {
        guard epoch != self.epoch else { return false }
        let startOver = !self.epoch.isEmpty
        self.epoch = epoch
        if startOver { forgetAll() }
        return startOver
    }

    /// Follows a stream from a position whose state is held, or is being read.
    public mutating func start(_ stream: String, at position: Int64) {
        streams[stream] = State(position: position)
        gaps.remove(stream)
    }

    /// Follows a stream no longer.
    public mutating func forget(_ stream: String) {
        streams[stream] = nil
        gaps.remove(stream)
    }

    /// Follows nothing any more.
    public mutating func forgetAll() {
        streams = [:]
        gaps = []
    }

    /// An Update came (or a reply that says the same).
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
        let until = state.askAt ?? now + patience
        state.askAt = until
        gaps.insert(stream)
        return .held(until: until)
    }

    /// The questions whose time has come. Each is given once, until ``repaired(_:to:at:)`` or ``failed(_:at:)``.
    public mutating func due(at now: ContinuousClock.Instant) -> [Repair] {
        gaps.sorted().compactMap { stream in
            guard var state = streams[stream], !state.isAsking, let askAt = state.askAt, askAt <= now else {
                return nil
            }
            state.isAsking = true
            streams[stream] = state
            return Repair(stream: stream, since: state.position)
        }
    }

    /// When ``due(at:)`` should be called next; nil: nothing waits.
    public var nextDue: ContinuousClock.Instant? {
        gaps.lazy.compactMap { streams[$0] }.filter { !$0.isAsking }.compactMap(\.askAt).min()
    }

    /// The changes up to a position were got from the server, and are applied.
    /// - Returns: what was held and now follows, to apply.
    public mutating func repaired(
        _ stream: String, to position: Int64, at now: ContinuousClock.Instant
    ) -> [Item] {
        guard var state = streams.removeValue(forKey: stream) else { return [] }
        defer { streams[stream] = state }
        state.isAsking = false
        state.position = max(state.position, position)
        state.held = state.held.filter { $0.key > state.position }
        let ready = release(&state)
        state.askAt = nil
        settle(stream, &state, at: now)
        return ready
    }

    /// A question was not answered: it will be due again.
    public mutating func failed(_ stream: String, at now: ContinuousClock.Instant) {
        guard streams[stream] != nil else { return }
        streams[stream]?.isAsking = false
        streams[stream]?.askAt = now + patience
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

    /// After the position moved: is there still a gap, and since when?
    private mutating func settle(_ stream: String, _ state: inout State, at now: ContinuousClock.Instant) {
        if state.held.isEmpty, !state.isAsking {
            state.askAt = nil
            gaps.remove(stream)
        } else {
            // Progress was made: what is missing now has been missing for less long.
            state.askAt = now + patience
            gaps.insert(stream)
        }
    }
}
