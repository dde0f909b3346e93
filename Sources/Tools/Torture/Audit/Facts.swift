/// A message as somebody was told of it.
public struct StoredMessage: Hashable, Sendable, CustomStringConvertible {
    public var conversation: String
    public var seq: Int64
    public var position: Int64
    /// Hexadecimal.
    public var id: String
    /// User id; empty for system messages.
    public var sender: String
    public var text: String
    public var sentAt: Int64

    public init(
        conversation: String, seq: Int64, position: Int64, id: String, sender: String, text: String, sentAt: Int64
    ) {
        (self.conversation, self.seq, self.position, self.id) = (conversation, seq, position, id)
        (self.sender, self.text, self.sentAt) = (sender, text, sentAt)
    }

    public var isSystem: Bool { sender.isEmpty }

    public var description: String {
        let shown = text.count > 40 ? "\(text.prefix(40))… (\(text.utf8.count) bytes)" : text
        return "\(conversation) seq \(seq) position \(position) id \(id) of \(sender) at \(sentAt) “\(shown)”"
    }
}

/// A span of time, in microseconds from the beginning of the run.
public struct Span: Hashable, Sendable {
    public var began: Int64
    public var ended: Int64

    public init(_ began: Int64, _ ended: Int64) { (self.began, self.ended) = (began, ended) }
}

/// How a request ended.
public enum Outcome<Reply: Hashable & Sendable>: Hashable, Sendable {
    case accepted(Reply)
    /// A definite no: it must not have taken effect.
    case refused(String)
    /// It may have taken effect: `unavailable`, `deadline`, a lost link.
    case unknown(String)

    public var reply: Reply? { if case .accepted(let reply) = self { reply } else { nil } }
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// A message somebody tried to send, once or several times under the same id.
public struct SendFact: Hashable, Sendable {
    public struct Reply: Hashable, Sendable {
        public var seq: Int64
        public var position: Int64
        public var sentAt: Int64
        public var isDuplicate: Bool

        public init(seq: Int64, position: Int64, sentAt: Int64, isDuplicate: Bool) {
            (self.seq, self.position, self.sentAt, self.isDuplicate) = (seq, position, sentAt, isDuplicate)
        }
    }

    public struct Attempt: Hashable, Sendable {
        public var span: Span
        public var outcome: Outcome<Reply>

        public init(_ span: Span, _ outcome: Outcome<Reply>) { (self.span, self.outcome) = (span, outcome) }
    }

    public var id: String
    public var conversation: String
    public var sender: String
    public var text: String
    public var attempts: [Attempt]
    /// It breaks a rule: nothing but a refusal is right.
    public var mustBeRefused = false

    public init(
        id: String, conversation: String, sender: String, text: String, attempts: [Attempt],
        mustBeRefused: Bool = false
    ) {
        (self.id, self.conversation, self.sender, self.text) = (id, conversation, sender, text)
        (self.attempts, self.mustBeRefused) = (attempts, mustBeRefused)
    }

    public var replies: [Reply] { attempts.compactMap(\.outcome.reply) }
    /// From the first attempt's beginning to the first acknowledgement; nil when there was none.
    public var acknowledged: Span? {
        let ended = attempts.filter { $0.outcome.reply != nil }.map(\.span.ended).min()
        return ended.flatMap { ended in attempts.map(\.span.began).min().map { Span($0, ended) } }
    }
    /// When it was stored, if it was; nil: nobody tried. Without an acknowledgement it may be at any time.
    var storedWithin: Span? { acknowledged ?? attempts.map(\.span.began).min().map { Span($0, .max) } }
}

/// Somebody became a member of a conversation, or ceased to be one; perhaps.
public struct MembershipFact: Hashable, Sendable {
    public var conversation: String
    public var user: String
    public var joins: Bool
    public var span: Span
    /// False: no answer came.
    public var isCertain: Bool
    /// Who did it, perhaps the person; nil: they are there from the beginning, of which no note tells.
    public var by: String?

    public init(conversation: String, user: String, joins: Bool, span: Span, isCertain: Bool, by: String? = nil) {
        (self.conversation, self.user, self.joins) = (conversation, user, joins)
        (self.span, self.isCertain, self.by) = (span, isCertain, by)
    }
}

/// A conversation's whole history, as a member who signed in anew after the load read it.
public struct HistoryFact: Hashable, Sendable {
    public var reader: String
    public var conversation: String
    public var messages: [StoredMessage]
    /// The newest seq, as the server told.
    public var lastSeq: Int64
    /// The code it was refused with, instead.
    public var refusal: String?

