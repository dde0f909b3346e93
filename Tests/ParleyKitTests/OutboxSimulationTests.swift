import Foundation
import ParleyClient
import TestSupport
import Testing

@testable import ParleyKit

/// What a person does on a device that is killed between any two writes and whose link is bad: all of it happens, once
/// and in order, and the device shows what the server has.
@MainActor
@Suite("A person over a bad network", .timeLimit(.minutes(4)))
struct OutboxSimulationTests {
    /// What the server may have in the end of a message or a reminder: the texts, and whether it must be there.
    private struct Outcome {
        var texts: Set<String>
        var isCertain: Bool
    }

    @MainActor
    private final class Person {
        let server: OutboxServer
        let base: any Store
        private(set) var store: MortalStore
        private(set) var double: ParleyDouble
        var random: Seeded
        /// By the number with which the text begins.
        private(set) var outcomes: [String: Outcome] = [:]
        private var count = 0

        var parley: Parley { double.parley }

        init(_ seed: UInt64, _ base: any Store) async throws {
            random = Seeded(seed)
            (server, self.base, store) = (OutboxServer(Seeded(seed ^ 1)), base, MortalStore(base, random))
            double = await Self.start(store, server)
            for id in OutboxServer.conversations {
                let chat = Parley_V1_Conversation.with {
                    ($0.id, $0.kind, $0.section, $0.conversationStatus) = (id, .group, .inbox, .accepted)
                    ($0.position, $0.memberCount) = (1, 2)
                }
                await double.commit([.put(.conversation(chat))])
            }
            await sync()
        }

        private static func start(_ store: MortalStore, _ server: OutboxServer) async -> ParleyDouble {
            let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
            let double = await ParleyDouble(as: me, account: .holding(store, of: me.id), isOnline: false)
            (double.parley.outbox.transport, double.parley.outbox.link) = (nil, server)
            server.changed = { [weak double, store] in if !store.isDead { await double?.commit($0) } }
            return double
        }

        /// Reads what was missed, and shows the conversations.
        func sync() async {
            if store.isDead { return }
            await double.commit(server.everything)
            for id in OutboxServer.conversations { await chat(id).load() }
        }

        func chat(_ id: String) -> Conversation { parley.conversation(ConversationID(rawValue: id)) }

        func connect() async {
            await sync()
            double.set(.online)
            parley.outbox.hurry()
        }

        /// The process ends as it is, and another one starts with what is stored.
        func restart() async throws {
            store.die(after: 0)
            let old = double
            old.set(.offline(since: .now))
            server.changed = nil
            old.parley.outbox.close()
            Task { await old.parley.account?.committer?.close() }
            store = MortalStore(base, random)
            double = await Self.start(store, server)
            await sync()
            #expect(parley.conversations.audit().isEmpty)
        }

        // MARK: What the person does

        private func does(
            _ name: String, _ text: String, isNew: Bool = false, _ body: () async throws -> Void
        ) async {
            let before = outcomes[name]
            do {
                try await body()
                // The server refuses the loud one: what was before stays.
                if text.contains("!") { return }
                outcomes[name] = Outcome(texts: [text], isCertain: isNew || before?.isCertain ?? true)
            } catch {
                // The process was killed meanwhile: it may be stored.
                outcomes[name] = Outcome(
                    texts: (before?.texts ?? []).union(text.contains("!") ? [] : [text]),
                    isCertain: !isNew && before?.isCertain ?? false)
            }
        }

        private func newName(_ kind: String) -> String {
            count += 1
            return "\(kind)\(count)"
        }

        private var mark: String { Int.random(in: 0..<12, using: &random) == 0 ? "!" : "" }

        func act() async {
            let chat = chat(OutboxServer.conversations.randomElement(using: &random) ?? "a")
            let mine = chat.messages.filter { !$0.isDeleted && !$0.text.contains("!") }
            let mineToo = parley.reminders.filter { !$0.title.contains("!") }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let name = newName("m")
                let text = name + mark
                let answered = mine.randomElement(using: &random)
                await does(name, text, isNew: true) {
                    try await chat.send(text, replyingTo: Bool.random(using: &random) ? answered : nil)
                }
            case 4..<6:
                guard let message = mine.randomElement(using: &random) else { return }
                let name = Self.name(message.text)
                let text = "\(name) \(newName("e"))\(mark)"
                await does(name, text) { try await chat.edit(message, to: text) }
            case 6..<8:
                let name = newName("r")
                let title = name + mark
                await does(name, title, isNew: true) { _ = try await parley.addReminder(title, dueAt: .now) }
            default:
                guard let reminder = mineToo.randomElement(using: &random) else { return }
                let name = Self.name(reminder.title)
                let title = "\(name) \(newName("e"))\(mark)"
                await does(name, title) { try await parley.update(reminder, title: title) }
            }
        }

