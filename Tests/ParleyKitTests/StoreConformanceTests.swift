import Foundation
import ParleyClient
import SwiftProtobuf
import Testing

@testable import ParleyKit

/// What every store does alike.
@Suite("Stores", .timeLimit(.minutes(2)))
struct StoreConformanceTests {
    enum Kind: CaseIterable, Sendable {
        case memory, sqlite

        func open(_ folder: Folder) throws -> any Store {
            switch self {
            case .memory: MemoryStore()
            case .sqlite: try SQLiteStore(path: folder.file)
            }
        }
    }

    /// What a store has, or the reference, in a form that can be compared.
    private static func dump(_ store: any StoreReader, _ conversations: [String]) throws -> [String: String] {
        var all: [String: String] = [:]
        for stream in try store.streams() { all["stream \(stream.name)"] = "\(stream)" }
        for id in conversations {
            let row = try store.row(id)
            if let state = row?.inboxState { all["inbox state \(id)"] = try state.jsonString() }
            if let entry = row?.entry { all["entry \(id)"] = try entry.jsonString() }
            if let record = row?.record { all["record \(id)"] = "\(record)" }
            if let conversation = row?.conversation { all["conversation \(id)"] = try conversation.jsonString() }
            for message in try store.messages(id, in: 1 ... .max, newest: false, limit: 1000) {
                all["message \(id) \(message.seq)"] = try message.jsonString()
            }
            for receipt in try store.receipts(id) { all["receipt \(id) \(receipt.user)"] = try receipt.jsonString() }
            for count in try store.readCounts(id) { all["read count \(id) \(count.seq)"] = try count.jsonString() }
            all["unread \(id)"] = "\(try store.unread(id, above: 10, limit: 1000, at: 30_000_000).count)"
        }
        for body in try store.states(.profile) {
            all["profile"] = try Parley_V1_Profile(serializedBytes: body).jsonString()
        }
        for body in try store.states(.requestCount) {
            all["requests"] = try Parley_V1_RequestCount(serializedBytes: body).jsonString()
        }
        for body in try store.states(.block) {
            let block = try Parley_V1_Block(serializedBytes: body)
            all["block \(block.user.id)"] = try block.jsonString()
        }
        for body in try store.states(.reminder) {
            let reminder = try Parley_V1_Reminder(serializedBytes: body)
            all["reminder \(reminder.id.base64EncodedString())"] = try reminder.jsonString()
        }
        for body in try store.states(.decision) {
            let decision = try Parley_V1_Decision(serializedBytes: body)
            all["decision \(decision.id.base64EncodedString())"] = try decision.jsonString()
        }
        for body in try store.states(.event) {
            let event = try Parley_V1_Event(serializedBytes: body)
            all["event \(event.id.base64EncodedString())"] = try event.jsonString()
        }
        for body in try store.states(.suggestion) {
            let suggestion = try Parley_V1_Suggestion(serializedBytes: body)
            all["suggestion \(suggestion.id.base64EncodedString())"] = try suggestion.jsonString()
        }
        return all
    }

    private static func dump(_ memory: SyncMemory, _ conversations: [String]) throws -> [String: String] {
        var all: [String: String] = [:]
        let held = memory.held
        for stream in memory.streams.values { all["stream \(stream.name)"] = "\(stream)" }
        for id in conversations {
            if let state = held.inboxStates[id] { all["inbox state \(id)"] = try state.jsonString() }
            if let entry = memory.entries[id] { all["entry \(id)"] = try entry.jsonString() }
            if let record = memory.records[id] { all["record \(id)"] = "\(record)" }
            if let conversation = held.conversations[id] { all["conversation \(id)"] = try conversation.jsonString() }
            let messages = held.messages[id] ?? [:]
            for (seq, message) in messages { all["message \(id) \(seq)"] = try message.jsonString() }
            for (user, receipt) in memory.receipts[id] ?? [:] {
                all["receipt \(id) \(user)"] = try receipt.jsonString()
            }
            for (seq, count) in memory.readCounts[id] ?? [:] { all["read count \(id) \(seq)"] = try count.jsonString() }
            var unread = UnreadCount()
            for message in messages.values
            where message.seq > 10 && message.sender != RandomChanges.me && message.kind != .system
                && !message.isGone(at: 30_000_000)
            {
                unread.unread += 1
                if message.mentions.contains(RandomChanges.me) { unread.mentions += 1 }
            }
            all["unread \(id)"] = "\(unread)"
        }
        if held.profile != .init() { all["profile"] = try held.profile.jsonString() }
        if held.requestCount != .init() { all["requests"] = try held.requestCount.jsonString() }
        for (user, block) in held.blocks { all["block \(user)"] = try block.jsonString() }
        for (id, reminder) in held.reminders {
            all["reminder \(id.base64EncodedString())"] = try reminder.jsonString()
        }
        for (id, decision) in held.decisions {
            all["decision \(id.base64EncodedString())"] = try decision.jsonString()
        }
        for (id, event) in held.events { all["event \(id.base64EncodedString())"] = try event.jsonString() }
        for (id, suggestion) in held.suggestions {
            all["suggestion \(id.base64EncodedString())"] = try suggestion.jsonString()
        }
        return all
    }

