import Reactor
import TestSupport
import Testing

@testable import MessagingService
@testable import ServiceKit

@Suite("M14 somebody leaves while a message is changed", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct LeavingInterleavingTests {
    /// The scene of all tests, which run one after the other.
    private static let shared = Task { @ReactorActor in try await ActionScene() }

    @Test(
        "M14 whoever leaves at any step of an action is told of it exactly if they may read it later",
        arguments: [.edit("after", by: 3), .delete(by: 3), .react("❤️", by: 2)] as [MessageAction])
    func leaving(action: MessageAction) async throws {
        let scene = try await Self.shared.value
        var steps = 0
        for step in 1... {
            let group = try await scene.conversation()
            let outcome = try await scene.run(
                action, stoppedAt: step, during: { try await scene.leave(4, group) }, in: group.id)
            guard let outcome else { break }
            #expect(outcome == "done", "\(action), stopped at \(step)")
            try await requireSame(4, group, scene, "\(action), stopped at step \(step)")
            steps += 1
        }
        #expect(steps >= 2, "\(steps) steps were stopped at")
    }

    @Test("M14 whoever leaves between the reading of the audience and the position is told of the change, and reads it")
    func leavingBetween() async throws {
        let scene = try await Self.shared.value
        let group = try await scene.conversation()
        let caller = scene.call(3).caller
        try await scene.replicas[0].service.act(in: group.id, on: 2, by: caller) { change, conversation, current in
            #expect(current.readers.contains(4))
            try await scene.leave(4, group)
            let position = try await MessagingService.nextPosition(
                of: conversation.number, for: current.membersVersion, in: change)
            var message = try #require(current.message)
            message.position = position.rawValue
            MessagingService.publish(message, of: conversation, current, in: change)
        }
        try await requireSame(4, group, scene, "left between")
    }

    /// Compares the last position that the journal told somebody who has left with the last one that they may read.
    private func requireSame(
        _ user: Int, _ group: (id: String, number: Int64), _ scene: ActionScene, _ context: Comment
    ) async throws {
        let last = try await scene.number("SELECT position FROM messaging.heads WHERE conversation = \(group.number)")
        // The next message notes who has left.
        try await scene.send("afterwards", to: group)
        let readable = try await scene.number(
            "SELECT visible_position FROM messaging.inbox WHERE conversation = \(group.number) AND account = \(user)")
        let audience = try await scene.texts(
            """
            SELECT j.audience::text
            FROM messaging.journal AS j
            WHERE \(group.number) = ANY (j.subjects) AND \(last) = ANY (j.positions)
            """)
        let told = try #require(audience.first).split { !$0.isNumber }.contains("\(user)")
        #expect(readable == (told ? last : last - 1), context)
    }
}
