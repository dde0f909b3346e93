import Foundation
import ParleyClient
import Postgres
import Reactor
import enum Schema.ServiceList
import TestSupport
import Testing

/// Runs actions and checks for each person that the state held before and the Updates since give the state that a new
/// client reads: snapshot + Updates = fresh snapshot.
///
/// Two mirrors follow every person, with two devices on two gateways. People whom the actions erase are no longer
/// compared.
/// - Parameter people: the people whose state is compared. The actions may use their devices.
func withMirrors(
    of people: [Device], on cluster: TestCluster, _ what: Comment = "after the actions",
    sourceLocation: SourceLocation = #_sourceLocation, _ actions: () async throws -> Void
) async throws {
    let mirrors = try await Mirrors(of: people, on: cluster)
    try await actions()
    try await mirrors.check(what, sourceLocation: sourceLocation)
}

/// The mirrors of some people.
struct Mirrors {
    private let cluster: TestCluster
    /// Each with the device whose sign-in it uses.
    private var mirrors: [(name: String, device: Device, mirror: Mirror)]

    /// Reads the snapshots of all people.
    init(of people: [Device], on cluster: TestCluster) async throws {
        self.cluster = cluster
        var mirrors: [(String, Device, Mirror)] = []
        for person in people {
            mirrors.append((person.username + ", first device", person, try await Mirror(cluster.session(of: person))))
            let other = try await cluster.device(of: person, gateway: 1)
            mirrors.append((person.username + ", second device", other, try await Mirror(other)))
        }
        self.mirrors = mirrors
    }

    /// Ends a mirror, and starts it again from what it held.
    /// - Parameters:
    ///   - number: which; they take turns.
    ///   - meanwhile: what happens while it is away.
    mutating func restart(_ number: Int, after meanwhile: () async throws -> Void) async throws {
        let (name, device, mirror) = mirrors[number % mirrors.count]
        guard await !mirror.hasEnded else { return try await meanwhile() }
        let memory = await mirror.stop()
        try await meanwhile()
        // A second device has a gateway of its own.
        let session = try await cluster.session(of: device, gateway: number % mirrors.count % 2)
        mirrors[number % mirrors.count] = (name, device, try await Mirror(session, holding: memory))
    }

