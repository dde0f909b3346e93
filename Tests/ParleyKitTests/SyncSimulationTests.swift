import ParleyClient
import TestSupport
import Testing

@testable import ParleyKit

/// A device as an app is one: the machine that follows, the pages that its screens read, the store. The server, the
/// network, the clock and the device's end are values, so that a seed repeats everything.
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

        let store = MemoryStore()
        var machine = SyncMachine(options: Account.syncing)
        var pages = PagesUnderWay()
        var questions: [SyncQuestion] = []
        var replies: [(number: Int, reply: SyncReply)] = []
        var reading: [Page] = []
        var wakesAt: ContinuousClock.Instant?
        var now = ContinuousClock.now

        mutating func perform(_ actions: [SyncAction]) throws {
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
            try commit(first + items)
        }

        private func commit(_ items: [CommitItem]) throws {
            try store.writeNow { store in
                var batch = StoreBatch(store, me: SyncServer.me)
                for item in items { try batch.apply(item) }
                _ = try batch.finish(at: 0)
            }
        }

        // MARK: What happens

        mutating func connect() throws {
            pages.sessionBegan()
            try perform(machine.connected(as: SyncServer.me, cells: ["0"], at: now))
        }

        mutating func disconnect() throws {
            (questions, replies) = ([], [])
            for page in reading { pages.failed(page.ticket) }
            reading = []
            try perform(machine.disconnected(at: now))
        }

        /// The app ends, and starts again.
        mutating func die() throws {
            (questions, replies, reading, wakesAt) = ([], [], [], nil)
            let (streams, records, paged) = try store.writeNow { (try $0.streams(), try $0.records(), try $0.paged()) }
            machine = SyncMachine(restoring: streams, records, options: Account.syncing)
            pages = PagesUnderWay(paged.filter { !machine.follows($0) })
        }

        mutating func wait(_ time: Duration) throws {
            now += time
            guard let due = wakesAt, due <= now else { return }
            wakesAt = nil
            try perform(machine.woke(at: now))
        }

        mutating func look(at id: String) throws { try perform(machine.look(at: id, now: now)) }

        mutating func read(_ page: ParleyClient.HistoryPage, of id: String) {
            reading.append(Page(ticket: pages.begin(page, of: id, isFollowed: machine.follows(id)), request: page))
        }

        mutating func answer(_ server: SyncServer, _ random: inout Seeded, fails: Int = 0) throws {
            if Bool.random(using: &random), let index = reading.indices.randomElement(using: &random) {
                return try answerPage(index, server, &random)
            }
            if questions.isEmpty || Bool.random(using: &random),
                let index = replies.indices.randomElement(using: &random)
            {
                let (number, reply) = replies.remove(at: index)
                return try perform(machine.replied(number, with: reply, at: now))
            }
            guard let index = questions.indices.randomElement(using: &random) else { return }
            let question = questions.remove(at: index)
            if Int.random(in: 0..<100, using: &random) < fails {
                let error = ParleyError(code: "unavailable", message: "")
                try perform(machine.failed(question.number, with: error, at: now))
            } else {
                replies.append((question.number, server.answer(question.request, &random)))
            }
        }

        private mutating func answerPage(_ index: Int, _ server: SyncServer, _ random: inout Seeded) throws {
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
            case .stores(let items): try commit(items)
            }
        }

        /// Answers everything until nothing is missing.
        mutating func settle(_ server: SyncServer, _ random: inout Seeded) throws {
            var steps = 0
            while !machine.isQuiet || !questions.isEmpty || !replies.isEmpty || !reading.isEmpty {
                steps += 1
                try #require(steps < 5000, "it ends")
                if questions.isEmpty, replies.isEmpty, reading.isEmpty {
                    try wait(.seconds(1))
                } else {
                    try answer(server, &random)
                }
            }
        }
    }

    /// Known ones, and new ones each time: a seed that fails repeats everything.
    nonisolated private static let seeds: [UInt64] =
        Array(0..<300) + (0..<200).map { _ in UInt64.random(in: 300 ... .max) }

    @Test("S5 S6 M9 whatever comes between, all that a device has stored is what the server has", arguments: seeds)
    func converges(seed: UInt64) throws {
        var random = Seeded(seed)
        var (server, device) = (SyncServer(), Device())
        var backup = server
        var onTheWay: [Update] = []
        for _ in 0..<20 { _ = server.act(&random) }
        try device.connect()
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
                try device.perform(device.machine.received(update, at: device.now))
            case 55..<80: try device.answer(server, &random, fails: 20)
            case 80..<84: try device.look(at: id)
            case 84..<87: device.read(.newest, of: id)
            case 87..<90: device.read(.before(.random(in: 1...20, using: &random)), of: id)
            case 90..<95: try device.wait(.milliseconds(Int.random(in: 1...400, using: &random)))
            case 95:
                try device.disconnect()
                onTheWay = []
            case 96:
                try device.disconnect()
                onTheWay = []
                try device.connect()
            case 97:
                try device.die()
                onTheWay = []
                try device.connect()
            case 98: backup = server
            default:
                guard step % 3 == 0 else { break }
                server = backup
                server.epoch = "e\(step)"
                try device.disconnect()
                onTheWay = []
                try device.connect()
            }
        }
        try device.disconnect()
        try device.connect()
        try device.settle(server, &random)
        for id in SyncServer.conversations { try device.look(at: id) }
        try device.settle(server, &random)
        for id in SyncServer.conversations { try check(device, server, id, "seed \(seed), what is stored") }
        for id in SyncServer.conversations {
            for seq in stride(from: Int64(server.talks[id]?.messages.count ?? 0) + 1, to: 1, by: -3) {
                device.read(.before(seq), of: id)
            }
        }
        try device.settle(server, &random)
        for id in SyncServer.conversations {
            try check(device, server, id, "seed \(seed), all")
            let spans = try device.store.writeNow { try $0.spans(id) }
            let count = Int64(server.talks[id]?.messages.count ?? 0)
            #expect(count == 0 || spans == [1...count], "seed \(seed): \(id) \(spans) of \(count)")
        }
    }

    /// Checks that what the store has without gaps is what the server has.
    private func check(_ device: Device, _ server: SyncServer, _ id: String, _ when: String) throws {
        let talk = try #require(server.talks[id])
        for span in try device.store.writeNow({ try $0.spans(id) }) {
            for seq in span {
                let stored = try device.store.writeNow { try $0.message(id, seq) }
                var wanted = server.message(seq, of: talk)
                if wanted?.own == .init() { wanted?.clearOwn() }
                #expect(stored == wanted, "\(when): \(id) \(seq)")
            }
        }
    }
}
