import Schema

/// Frames that wait until a session's connection takes more, bounded in bytes. Pure, and made only while something
/// waits.
///
/// What is durable, and replies, are never left out: rather the session ends (`.overflow`) and comes back to sync. Of
/// what is collapsible only the last of each key is kept, in the place of the first. What is ephemeral does not wait.
final class SessionQueue<Frame> {
    enum Verdict: Equatable {
        case held
        /// It took the place of an earlier one.
        case merged
        case dropped
        /// The session is too far behind.
        case overflow
    }

    private struct Entry {
        /// Nil once given out.
        var frame: Frame?
        var size: Int
        var key: String?
    }

    private var entries: [Entry] = []
    /// How many of the first entries were given out.
    private var taken = 0
    /// The collapsible ones that wait, by key.
    private var indexes: [String: Int] = [:]
    /// What waits, by the sizes given.
    private(set) var bytes = 0

    var isEmpty: Bool { taken == entries.count }

    /// A frame for a session that is behind.
    /// - Parameters:
    ///   - kind: nil for replies.
    ///   - key: what a collapsible one replaces.
    ///   - pending: bytes that wait in the connection itself.
    ///   - limit: of all that waits.
    func offer(_ frame: Frame, size: Int, kind: UpdateClass?, key: String = "", pending: Int, limit: Int) -> Verdict {
        let isCollapsible = kind == .collapsible && !key.isEmpty
        let earlier = isCollapsible ? indexes[key] : nil
        let replaced = earlier.map { entries[$0].size } ?? 0
        if kind == .ephemeral { return .dropped }
        guard pending + bytes - replaced + size <= limit else { return .overflow }
        bytes += size - replaced
        if let earlier {
            (entries[earlier].frame, entries[earlier].size) = (frame, size)
            return .merged
        }
        if isCollapsible { indexes[key] = entries.count }
        entries.append(Entry(frame: frame, size: size, key: isCollapsible ? key : nil))
        return .held
    }

    /// Takes out what came first.
    func next() -> Frame? {
        guard taken < entries.count else { return nil }
        let entry = entries[taken]
        entries[taken].frame = nil
        taken += 1
        bytes -= entry.size
        if let key = entry.key { indexes[key] = nil }
        compact()
        return entry.frame
    }

    private func compact() {
        guard taken == entries.count || taken >= 64 else { return }
        entries.removeFirst(taken)
        indexes = indexes.mapValues { $0 - taken }
        taken = 0
    }
}

/// From how many bytes that wait in a connection its session counts as behind.
enum SessionBehind {
    static let watermark = 64 * 1024
}
