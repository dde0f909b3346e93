/// A message as it was delivered or read, without the reader's own state of it.
public struct StoredMessage: Hashable, Sendable, CustomStringConvertible {
    public var conversation: String
    public var seq: Int64
    /// The position of its last change.
    public var position: Int64
    /// The id in hexadecimal digits.
    public var id: String
    /// The sender's user id; empty for system messages.
    public var sender: String
    /// With a description of its file.
    public var text: String
    public var sentAt: Int64
    public var isDeleted = false
    public var editedAt: Int64 = 0
    /// The number of reactions by emoji.
    public var reactions: [String: Int64] = [:]

    public init(
        conversation: String, seq: Int64, position: Int64, id: String, sender: String, text: String, sentAt: Int64
    ) {
        (self.conversation, self.seq, self.position, self.id) = (conversation, seq, position, id)
        (self.sender, self.text, self.sentAt) = (sender, text, sentAt)
    }

    public var isSystem: Bool { sender.isEmpty }
    /// Names the message in ``ClientState/own``.
    public var key: String { "\(conversation) seq \(seq)" }

    /// The parts that never change.
    public var identity: StoredMessage {
        StoredMessage(
            conversation: conversation, seq: seq, position: 0, id: id, sender: sender, text: "", sentAt: sentAt)
    }

    public var description: String {
        let shown = text.count > 40 ? "\(text.prefix(40))… (\(text.utf8.count) bytes)" : text
        let counts = reactions.sorted { $0.key < $1.key }.map { " \($0.value) × \($0.key)" }.joined()
        let edited = editedAt == 0 ? "" : " edited at \(editedAt)"
        return "\(conversation) seq \(seq) position \(position) id \(id) by \(sender) at \(sentAt) "
            + (isDeleted ? "deleted" : "“\(shown)”\(edited)\(counts)")
    }
}

/// A conversation that a permanent device had to read anew.
public struct StartOverFact: Hashable, Sendable {
    public var conversation: String
    public var user: String
    public var device: String

    public init(conversation: String, user: String, device: String) {
        (self.conversation, self.user, self.device) = (conversation, user, device)
    }
}

/// A span of time in microseconds since the start of the run.
public struct Span: Hashable, Sendable {
    public var began: Int64
    public var ended: Int64

    public init(_ began: Int64, _ ended: Int64) { (self.began, self.ended) = (began, ended) }
}

/// How a request ended.
public enum Outcome<Reply: Hashable & Sendable>: Hashable, Sendable {
    case accepted(Reply)
    /// Refused for certain. It must not have taken effect.
    case refused(String)
    /// It may have taken effect: `unavailable`, `deadline`, a lost link.
    case unknown(String)

    public var reply: Reply? { if case .accepted(let reply) = self { reply } else { nil } }
    public var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// A message that a person tried to send, once or several times with the same id.
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
    /// Whether it breaks a rule, so that every attempt must be refused.
    public var mustBeRefused = false

    public init(
        id: String, conversation: String, sender: String, text: String, attempts: [Attempt],
        mustBeRefused: Bool = false
    ) {
        (self.id, self.conversation, self.sender, self.text) = (id, conversation, sender, text)
        (self.attempts, self.mustBeRefused) = (attempts, mustBeRefused)
    }

    public var replies: [Reply] { attempts.compactMap(\.outcome.reply) }
    /// The span from the start of the first attempt to the first acknowledgement; nil if there was none.
    public var acknowledged: Span? {
        let ended = attempts.filter { $0.outcome.reply != nil }.map(\.span.ended).min()
        return ended.flatMap { ended in attempts.map(\.span.began).min().map { Span($0, ended) } }
    }
    /// The span in which it was stored, if it was; open-ended without an acknowledgement, nil without an attempt.
    var storedWithin: Span? { acknowledged ?? attempts.map(\.span.began).min().map { Span($0, .max) } }
}

/// A person joined or left a conversation, or may have done so.
public struct MembershipFact: Hashable, Sendable {
    public var conversation: String
    public var user: String
    public var joins: Bool
    public var span: Span
    /// Whether a reply confirmed it.
    public var isCertain: Bool
    /// The user who did it, perhaps the person; nil for an initial member, since there is no note about that.
    public var by: String?

    public init(conversation: String, user: String, joins: Bool, span: Span, isCertain: Bool, by: String? = nil) {
        (self.conversation, self.user, self.joins) = (conversation, user, joins)
        (self.span, self.isCertain, self.by) = (span, isCertain, by)
    }
}

/// A conversation's whole history, as a member's new device read it after the load.
public struct HistoryFact: Hashable, Sendable {
    public var reader: String
    public var conversation: String
    public var messages: [StoredMessage]
    /// The newest seq that the server reported.
    public var lastSeq: Int64
    /// The code of the refusal, if it could not be read.
    public var refusal: String?

