import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("S8 changes made while a reply of missed changes is read", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct MissedInterleavingTests {
    /// What a reply brought, and up to which position it claims to have all.
    private struct Brought {
        var messages: [Schema.Message]
        var position: Int64
    }

    /// The advisory locks that hold up a connection.
    private static let locks: Int64 = 4800

    /// Runs a request of reads. Before its statement `step` + 1 a message is sent, and then an earlier one gets a
    /// reaction.
    /// - Returns: what it brought; nil when it has no such statement.
    private func interleaved(
        _ scene: ActionScene, _ group: (id: String, number: Int64), at step: Int,
        _ request: @escaping @ReactorActor (MessagingService) async throws -> Brought
    ) async throws -> Brought? {
        let (service, reading) = (scene.replicas[0].service, scene.replicas[0].reading)
        // Statements share the connection in order, so each waits behind the lock before it.
        func holdUp(_ lock: Int) async throws {
            try await scene.execute("SELECT pg_advisory_lock(\(Self.locks) + \(lock))")
            let before = reading.outstandingCount
            let wait = Statement("SELECT pg_advisory_xact_lock_shared(\(Self.locks) + \(lock))")
            _ = Running { _ = try? await reading.execute(wait) }
            try await eventually { reading.outstandingCount == before + 1 }
        }
        func release(_ lock: Int) async throws {
            try await scene.execute("SELECT pg_advisory_unlock(\(Self.locks) + \(lock))")
        }
        try await holdUp(0)
        let running = Running { () async -> Result<Brought, any Error> in
            do { return .success(try await request(service)) } catch { return .failure(error) }
        }
        for lock in 1...step {
            try await eventually { running.result != nil || reading.outstandingCount == 2 }
            if running.result != nil { break }
            try await holdUp(lock)
            try await release(lock - 1)
            try await eventually { running.result != nil || reading.outstandingCount == 2 }
        }
        let hasStopped = running.result == nil
        if hasStopped {
            try await scene.send("sent meanwhile", to: group, from: 2, on: 1)
            #expect(await scene.outcome(of: .react("👍", by: 3), on: 1, in: group.id) == "done")
        }
        try await scene.execute("SELECT pg_advisory_unlock_all()")
        let brought = try #require(await running.value()).get()
        return hasStopped ? brought : nil
    }

    /// A group of three messages, and the position at which a client held all.
    private func group(_ scene: ActionScene) async throws -> (group: (id: String, number: Int64), held: Int64) {
        let group = try await scene.group()
        for text in ["one", "two", "three"] { try await scene.send(text, to: group) }
        let held = try await scene.number("SELECT position FROM messaging.heads WHERE conversation = \(group.number)")
        try await scene.send("missed", to: group, from: 3)
        return (group, held)
    }

    /// Checks that a client that takes the reply, then all later changes, holds what the server has.
    private func check(_ brought: Brought, since held: Int64, _ scene: ActionScene, _ group: Int64) async throws {
        let changed = try await scene.texts(
            "SELECT seq || ' ' || position FROM messaging.messages WHERE conversation = \(group) "
                + "AND position > \(held) AND position <= \(brought.position) ORDER BY position")
        let messages = Set(brought.messages.map { "\($0.seq) \($0.position)" })
        #expect(changed.filter { !messages.contains($0) } == [], "missing up to position \(brought.position)")
        #expect(brought.messages.contains { $0.text == "missed" })
    }

    @Test("whatever happens between two statements of GetChanges, it reaches no position below which it left one out")
    func changes() async throws {
        let scene = try await ActionScene(readingConnections: 1)
        let epoch = try await scene.texts("SELECT messaging.epoch()")[0]
        for limit: UInt32 in [1, 50] {
            var steps = 0
            for step in 1... {
                let (group, held) = try await group(scene)
                let brought = try await interleaved(scene, group, at: step) { service in
                    let request = GetChangesRequest(
                        conversation: group.id, epoch: epoch, sincePosition: held, limit: limit)
                    let reply = try await service.getChanges(request, scene.call(1))
                    return Brought(messages: reply.messages, position: reply.position)
                }
                guard let brought else { break }
                try await check(brought, since: held, scene, group.number)
                steps = step
            }
            #expect(steps >= 2)
        }
        await scene.close()
    }

    @Test("whatever happens between two statements of Sync, an entry reaches no position below which it left one out")
    func sync() async throws {
        let scene = try await ActionScene(readingConnections: 1)
        let first = try await scene.replicas[0].service.sync(MessagingSyncRequest(), scene.call(1))
        var steps = 0
        for step in 1... {
            let (group, held) = try await group(scene)
            let brought = try await interleaved(scene, group, at: step) { service in
                var request = MessagingSyncRequest()
                (request.epoch, request.cursor, request.ownPosition) = (first.epoch, first.cursor, first.ownPosition)
                request.held = [HeldPosition(conversation: group.id, position: held)]
                let entry = try await service.sync(request, scene.call(1)).entries.first { $0.conversation == group.id }
                return Brought(messages: entry?.missed ?? [], position: entry?.position ?? 0)
            }
            guard let brought else { break }
            try await check(brought, since: held, scene, group.number)
            steps = step
        }
        #expect(steps >= 2)
        await scene.close()
    }
}
