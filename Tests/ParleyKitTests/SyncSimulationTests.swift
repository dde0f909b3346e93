import ParleyClient
import TestSupport
import Testing

@testable import ParleyKit

/// A device as an app is one: the machine that follows, the pages that its screens read, the store, in memory or in a
/// file. The server, the network, the clock and the device's end are values, so that a seed repeats everything.
@MainActor
@Suite("A device over a bad network", .timeLimit(.minutes(4)))
struct SyncSimulationTests {
    @MainActor
    private struct Device {
        /// A page on its way: first the request, then its reply. What happens at the server meanwhile is not in it.
        struct Page {
            var ticket: PagesUnderWay.Ticket
            var request: ParleyClient.HistoryPage
            var reply: Parley_V1_GetHistoryReply?
        }

        let store: any Store
        var machine = SyncMachine(options: Account.syncing)
        var pages = PagesUnderWay()
        var questions: [SyncQuestion] = []
        var replies: [(number: Int, reply: SyncReply)] = []
        var reading: [Page] = []
        var wakesAt: ContinuousClock.Instant?
        var now = ContinuousClock.now
        /// Whether it is about to end, and stores nothing more.
        var isDying = false

        init(_ store: any Store) { self.store = store }

        mutating func perform(_ actions: [SyncAction]) async throws {
            var (items, first): ([CommitItem], [CommitItem]) = ([], [])
            for action in actions {
                switch action {
                case .store(let change):
                    if let item = pages.note(change) { first.append(item) }
                    items.append(.change(change))
                case .ask(let question): questions.append(question)
                case .wake(let time): wakesAt = time
                case .tell: break
                }
            }
            try await commit(first + items)
        }

        private func commit(_ items: [CommitItem]) async throws {
            if isDying { return }
            try await store.write { store in
                var batch = StoreBatch(store, me: SyncServer.me)
                for item in items { try batch.apply(item) }
                _ = try batch.finish(at: 0)
            }
        }

        // MARK: What happens

        mutating func connect() async throws {
            pages.sessionBegan()
            try await perform(machine.connected(as: SyncServer.me, cells: ["0"], at: now))
        }

        mutating func disconnect() async throws {
            (questions, replies) = ([], [])
            for page in reading { pages.failed(page.ticket) }
            reading = []
            try await perform(machine.disconnected(at: now))
        }

        /// The app ends, and starts again.
        mutating func die() async throws {
            isDying = false
            (questions, replies, reading, wakesAt) = ([], [], [], nil)
            let (streams, records, paged) = try await store.read {
                (try $0.streams(), try $0.records(), try $0.paged())
            }
            machine = SyncMachine(restoring: streams, records, options: Account.syncing)
            pages = PagesUnderWay(paged.filter { !machine.follows($0) })
        }

        mutating func wait(_ time: Duration) async throws {
            now += time
            guard let due = wakesAt, due <= now else { return }
            wakesAt = nil
            try await perform(machine.woke(at: now))
        }

        mutating func look(at id: String) async throws { try await perform(machine.look(at: id, now: now)) }

        mutating func read(_ page: ParleyClient.HistoryPage, of id: String) {
            reading.append(Page(ticket: pages.begin(page, of: id, isFollowed: machine.follows(id)), request: page))
        }

        mutating func answer(_ server: SyncServer, _ random: inout Seeded, fails: Int = 0) async throws {
            if Bool.random(using: &random), let index = reading.indices.randomElement(using: &random) {
                return try await answerPage(index, server, &random)
            }
            if questions.isEmpty || Bool.random(using: &random),
                let index = replies.indices.randomElement(using: &random)
            {
                let (number, reply) = replies.remove(at: index)
                return try await perform(machine.replied(number, with: reply, at: now))
            }
            guard let index = questions.indices.randomElement(using: &random) else { return }
            let question = questions.remove(at: index)
            if Int.random(in: 0..<100, using: &random) < fails {
                let error = ParleyError(code: "unavailable", message: "")
                try await perform(machine.failed(question.number, with: error, at: now))
            } else {
                replies.append((question.number, server.answer(question.request, &random)))
            }
        }

        private mutating func answerPage(
            _ index: Int, _ server: SyncServer, _ random: inout Seeded
        ) async throws {
            guard let reply = reading[index].reply else {
                let seq: Int64 = if case .before(let seq) = reading[index].request { seq } else { 0 }
                let id = reading[index].ticket.conversation
                let page = server.answer(.earlier(conversation: id, before: seq, limit: 3), &random)
                if case .history(let reply) = page { reading[index].reply = reply }
                return
            }
            let page = reading.remove(at: index)
            switch pages.ended(page.ticket, with: reply, mayRepeat: true) {
            case .again: read(page.request, of: page.ticket.conversation)
            case .nothing: break
            case .stores(let items): try await commit(items)
            }
        }