    public init(
        reader: String, conversation: String, messages: [StoredMessage], lastSeq: Int64, refusal: String? = nil
    ) {
        (self.reader, self.conversation, self.messages) = (reader, conversation, messages)
        (self.lastSeq, self.refusal) = (lastSeq, refusal)
    }
}

/// A reading of a number that must never decrease.
public struct Reading: Hashable, Sendable {
    /// The name of a stream, or of a person's view of one.
    public var of: String
    public var value: Int64
    public var span: Span

    public init(of: String, value: Int64, span: Span) { (self.of, self.value, self.span) = (of, value, span) }
}

/// Everything a client holds, as text to compare and print.
public struct ClientState: Hashable, Sendable {
    /// By conversation id.
    public var conversations: [String: String] = [:]
    public var messages: [String: [StoredMessage]] = [:]
    /// By reminder id.
    public var reminders: [String: String] = [:]
    /// The person's own decisions that are not deleted, by id.
    public var decisions: [String: Decision] = [:]
    /// The events that the person created or answered, and that are not deleted, by id.
    public var events: [String: Event] = [:]
    /// The person's state of messages that have one, by ``StoredMessage/key``.
    public var own: [String: Own] = [:]
    /// The person's state of conversations that have one, by conversation id.
    public var inbox: [String: Inbox] = [:]
    /// The ids of the people whom the person blocked. Only new clients read them.
    public var blocked: Set<String> = []
    /// What the person says of themselves, and from whom they hide, as the server answered at the very end.
    public var availability = ValueFact.no
    public var hiding = ValueFact.no

    public init() {}

    /// A person's private state of a message.
    public struct Own: Hashable, Sendable {
        public var isStarred = false
        public var reactions: Set<String> = []

        public init(isStarred: Bool = false, reactions: Set<String> = []) {
            (self.isStarred, self.reactions) = (isStarred, reactions)
        }
    }

    public struct Decision: Hashable, Sendable {
        public var text: String
        public var conversation: String
        public var isShared = false
        /// The id of the earlier decision that it replaces; empty: none.
        public var supersedes = ""
        /// The id of the later decision that replaces it; empty: it holds.
        public var supersededBy = ""
        public var position: Int64 = 0

        public init(text: String, conversation: String = "") { (self.text, self.conversation) = (text, conversation) }
    }

    public struct Event: Hashable, Sendable {
        public var title: String
        public var isCancelled = false
        /// The person's answer; nil if it is open.
        public var own: EventFact.Answer?
        public var accepted = 0
        public var tentative = 0
        public var coming = 0
        public var position: Int64 = 0

        public init(title: String) { self.title = title }
    }

    /// A person's private state of a conversation.
    public struct Inbox: Hashable, Sendable {
        public var readSeq: Int64 = 0
        public var isPinned = false
        public var isMuted = false

        public init(readSeq: Int64 = 0, isPinned: Bool = false, isMuted: Bool = false) {
            (self.readSeq, self.isPinned, self.isMuted) = (readSeq, isPinned, isMuted)
        }
    }
}

/// A permanent client, and what it holds at the end.
public struct KeptFact: Hashable, Sendable {
    public var client: String
    public var user: String
    public var state: ClientState
    /// The reason why it stopped; nil if it did not.
    public var stoppedBy: String?

    public init(client: String, user: String, state: ClientState, stoppedBy: String? = nil) {
        (self.client, self.user, self.state, self.stoppedBy) = (client, user, state, stoppedBy)
    }
}

/// A conversation whose creation was acknowledged, with its initial members.
public struct ConversationFact: Hashable, Sendable {
    public var id: String
    public var users: [String]
    public var span: Span

    public init(id: String, users: [String], span: Span) { (self.id, self.users, self.span) = (id, users, span) }
}

/// A reminder that a person tried to create, and the outcome.
public struct ReminderFact: Hashable, Sendable {
    public var id: String
    public var user: String
    public var title: String
    public var creation: Outcome<Bool>
    /// The value that was set last; nil if that is uncertain.
    public var isCompleted: Bool?
    /// Whether its time comes during the run.
    public var isDue: Bool

    public init(
        id: String, user: String, title: String, creation: Outcome<Bool>, isCompleted: Bool?, isDue: Bool = false
    ) {
        (self.id, self.user, self.title) = (id, user, title)
        (self.creation, self.isCompleted, self.isDue) = (creation, isCompleted, isDue)
    }
}

/// Something that a person tried to create, once or several times with the same id.
public protocol Attempted {
    var creation: Outcome<Bool> { get set }
    /// From the beginning of the first attempt to the end of the last one.
    var span: Span { get set }
}

