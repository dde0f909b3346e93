import Testing

@testable import ParleyClient

@Suite("Unread", .timeLimit(.minutes(4)))
struct UnreadTests {
    private static let conversation = "a_b"

    private func state(
        own: Int64 = 1, read: Int64 = 10, unread: Int64 = 2, mentions: Int64 = 0, counted: Int64 = 20, seq: Int64 = 12,
        _ more: (inout Parley_V1_InboxState) -> Void = { _ in }
    ) -> Parley_V1_InboxState {
        .with {
            ($0.conversation, $0.ownPosition, $0.readSeq) = (Self.conversation, own, read)
            ($0.unread, $0.mentions, $0.firstSeq) = (unread, mentions, 1)
            ($0.countedPosition, $0.countedSeq) = (counted, seq)
            more(&$0)
        }
    }

    private func message(
        _ seq: Int64, at position: Int64, from sender: String = "b", mentions: [String] = [],
        _ more: (inout Parley_V1_Message) -> Void = { _ in }
    ) -> Parley_V1_Message {
        .with {
            ($0.conversation, $0.seq, $0.position, $0.sender) = (Self.conversation, seq, position, sender)
            ($0.kind, $0.mentions, $0.sentAtUs) = (.text, mentions, 100)
            more(&$0)
        }
    }

    @Test("M7 held messages are counted, others continue the state's number, which is in doubt after a change below")
    func table() {
        let new = { (seq: Int64, position: Int64) in ConversationFeed.Item.message(message(seq, at: position)) }
        let mention = { (seq: Int64, position: Int64) in
            ConversationFeed.Item.message(message(seq, at: position, mentions: ["a", "c"]))
        }
        let deleted = { (seq: Int64, position: Int64) in
            ConversationFeed.Item.changed(message(seq, at: position) { $0.deletedAtUs = 5 })
        }
        let edited = { (seq: Int64, position: Int64, mentions: [String]) in
            ConversationFeed.Item.changed(message(seq, at: position, mentions: mentions) { $0.editedAtUs = 5 })
        }
        let hidden = { (seq: Int64) in
            ConversationFeed.Item.messageState(
                .with { ($0.conversation, $0.seq, $0.hidden) = (Self.conversation, seq, true) })
        }
        let disappears = { (seq: Int64, position: Int64, at: Int64) in
            ConversationFeed.Item.message(message(seq, at: position) { $0.expiresAtUs = at })
        }
        let entry = ConversationFeed.Item.inbox(
            .with { ($0.conversation, $0.lastSeq, $0.retentionSeconds) = (Self.conversation, 12, 60) })
        // All messages above the read mark, which is 10.
        let all = [new(11, 11), mention(12, 12)]
        typealias Row = (
            name: String, state: Parley_V1_InboxState, items: [ConversationFeed.Item], unread: Int64, mentions: Int64,
            inDoubt: Bool
        )
        let rows: [Row] = [
            ("nothing", state(), [], 2, 0, false),
            ("a new message", state(), [new(13, 21)], 3, 0, false),
            ("a new message that mentions me", state(), [mention(13, 21)], 3, 1, false),
            ("a message of mine", state(), [.message(message(13, at: 21, from: "a"))], 2, 0, false),
            ("a system message", state(), [.message(message(13, at: 21, from: "") { $0.kind = .system })], 2, 0, false),
            ("a message that was counted", state(), [.changed(message(12, at: 20))], 2, 0, false),
            ("the same message twice", state(), [new(13, 21), new(13, 21)], 3, 0, false),
            ("new and deleted", state(), [new(13, 21), deleted(13, 22)], 2, 0, false),
            ("new and hidden", state(), [new(13, 21), hidden(13)], 2, 0, false),
            ("hidden before it is known", state(), all + [hidden(13), new(13, 21)], 2, 1, false),
            ("hidden by me before", state(), [.message(message(13, at: 21) { $0.own.hidden = true })], 2, 0, false),
            ("deleted since", state(), [deleted(12, 21)], 2, 0, true),
            ("deleted since, all held", state(), all + [deleted(12, 21)], 1, 0, false),
            ("hidden, then deleted, all held", state(unread: 1), all + [hidden(12), deleted(12, 21)], 1, 0, false),
            ("deleted after I read it", state(), [deleted(10, 21)], 2, 0, false),
            ("deleted after I cleared it", state { $0.clearedSeq = 12 }, [deleted(12, 21)], 2, 0, false),
            ("deleted before it was counted", state(), [deleted(12, 19)], 2, 0, false),
            ("an edit", state(mentions: 1), [edited(12, 21, [])], 2, 1, true),
            ("an edit, all held", state(mentions: 1), all + [edited(12, 21, []), edited(11, 22, ["a"])], 2, 1, false),
            ("a new message, edited", state(), [new(13, 21), edited(13, 22, ["a"])], 3, 1, false),
            ("a state that counts further than what is held", state(unread: 3, seq: 13), all, 3, 0, false),
            ("new messages are missing", state(), [new(15, 23)], 3, 0, true),
            ("less than 1,000 or more", state(unread: 1000, seq: 2000), [deleted(12, 21)], 1000, 0, true),
            ("more than 1,000 or more", state(unread: 1000, seq: 2000), [mention(2001, 21)], 1000, 0, false),
            ("disappeared since", state(), [disappears(13, 21, 900)], 2, 0, false),
            ("disappears later", state(), [disappears(13, 21, 1100)], 3, 0, false),
            ("counted less than a minute ago", state { $0.countedAtUs = 1001 - 60_000_000 }, [entry], 2, 0, false),
            ("counted a minute ago", state { $0.countedAtUs = 1000 - 60_000_000 }, [entry], 2, 0, true),
        ]
        for row in rows {
            var unread = Unread(me: "a")
            unread.note(row.state)
            for item in row.items { unread.note(item) }
            let count = unread[Self.conversation]?.count(at: 1000)
            #expect(count == UnreadCount(unread: row.unread, mentions: row.mentions), "\(row.name)")
            #expect(unread.doubts(at: 1000).isEmpty != row.inDoubt, "\(row.name)")
        }
    }

