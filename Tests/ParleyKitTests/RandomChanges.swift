import Foundation
import ParleyClient
import SwiftProtobuf

/// Random changes like those of a sync machine, of a server with two cells.
struct RandomChanges {
    static let me = "me"
    static let people = ["me", "ada", "bob"]
    static let conversations = ["one", "two", "three"]
    /// The cells of conversations; of another it is not known.
    private static let cells = ["one": "0", "two": "1"]
    var random: Seeded
    private var position: Int64 = 0
    private var records: [String: ConversationRecord] = [:]

    init(seed: UInt64) { random = Seeded(seed) }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
    private mutating func any<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
    private mutating func maybe(_ part: Double = 0.5) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    mutating func next() -> SyncChange {
        position += 1
        let conversation = any(Self.conversations)
        switch number(0...29) {
        case 0...10: return .message(message(in: conversation), from: maybe() ? .update : .reply)
        case 11, 12: return .reactions(reactions(in: conversation))
        case 13, 14:
            return .messageState(
                .with {
                    ($0.conversation, $0.seq, $0.ownPosition) = (conversation, number(1...40), position)
                    ($0.starred, $0.hidden) = (maybe(), maybe(0.2))
                })
        case 15:
            return .inboxState(
                .with {
                    ($0.conversation, $0.ownPosition, $0.readSeq) = (conversation, position, number(0...30))
                    $0.pinnedAtUs = maybe() ? number(1...1000) : 0
                    $0.archivedAtUs = maybe(0.2) ? number(1...1000) : 0
                })
        case 16:
            return .receipt(
                .with {
                    ($0.conversation, $0.user) = (conversation, any(Self.people))
                    ($0.readSeq, $0.deliveredSeq) = (number(0...20), number(0...40))
                })
        case 17:
            return .readCount(
                .with { ($0.conversation, $0.seq, $0.read) = (conversation, number(1...40), number(1...9)) })
        case 18:
            return .inboxEntry(
                .with {
                    ($0.conversation, $0.lastSeq, $0.section) = (conversation, number(1...40), .inbox)
                    $0.lastMessage = message(in: conversation)
                })
        case 19: return .blocks((0..<number(0...2)).map { at in .with { ($0.user.id, $0.blocked) = ("b\(at)", true) } })
        case 20:
            return maybe(0.3) ? .clear(conversation: conversation, upTo: number(1...10)) : .record(record(conversation))
        case 21: return maybe(0.2) ? .dropMessages(conversation: conversation) : .record(record(conversation))
        case 22: return maybe(0.2) ? .dropConversation(conversation) : .record(record(conversation))
        case 23:
            let stream = any(["conversations/u/me", "entities/u/me", "messaging/u/me/0", "messaging/u/me/1"])
            return maybe(0.3) ? .startOver(stream: stream) : .record(record(conversation))
        case 24:
            var stream = StoredStream(any(["messaging/c/one", "conversations/u/me"]))
            (stream.position, stream.epoch, stream.isBehind) = (position, "e", maybe())
            return .stream(stream)
        case 25: return .forgetStream(any(["messaging/c/one", "conversations/u/me"]))
        case 26, 27: return .record(record(conversation))
        default: return .put(state(of: conversation))
        }
    }

    mutating func message(in conversation: String) -> Parley_V1_Message {
        .with {
            ($0.conversation, $0.seq, $0.position) = (conversation, number(1...40), number(1...60))
            $0.id = Data(repeating: UInt8($0.seq), count: 15) + [UInt8(conversation.utf8.first ?? 0)]
            ($0.sender, $0.text, $0.kind) = (any(Self.people), "text \(position)", maybe(0.1) ? .system : .text)
            $0.sentAtUs = $0.seq * 1_000_000
            if maybe(0.1) { ($0.deletedAtUs, $0.text) = (position, "") }
            if maybe(0.2) { $0.editedAtUs = position }
            if maybe(0.2) { $0.mentions = [Self.me] }
            if maybe(0.1) { $0.own = .with { ($0.starred, $0.reactions) = (maybe(), ["👍"]) } }
            if $0.kind == .system, maybe() { ($0.system.kind, $0.system.seconds) = (.retentionChanged, number(0...9)) }
            if maybe(0.1) { $0.expiresAtUs = number(1...60_000_000) }
            // What thread a message belongs to never changes.
            if $0.seq > 5, $0.seq % 3 == 0 { $0.threadSeq = $0.seq % 5 + 1 }
            if maybe(), $0.threadSeq != 0 || $0.seq <= 5 {
                $0.thread = .with { ($0.replies, $0.position) = (position, position) }
            }
        }
    }

    private mutating func reactions(in conversation: String) -> Parley_V1_Reactions {
        .with {
            ($0.conversation, $0.seq, $0.position) = (conversation, number(1...40), number(1...60))
            $0.counts = [.with { ($0.emoji, $0.count) = ("👍", number(1...9)) }]
            $0.changes = [.with { ($0.user, $0.emoji, $0.removed) = (any(Self.people), "👍", maybe()) }]
        }
    }

    private mutating func record(_ conversation: String) -> ConversationRecord {
        var record = records[conversation] ?? ConversationRecord(conversation)
        record.position = position
        record.section = any([.inbox, .requests, .left])
        if maybe(0.8) { record.cell = Self.cells[conversation] ?? "" }
        (record.hasLeft, record.wasLost) = (maybe(), maybe())
        record.newest.note(number(1...40), sentAt: number(1...40_000_000))
        record.unread.hold(from: number(1...40), to: number(1...40))
        record.unread.take(
            .with { ($0.ownPosition, $0.readSeq, $0.unread) = (position, number(0...30), number(0...9)) })
        records[conversation] = record
        return record
    }

    private mutating func state(of conversation: String) -> Update.Content {
        switch number(0...8) {
        case 0: return .profile(.with { ($0.user.id, $0.email) = ("me", "\(position)@example.com") })
        case 1: return .requestCount(.with { ($0.total, $0.unread) = (UInt32(number(0...9)), 0) })
        case 2: return .block(.with { ($0.user.id, $0.blocked) = ("b\(number(0...2))", maybe()) })
        case 3:
            return .reminder(
                .with {
                    $0.id = Data(repeating: UInt8(number(1...3)), count: 16)
                    ($0.title, $0.deletedAtUs) = ("\(position)", maybe(0.3) ? 1 : 0)
                })
        case 4:
            return .decision(
                .with {
                    $0.id = Data(repeating: UInt8(number(1...3)), count: 16)
                    ($0.text, $0.deletedAtUs) = ("\(position)", maybe(0.3) ? 1 : 0)
                })
        case 5:
            return .event(
                .with {
                    ($0.id, $0.position) = (Data(repeating: UInt8(number(1...3)), count: 16), position)
                    ($0.title, $0.deletedAtUs) = ("\(position)", maybe(0.3) ? 1 : 0)
                })
        case 6:
            return .eventCounts(
                .with {
                    ($0.id, $0.position) = (Data(repeating: UInt8(number(1...3)), count: 16), number(1...position))
                    $0.accepted = 3
                })
        case 7:
            return .suggestion(
                .with {
                    $0.id = Data(repeating: UInt8(number(1...3)), count: 16)
                    ($0.position, $0.state) = (position, maybe(0.7) ? .open : .dismissed)
                })
        default:
            return .conversation(
                .with {
                    ($0.id, $0.kind, $0.name, $0.position) = (conversation, .group, "name \(position)", position)
                    $0.section = any([.inbox, .requests, .left, .blockedPeople])
                })
        }
    }
}
