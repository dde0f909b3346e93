import ParleyClient

/// The pages of conversations that are being read. My states of messages, and reactions to them, that arrive meanwhile
/// are newer than the page, and of messages that are not stored yet.
struct PagesUnderWay: Sendable {
    struct Meanwhile: Sendable {
        /// What is to be applied after the page, in this order.
        var changes: [SyncChange] = []
        /// The positions of messages that changed, by seq.
        fileprivate var positions: [Int64: Int64] = [:]

        /// Whether a message has changed since the page was made. An Update does not have what is mine of it, so the
        /// page is to be read again.
        func hasOutrun(_ messages: [Parley_V1_Message]) -> Bool {
            messages.contains { positions[$0.seq] ?? 0 > $0.position }
        }
    }

    private var pages: [String: (count: Int, meanwhile: Meanwhile)] = [:]

    mutating func begin(_ conversation: String) { pages[conversation, default: (0, .init())].count += 1 }

    mutating func note(_ change: SyncChange) {
        switch change {
        case .messageState(let state): pages[state.conversation]?.meanwhile.changes.append(change)
        case .reactions(let reactions): pages[reactions.conversation]?.meanwhile.changes.append(change)
        case .message(let message, from: .update):
            pages[message.conversation]?.meanwhile.positions[message.seq] = message.position
        default: break
        }
    }

    /// Notes that a page has come, or will not come.
    /// - Returns: what came since it was requested.
    mutating func end(_ conversation: String) -> Meanwhile {
        guard let page = pages[conversation] else { return Meanwhile() }
        pages[conversation] = page.count > 1 ? (page.count - 1, page.meanwhile) : nil
        return page.meanwhile
    }
}
