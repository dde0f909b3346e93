import Foundation
import Observation
import ParleyClient
import ParleyKit

/// The measurements of ParleyKit in one process.
@MainActor
struct SDKLoad {
    /// How often each is repeated.
    let times: Int

    private static let me = UserID(rawValue: "me")
    private static let group = ConversationID(rawValue: "group")

    nonisolated init(times: Int) { self.times = times }

    func run(in folder: URL) async -> [BenchSDKCommand.Figure] {
        [
            .init(name: "baseline.dictionary", perS: bareAppend()), .init(name: "store.append", perS: append()),
            .init(name: "delivery.storeUpdate", perS: storeUpdate()),
            .init(name: "delivery.incrementalUpdate", perS: incrementalUpdate()),
            .init(name: "pipeline.privateIngest", perS: await ingest(200, of: 1)),
            .init(name: "pipeline.publicIngest", perS: await ingest(200, of: 50)),
            .init(name: "store.append.persisted", perS: await ingest(1000, of: 50, in: folder)),
            .init(name: "outbox.drain", perS: await drain(500, in: folder)), await catchUp(in: folder),
        ]
    }

    /// 1,000 conversations after a night, with 40 new messages in each, of which ten are looked at.
    private func catchUp(in folder: URL) async -> BenchSDKCommand.Figure {
        let ids = (0..<1000).map { ConversationID(rawValue: "conversation-\($0)") }
        let looked = Array(ids.prefix(10))
        var (best, requests) = (Duration.seconds(1000), 0)
        for _ in 0..<min(times, 5) {
            await fill(folder, conversations: ids.count, messages: ids.count * 20) { pipeline in
                let night = Pipeline.Night(40, in: ids, after: 20)
                let taken = await pipeline.catchUp(after: night, lookingAt: looked)
                (best, requests) = (min(best, taken.after), taken.requests)
            }
            try? FileManager.default.removeItem(at: folder)
        }
        // Three services, messaging in five pages; a page of each conversation that is looked at.
        precondition(requests <= 2 + 5 + looked.count, "sync.catchup took \(requests) requests")
        return .init(name: "sync.catchup", ms: best / .milliseconds(1))
    }

    /// Messages of one conversation that were written offline, into the file: one is sent after another.
    private func drain(_ count: Int, in folder: URL) async -> Double {
        var best = Duration.seconds(1000)
        for _ in 0..<times {
            let pipeline = await Pipeline(as: Self.me, in: folder)
            await open(pipeline, people: 1)
            observe(await pipeline.show(Self.group))
            do throws(Refusal) {
                best = min(best, try await pipeline.drain(count, in: Self.group))
            } catch {
                return 0
            }
            await pipeline.close()
            try? FileManager.default.removeItem(at: folder)
        }
        return Double(count) / (best / .seconds(1))
    }

    /// Returns how many times per second the best repetition did something.
    private func best(_ count: Int, _ prepare: () -> () -> Void) -> Double {
        var best = Duration.seconds(1000)
        for _ in 0..<times {
            let body = prepare()
            best = min(best, ContinuousClock().measure(body))
        }
        return Double(count) / (best / .seconds(1))
    }

    // MARK: In memory

    private func message(_ seq: Int64, in conversation: ConversationID, from sender: UserID) -> Message {
        Message(
            .with {
                ($0.conversation, $0.seq, $0.sender, $0.kind) = (conversation.rawValue, seq, sender.rawValue, .text)
                ($0.id, $0.text, $0.sentAtUs) = (Self.id(seq, conversation), "message \(seq)", seq)
            })
    }

    private static func id(_ seq: Int64, _ conversation: ConversationID) -> Data {
        var id = Data(count: 16)
        withUnsafeBytes(of: seq.bigEndian) { id.replaceSubrange(0..<8, with: $0) }
        for (index, byte) in conversation.rawValue.utf8.suffix(8).enumerated() { id[8 + index] = byte }
        return id
    }

    /// Messages in order, but for every tenth, which arrives five later.
    private func lateMessages(_ count: Int64) -> [Message] {
        let seqs = (1...count).map { seq in (seq % 10 == 0 ? seq * 10 + 55 : seq * 10, seq) }
        return seqs.sorted { $0.0 < $1.0 }.map { message($0.1, in: Self.group, from: UserID(rawValue: "ada")) }
    }

    /// The least that a store could do: append to an array, and note the place by id.
    private func bareAppend() -> Double {
        let messages = lateMessages(1000)
        return best(messages.count) {
            var (all, places): ([Message], [MessageID: Int]) = ([], [:])
            return {
                for message in messages where places[message.id] == nil {
                    places[message.id] = all.count
                    all.append(message)
                }
            }
        }
    }

    private func append() -> Double {
        let messages = lateMessages(1000)
        return best(messages.count) {
            let store = ConversationStore()
            store.showNewest([], from: 1, in: Self.group)
            let chat = store.conversation(Self.group)
            observe(chat)
            return {
                for message in messages { store.append(message) }
                precondition(chat.messages.count == messages.count)
            }
        }
    }

    private func observe(_ chat: Conversation) {
        withObservationTracking {
            _ = chat.messages.count
        } onChange: {
        }
    }

