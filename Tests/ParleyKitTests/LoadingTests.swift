import NIOConcurrencyHelpers
import ParleyClient
import Testing

@testable import ParleyKit

@MainActor
@Suite("Loading the messages of a conversation", .timeLimit(.minutes(2)))
struct LoadingTests {
    private typealias Samples = ConversationStoreTests

    /// A store of which a read, once asked to, waits with what it has found.
    private final class WaitingStore: Store {
        private struct State {
            var waits = false
            var waiting: CheckedContinuation<Void, Never>?
        }

        private let rows = MemoryStore()
        private let state = NIOLockedValueBox(State())

        var isWaiting: Bool { state.withLockedValue { $0.waiting != nil } }

        func delayNextRead() { state.withLockedValue { $0.waits = true } }

        func goOn() { state.withLockedValue { $0.waiting.take() }?.resume() }

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StoreReader) throws -> Result
        ) async throws -> Result {
            let result = try await rows.read(body)
            await withCheckedContinuation { continuation in
                let waits = state.withLockedValue { state in
                    let waits = state.waits
                    state.waits = false
                    if waits { state.waiting = continuation }
                    return waits
                }
                if !waits { continuation.resume() }
            }
            return result
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StoreWriter) throws -> Result
        ) async throws -> Result { try await rows.write(body) }

        func close() async {}
    }

    private static func stored(_ seq: Int64) -> Parley_V1_Message {
        .with {
            ($0.conversation, $0.seq, $0.position, $0.kind) = (Samples.one.rawValue, seq, seq, .text)
            ($0.id, $0.sender, $0.text) = (Samples.id(Int(seq)).data, "ada", "\(seq)")
        }
    }

    @Test("S5 a gap that arrives while messages are being read is not shown as if nothing were missing")
    func gapWhileReading() async throws {
        let store = WaitingStore()
        let me = User(id: Samples.me, username: "me", displayName: "Me")
        let double = await ParleyDouble(as: me, account: .holding(store, of: me.id))
        let (id, first, newest) = (Samples.one.rawValue, [1, 2].map(Self.stored), Self.stored(5))
        try await store.write { rows in
            for message in first { try rows.put(message, me: "me") }
            try rows.put([1...2], of: id)
        }
        store.delayNextRead()
        let loading = Task { await double.parley.load(Samples.one, again: false) }
        try await eventually("the reading waits") { store.isWaiting }

        try await store.write { rows in
            try rows.put(newest, me: "me")
            try rows.put([1...2, 5...5], of: id)
        }
        double.parley.take(Committed(effects: [.message(Message(newest)), .gap(Samples.one)]))
        store.goOn()
        _ = await loading.value

        let chat = double.parley.conversation(Samples.one)
        while chat.messages.map(\.seq) == [1, 2, 5] { try await Task.sleep(for: .milliseconds(1)) }
        #expect(chat.messages.map(\.seq) == [5])
        #expect(chat.hasOlder)
    }

    @Test("M9 S5 reactions and own states that arrive while a page is read are applied after each such page, in order")
    func pages() {
        var pages = PagesUnderWay()
        func reactions(_ seq: Int64, _ conversation: String) -> SyncChange {
            .reactions(.with { ($0.conversation, $0.seq, $0.position) = (conversation, seq, 7) })
        }
        let state = SyncChange.messageState(.with { ($0.conversation, $0.seq, $0.starred) = ("a", 3, true) })
        func note(_ changes: SyncChange...) { for change in changes { #expect(pages.note(change) == nil) } }
        note(reactions(1, "a"))
        let first = pages.begin(.newest, of: "a", isFollowed: true)
        note(reactions(2, "a"), reactions(2, "b"), state)
        let second = pages.begin(.newest, of: "a", isFollowed: true)
        note(reactions(4, "a"))
        let edited = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position) = ("a", 5, 8) }
        note(.message(edited, from: .update))
        /// What is stored of a page, by the seqs of its messages and of what came meanwhile.
        func stored(_ ticket: PagesUnderWay.Ticket, _ messages: Parley_V1_Message...) -> [Int64]? {
            let reply = Parley_V1_GetHistoryReply.with { $0.messages = messages }
            guard case .stores(let items) = pages.ended(ticket, with: reply, mayRepeat: true) else { return nil }
            return items.compactMap { item in
                guard case .change(let change) = item else { return nil }
                return switch change {
                case .message(let message, _): message.seq
                case .reactions(let reactions): reactions.seq
                case .messageState(let state): state.seq
                default: 0
                }
            }
        }
        #expect(stored(first, Self.stored(4), edited) == [4, 5, 2, 3, 4])
        var outrun = edited
        outrun.position = 7
        #expect(stored(second, outrun) == nil, "an Update does not have what is mine of the message")
        let third = pages.begin(.newest, of: "a", isFollowed: true)
        #expect(stored(third, outrun) == [5], "nothing came meanwhile")
        let dropped = pages.begin(.newest, of: "a", isFollowed: true)
        note(.dropMessages(conversation: "a"))
        #expect(stored(dropped, edited) == nil)
    }

    @Test("S6 a message of mine that arrives after newer ones, all of them not shown yet, does not hide these")
    func ownAmongNew() {
        let store = ConversationStore()
        store.me = Samples.me
        let chat = store.conversation(Samples.one)
        store.noteLoaded(Samples.one)
        store.append(Samples.unsent(101))
        for seq in [1, 3, 4] { store.upsert(Samples.message(Int64(seq))) }
        store.upsert(Samples.message(2, id: 101, from: "me"))
        #expect(store.isOpenAndEmpty(Samples.one), "all are read from the store")
        #expect(chat.messages.map(\.id) == [Samples.id(101)], "it stays on the screen until then")
        #expect(chat.messages.map(\.syncStatus) == [.synced])

        store.showNewest((1...4).map { Samples.message($0, id: $0 == 2 ? 101 : Int($0)) }, from: 1, in: Samples.one)
        #expect(chat.messages.map(\.id) == [1, 101, 3, 4].map(Samples.id))
        #expect(store.audit().isEmpty)
    }
}
