import Schema

/// What happens to a frame for a session that already has bytes waiting.
enum SessionQueue {
    enum Decision: Equatable { case send, drop, resync }

    /// From here on a session counts as behind.
    static let watermark = 64 * 1024

    /// - Parameters:
    ///   - pending: bytes that wait to be written; zero when under ``watermark``.
    ///   - kind: nil for replies, which are never dropped.
    static func decide(pending: Int, adding size: Int, kind: UpdateClass?, limit: Int) -> Decision {
        guard pending > 0 else { return .send }
        switch kind {
        case .ephemeral: return .drop
        case .collapsible: return pending + size > limit / 2 ? .drop : .send
        default: return pending + size > limit ? .resync : .send
        }
    }
}
