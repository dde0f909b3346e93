import Foundation
import NIOConcurrencyHelpers
import Observation
import ParleyClient
import Testing

@testable import ParleyKit

@MainActor
@Suite("The conversation store", .timeLimit(.minutes(2)))
struct ConversationStoreTests {
    static let me = UserID(rawValue: "me")
    static let one = ConversationID(rawValue: "one")
    static let two = ConversationID(rawValue: "two")

    static func id(_ number: Int) -> MessageID {
        MessageID(Data(repeating: 0, count: 8) + withUnsafeBytes(of: Int64(number).bigEndian) { Data($0) })
    }

    static func message(
        _ seq: Int64, id: Int? = nil, in conversation: ConversationID = one, from sender: String = "ada",
        _ text: String = ""
    ) -> Message {
        var message = Message(
            unsent: text, id: Self.id(id ?? Int(seq)), in: conversation, from: UserID(rawValue: sender),
            at: Date(timeIntervalSince1970: Double(seq)), status: .sent)
        message.seq = seq
        return message
    }

    static func unsent(_ id: Int, in conversation: ConversationID = one) -> Message {
        Message(unsent: "unsent \(id)", id: Self.id(id), in: conversation, from: me, at: .now)
    }

    /// A store in which conversations are loaded from their first message on.
    private func store() -> ConversationStore {
        let store = ConversationStore()
        store.me = Self.me
        for id in [Self.one, Self.two] { store.showNewest([], from: 1, in: id) }
        return store
    }

    @Test("S1 a conversation has one object, and a change of one never wakes observers of another")
    func isolation() {
        let store = store()
        let (one, two) = (store.conversation(Self.one), store.conversation(Self.two))
        #expect(store.conversation(Self.one) === one)
        let (wakes, wakesOfTwo) = (NIOLockedValueBox(0), NIOLockedValueBox(0))
        func observe(_ chat: Conversation, _ wakes: NIOLockedValueBox<Int>) {
            withObservationTracking {
                _ = (
                    chat.messages.count, chat.lastMessage, chat.unread, chat.draft, chat.gaps, chat.receipts, chat.name
                )
                _ = (chat.isFromCache, chat.hasOlder)
            } onChange: {
                wakes.withLockedValue { $0 += 1 }
            }
        }
        observe(two, wakesOfTwo)
        for seq in 1...Int64(200) {
            observe(one, wakes)
            store.append(Self.message(seq, from: seq % 2 == 0 ? "me" : "ada"))
        }
        store.setStatus(.read, of: Self.id(2), in: Self.one)
        store.setReceipt(
            Receipt(.with { ($0.readSeq, $0.deliveredSeq) = (100, 120) }), of: UserID(rawValue: "ada"), in: Self.one)
        store.markUnread(Self.one)
        store.markRead(Self.one, upTo: 200)
        store.setDraft("Hi", of: Self.one)
        store.clear(Self.one, upTo: 50)
        #expect(wakes.withLockedValue { $0 } == 200)
        #expect(wakesOfTwo.withLockedValue { $0 } == 0)
        store.append(Self.message(1, in: Self.two))
        #expect(wakesOfTwo.withLockedValue { $0 } == 1)
    }

    @Test("S3 when an intent returns, every reader sees it; the same message twice is one")
    func immediate() {
        let store = store()
        let chat = store.conversation(Self.one)
        #expect(store.append(Self.message(2)))
        #expect(!store.append(Self.message(2)))
        #expect(store.append(Self.message(1)))
        #expect(chat.messages.map(\.seq) == [1, 2])
        store.upsert(Self.message(1, "edited"))
        #expect(chat.messages[0].text == "edited")
        #expect(chat.message(Self.id(1))?.text == "edited")
        #expect(chat.lastMessage?.seq == 2)
        store.clear(Self.one, upTo: 1)
        #expect(chat.messages.map(\.seq) == [2])
        #expect(store.audit().isEmpty)
    }

