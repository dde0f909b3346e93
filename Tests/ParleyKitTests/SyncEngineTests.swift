import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import SwiftProtobuf
import Testing

@testable import ParleyKit

/// The engine between a client and a store.
@MainActor
@Suite("Following the server", .timeLimit(.minutes(4)))
struct SyncEngineTests {
    /// A server with one conversation of one message, to which somebody reacts.
    private final class Server: Sendable {
        let hasReaction = NIOLockedValueBox(false)

        var message: Parley_V1_Message {
            let hasReaction = hasReaction.withLockedValue { $0 }
            return .with {
                ($0.conversation, $0.seq, $0.sender, $0.text) = ("a_me", 1, "a", "Hi")
                $0.position = hasReaction ? 2 : 1
                $0.own = .init()
                if hasReaction { $0.reactions = [.with { ($0.emoji, $0.count) = ("👍", 1) }] }
            }
        }

        var conversations: Parley_V1_ConversationsSyncReply {
            .with {
                ($0.epoch, $0.position) = ("e", 1)
                $0.conversations = [
                    .with {
                        ($0.id, $0.kind, $0.position, $0.section) = ("a_me", .direct, 1, .inbox)
                        $0.conversationStatus = .accepted
                    }
                ]
            }
        }

        var inbox: Parley_V1_MessagingSyncReply {
            .with {
                ($0.epoch, $0.cursor, $0.ownPosition) = ("e", "c", 0)
                $0.entries = [
                    .with {
                        ($0.conversation, $0.section, $0.lastSeq) = ("a_me", .inbox, 1)
                        $0.position = message.position
                    }
                ]
            }
        }
    }

    /// A device whose first `messaging.Sync` is answered last.
    private struct Scene {
        let server = Server()
        let store = MemoryStore()
        let engine: SyncEngine
        let committer: Committer

        @MainActor
        init(paged: [String] = []) async throws {
            let server = server
            let client = ParleyClient { method, _ throws(ParleyError) in
                do {
                    switch method {
                    case "conversations.Sync": return try server.conversations.serializedData()
                    case "messaging.GetHistory":
                        let page = Parley_V1_GetHistoryReply.with { ($0.messages, $0.lastSeq) = ([server.message], 1) }
                        return try page.serializedData()
                    default: break
                    }
                } catch {
                    throw ParleyError(.internal, "\(error)")
                }
                throw ParleyError(.unavailable, "It is away.")
            }
            try await client.connect()
            committer = Committer(
                store, me: "me", messagesMax: 1000, now: { 0 }, shown: { _ in }, failed: { _ in })
            engine = SyncEngine(
                client, SyncMachine(options: Account.syncing), paged: paged, committer: committer,
                clock: NIOLockedValueBox(ServerClock()))
        }

        func syncs() async {
            let server = server
            await engine.take { machine in
                var actions = machine.connected(as: "me", cells: ["0"], at: .now)
                for case .ask(let question) in actions {
                    switch question.request {
                    case .conversations:
                        let reply = SyncReply.conversations(server.conversations)
                        actions += machine.replied(question.number, with: reply, at: .now)
                    case .inbox: actions += machine.replied(question.number, with: .inbox(server.inbox), at: .now)
                    default: break
                    }
                }
                return actions.filter { if case .ask = $0 { false } else { true } }
            }
            await committer.flush()
        }

        func spans() async throws -> [ClosedRange<Int64>] { try await store.read { try $0.spans("a_me") } }
    }

    @Test("a page that was read before the first Sync says where its conversation stands is read again")
    func early() async throws {
        let scene = try await Scene()
        try await scene.engine.read(.newest, of: "a_me", limit: 50)
        #expect(try await scene.spans() == [1...1])
        // The Update of this comes before the reply to Sync, which has its position.
        scene.server.hasReaction.withLockedValue { $0 = true }
        await scene.syncs()
        #expect(try await scene.spans() == [])
        try await scene.engine.read(.newest, of: "a_me", limit: 50)
        #expect(try await scene.store.read { try $0.message("a_me", 1)?.reactions.map(\.emoji) } == ["👍"])
        #expect(try await scene.spans() == [1...1])
        // From now on changes come by themselves.
        await scene.syncs()
        #expect(try await scene.spans() == [1...1])
    }

    @Test("so is one of the start before")
    func earlyBefore() async throws {
        let scene = try await Scene(paged: ["a_me"])
        let message = scene.server.message
        await scene.committer.flush([.change(.message(message, from: .reply)), .span(1...1, of: "a_me")])
        #expect(try await scene.store.read { try $0.paged() } == ["a_me"])
        await scene.syncs()
        #expect(try await scene.spans() == [])
    }
}
