import Postgres
import Reactor
import Schema
import TestSupport
import Wire

@testable import ServiceKit

/// One process of a service on a database, without its links.
@ReactorActor
struct ServiceReplica<Service: ParleyService> {
    let service: Service
    let journal: Journal
    let reading: Database

    /// - Parameter readingConnections: for statements outside of transactions; nil: as usual.
    init(
        on database: MigratedDatabase, environment: [String: String] = [:], readingConnections: Int? = nil
    ) async throws {
        let publisher = UpdatePublisher(endpoint: "ipc:///nowhere", log: quiet)
        var configuration = database.configuration(of: Service.name, settings: plannerSettings)
        // These tests are about order, so waiting may take as long as a busy machine needs.
        (configuration.lockTimeout, configuration.statementTimeout) = (.seconds(30), .seconds(40))
        configuration.idleInTransactionTimeout = .seconds(40)
        var ofReading = configuration
        if let readingConnections { ofReading.connections = readingConnections }
        let reading = Database(ofReading, log: quiet)
        reading.start()
        let journal = Journal(
            schema: Service.name, database: configuration, laneCount: 1, publisher: publisher, log: quiet)
        try await journal.start()
        let process = ProcessContext(
            name: Service.name, instance: "tests",
            settings: try await Settings(Service.settings, arguments: [], environment: environment), log: quiet,
            clock: .system, notify: Notify(environment: [:]), startedAt: 0)
        service = Service(
            ServiceContext(
                process: process, database: reading, expensive: ExpensiveRequests(reading), journal: journal,
                publisher: publisher, pool: WorkPool(threads: 1), newJournal: { _ in journal },
                sealer: Sealer(schema: Service.name, database: reading)))
        (self.journal, self.reading) = (journal, reading)
    }

    func close() async {
        journal.close()
        await reading.close()
    }
}

/// A database with people u1, u2 …, and replicas of a service on it.
@ReactorActor
protocol ReplicaScene {
    associatedtype Service: ParleyService

    var superuser: Connection { get }
    var replicas: [ServiceReplica<Service>] { get }
}

extension ReplicaScene {
    func close() async {
        for replica in replicas { await replica.close() }
        superuser.close()
    }

    func addPeople(_ count: Int) async throws {
        try await execute(
            "INSERT INTO conversations.accounts (user_id, username, created_at) "
                + "SELECT 'u' || g, 'u' || g, 1 FROM generate_series(1, \(count)) AS g")
    }

    func execute(_ sql: String) async throws { try await superuser.execute(Statement(sql)) }

    func number(_ sql: String) async throws -> Int64 {
        try await superuser.first(Statement("SELECT (\(sql))::bigint") { try $0.int64(0) }) ?? -1
    }

    func texts(_ sql: String) async throws -> [String] {
        try await superuser.query(Statement(sql) { try $0.text(0) })
    }

    func call(_ user: Int) -> RequestContext {
        RequestContext(
            caller: Caller(account: AccountNumber(user), user: "u\(user)", device: "d", session: "s", address: ""),
            within: .seconds(60), trace: "", log: quiet)
    }
}