    @Test("M7 with the page of the history down to the first unread message, all is counted")
    func pages() {
        var unread = Unread(me: "a")
        unread.note(state(mentions: 1))
        unread.note(
            .with {
                ($0.messages, $0.lastSeq, $0.moreBefore) = ([9, 10, 11, 12].map { message($0, at: $0) }, 12, true)
            }, of: Self.conversation)
        unread.note(.changed(message(12, at: 21) { $0.deletedAtUs = 5 }))
        #expect(unread[Self.conversation]?.count(at: 1000) == UnreadCount(unread: 1) && unread.doubts(at: 1000).isEmpty)
        // More unread messages than are kept.
        for seq in 13...Int64(ConversationUnread.keptMax + 20) { unread.note(.message(message(seq, at: seq + 10))) }
        #expect(unread[Self.conversation]?.count(at: 1000).unread == 1000)
        #expect(unread.doubts(at: 1000) == [Self.conversation])
    }

    @Test(
        "M7 C8 the badge counts only the inbox, nothing muted or archived, and a conversation marked unread as one"
    )
    func badge() {
        let far = Int64.max
        let rows: [(name: String, section: Parley_V1_ConversationSection, state: Parley_V1_InboxState, badge: Int64)] =
            [
                ("unread", .inbox, state(), 2),
                ("read", .inbox, state(unread: 0), 0),
                ("marked", .inbox, state(unread: 0) { $0.markedUnread = true }, 1),
                ("marked and unread", .inbox, state { $0.markedUnread = true }, 2),
                ("muted", .inbox, state { $0.mutedUntilUs = far }, 0),
                ("muted until now", .inbox, state { $0.mutedUntilUs = 1000 }, 2),
                ("archived", .inbox, state { ($0.archivedAtUs, $0.archivedSeq) = (1, 12) }, 0),
                ("archived before the last message", .inbox, state { ($0.archivedAtUs, $0.archivedSeq) = (1, 11) }, 2),
                (
                    "archived, the last message arrived while muted", .inbox,
                    state { ($0.archivedAtUs, $0.archivedSeq, $0.mutedUntilUs) = (1, 11, 900) }, 0
                ),
                ("a request", .requests, state(), 0),
                ("gone", .gone, state(), 0),
            ]
        for row in rows {
            var unread = Unread(me: "a")
            let entry = Parley_V1_InboxEntry.with {
                ($0.conversation, $0.lastSeq, $0.section, $0.state) = (Self.conversation, 12, row.section, row.state)
            }
            unread.note(.inbox(entry))
            let badge = unread.badge(at: 1000)
            #expect(badge.badge == row.badge && badge.conversations == (row.badge > 0 ? 1 : 0), "\(row.name)")
        }
    }

