import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension OwnClusters {
    @Test("M3 a message that was committed but never published reaches sessions that only listen")
    func unpublished() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let conversation = try await alice.client.startDirect(with: bob.user).conversation.id
        let follower = await Follower(bob.client)
        _ = try await alice.client.send("told", to: conversation)
        try await eventually("bob has the first") { await follower.messages[conversation]?.count == 1 }

        // Commits a message as a send does, numbered in the lane. Then the service loses its connections.
        let database = cluster.endpoints.database
        let (user, id) = (alice.user, await alice.client.newID().bytes)
        try await commitUnpublished(database, conversation: conversation, user: user, id: id)

        try await eventually("bob has the unpublished message") {
            await follower.messages[conversation]?.map(\.text) == ["told", "untold"]
        }
        _ = try await alice.client.sendReliably("told again", to: conversation)
        try await eventually("bob has the next message") {
            await follower.messages[conversation]?.map(\.text) == ["told", "untold", "told again"]
        }
        await cluster.end()
    }

    @ReactorActor
    private func commitUnpublished(_ database: String, conversation: String, user: String, id: [UInt8]) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: database))
        defer { connection.close() }
        let outcomes = try await connection.query(
            Statement(
                """
                SELECT outcome
                FROM messaging.send_batch(
                    (SELECT lane FROM messaging.lanes ORDER BY number DESC LIMIT 1), 1,
                    ARRAY(SELECT conversation FROM conversations.conversations WHERE conversation_id = $1),
                    ARRAY(SELECT account FROM conversations.accounts WHERE user_id = $2),
                    ARRAY[$3], ARRAY[1::smallint], ARRAY['untold'])
                """
            ) { row in try row.int16(0) }, .text(conversation), .text(user), .uuid(id))
        #expect(outcomes == [0])
        let ended = try await connection.query(
            Statement(
                """
                SELECT pg_terminate_backend(pid)
                FROM pg_stat_activity
                WHERE application_name = 'parley-messaging-lane'
                """
            ) { row in try row.bool(0) })
        #expect(!ended.isEmpty && ended.allSatisfy(\.self))
    }
}