    @Test("unsent messages follow those of the server, and take their place once the server has them")
    func unsent() {
        let store = store()
        let chat = store.conversation(Self.one)
        store.append(Self.message(1))
        store.append(Self.unsent(101))
        store.append(Self.unsent(102))
        store.append(Self.message(2))
        #expect(chat.messages.map(\.id) == [1, 2, 101, 102].map(Self.id))
        #expect(chat.messages[2].syncStatus == .pending)
        store.upsert(Self.message(3, id: 102, from: "me"))
        #expect(chat.messages.map(\.id) == [1, 2, 102, 101].map(Self.id))
        #expect(chat.messages[2].syncStatus == .synced)
        // What the device remembers of it comes late, and changes nothing.
        store.upsert(Self.unsent(102))
        #expect(chat.messages[2].seq == 3)
        let refusal = Refusal(.userBlocked, "You cannot message this user.")
        store.setStatus(.failed(refusal), of: Self.id(101), in: Self.one)
        #expect(chat.messages[3].syncStatus == .failed(refusal))
        store.setStatus(.sending, of: Self.id(101), in: Self.one)
        #expect(chat.messages[3].syncStatus == .pending)
        store.remove(Self.id(101), in: Self.one)
        #expect(chat.messages.count == 3)
        #expect(store.audit().isEmpty)
    }

