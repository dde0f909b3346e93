/// What a session has read of the receipts of conversations.
struct SyncReceipts: Sendable {
    /// The conversations of which they are read, or about to be.
    var asked: Set<String> = []
    /// Where the next page begins, of those of which one is read.
    var cursors: [String: String] = [:]

    mutating func forget(_ conversation: String) {
        asked.remove(conversation)
        cursors[conversation] = nil
    }
}

/// What is read of a conversation when it is looked at: its receipts, and what was missed
/// (``SyncMachine/Options/readsWhenLookedAt``).
extension SyncMachine {
    /// How many conversations count as being looked at.
    private static let lookedAtMax = 50

    /// A conversation is looked at: requests what was missed of its messages, now and after each reconnect, which holds
    /// for the 50 looked at last; and its receipts, now and after a reconnect, which holds for the last one. It costs
    /// nothing to say so again.
    public mutating func look(at conversation: String, now: ContinuousClock.Instant) -> [SyncAction] {
        lookedAt.removeAll { $0 == conversation }
        lookedAt.append(conversation)
        if lookedAt.count > Self.lookedAtMax { lookedAt.removeFirst() }
        wake(StoredStream.messages(of: conversation))
        readReceipts(of: conversation)
        return finish(at: now)
    }

    /// Requests the receipts of a conversation that is looked at, once a session. They have no positions, so nothing
    /// else brings those that came before it.
    mutating func readReceipts(of conversation: String) {
        guard isConnected, options.services.contains("messaging"), records[conversation]?.isMine ?? false,
            receipts.asked.insert(conversation).inserted
        else { return }
        asking.add(.receipts(conversation: conversation))
    }

    /// Whether the epoch of what others read is known, so that it can be dropped with it.
    func isOfKnownEpoch(_ conversation: String) -> Bool {
        let any = ownStream(of: conversation).map { [$0] } ?? ownStreams
        return any.allSatisfy { !(streams[$0]?.stored.epoch ?? "").isEmpty }
    }

    /// Forgets which receipts are read of a conversation. Of the one looked at they are read again, if it is mine.
    mutating func forgetReceipts(of conversation: String) {
        asking.forget(.receipts(conversation: conversation))
        receipts.forget(conversation)
        if lookedAt.last == conversation { readReceipts(of: conversation) }
    }

    mutating func take(_ reply: Parley_V1_ListReceiptsReply, of conversation: String) {
        for receipt in reply.receipts { actions.append(.store(.receipt(receipt))) }
        receipts.cursors[conversation] = reply.more ? reply.cursor : nil
        if reply.more { asking.add(.receipts(conversation: conversation)) }
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
