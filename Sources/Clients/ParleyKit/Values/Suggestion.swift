import Foundation
import ParleyClient

/// What a message seems to say, for me alone until I accept it.
///
///     for suggestion in parley.suggestions {
///         switch suggestion.content {
///         case .event(let date, let time, _, _, _): show("\(suggestion.title) on \(date) \(time ?? "")?")
///         case .reminder(let dueAt, _): show("Remind you of \(suggestion.title) at \(dueAt)?")
///         case .decision: show("Decided: \(suggestion.title)?")
///         }
///     }
public struct Suggestion: Identifiable, Hashable, Sendable, Codable {
    /// What accepting it makes.
    ///
    ///     for suggestion in parley.suggestions {
    ///         switch suggestion.content {
    ///         case .event(let date, let time, _, _, _): show("\(suggestion.title) on \(date) \(time ?? "")?")
    ///         case .reminder(let dueAt, _): show("Remind you of \(suggestion.title) at \(dueAt)?")
    ///         case .decision: show("Decided: \(suggestion.title)?")
    ///         }
    ///     }
    public enum Content: Hashable, Sendable, Codable {
        /// - Parameter time: nil: whole days from `date`.
        case event(date: String, time: String?, timeZone: String, minutes: Int, location: String)
        case reminder(dueAt: Date, timeZone: String)
        case decision
    }

    public let id: SuggestionID
    /// What it is about. Of a decision: what was decided.
    public var title: String
    public var content: Content
    /// Where the message is.
    public var conversation: ConversationID
    public var message: MessageID
    /// The number of the message in its conversation.
    public var seq: Int64
    /// Whether another member has made an event of the message. Accepting answers it.
    public var isAnswer: Bool
    public var createdAt: Date
    /// When it ends.
    public var expiresAt: Date
    public var syncStatus: SyncStatus

    /// Creates a suggestion, for previews and tests.
    public init(
        id: SuggestionID = .init(), title: String, content: Content, conversation: ConversationID,
        message: MessageID = .init(), seq: Int64 = 1, isAnswer: Bool = false, createdAt: Date = .now,
        expiresAt: Date = .distantFuture
    ) {
        (self.id, self.title, self.content, self.conversation) = (id, title, content, conversation)
        (self.message, self.seq, self.isAnswer) = (message, seq, isAnswer)
        (self.createdAt, self.expiresAt, syncStatus) = (createdAt, expiresAt, .synced)
    }

    init(_ suggestion: Parley_V1_Suggestion) {
        (id, title) = (SuggestionID(suggestion.id), suggestion.title)
        switch suggestion.kind {
        case .event:
            let when = suggestion.when
            content = .event(
                date: when.date, time: when.time.isEmpty ? nil : when.time, timeZone: when.timeZone,
                minutes: Int(when.durationMinutes), location: suggestion.location)
        case .reminder:
            content = .reminder(dueAt: Date(microseconds: suggestion.dueAtUs), timeZone: suggestion.timeZone)
        default: content = .decision
        }
        conversation = ConversationID(rawValue: suggestion.conversation)
        (message, seq) = (MessageID(suggestion.sourceMessage), suggestion.sourceSeq)
        isAnswer = !suggestion.entity.isEmpty
        createdAt = Date(microseconds: suggestion.createdAtUs)
        expiresAt = Date(microseconds: suggestion.expiresAtUs)
        syncStatus = .synced
    }
}

extension Parley {
    /// Makes what a suggestion says: an event, into which its conversation is invited, a reminder or a decision of
    /// mine. If another member made the event before, this answers it. The suggestion is gone at once; what it makes is
    /// shown once the server has it. If it refuses, the suggestion is back, and ``Unsent`` says why.
    /// - Parameters:
    ///   - title: in the place of the suggested one.
    ///   - content: in the place of the suggested one, which it has the kind of.
    ///   - isShared: whether the conversation sees the decision.
    ///   - answer: to an event that another member made (``Suggestion/isAnswer``).
    /// - Throws: `invalid` for a content of another kind.
    public func accept(
        _ suggestion: Suggestion, title: String? = nil, as content: Suggestion.Content? = nil, isShared: Bool = false,
        answer: Event.Answer = .accepted
    ) async throws(Refusal) {
        var request = Parley_V1_AcceptSuggestionRequest()
        (request.id, request.shared) = (suggestion.id.data, isShared)
        if let title { request.title = title }
        if suggestion.isAnswer { request.answer = answer.status }
        switch (suggestion.content, content) {
        case (_, nil), (.decision, .decision): break
        case (.event, .event(let date, let time, let zone, let minutes, let location)):
            (request.when.date, request.when.time) = (date, time ?? "")
            request.when.timeZone = time == nil ? "" : zone
            request.when.durationMinutes = UInt32(clamping: minutes)
            request.location = location
        case (.reminder, .reminder(let dueAt, let zone)):
            (request.dueAtUs, request.timeZone) = (dueAt.microseconds, zone)
        default:
            throw Refusal(
                .invalid, "A suggestion is accepted as what it suggests: an event, a reminder or a decision.",
                field: "content")
        }
        try await perform(request)
    }

    /// Dismisses a suggestion on all my devices. One that has ended stays so.
    public func dismiss(_ suggestion: Suggestion) async throws(Refusal) {
        try await perform(Parley_V1_DismissSuggestionRequest.with { $0.id = suggestion.id.data })
    }
}

extension Suggestion: ListedThing {
    var idData: Data { id.data }
    static var list: ReferenceWritableKeyPath<Parley, [Suggestion]> { \.suggestions }

    func hasEnded(at now: Date) -> Bool { expiresAt <= now }

    func precedes(_ other: Suggestion) -> Bool {
        createdAt == other.createdAt ? other.id < id : createdAt > other.createdAt
    }
}
