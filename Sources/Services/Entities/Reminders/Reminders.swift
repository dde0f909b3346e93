import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Reminders, which only their owner sees (E3). ``fireReminders(_:_:)`` fires them.
extension EntitiesService {
    /// Creates a reminder for the caller. Retry-safe: a repeated id returns the first result.
    /// - Throws: ``Refusal`` `invalid`, `too_many_reminders`, `not_member` of the named conversation.
    func createReminder(_ request: CreateReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let title = try Text.line(request.title, field: "title", bytes: StoredReminder.titleBytesMax)
        let due = try GivenTime(atUs: request.dueAtUs, local: request.dueLocal)
            .due(in: request.timeZone.isEmpty ? "UTC" : request.timeZone, zones)
        try allowChange(by: caller)
        let conversation = try await conversationNumber(request.conversation, of: caller)
        let now = context.clock.now
        return try await context.journal.change { change in
            // The head is locked first, so that a concurrent repetition of the request sees the first one's row.
            let head = try await self.head(of: caller.account, in: change)
            let found = try await change.first(
                RemindersStore.add, .number(caller.account), .uuid(id.bytes), .text(title), .number(due.instant),
                .text(due.zone), .optional(conversation),
                request.sourceMessage.isEmpty ? .null : .uuid(request.sourceMessage), .text(request.notificationId),
                .number(now), .number(head + 1), .bool(id.isInWindow(now: now)), .number(due.time.civil),
                .int32(Int32(due.time.offset)), .text(due.rules), .int64(self.remindersMax))
            guard let (reminder, isNew) = found else {
                try id.checkWindow(now: now)
                throw self.tooManyReminders
            }
            guard isNew else { return ReminderReply(reminder: reminder, duplicate: true) }
            self.publish(reminder, of: caller.account, caller.user, in: change)
            try await self.scheduler.wake(for: due.instant, in: change)
            return ReminderReply(reminder: reminder, duplicate: false)
        }
    }

    /// Returns one of the caller's reminders.
    /// - Throws: ``Refusal`` `not_found`, also for a deleted one.
    func getReminder(_ request: GetReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let id = try UUIDv7(request.id)
        let found = try await context.database.first(
            RemindersStore.reminder, .number(call.caller.account), .uuid(id.bytes))
        guard let found, found.deletedAtUs == 0 else { throw Refusal.notFound }
        return ReminderReply(reminder: found, duplicate: false)
    }

    /// Changes the fields that the request names.
    /// - Throws: ``Refusal`` `not_found`, `invalid`.
    func updateReminder(_ request: UpdateReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let changes = try ReminderChanges(request)
        return try await changeReminder(request.id, of: call.caller) { [zones] reminder, _ in
            try changes.apply(to: &reminder, zones)
        }
    }

    /// Moves a reminder to a later time.
    /// - Throws: ``Refusal`` `not_found`, `reminder_completed`, `invalid`.
    func snoozeReminder(_ request: SnoozeReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let time = try GivenTime(atUs: request.untilUs, field: "until_us")
        return try await changeReminder(request.id, of: call.caller) { [zones] reminder, now in
            try reminder.checkSnooze(until: Timestamp(request.untilUs), now: now)
            reminder.move(to: try time.due(in: reminder.due.zone, zones))
        }
    }

    /// Marks a reminder as completed, or as open again.
    /// - Throws: ``Refusal`` `not_found`, `too_many_reminders`.
    func completeReminder(_ request: CompleteReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        try await changeReminder(request.id, of: call.caller) { reminder, now in
            reminder.complete(request.completed, at: now)
        }
    }

    /// Deletes a reminder. Its emptied row stays for devices that are offline.
    /// - Throws: ``Refusal`` `not_found`.
    func deleteReminder(_ request: DeleteReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        try await changeReminder(request.id, of: call.caller, evenDeleted: true) { reminder, now in
            reminder.delete(at: now)
        }
    }

    /// Returns a page of the caller's reminders by due time.
    func listReminders(_ request: ListRemindersRequest, _ call: RequestContext) async throws -> ListRemindersReply {
        let after = try DueCursor(request.cursor)
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        let completed: Bool? =
            switch request.completed {
            case .onlyOpen: false
            case .onlyCompleted: true
            case .unspecified: nil
            case .unrecognized: throw Refusal.invalid("completed", "must be ONLY_OPEN, ONLY_COMPLETED or absent")
            }
        let rows = try await context.database.query(
            RemindersStore.byDue(completed: completed, inConversation: conversation != nil),
            [.number(call.caller.account), .number(after.dueAt), .uuid(after.id), .int64(Int64(limit + 1))]
                + (conversation.map { [.number($0)] } ?? []))
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { DueCursor($0).text } ?? "" : ""
        return ListRemindersReply(reminders: page, cursor: next)
    }

