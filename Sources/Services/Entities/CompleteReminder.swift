import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension EntitiesService {
    /// Marks a reminder of the caller's own as done, or as open again (E3). Retry-safe: what is so already stays so,
    /// and nothing is told.
    /// - Throws: ``Refusal`` `not_found`, the same for one that is somebody else's.
    func completeReminder(_ request: CompleteReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let now = context.clock.now
        return try await context.journal.change { change in
            let held = try await change.first(EntitiesStore.lockReminder, .int64(caller.account), .uuid(id.bytes))
            guard let isCompleted = held else { throw Refusal.notFound }
            guard isCompleted != request.completed else {
                let reminder = try await self.reminder(id.bytes, of: caller, in: change)
                return ReminderReply(reminder: reminder, duplicate: true)
            }
            guard let position = try await change.first(EntitiesStore.advanceHead, .int64(caller.account)) else {
                throw DatabaseError.unexpected("no head")
            }
            try await change.execute(
                EntitiesStore.completeReminder, .int64(caller.account), .uuid(id.bytes),
                .optional(request.completed ? now : nil), .int64(position))
            let reminder = try await self.publish(id.bytes, of: caller, in: change)
            return ReminderReply(reminder: reminder, duplicate: false)
        }
    }
}
