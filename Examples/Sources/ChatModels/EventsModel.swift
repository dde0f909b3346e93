import Foundation
import Observation
import ParleyKit

/// The screen with my events.
@MainActor
@Observable
public final class EventsModel: Acting {
    public var problem: Refusal?
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, words: Words = Words()) { (self.parley, self.words) = (parley, words) }

    /// Those to come, the next one first. What recurs is among them until it is cancelled.
    public var upcoming: [EventRow] { rows { !$0.isPast(at: .now, self.words) } }
    public var past: [EventRow] { rows { $0.isPast(at: .now, self.words) }.reversed() }
    public var isEmpty: Bool { parley.events.isEmpty }

    private func rows(_ isShown: (Event) -> Bool) -> [EventRow] {
        parley.events.filter(isShown).map { EventRow($0, words) }
    }

    public func answer(_ event: EventID, _ answer: Event.Answer) async {
        await attempt { () async throws(Refusal) in try await self.parley.answer(event, answer) }
    }

    /// Accepts or declines to host it.
    public func host(_ event: EventID, _ hosts: Bool) async {
        await attempt { () async throws(Refusal) in try await self.parley.host(event, hosts) }
    }

    /// Calls off an event that I host.
    public func cancel(_ event: EventID) async {
        await attempt { () async throws(Refusal) in try await self.parley.cancel(event) }
    }

    /// Deletes an event that I created.
    public func delete(_ event: EventID) async {
        await attempt { () async throws(Refusal) in try await self.parley.delete(event) }
    }

    public func newEvent() -> NewEventModel { NewEventModel(parley, words: words) }
}

/// An event as it is shown.
public struct EventRow: Identifiable, Hashable, Sendable {
    public let id: EventID
    public let title: String
    public let when: String
    public let place: String
    public let notes: String
    /// My answer; pending: I have given none.
    public let answer: Event.Answer
    /// "3 people come, 1 person may come".
    public let counts: String
    public let isHost: Bool
    public let isAskedToHost: Bool
    public let isCancelled: Bool
    /// Whether the server does not have it yet.
    public let isPending: Bool
    /// All of it, for VoiceOver.
    public let label: String

    init(_ event: Event, _ words: Words) {
        (id, title, place, notes) = (event.id, event.title, event.location, event.notes)
        when = Self.when(event, words) + (event.recurrence == nil ? "" : ", repeats")
        (answer, isHost, isAskedToHost) = (event.answer, event.isHost, event.isAskedToHost)
        (isCancelled, isPending) = (event.isCancelled, event.syncStatus == .pending)
        let maybe = words.count(event.tentative, "person may come", "people may come")
        let coming = words.count(event.coming, "person comes", "people come")
        counts = event.tentative == 0 ? coming : "\(coming), \(maybe)"
        let states = [isCancelled ? "cancelled" : "", title, when, place, answer.said, counts]
        label = states.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func when(_ event: Event, _ words: Words) -> String {
        event.time == nil ? words.day(event.day(words)) : words.dayAndTime(event.startsAt)
    }
}

extension Event {
    /// Midnight of its first day where the reader is: of whole days it begins at midnight UTC.
    fileprivate func day(_ words: Words) -> Date {
        guard time == nil else { return startsAt }
        var utc = words.calendar
        utc.timeZone = .gmt
        return words.calendar.date(from: utc.dateComponents([.year, .month, .day], from: startsAt)) ?? startsAt
    }

    fileprivate func isPast(at now: Date, _ words: Words) -> Bool {
        guard recurrence == nil else { return isCancelled }
        let length = time == nil ? max(minutes, 1440) : minutes
        return day(words).addingTimeInterval(Double(length) * 60) < now
    }
}

extension Event.Answer {
    /// What the buttons offer.
    public static let offered: [Self] = [.accepted, .tentative, .declined]

    /// On a button.
    public var title: String {
        switch self {
        case .accepted: "Yes"
        case .tentative: "Maybe"
        case .declined: "No"
        case .pending: "Later"
        }
    }

    /// What I said.
    public var said: String {
        switch self {
        case .accepted: "You come"
        case .tentative: "You may come"
        case .declined: "You do not come"
        case .pending: "Do you come?"
        }
    }
}
