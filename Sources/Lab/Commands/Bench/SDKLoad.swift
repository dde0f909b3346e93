import Foundation
import Observation
import ParleyClient
import ParleyKit

/// The measurements of ParleyKit in one process: each takes the least of its repetitions, as other programs can only
/// add to it.
@MainActor
struct SDKLoad {
    enum Measure: Sendable {
        /// Times of the operation, of which the best of so many counts.
        case times(Int)
        case counts
    }

    typealias Figure = BenchSDKCommand.Figure

    /// An operation that is measured, and what is done after it.
    private struct Operation {
        var body: () async -> Void
        var end: () async -> Void = {}
    }

    let measure: Measure

    private static let me = UserID(rawValue: "me")
    private static let group = ConversationID(rawValue: "group")

    nonisolated init(_ measure: Measure) { self.measure = measure }

    func run(in folder: URL) async -> [Figure] {
        [
            await bareAppend(), await append(), await storeUpdate(), await incrementalUpdate(),
            await ingest("pipeline.privateIngest", 200, of: 1), await ingest("pipeline.publicIngest", 200, of: 50),
            await ingest("store.append.persisted", 1000, of: 50, in: folder), await drain(500, in: folder),
            await catchUp(in: folder),
        ]
    }

    /// Repeats what `prepare` returns, which performs a number of operations.
    private func figure(
        _ name: String, of operations: Int, timesMax: Int = .max, _ prepare: () async -> Operation
    ) async -> Figure {
        switch measure {
        case .times(let times):
            var best = Duration.seconds(1000)
            for _ in 0..<min(times, timesMax) {
                let operation = await prepare()
                let began = ContinuousClock.now
                await operation.body()
                best = min(best, .now - began)
                await operation.end()
            }
            guard operations > 1 else { return Figure(name: name, ms: best / .milliseconds(1)) }
            return Figure(name: name, perS: Double(operations) / (best / .seconds(1)))
        case .counts:
            var least: Counts?
            for _ in 0..<3 {
                let operation = await prepare()
                let counts = await Counts.of(operations, operation.body)
                least = least?.least(counts) ?? counts
                await operation.end()
            }
            return Figure(name: name, counts: least)
        }
    }

    /// 1,000 conversations after a night, with 40 new messages in each, of which ten are looked at.
    private func catchUp(in folder: URL) async -> Figure {
        let ids = (0..<1000).map { ConversationID(rawValue: "conversation-\($0)") }
        let looked = Array(ids.prefix(10))
        return await figure("sync.catchup", of: 1, timesMax: 5) {
            let pipeline = await filled(folder, conversations: ids.count, messages: ids.count * 20)
            return Operation {
                let requests = await pipeline.catchUp(after: .init(40, in: ids, after: 20), lookingAt: looked)
                // Three services, messaging in five pages; a page and the receipts of each conversation looked at.
                precondition(requests <= 2 + 5 + 2 * looked.count, "sync.catchup took \(requests) requests")
            } end: {
                await pipeline.close()
                try? FileManager.default.removeItem(at: folder)
            }
        }
    }

    /// Messages of one conversation that were written offline, into the file: one is sent after another.
    private func drain(_ count: Int, in folder: URL) async -> Figure {
        await figure("outbox.drain", of: count) {
            let pipeline = await Pipeline(as: Self.me, in: folder)
            await open(pipeline, people: 1)
            observe(await pipeline.show(Self.group))
            do throws(Refusal) {
                try await pipeline.write(count, in: Self.group)
            } catch {
                preconditionFailure("A message was refused: \(error)")
            }
            return Operation {
                await pipeline.drain(Self.group)
            } end: {
                await pipeline.close()
                try? FileManager.default.removeItem(at: folder)
            }
        }
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
    private func bareAppend() async -> Figure {
        let messages = lateMessages(1000)
        return await figure("baseline.dictionary", of: messages.count) {
            var (all, places): ([Message], [MessageID: Int]) = ([], [:])
            return Operation {
                for message in messages where places[message.id] == nil {
                    places[message.id] = all.count
                    all.append(message)
                }
            }
        }
    }

    private func append() async -> Figure {
        let messages = lateMessages(1000)
        return await figure("store.append", of: messages.count) {
            let store = ConversationStore()
            store.showNewest([], from: 1, in: Self.group)
            let chat = store.conversation(Self.group)
            observe(chat)
            return Operation {
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

    private func storeUpdate() async -> Figure {
        await figure("delivery.storeUpdate", of: 500) {
            let (store, messages) = talks()
            let changed = stride(from: 0, to: messages.count, by: 8).map { messages[$0] }
            return Operation {
                var count = 0
                for (id, conversation) in changed where store.setStatus(.delivered, of: id, in: conversation) {
                    count += 1
                }
                precondition(count == 500)
            }
        }
    }

    /// The same from the other side: each receipt of a member brings one message further.
    private func incrementalUpdate() async -> Figure {
        await figure("delivery.incrementalUpdate", of: 500) {
            let (store, _) = talks()
            let ada = UserID(rawValue: "ada")
            let receipts = (1...Int64(500)).map { seq in
                Receipt(.with { ($0.readSeq, $0.deliveredSeq) = (seq, seq) })
            }
            return Operation {
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

    private func ingest(_ name: String, _ count: Int, of people: Int, in folder: URL? = nil) async -> Figure {
        let updates = updates(count, of: people)
        return await figure(name, of: count) {
            let pipeline = await Pipeline(as: Self.me, in: folder)
            await open(pipeline, people: people)
            let chat = await pipeline.show(Self.group)
            observe(chat)
            return Operation {
                await pipeline.receive(updates)
                precondition(chat.messages.count == count)
            } end: {
                await pipeline.close()
                if let folder { try? FileManager.default.removeItem(at: folder) }
            }
        }
    }

    // MARK: A large file

    /// Counts what it takes to show the first screen of a small file, which is what it takes with any.
    func firstScreen(in folder: URL) async -> Figure {
        await filled(folder, conversations: 200, messages: 4000).close()
        return await figure("coldstart.firstScreen", of: 1) {
            Operation { _ = await Pipeline.firstScreen(of: Self.me, in: folder) }
        }
    }

    /// Fills a file through the same Updates that a server would send.
    /// - Returns: the device that has it open.
    func filled(_ folder: URL, conversations: Int, messages: Int) async -> Pipeline {
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
        return pipeline
    }
}

extension Update {
    /// An Update as a session decodes it.
    fileprivate init?(of state: some HeldState, _ kind: String, _ stream: String, at position: Int64) {
        guard let body = try? state.frame() else { return nil }
        self.init(stream: stream, position: position, kind: kind, body: body)
    }
}