    @Test("a status never goes back")
    func statuses() {
        let refusal = Refusal(.invalid, "No.")
        let order: [DeliveryStatus] = [.sending, .sent, .delivered, .read]
        for (at, status) in order.enumerated() {
            for (other, next) in order.enumerated() {
                #expect(status.advanced(to: next) == order[max(at, other)], "\(status) \(next)")
            }
        }
        #expect(DeliveryStatus.sending.advanced(to: .failed(refusal)) == .failed(refusal))
        #expect(DeliveryStatus.failed(refusal).advanced(to: .sending) == .sending)
        #expect(DeliveryStatus.sent.advanced(to: .failed(refusal)) == .sent)
        #expect(DeliveryStatus.read.advanced(to: .sending) == .read)

        let store = store()
        for seq in 1...Int64(10) { store.append(Self.message(seq, from: "me")) }
        func receipt(_ read: Int64, _ delivered: Int64) {
            store.setReceipt(
                Receipt(.with { ($0.readSeq, $0.deliveredSeq) = (read, delivered) }), of: UserID(rawValue: "ada"),
                in: Self.one)
        }
        receipt(3, 6)
        receipt(2, 4)
        let chat = store.conversation(Self.one)
        let shown = chat.receipts[UserID(rawValue: "ada")]
        #expect(shown?.readUpTo == 3 && shown?.deliveredUpTo == 6, "what is older changes nothing")
        #expect(
            chat.messages.map(\.status) == [.read, .read, .read, .delivered, .delivered, .delivered]
                + Array(repeating: .sent, count: 4))
        // A message that is shown later has the status that the receipts say.
        store.upsert(Self.message(2, from: "me", "edited"))
        #expect(chat.messages[1].status == .read)
        receipt(10, 10)
        #expect(chat.messages.allSatisfy { $0.status == .read })
    }

    @Test("gaps between the messages that are loaded are known, until they are filled")
    func gaps() {
        let store = store()
        let chat = store.conversation(Self.one)
        store.showNewest((90...Int64(100)).map { Self.message($0) }, from: 90, in: Self.one)
        #expect(chat.gaps.isEmpty)
        #expect(chat.hasOlder)
        store.show((40...Int64(50)).map { Self.message($0) }, covering: 40...50, in: Self.one)
        #expect(chat.gaps == [.init(first: 51, last: 89)])
        // A message between them is stored, and shown once the gap is filled.
        store.upsert(Self.message(60))
        #expect(chat.messages.count == 22)
        store.show((70...Int64(89)).map { Self.message($0) }, covering: 70...89, in: Self.one)
        #expect(chat.gaps == [.init(first: 51, last: 69)])
        store.append(Self.message(101))
        store.show((51...Int64(69)).map { Self.message($0) }, covering: 51...69, in: Self.one)
        #expect(chat.gaps.isEmpty)
        #expect(chat.messages.compactMap(\.seq) == Array(40...101))
        store.show((1...Int64(39)).map { Self.message($0) }, covering: 1...39, in: Self.one)
        #expect(!chat.hasOlder)
        #expect(store.audit().isEmpty)
    }

    @Test("what arrives while pages are read is shown, however the readings overlap")
    func readings() {
        let store = store()
        let chat = store.conversation(Self.one)
        store.showNewest((5...Int64(6)).map { Self.message($0) }, from: 5, in: Self.one)
        // The first page was read before 3 was stored, the second one before 2 was changed.
        store.beginReading(Self.one)
        store.upsert(Self.message(3))
        store.beginReading(Self.one)
        store.upsert(Self.message(2, "changed"))
        store.show([1, 2, 4].map { Self.message($0) }, covering: 1...4, in: Self.one)
        store.endReading(Self.one)
        store.showNewest((2...Int64(6)).map { Self.message($0) }, from: 2, in: Self.one)
        store.endReading(Self.one)
        #expect(chat.messages.map(\.seq) == [2, 3, 4, 5, 6])
        #expect(chat.messages.first?.text == "changed")
        store.upsert(Self.message(1))
        #expect(chat.messages.count == 5, "nothing is remembered afterwards")
        #expect(store.audit().isEmpty)
    }

    @Test("a message that was shown as unsent takes its place when a page has it")
    func unsentOnAPage() {
        let store = store()
        let chat = store.conversation(Self.one)
        store.append(Self.unsent(3))
        store.showNewest((5...Int64(6)).map { Self.message($0) }, from: 5, in: Self.one)
        store.append(Self.unsent(7))
        store.noteSent(Self.id(3), in: Self.one)
        #expect(chat.messages.map(\.seq) == [5, 6, nil, nil])
        store.show((1...Int64(4)).map { Self.message($0) }, covering: 1...4, in: Self.one)
        #expect(chat.messages.map(\.seq) == [1, 2, 3, 4, 5, 6, nil])
        #expect(chat.messages.last?.id == Self.id(7))
        #expect(store.audit().isEmpty)
    }

    @Test("a conversation continues under another id with its messages, its draft and its unread messages")
    func migration() async {
        let store = store()
        var changes = store.changes.makeAsyncIterator()
        for seq in 1...Int64(3) { store.append(Self.message(seq)) }
        store.append(Self.unsent(101))
        store.append(Self.message(2, in: Self.two))
        store.setDraft("Hi", of: Self.one)
        store.migrate(from: Self.one, to: Self.two)
        let two = store.conversation(Self.two)
        #expect(two.messages.map(\.id) == [1, 2, 3, 101].map(Self.id))
        #expect(two.messages.allSatisfy { $0.conversation == Self.two })
        #expect(two.draft == "Hi")
        #expect(store.conversation(Self.one).messages.isEmpty)
        #expect(store.audit().isEmpty)
        var last: ConversationChange?
        for _ in 0..<7 { last = await changes.next() }
        #expect(last == .migrated(from: Self.one, to: Self.two))
    }

    @Test("S7 a draft that was sent does not come back with what the store still has")
    func drafts() {
        let store = store()
        let key = ListKey(pinnedAt: 0, activeAt: 0, id: "")
        var summary = ConversationSummary(id: Self.one, own: .init(), draft: "Kept", key: key)
        store.take(summary)
        #expect(store.conversation(Self.one).draft == "Kept")
        store.setDraft("Hello!", of: Self.one)
        store.setDraft("", of: Self.one)
        summary.draft = "Hello!"
        store.take(summary)
        #expect(store.conversation(Self.one).draft == "")
    }

    @Test("messages that disappear are not shown after their time")
    func expiry() {
        let store = store()
        for seq in 1...Int64(6) {
            var message = Self.message(seq)
            if seq % 2 == 0 { message.expiresAt = Date(timeIntervalSince1970: Double(seq) * 10) }
            store.append(message)
        }
        func shown(at seconds: Double) -> [Int64?] {
            store.expire(at: Date(timeIntervalSince1970: seconds))
            return store.conversation(Self.one).messages.map(\.seq)
        }
        #expect(shown(at: 10) == [1, 2, 3, 4, 5, 6])
        #expect(shown(at: 40) == [1, 3, 5, 6])
        #expect(shown(at: 59) == [1, 3, 5, 6])
        #expect(shown(at: 60) == [1, 3, 5])
        #expect(store.audit().isEmpty)
    }

    @Test("S4 the stream of changes tells what happened, in order")
    func stream() async {
        let store = store()
        var changes = store.changes.makeAsyncIterator()
        store.append(Self.message(1, from: "me"))
        store.upsert(Self.message(1, from: "me", "edited"))
        store.setStatus(.read, of: Self.id(1), in: Self.one)
        store.setStatus(.delivered, of: Self.id(1), in: Self.one)
        store.clear(Self.one, upTo: 1)
        #expect(await changes.next() == .appended(Self.message(1, from: "me")))
        #expect(await changes.next() == .changed(Self.message(1, from: "me", "edited")))
        #expect(await changes.next() == .status(.read, of: Self.id(1), in: Self.one))
        #expect(await changes.next() == .removed([Self.id(1)], in: Self.one))
    }

    @Test(
        "S2 the invariants hold after every step of random intents, and what is shown is what a simple list has",
        arguments: 1...8)
    func random(seed: Int) {
        var random = Seeded(UInt64(seed))
        let store = store()
        // The same, the simple way.
        var confirmed: [ConversationID: [Int64: Message]] = [Self.one: [:], Self.two: [:]]
        var unsent: [ConversationID: [Message]] = [Self.one: [], Self.two: []]
        var next = 1000
        for step in 0..<1500 {
            let id = Bool.random(using: &random) ? Self.one : Self.two
            // One sequence of ids for each conversation.
            let seq = Int64.random(in: 1...60, using: &random)
            let messageID = Int(seq) + (id == Self.one ? 0 : 500)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                let message = Self.message(seq, id: messageID, in: id)
                store.append(message)
                if confirmed[id]?[seq] == nil { confirmed[id]?[seq] = message }
            case 4, 5:
                let message = Self.message(seq, id: messageID, in: id, "edited \(step)")
                store.upsert(message)
                var merged = message
                if let before = confirmed[id]?[seq] { merged.status = before.status.advanced(to: .sent) }
                confirmed[id]?[seq] = merged
            case 6:
                next += 1
                let message = Self.unsent(next, in: id)
                store.append(message)
                unsent[id]?.append(message)
            case 7:
                // The server has an unsent message, under the next number.
                guard let sent = unsent[id]?.randomElement(using: &random) else { continue }
                let seq = max(confirmed[id]?.keys.max() ?? 0, 60) + 1
                var message = sent
                (message.seq, message.status) = (seq, .sent)
                store.upsert(message)
                unsent[id]?.removeAll { $0.id == sent.id }
                confirmed[id]?[seq] = message
            case 8:
                guard let message = confirmed[id]?.values.randomElement(using: &random) else { continue }
                let status: DeliveryStatus = [.sending, .sent, .delivered, .read].randomElement(using: &random)!
                store.setStatus(status, of: message.id, in: id)
                confirmed[id]?[message.seq!]?.status = message.status.advanced(to: status)
            case 9 where Int.random(in: 0..<20, using: &random) == 0:
                store.clear(id, upTo: seq)
                confirmed[id] = confirmed[id]?.filter { $0.key > seq }
            case 10:
                guard let message = unsent[id]?.first else { continue }
                store.remove(message.id, in: id)
                unsent[id]?.removeFirst()
            default:
                store.markRead(id, upTo: seq)
                store.markUnread(id)
            }
            let problems = store.audit()
            #expect(problems.isEmpty, "step \(step) of seed \(seed): \(problems)")
            for id in [Self.one, Self.two] {
                let expected = (confirmed[id] ?? [:]).sorted { $0.key < $1.key }.map(\.value) + (unsent[id] ?? [])
                let shown = store.conversation(id).messages
                #expect(shown == expected, "step \(step) of seed \(seed)")
                if shown != expected { return }
            }
        }
    }
}
