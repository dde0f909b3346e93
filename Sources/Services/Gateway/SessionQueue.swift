import Schema

/// Frames that wait until a session's connection is writable again, bounded in bytes. Pure, and created only while
/// frames wait.
///
/// Replies and durable Updates are never dropped. If they do not fit, the session ends (`.overflow`) and the client
/// syncs again. Of the collapsible Updates with one key only the last is kept, at the position of the first. Ephemeral
/// Updates are dropped.
final class SessionQueue<Frame> {
    enum Verdict: Equatable {
        case held
        /// The frame replaced an earlier one.
        case merged
        case dropped
        /// The session is too far behind.
        case overflow
    }

    private struct Entry {
        /// nil once taken.
        var frame: Frame?
        var size: Int
        var key: String?
    }

    private var entries: [Entry] = []
    /// How many entries at the front have been taken.
    private var taken = 0
    /// Indexes of the collapsible entries that wait, by key.
    private var indexes: [String: Int] = [:]
    /// Total size of the frames that wait.
    private(set) var bytes = 0

    var isEmpty: Bool { taken == entries.count }

    /// Queues, merges or drops a frame for a session that is behind.
    /// - Parameters:
    ///   - kind: nil for replies.
    ///   - key: the collapse key; a collapsible frame replaces an earlier one with the same key.
    ///   - pending: bytes that already wait in the connection itself.
    ///   - limit: the most bytes that may wait, in the connection and in the queue together.
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

    /// Removes and returns the first frame.
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

/// When a session counts as behind.
enum SessionBehind {
    /// Unwritten bytes in its connection.
    static let watermark = 64 * 1024
}
