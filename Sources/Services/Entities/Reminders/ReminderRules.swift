import Schema
import ServiceKit
import Wire

/// The part of a reminder that changes, with the rules of its changes. Pure.
struct StoredReminder: Equatable, Sendable {
    var title: String
    var due: Due
    var notification: String
    var completedAt: Timestamp?
    var firedAt: Timestamp?
    var deletedAt: Timestamp?

    static let titleBytesMax = 512

    /// Whether it counts among the open reminders of its owner.
    var isOpen: Bool { completedAt == nil && deletedAt == nil }
    /// Whether it will fire.
    var isPending: Bool { isOpen && firedAt == nil }

    /// Moves it to a time, at which it fires again if that is another one.
    mutating func move(to due: Due) {
        if due.instant != self.due.instant { firedAt = nil }
        self.due = due
    }

    /// Whether it can be snoozed.
    /// - Throws: ``Refusal`` `reminder_completed`, `invalid`.
    func checkSnooze(until time: Timestamp, now: Timestamp) throws(Refusal) {
        guard completedAt == nil else {
            throw Refusal(.reminderCompleted, "This reminder is completed. Open it again before you snooze it.")
        }
        // Repeating a snooze that is over changes nothing.
        guard time > now || time == due.instant else { throw .invalid("until_us", "must be later than now") }
    }

    mutating func complete(_ isCompleted: Bool, at now: Timestamp) {
        if isCompleted != (completedAt != nil) { completedAt = isCompleted ? now : nil }
    }

    mutating func delete(at now: Timestamp) {
        if deletedAt == nil { (title, notification, deletedAt) = ("", "", now) }
    }
}

/// A reminder that has not fired, as its replica found it. Pure.
struct PendingReminder: Sendable {
    var account: AccountNumber
    var id: [UInt8]
    /// By the clock of the database.
    var now: Timestamp
    var reminder: StoredReminder

    /// Returns it after it has fired, or at a later time to which the rules of its zone moved it.
    func fired(following due: Due) -> PendingReminder {
        var fired = self
        fired.reminder.due = due
        if due.instant <= now { fired.reminder.firedAt = now }
        return fired
    }
}
