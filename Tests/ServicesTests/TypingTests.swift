import Schema
import ServiceKit
import Testing

@testable import PresenceService

@Suite("Who is typing (P3)")
struct TypistsTests {
    private let start = ContinuousClock.now
    private var typing = Typists()

    private mutating func signal(
        _ account: AccountNumber, _ at: Duration, by session: String = "s", in id: String = "c"
    ) {
        typing.signal(account, user: "u\(account)", session: session, in: id, at: start + at)
    }

    /// What is published, one word each, when these people hear it.
    private mutating func news(_ at: Duration, to audience: Set<AccountNumber>? = [2, 3]) -> [String] {
        typing.news(at: start + at) { _, _ in audience }.map { news in
            let verb = news.isTyping ? "types" : "stops"
            return "\(news.user) \(verb) in \(news.conversation) to \(news.audience.map(\.rawValue))"
        }.sorted()
    }

    @Test("P3 a start is published once, and its end 3 s after the last signal")
    mutating func lifetime() {
        signal(1, .zero)
        #expect(news(.zero) == ["u1 types in c to [2, 3]"])
        #expect(news(.milliseconds(100)) == [])
        signal(1, .seconds(2))
        #expect(news(.milliseconds(4_900)) == [])
        #expect(news(.seconds(5)) == ["u1 stops in c to [2, 3]"])
        #expect(typing.isEmpty)
    }

    @Test("P3 whoever goes on is published again every 5 s, for those to whom an Update was lost")
    mutating func repeated() {
        for second in 0..<12 {
            signal(1, .seconds(second))
            #expect(news(.seconds(second)).count == ([0, 5, 10].contains(second) ? 1 : 0), "\(second) s")
        }
    }

    @Test("P3 a stop, and the end of the session, are published at once; a start nobody heard of has no end")
    mutating func stop() {
        signal(1, .zero)
        signal(4, .zero, by: "t")
        #expect(news(.zero).count == 2)
        let ended = [("s", "c"), ("s", "c"), ("t", "another"), ("t", nil)].map { session, conversation in
            typing.end(session: session, in: conversation)
        }
        #expect(ended == [true, false, false, true])
        #expect(news(.zero) == ["u1 stops in c to [2, 3]", "u4 stops in c to [2, 3]"])
        signal(1, .zero)
        typing.end(session: "s")
        #expect(news(.zero) == [])
        #expect(typing.isEmpty)
    }

    @Test("P3 a session types in one conversation at a time; a person may type on two devices")
    mutating func places() {
        signal(1, .zero)
        signal(1, .zero, by: "phone")
        #expect(news(.zero) == ["u1 types in c to [2, 3]"])
        signal(1, .seconds(1), in: "d")
        #expect(news(.seconds(1)) == ["u1 types in d to [2, 3]"], "the phone still types in the first")
        #expect(news(.seconds(3)) == ["u1 stops in c to [2, 3]"])
        #expect(news(.seconds(4)) == ["u1 stops in d to [2, 3]"])
    }

    @Test("P3 C6 who is no longer to hear of it is told the end, and whoever comes to hear of it is told the start")
    mutating func audience() {
        signal(1, .zero)
        #expect(news(.zero, to: [2]) == ["u1 types in c to [2]"])
        #expect(news(.zero, to: [3]) == [], "nothing may have changed")
        typing.doubt(["d", "c"])
        #expect(news(.zero, to: [3]) == ["u1 stops in c to [2]", "u1 types in c to [3]"])
        typing.doubt(["c"])
        #expect(news(.zero, to: []) == ["u1 stops in c to [3]"])
        #expect(news(.seconds(3), to: [3]) == [], "its end is news to nobody")
    }

    @Test("P3 C6 while it is not known who is to hear of it, nobody is told; they are told once it is known")
    mutating func unknownAudience() {
        signal(1, .zero)
        #expect(news(.zero, to: nil) == [])
        #expect(news(.milliseconds(100)) == ["u1 types in c to [2, 3]"])
        typing.doubt(["c"])
        #expect(news(.milliseconds(200), to: nil) == [])
        #expect(news(.seconds(3), to: nil) == ["u1 stops in c to [2, 3]"], "those who were told are known")
    }
}

@Suite("The people of conversations in which somebody types (P3, C6)")
struct TypingRoomsTests {
    private let start = ContinuousClock.now
    private let direct = TypingRooms.Room(number: 7, members: [1: [], 2: []])

    private func entry(_ kind: ConversationsKind, _ subject: Int64, _ object: Int64) -> JournalEntry {
        JournalEntry(lane: 1, number: 1, at: 0, kind: kind.number, subject: subject, object: object)
    }

    @Test("members hear each other; neither of two of whom one blocks the other does; the silent ones neither way")
    func hearing() {
        let room = TypingRooms.Room(number: 7, members: [1: [2], 2: [], 3: [], 4: []], silent: [5])
        #expect(room.hearing(1) == [3, 4] && room.hearing(2) == [3, 4])
        #expect(room.hearing(3) == [1, 2, 4])
        #expect(room.hearing(5) == [] && room.contains(5))
        #expect(room.hearing(6) == [] && !room.contains(6))
    }

    @Test(
        "what the journal names is forgotten: a conversation that changed, its members, and a block between two in it")
    func forget() {
        let entries: [(JournalEntry, Bool)] = [
            (entry(.conversation, 1, 7), true), (entry(.conversation, 1, 8), false), (entry(.joined, 7, 3), true),
            (entry(.left, 7, 2), true), (entry(.removed, 8, 2), false), (entry(.block, 1, 2), true),
            (entry(.block, 2, 1), true), (entry(.block, 1, 3), false),
        ]
        for (entry, isForgotten) in entries {
            var rooms = TypingRooms()
            rooms.set(direct, of: "a_b", revision: rooms.revision, at: start)
            #expect(rooms["a_b"] == direct)
            #expect(rooms.forget(after: [entry]) == (isForgotten ? ["a_b"] : []))
            #expect((rooms["a_b"] == nil) == isForgotten, "\(entry)")
        }
    }

    @Test("what was read before something was forgotten is not kept")
    func late() {
        var rooms = TypingRooms()
        let before = rooms.revision
        #expect(rooms.forget(after: []) == [])
        rooms.set(direct, of: "a_b", revision: before, at: start)
        #expect(!rooms.isEmpty, "nothing happened")
        _ = rooms.forget(after: [entry(.left, 9, 9)])
        rooms.set(direct, of: "c_d", revision: before, at: start)
        #expect(rooms["c_d"] == nil)
        rooms.forgetAll()
        #expect(rooms.isEmpty && rooms.revision == before + 2)
    }

    @Test("a room in which nobody types is forgotten after a minute, and all are when they hold too many people")
    func bounds() {
        var rooms = TypingRooms()
        rooms.set(direct, of: "a_b", revision: 0, at: start)
        rooms.set(.init(number: 8, members: [1: []]), of: "g", revision: 0, at: start)
        rooms.use(["g"], at: start + .seconds(30))
        rooms.use([], at: start + .seconds(60))
        #expect(rooms["a_b"] == nil && rooms["g"] != nil)
        for group in 0..<1_100 {
            let people = Set((1...1_000).map { AccountNumber(Int64($0)) })
            rooms.set(
                .init(number: ConversationNumber(Int64(100 + group)), members: [:], silent: people), of: "\(group)",
                revision: 0, at: start)
        }
        #expect(rooms["1099"] != nil && rooms["g"] == nil)
    }
}
