import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import ConversationsService
@testable import ServiceKit

@Suite("C9 interleaved changes of a group", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct GroupInterleavingTests {
    /// Pairs of actions in a group of u1 (owner), u2 and u3 (admins), u4 and u5.
    nonisolated static let pairs: [[Action]] = [
        // Remove each other, or the same person.
        [.remove(2, by: 1), .remove(4, by: 2)],
        [.remove(4, by: 2), .remove(4, by: 3)],
        [.remove(2, by: 1), .leave(2)],
        // Remove and promote.
        [.remove(4, by: 2), .role(of: 4, .admin, by: 1)],
        [.role(of: 2, .member, by: 1), .remove(5, by: 2)],
        [.role(of: 4, .admin, by: 1), .role(of: 4, .member, by: 1)],
        // Leave and transfer ownership.
        [.leave(2), .transferOwnership(to: 2, by: 1)],
        [.leave(1), .transferOwnership(to: 4, by: 1)],
        [.remove(4, by: 2), .transferOwnership(to: 4, by: 1)],
        [.transferOwnership(to: 2, by: 1), .transferOwnership(to: 3, by: 1)],
        [.transferOwnership(to: 2, by: 1), .transferOwnership(to: 1, by: 2)],
        [.leave(1), .leave(2)],
        [.leave(1), .remove(1, by: 2)],
        [.transferOwnership(to: 2, by: 1), .leave(1)],
        // Rename.
        [.rename("first", by: 1), .rename("second", by: 2)],
        [.rename("same", by: 1), .rename("same", by: 2)],
        [.rename("last words", by: 2), .remove(2, by: 1)],
        [.rename("not published to u4", by: 2), .leave(4)],
        // Add the same person twice, and others.
        [.add([6], by: 1), .add([6], by: 2)],
        [.add([6, 7], by: 1), .add([7, 8], by: 3)],
        [.add([6], by: 2), .remove(2, by: 1)],
        [.add([4], by: 2), .remove(4, by: 3)],
        [.add([6], by: 2), .leave(1)],
    ]

    /// The scene of all pairs, which run one after the other.
    private static let shared = Task { @ReactorActor in try await GroupScene() }

    private func group(_ scene: GroupScene) async throws -> String {
        try await scene.group([2, 3, 4, 5], admins: [2, 3])
    }

    @Test(
        "at every step of either action the other waits, and both end as if run one after the other",
        .serialized, arguments: pairs)
    func everyStep(pair: [Action]) async throws {
        let scene = try await Self.shared.value
        var steps = 0
        for (first, second) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let model = try await group(scene)
            let expected = [
                await scene.outcome(of: first, on: 0, in: model), await scene.outcome(of: second, on: 1, in: model),
            ]
            #expect(expected.allSatisfy { !$0.hasPrefix("failed") }, "\(first), then \(second): \(expected)")
            let (state, notes) = (try await scene.state(of: model), try await scene.notes(of: model))
            for step in 1... {
                let group = try await group(scene)
                guard let outcomes = try await scene.interleave(first, stoppedAt: step, with: second, in: group)
                else { break }
                let context: Comment = "\(first), at step \(step) \(second)"
                #expect(outcomes == expected, context)
                #expect(try await scene.state(of: group) == state, context)
                #expect(try await scene.notes(of: group) == notes, context)
                steps += 1
            }
        }
        #expect(steps >= 6, "\(steps) steps were stopped at")
        try await scene.checkInvariants()
    }

    @Test("the last free place of a group is given once, at whichever step another member adds")
    func lastPlace() async throws {
        let scene = try await GroupScene(settings: ["PARLEY_LIMITS_GROUP_MEMBERS": "6"])
        for step in 1...40 {
            let group = try await group(scene)
            let outcomes = try await scene.interleave(
                .add([6], by: 1), stoppedAt: step, with: .add([7], by: 2), in: group)
            guard let outcomes else { break }
            #expect(outcomes == ["done", "group_full"], "step \(step)")
        }
        try await scene.checkInvariants()
        await scene.close()
    }

    @Test("C9 two concurrent requests for the same group create it once, and both get it as the reply")
    func madeTwice() async throws {
        let scene = try await GroupScene()
        for round in 0..<20 {
            let id = (0..<16).map { UInt8(truncatingIfNeeded: $0 == 6 ? 0x70 : $0 == 8 ? 0x80 : $0 == 15 ? round : 0) }
            var request = CreateGroupRequest(id: id, name: "once", users: ["u2", "u3"])
            let milliseconds = UInt64(WallClock.system.now.rawValue / 1000)
            for index in 0..<6 { request.id[5 - index] = UInt8(truncatingIfNeeded: milliseconds >> (8 * index)) }
            let (same, services) = (request, scene.replicas.map(\.service))
            let first = Running { try? await services[0].createGroup(same, scene.call(1)) }
            let second = Running { try? await services[1].createGroup(same, scene.call(1)) }
            let replies = [await first.value() ?? nil, await second.value() ?? nil].compactMap { $0 }
            #expect(replies.count == 2 && replies.count(where: \.created) == 1, "round \(round)")
            #expect(replies.first?.conversation == replies.last?.conversation)
        }
        try await scene.checkInvariants()
        await scene.close()
    }

    @Test("a person erased while being added is not added; the erase sees a person added before")
    func erasedMeanwhile() async throws {
        let scene = try await GroupScene()
        let erase = "UPDATE conversations.accounts SET erased_at = 1, username = NULL WHERE user_id = 'u6'"
        let group = try await group(scene)
        let erasing = try await Standstill(scene.database.superuser, erase)
        let adding = Running { await scene.outcome(of: .add([6], by: 1), on: 0, in: group) }
        let backend = try scene.replicas[0].journal.lanes[0].current.connection.backend
        try await eventually {
            if adding.result != nil { return true }
            return try await scene.number("SELECT count(*) FROM pg_locks WHERE pid = \(backend) AND NOT granted") > 0
        }
        #expect(adding.result == nil, "it waits for the erase")
        try await erasing.end()
        #expect(await adding.value() == "user_not_found")
        try await scene.checkInvariants()
        await scene.close()
    }

    @Test(
        "two replicas change three groups of the same people at once: no deadlock, one owner, no duplicate position"
    )
    func chaos() async throws {
        let scene = try await GroupScene()
        var groups: [String] = []
        for _ in 0..<3 { groups.append(try await group(scene)) }
        var random = SeededRandom(seed: 9)
        var sent: [(Action, Running<String>)] = []
        for round in 0..<600 {
            let (actor, person) = (Int.random(in: 1...8, using: &random), Int.random(in: 1...8, using: &random))
            let action: Action =
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1, 2: .add([person, person % 8 + 1], by: actor)
                case 3: .remove(person, by: actor)
                case 4: .leave(actor)
                case 5: .role(of: person, Bool.random(using: &random) ? .admin : .member, by: actor)
                case 6: .transferOwnership(to: person, by: actor)
                default: .rename("name \(round)", by: actor)
                }
            let group = groups[round % 3]
            sent.append((action, Running { await scene.outcome(of: action, on: round % 2, in: group) }))
        }
        var outcomes: [String: Int] = [:]
        for (action, running) in sent {
            let outcome = await running.value() ?? ""
            #expect(!outcome.hasPrefix("failed"), "\(action): \(outcome)")
            outcomes[outcome, default: 0] += 1
        }
        #expect(outcomes["done", default: 0] > 50 && outcomes["unavailable"] == nil, "\(outcomes)")
        try await scene.checkInvariants()
        await scene.close()
    }
}
