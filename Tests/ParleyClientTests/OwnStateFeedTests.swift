import Synchronization
import SwiftProtobuf
import TestSupport
import Testing

@testable import ParleyClient

/// The person's own reactions and stars, as the feed delivers them from any device.
@Suite("A feed's own state of messages", .timeLimit(.minutes(4)))
struct OwnStateFeedTests {
    /// A gateway with one message in conversation "a", and a feed that has delivered it.
    private struct Scene {
        let gateway = ScriptedGateway()
        let client: ParleyClient
        let feed: ConversationFeed

        init() async throws {
            try await gateway.start()
            gateway.take("one", in: "a")
            client = ParleyClient(url: gateway.url, options: .init(deadline: .seconds(2)))
            feed = ConversationFeed(of: client)
            try await client.connect(token: "access-0")
            await feed.start()
            await feed.quiet()
        }

        func publish(_ body: some SwiftProtobuf.Message, _ kind: String, _ stream: String, at position: Int64) throws {
            let bytes = try body.serializedData()
            gateway.publish(.with { ($0.stream, $0.position, $0.kind, $0.body) = (stream, position, kind, bytes) })
        }

        /// Publishes that a person reacted to a message.
        func react(_ user: String, _ emoji: String, to seq: Int64, at position: Int64, counts: [String: Int64]) throws {
            let reactions = Parley_V1_Reactions.with {
                ($0.conversation, $0.seq, $0.position) = ("a", seq, position)
                $0.counts = counts.sorted { $0.key < $1.key }.map { emoji, count in
                    .with { ($0.emoji, $0.count) = (emoji, count) }
                }
                if !user.isEmpty { $0.changes = [.with { ($0.user, $0.emoji) = (user, emoji) }] }
            }
            try publish(reactions, "Reactions", "messaging/c/a", at: position)
        }

        /// Returns the first item for which `find` returns something.
        func first<T: Sendable>(_ find: @escaping @Sendable (ConversationFeed.Item) -> T?) async throws -> T? {
            try await received("the item", from: feed.items) { $0.last.map { find($0) != nil } ?? false }.last.flatMap(
                find)
        }

        func end() async {
            await feed.stop()
            await client.close()
        }
    }

    @Test("M12 reactions without changes are not applied but requested, with my own")
    func requested() async throws {
        let scene = try await Scene()
        scene.gateway.state.withLock { state in
            state.answers["messaging.GetChanges"] = { request in
                let decoded = try Parley_V1_GetChangesRequest(serializedBytes: request.body)
                let liked = Parley_V1_Message.with {
                    ($0.conversation, $0.seq, $0.position, $0.text) = ("a", 1, 2, "one")
                    $0.reactions = [.with { ($0.emoji, $0.count) = ("👍", 1) }]
                    $0.own.reactions = ["👍"]
                }
                return Parley_V1_GetChangesReply.with {
                    ($0.epoch, $0.position) = (decoded.epoch, 2)
                    $0.messages = decoded.sincePosition == 1 ? [liked] : []
                }
            }
        }
        try scene.react("", "", to: 1, at: 2, counts: ["👍": 1])
        let changed = try await scene.first { item in
            if case .reactions = item { Issue.record("they were delivered") }
            return if case .changed(let message) = item { message } else { nil }
        }
        #expect(changed?.own.reactions == ["👍"] && changed?.position == 2)
        try scene.react("", "", to: 1, at: 2, counts: ["👍": 1])
        try scene.react("b", "👍", to: 1, at: 3, counts: ["👍": 2])
        let next = try await scene.first { if case .reactions(let next) = $0 { next } else { nil } }
        #expect(next?.position == 3, "a repeated Update changes nothing")
        await scene.end()
    }

    @Test("M11 M12 reactions and stars that arrive before their message come with it")
    func waiting() async throws {
        let scene = try await Scene()
        let isOpen = Mutex(false)
        // Seqs 2 to 6 are from before I joined again, so the feed reads the history before it delivers 7.
        let first = Parley_V1_Message.with { ($0.conversation, $0.seq, $0.position, $0.text) = ("a", 7, 2, "again") }
        scene.gateway.state.withLock { state in
            state.answers["messaging.GetHistory"] = { _ in
                guard isOpen.withLock({ $0 }) else { throw ParleyError(code: "unavailable", message: "") }
                return Parley_V1_GetHistoryReply.with { ($0.messages, $0.lastSeq) = ([first], 7) }
            }
        }
        try scene.publish(first, "Message", "messaging/c/a", at: 2)
        try scene.react("me", "👍", to: 7, at: 3, counts: ["👍": 1])
        try scene.react("b", "🎉", to: 7, at: 4, counts: ["👍": 1, "🎉": 1])
        let star = Parley_V1_MessageState.with {
            ($0.conversation, $0.seq, $0.ownPosition, $0.starred) = ("a", 7, 1, true)
        }
        try scene.publish(star, "MessageState", "messaging/u/me/0", at: 1)
        // A later Update is delivered, so those before it have arrived.
        let conversation = Parley_V1_Conversation.with { ($0.id, $0.position) = ("z", 1) }
        try scene.publish(conversation, "Conversation", "conversations/u/me", at: 1)
        _ = try await scene.first { if case .conversation = $0 { true } else { nil } }
        isOpen.withLock { $0 = true }
        let message = try await scene.first { item in
            if case .messageState = item { Issue.record("the state came before its message") }
            return if case .message(let message) = item, message.seq == 7 { message } else { nil }
        }
        #expect(message?.own.reactions == ["👍"] && message?.own.starred == true)
        #expect(message?.reactions.map(\.count) == [1, 1] && message?.position == 4)
        await scene.end()
    }
}
