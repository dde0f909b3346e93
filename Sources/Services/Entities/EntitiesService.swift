import Postgres
import Reactor
import Schema
import ServiceKit

/// Owns the entities that people create in or beside conversations. So far these are reminders.
///
/// Streams: `entities/u/USER`, with Updates of kind `Reminder`. Reads the published views of conversations.
@ReactorActor
public final class EntitiesService: ParleyService {
    public nonisolated static let name = "entities"
    public nonisolated static let reads = [
        "conversations.access(place)", "conversations.conversation_ids", "conversations.account_ids",
        "conversations.erased",
    ]

    public nonisolated static var migrations: [Migration] {
        [
            Migration(
                number: 1, name: "reminders", sql: String(decoding: PackageResources._001_reminders_sql, as: UTF8.self)),
            Migration(
                number: 2, name: "completed_reminders",
                sql: String(decoding: PackageResources._002_completed_reminders_sql, as: UTF8.self)),
            Migration(
                number: 3, name: "journal_by_the_databases_clock",
                sql: String(decoding: PackageResources._003_journal_by_the_databases_clock_sql, as: UTF8.self)),
            Migration(
                number: 4, name: "erasure", sql: String(decoding: PackageResources._004_erasure_sql, as: UTF8.self)),
            Migration(
                number: 5, name: "todays_partition",
                sql: String(decoding: PackageResources._005_todays_partition_sql, as: UTF8.self)),
        ]
    }

    let context: ServiceContext
    private let erasure: ErasureSweep

    public init(_ context: ServiceContext) {
        self.context = context
        erasure = ErasureSweep(context, steps: EntitiesStore.erasure)
    }

    public func register(in routes: inout Routes) {
        routes.on(EntitiesMethods.createReminder, createReminder)
        routes.on(EntitiesMethods.completeReminder, completeReminder)
        routes.on(EntitiesMethods.listReminders, listReminders)
        routes.on(EntitiesMethods.sync, sync)
    }

    public func start() async throws { erasure.start() }

    public func stop() async { await erasure.stop() }
}

/// The kinds of change in the journal of entities.
enum JournalKind {
    static let reminderChanged: Int16 = 1
}
