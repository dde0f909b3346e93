/// What the store says of its conversations. It changes nothing.
extension ConversationStore {
    /// Whether a conversation was loaded, and nothing was stored of it.
    func isOpenAndEmpty(_ id: ConversationID) -> Bool {
        conversations[id].map { $0.isLoaded && $0.loaded.isEmpty } ?? false
    }

    /// Returns how many messages are unread above one, as far as they are shown.
    func unread(
        of id: ConversationID, above seq: Int64, atMost known: Conversation.Unread
    ) -> Conversation.Unread {
        let left = conversation(id).messages.reversed().prefix { $0.seq ?? .max > seq }
            .filter { $0.seq != nil && $0.sender != me && $0.kind != .system && !$0.isDeleted }
        return .init(
            messages: min(known.messages, left.count),
            mentions: min(known.mentions, left.count { message in me.map(message.mentions.contains) ?? false }),
            isMarked: known.isMarked)
    }

    /// Returns what is shown of a conversation; nil when nothing is known of it.
    func facts(of id: ConversationID) -> Conversation.Facts? {
        conversations[id].flatMap { $0.hasFacts ? $0.facts : nil }
    }

    /// Whether the object of a conversation exists and knows more than its id.
    func knows(_ id: ConversationID) -> Bool { conversations[id]?.hasFacts ?? false }

    // MARK: Checking

    /// Returns what is wrong; empty: nothing. For tests, after each step.
    package func audit() -> [String] {
        conversations.values.flatMap { conversation -> [String] in
            var problems = conversation.held.problems()
            for message in conversation.messages {
                if message.conversation != conversation.id { problems.append("holds a message of another one") }
                if let seq = message.seq, !conversation.loaded.contains(seq) {
                    problems.append("\(seq) is outside of what is loaded")
                }
                if message.seq != nil, message.status == .sending {
                    problems.append("\(message.seq ?? 0) is \(message.status) although the server has it")
                }
            }
            problems += conversation.loaded.problems()
            return problems.map { "\(conversation.id): \($0)" }
        }
    }
}
