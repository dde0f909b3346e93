import Foundation
import Observation
import ParleyKit

/// What messages suggest to me: events, reminders and decisions, which come to be when I accept them.
@MainActor
@Observable
public final class SuggestionsModel: Acting, Identifiable {
    /// A suggestion as it is shown.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: SuggestionID
        /// "Event", "Reminder", "Decision".
        public let kind: String
        /// An SF Symbol.
        public let symbol: String
        public let title: String
        /// When and where; empty: it has neither.
        public let detail: String
        /// What accepting it does, on a button.
        public let accept: String
        /// Where the message is.
        public let conversation: ConversationID
        public let seq: Int64
        /// All of it, for VoiceOver.
        public let label: String
    }

    public var problem: Refusal?
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, words: Words = Words()) { (self.parley, self.words) = (parley, words) }

    public var rows: [Row] { parley.suggestions.map(row) }

    public func accept(_ id: SuggestionID) async {
        await act(on: id) { suggestion async throws(Refusal) in try await self.parley.accept(suggestion) }
    }

    public func dismiss(_ id: SuggestionID) async {
        await act(on: id) { suggestion async throws(Refusal) in try await self.parley.dismiss(suggestion) }
    }

    private func act(on id: SuggestionID, _ body: (Suggestion) async throws(Refusal) -> Void) async {
        guard let suggestion = parley.suggestions.first(where: { $0.id == id }) else { return }
        await attempt { () async throws(Refusal) in try await body(suggestion) }
    }

    private func row(_ suggestion: Suggestion) -> Row {
        let (kind, symbol, detail): (String, String, String) =
            switch suggestion.content {
            case .event(let date, let time, let zone, _, let location):
                (
                    "Event", "calendar",
                    [when(date, time, zone), location].filter { !$0.isEmpty }.joined(separator: ", ")
                )
            case .reminder(let dueAt, _): ("Reminder", "bell", words.dayAndTime(dueAt))
            case .decision: ("Decision", "checkmark.seal", "")
            }
        let parts = [kind, suggestion.title, detail].filter { !$0.isEmpty }
        return Row(
            id: suggestion.id, kind: kind, symbol: symbol, title: suggestion.title, detail: detail,
            accept: suggestion.isAnswer ? "Accept" : "Add", conversation: suggestion.conversation, seq: suggestion.seq,
            label: parts.joined(separator: ", "))
    }

    private func when(_ date: String, _ time: String?, _ zone: String) -> String {
        // An event of these values says when it begins.
        let zone = TimeZone(identifier: zone) ?? words.calendar.timeZone
        let event = Event(creator: UserID(rawValue: ""), title: "", on: date, at: time, in: zone)
        return EventRow(event, words).when
    }
}
