/// Reading what was missed of a conversation when it is looked at (``SyncMachine/Options/readsWhenLookedAt``).
extension SyncMachine {
    /// How many conversations count as being looked at.
    private static let lookedAtMax = 50

    /// A conversation is looked at: requests what was missed of its messages, now and after each reconnect. Of the 50
    /// looked at last this holds.
    public mutating func look(at conversation: String, now: ContinuousClock.Instant) -> [SyncAction] {
        lookedAt.removeAll { $0 == conversation }
        lookedAt.append(conversation)
        if lookedAt.count > Self.lookedAtMax { lookedAt.removeFirst() }
        wake(StoredStream.messages(of: conversation))
        return finish(at: now)
    }

    /// Whether a stream is behind, and may stay so until somebody looks at its conversation.
    func isDormant(_ name: String) -> Bool {
        guard options.readsWhenLookedAt, let stream = streams[name], let id = stream.stored.conversation else {
            return false
        }
        return stream.reading == nil && !stream.hasGap && !lookedAt.contains(id)
    }

    /// Requests what is missing of a stream, if it is not about to be.
    mutating func wake(_ name: String) {
        guard options.readsWhenLookedAt, let stream = streams[name], stream.stored.isBehind else { return }
        if !asking.isUnderWay(.stream(name)), !asking.isPlanned(.stream(name)) { asking.add(.stream(name)) }
    }

    /// Notes that a stream has gone on, or is of another epoch: what was missed is requested now, or when it is looked
    /// at.
    mutating func miss(_ name: String) {
        guard isDormant(name) else { return requestChanges(of: name) }
        streams[name]?.stored.isBehind = true
        changedStreams.insert(name)
    }
}
