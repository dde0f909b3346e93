import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("M8 M9 M12 interleaved actions on one message", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct ActionInterleavingTests {
    /// Pairs of actions on message 2, a reply by u3 to the first that mentions u4 and has 👍 from u1. u1 is the owner,
    /// u2 an admin.
    nonisolated static let pairs: [[MessageAction]] = [
        [.edit("first", by: 3), .edit("second", by: 3)],
        [.edit("same", by: 3), .edit("same", by: 3)],
        [.edit("with", mentions: [4], by: 3), .edit("others", mentions: [1, 2], by: 3)],
        [.edit("after", by: 3), .delete(by: 3)],
        [.edit("after", by: 3), .delete(by: 2)],
        [.edit("not mine", by: 2), .delete(by: 3)],
        [.delete(by: 3), .delete(by: 1)],
        [.delete(by: 4), .edit("after", by: 3)],
        [.react("❤️", by: 2), .edit("after", by: 3)],
        [.react("❤️", by: 2), .delete(by: 3)],
        [.unreact("👍", by: 1), .delete(by: 2)],
        [.unreact("👍", by: 1), .edit("after", by: 3)],
        [.react("👍", by: 2), .unreact("👍", by: 1)],
        [.react("❤️", by: 2), .react("❤️", by: 2)],
        [.react("❤️", by: 2), .react("❤️", by: 4)],
        [.unreact("👍", by: 1), .unreact("👍", by: 1)],
        [.react("👍", by: 1), .unreact("👍", by: 1)],
    ]

    /// The scene of all pairs, which run one after the other.
    private static let shared = Task { @ReactorActor in try await ActionScene() }

    @Test(
        "at every step of either action the other waits, and both end as if run one after the other",
        .serialized, arguments: pairs)
    func everyStep(pair: [MessageAction]) async throws {
        let scene = try await Self.shared.value
        var steps = 0
        for (first, second) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let model = try await scene.conversation()
            let expected = [
                await scene.outcome(of: first, on: 0, in: model.id),
                await scene.outcome(of: second, on: 1, in: model.id),
            ]
            #expect(expected.allSatisfy { !$0.hasPrefix("failed") }, "\(first), then \(second): \(expected)")
            let state = try await scene.state(of: model.number)
            for step in 1... {
                let group = try await scene.conversation()
                guard let outcomes = try await scene.interleave(first, stoppedAt: step, with: second, in: group.id)
                else { break }
                let context: Comment = "\(first), at step \(step) \(second)"
                #expect(outcomes == expected, context)
                #expect(try await scene.state(of: group.number) == state, context)
                steps += 1
            }
        }
        #expect(steps >= 2, "\(steps) steps were stopped at")
        try await scene.checkInvariants()
    }

    @Test("M8 M9 M12 two replicas do all of this at once in three conversations: no deadlock, all counts correct")
    func chaos() async throws {
        let scene = try await ActionScene()
        var groups: [(id: String, number: Int64)] = []
        for _ in 0..<3 { groups.append(try await scene.conversation()) }
        var random = SeededRandom(seed: 12)
        var sent: [(MessageAction, Running<String>)] = []
        let emoji = ["👍", "❤️", "😀"]
        for round in 0..<600 {
            let user = Int.random(in: 1...4, using: &random)
            let action: MessageAction =
                switch Int.random(in: 0..<10, using: &random) {
                case 0, 1: .edit("text \(round)", mentions: [Int.random(in: 1...4, using: &random)], by: 3)
                case 2: round > 500 ? .delete(by: user) : .edit("not mine", by: user == 3 ? 1 : user)
                case 3, 4, 5, 6: .react(emoji[Int.random(in: 0..<3, using: &random)], by: user)
                default: .unreact(emoji[Int.random(in: 0..<3, using: &random)], by: user)
                }
            let group = groups[round % 3]
            sent.append((action, Running { await scene.outcome(of: action, on: round % 2, in: group.id) }))
            // Deletions begin only after most of the other actions.
            if round % 100 == 99 { for (_, running) in sent { _ = await running.value() } }
        }
        var outcomes: [String: Int] = [:]
        for (action, running) in sent {
            let outcome = await running.value() ?? ""
            #expect(!outcome.hasPrefix("failed"), "\(action): \(outcome)")
            outcomes[outcome, default: 0] += 1
        }
        #expect(outcomes["done", default: 0] > 200 && outcomes["unavailable"] == nil, "\(outcomes)")
        try await scene.checkInvariants()
        await scene.close()
    }
}

