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

    /// Creates groups of two, spread evenly over the pairs of neighbours. Imports them, because 100,000 requests take a
    /// while.
    @ReactorActor
    static func makeGroups(
        _ count: Int, of people: [BenchPerson], in connection: Connection
    ) async throws -> [[String]] {
        let run = hex(.random(in: 0 ... .max))
        let pairs = people.count / 2
        let accounts = try await connection.query(accountNumbers, .texts(people.map(\.user)))
        var conversations = [[String]](repeating: [], count: pairs)
        for number in 0..<max(count, pairs) { conversations[number % pairs].append(run + hex(UInt64(number))) }
        let groups = conversations.enumerated().flatMap { pair, ids in
            ids.map { ($0, [accounts[2 * pair], accounts[2 * pair + 1]]) }
        }
        let numbers = try await importGroups(groups, at: 0, in: connection)
        for start in stride(from: 0, to: numbers.count, by: together) {
            let part = Array(numbers[start..<min(start + together, numbers.count)])
            try await connection.execute(makeHeads, .int64s(part))
        }
        try await connection.execute(settle)
        return conversations
    }

    /// As many conversations as a call names: each may take a lock.
    static let together = 1_000

    /// Imports groups, each of which its first member created.
    /// - Returns: their numbers.
    @ReactorActor
    static func importGroups(
        _ groups: [(id: String, members: [Int64])], at time: Int64, in connection: Connection
    ) async throws -> [Int64] {
        var numbers: [Int64] = []
        for start in stride(from: 0, to: groups.count, by: together) {
            let part = groups[start..<min(start + together, groups.count)]
            let ordinals = part.enumerated().flatMap { index, group in group.members.map { _ in Int32(index + 1) } }
            numbers +=
                try await connection.first(
                    addGroups, .texts(part.map(\.id)), .int64s(part.compactMap(\.members.first)), .int64(time),
                    .int32s(ordinals), .int64s(part.flatMap(\.members))) ?? []
        }
        return numbers
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
        JOIN conversations.account_ids AS a USING (user_id)
        ORDER BY u.place
        """
    ) { row in try row.int64(0) }

    /// $1 conversation ids, $2 creators, $3 the time, $4 which of them each member belongs to, $5 members.
    private static let addGroups = Statement(
        """
        SELECT conversations.import_conversations($1, array_fill(2::smallint, n), array_fill(''::text, n), $2,
            array_fill($3::bigint, n), $4, $5)
        FROM (SELECT ARRAY[cardinality($1)] AS n) AS sizes
        """
    ) { row in try row.int64s(0) }

    /// Makes the heads of conversations in which nobody has written. $1 conversations.
    static let makeHeads = Statement<Void>(
        "SELECT cardinality(locked) FROM messaging.lock_heads($1, array_fill(0::bigint, ARRAY[cardinality($1)]))")

    /// Brings the tables into the state of a database that has grown to this size.
    static let settle = Statement<Void>("VACUUM ANALYZE")
}
