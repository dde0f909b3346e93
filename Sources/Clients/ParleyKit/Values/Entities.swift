import Foundation
import ParleyClient

/// Something to be reminded of, seen only by the person who made it.
///
///     let reminder = try await parley.addReminder("Buy tickets", dueAt: .now + 3600)
///     try await parley.update(reminder, title: "Buy two tickets")
///     try await parley.complete(reminder)
public struct Reminder: Identifiable, Hashable, Sendable, Codable {
    public let id: ReminderID
    public var title: String
    /// When it fires.
    public var dueAt: Date
    /// The zone in which the time was meant: "Europe/Zurich".
    public var timeZone: String
    public var isCompleted: Bool
    /// When it fired; nil: not yet.
    public var firedAt: Date?
    public var createdAt: Date
    /// The conversation that it came from.
    public var conversation: ConversationID?
    /// The message that it came from.
    public var message: MessageID?
    public var syncStatus: SyncStatus

    /// Creates a reminder, for previews and tests.
    public init(
        id: ReminderID = .init(), title: String, dueAt: Date, timeZone: String = TimeZone.current.identifier,
        isCompleted: Bool = false
    ) {
        self.init(
            .with {
                ($0.id, $0.title, $0.dueAtUs) = (id.data, title, dueAt.microseconds)
                ($0.timeZone, $0.completed, $0.createdAtUs) = (timeZone, isCompleted, Date.now.microseconds)
            })
    }

    init(_ reminder: Parley_V1_Reminder) {
        (id, title) = (ReminderID(reminder.id), reminder.title)
        (dueAt, timeZone) = (Date(microseconds: reminder.dueAtUs), reminder.timeZone)
        (isCompleted, firedAt) = (reminder.completed, Date(set: reminder.firedAtUs))
        createdAt = Date(microseconds: reminder.createdAtUs)
        conversation = reminder.conversation.isEmpty ? nil : ConversationID(rawValue: reminder.conversation)
        message = reminder.sourceMessage.isEmpty ? nil : MessageID(reminder.sourceMessage)
        syncStatus = .synced
    }

    /// Creates a reminder that the server does not have yet.
    init(_ request: Parley_V1_CreateReminderRequest, at time: Date, _ status: SyncStatus) {
        self.init(
            .with {
                ($0.id, $0.title, $0.dueAtUs) = (request.id, request.title, request.dueAtUs)
                ($0.timeZone, $0.conversation) = (request.timeZone, request.conversation)
                $0.sourceMessage = request.sourceMessage
            })
        (createdAt, syncStatus) = (time, status)
    }
}

/// What was decided: for the person who recorded it, or shared with a conversation.
///
///     let decision = try await parley.addDecision("We take the train", in: id, isShared: true)
///     try await parley.addDecision("We take the bus", in: id, isShared: true, replacing: decision)
public struct Decision: Identifiable, Hashable, Sendable, Codable {
    public let id: DecisionID
    public var author: UserID
    public var text: String
    public var isShared: Bool
    public var createdAt: Date
    /// Where it was decided.
    public var conversation: ConversationID?
    /// The message that it came from.
    public var message: MessageID?
    /// The earlier decision that it replaces.
    public var supersedes: DecisionID?
    /// The later decision that replaces it; nil: it holds.
    public var supersededBy: DecisionID?
    public var syncStatus: SyncStatus

    /// Creates a decision, for previews and tests.
    public init(
        id: DecisionID = .init(), author: UserID, text: String, isShared: Bool = false,
        conversation: ConversationID? = nil
    ) {
        self.init(
            .with {
                ($0.id, $0.user, $0.text, $0.shared) = (id.data, author.rawValue, text, isShared)
                ($0.conversation, $0.createdAtUs) = (conversation?.rawValue ?? "", Date.now.microseconds)
            })
    }

    init(_ decision: Parley_V1_Decision) {
        (id, author, text) = (DecisionID(decision.id), UserID(rawValue: decision.user), decision.text)
        (isShared, createdAt) = (decision.shared, Date(microseconds: decision.createdAtUs))
        conversation = decision.conversation.isEmpty ? nil : ConversationID(rawValue: decision.conversation)
        message = decision.sourceMessage.isEmpty ? nil : MessageID(decision.sourceMessage)
        supersedes = decision.supersedes.isEmpty ? nil : DecisionID(decision.supersedes)
        supersededBy = decision.supersededBy.isEmpty ? nil : DecisionID(decision.supersededBy)
        syncStatus = .synced
    }

    /// Creates a decision that the server does not have yet.
    init(_ request: Parley_V1_CreateDecisionRequest, by me: UserID, at time: Date, _ status: SyncStatus) {
        self.init(
            .with {
                ($0.id, $0.user, $0.text) = (request.id, me.rawValue, request.text)
                ($0.conversation, $0.shared) = (request.conversation, request.shared)
                ($0.sourceMessage, $0.supersedes) = (request.sourceMessage, request.supersedes)
            })
        (createdAt, syncStatus) = (time, status)
    }
}

extension Reminder: ListedThing {
    var idData: Data { id.data }
    static var list: ReferenceWritableKeyPath<Parley, [Reminder]> { \.reminders }

    func precedes(_ other: Reminder) -> Bool { dueAt == other.dueAt ? id < other.id : dueAt < other.dueAt }
}

extension Decision: ListedThing {
    var idData: Data { id.data }
    static var list: ReferenceWritableKeyPath<Parley, [Decision]> { \.decisions }

    func precedes(_ other: Decision) -> Bool {
        createdAt == other.createdAt ? other.id < id : createdAt > other.createdAt
    }

    static func listChanged(from before: [Decision], in parley: Parley) {
        parley.cards.decisions.listChanged(from: before, in: parley)
    }
}
