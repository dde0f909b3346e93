import Schema

/// Encodes the views of a conversation's members, one after the other. Most views differ only in the position, so the
/// rest is encoded once: a change in a group of 1,000 is published to each member.
struct ConversationEncoder {
    private var last = Conversation()
    private var bytes: [UInt8] = []

    mutating func encode(_ conversation: Conversation) -> [UInt8] {
        var shared = conversation
        shared.position = 0
        if bytes.isEmpty || shared != last {
            bytes = shared.encode()
            last = shared
        }
        // Two concatenated encodings decode as the two messages merged.
        return bytes + Conversation(position: conversation.position).encode()
    }
}
