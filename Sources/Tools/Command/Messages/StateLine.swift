import ParleyClient

/// My inbox state of a conversation as JSON, for programs.
struct StateJSON: Encodable {
    var conversation: String
    var title: String
    var lastSeq: Int64?
    var lastText: String?
    var unread: Int64
    var mentions: Int64
    var readSeq: Int64
    var markedUnread: Bool
    var pinnedAt: String?
    var mutedUntilUs: Int64?
    var archivedAt: String?
    var clearedSeq: Int64

    init(_ state: Parley_V1_InboxState, title: String, lastSeq: Int64? = nil, lastText: String? = nil) {
        (conversation, self.title) = (state.conversation, title)
        (self.lastSeq, self.lastText) = (lastSeq, lastText)
        (unread, mentions, markedUnread) = (state.unread, state.mentions, state.markedUnread)
        (readSeq, clearedSeq) = (state.readSeq, state.clearedSeq)
        let time = { (microseconds: Int64) in microseconds == 0 ? nil : Times.iso(microseconds) }
        (pinnedAt, archivedAt) = (time(state.pinnedAtUs), time(state.archivedAtUs))
        mutedUntilUs = state.mutedUntilUs == 0 ? nil : state.mutedUntilUs
    }
}

struct ReceiptJSON: Encodable {
    var type = "receipt"
    var conversation: String
    var user: String
    var username: String
    var readSeq: Int64
    var readAt: String?
    var deliveredSeq: Int64
    var deliveredAt: String?

    init(_ receipt: Parley_V1_Receipt, username: String) {
        (conversation, user, self.username) = (receipt.conversation, receipt.user, username)
        (readSeq, deliveredSeq) = (receipt.readSeq, receipt.deliveredSeq)
        readAt = receipt.readAtUs == 0 ? nil : Times.iso(receipt.readAtUs)
        deliveredAt = receipt.deliveredAtUs == 0 ? nil : Times.iso(receipt.deliveredAtUs)
    }
}

/// Inbox states and receipts as lines for people.
enum StateLine {
    /// Prints a state as text or JSON.
    static func print(_ state: Parley_V1_InboxState, for me: Person, _ words: () -> String) async {
        guard me.isJSON else { return Output.line(words()) }
        Output.json(StateJSON(state, title: await me.names.title(state.conversation)))
    }

    static func print(_ receipt: Parley_V1_Receipt, _ name: String, for me: Person) {
        if me.isJSON { return Output.json(ReceiptJSON(receipt, username: name)) }
        var words = "nothing read"
        if receipt.readSeq > 0 { words = "read up to \(receipt.readSeq), \(Times.short(receipt.readAtUs))" }
        if receipt.deliveredSeq > receipt.readSeq { words += "; delivered up to \(receipt.deliveredSeq)" }
        Output.line("\(PlainText.padded(name, 20))  \(words)")
    }

    /// Returns a state in words: "3 unread, 2 mention you, pinned, muted".
    static func words(_ state: Parley_V1_InboxState, now: Int64) -> String {
        var words: [String] = []
        if state.unread > 0 {
            words.append(state.unread >= 1000 ? "1000 or more unread" : "\(state.unread) unread")
        } else if state.markedUnread {
            words.append("marked unread")
        }
        if state.mentions > 0 { words.append(state.mentions == 1 ? "1 mentions you" : "\(state.mentions) mention you") }
        if state.pinnedAtUs != 0 { words.append("pinned") }
        if state.mutedUntilUs > now { words.append("muted") }
        return words.joined(separator: ", ")
    }
}

extension Person {
    /// Returns the beginning of a message on one line.
    func preview(of message: Parley_V1_Message) async -> String {
        guard !message.hasSystem else {
            let names = await names.usernames(of: message)
            return "— \(MessageLine.words(message.system, names: names, decision: await decision(of: message))) —"
        }
        let text = PlainText.shown(message.text).split(separator: "\n").first ?? ""
        let file = message.hasMedia ? "[\(message.kind)] " : ""
        return "\(await names.sender(of: message)): \(file)\(text.prefix(60))"
    }

    /// Returns the text of the decision that a system message shows; nil if there is none, or it was deleted meanwhile.
    func decision(of message: Parley_V1_Message) async -> String? {
        guard message.hasSystem, message.system.kind == .decisionShared,
            let id = UUIDv7(bytes: message.system.entity)
        else { return nil }
        return try? await client.decision(id).text
    }
}