        /// Answers everything until nothing is missing.
        mutating func settle(_ server: SyncServer, _ random: inout Seeded) async throws {
            var steps = 0
            while !machine.isQuiet || !questions.isEmpty || !replies.isEmpty || !reading.isEmpty {
                steps += 1
                try #require(steps < 5000, "it ends")
                if questions.isEmpty, replies.isEmpty, reading.isEmpty {
                    try await wait(.seconds(1))
                } else {
                    try await answer(server, &random)
                }
            }
        }
    }

    /// Known ones, and new ones each time: a seed that fails repeats everything.
    nonisolated private static let seeds: [UInt64] =
        Array(0..<200) + (0..<1000).map { _ in UInt64.random(in: 200 ... .max) }

    @Test("S5 S6 M9 whatever comes between, all that a device has stored is what the server has", arguments: seeds)
    func converges(seed: UInt64) async throws {
        // A file takes thirty times as long.
        guard seed % 20 == 0 else { return try await converges(seed, MemoryStore()) }
        let folder = try TestFolder()
        defer { folder.remove() }
        let store = try SQLiteStore(path: "\(folder.path)/store")
        try await converges(seed, store)
        await store.close()
    }

    private func converges(_ seed: UInt64, _ store: any Store) async throws {
        var random = Seeded(seed)
        var (server, device) = (SyncServer(), Device(store))
        var backup = server
        var onTheWay: [Update] = []
        for _ in 0..<20 { _ = server.act(&random) }
        try await device.connect()
        for step in 0..<400 {
            let id = SyncServer.conversations.randomElement(using: &random) ?? "a"
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                for update in server.act(&random) {
                    for _ in 0..<([0, 1, 1, 1, 1, 2].randomElement(using: &random) ?? 1) { onTheWay.append(update) }
                }
            case 30..<55:
                // Updates arrive in almost the order in which they were made.
                guard !onTheWay.isEmpty else { break }
                let update = onTheWay.remove(at: Int.random(in: 0..<min(3, onTheWay.count), using: &random))
                try await device.perform(device.machine.received(update, at: device.now))
            case 55..<80: try await device.answer(server, &random, fails: 20)
            case 80..<84: try await device.look(at: id)
            case 84..<87: device.read(.newest, of: id)
            case 87..<90: device.read(.before(.random(in: 1...20, using: &random)), of: id)
            case 90..<95: try await device.wait(.milliseconds(Int.random(in: 1...400, using: &random)))
            case 95:
                try await device.disconnect()
                onTheWay = []
            case 96:
                try await device.disconnect()
                onTheWay = []
                try await device.connect()
            case 97:
                // Perhaps in the middle: what happened last is not stored.
                device.isDying = Bool.random(using: &random)
                if device.isDying {
                    for update in onTheWay.prefix(2) {
                        try await device.perform(device.machine.received(update, at: device.now))
                    }
                    try await device.answer(server, &random)
                }
                try await device.die()
                onTheWay = []
                try await device.connect()
            case 98: backup = server
            default:
                guard step % 3 == 0 else { break }
                server = backup
                server.epoch = "e\(step)"
                try await device.disconnect()
                onTheWay = []
                try await device.connect()
            }
        }
        try await device.disconnect()
        try await device.connect()
        try await device.settle(server, &random)
        for id in SyncServer.conversations { try await device.look(at: id) }
        try await device.settle(server, &random)
        for id in SyncServer.conversations { try await check(device, server, id, "seed \(seed), what is stored") }
        for id in SyncServer.conversations {
            for seq in stride(from: Int64(server.talks[id]?.messages.count ?? 0) + 1, to: 1, by: -3) {
                device.read(.before(seq), of: id)
            }
        }
        try await device.settle(server, &random)
        for id in SyncServer.conversations {
            try await check(device, server, id, "seed \(seed), all")
            let spans = try await device.store.read { try $0.spans(id) }
            let count = Int64(server.talks[id]?.messages.count ?? 0)
            #expect(count == 0 || spans == [1...count], "seed \(seed): \(id) \(spans) of \(count)")
        }
    }

    /// Checks that what the store has without gaps is what the server has.
    private func check(
        _ device: Device, _ server: SyncServer, _ id: String, _ when: String
    ) async throws {
        let talk = try #require(server.talks[id])
        for span in try await device.store.read({ try $0.spans(id) }) {
            for seq in span {
                let stored = try await device.store.read { try $0.message(id, seq) }
                var wanted = server.message(seq, of: talk)
                if wanted?.own == .init() { wanted?.clearOwn() }
                #expect(stored == wanted, "\(when): \(id) \(seq)")
            }
        }
    }
}