    @Test(
        "holds the same as the reference after random changes, in batches of any size", arguments: Kind.allCases, 1...6)
    func reference(kind: Kind, seed: Int) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        var memory = SyncMemory(of: RandomChanges.me)
        var changes = RandomChanges(seed: UInt64(seed))
        for batch in 0..<60 {
            let batchOfChanges = (0..<Int.random(in: 1...20, using: &changes.random)).map { _ in changes.next() }
            for change in batchOfChanges { memory.apply(change) }
            try await store.write { writer in
                var batch = StoreBatch(writer, me: RandomChanges.me)
                for change in batchOfChanges { try batch.apply(change) }
                _ = try batch.finish(at: 0)
            }
            let held = try await store.read { try Self.dump($0, RandomChanges.conversations) }
            let expected = try Self.dump(memory, RandomChanges.conversations).filter { key, value in
                // An empty number of requests is none.
                !(key == "requests" && value == "{}")
            }
            for key in Set(held.keys).union(expected.keys) where key != "requests" || held[key] != "{}" {
                #expect(held[key] == expected[key], "\(key) after batch \(batch) of seed \(seed)")
                if held[key] != expected[key] { return }
            }
        }
        await store.close()
    }

    @Test("tells an app the same of the same changes: messages, summaries, lists")
    func effects() async throws {
        let folder = try Folder()
        let stores = try Kind.allCases.map { try $0.open(folder) }
        var changes = RandomChanges(seed: 77)
        for step in 0..<100 {
            let batchOfChanges = (0..<5).map { _ in changes.next() }
            var told: [String] = []
            for store in stores {
                let effects = try await store.write { writer -> String in
                    var batch = StoreBatch(writer, me: RandomChanges.me)
                    for change in batchOfChanges { try batch.apply(change) }
                    return "\(try batch.finish(at: 0))"
                }
                let list = try await store.read {
                    "\(try $0.list(.inbox, isArchived: false, after: nil, limit: 10).map(\.id))"
                }
                told.append(effects + list)
            }
            #expect(told[0] == told[1], "step \(step)")
        }
    }

    @Test("lists conversations in order, page by page", arguments: Kind.allCases)
    func lists(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        var random = Seeded(5)
        let rows = (0..<90).map { number -> ConversationRow in
            var row = ConversationRow("c\(number)")
            row.conversation = .with { ($0.id, $0.section) = (row.id, number % 3 == 0 ? .requests : .inbox) }
            row.inboxState = .with {
                $0.pinnedAtUs = number % 10 == 1 ? Int64.random(in: 1...5, using: &random) : 0
                ($0.archivedAtUs, $0.archivedSeq) = (number % 4 == 0 ? 1 : 0, 1)
            }
            row.record = ConversationRecord(row.id)
            row.record?.newest.note(1, sentAt: Int64.random(in: 1...20, using: &random))
            return row
        }
        try await store.write { writer in for row in rows { try writer.put(row) } }
        for isArchived in [false, true] {
            let expected = rows.filter { $0.section == .inbox && $0.isArchived == isArchived }
                .sorted { $0.key < $1.key }.map(\.id)
            var found: [ConversationRow] = []
            while true {
                let last = found.last?.key
                let page = try await store.read {
                    try $0.list(.inbox, isArchived: isArchived, after: last, limit: 7)
                }
                found += page
                if page.count < 7 { break }
            }
            #expect(expected.count > 7 && found.map(\.id) == expected)
        }
        #expect(rows.count { $0.section == .inbox } == 60)
    }

    @Test("keeps the newest messages and those that are not read; what is unsent stays", arguments: Kind.allCases)
    func bounds(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        let item = try UnsentItem(
            id: Data(repeating: 1, count: 16), lane: "one", Parley_V1_SendMessageRequest.with { $0.text = "1" },
            doneAtUs: 1)
        func fill(_ readSeq: Int64) async throws -> [Int64] {
            try await store.write { writer in
                var batch = StoreBatch(writer, me: "me")
                for seq in 1...Int64(50) {
                    try batch.apply(
                        .message(.with { ($0.conversation, $0.seq, $0.sender) = ("one", seq, "ada") }, from: .update))
                }
                var record = ConversationRecord("one")
                record.unread.hold(from: 1, to: 50)
                record.unread.take(.with { ($0.ownPosition, $0.readSeq) = (readSeq, readSeq) })
                try batch.apply(.record(record))
                try writer.put(item)
                _ = try batch.finish(at: 0, trims: ["one": 10])
                return try writer.messages("one", in: 1 ... .max, newest: false, limit: 100).map(\.seq)
            }
        }
        #expect(try await fill(20) == Array(21...50))
        #expect(try await store.read { try $0.spans("one") } == [21...50])
        #expect(try await fill(50) == Array(41...50))
        #expect(try await store.read { try $0.spans("one") } == [41...50])
        func receive(_ seq: Int64, heldFrom: Int64, before: [SyncChange] = []) async throws -> [ClosedRange<Int64>] {
            try await store.write { writer in
                var batch = StoreBatch(writer, me: "me")
                for change in before { try batch.apply(change) }
                try batch.apply(.message(.with { ($0.conversation, $0.seq) = ("one", seq) }, from: .update))
                var record = ConversationRecord("one")
                record.unread.hold(from: heldFrom, to: seq)
                try batch.apply(.record(record))
                _ = try batch.finish(at: 0)
                return try writer.spans("one")
            }
        }
        // The sync machine does not know what was removed to save room.
        #expect(try await receive(51, heldFrom: 1) == [41...51])
        #expect(try await receive(60, heldFrom: 60) == [41...51, 60...60], "it was not followed meanwhile")
        #expect(try await receive(62, heldFrom: 62, before: [.dropMessages(conversation: "one")]) == [62...62])
        // A page that comes with the news that all before was dropped brings back only itself.
        try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            try batch.apply(.dropMessages(conversation: "one"))
            try writer.addSpan(64...65, of: "one")
            _ = try batch.finish(at: 0)
        }
        #expect(try await store.read { try $0.spans("one") } == [64...65])
        try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            try batch.apply(.dropMessages(conversation: "one"))
            _ = try batch.finish(at: 0)
        }
        #expect(try await store.read { try $0.spans("one") } == [])
        #expect(try await store.read { try $0.unsent() } == [item])
    }

    @Test("X3 counts no mention by a person whom I block, until I unblock them", arguments: Kind.allCases)
    func mentionsOfBlocked(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        func mentions(blocking isBlocked: Bool) async throws -> Conversation.Unread? {
            try await store.write { writer in
                var batch = StoreBatch(writer, me: "me")
                for (seq, sender) in [(Int64(1), "ada"), (2, "bob"), (3, "ada")] {
                    try batch.apply(
                        .message(
                            .with {
                                ($0.conversation, $0.seq, $0.sender, $0.mentions) = ("one", seq, sender, ["me"])
                            }, from: .update))
                }
                var record = ConversationRecord("one")
                record.unread.hold(from: 1, to: 3)
                try batch.apply(.record(record))
                try batch.apply(.put(.block(.with { ($0.user.id, $0.blocked) = ("ada", isBlocked) })))
                _ = try batch.finish(at: 0)
                return try writer.summary(of: "one", me: "me", at: 0)?.own.unread
            }
        }
        #expect(try await mentions(blocking: true) == .init(messages: 3, mentions: 1))
        #expect(try await mentions(blocking: false) == .init(messages: 3, mentions: 3))
    }

    @Test("keeps the last answers for agendas, and finds those that cover the days asked for", arguments: Kind.allCases)
    func agendas(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        func days(_ first: Int, _ last: Int, _ zone: String = "UTC", _ conversation: String = "") -> AgendaDays {
            func day(_ number: Int) -> String { String(format: "2027-01-%02d", number) }
            return AgendaDays(first: day(first), last: day(last), zone: zone, conversation: conversation)
        }
        func agenda(_ days: AgendaDays, _ title: String) -> StoredAgenda {
            StoredAgenda(days: days, dates: .with { $0.dates = [.with { $0.title = title }] })
        }
        func kept(_ days: AgendaDays) async throws -> String? {
            try await store.read { try $0.agenda(days) }?.dates.dates[0].title
        }
        let (wide, narrow) = (agenda(days(1, 31), "wide"), agenda(days(5, 9), "narrow"))
        try await store.write { writer in for one in [wide, narrow] { try writer.put(one) } }
        #expect(try await kept(days(5, 9)) == "narrow")
        #expect(try await kept(days(6, 7)) == "narrow")
        #expect(try await kept(days(4, 7)) == "wide")
        #expect(try await kept(days(5, 9, "Asia/Tokyo")) == nil)
        #expect(try await kept(days(5, 9, "UTC", "crew")) == nil)
        let again = agenda(days(1, 31), "again")
        try await store.write { try $0.put(again) }
        #expect(try await kept(days(6, 7)) == "again")
        for number in 1..<AgendaDays.keptMax {
            let other = agenda(days(number, number, "Asia/Tokyo"), "\(number)")
            try await store.write { try $0.put(other) }
        }
        #expect(try await kept(days(5, 9)) == "again", "the last 20 stay")
        let last = agenda(days(31, 31, "Asia/Tokyo"), "31")
        try await store.write { try $0.put(last) }
        #expect(try await kept(days(5, 9)) == nil)
        #expect(try await kept(days(1, 1, "Asia/Tokyo")) == "1")
    }

    @Test("tells of a message that was stored before the server said that it has it", arguments: Kind.allCases)
    func sent(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        let id = Data(repeating: 1, count: 16)
        let item = try UnsentItem(
            id: id, lane: "one", Parley_V1_SendMessageRequest.with { $0.text = "1" }, doneAtUs: 1)
        try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            try batch.apply(.message(.with { ($0.conversation, $0.seq, $0.id) = ("one", 7, id) }, from: .update))
            try writer.put(item)
            _ = try batch.finish(at: 0)
        }
        // The app was killed, and sends it again.
        let told = try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            try batch.sent(SentItem(id: id, lane: "one", message: id, seq: 7))
            return try batch.finish(at: 0)
        }
        let seqs = told.compactMap { effect in if case .message(let message) = effect { message.seq } else { nil } }
        #expect(seqs == [7])
        #expect(try await store.read { try $0.unsent() } == [])
    }

    @Test("joins the ranges of messages that touch", arguments: Kind.allCases)
    func spans(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        let found = try await store.write { writer in
            for span: ClosedRange<Int64> in [50...60, 10...20, 30...40, 61...70, 21...29, 65...66] {
                try writer.addSpan(span, of: "one")
            }
            return try writer.spans("one")
        }
        #expect(found == [10...40, 50...70])
    }

    @Test("S8 finds the messages that have all the words, the newest first", arguments: Kind.allCases)
    func search(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        let texts = [
            "Pizza at seven?", "No pizza today", "PIZZERIA Napoli", "Caf\u{e9} cr\u{e8}me", "今日は寒い", "Nice 🍕!",
            "it disappears: pizza", "hidden pizza",
        ]
        try await store.write { writer in
            for (index, text) in texts.enumerated() {
                let message = Parley_V1_Message.with {
                    ($0.conversation, $0.seq) = (index % 2 == 0 ? "even" : "odd", Int64(index + 1))
                    ($0.text, $0.sentAtUs, $0.sender) = (text, Int64(index + 1) * 10, "ada")
                    if index == 6 { $0.expiresAtUs = 1000 }
                    if index == 7 { $0.own.hidden = true }
                }
                try writer.put(message, me: "me")
            }
        }
        #expect(try await store.write { try $0.indexWords(atMost: 1000) })
        func found(
            _ text: String, in id: String? = nil, before: Int64 = .max, limit: Int = 10, at now: Int64 = 0
        ) async throws -> [Int64] {
            let query = try #require(SearchQuery(text))
            return try await store.read { store in
                try store.search(query, in: id, before: before, limit: limit, at: now).map(\.seq)
            }
        }
        #expect(try await found("pizza") == [7, 2, 1])
        #expect(try await found("pizz") == [7, 3, 2, 1])
        #expect(try await found("pizz", at: 1000) == [3, 2, 1])
        #expect(try await found("pizza no") == [2])
        #expect(try await found("pizz no") == [])
        #expect(try await found("pizz", in: "even") == [7, 3, 1])
        #expect(try await found("pizz", in: "nowhere") == [])
        #expect(try await found("pizz", limit: 2) == [7, 3])
        #expect(try await found("pizz", before: 30) == [2, 1])
        #expect(try await found("CAFE creme") == [4])
        #expect(try await found("寒い") == [5])
        #expect(try await found("寒") == [5])
        #expect(try await found("今日は寒い") == [5])
        #expect(try await found("今寒") == [])
        #expect(try await found("🍕") == [6])
        #expect(try await found("seven\" OR today").isEmpty)
        #expect(SearchQuery(" ?! ") == nil)

        // What is edited, deleted, cleared, dropped or gone is not found any more.
        try await store.write { writer in
            var message = try #require(try writer.message("even", 1))
            message.text = "Pasta at seven?"
            try writer.put(message, me: "me")
            message = try #require(try writer.message("odd", 2))
            (message.text, message.deletedAtUs) = ("", 5)
            try writer.put(message, me: "me")
            try writer.removeExpired(at: 1000)
        }
        #expect(try await found("pizz") == [3])
        #expect(try await found("pasta seven") == [1])
        try await store.write { try $0.removeMessages("even", upTo: 3) }
        #expect(try await found("pizz").isEmpty)
        #expect(try await found("寒い") == [5])
        // What arrives is found once it is indexed, however many batches that takes.
        try await store.write { writer in
            for seq in Int64(100)..<110 {
                let message = Parley_V1_Message.with {
                    ($0.conversation, $0.seq, $0.text, $0.sentAtUs) = ("odd", seq, "late \(seq)", seq)
                }
                try writer.put(message, me: "me")
            }
        }
        while !(try await store.write { try $0.indexWords(atMost: 4) }) {}
        #expect(try await found("late", limit: 20).count == 10)
        try await store.write { try $0.removeMessages("odd", upTo: 104) }
        #expect(try await found("late") == [109, 108, 107, 106, 105])
        try await store.write { try $0.removeMessages("odd", upTo: 200) }
        try await store.write { _ = try $0.trim("even", to: 0, above: .max) }
        #expect(try await found("寒い").isEmpty)
        #expect(try await found("late") == [])
    }

    @Test("says which conversations changed since a version", arguments: Kind.allCases)
    func versions(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        try await store.write { for id in ["a", "b", "c"] { try $0.put(ConversationRow(id)) } }
        let first = try await store.read { try $0.changed(since: 0) }
        #expect(first.conversations == ["a", "b", "c"])
        try await store.write { try $0.put(ConversationRow("b")) }
        let second = try await store.read { try $0.changed(since: first.version) }
        #expect(second.conversations == ["b"])
        #expect(try await store.read { try $0.changed(since: second.version) }.conversations.isEmpty)
    }

    @Test("returns what is unsent in the order in which it was done, and drafts", arguments: Kind.allCases)
    func unsent(kind: Kind) async throws {
        let folder = try Folder()
        let store = try kind.open(folder)
        var items = try (1...5).map { number -> UnsentItem in
            let edit = Parley_V1_EditMessageRequest.with { $0.text = "\(number)" }
            var item = try UnsentItem(id: Data(repeating: UInt8(number), count: 16), lane: "one", edit, doneAtUs: 1)
            item.target = Data([UInt8(number % 2)])
            return item
        }
        items.append(
            UnsentItem(id: Data(repeating: 6, count: 16), lane: "one", method: "x.New", body: Data([1]), doneAtUs: 1))
        (items[0].guess, items[1].wasTried) = (.with { $0.name = "Crew" }, true)
        items[3].failure = Refusal(.notAuthor, "No.", field: "seq")
        let all = items
        try await store.write { writer in
            for item in all.reversed() { try writer.put(item) }
            var changed = all[1]
            changed.resolve(to: 9)
            try writer.put(changed)
            changed = all[5]
            changed.resolve(to: 8)
            try writer.put(changed)
            try writer.removeUnsent(all[2].id)
            try writer.putDraft("Hel", "one")
            try writer.putDraft("Hello", "one")
            try writer.putDraft("x", "two")
            try writer.putDraft("", "two")
        }
        var expected = all
        expected[1].resolve(to: 9)
        expected[5].resolve(to: 8)
        let edit = expected[1].action as? Parley_V1_EditMessageRequest
        #expect(edit == .with { ($0.text, $0.seq) = ("2", 9) })
        #expect(expected[5].body == Data([1]) && expected[5].targetSeq == 8)
        expected.remove(at: 2)
        #expect(try await store.read { try $0.unsent() } == expected)
        #expect(try await store.read { try $0.unsent(about: Data([1])) }.map(\.id) == [items[0].id, items[4].id])
        #expect(try await store.read { try [$0.draft("one"), $0.draft("two")] } == ["Hello", ""])
    }
}
