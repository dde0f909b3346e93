import ParleyClient
import TestSupport
import Testing

@Suite("M15: searching messages")
struct SearchTests {
    private func found(
        _ text: String, by device: Device, _ change: (inout Parley_V1_SearchMessagesRequest) -> Void = { _ in }
    ) async throws -> [Parley_V1_Found] {
        var request = Parley_V1_SearchMessagesRequest()
        request.text = text
        change(&request)
        return try await device.client.search(request).found
    }

    private func texts(_ text: String, by device: Device) async throws -> [String] {
        try await found(text, by: device).map(\.message.text)
    }

    /// Waits until a message is found. Earlier messages of the same conversation can be found by then too.
    private func waitUntilFound(_ text: String, by device: Device) async throws {
        try await eventually("\(text) is found") { try await !found(text, by: device).isEmpty }
    }

    @Test("M15 I find messages of my conversations by their words, newest first, with highlights, and nobody else's")
    func finds() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob", gateway: 1))
        let carol = try await cluster.person("carol")
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let other = try await bob.client.startDirect(with: carol.user).conversation.id
        for text in ["The Crème brûlée was good", "no dessert", "une creme, please", "creme and creme: CREMESCHNITTE"] {
            _ = try await bob.client.send(text, to: direct)
        }
        _ = try await carol.client.send("creme of another talk", to: other)
        try await waitUntilFound("cremeschnitte", by: alice)
        try await waitUntilFound("another", by: bob)
        #expect(
            try await texts("creme", by: alice) == [
                "creme and creme: CREMESCHNITTE", "une creme, please", "The Crème brûlée was good",
            ])
        #expect(try await texts("CRÈME good", by: alice) == ["The Crème brûlée was good"])
        #expect(try await texts("good creme missing", by: alice).isEmpty)
        #expect(try await texts("creme", by: carol) == ["creme of another talk"])
        #expect(try await texts("creme", by: bob).count == 4)
        let hit = try #require(try await found("creme bru", by: alice).first)
        #expect(hit.snippet == "The Crème brûlée was good" && hit.highlights == [4, 10, 11, 19])
        #expect(hit.message.conversation == direct && hit.message.sender == bob.user && hit.message.seq == 1)
        #expect(try await texts("cremesch", by: alice).count == 1, "by the beginning of a word")
    }

    @Test("M15 of one person's searches two are under way at a time; the next is refused, and others search meanwhile")
    func atOnce() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        _ = try await bob.client.send("together", to: direct)
        try await waitUntilFound("together", by: alice)
        let tablet = try await cluster.device(of: alice)
        let results = await withTaskGroup(of: String.self) { tasks in
            for number in 0..<16 {
                let device = number % 2 == 0 ? alice : tablet
                tasks.addTask { await self.code("together", by: device) }
            }
            for _ in 0..<2 { tasks.addTask { await self.code("together", by: bob) } }
            return await tasks.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(Set(results.keys) == ["ok", "rate_limited"], "\(results)")
        #expect(results["ok"] ?? 0 >= 4, "\(results)")
        try await eventually("she may search again") { await code("together", by: alice) == "ok" }
    }

    /// Searches once.
    private func code(_ text: String, by device: Device) async -> String {
        var request = Parley_V1_SearchMessagesRequest()
        request.text = text
        do throws(ParleyError) {
            _ = try await device.client.call(MessagingMethods.searchMessages, request, deadline: .seconds(20))
            return "ok"
        } catch {
            return error.code
        }
    }

    @Test("M15 exact words come before longer ones, page by page, each message once")
    func pages() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        for number in 0..<12 {
            let text = number % 3 == 0 ? "sun \(number)" : "sunday \(number)"
            _ = try await (number % 2 == 0 ? alice : bob).client.send(text, to: number % 4 < 2 ? direct : group)
        }
        _ = try await bob.client.send("end1", to: direct)
        _ = try await bob.client.send("end2", to: group)
        try await waitUntilFound("end1", by: alice)
        try await waitUntilFound("end2", by: alice)
        let expected = [9, 6, 3, 0].map { "sun \($0)" } + [11, 10, 8, 7, 5, 4, 2, 1].map { "sunday \($0)" }
        #expect(try await texts("sun", by: alice) == expected)
        var read: [String] = []
        var request = Parley_V1_SearchMessagesRequest()
        (request.text, request.limit) = ("sun", 5)
        repeat {
            let page = try await alice.client.search(request)
            #expect(page.found.count <= 5 && page.more != page.cursor.isEmpty)
            read += page.found.map(\.message.text)
            request.cursor = page.cursor
        } while !request.cursor.isEmpty
        #expect(read == expected)
    }

    @Test("M15 a search can be limited to a conversation, sender, kind and time")
    func filters() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        let first = try await alice.client.send("apple one", to: direct)
        let second = try await bob.client.send("apple two", to: direct)
        let third = try await bob.client.send("apple three", to: group)
        try await waitUntilFound("three", by: alice)
        try await waitUntilFound("two", by: alice)
        let all = try await texts("apple", by: alice)
        #expect(all == ["apple three", "apple two", "apple one"])
        #expect(try await found("apple", by: alice) { $0.conversation = direct }.map(\.message.seq) == [2, 1])
        #expect(try await found("apple", by: alice) { $0.sender = alice.user }.map(\.message.text) == ["apple one"])
        #expect(try await found("apple", by: alice) { $0.sender = "nobody" }.isEmpty)
        #expect(try await found("apple", by: alice) { $0.kind = .text }.count == 3)
        #expect(try await found("apple", by: alice) { $0.kind = .image }.isEmpty)
        let since = try await found("apple", by: alice) { $0.sentAfterUs = second.sentAtUs }
        #expect(since.map(\.message.text) == ["apple three", "apple two"])
        let until = try await found("apple", by: alice) { $0.sentBeforeUs = second.sentAtUs }
        #expect(until.map(\.message.text) == ["apple one"])
        #expect(first.sentAtUs < second.sentAtUs && second.sentAtUs < third.sentAtUs)
    }

    @Test(
        "M15 messages in any language are found",
        arguments: [
            ("我们明天去北京大学吧", "北京大学", "北京学"), ("明日は東京タワーへ行きます", "東京タワー", "東タワー"),
            ("สวัสดีตอนเช้าครับ", "ตอนเช้า", "ตอนครับ"), ("내일 서울에서 만나요", "서울", "부산"),
            ("مرحبا يا أحمد", "احمد", "محمد"), ("Ёлки зелёные", "ЕЛКИ зелен", "елка"), ("🎉🎂 hurra", "🎂", "🎁"),
        ])
    func languages(text: String, query: String, other: String) async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let notes = try await alice.client.startDirect(with: alice.user).conversation.id
        _ = try await alice.client.send(text, to: notes)
        try await waitUntilFound(query, by: alice)
        let hit = try #require(try await found(query, by: alice).first)
        #expect(hit.message.text == text && hit.highlights.count >= 2)
        #expect(try await found(other, by: alice).isEmpty)
    }

    @Test("M15 an edited message is found by its new text, a deleted one not at all")
    func changes() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let edited = try await alice.client.send("before zebra", to: direct)
        let deleted = try await alice.client.send("gone giraffe", to: direct)
        try await waitUntilFound("giraffe", by: bob)
        try await alice.client.edit(edited.seq, of: direct, text: "after lion")
        #expect(try await found("zebra", by: bob).isEmpty, "immediately")
        try await waitUntilFound("lion", by: bob)
        try await alice.client.delete(deleted.seq, of: direct)
        #expect(try await found("giraffe", by: bob).isEmpty, "immediately")
    }

    @Test("M15 messages that I hid or cleared, or from before I joined or after I left, are not found")
    func windows() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let carol = try await cluster.person("carol")
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id
        _ = try await alice.client.send("tulip before", to: group)
        try await alice.client.addMembers([carol.user], to: group)
        try await eventually("carol has the conversation") { try await !carol.client.inbox().entries.isEmpty }
        let hidden = try await alice.client.send("tulip between", to: group)
        try await waitUntilFound("between", by: carol)
        #expect(try await texts("tulip", by: carol) == ["tulip between"])
        try await carol.client.leaveGroup(group)
        try await eventually("the system message arrives") {
            try await alice.client.inbox().entries.first?.lastMessage.system.kind == .memberLeft
        }
        _ = try await alice.client.send("tulip after", to: group)
        try await waitUntilFound("after", by: bob)
        #expect(try await texts("tulip", by: carol) == ["tulip between"], "a former member finds what they may read")
        #expect(try await found("tulip", by: carol) { $0.conversation = group }.count == 1)
        #expect(try await texts("tulip", by: bob) == ["tulip after", "tulip between", "tulip before"])

        try await bob.client.hide([hidden.seq], of: group)
        #expect(try await texts("tulip", by: bob) == ["tulip after", "tulip before"])
        #expect(try await texts("tulip", by: alice).count == 3)
        try await bob.client.clear(group)
        #expect(try await texts("tulip", by: bob).isEmpty)
    }

    @Test("M15 an empty search, another person's conversation, a forged cursor and strangers are refused")
    func refusals() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        let carol = try await cluster.person("carol")
        let direct = try await bob.client.startDirect(with: carol.user).conversation.id
        for text in ["", " ?!", "\u{301}"] {
            let error = try await refusal { () async throws(ParleyError) in
                var request = Parley_V1_SearchMessagesRequest()
                request.text = text
                return try await alice.client.search(request)
            }
            #expect(error.code == "invalid", "\(text)")
        }
        var request = Parley_V1_SearchMessagesRequest()
        request.text = "word"
        for conversation in [direct, "\(alice.user)_zzz", String(repeating: "0", count: 32), "x"] {
            request.conversation = conversation
            let query = request
            let error = try await refusal { () async throws(ParleyError) in try await alice.client.search(query) }
            #expect(error.code == "not_member", "\(conversation)")
        }
        (request.conversation, request.cursor) = ("", "of another")
        let query = request
        let error = try await refusal { () async throws(ParleyError) in try await alice.client.search(query) }
        #expect(error.code == "invalid")
        let stranger = try await cluster.stranger()
        let refused = try await refusal { () async throws(ParleyError) in try await stranger.search(query) }
        #expect(refused.code == "unauthenticated")
    }
}
