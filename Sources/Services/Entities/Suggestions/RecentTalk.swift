import Language
import Schema
import ServiceKit

/// The last texts of conversations, as they were heard, so that most messages are read without the database. Pure.
struct RecentTalk {
    /// A message as it was heard. Without text: it says nothing to those after it.
    private struct Heard {
        var seq: Seq
        var utterance: Utterance?
        /// Zero: it does not expire.
        var expiresAt: Timestamp
    }

    /// What is kept: two halves, of which the older one gives way as a whole.
    static let bytesMax = 16 << 20
    /// Roughly what a message takes beside its text.
    private static let messageBytes = 160

    private var young: [String: [Heard]] = [:]
    private var old: [String: [Heard]] = [:]
    private var youngBytes = 0

    /// Returns what those who may read everything read before a message; nil: not all of it was heard.
    func before(_ seq: Seq, of conversation: String, at now: Timestamp) -> [Utterance]? {
        let first = max(1, seq.rawValue - Int64(Extractor.contextMax))
        let heard = (young[conversation] ?? old[conversation] ?? []).filter { first..<seq.rawValue ~= $0.seq.rawValue }
        guard Int64(heard.count) == seq.rawValue - first else { return nil }
        return heard.compactMap { $0.expiresAt == 0 || $0.expiresAt > now ? $0.utterance : nil }
    }

    /// Notes a message, or its new text.
    mutating func note(_ message: HeardMessage, text: String) {
        let conversation = message.conversation
        var heard = young[conversation] ?? old[conversation] ?? []
        if young[conversation] == nil { youngBytes += heard.reduce(conversation.utf8.count) { $0 + Self.bytes($1) } }
        let new = Heard(
            seq: Seq(message.seq), utterance: text.isEmpty ? nil : Utterance(sender: message.sender, text: text),
            expiresAt: Timestamp(message.expiresAtUs))
        if let index = heard.firstIndex(where: { $0.seq == new.seq }) {
            youngBytes += Self.bytes(new) - Self.bytes(heard[index])
            heard[index] = new
        } else if heard.last.map({ $0.seq < new.seq }) ?? true {
            youngBytes += Self.bytes(new)
            heard.append(new)
            if heard.count > Extractor.contextMax { youngBytes -= Self.bytes(heard.removeFirst()) }
        }
        young[conversation] = heard
        guard youngBytes > Self.bytesMax / 2 else { return }
        (old, young, youngBytes) = (young, [:], 0)
    }

    private static func bytes(_ heard: Heard) -> Int { messageBytes + (heard.utterance?.text.utf8.count ?? 0) }
}
