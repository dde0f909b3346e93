import Postgres
import Schema
import ServiceKit

/// Follows reminders that fire, and events.
extension NotificationsService {
    static let followedOfEntities: Set<Int16> = [EntitiesKind.reminder.number, EntitiesKind.event.number]

    func followEntities(_ entries: [JournalEntry], _ change: Change) async throws {
        let now = context.clock.now
        let (reminders, events) = (reached(entries, .reminder), reached(entries, .event))
        var found: [TellableEntity] = []
        if !reminders.isEmpty {
            found += try await change.query(
                ToldEntitiesStore.reminders, .int64s(reminders.map(\.subject)), .numbers(reminders.map(\.position)),
                .number(now - PushRules.ageMax))
        }
        if !events.isEmpty {
            found += try await change.query(
                ToldEntitiesStore.events, .int64s(events.map(\.subject)), .numbers(events.map(\.position)),
                .number(now - PushRules.ageMax))
        }
        // Somebody who is in the app sees changes of events there. A reminder or a date tells every device.
        let wanted = found.filter { $0.isWanted && ($0.kind != .event || !foreground.contains($0.account)) }
        let isNew = try await noteTold(wanted.map { ($0.account, $0.about) }, at: now, in: change)
        try await queue(
            wanted.filter { isNew.contains(Told(account: $0.account, about: $0.about)) }.map { entity in
                QueuedNotice(
                    account: entity.account, kind: entity.kind, about: entity.about, entity: entity.id,
                    madeAt: entity.at, expiresAt: entity.at + PushRules.ageMax)
            }, in: change)
    }

    private func reached(_ entries: [JournalEntry], _ kind: EntitiesKind) -> [JournalEntry] {
        entries.filter { $0.is(kind) && registry.hasDevices(AccountNumber($0.subject)) }
    }
}

/// A reminder or event of which a person may be told.
struct TellableEntity: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    var kind: NoticeKind
    var about: String
    var at: Timestamp
    /// Whether the person wants it, and be disturbed.
    var isWanted: Bool
}

/// What is said of a reminder or an event.
struct EntityFacts: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    var title: String
    var isCancelled: Bool
    var isAskedToHost: Bool
}