@Suite("M9 M10 M12 the cost of abusing one message is bounded", .serialized, .timeLimit(.minutes(8 * patience)))
@ReactorActor
struct LargeMessageTests {
    private func seconds(_ body: @ReactorActor () async throws -> Void) async throws -> Double {
        let began = ContinuousClock.now
        try await body()
        return Double((ContinuousClock.now - began).microseconds) / 1_000_000
    }

    @Test("M12 10,000 reactions of 400 people on one message: counted, paged, 33rd emoji refused, deleted together")
    func manyReactions() async throws {
        let scene = try await ActionScene(people: 400)
        let group = try await scene.group(members: 400)
        try await scene.send("root", to: group)
        try await scene.send("much liked", to: group, from: 3)
        let service = scene.replicas[0].service
        let emoji = (0..<33).map { String(Unicode.Scalar(0x1F600 + $0)!) }
        var took: [Double] = []
        for part in 0..<5 {
            took.append(
                try await seconds {
                    let running = (2000 * part..<2000 * (part + 1)).map { number in
                        let request = UpdateReactionRequest(conversation: group.id, seq: 2, emoji: emoji[number / 400])
                        let call = scene.call(1 + number % 400)
                        return Running { (try? await service.updateReaction(request, call)) != nil }
                    }
                    for one in running { #expect(await one.value() == true) }
                })
        }
        #expect(took[4] < 4 * took[0] + 1, "each 2,000 took \(took) s")
        #expect(try await scene.number("SELECT count(*) FROM messaging.reactions") == 10_000)
        var counted: [ReactionCount] = []
        for symbol in emoji[25..<32] {
            counted = try await service.updateReaction(
                UpdateReactionRequest(conversation: group.id, seq: 2, emoji: symbol), scene.call(1)
            ).counts
        }
        #expect(counted.count == 32 && counted.prefix(25).allSatisfy { $0.count == 400 })
        let tooMany = await #expect(throws: Refusal.self) {
            try await service.updateReaction(
                UpdateReactionRequest(conversation: group.id, seq: 2, emoji: emoji[32]), scene.call(1))
        }
        #expect(tooMany?.code == "too_many_reactions")
        // An emoji already present is still accepted.
        _ = try await service.updateReaction(
            UpdateReactionRequest(conversation: group.id, seq: 2, emoji: emoji[31]), scene.call(2))

        // Each page is compared with the first one read just before, under the same load.
        var (cursor, pages, listed) = ("", 0, [Reaction]())
        var (firstPages, reading) = (0.0, 0.0)
        var hasMore = true
        while hasMore, pages < 100 {
            firstPages += try await seconds {
                _ = try await service.listReactions(
                    ListReactionsRequest(conversation: group.id, seq: 2, limit: 200), scene.call(4))
            }
            reading += try await seconds {
                let page = try await service.listReactions(
                    ListReactionsRequest(conversation: group.id, seq: 2, cursor: cursor, limit: 200), scene.call(4))
                listed += page.reactions
                (cursor, pages, hasMore) = (page.cursor, pages + 1, page.more)
            }
        }
        #expect(listed.count == 10_008 && Set(listed.map { "\($0.user) \($0.emoji)" }).count == 10_008)
        #expect(listed.map(\.atUs) == listed.map(\.atUs).sorted() && pages == 51)
        #expect(reading < 3 * firstPages, "\(pages) pages took \(reading) s, as many first ones \(firstPages) s")
        let ofOne = try await service.listReactions(
            ListReactionsRequest(conversation: group.id, seq: 2, emoji: emoji[31], limit: 200), scene.call(4))
        #expect(ofOne.reactions.map(\.user) == ["u1", "u2"] && !ofOne.more)

        let deleting = try await seconds {
            _ = try await service.deleteMessage(DeleteMessageRequest(conversation: group.id, seq: 2), scene.call(3))
        }
        #expect(deleting < took.reduce(0, +), "less than adding them: \(deleting) s")
        try await scene.checkInvariants()
        print("10,000 reactions: \(took) s, 51 pages of them: \(reading) s, deleted in \(deleting) s")
        await scene.close()
    }

