import Foundation
import Observation
import ParleyKit

/// The screen with my reminders.
@MainActor
@Observable
public final class RemindersModel: Acting {
    /// A reminder as it is shown.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: ReminderID
        public let title: String
        public let when: String
        public let isOverdue: Bool
        public let isCompleted: Bool
        /// The conversation that it came from; nil: none.
        public let conversation: ConversationID?
        /// All of it, for VoiceOver.
        public let label: String
    }

    public var problem: Refusal?
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, words: Words = Words()) { (self.parley, self.words) = (parley, words) }

    public var open: [Row] { parley.reminders.filter { !$0.isCompleted }.map(row) }
    public var completed: [Row] { parley.reminders.filter(\.isCompleted).map(row) }

    public func complete(_ id: ReminderID, _ isCompleted: Bool = true) async {
        await act(on: id) { reminder async throws(Refusal) in try await self.parley.complete(reminder, isCompleted) }
    }

    public func snooze(_ id: ReminderID, _ snooze: Snooze, now: Date = .now) async {
        let time = snooze.time(after: now, words.calendar)
        await act(on: id) { reminder async throws(Refusal) in try await self.parley.snooze(reminder, until: time) }
    }

    public func delete(_ id: ReminderID) async {
        await act(on: id) { reminder async throws(Refusal) in try await self.parley.delete(reminder) }
    }

    public func newReminder() -> NewReminderModel { NewReminderModel(parley, words: words) }

    private func act(on id: ReminderID, _ body: (Reminder) async throws(Refusal) -> Void) async {
        guard let reminder = parley.reminders.first(where: { $0.id == id }) else { return }
        await attempt { () async throws(Refusal) in try await body(reminder) }
    }

    private func row(_ reminder: Reminder) -> Row {
        let isOverdue = !reminder.isCompleted && reminder.dueAt < .now
        let when = words.dayAndTime(reminder.dueAt)
        let states = [reminder.title, when, isOverdue ? "overdue" : "", reminder.isCompleted ? "completed" : ""]
        return Row(
            id: reminder.id, title: reminder.title, when: when, isOverdue: isOverdue,
            isCompleted: reminder.isCompleted, conversation: reminder.conversation,
            label: states.filter { !$0.isEmpty }.joined(separator: ", "))
    }
}

/// Until when a reminder waits.
public enum Snooze: String, CaseIterable, Identifiable, Hashable, Sendable {
    case tenMinutes = "In ten minutes"
    case hour = "In an hour"
    case tomorrow = "Tomorrow at nine"
    case week = "In a week"

    public var id: String { rawValue }
    public var title: String { rawValue }

    func time(after now: Date, _ calendar: Calendar) -> Date {
        switch self {
        case .tenMinutes: return now.addingTimeInterval(600)
        case .hour: return now.addingTimeInterval(3600)
        case .week: return calendar.date(byAdding: .day, value: 7, to: now) ?? now.addingTimeInterval(7 * 86400)
        case .tomorrow:
            let day = calendar.date(byAdding: .day, value: 1, to: now) ?? now.addingTimeInterval(86400)
            return calendar.date(bySettingHour: 9, minute: 0, second: 0, of: day) ?? day
        }
    }
}

/// The form of a new reminder, of a message or without one.
@MainActor
@Observable
public final class NewReminderModel: Acting, Identifiable {
    public var problem: Refusal?
    public var title: String
    public var dueAt: Date
    private let message: Message?
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, from message: Message? = nil, words: Words = Words(), now: Date = .now) {
        (self.parley, self.message, self.words) = (parley, message, words)
        title = message.map { $0.text.isEmpty ? $0.attachment?.name ?? "" : String($0.text.prefix(100)) } ?? ""
        dueAt = Snooze.tomorrow.time(after: now, words.calendar)
    }

    public var isOfMessage: Bool { message != nil }
    public var canSave: Bool { !title.trimmed.isEmpty }

    /// - Returns: whether the form may close.
    public func save() async -> Bool {
        guard canSave else { return false }
        return await attempt { () async throws(Refusal) in
            try await self.parley.addReminder(
                self.title.trimmed, dueAt: self.dueAt, in: self.words.calendar.timeZone, from: self.message)
        }
    }
}