    public init(
        reader: String, conversation: String, messages: [StoredMessage], lastSeq: Int64, refusal: String? = nil
    ) {
        (self.reader, self.conversation, self.messages) = (reader, conversation, messages)
        (self.lastSeq, self.refusal) = (lastSeq, refusal)
    }
}

/// A number that can only grow, as somebody read it.
public struct Reading: Hashable, Sendable {
    /// What it is of: a stream, or a person's view of one.
    public var of: String
    public var value: Int64
    public var span: Span

    public init(of: String, value: Int64, span: Span) { (self.of, self.value, self.span) = (of, value, span) }
}

/// All a client holds, as text that can be compared and shown.
public struct ClientState: Hashable, Sendable {
    /// By conversation id.
    public var conversations: [String: String] = [:]
    public var messages: [String: [StoredMessage]] = [:]
    /// By reminder id.
    public var reminders: [String: String] = [:]

    public init() {}
}

/// A client that has been there all the time, and what it holds in the end.
public struct KeptFact: Hashable, Sendable {
    public var client: String
    public var user: String
    public var state: ClientState
    /// Why it stopped; nil: it did not.
    public var stoppedBy: String?

    public init(client: String, user: String, state: ClientState, stoppedBy: String? = nil) {
        (self.client, self.user, self.state, self.stoppedBy) = (client, user, state, stoppedBy)
    }
}

/// A conversation that was acknowledged, with those who are in it from its beginning.
public struct ConversationFact: Hashable, Sendable {
    public var id: String
    public var users: [String]
    public var span: Span

    public init(id: String, users: [String], span: Span) { (self.id, self.users, self.span) = (id, users, span) }
}

/// A reminder somebody tried to make, and what became of it.
public struct ReminderFact: Hashable, Sendable {
    public var id: String
    public var user: String
    public var title: String
    public var creation: Outcome<Bool>
    /// What it was set to last, when that is certain; nil: either may be.
    public var isCompleted: Bool?

    public init(id: String, user: String, title: String, creation: Outcome<Bool>, isCompleted: Bool?) {
        (self.id, self.user, self.title) = (id, user, title)
        (self.creation, self.isCompleted) = (creation, isCompleted)
    }
}

/// A device whose end was acknowledged.
public struct DeviceFact: Hashable, Sendable {
    public var device: String
    /// Its session ended within the time allowed.
    public var isClosed: Bool
    /// What a hello with its token was answered by, in the end; nil: it was let in.
    public var refusal: String?

    public init(device: String, isClosed: Bool, refusal: String?) {
        (self.device, self.isClosed, self.refusal) = (device, isClosed, refusal)
    }
}

/// How a process fared.
public struct ProcessFact: Hashable, Sendable {
    public var name: String
    /// How often it was ended by the schedule.
    public var kills: Int
    /// How often it died and was started again.
    public var restarts: Int
    public var residentKiBMax: Int
    public var residentKiBAllowed: Int
    /// Lines of its log that no process may write.
    public var alarms: [String]

    public init(
        name: String, kills: Int, restarts: Int, residentKiBMax: Int, residentKiBAllowed: Int, alarms: [String]
    ) {
        (self.name, self.kills, self.restarts) = (name, kills, restarts)
        (self.residentKiBMax, self.residentKiBAllowed) = (residentKiBMax, residentKiBAllowed)
        self.alarms = alarms
    }
}

/// Everything that is known of a run when it is over: what the audit judges.
public struct Facts: Sendable {
    public var sends: [SendFact] = []
    public var conversations: [ConversationFact] = []
    public var memberships: [MembershipFact] = []
    public var histories: [HistoryFact] = []
    /// Messages that anybody was told of at any time, by Update or page; each different one once.
    public var announced: Set<StoredMessage> = []
    public var readings: [Reading] = []
    public var kept: [KeptFact] = []
    /// By user: what a client holds that signed in anew after the load.
    public var fresh: [String: ClientState] = [:]
    public var reminders: [ReminderFact] = []
    public var devices: [DeviceFact] = []
    public var processes: [ProcessFact] = []
    /// Users registered with an acknowledgement.
    public var accounts: Set<String> = []
    /// What was done to the cluster and really took place.
    public var faults: [FaultKind: Int] = [:]
    /// What already went wrong while it ran or was read.
    public var troubles: [String] = []

    public init() {}
}