    @Test("M9 a thread of 10,000 replies: counted, paged, as fast at its end as at its beginning")
    func longThread() async throws {
        let scene = try await ActionScene()
        let group = try await scene.group()
        try await scene.send("root", to: group)
        let service = scene.replicas[0].service
        func reply(_ count: Int) async throws -> Double {
            try await seconds {
                let running = (0..<count).map { number in
                    Running { try? await scene.send("reply \(number)", to: group, from: 1 + number % 4, replyTo: 1) }
                }
                for one in running { #expect(await one.value() != nil) }
            }
        }
        let first = try await reply(2000)
        for _ in 0..<3 { _ = try await reply(2000) }
        let last = try await reply(2000)
        #expect(last < 4 * first + 1, "\(first) s, then \(last) s")
        var (after, pages, listed) = (Int64(0), 0, [Message]())
        let reading = try await seconds {
            while pages < 100 {
                let page = try await service.getThread(
                    GetThreadRequest(conversation: group.id, threadSeq: 1, afterSeq: after, limit: 200), scene.call(2))
                listed += page.messages
                (after, pages) = (page.messages.last?.seq ?? after, pages + 1)
                guard page.moreAfter else { break }
            }
        }
        #expect(listed.map(\.seq) == Array(1...10_001))
        #expect(listed.last?.thread?.replies == 10_000 && listed.first?.thread == listed.last?.thread)
        let deleted = try await service.deleteMessage(
            DeleteMessageRequest(conversation: group.id, seq: 5000), scene.call(1))
        #expect(deleted.message?.thread?.replies == 9999 && deleted.message?.thread?.lastSeq == 10_001)
        try await scene.checkInvariants()
        print("2,000 replies: \(first) s, the last 2,000 of 10,000: \(last) s, \(pages) pages: \(reading) s")
        await scene.close()
    }

    @Test("M10 a message that mentions 1,000 people is quickly sent, edited to mention none and all again, and deleted")
    func manyMentions() async throws {
        let scene = try await ActionScene(people: 1001)
        let group = try await scene.group(members: 1000)
        try await scene.send("root", to: group)
        let everybody = (2...1001).map { "u\($0)" }
        let service = scene.replicas[0].service
        let control = try await seconds {
            for number in 0..<100 { try await scene.send("plain \(number)", to: group) }
        }
        let sending = try await seconds {
            try await scene.send("all of you", to: group, mentions: Array(2...1001))
        }
        // The last one is not a member.
        #expect(try await scene.number("SELECT count(*) FROM messaging.mentions") == 999)
        var message: Message?
        let editing = try await seconds {
            message = try await service.editMessage(
                EditMessageRequest(conversation: group.id, seq: 102, text: "nobody"), scene.call(1)
            ).message
            #expect(message?.mentions == [])
            message = try await service.editMessage(
                EditMessageRequest(conversation: group.id, seq: 102, text: "all", mentions: everybody), scene.call(1)
            ).message
        }
        #expect(message?.mentions.count == 999)
        #expect(try await scene.number("SELECT count(*) FROM messaging.mentions") == 999)
        try await scene.checkInvariants()
        let deleting = try await seconds {
            _ = try await service.deleteMessage(DeleteMessageRequest(conversation: group.id, seq: 102), scene.call(1))
        }
        #expect(
            max(sending, editing, deleting) < control,
            "\(sending) s, \(editing) s, \(deleting) s; 100 plain messages one after the other: \(control) s")
        try await scene.checkInvariants()
        print("1,000 mentions sent: \(sending) s, edited away and back: \(editing) s, deleted: \(deleting) s")
        await scene.close()
    }

    @Test("M8 of a message edited 150 times the last 100 texts are kept, and are deleted with it")
    func manyEdits() async throws {
        let scene = try await ActionScene()
        let group = try await scene.group()
        try await scene.send("root", to: group)
        try await scene.send("text 0", to: group, from: 3)
        let service = scene.replicas[0].service
        for number in 1...150 {
            _ = try await service.editMessage(
                EditMessageRequest(conversation: group.id, seq: 2, text: "text \(number)"), scene.call(3))
        }
        let revisions = try await service.listRevisions(
            ListRevisionsRequest(conversation: group.id, seq: 2), scene.call(4))
        #expect(revisions.revisions.map(\.text) == (50..<150).map { "text \($0)" })
        #expect(try await scene.number("SELECT count(*) FROM messaging.revisions") == 100)
        _ = try await service.deleteMessage(DeleteMessageRequest(conversation: group.id, seq: 2), scene.call(2))
        let after = try await service.listRevisions(ListRevisionsRequest(conversation: group.id, seq: 2), scene.call(4))
        #expect(after.revisions.isEmpty)
        try await scene.checkInvariants()
        await scene.close()
    }
}
