import Foundation
import ParleyKit

/// What stands in a conversation, one below the other.
public enum ChatRow: Identifiable, Hashable, Sendable {
    /// Says what happened. An event or a decision that was shared has a card.
    public struct Note: Hashable, Sendable {
        public let id: MessageID
        public let text: String
        public let event: EventID?
        public let decision: DecisionID?
    }

    /// The day of the messages below.
    case day(String)
    /// Above the first message that I had not read.
    case new
    case bubble(Bubble)
    case note(Note)
    /// Messages that are not loaded.
    case gap(Conversation.Gap, String)

    public var id: String {
        switch self {
        case .day(let day): "day \(day)"
        case .new: "new"
        case .bubble(let bubble): bubble.id.description
        case .note(let note): note.id.description
        case .gap(let gap, _): "gap \(gap.last)"
        }
    }

    public var bubble: Bubble? { if case .bubble(let bubble) = self { bubble } else { nil } }
}

/// Makes the rows of a conversation.
@MainActor
struct ChatRows {
    let chat: Conversation
    let me: UserID?
    let words: Words

    init(_ chat: Conversation, in parley: Parley, words: Words) {
        (self.chat, self.words, me) = (chat, words, parley.user)
    }

    /// - Parameter newAfter: the number of the last message that was read when the screen appeared; nil: all were.
    func rows(newAfter: Int64?) -> [ChatRow] {
        var rows: [ChatRow] = []
        var (earlier, isNewShown): (Message?, Bool) = (nil, newAfter == nil)
        let gaps = Dictionary(chat.gaps.map { ($0.last + 1, $0) }) { $1 }
        for message in chat.messages where !message.isHidden {
            if let gap = message.seq.flatMap({ gaps[$0] }) {
                let count = words.count(Int(gap.last - gap.first + 1), "message", "messages")
                rows.append(.gap(gap, "Show \(count)"))
            }
            if earlier.map({ !words.calendar.isDate($0.sentAt, inSameDayAs: message.sentAt) }) ?? true {
                rows.append(.day(words.day(message.sentAt)))
                earlier = nil
            }
            if !isNewShown, let newAfter, let seq = message.seq, seq > newAfter, message.sender != me {
                rows.append(.new)
                (isNewShown, earlier) = (true, nil)
            }
            rows.append(row(message, after: earlier))
            earlier = message
        }
        return rows
    }

    private func row(_ message: Message, after earlier: Message?) -> ChatRow {
        guard message.kind == .system, let note = message.note else {
            return .bubble(Bubble(message, in: chat, of: me, after: earlier, words))
        }
        let text = Notes(me: me, name: { chat.user($0)?.displayName ?? "Somebody" }, words: words).text(of: note)
        var (event, decision): (EventID?, DecisionID?) = (nil, nil)
        switch note {
        case .eventShared(let id, _): event = id
        case .decisionShared(let id, _): decision = id
        default: break
        }
        return .note(.init(id: message.id, text: text, event: event, decision: decision))
    }
}
