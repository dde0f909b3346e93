import Import

/// What goes to the database at once: conversations that begin, messages, and what inboxes say at their ends.
struct ImportPiece {
    /// The numbers of the conversations of a transaction, by their ids.
    final class Numbers {
        var values: [String: Int64] = [:]
        /// When the last message of each was sent that came in before, by their numbers.
        var newest: [Int64: Int64] = [:]
        /// Conversations of which not all was taken that the export has.
        var incomplete: Set<Int64> = []
    }

    let at: Int64
    let numbers: Numbers
    private(set) var talks: [ImportedTalk] = []
    private(set) var messages: [(talk: String, message: ImportedMessage)] = []
    private(set) var states: [(talk: String, state: ImportedState)] = []
    /// When the first message of a conversation was sent.
    private(set) var firstTimes: [String: Int64] = [:]
    private var current: ImportedTalk?
    /// The id of the conversation whose messages come.
    var talk: String { current?.id ?? "" }
    /// Conversations all of whose messages are written with this piece, or before.
    var ended: [ImportedTalk] = []

    init(at: Int64, _ numbers: Numbers) { (self.at, self.numbers) = (at, numbers) }

    /// The piece that follows in the same transaction, perhaps with the rest of a conversation.
    var next: ImportPiece {
        var next = ImportPiece(at: at, numbers)
        next.current = current
        return next
    }

    mutating func add(_ item: Conversion.Item) {
        switch item {
        case .talk(let talk):
            current = talk
            talks.append(talk)
        case .message(let message):
            if firstTimes[talk] == nil { firstTimes[talk] = message.sentAt }
            messages.append((talk, message))
        case .state(let state):
            // States come last, so the conversation has ended.
            if let current, ended.last?.id != current.id { ended.append(current) }
            states.append((current?.id ?? "", state))
        }
    }
}
