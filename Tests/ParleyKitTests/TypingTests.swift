import Testing

@testable import ParleyKit

@MainActor
@Suite("Typing in an app (P3)", .timeLimit(.minutes(2)))
struct TypingTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
    private let bob = User(id: UserID(rawValue: "bob"), username: "bob", displayName: "Bob")

    @Test("P3 the server is told of keystrokes every 2 s at most, and of a stop only while it thinks that I type")
    func throttle() {
        var composing = Composing()
        let start = ContinuousClock.now
        let before = composing.stops(at: start)
        #expect(!before)
        let due = [0, 500, 1_999, 2_000, 2_001, 9_000].filter { composing.isDue(at: start + .milliseconds($0)) }
        #expect(due == [0, 2_000, 9_000])
        let stops = [11_999, 12_000].map { composing.stops(at: start + .milliseconds($0)) }
        #expect(stops == [true, false], "once")
        let (again, late) = (
            composing.isDue(at: start + .milliseconds(12_000)), composing.stops(at: start + .milliseconds(15_000))
        )
        #expect(again && !late, "at once after a stop; later it has ended by itself")
    }

    @Test("P3 a conversation shows who is typing until they stop or their message arrives")
    func shown() async {
        let double = await ParleyDouble(as: me)
        let (chat, other) = (
            await double.addGroup("Crew", members: [ada, bob]), await double.addConversation(with: ada)
        )
        await double.set(typing: true, by: ada.id, in: chat.id)
        await double.set(typing: true, by: bob.id, in: chat.id)
        #expect(chat.typing == [ada.id, bob.id] && other.typing.isEmpty)
        await double.set(typing: false, by: bob.id, in: chat.id)
        #expect(chat.typing == [ada.id])
        await double.receive("Hello!", from: ada.id, in: chat.id)
        #expect(chat.typing.isEmpty)
    }

    @Test("P3 the others see me writing from the first keystroke until I stop, or send")
    func composing() async throws {
        let double = await ParleyDouble(as: me)
        let chat = await double.addConversation(with: ada)
        #expect(double.composing.isEmpty)
        chat.composing()
        #expect(double.composing == [chat.id])
        chat.stopComposing()
        #expect(double.composing.isEmpty)
        chat.composing()
        try await chat.send("Hi")
        #expect(double.composing.isEmpty)
    }

    @Test("P3 starts and stops are sent in their order, one at a time; of those that wait only the latest of each")
    func order() async throws {
        let (one, other) = (ConversationID(rawValue: "a"), ConversationID(rawValue: "b"))
        var (sent, answers): ([String], [CheckedContinuation<Void, Never>]) = ([], [])
        let signals = ComposingSignals { isTyping, id in
            sent.append("\(id.rawValue) \(isTyping)")
            await withCheckedContinuation { answers.append($0) }
        }
        func next() async throws -> String {
            try await eventually("a signal is sent") { !answers.isEmpty }
            return sent.last ?? ""
        }
        signals.send(true, in: one)
        #expect(try await next() == "a true")
        signals.send(false, in: one)
        for _ in 0..<100 { await Task.yield() }
        #expect(sent == ["a true"], "the start is not answered yet")
        answers.removeFirst().resume()
        #expect(try await next() == "a false")
        for isTyping in [true, false, true] { signals.send(isTyping, in: other) }
        for isTyping in [true, false] { signals.send(isTyping, in: one) }
        for expected in ["b true", "a false"] {
            answers.removeFirst().resume()
            #expect(try await next() == expected)
        }
        answers.removeFirst().resume()
        for _ in 0..<100 { await Task.yield() }
        #expect(sent == ["a true", "a false", "b true", "a false"])
    }
}