extension Attempted {
    /// Notes an attempt to create it. A refusal after an attempt of unknown outcome says nothing about that one.
    mutating func note(_ outcome: Outcome<Bool>, _ span: Span) {
        let isFirst = self.span.began == .max
        self.span = Span(min(self.span.began, span.began), max(self.span.ended, span.ended))
        if case .refused = outcome, !isFirst, creation.isUnknown { return }
        creation = outcome
    }
}

/// A decision that a person tried to record, and the outcome.
public struct DecisionFact: Attempted, Hashable, Sendable {
    /// The id in hexadecimal digits.
    public var id: String
    public var user: String
    public var text: String
    /// Where it was decided; empty: in no conversation.
    public var conversation = ""
    public var isShared = false
    /// The id of the earlier decision that it replaces; empty: none.
    public var supersedes = ""
    public var creation = Outcome<Bool>.unknown("not asked")
    public var span = Span(.max, 0)
    /// Whether it was deleted; nil if that is uncertain.
    public var isDeleted: Bool? = false

    public init(id: String, user: String, text: String) { (self.id, self.user, self.text) = (id, user, text) }
}

/// A time in which the clock of a process was, or may have been, wrong.
public struct WrongClockFact: Hashable, Sendable {
    public var process: String
    public var span: Span

    public init(process: String, _ span: Span) { (self.process, self.span) = (process, span) }
}

/// A device whose sign-out was acknowledged.
public struct DeviceFact: Hashable, Sendable {
    public var device: String
    /// Whether its session ended in time.
    public var isClosed: Bool
    /// The codes with which its tokens were refused at the end; nil if one was accepted.
    public var refusal: String?

    public init(device: String, isClosed: Bool, refusal: String?) {
        (self.device, self.isClosed, self.refusal) = (device, isClosed, refusal)
    }
}

/// The kills, restarts, memory and log of a process.
public struct ProcessFact: Hashable, Sendable {
    public var name: String
    /// How often the schedule killed it.
    public var kills: Int
    /// How often it died and was restarted.
    public var restarts: Int
    public var residentKiBMax: Int
    public var residentKiBAllowed: Int
    /// Lines of its log that indicate a crash or corruption.
    public var alarms: [String]

    public init(
        name: String, kills: Int, restarts: Int, residentKiBMax: Int, residentKiBAllowed: Int, alarms: [String]
    ) {
        (self.name, self.kills, self.restarts) = (name, kills, restarts)
        (self.residentKiBMax, self.residentKiBAllowed) = (residentKiBMax, residentKiBAllowed)
        self.alarms = alarms
    }
}

/// Everything that is known about a run at its end. The input of ``Audit``.
public struct Facts: Sendable {
    public var sends: [SendFact] = []
    public var conversations: [ConversationFact] = []
    public var memberships: [MembershipFact] = []
    public var histories: [HistoryFact] = []
    /// The distinct messages that any client received during the run.
    public var announced: Set<StoredMessage> = []
    public var readings: [Reading] = []
    public var kept: [KeptFact] = []
    /// The state of a new client that signed in after the load, by user.
    public var fresh: [String: ClientState] = [:]
    public var reminders: [ReminderFact] = []
    public var decisions: [DecisionFact] = []
    public var events: [EventFact] = []
    public var answers: [AnswerFact] = []
    public var values: [ValueFact] = []
    public var readMarks: [ReadMarkFact] = []
    public var acceptedRequests: [AcceptedRequest] = []
    public var downloads: [DownloadFact] = []
    public var presence: [PresenceFact] = []
    public var typing: Set<TypingFact> = []
    public var finalTyping: [FinalTypingFact] = []
    /// The people with permanent devices, who hear each other type.
    public var listeners: [String] = []
    /// From when on nobody changed anything any more and no fault was left, in microseconds since the start of the
    /// run.
    public var quietFrom: Int64?
    /// What came to devices.
    public var pushes: [PushFact] = []
    /// By conversation: the person in it who is away during the whole run.
    public var absent: [String: String] = [:]
    /// Messages to people who had the app in front.
    public var inFront: [InFrontFact] = []
    /// When the clocks of processes were wrong.
    public var wrongClocks: [WrongClockFact] = []
    public var devices: [DeviceFact] = []
    public var processes: [ProcessFact] = []
    /// The users whose registration was acknowledged.
    public var accounts: Set<String> = []
    /// The number of injected faults by kind.
    public var faults: [FaultKind: Int] = [:]
    /// Why the load ended although it had done too little; nil if it had done enough.
    public var gaveUp: String?
    public var startsOver: [StartOverFact] = []
    /// Problems noticed during the run or while reading.
    public var troubles: [String] = []

    public init() {}
}
