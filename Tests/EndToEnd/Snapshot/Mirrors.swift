import Foundation
import ParleyClient
import Postgres
import Reactor
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
    private let mirrors: [(name: String, mirror: Mirror)]

    /// Reads the snapshots of all people.
    init(of people: [Device], on cluster: TestCluster) async throws {
        self.cluster = cluster
        var mirrors: [(String, Mirror)] = []
        for person in people {
            mirrors.append((person.username + ", first device", try await Mirror(cluster.session(of: person))))
            mirrors.append(
                (person.username + ", second device", try await Mirror(cluster.device(of: person, gateway: 1))))
        }
        self.mirrors = mirrors
    }

    /// Waits until every mirror is up to date, and records where one differs from a fresh snapshot.
    func check(
        _ what: Comment, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await cluster.quiet()
        let end = ContinuousClock.now + limit * patience
        for (name, mirror) in mirrors {
            if await mirror.hasEnded { continue }
            var differences = try await differences(of: mirror, until: end)
            // A job may publish some changes a moment later.
            while !differences.isEmpty, ContinuousClock.now < end {
                differences = try await self.differences(of: mirror, until: end)
            }
            if !differences.isEmpty {
                Issue.record(
                    "\(what), \(name):\n\(differences.joined(separator: "\n"))", sourceLocation: sourceLocation)
            }
        }
    }

    private func differences(of mirror: Mirror, until end: ContinuousClock.Instant) async throws -> [String] {
        let client = mirror.device.client
        let fresh = try await client.snapshot()
        while await !mirror.held.isLevel(with: fresh), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        var lines = await mirror.held.differences(from: fresh)
        if let problem = await mirror.problem { lines.append("the mirror failed: \(problem)") }
        return try await lines + fresh.contradictions(to: client)
    }
}

extension Holdings {
    /// Returns where other requests contradict this fresh snapshot.
    func contradictions(to client: ParleyClient) async throws(ParleyError) -> [String] {
        var lines: [String] = []
        let (requests, count) = try await client.readRequests()
        let pending = conversations.values.filter { $0.section == .requests }
        if Set(requests) != Set(pending) {
            lines.append("Requests lists \(requests.map(\.id)), Sync has \(pending.map(\.id)) in section REQUESTS")
        }
        if count != self.requests { lines.append("Requests counts \(count), Sync \(self.requests)") }
        let unread = pending.count { $0.requestReadBy.isEmpty }
        if self.requests.total != pending.count || self.requests.unread != unread {
            lines.append("\(pending.count) requests, \(unread) unread, are counted as \(self.requests)")
        }
        let profile = try await client.call(ConversationsMethods.getProfile, key: client.user, .init())
        if profile != self.profile { lines.append("GetProfile says \(profile), Sync \(self.profile)") }
        for conversation in conversations.values {
            let alone = try await client.getConversation(conversation.id)
            if alone != conversation { lines.append("GetConversation says \(alone), Sync \(conversation)") }
        }
        return lines
    }
}

extension TestCluster {
    /// Waits until the services have finished the work that requests cause: journals are followed to their ends, and no
    /// job is left.
    @ReactorActor
    func quiet() async throws {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: endpoints.database))
        defer { connection.close() }
        let schemas = ["conversations", "messaging", "presence", "entities"]
        let tables = try await connection.query(
            Statement(
                """
                SELECT n.nspname || '.' || c.relname
                FROM pg_class AS c
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE c.relkind = 'r'
                    AND n.nspname = ANY ($1)
                    AND (c.relname = 'followed' OR c.relname LIKE '%jobs')
                """
            ) { row in try row.text(0) }, .texts(schemas))
        let conditions = tables.map { table in
            table.hasSuffix("jobs")
                ? "EXISTS (SELECT FROM \(table))"
                : schemas.map { source in
                    """
                    EXISTS (
                        SELECT FROM \(source).lanes AS l
                        JOIN \(table) AS f ON f.source = '\(source)' AND f.lane = l.lane
                        WHERE f.number < l.number)
                    """
                }.filter { !$0.contains(" presence.lanes") }.joined(separator: " OR ")
        }
        let isBusy = Statement("SELECT \(conditions.joined(separator: " OR "))") { row in try row.bool(0) }
        let end = ContinuousClock.now + .seconds(30) * patience
        while try await connection.query(isBusy) != [false] {
            guard ContinuousClock.now < end else {
                throw NeverQuiet(description: "journals are not followed to their ends, or jobs are left")
            }
            try await Reactor.shared.sleep(for: .milliseconds(10))
        }
    }
}

private struct NeverQuiet: Error, CustomStringConvertible {
    var description: String
}
