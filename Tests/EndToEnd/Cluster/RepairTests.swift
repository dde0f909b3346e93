import Glibc
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension ReplicaClusters {
    @Test("M3 messaging is killed repeatedly: sessions that only listen receive every message, and none starts over")
    func listeners() async throws {
        let cluster = try await TestCluster(.init(replicas: ["messaging": 2]))
        let people = try await cluster.people(4) { $0 % 2 }
        let group = try await people[0].client.createGroup(name: "on air", users: people.map(\.user)).conversation.id
        let sessions = await people.asyncMap { await $0.client.welcome.session }
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for index in 0..<2 { tasks.addTask { try await load.write(as: people[index], index, into: group) } }
            tasks.addTask {
                defer { load.stop() }
                for process in ["messaging-1", "messaging-2", "messaging-1", "messaging-2"] {
                    try await load.continues("before \(process) is killed", by: 100)
                    try await cluster.cluster.kill(process)
                    try await load.continues("after \(process) was killed", by: 50)
                    try await cluster.cluster.waitUntilReady(process, within: .seconds(30))
                }
            }
            try await tasks.waitForAll()
        }
        let acknowledged = Set(load.acknowledged.map(\.seq))
        #expect(!acknowledged.isEmpty)
        for (index, person) in people.enumerated() {
            // A writer gets its own messages by the reply. A repeated send is published once, perhaps to its writer.
            let own = Set(load.acknowledged.filter { $0.user == person.user }.map(\.seq))
            try await eventually("person \(index) received all messages") {
                let received = Set(await person.updates.messages(of: group).map(\.seq))
                return acknowledged.subtracting(own).isSubset(of: received)
            }
        }
        #expect(await people.asyncMap { await $0.client.welcome.session } == sessions, "no session started over")
        await cluster.end()
    }
}

extension Array where Element: Sendable {
    func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

/// Commits rows as a replica does that dies before it publishes them.
@ReactorActor
enum SideDoor {
    /// Commits one message in a lane that no process owns.
    static func commit(
        in database: String, lane: Int32, _ conversation: String, of user: String, id: [UInt8], text: String
    ) async throws {
        let outcomes = try await with(database) { connection in
            try await addLane(lane, of: "messaging", connection)
            return try await connection.query(
                Statement(
                    """
                    SELECT outcome
                    FROM messaging.send_batch(
                        $1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
                        ARRAY(SELECT conversation FROM conversations.conversations WHERE conversation_id = $2),
                        ARRAY(SELECT account FROM conversations.accounts WHERE user_id = $3),
                        ARRAY[$4], ARRAY[1::smallint], ARRAY[$5])
                    """
                ) { row in try row.int16(0) }, .int32(lane), .text(conversation), .text(user), .uuid(id), .text(text))
        }
        #expect(outcomes == [0])
    }

    /// Commits the revocation of one device, as conversations does.
    static func revoke(in database: String, lane: Int32, user: String, device: String) async throws {
        let accounts = try await with(database) { connection in
            try await addLane(lane, of: "conversations", connection)
            return try await connection.query(
                Statement(
                    """
                    WITH now AS (
                        SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at
                    ), revoked AS (
                        UPDATE conversations.devices
                        SET revoked_at = now.at
                        FROM now
                        WHERE account = (SELECT account FROM conversations.accounts WHERE user_id = $2)
                            AND device_id = $3
                        RETURNING account, now.at
                    ), advanced AS (
                        UPDATE conversations.lanes
                        SET number = number + 1
                        WHERE lane = $1
                        RETURNING number
                    )
                    INSERT INTO conversations.journal (
                        lane, number, at, kinds, subjects, objects, positions, audience_counts, audience)
                    SELECT $1, advanced.number, revoked.at, ARRAY[2::smallint], ARRAY[revoked.account], ARRAY[0::bigint],
                        ARRAY[0::bigint], ARRAY[0::smallint], ARRAY[]::bigint[]
                    FROM revoked, advanced
                    RETURNING number
                    """
                ) { row in try row.int64(0) }, .int32(lane), .text(user), .text(device))
        }
        #expect(accounts.count == 1)
    }

    private static func addLane(_ lane: Int32, of schema: String, _ connection: Connection) async throws {
        _ = try await connection.query(
            Statement(
                """
                INSERT INTO \(schema).lanes (lane, number)
                VALUES ($1, 0)
                ON CONFLICT (lane) DO NOTHING
                RETURNING lane
                """
            ) { row in try row.int32(0) }, .int32(lane))
    }

    private static func with<T: Sendable>(
        _ database: String, _ body: @ReactorActor (Connection) async throws -> T
    ) async throws -> T {
        let connection = try await Connection.open(DatabaseConfiguration(test: database))
        defer { connection.close() }
        return try await body(connection)
    }
}
