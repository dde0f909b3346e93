import SwiftProtobuf
import TestSupport
import Testing

@testable import ParleyClient

/// The machine with a server, a network and a clock that are values too.
@Suite("The sync machine", .timeLimit(.minutes(4)))
struct SyncMachineTests {
    /// A client over a bad network. It may be killed at any time and goes on from what it stored.
    private struct Client {
        var machine: SyncMachine
        var memory = SyncMemory(of: SyncServer.me)
        var questions: [SyncQuestion] = []
        /// Replies on their way. What happens at the server meanwhile is not in them.
        var replies: [(number: Int, reply: SyncReply)] = []
        var wakesAt: ContinuousClock.Instant?
        /// How often the machine said that all that was missed is stored.
        var synced = 0
        var now = ContinuousClock.now
        let options: SyncMachine.Options
        var asked = 0
        /// How often changes of a conversation were requested.
        var read = 0

        init(_ loading: SyncMachine.Options.Loading, readsWhenLookedAt: Bool = false) {
            var options = SyncMachine.Options()
            (options.loading, options.readsWhenLookedAt) = (loading, readsWhenLookedAt)
            self.options = options
            machine = memory.machine(options: options)
        }

        mutating func perform(_ actions: [SyncAction]) {
            for action in actions {
                switch action {
                case .store(let change): memory.apply(change)
                case .ask(let question):
                    questions.append(question)
                    asked += 1
                    if case .changes = question.request { read += 1 }
                case .tell(.synced): synced += 1
                case .tell: break
                case .wake(let time): wakesAt = time
                }
            }
        }

        mutating func connect() {
            (questions, replies) = ([], [])
            perform(machine.connected(as: SyncServer.me, cells: ["0"], at: now))
        }

        mutating func disconnect() {
            (questions, replies) = ([], [])
            perform(machine.disconnected(at: now))
        }

        mutating func die() {
            (questions, replies, wakesAt) = ([], [], nil)
            // As a database would read them, field by field.
            let records = memory.records.values.map { record in
                var read = ConversationRecord(record.id)
                (read.position, read.section) = (record.position, record.section)
                (read.hasLeft, read.wasLost) = (record.hasLeft, record.wasLost)
                let unread = record.unread
                read.unread = UnreadBasis(
                    state: unread.state, heldFrom: unread.heldFrom, heldTo: unread.heldTo,
                    changedSeq: unread.changedSeq, changedPosition: unread.changedPosition,
                    disappears: unread.disappears, hasNewWindow: unread.hasNewWindow)
                read.cell = record.cell
                read.newest = Newest(seq: record.newest.seq, sentAtUs: record.newest.sentAtUs)
                return read
            }
            #expect(Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) }) == memory.records)
            machine = SyncMachine(restoring: memory.streams.values, records, options: options)
        }

        mutating func wait(_ time: Duration) {
            now += time
            if let due = wakesAt, due <= now {
                wakesAt = nil
                perform(machine.woke(at: now))
            }
        }

        mutating func answer(_ server: SyncServer, _ random: inout Seeded, fails: Int = 0) {
            if questions.isEmpty || Bool.random(using: &random),
                let index = replies.indices.randomElement(using: &random)
            {
                let (number, reply) = replies.remove(at: index)
                return perform(machine.replied(number, with: reply, at: now))
            }
            guard let index = questions.indices.randomElement(using: &random) else { return }
            let question = questions.remove(at: index)
            if Int.random(in: 0..<100, using: &random) < fails {
                let error = ParleyError(code: "unavailable", message: "")
                perform(machine.failed(question.number, with: error, at: now))
            } else {
                replies.append((question.number, server.answer(question.request, &random)))
            }
        }

        /// Answers everything until nothing is missing.
        mutating func settle(_ server: SyncServer, _ random: inout Seeded) {
            for _ in 0..<4000 where !machine.isQuiet || !questions.isEmpty || !replies.isEmpty {
                if questions.isEmpty, replies.isEmpty { wait(.seconds(1)) } else { answer(server, &random) }
            }
        }
    }

    /// Some, and those that once failed.
    private static let seeds: [UInt64] = Array(0..<200) + [432, 588, 933, 1245, 1425, 2283]