    /// Waits until every mirror is up to date, and records where one differs from a fresh snapshot.
    func check(
        _ what: Comment, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await cluster.quiet()
        let end = ContinuousClock.now + limit * patience
        for (name, _, mirror) in mirrors {
            if await mirror.hasEnded { continue }
            var lines = try await differences(of: mirror, until: end)
            // A job may publish some changes a moment later.
            while !lines.isEmpty, ContinuousClock.now < end { lines = try await differences(of: mirror, until: end) }
            if lines.isEmpty { continue }
            Issue.record("\(what), \(name):\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
        }
    }

    /// Returns the differences, one line each.
    private func differences(of mirror: Mirror, until end: ContinuousClock.Instant) async throws -> [String] {
        let client = mirror.device.client
        let fresh = try await client.snapshot()
        let start = ContinuousClock.now
        while await !mirror.holdings.isLevel(with: fresh), ContinuousClock.now < end {
            try await Task.sleep(for: pause(after: .now - start))
        }
        var lines = await mirror.holdings.differences(from: fresh)
        if let problem = await mirror.problem { lines.append("the mirror failed: \(problem)") }
        return try await lines + fresh.contradictions(to: client) + fresh.miscounts(to: client)
    }
}

extension Holdings {
    /// Returns where other requests contradict this fresh snapshot.
    func contradictions(to client: ParleyClient) async throws(ParleyError) -> [String] {
        var lines: [String] = []
        let (requests, count) = try await client.readRequests()
        let pending = held.conversations.values.filter { $0.section == .requests }
        if Set(requests) != Set(pending) {
            lines.append("Requests lists \(requests.map(\.id)), Sync has \(pending.map(\.id)) in section REQUESTS")
        }
        if count != held.requestCount { lines.append("Requests counts \(count), Sync \(held.requestCount)") }
        let unread = pending.count { $0.requestReadBy.isEmpty }
        if held.requestCount.total != pending.count || held.requestCount.unread != unread {
            lines.append("\(pending.count) requests, \(unread) unread, are counted as \(held.requestCount)")
        }
        let profile = try await client.call(ConversationsMethods.getProfile, key: client.user, .init())
        if profile != held.profile { lines.append("GetProfile says \(profile), Sync \(held.profile)") }
        // Former members do not see later changes.
        let told = retentionsTold.filter { held.conversations[$0.key]?.leftAtUs ?? 0 == 0 }
        for (conversation, seconds) in told where retentions[conversation] != seconds {
            lines.append("messages say that retention is \(seconds) s, Sync \(retentions[conversation] ?? -1)")
        }
        for conversation in held.conversations.values {
            let alone = try await client.getConversation(conversation.id)
            if alone != conversation { lines.append("GetConversation says \(alone), Sync \(conversation)") }
        }
        let (ids, me) = (held.conversations.keys.sorted(), await client.user)
        let together = try await client.getConversations(ids + ["none_such"])
        if together != ids.map({ held.conversations[$0] }) {
            lines.append("GetConversations says \(together), Sync \(ids.map { held.conversations[$0] })")
        }
        for section in [Parley_V1_ConversationSection.inbox, .left, .requests] {
            for entry in try await client.inbox(section, limit: 200).entries {
                let conversation = held.conversations[entry.conversation] ?? .init()
                let other = conversation.members.first { $0.user.id != me } ?? conversation.members.first
                let isGroup = conversation.kind == .group
                let name = isGroup ? conversation.name : other?.user.displayName
                let photo = isGroup ? conversation.photoURL : other?.user.photoURL
                if (entry.name, entry.photoURL) != (name, photo) {
                    lines.append("the inbox names \(conversation) “\(entry.name)”, \(entry.photoURL)")
                }
            }
        }
        return lines
    }
}

extension TestCluster {
    /// Waits until the services have finished the work that the requests so far cause: journals are followed as far as
    /// they go now, and the jobs that exist now have ended. Other tests may cause more work meanwhile. It waits while
    /// work is done, at most for five minutes.
    @ReactorActor
    func quiet() async throws {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        let work = try await Self.unfinishedWork(connection)
        let last = ContinuousClock.now + .seconds(300) * patience
        var (end, before) = (ContinuousClock.now, [String: Int64]())
        // Work causes work: a job writes to a journal, and who follows it writes to their own or adds a job.
        for _ in 1...5 {
            let begun = try await connection.query(work)
            if begun.isEmpty { return }
            let goals = Dictionary(uniqueKeysWithValues: begun.map { ($0.name, $0.goal) })
            while true {
                let left = try await connection.query(work).filter { item in
                    goals[item.name].map { item.number < $0 } ?? false
                }
                if left.isEmpty { break }
                let now = Dictionary(uniqueKeysWithValues: left.map { ($0.name, $0.number) })
                if now != before { (end, before) = (min(.now + .seconds(30) * patience, last), now) }
                guard ContinuousClock.now < end else {
                    throw NeverQuiet(description: "unfinished: \(left.map(\.name).sorted())")
                }
                try await Reactor.shared.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Makes the statement that lists unfinished work: each lane of a journal with how far a service has followed it
    /// and how far it goes, and each job.
    @ReactorActor
    private static func unfinishedWork(
        _ connection: Connection
    ) async throws -> Statement<(name: String, number: Int64, goal: Int64)> {
        let tables = try await connection.query(
            Statement(
                """
                SELECT
                    n.nspname || '.' || c.relname,
                    array_to_string(ARRAY(
                        SELECT quote_ident(a.attname)
                        FROM pg_index AS i
                        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                        WHERE i.indrelid = c.oid
                            AND i.indisprimary
                    ), ', ')
                FROM pg_class AS c
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE c.relkind = 'r'
                    AND n.nspname = ANY ($1)
                    AND (c.relname = 'followed' OR c.relname LIKE '%jobs')
                """
            ) { row in (name: try row.text(0), key: try row.text(1)) }, .texts(ServiceList.names))
        let parts = tables.flatMap { table -> [String] in
            if table.name.hasSuffix("jobs") {
                return ["SELECT '\(table.name) ' || ROW(\(table.key))::text, 0::bigint, 1::bigint FROM \(table.name)"]
            }
            return ServiceList.all.filter(\.journals).map(\.name).map { source in
                """
                SELECT '\(table.name) \(source) ' || f.follower || ' ' || f.lane, f.number, l.number
                FROM \(source).lanes AS l
                JOIN \(table.name) AS f ON f.source = '\(source)' AND f.lane = l.lane
                WHERE f.number < l.number
                """
            }
        }
        // The counts of events that others are told a moment after answers.
        let counts =
            "SELECT 'entities.events ' || id, 0::bigint, 1::bigint FROM entities.events WHERE counts_due_at > 0"
        return Statement((parts + [counts]).joined(separator: " UNION ALL ")) { row in
            (name: try row.text(0), number: try row.int64(1), goal: try row.int64(2))
        }
    }
}

private struct NeverQuiet: Error, CustomStringConvertible {
    var description: String
}
