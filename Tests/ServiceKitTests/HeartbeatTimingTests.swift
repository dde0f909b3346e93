import Postgres
import Reactor
import Schema
import TestSupport
import Testing

@testable import ServiceKit

@Suite("How soon heartbeats come", .serialized, .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct HeartbeatTimingTests {
    @Test("heartbeats come twice per second and no more often")
    func interval() async throws {
        let scene = try await JournalScene()
        scene.heartbeats.start()
        let six = try await measured { try await eventually { scene.beats.count >= 6 } }
        #expect(six.took > .seconds(2) && six.isWithin(.seconds(4)), "\(six)")
    }

    @Test(
        "changes committed but not published before a connection was lost are announced once a lane is claimed again"
    )
    func answerLost() async throws {
        let scene = try await JournalScene()
        scene.heartbeats.start()
        try await scene.publish(1...2)
        try await eventually { scene.announced == [1: 2] }
        // A commit like the service's own, whose connection is lost before the result arrives.
        let backend = try scene.journal.lanes[0].current.connection.backend
        try await scene.execute(
            """
            WITH advanced AS (UPDATE entities.lanes SET number = number + 3 WHERE lane = 1 RETURNING number)
            INSERT INTO entities.journal SELECT 1, number - 2, 1, '{1,1,1}', '{1,1,1}', '{1,2,3}', '{3,4,5}', '{1,-1,-1}', '{1}'
            FROM advanced
            """)
        let announcing = try await measured {
            try await scene.execute("SELECT pg_terminate_backend(\(backend))")
            try await eventually { scene.announced[1] == 5 }
        }
        #expect(announcing.isWithin(.milliseconds(1500)), "\(announcing)")
        try await eventually { scene.journal.lanes[0].isUsable }
        let reply = try await scene.replay().answer(ReplayRequest(lane: 1, from: 3, to: 9))
        #expect(reply.updates.compactMap(\.header?.position) == [3, 4, 5])
    }
}
