import Foundation
import Observation
import ParleyKit

/// The form of a new event.
@MainActor
@Observable
public final class NewEventModel: Acting, Identifiable {
    public var problem: Refusal?
    public var title = ""
    public var startsAt: Date
    public var isAllDay = false
    /// How long it takes, in minutes; 0: it has no end.
    public var minutes = 60
    public var location = ""
    public var notes = ""
    public var repeats = Repetition.never
    /// Who is invited; nil: nobody.
    public var invited: ConversationID?
    private let parley: Parley
    private let words: Words

    /// How often it takes place.
    public enum Repetition: String, CaseIterable, Identifiable, Hashable, Sendable {
        case never, daily, weekly, monthly

        public var id: String { rawValue }

        public var title: String {
            switch self {
            case .never: "Never"
            case .daily: "Every day"
            case .weekly: "Every week"
            case .monthly: "Every month"
            }
        }

        var rule: String? { self == .never ? nil : "FREQ=\(rawValue.uppercased())" }
    }

    public init(_ parley: Parley, inviting chat: Conversation? = nil, words: Words = Words(), now: Date = .now) {
        (self.parley, self.words, invited) = (parley, words, chat?.id)
        // The next whole hour but one.
        let hour = words.calendar.dateInterval(of: .hour, for: now)?.start ?? now
        startsAt = hour.addingTimeInterval(2 * 3600)
    }

    public var canSave: Bool { !title.trimmed.isEmpty }
    public var durations: [Int] { [0, 30, 60, 90, 120, 180, 240] }

    public func title(of minutes: Int) -> String {
        minutes == 0
            ? "No end"
            : Duration.seconds(minutes * 60).formatted(
                .units(allowed: [.hours, .minutes], width: .wide).locale(words.locale))
    }

    /// Conversations that may be invited.
    public var conversations: [(id: ConversationID, title: String)] {
        var found = parley.inbox.conversations
        if let invited, !found.contains(where: { $0.id == invited }) {
            found.insert(parley.conversation(invited), at: 0)
        }
        return found.map { ($0.id, $0.title) }
    }

    /// - Returns: whether the form may close.
    public func save() async -> Bool {
        guard canSave else { return false }
        let (title, location, notes) = (title.trimmed, location.trimmed, notes.trimmed)
        let (date, time) = (text(.year, .month, .day), isAllDay ? nil : text(.hour, .minute))
        return await attempt { () async throws(Refusal) in
            try await self.parley.addEvent(
                title, on: date, at: time, in: self.words.calendar.timeZone, minutes: self.isAllDay ? 0 : self.minutes,
                location: location, notes: notes, recurrence: self.repeats.rule,
                inviting: self.invited.map { [$0] } ?? [])
        }
    }

    /// "2026-12-01" or "19:30": numbers of the Gregorian calendar, whatever the person's is.
    private func text(_ parts: Calendar.Component...) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = words.calendar.timeZone
        let numbers = parts.map { part in
            let number = String(calendar.component(part, from: startsAt))
            return String(repeating: "0", count: max(0, (part == .year ? 4 : 2) - number.count)) + number
        }
        return numbers.joined(separator: parts.contains(.year) ? "-" : ":")
    }
}
