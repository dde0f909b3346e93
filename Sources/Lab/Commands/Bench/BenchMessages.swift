import ArgumentParser
import Command
import NIOCore
import NIOPosix
import ParleyClient
import Postgres
import Reactor

/// Account sizes on the command line, such as "10k,1M".
struct MessageCounts: ExpressibleByArgument, Sendable {
    var counts: [Int]

    init(_ counts: [Int]) { self.counts = counts }

    init?(argument: String) {
        counts = argument.split(separator: ",").compactMap { part in
            let (digits, factor) =
                switch part.last {
                case "k": (part.dropLast(), 1_000)
                case "M": (part.dropLast(), 1_000_000)
                default: (part, 1)
                }
            guard let number = Int(digits), (1...100_000_000).contains(number) else { return nil }
            return number * factor
        }
        let isFine = counts.allSatisfy { (1000...100_000_000).contains($0) } && !counts.isEmpty
        guard isFine, counts.count == argument.split(separator: ",").count else { return nil }
    }

    var defaultValueDescription: String { counts.map { "\($0)" }.joined(separator: ",") }
}

/// A person with many messages, half of them in one conversation and the others in up to 1,000. Each message has eight
/// of 50,000 words, some of which are frequent and most rare, as in a language.
struct BenchMessages: Sendable {
    let client: ParleyClient
    let token: String
    /// The conversation with half of all messages.
    let largest: String
    let lastSeq: Int64
    let conversations: Int
    let count: Int

    private static let chunk = 250_000

    /// Starts a cluster for each size, fills its database directly, and calls `body` with the person signed in.
    static func measure<Row: Sendable>(
        _ sizes: MessageCounts, _ bench: BenchOptions, _ body: @Sendable @escaping (BenchMessages) async throws -> Row
    ) async throws -> [Row] {
        var rows: [Row] = []
        for count in sizes.counts {
            rows.append(
                try await BenchCluster.with(bench) { cluster in
                    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
                    defer { group.shutdownGracefully { _ in } }
                    let messages = try await BenchMessages(count, cluster, bench, on: group)
                    let row = try await body(messages)
                    await messages.client.close()
                    return row
                })
        }
        return rows
    }

    init(
        _ count: Int, _ cluster: BenchCluster, _ bench: BenchOptions, on group: any EventLoopGroup
    ) async throws {
        let url = cluster.endpoints.url
        let people = try await BenchPeople.register(11, at: url, on: group)
        conversations = min(1_000, count / 100)
        bench.progress("creating \(count) messages in \(conversations) conversations")
        let others = (0..<conversations).map { people[1 + $0 % 10] }
        let ids = try await Self.fill(count, people[0], others, cluster)
        (token, largest, lastSeq, self.count) = (people[0].token, ids[0], Int64(count / 2) + 1, count)
        client = ParleyClient(url: url, group: group)
        _ = try await client.connect(token: people[0].token)
    }

    @ReactorActor
    private static func fill(
        _ count: Int, _ person: BenchPerson, _ others: [BenchPerson], _ cluster: BenchCluster
    ) async throws -> [String] {
        let connection = try await Connection.open(
            DatabaseConfiguration(
                url: cluster.endpoints.database, applicationName: "parley-bench", connections: 1,
                statementTimeout: .seconds(600), settings: ["synchronous_commit": "off"]))
        defer { connection.close() }
        // Before the oldest message.
        let before = Times.now() - (Int64(count) * 10 + 60 * 1_000 + 7_200) * 1_000_000
        let ids = try await BenchTalks.make(of: person, with: others, at: before, in: connection)
        let numbers = try await connection.query(BenchTalks.conversationNumbers, .texts(ids))
        // After the message that each conversation already has.
        let (half, rest) = (Int64(count / 2), Int64(count / 2 / max(1, ids.count - 1)))
        for first in stride(from: Int64(2), through: half + 1, by: chunk) {
            try await add(
                first, min(half + 1, first + Int64(chunk) - 1), to: [numbers[0]],
                after: numbers[0], connection)
        }
        let together = max(1, chunk / Int(max(1, rest)))
        for start in stride(from: 1, to: numbers.count, by: together) where rest > 0 {
            try await add(
                2, rest + 1, to: Array(numbers[start..<min(start + together, numbers.count)]),
                after: numbers[0], connection)
        }
        try await connection.execute(BenchPeople.settle)
        try await connection.execute(Statement("CHECKPOINT"))
        return ids
    }

    @ReactorActor
    private static func add(
        _ first: Int64, _ last: Int64, to conversations: [Int64], after newest: Int64, _ connection: Connection
    ) async throws {
        try await connection.execute(
            addMessages, .int64s(conversations), .int64(first), .int64(last), .int64(Times.now() - 3_600_000_000),
            .int64(newest))
    }

    /// Imports messages with their words. $1 conversations, $2 … $3 the next seqs of each, $4 the time of the last
    /// message of conversation $5. Messages are 10 s apart; each further conversation ends a minute earlier.
    private static let addMessages = Statement(
        """
        WITH said AS (
            SELECT c.conversation, s.seq, c.sender,
                $4 - abs(c.conversation - $5) * 60000000 - ($3 - s.seq) * 10000000 AS sent_at,
                array_to_string(ARRAY(
                    SELECT 'word' || floor(50000 * power(random(), 3))::text
                    FROM generate_series(1, 8)
                    WHERE s.seq > 0 AND c.conversation > 0
                ), ' ') AS words
            FROM (
                SELECT n.conversation, (
                        SELECT max(a.account)
                        FROM conversations.access AS a
                        WHERE a.conversation = n.conversation
                    ) AS sender
                FROM unnest($1::bigint[]) AS n (conversation)
            ) AS c
            CROSS JOIN generate_series($2::bigint, $3::bigint) AS s (seq)
            ORDER BY c.conversation, s.seq
        )
        SELECT cardinality(messaging.import_messages(max(sent_at), array_agg(conversation),
            array_agg(gen_random_uuid()), array_agg(sender), array_agg(1::smallint), array_agg(words),
            array_agg(sent_at), '{}', array_agg(words)))
        FROM said
        """)

    /// Measures a request and its reply, `times` times one after the other.
    func measureEach(_ times: Int, _ once: (Int) async throws -> Void) async throws -> Milliseconds {
        // The first requests warm up the processes and do not count.
        for time in 0..<10 { try await once(time) }
        var durations: [Duration] = []
        for time in 0..<times {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            try await once(time)
            durations.append(ContinuousClock.now - began)
        }
        return Milliseconds(durations)
    }
}

/// The results of one account size.
struct BenchMessagesRow: Encodable, Sendable {
    var messages: Int
    var conversations: Int
    var ms: [String: Milliseconds]

    /// Prints a column for each size and a line for each kind of request.
    static func show(_ title: String, _ rows: [BenchMessagesRow], _ names: [String]) {
        Output.line(Style().bold(title + ", p50 / p99 in ms"))
        printTable(
            [("messages", rows.map { PlainText.padded("\($0.messages)", 18) }.joined())]
                + names.map { name in
                    (
                        name,
                        rows.map { row in
                            PlainText.padded("\(rounded(row.ms[name]?.p50)) / \(rounded(row.ms[name]?.p99))", 18)
                        }.joined()
                    )
                })
    }
}
