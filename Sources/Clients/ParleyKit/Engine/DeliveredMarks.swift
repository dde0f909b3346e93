import ParleyClient

/// Tells the server which messages of others have reached this device, of all conversations together and at most once a
/// second: then their authors see that they were delivered. What could not be told is told with what arrives later.
@MainActor
final class DeliveredMarks {
    /// So many conversations fit into a request.
    private static let marksMax = 100

    private var told: [ConversationID: Int64] = [:]
    private var waiting: [ConversationID: Int64] = [:]
    private var telling: Task<Void, Never>?

    /// Notes what a conversation has now. Requests of people whom I have not accepted learn nothing.
    func note(_ summary: ConversationSummary, of parley: Parley) {
        guard summary.section == .inbox, let last = summary.last, let seq = last.seq, let sender = last.sender,
            sender != parley.user, seq > max(told[summary.id] ?? 0, waiting[summary.id] ?? 0, summary.own.readUpTo)
        else { return }
        waiting[summary.id] = seq
        tell(parley)
    }

    /// Tells what waits, a second later.
    func tell(_ parley: Parley) {
        guard telling == nil, !waiting.isEmpty else { return }
        telling = Task { [weak self, weak parley] in
            try? await Task.sleep(for: .seconds(1))
            guard !Task.isCancelled, let self, let parley else { return }
            let wasTold = await tellAll(parley)
            guard !Task.isCancelled else { return }
            telling = nil
            // What came meanwhile. Without a connection, the next session tells.
            if wasTold { tell(parley) }
        }
    }

    private func tellAll(_ parley: Parley) async -> Bool {
        let marks = waiting.prefix(Self.marksMax).map { ($0.key, $0.value) }
        guard parley.connection == .online, let client = parley.client else { return false }
        do {
            _ = try await client.mark(
                marks.map { id, seq in .with { ($0.conversation, $0.deliveredSeq) = (id.rawValue, seq) } })
        } catch {
            return false
        }
        for (id, seq) in marks {
            told[id] = seq
            if waiting[id] == seq { waiting[id] = nil }
        }
        return true
    }

    /// The messages of a conversation are numbered anew, or it came back.
    func forget(_ id: ConversationID) { (told[id], waiting[id]) = (nil, nil) }

    /// Forgets everything: somebody else may sign in.
    func stop() {
        telling?.cancel()
        (telling, told, waiting) = (nil, [:], [:])
    }
}