    @Test("M7 after leaving or coming back to a group, its count is in doubt until a new state arrives")
    func comingBack() {
        var unread = Unread(me: "a")
        unread.note(state())
        for (leftAt, inDoubt) in [(0, false), (7, true), (7, true)] as [(Int64, Bool)] {
            let conversation = Parley_V1_Conversation.with { ($0.id, $0.leftAtUs) = (Self.conversation, leftAt) }
            unread.note(.conversation(conversation))
            #expect(unread.doubts(at: 0).isEmpty != inDoubt)
        }
        unread.note(state())
        #expect(unread.doubts(at: 0).isEmpty)
    }

    @Test(
        "M7 the counts are the server's, whatever people do and in whatever order the streams arrive",
        arguments: 0..<40)
    func property(seed: UInt64) {
        var random = Seeded(state: seed &+ 1)
        let knowsAll = seed % 2 == 0
        // What disappears is counted at once only by who holds it.
        var server = Server(lets: knowsAll)
        for _ in 0..<Int.random(in: 0...30, using: &random) { _ = server.act(&random) }
        var unread = Unread(me: "a")
        unread.note(server.state)
        if knowsAll {
            for message in server.messages { unread.note(.message(message)) }
            for seq in server.hidden {
                unread.note(
                    .messageState(.with { ($0.conversation, $0.seq, $0.hidden) = (Self.conversation, seq, true) }))
            }
        }
        var asked = 0
        for burst in 0..<30 {
            var talk: [ConversationFeed.Item] = []
            var own: [ConversationFeed.Item] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                for item in server.act(&random) {
                    switch item {
                    case .message, .changed: talk.append(item)
                    default: own.append(item)
                    }
                }
            }
            talk.reverse()
            own.reverse()
            while !talk.isEmpty || !own.isEmpty {
                let fromTalk = own.isEmpty || (!talk.isEmpty && Bool.random(using: &random))
                if let item = fromTalk ? talk.popLast() : own.popLast() { unread.note(item) }
            }
            server.now += 10
            let truth = server.state
            if !unread.doubts(at: server.now).isEmpty {
                #expect(!knowsAll, "seed \(seed), burst \(burst): in doubt although all messages are known")
                unread.note(truth)
                asked += 1
            }
            #expect(unread.doubts(at: server.now).isEmpty, "seed \(seed), burst \(burst)")
            let count = unread[Self.conversation]?.count(at: server.now)
            #expect(
                count == UnreadCount(unread: truth.unread, mentions: truth.mentions), "seed \(seed), burst \(burst)")
        }
        #expect(asked <= 25, "asking each time would show nothing")
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    /// One conversation on the server, and the Updates that it publishes.
    private struct Server {
        var now: Int64 = 1000
        var messages: [Parley_V1_Message] = []
        var hidden: Set<Int64> = []
        private var position: Int64 = 0
        private var ownHead: Int64 = 0
        private var ownPosition: Int64 = 0
        private var read: Int64 = 0
        private let letsDisappear: Bool

        init(lets disappear: Bool) { letsDisappear = disappear }

        var state: Parley_V1_InboxState {
            let counted = messages.filter {
                $0.seq > read && $0.sender != "a" && $0.kind != .system && $0.deletedAtUs == 0
                    && !hidden.contains($0.seq) && ($0.expiresAtUs == 0 || $0.expiresAtUs > now)
            }
            return .with {
                ($0.conversation, $0.ownPosition, $0.readSeq) = ("a_b", ownPosition, read)
                ($0.unread, $0.mentions) = (Int64(counted.count), Int64(counted.count { $0.mentions.contains("a") }))
                ($0.countedPosition, $0.countedSeq, $0.firstSeq) = (position, Int64(messages.count), 1)
                $0.countedAtUs = now
            }
        }

        mutating func act(_ random: inout Seeded) -> [ConversationFeed.Item] {
            switch Int.random(in: 0..<14, using: &random) {
            case 0..<6: return send(&random)
            case 6..<8: return edit(&random)
            case 8..<10: return delete(&random)
            case 10..<12: return hide(&random)
            default: return mark(&random)
            }
        }

        private mutating func publish(_ index: Int, isNew: Bool = false) -> [ConversationFeed.Item] {
            position += 1
            messages[index].position = position
            return isNew ? [.message(messages[index])] : [.changed(messages[index])]
        }

        private mutating func send(_ random: inout Seeded) -> [ConversationFeed.Item] {
            let kind = Int.random(in: 0..<8, using: &random)
            messages.append(
                .with {
                    ($0.conversation, $0.seq, $0.sentAtUs) = ("a_b", Int64(messages.count) + 1, now)
                    ($0.sender, $0.kind) = (kind == 0 ? "" : kind == 1 ? "a" : "b", kind == 0 ? .system : .text)
                    if kind > 4 { $0.mentions = ["c", "a"] }
                    if kind == 4, letsDisappear { $0.expiresAtUs = now + Int64.random(in: 1...60, using: &random) }
                })
            return publish(messages.count - 1, isNew: true)
        }

        private mutating func edit(_ random: inout Seeded) -> [ConversationFeed.Item] {
            guard let index = messages.indices.suffix(20).randomElement(using: &random),
                messages[index].deletedAtUs == 0, messages[index].kind != .system
            else { return [] }
            messages[index].editedAtUs = now
            messages[index].mentions = Bool.random(using: &random) ? ["a"] : []
            return publish(index)
        }

        private mutating func delete(_ random: inout Seeded) -> [ConversationFeed.Item] {
            guard let index = messages.indices.suffix(20).randomElement(using: &random),
                messages[index].deletedAtUs == 0, messages[index].kind != .system
            else { return [] }
            (messages[index].deletedAtUs, messages[index].mentions, messages[index].editedAtUs) = (now, [], 0)
            return publish(index)
        }

        /// Publishes the message state, then the inbox state with the new counts.
        private mutating func hide(_ random: inout Seeded) -> [ConversationFeed.Item] {
            guard let seq = messages.suffix(20).randomElement(using: &random)?.seq, hidden.insert(seq).inserted else {
                return []
            }
            let states = Parley_V1_MessageState.with {
                ($0.conversation, $0.seq, $0.hidden, $0.ownPosition) = ("a_b", seq, true, ownHead + 1)
            }
            ownHead += 2
            ownPosition = ownHead
            return [.messageState(states), .inboxState(state)]
        }

        private mutating func mark(_ random: inout Seeded) -> [ConversationFeed.Item] {
            let seq = Int64.random(in: 0...Int64(messages.count), using: &random)
            guard seq > read else { return [] }
            read = max(read, seq - Int64.random(in: 0...3, using: &random))
            ownHead += 1
            ownPosition = ownHead
            return [.inboxState(state)]
        }
    }
}
