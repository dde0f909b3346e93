import Postgres
import Reactor
import TestSupport
import Wire

@testable import ServiceKit

/// Returns what a service registers, without starting it, and the database that it reads.
@ReactorActor
func states<S: ParleyService>(
    of service: S.Type, over migrated: MigratedDatabase
) async throws -> (States<S.Kind>, Database) {
    let settings = try await Settings(S.settings, arguments: [], environment: [:])
    let process = ProcessContext(
        name: S.name, instance: "test", settings: settings, log: quiet, clock: .system,
        notify: Notify(environment: [:]), startedAt: 0)
    let configuration = migrated.configuration(of: S.name, settings: plannerSettings)
    let database = Database(configuration, log: quiet)
    database.start()
    let publisher = UpdatePublisher(endpoint: "ipc:///nowhere", log: quiet)
    let newJournal = { @ReactorActor lanes in
        Journal(schema: S.name, database: configuration, laneCount: lanes, publisher: publisher, log: quiet)
    }
    let service = S(
        ServiceContext(
            process: process, database: database, expensive: ExpensiveRequests(database), journal: newJournal(1),
            publisher: publisher, pool: WorkPool(), newJournal: newJournal,
            sealer: Sealer(schema: S.name, database: database)))
    var states = States<S.Kind>(database: database)
    service.register(in: &states)
    states.check()
    return (states, database)
}
