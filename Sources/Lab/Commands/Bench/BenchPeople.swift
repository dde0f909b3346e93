import Cluster
import Foundation
import NIOCore
import ParleyClient
import Postgres
import Reactor

/// A person whom a bench has registered.
struct BenchPerson: Sendable {
    var user: String
    var username: String
    var password: String
    var token: String
}

/// Registers the people of a bench and creates their conversations.
enum BenchPeople {
    /// Registers `count` people, eight at a time, because each costs a password hash.
    static func register(
        _ count: Int, at url: String, _ options: Link.Options = .init(), on group: any EventLoopGroup
    ) async throws -> [BenchPerson] {
        let client = ParleyClient(url: url, options: .init(link: options), group: group)
        _ = try await client.connect()
        let run = UInt64.random(in: 0 ... .max)
        var people: [BenchPerson] = []
        while people.count < count {
            people += try await withThrowingTaskGroup(of: BenchPerson.self) { tasks in
                // As many as one address may have under way.
                for number in people.count..<min(count, people.count + 4) {
                    tasks.addTask { try await register("b\(String(run, radix: 36)).\(number)", with: client) }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
        }
        await client.close()
        return people
    }

    private static func register(_ name: String, with client: ParleyClient) async throws -> BenchPerson {
        var request = Parley_V1_RegisterRequest()
        request.id = Data(await client.newID().bytes)
        request.username = name
        request.password = "\(UInt64.random(in: 0 ... .max))"
        let reply = try await client.call(ConversationsMethods.register, request)
        return BenchPerson(
            user: reply.user.id, username: name, password: request.password, token: reply.accessToken)
    }

    /// Starts the direct conversation of each pair of neighbours from both sides, so that it is accepted.
    static func startDirects(
        _ people: [BenchPerson], at url: String, _ options: Link.Options = .init(), on group: any EventLoopGroup
    ) async throws -> [[String]] {
        var conversations: [[String]] = []
        for pair in stride(from: 0, to: people.count, by: 2).map({ [people[$0], people[$0 + 1]] }) {
            var id = ""
            for (person, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let client = ParleyClient(url: url, options: .init(link: options), group: group)
                _ = try await client.connect(token: person.token)
                id = try await client.startDirect(with: other.user).conversation.id
                await client.close()
            }
            conversations.append([id])
        }
        return conversations
    }

    /// Creates groups of two, spread evenly over the pairs of neighbours. Writes directly to the database, because
    /// 100,000 requests take a while.
    @ReactorActor
    static func makeGroups(
        _ count: Int, of people: [BenchPerson], in connection: Connection
    ) async throws -> [[String]] {
        let run = hex(.random(in: 0 ... .max))
        let pairs = people.count / 2
        let accounts = try await connection.query(accountNumbers, .texts(people.map(\.user)))
        var conversations = [[String]](repeating: [], count: pairs)
        for number in 0..<max(count, pairs) { conversations[number % pairs].append(run + hex(UInt64(number))) }
        for pair in 0..<pairs {
            try await connection.execute(
                addGroups, .texts(conversations[pair]), .int64(accounts[2 * pair]), .int64(accounts[2 * pair + 1]))
        }
        for statement in prepared { try await connection.execute(Statement(statement)) }
        return conversations
    }

    /// Returns 16 hexadecimal digits.
    static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads the account numbers of the users with the ids $1, in that order.
    static let accountNumbers = Statement(
        """
        SELECT a.account
        FROM unnest($1) WITH ORDINALITY AS u (user_id, place)
        JOIN conversations.accounts AS a USING (user_id)
        ORDER BY u.place
        """
    ) { row in try row.int64(0) }

    /// Adds groups: $1 conversation ids, $2 and $3 their members.
    private static let addGroups = Statement(
        """
        WITH made AS (
            INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at)
            SELECT id, 2, $2, 0
            FROM unnest($1) AS id
            RETURNING conversation
        ),
        headed AS (
            INSERT INTO messaging.heads (conversation)
            SELECT conversation
            FROM made
        )
        INSERT INTO conversations.members (conversation, account, joined_at, position)
        SELECT conversation, account, 0, 0
        FROM made
        CROSS JOIN unnest(ARRAY[$2, $3]) AS account
        """)

    /// Brings the tables into the state of a database that has grown to this size.
    static let prepared = [
        "VACUUM ANALYZE conversations.conversations", "VACUUM ANALYZE conversations.members",
        "VACUUM ANALYZE messaging.heads",
    ]
}