        static func name(_ text: String) -> String { String(text.prefix { $0 != " " && $0 != "!" }) }

        /// Drops something that the server refused. If the process is killed meanwhile, it may stay.
        func dropRefused() async {
            guard let refused = parley.unsent.first(where: { $0.syncStatus != .pending }) else { return }
            try? await parley.drop(refused.id)
        }
    }

    nonisolated private static let seeds: [UInt64] =
        Array(0..<50) + (0..<250).map { _ in UInt64.random(in: 50 ... .max) }

    @Test(
        "S6 S7 what a person does happens once and in order, whatever the network does and whenever the app is killed",
        arguments: seeds)
    func happensOnce(seed: UInt64) async throws {
        // A file takes longer.
        guard seed % 20 == 0 else { return try await happensOnce(seed, MemoryStore()) }
        let folder = try TestFolder()
        defer { folder.remove() }
        let store = try SQLiteStore(path: "\(folder.path)/store")
        try await happensOnce(seed, store)
        await store.close()
    }

    @Test("S6 S7 what is changed while its message is being sent happens, also if the app is killed then")
    func changedMeanwhile() async throws {
        let person = try await Person(1, MemoryStore())
        (person.server.isReliable, person.server.holdsReplies) = (true, true)
        await person.connect()
        let chat = person.chat("a")
        let message = try await chat.send("m1")
        try await eventually("it is sent") { person.server.talks["a"]?.count == 1 }
        person.store.holdNextWrite()
        let edit = Task { try await chat.edit(message, to: "m1 e2") }
        try await eventually("the change is being written") { person.store.holdsWrite }
        person.server.holdsReplies = false
        try await eventually("the message has its number, or waits for the change") {
            person.parley.unsent.count == 1 || chat.messages.first?.seq != nil
        }
        person.double.set(.offline(since: .now))
        person.store.letGo()
        try await edit.value
        try await person.restart()
        await person.connect()
        try await eventually("all is sent") { person.parley.unsent.isEmpty }
        #expect(person.server.talks["a"]?.map(\.text) == ["m1 e2"])
    }

    private func happensOnce(_ seed: UInt64, _ store: any Store) async throws {
        let person = try await Person(seed, store)
        for _ in 0..<60 {
            switch Int.random(in: 0..<20, using: &person.random) {
            case 0..<11: await person.act()
            case 11..<13: await person.connect()
            case 13: person.double.set(.offline(since: .now))
            case 14: person.parley.outbox.hurry()
            case 15: person.store.die(after: Int.random(in: 0...6, using: &person.random))
            case 16: await person.dropRefused()
            default: for _ in 0..<Int.random(in: 1...30, using: &person.random) { await Task.yield() }
            }
            if person.store.isDead { try await person.restart() }
        }
        try await person.restart()
        person.server.isReliable = true
        await person.connect()
        try await eventually("seed \(seed): all is sent or refused") {
            person.parley.unsent.allSatisfy { $0.syncStatus != .pending }
        }
        await person.sync()
        check(person, seed)
    }

    private func check(_ person: Person, _ seed: UInt64) {
        var found: [String: String] = [:]
        for (id, talk) in person.server.talks {
            let numbers = talk.compactMap { Int(Person.name($0.text).dropFirst()) }
            #expect(numbers == numbers.sorted() && Set(numbers).count == talk.count, "seed \(seed): \(numbers)")
            for message in talk { found[Person.name(message.text)] = message.text }
            let shown = person.chat(id).messages.filter { $0.seq != nil }
            #expect(shown.map(\.seq) == talk.map(\.seq), "seed \(seed): \(id)")
        }
        for reminder in person.server.reminders.values {
            #expect(found[Person.name(reminder.title)] == nil, "seed \(seed): twice \(reminder.title)")
            found[Person.name(reminder.title)] = reminder.title
        }
        for (name, outcome) in person.outcomes {
            guard let text = found[name] else {
                let isExpected = !outcome.isCertain || outcome.texts.isEmpty
                #expect(isExpected, "seed \(seed): \(name) is lost")
                continue
            }
            #expect(outcome.texts.contains(text), "seed \(seed): \(name) is \(text), not \(outcome.texts)")
        }
        #expect(found.keys.allSatisfy { person.outcomes[$0] != nil }, "seed \(seed): \(found.keys)")
        #expect(person.parley.conversations.audit().isEmpty, "seed \(seed)")
    }
}