    /// A group with 2,000 messages of mine, and 50 direct conversations with 40.
    private func talks() -> (store: ConversationStore, messages: [(MessageID, ConversationID)]) {
        let store = ConversationStore()
        store.me = Self.me
        var messages: [(MessageID, ConversationID)] = []
        let directs = (0..<50).map { ConversationID(rawValue: "direct-\($0)") }
        for (id, count) in [(Self.group, Int64(2000))] + directs.map({ ($0, Int64(40)) }) {
            store.showNewest([], from: 1, in: id)
            for seq in 1...count {
                let message = message(seq, in: id, from: Self.me)
                store.append(message)
                messages.append((message.id, id))
            }
            observe(store.conversation(id))
        }
        return (store, messages)
    }

    private func storeUpdate() -> Double {
        best(500) {
            let (store, messages) = talks()
            let changed = stride(from: 0, to: messages.count, by: 8).map { messages[$0] }
            return {
                var count = 0
                for (id, conversation) in changed where store.setStatus(.delivered, of: id, in: conversation) {
                    count += 1
                }
                precondition(count == 500)
            }
        }
    }

    /// The same from the other side: each receipt of a member brings one message further.
    private func incrementalUpdate() -> Double {
        best(500) {
            let (store, _) = talks()
            let ada = UserID(rawValue: "ada")
            let receipts = (1...Int64(500)).map { seq in
                Receipt(.with { ($0.readSeq, $0.deliveredSeq) = (seq, seq) })
            }
            return {
                for receipt in receipts { store.setReceipt(receipt, of: ada, in: Self.group) }
                precondition(store.conversation(Self.group).messages[499].status == .read)
            }
        }
    }

    // MARK: From the Update

    private func updates(_ count: Int, of people: Int) -> [Update] {
        (1...Int64(count)).compactMap { seq in
            let message = Parley_V1_Message.with {
                ($0.conversation, $0.seq, $0.position, $0.kind) = (Self.group.rawValue, seq, seq, .text)
                ($0.sender, $0.text, $0.sentAtUs) = ("user-\(Int(seq) % people)", "message \(seq)", seq)
                $0.id = Self.id(seq, Self.group)
            }
            return Update(of: message, "Message", "messaging/c/\(Self.group)", at: seq)
        }
    }

    private func open(_ pipeline: Pipeline, people: Int) async {
        let conversation = Parley_V1_Conversation.with {
            ($0.id, $0.name, $0.position) = (Self.group.rawValue, "open group", 1)
            ($0.kind, $0.section) = (people == 1 ? .direct : .group, .inbox)
            $0.members = (0..<people).map { number in .with { $0.user.id = "user-\(number)" } }
        }
        await pipeline.receive(
            [Update(of: conversation, "Conversation", "conversations/u/me", at: 1)].compactMap(\.self))
    }

    private func ingest(_ count: Int, of people: Int, in folder: URL? = nil) async -> Double {
        let updates = updates(count, of: people)
        var best = Duration.seconds(1000)
        for _ in 0..<times {
            let pipeline = await Pipeline(as: Self.me, in: folder)
            await open(pipeline, people: people)
            let chat = await pipeline.show(Self.group)
            observe(chat)
            let began = ContinuousClock.now
            await pipeline.receive(updates)
            best = min(best, ContinuousClock.now - began)
            precondition(chat.messages.count == count)
            await pipeline.close()
            if let folder { try? FileManager.default.removeItem(at: folder) }
        }
        return Double(count) / (best / .seconds(1))
    }

    // MARK: A large file

    /// Fills a file through the same Updates that a server would send.
    func fill(
        _ folder: URL, conversations: Int, messages: Int, body: (Pipeline) async -> Void = { _ in }
    ) async {
        let pipeline = await Pipeline(as: Self.me, in: folder)
        let each = Int64(messages / conversations)
        for number in 0..<conversations {
            let id = "conversation-\(number)"
            let conversation = Parley_V1_Conversation.with {
                ($0.id, $0.name, $0.position) = (id, "Group \(number)", Int64(number) + 1)
                ($0.kind, $0.section) = (.group, .inbox)
                $0.members = (0..<8).map { user in
                    .with { ($0.user.id, $0.user.displayName) = ("user-\(user)", "Person \(user)") }
                }
            }
            var updates = [Update(of: conversation, "Conversation", "conversations/u/me", at: Int64(number) + 1)]
            for seq in 1...each {
                let message = Parley_V1_Message.with {
                    ($0.conversation, $0.seq, $0.position, $0.kind) = (id, seq, seq, .text)
                    ($0.sender, $0.sentAtUs) = ("user-\(seq % 8)", Int64(number) * 1_000_000 + seq)
                    $0.text = "Message \(seq) of conversation \(number), about as long as people write"
                    $0.id = Self.id(seq, ConversationID(rawValue: id))
                }
                updates.append(Update(of: message, "Message", "messaging/c/\(id)", at: seq))
            }
            await pipeline.receive(updates.compactMap(\.self))
        }
        await body(pipeline)
        await pipeline.close()
    }
}

extension Update {
    /// An Update as a session decodes it.
    fileprivate init?(of state: some HeldState, _ kind: String, _ stream: String, at position: Int64) {
        guard let body = try? state.frame() else { return nil }
        self.init(stream: stream, position: position, kind: kind, body: body)
    }
}