    @Test(
        "M3 M7 D4 whatever is lost, doubled, late, refused, restored or killed, a client ends with what the server has",
        arguments: seeds)
    func converges(seed: UInt64) {
        var random = Seeded(state: seed + 1)
        var server = SyncServer()
        var client = Client(seed % 3 == 0 ? .newest(2) : .all, readsWhenLookedAt: seed % 4 == 1)
        var backup = server
        var onTheWay: [Update] = []
        for _ in 0..<20 { _ = server.act(&random) }
        client.connect()
        for step in 0..<600 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35:
                for update in server.act(&random) {
                    for _ in 0..<[0, 1, 1, 1, 1, 1, 1, 2].randomElement(using: &random)! { onTheWay.append(update) }
                }
            case 35..<65:
                // Updates arrive in almost the order in which they were made.
                guard !onTheWay.isEmpty else { break }
                let update = onTheWay.remove(at: Int.random(in: 0..<min(3, onTheWay.count), using: &random))
                client.perform(client.machine.received(update, at: client.now))
            case 65..<90: client.answer(server, &random, fails: 20)
            case 90 where client.options.loading != .all:
                let id = SyncServer.conversations.randomElement(using: &random)!
                client.perform(client.machine.readEarlier(of: id, limit: 3, at: client.now))
            case 90..<95: client.wait(.milliseconds(Int.random(in: 1...400, using: &random)))
            case 95..<97:
                client.disconnect()
                onTheWay = []
                client.connect()
            case 97:
                client.die()
                onTheWay = []
                client.connect()
            case 98: backup = server
            default:
                guard step % 3 == 0 else { break }
                server = backup
                server.epoch = "e\(step)"
                client.disconnect()
                onTheWay = []
                client.connect()
            }
        }
        client.disconnect()
        client.connect()
        client.settle(server, &random)
        #expect(client.machine.isQuiet, "seed \(seed)")
        for id in SyncServer.conversations { client.perform(client.machine.look(at: id, now: client.now)) }
        client.settle(server, &random)
        check(client, server, "seed \(seed)")
        // Without faults, nothing has to be requested.
        let asked = client.asked
        for _ in 0..<50 {
            for update in server.act(&random) { client.perform(client.machine.received(update, at: client.now)) }
        }
        #expect(client.asked == asked, "seed \(seed)")
        check(client, server, "seed \(seed), without faults")
    }

    private func check(_ client: Client, _ server: SyncServer, _ what: String) {
        let held = client.memory.held
        for (id, talk) in server.talks {
            let stream = StoredStream.messages(of: id)
            #expect(client.memory.streams[stream]?.position ?? 0 == talk.position, "\(what), \(id)")
            let from = client.memory.records[id]?.unread.heldFrom ?? 1
            for seq in talk.messages.keys.sorted() where seq >= from {
                let (mine, expected) = (held.messages[id]?[seq], server.message(seq, of: talk))
                #expect(mine == expected, "\(what), \(id) \(seq)")
            }
            if client.options.loading == .all { #expect(from == 1, "\(what), \(id)") }
            let state = server.counted(talk)
            #expect(held.inboxStates[id]?.readSeq ?? 0 == state.readSeq, "\(what), \(id)")
            if !(client.memory.records[id]?.unread.mustAsk(at: server.nowUs) ?? false) {
                let count = client.memory.unread(of: id, at: server.nowUs)
                #expect(count == UnreadCount(unread: state.unread, mentions: state.mentions), "\(what), \(id)")
            }
        }
        #expect(Set(held.conversations.keys) == Set(SyncServer.conversations), "\(what)")
        #expect(client.memory.streams["messaging/u/me/0"]?.position ?? 0 == server.ownPosition, "\(what)")
    }

    @Test("S8 after a night, Sync says how each conversation stands; only those that are looked at are read")
    func night() {
        var (server, random) = (SyncServer(), Seeded(state: 5))
        var client = Client(.all, readsWhenLookedAt: true)
        for _ in 0..<60 { _ = server.act(&random) }
        client.connect()
        client.settle(server, &random)
        client.disconnect()
        // More than Sync itself returns of a conversation.
        for _ in 0..<1500 { _ = server.act(&random) }
        client.connect()
        let before = client.read
        client.settle(server, &random)
        let changes = { (client: Client) in
            SyncServer.conversations.filter { !client.machine.isLevel($0) }
        }
        let missed = changes(client)
        #expect(client.machine.isQuiet && !missed.isEmpty)
        #expect(client.read == before, "no conversation is read")
        // An unread count does not wait for that.
        for (id, talk) in server.talks {
            let state = server.counted(talk)
            guard !(client.memory.records[id]?.unread.mustAsk(at: server.nowUs) ?? false) else { continue }
            let count = client.memory.unread(of: id, at: server.nowUs)
            #expect(count == UnreadCount(unread: state.unread, mentions: state.mentions), "\(id)")
        }
        client.perform(client.machine.look(at: missed[0], now: client.now))
        client.settle(server, &random)
        #expect(changes(client) == Array(missed.dropFirst()))
        // What else happens in a conversation wakes it, too; then it is as the server has it.
        for _ in 0..<200 {
            for update in server.act(&random) { client.perform(client.machine.received(update, at: client.now)) }
            client.settle(server, &random)
        }
        #expect(changes(client).isEmpty)
        check(client, server, "all awake")
    }

    @Test("an Update costs no more when 10,000 messages are held: it changes what is stored in three places at most")
    func bounded() throws {
        var client = Client(.all)
        client.connect()
        var (server, random) = (SyncServer(), Seeded(state: 1))
        client.settle(server, &random)
        var most = 0
        for _ in 0..<10_000 {
            for update in server.act(&random) {
                let actions = client.machine.received(update, at: client.now)
                most = max(most, actions.count)
                client.perform(actions)
            }
        }
        #expect(most <= 3 && client.machine.isQuiet && client.memory.held.messages["a"]?.count ?? 0 > 1000)
    }

    @Test("earlier messages are read when the app asks, until the first one")
    func earlier() {
        var client = Client(.newest(0))
        var (server, random) = (SyncServer(), Seeded(state: 3))
        for _ in 0..<60 { _ = server.act(&random) }
        client.connect()
        client.settle(server, &random)
        #expect(client.memory.held.messages["a"]?.isEmpty ?? true)
        #expect(client.synced == 1)
        let count = server.talks["a"]?.messages.count ?? 0
        for _ in 0..<count {
            client.perform(client.machine.readEarlier(of: "a", limit: 4, at: client.now))
            client.settle(server, &random)
        }
        #expect(client.memory.held.messages["a"]?.count == count && count > 10)
        check(client, server, "all read")
        let asked = client.asked
        client.perform(client.machine.readEarlier(of: "a", limit: 4, at: client.now))
        #expect(client.asked == asked, "nothing is before the first")
    }

    @Test("after a start over, messages that nobody has read yet do not count as held")
    func heldAfterStartingOver() throws {
        var client = Client(.newest(0))
        func answer(_ epoch: String, at position: Int64, startOver: Bool = false) {
            let questions = client.questions
            client.questions = []
            for question in questions {
                let reply: SyncReply? =
                    switch question.request {
                    case .conversations: .conversations(.with { $0.epoch = "c" })
                    case .entities: .entities(.with { $0.epoch = "n" })
                    case .inbox:
                        .inbox(
                            .with {
                                $0.epoch = epoch
                                $0.entries = [
                                    .with {
                                        ($0.conversation, $0.section) = ("a", .inbox)
                                        ($0.position, $0.lastSeq) = (position, position)
                                    }
                                ]
                            })
                    case .changes:
                        .changes(
                            .with {
                                ($0.epoch, $0.startOver) = (epoch, startOver)
                                ($0.position, $0.lastSeq) = (position, position)
                            })
                    default: nil
                    }
                if let reply {
                    client.perform(client.machine.replied(question.number, with: reply, at: client.now))
                }
            }
        }
        func receive(_ number: Int64) throws {
            let message = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position) = ("a", number, number) }
            let update = Update(
                stream: "messaging/c/a", position: number, kind: "Message", body: try message.frame())
            client.perform(client.machine.received(update, at: client.now))
        }
        client.connect()
        answer("e1", at: 3)
        #expect(client.machine.position(of: "messaging/c/a") == 3)
        // The server was restored, and two messages were sent of which this session has only the second.
        try receive(5)
        client.now += .seconds(1)
        client.perform(client.machine.woke(at: client.now))
        answer("e2", at: 5, startOver: true)
        answer("e2", at: 5)
        try receive(6)
        #expect(client.machine.isQuiet && client.machine.position(of: "messaging/c/a") == 6)
        let held = try #require(client.machine.record(of: "a")?.unread)
        #expect(held.heldFrom == 6 && held.heldTo == 6)
    }

    @Test("D4 an Update dropped at the start of a new epoch, beyond what the reply has, is requested once more")
    func laterThanTheNewEpoch() throws {
        var client = Client(.all)
        let begins: (Client) throws -> Int = { client in
            try #require(client.questions.last { if case .entities = $0.request { true } else { false } }).number
        }
        client.connect()
        let first = Parley_V1_EntitiesSyncReply.with { ($0.epoch, $0.position) = ("e1", 4) }
        client.perform(client.machine.replied(try begins(client), with: .entities(first), at: client.now))
        client.connect()
        let number = try begins(client)
        let reminder = Parley_V1_Reminder.with { $0.position = 5 }
        client.perform(
            client.machine.received(
                Update(
                    stream: "entities/u/me", position: 5, kind: "Reminder",
                    body: .init(bytes: try reminder.serializedBytes() as [UInt8])), at: client.now))
        let over = Parley_V1_EntitiesSyncReply.with {
            ($0.epoch, $0.position, $0.startOver) = ("e2", 4, true)
        }
        client.perform(client.machine.replied(number, with: .entities(over), at: client.now))
        let again = try #require(client.questions.last)
        #expect(again.request == .entities(epoch: "e2", since: 4))
        client.perform(client.machine.replied(again.number, with: .entities(over), at: client.now))
        let asked = client.questions.filter { if case .entities = $0.request { true } else { false } }
        #expect(asked.count == 2, "not again and again")
    }

    @Test("a session that begins without the end of the one before starts the pages of Sync from what is stored")
    func replacedSession() throws {
        var client = Client(.all)
        client.connect()
        let question = try #require(client.questions.first { if case .inbox = $0.request { true } else { false } })
        let page = Parley_V1_MessagingSyncReply.with {
            ($0.epoch, $0.cursor, $0.ownPosition, $0.more) = ("e1", "c1", 3, true)
        }
        client.perform(client.machine.replied(question.number, with: .inbox(page), at: client.now))
        client.connect()
        let stream = "messaging/u/me/0"
        #expect(
            client.questions.contains {
                $0.request == .inbox(stream: stream, epoch: "e1", cursor: "c1", since: 0, held: [])
            })
    }

    @Test("when another person signs in, nothing of the one before is kept")
    func anotherPerson() {
        var client = Client(.all)
        var (server, random) = (SyncServer(), Seeded(state: 3))
        for _ in 0..<60 { _ = server.act(&random) }
        client.connect()
        client.settle(server, &random)
        client.perform(client.machine.connected(as: "other", cells: ["0"], at: client.now))
        #expect(client.memory.held.messages.isEmpty && client.memory.held.conversations.isEmpty)
        #expect(client.memory.streams["conversations/u/me"] == nil)
    }

    @Test("of a conversation that was followed while it was empty, no message is passed over by a Sync")
    func followedWhileEmpty() throws {
        var client = Client(.newest(0))
        func answer(_ entries: [Parley_V1_InboxEntry] = []) -> [SyncRequest] {
            let questions = client.questions
            client.questions = []
            for question in questions {
                let reply: SyncReply? =
                    switch question.request {
                    case .conversations(_, let since):
                        .conversations(.with { ($0.epoch, $0.position) = ("e", max(since, 1)) })
                    case .entities: .entities(.with { $0.epoch = "e" })
                    case .inbox: .inbox(.with { ($0.epoch, $0.entries) = ("e", entries) })
                    case .changes: .changes(.with { $0.epoch = "e" })
                    default: nil
                    }
                if let reply {
                    client.perform(client.machine.replied(question.number, with: reply, at: client.now))
                }
            }
            return questions.map(\.request)
        }
        client.connect()
        _ = answer()
        let conversation = Parley_V1_Conversation.with { ($0.id, $0.section, $0.position) = ("a", .inbox, 2) }
        let update = Update(
            stream: "conversations/u/me", position: 2, kind: "Conversation", body: try conversation.frame())
        client.perform(client.machine.received(update, at: client.now))
        #expect(answer() == [.changes(conversation: "a", epoch: "", since: 0)])
        #expect(client.machine.isQuiet)
        // Somebody wrote, and the Update is late.
        client.perform(client.machine.resync(at: client.now))
        _ = answer([.with { ($0.conversation, $0.section, $0.position, $0.lastSeq) = ("a", .inbox, 1, 1) }])
        #expect(client.questions.map(\.request) == [.changes(conversation: "a", epoch: "", since: 0)])
        #expect(client.machine.position(of: "messaging/c/a") == 0)
    }
}
