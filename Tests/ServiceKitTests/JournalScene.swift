import Logging
import Postgres
import Reactor
import Schema
import TestSupport
import Wire

@testable import ServiceKit

/// The kind of journal entries in these tests.
struct Kind: JournalKind {
    static let one = Kind(rawValue: 1)
    static let allCases = [one]

    var rawValue: Int32
}

/// A migrated database, and one service's reading, writing and publishing over it.
@ReactorActor
final class JournalScene {
    private static let folder = Folder()
    private static var last = 0

    let schema: String
    /// Where it publishes.
    let endpoint: String
    let migrated: MigratedDatabase
    let superuser: Connection
    let database: Database
    let publisher: UpdatePublisher
    let subscriber: UpdateSubscriber
    let heartbeats: Heartbeats
    let journal: Journal
    private(set) var received: [UpdateHeader] = []
    private(set) var beats: [Heartbeat] = []
    /// The numbers of the lanes in the last heartbeat.
    var announced: [UInt32: Int64] {
        Dictionary(uniqueKeysWithValues: (beats.last?.lanes ?? []).map { ($0.lane, $0.number) })
    }

    init(_ schema: String = "entities", lanes: Int = 1, in other: JournalScene? = nil) async throws {
        Self.last += 1
        endpoint = "ipc://\(Self.folder.path)/scene\(Self.last)"
        self.schema = schema
        if let other { migrated = other.migrated } else { migrated = try await MigratedDatabase() }
        superuser = try await Connection.open(migrated.superuser)
        let configuration = migrated.configuration(
            of: schema, lockTimeout: .seconds(60), idleInTransaction: .seconds(60), settings: plannerSettings)
        database = Database(configuration, log: quiet)
        database.start()
        publisher = UpdatePublisher(endpoint: endpoint, log: quiet)
        try publisher.start()
        subscriber = UpdateSubscriber(endpoints: [endpoint], log: quiet)
        let heartbeats = Heartbeats(schema: schema, database: database, publisher: publisher, log: quiet)
        self.heartbeats = heartbeats
        var laneConfiguration = configuration
        laneConfiguration.applicationName = "lane"
        journal = Journal(
            schema: schema, database: laneConfiguration, laneCount: lanes, publisher: publisher, log: quiet,
            claimed: { heartbeats.beat() })
        try await journal.start()
        try subscriber.start { [unowned self] header, _ in
            if case .heartbeat(let beat) = header.control?.control {
                beats.append(beat)
            } else {
                received.append(header)
            }
        }
        try await eventually { self.subscriber.isConnected }
    }

    isolated deinit {
        heartbeats.stop()
        subscriber.close()
        publisher.close()
        journal.close()
        superuser.close()
        Task { @ReactorActor [database] in await database.close() }
    }

    /// Returns a further endpoint.
    func newEndpoint() -> String {
        Self.last += 1
        return "ipc://\(Self.folder.path)/scene\(Self.last)"
    }

    func number(_ sql: String) async throws -> Int64 {
        try await superuser.first(Statement("SELECT (\(sql))::bigint") { try $0.int64(0) }) ?? -1
    }

    func execute(_ sql: String) async throws { try await superuser.execute(Statement(sql)) }

    /// Publishes one transaction's Updates, one for each position, of account `account`.
    func publish(_ positions: ClosedRange<Int64>, of account: AccountNumber = 1, audience: Audience? = nil) async throws
    {
        try await journal.change { change in
            for position in positions.map({ Position($0) }) {
                change.publish(
                    PendingUpdate(
                        Reminder(), as: Kind.one, subject: account, object: position, owner: "u\(account)",
                        position: position, audience: audience ?? [account]))
            }
        }
    }

    /// Makes a replay whose Updates have bodies of this size. It keeps the scene alive.
    func replay(bodyBytes: Int = 10) -> Replay {
        Replay(schema: schema, database: database, log: quiet) { [self] entries in
            entries.map { entry in
                var update = entry.superseded(stream: "\(schema)/u/\(entry.subject)")
                update.body = [UInt8](repeating: 7, count: bodyBytes)
                return update
            }
        }
    }
}