    // MARK: Changes

    /// Changes one of the caller's reminders by a rule, under its lock, and publishes it. If the rule changes nothing,
    /// nothing is stored.
    /// - Parameters:
    ///   - evenDeleted: whether a deleted reminder counts as one.
    ///   - rule: gets the reminder and the time by the clock of the database.
    /// - Throws: ``Refusal`` `not_found`, also for another person's; `too_many_reminders`; what `rule` throws.
    private func changeReminder(
        _ id: [UInt8], of caller: Caller, evenDeleted: Bool = false,
        by rule: @escaping @ReactorActor (inout StoredReminder, Timestamp) throws -> Void
    ) async throws -> ReminderReply {
        let id = try UUIDv7(id)
        try allowChange(by: caller)
        return try await context.journal.change { [self] change in
            let key: [Parameter] = [.number(caller.account), .uuid(id.bytes)]
            guard let locked = try await change.first(RemindersStore.lock, key),
                evenDeleted || locked.reminder.deletedAt == nil
            else { throw Refusal.notFound }
            var after = locked.reminder
            try rule(&after, locked.now)
            guard after != locked.reminder else {
                guard let known = try await change.first(RemindersStore.reminder, key) else { throw Refusal.notFound }
                return ReminderReply(reminder: known, duplicate: true)
            }
            _ = try await head(of: caller.account, in: change)
            if after.isOpen, !locked.reminder.isOpen {
                let areMany = try await change.first(
                    RemindersStore.areMany, .number(caller.account), .int64(remindersMax))
                if areMany == true { throw tooManyReminders }
            }
            guard
                let changed = try await change.first(
                    RemindersStore.change, key + RemindersStore.parameters(after))
            else { throw DatabaseError.unexpected("the account has no head") }
            publish(changed, of: caller.account, caller.user, in: change)
            if after.isPending { try await scheduler.wake(for: after.due.instant, in: change) }
            return ReminderReply(reminder: changed, duplicate: false)
        }
    }

    var tooManyReminders: Refusal {
        Refusal(
            .tooManyReminders, "You have \(remindersMax) open reminders. Complete or delete some first.")
    }

    /// Publishes a reminder to its owner's devices.
    func publish(_ reminder: Reminder, of account: AccountNumber, _ user: String, in change: Change) {
        change.publish(
            PendingUpdate(
                reminder, as: EntitiesKind.reminder, subject: account, owner: user,
                position: Position(reminder.position), audience: [account]))
    }
}

/// The changes that a request names, checked. Pure.
private struct ReminderChanges: Sendable {
    var title: String?
    var due: GivenTime?
    var zone: String?
    var notification: String?

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: UpdateReminderRequest) throws(Refusal) {
        if case .title(let text) = request.changeTitle {
            title = try Text.line(text, field: "title", bytes: StoredReminder.titleBytesMax)
        }
        switch request.changeDue {
        case .dueAtUs(let time): due = try GivenTime(atUs: time)
        case .dueLocal(let text): due = try GivenTime(local: text)
        case nil: break
        }
        if case .timeZone(let text) = request.changeTimeZone { zone = text }
        if case .notificationId(let text) = request.changeNotificationId { notification = text }
    }

    @ReactorActor
    func apply(to reminder: inout StoredReminder, _ zones: TimeZones) throws(Refusal) {
        if let title { reminder.title = title }
        if let notification { reminder.notification = notification }
        guard due != nil || zone != nil else { return }
        // Without another time, the time on the wall stays.
        let before = try reminder.due.following(zones)
        let time = due ?? (zone == before.zone ? nil : .local(before.time.civil))
        if let time { reminder.move(to: try time.due(in: zone ?? before.zone, zones)) }
    }
}

/// The last reminder of the previous page, as `DUE.ID`. Pure.
struct DueCursor: Cursor {
    var dueAt: Timestamp
    var id: [UInt8]

    static let start = DueCursor(dueAt: .min, id: [UInt8](repeating: 0, count: 16))

    private init(dueAt: Timestamp, id: [UInt8]) { (self.dueAt, self.id) = (dueAt, id) }

    init(_ reminder: Reminder) { self.init(dueAt: Timestamp(reminder.dueAtUs), id: reminder.id) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(dueAt: try parts.number(in: .min ... .max), id: try parts.bytes(16))
    }

    var text: String { "\(dueAt).\(Hex.text(id))" }
}
