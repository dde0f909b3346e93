import Schema

/// Encodes one conversation as its members see it, one after the other. What most of them see alike, all but the
/// position, is encoded once: a change in a group of 1,000 is told to each of them.
struct ConversationEncoder {
    private var last = Conversation()
    private var bytes: [UInt8] = []

    mutating func encode(_ conversation: Conversation) -> [UInt8] {
        var alike = conversation
        alike.position = 0
        if bytes.isEmpty || alike != last {
            bytes = alike.encode()
            last = alike
        }
        // One message's encoding after the other's is the two merged.
        return bytes + Conversation(position: conversation.position).encode()
    }
}
