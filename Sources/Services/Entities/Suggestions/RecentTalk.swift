import Language
import Schema
import ServiceKit

/// The last texts of conversations, as they were heard, so that most messages are read without the database. Pure.
struct RecentTalk {
    /// A message as it was heard. Without text: it says nothing to those after it.
    fileprivate struct Said: Sendable {
        var seq: Seq
        var utterance: Utterance?
        /// Zero: it does not expire.
        var expiresAt: Timestamp
    }

    /// What was heard of a conversation before a message.
    struct Heard: Sendable {
        fileprivate var said: [Said]
        fileprivate var seq: Seq
        fileprivate var at: Timestamp

        /// What those who may read everything read before the message; nil: not all of it was heard.
        var utterances: [Utterance]? {
            let first = max(1, seq.rawValue - Int64(Extractor.contextMax))
            let before = said.filter { first..<seq.rawValue ~= $0.seq.rawValue }
            guard Int64(before.count) == seq.rawValue - first else { return nil }
            return before.compactMap { $0.expiresAt == 0 || $0.expiresAt > at ? $0.utterance : nil }
        }
    }

    /// What is kept: two halves, of which the older one gives way as a whole.
    static let bytesMax = 16 << 20
    /// Roughly what a message takes beside its text.
    private static let messageBytes = 160

    private var young: [String: [Said]] = [:]
    private var old: [String: [Said]] = [:]
    private var youngBytes = 0

    func heard(of conversation: String, before seq: Seq, at now: Timestamp) -> Heard {
        Heard(said: young[conversation] ?? old[conversation] ?? [], seq: seq, at: now)
    }

    /// Notes a message, or its new text.
    mutating func note(_ message: HeardMessage, text: String) {
        let conversation = message.conversation
        let new = Said(
            seq: Seq(message.seq), utterance: text.isEmpty ? nil : Utterance(sender: message.sender, text: text),
            expiresAt: Timestamp(message.expiresAtUs))
        var said: [Said]
        if let index = young.index(forKey: conversation) {
            said = young.values[index]
            // What is changed next is not copied.
            young.values[index] = []
        } else {
            said = old[conversation] ?? []
            youngBytes += said.reduce(conversation.utf8.count) { $0 + Self.bytes($1) }
        }
        if let index = said.firstIndex(where: { $0.seq == new.seq }) {
            youngBytes += Self.bytes(new) - Self.bytes(said[index])
            said[index] = new
        } else if said.last.map({ $0.seq < new.seq }) ?? true {
            youngBytes += Self.bytes(new)
            said.append(new)
            if said.count > Extractor.contextMax { youngBytes -= Self.bytes(said.removeFirst()) }
        }
        young[conversation] = said
        guard youngBytes > Self.bytesMax / 2 else { return }
        (old, young, youngBytes) = (young, [:], 0)
    }

    private static func bytes(_ said: Said) -> Int { messageBytes + (said.utterance?.text.utf8.count ?? 0) }
}
