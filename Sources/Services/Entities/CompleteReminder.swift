import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension EntitiesService {
    /// Marks one of the caller's reminders as completed, or as open again (E3). Retry-safe: a reminder already in the
    /// requested state is returned unchanged, and no Update is published.
    /// - Throws: ``Refusal`` `not_found`, also for another person's reminder.
    func completeReminder(_ request: CompleteReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let now = context.clock.now
        return try await context.journal.change { change in
            let locked = try await change.first(EntitiesStore.lockReminder, .number(caller.account), .uuid(id.bytes))
            guard let isCompleted = locked else { throw Refusal.notFound }
            guard isCompleted != request.completed else {
                let known = try await change.first(EntitiesStore.reminder, .number(caller.account), .uuid(id.bytes))
                guard let known else { throw DatabaseError.unexpected("the reminder no longer exists") }
                return ReminderReply(reminder: known, duplicate: true)
            }
            let changed = try await change.first(
                EntitiesStore.completeReminder, .number(caller.account), .uuid(id.bytes),
                .optional(request.completed ? now : nil))
            guard let changed else { throw DatabaseError.unexpected("the account has no head") }
            self.publish(changed, of: caller, in: change)
            return ReminderReply(reminder: changed, duplicate: false)
        }
    }
}
