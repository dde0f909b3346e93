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
        "conversations.access(is_shown)", "conversations.conversation_ids", "conversations.account_ids",
        "conversations.erased",
    ]

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext

    public init(_ context: ServiceContext) {
        self.context = context
    }

    public func register(in routes: inout Routes) {
        routes.on(EntitiesMethods.createReminder, createReminder)
        routes.on(EntitiesMethods.completeReminder, completeReminder)
        routes.on(EntitiesMethods.listReminders, listReminders)
        routes.on(EntitiesMethods.sync, sync)
    }

    /// What ``sync`` returns.
    static let synced = [SyncedKind(EntitiesStore.changedReminders, in: \.reminders, at: \.position)]

    public func register(in states: inout States<EntitiesKind>) {
        states.on(.reminder, current: EntitiesStore.currentReminders, erase: [EntitiesStore.eraseReminders])
        states.erase(EntitiesStore.eraseHead)
    }
}
