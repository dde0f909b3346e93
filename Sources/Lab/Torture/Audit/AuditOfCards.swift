/// A system message that shows a decision or an event in its conversation.
struct CardNote: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Sendable {
        case decision, event

        var promise: Audit.Finding.Promise {
            switch self {
            case .decision: .decision
            case .event: .event
            }
        }
    }

    var kind: Kind
    /// The id of what it shows, in hexadecimal digits.
    var entity: String
    /// The user id of the person who shared it.
    var actor: String
    /// The id of the decision that it replaces; empty: none.
    var supersedes: String

    init(_ kind: Kind, _ entity: String, by actor: String, supersedes: String = "") {
        (self.kind, self.entity, self.actor, self.supersedes) = (kind, entity, actor, supersedes)
    }

    /// Parses the text of a ``StoredMessage``; nil if it shows neither.
    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, let kind = Kind(rawValue: parts[0]), parts[2] == "by", parts[4] == "instead-of" else {
            return nil
        }
        self.init(kind, parts[1], by: parts[3], supersedes: parts[5])
    }

    var description: String { "\(kind) \(entity) by \(actor) instead-of \(supersedes)" }
}

/// What a person shared with conversations, as their messages should show it.
struct SharedFact: Sendable {
    var kind: CardNote.Kind
    var id: String
    var user: String
    var conversations: Set<String>
    var supersedes = ""
    var creation: Outcome<Bool>
    /// When it was shared.
    var began: Int64
    /// Whether it was deleted; nil if that is uncertain.
    var isDeleted: Bool?

    var name: String { "the \(kind) \(id)" }
}

// The check of messages that show decisions and events.
extension Audit {
    /// Checks that everything shared is shown, once in each of its conversations, exactly while it exists.
    mutating func checkCards() {
        let shared =
            facts.decisions.filter(\.isShared).map {
                SharedFact(
                    kind: .decision, id: $0.id, user: $0.user, conversations: [$0.conversation],
                    supersedes: $0.supersedes, creation: $0.creation, began: $0.span.began, isDeleted: $0.isDeleted)
            }
            + facts.events.map {
                SharedFact(
                    kind: .event, id: $0.id, user: $0.user, conversations: $0.conversations, creation: $0.creation,
                    began: $0.span.began, isDeleted: $0.isDeleted)
            }
        let cards = findCards(Dictionary(shared.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
        let windows = Windows(facts)
        for entity in shared where entity.creation.reply != nil {
            for conversation in entity.conversations.sorted() {
                checkShown(entity, in: conversation, cards["\(entity.id) \(conversation)"] ?? [], windows)
            }
        }
    }

    /// Checks each message that shows something, or showed it before it was deleted.
    /// - Returns: the messages by id and conversation of what they show.
    private mutating func findCards(_ known: [String: SharedFact]) -> [String: [StoredMessage]] {
        var cards: [String: [StoredMessage]] = [:]
        var notes: [String: CardNote] = [:]
        for message in facts.announced where message.isSystem {
            if let note = CardNote(text: message.text) { notes[message.id] = note }
        }
        for (conversation, messages) in truth {
            for message in messages.values where message.isSystem {
                guard let note = CardNote(text: message.text) ?? (message.isDeleted ? notes[message.id] : nil) else {
                    continue
                }
                cards["\(note.entity) \(conversation)", default: []].append(message)
                guard let shared = known[note.entity], shared.kind == note.kind,
                    shared.conversations.contains(conversation), shared.user == note.actor,
                    shared.supersedes == note.supersedes
                else {
                    found(.invented, "\(note) in \(conversation) shows what nobody shared there: \(message)")
                    continue
                }
                if case .refused(let code) = shared.creation {
                    found(.refused, "\(shared.name) was refused (\(code)) but is shown: \(message)")
                }
                if message.isDeleted, shared.isDeleted == false {
                    found(shared.kind.promise, "\(shared.name) was not deleted, but its message was: \(message)")
                }
            }
        }
        return cards
    }

    private mutating func checkShown(
        _ shared: SharedFact, in conversation: String, _ cards: [StoredMessage], _ windows: Windows
    ) {
        if cards.count > 1 { found(.doubled, "\(shared.name) is shown \(cards.count) times: \(cards)") }
        if shared.isDeleted == true, let card = cards.first(where: { !$0.isDeleted }) {
            found(shared.kind.promise, "\(shared.name) was deleted, but is shown: \(card)")
        }
        guard cards.isEmpty else { return count { $0.cards[shared.kind.rawValue, default: 0] += 1 } }
        guard shared.isDeleted == false, truth[conversation] != nil else { return }
        // It is not shown if its author could no longer write when its message was due.
        let later = Span(shared.began, .max)
        if windows.verdict(on: shared.user, in: conversation, later) == .must,
            !values.block(of: shared.user, in: conversation, within: later).possible
        {
            found(.lost, "\(shared.name) of \(shared.user) is not shown in \(conversation)")
        }
    }
}
