@testable import Torture

/// A small run without findings. Each test spoils one thing in it.
struct InventedRun {
    var facts = Facts()
    static let minimum = Audit.Minimum(
        acknowledged: 15, histories: 3, keptClients: 3, messagesOfReaders: 30, processes: 1, faults: 2,
        kinds: [.kill, .cut], notes: 0
    )

    static let group = "0123456789abcdef0123456789abcdef"
    static let users = ["ann", "bob", "cay"]

    /// The group's message with this seq.
    static func message(_ seq: Int64) -> StoredMessage {
        StoredMessage(
            conversation: group, seq: seq, position: seq, id: "id\(seq)", sender: users[Int(seq) % 3],
            text: "text \(seq)", sentAt: 1_000_000 + seq)
    }

    static let messages = (Int64(1)...20).map(message)

    init() {
        facts.conversations = [ConversationFact(id: Self.group, users: Self.users, span: Span(10, 20))]
        for message in Self.messages {
            let reply = SendFact.Reply(
                seq: message.seq, position: message.position, sentAt: message.sentAt, isDuplicate: false)
            let span = Span(message.seq * 1000, message.seq * 1000 + 500)
            facts.sends.append(
                SendFact(
                    id: message.id, conversation: Self.group, sender: message.sender, text: message.text,
                    attempts: [.init(span, .accepted(reply))]))
            facts.readings.append(Reading(of: "head", value: message.position, span: span))
        }
        facts.announced = Set(Self.messages)
        for user in Self.users {
            facts.histories.append(
                HistoryFact(reader: user, conversation: Self.group, messages: Self.messages, lastSeq: 20))
            var state = ClientState()
            state.conversations = [Self.group: "a group"]
            state.messages = [Self.group: Self.messages]
            state.reminders = ["r\(user)": "“buy milk” completed true, position 2"]
            facts.fresh[user] = state
            facts.kept.append(KeptFact(client: "\(user)'s device", user: user, state: state))
            facts.reminders.append(
                ReminderFact(
                    id: "r\(user)", user: user, title: "buy milk", creation: .accepted(true), isCompleted: true))
            facts.accounts.insert(user)
        }
        facts.devices = [DeviceFact(device: "d1", isClosed: true, refusal: "unauthenticated, refresh_refused")]
        facts.processes = [
            ProcessFact(
                name: "messaging-1", kills: 1, restarts: 1, residentKiBMax: 30_000, residentKiBAllowed: 300_000,
                alarms: [])
        ]
        facts.faults = [.kill: 1, .cut: 1]
    }

    /// Changes the messages of a member's history.
    mutating func history(of user: String, _ change: (inout [StoredMessage]) -> Void) {
        for index in facts.histories.indices where facts.histories[index].reader == user {
            change(&facts.histories[index].messages)
            facts.histories[index].lastSeq = facts.histories[index].messages.last?.seq ?? 0
        }
    }

    /// Changes the messages of all histories, new clients and permanent clients.
    mutating func everybody(_ change: (inout [StoredMessage]) -> Void) {
        for user in Self.users {
            history(of: user, change)
            change(&facts.fresh[user, default: ClientState()].messages[Self.group, default: []])
        }
        for index in facts.kept.indices { change(&facts.kept[index].state.messages[Self.group, default: []]) }
    }

    /// Changes the states of a person's new and permanent clients.
    mutating func each(_ user: String, _ change: (inout ClientState) -> Void) {
        change(&facts.fresh[user, default: ClientState()])
        for index in facts.kept.indices where facts.kept[index].user == user { change(&facts.kept[index].state) }
    }

    /// Makes `other` the sender of the user's messages with these seqs, since a former member sends nothing.
    mutating func resend(_ seqs: ClosedRange<Int64>, of user: String, by other: String) {
        func change(_ message: StoredMessage) -> StoredMessage {
            guard seqs.contains(message.seq), message.sender == user else { return message }
            var changed = message
            changed.sender = other
            return changed
        }
        for index in facts.sends.indices where seqs.contains(Int64(index + 1)) && facts.sends[index].sender == user {
            facts.sends[index].sender = other
        }
        facts.announced = Set(facts.announced.map(change))
        everybody { $0 = $0.map(change) }
    }

    /// Appends a system message to all histories and clients.
    mutating func append(_ note: MemberNote) {
        let seq = (facts.histories[0].messages.last?.seq ?? 0) + 1
        let message = StoredMessage(
            conversation: Self.group, seq: seq, position: seq, id: "note\(seq)", sender: "", text: "\(note)",
            sentAt: 1_000_000 + seq)
        everybody { $0.append(message) }
    }

    var promises: Set<Audit.Finding.Promise> {
        Set(Audit(facts, minimum: Self.minimum).findings.map(\.promise))
    }
}
