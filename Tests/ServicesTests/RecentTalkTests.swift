import Language
import Schema
import ServiceKit
import Testing

@testable import EntitiesService

@Suite("The last texts of conversations, as they were heard")
struct RecentTalkTests {
    private func message(_ seq: Int64, _ text: String, of conversation: String = "c", expires: Int64 = 0)
        -> HeardMessage
    {
        HeardMessage(
            conversation: conversation, seq: seq, sender: "u\(seq % 2)", text: text, sentAtUs: 1, expiresAtUs: expires)
    }

    private func before(_ talk: RecentTalk, _ seq: Seq, of conversation: String = "c") -> [String]? {
        talk.heard(of: conversation, before: seq, at: 100).utterances?.map(\.text)
    }

    @Test("the five messages before one are known if all of them were heard; those without text say nothing")
    func known() {
        var talk = RecentTalk()
        #expect(before(talk, 1) == [] && before(talk, 2) == nil)
        for seq in 1...Int64(7) { talk.note(message(seq, "\(seq)"), text: seq == 4 ? "" : "\(seq)") }
        #expect(before(talk, 8) == ["3", "5", "6", "7"] && before(talk, 9) == nil)
        #expect(before(talk, 8, of: "d") == nil)
        talk.note(message(9, "9"), text: "9")
        #expect(before(talk, 10) == nil, "8 was not heard")
    }

    @Test("an edit changes what was said, a deletion takes it away, and what has expired is gone")
    func changes() {
        var talk = RecentTalk()
        talk.note(message(1, "one"), text: "one")
        talk.note(message(2, "two", expires: 100), text: "two")
        talk.note(message(3, "three"), text: "three")
        talk.note(message(1, "first"), text: "first")
        #expect(before(talk, 4) == ["first", "three"])
        talk.note(message(3, ""), text: "")
        #expect(before(talk, 4) == ["first"])
    }

    @Test("memory is bounded: conversations that were not heard of for long are forgotten")
    func bounded() {
        var talk = RecentTalk()
        let text = String(repeating: "x", count: 4000)
        let count = RecentTalk.bytesMax / 4000
        for number in 0..<count { talk.note(message(1, text, of: "c\(number)"), text: text) }
        #expect(before(talk, 2, of: "c0") == nil && before(talk, 2, of: "c\(count - 1)")?.count == 1)
    }
}
