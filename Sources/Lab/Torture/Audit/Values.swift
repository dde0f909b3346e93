/// A value that requests set, each replacing the value before it: the text of a message, a star, a block.
public struct ValueFact: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The text of a message; ``ValueFact/deleted`` once it is deleted.
        case text
        /// Whether a person has reacted to a message with an emoji.
        case reaction
        /// Whether a person has starred a message.
        case star
        /// Whether a person has pinned or muted a conversation.
        case pin, mute
        /// Whether a person has blocked another.
        case block
        /// What a person says of themselves, and from whom they hide.
        case availability, hiding
    }

    /// What the value belongs to. Parts that the kind does not need are empty or zero.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        public var kind: Kind
        /// The person whose value it is; empty for a text, which is the same for all.
        public var user = ""
        public var conversation = ""
        public var seq: Int64 = 0
        /// The emoji of a reaction, the person who is blocked.
        public var object = ""

        public init(
            _ kind: Kind, of user: String = "", in conversation: String = "", seq: Int64 = 0, object: String = ""
        ) {
            (self.kind, self.user, self.conversation) = (kind, user, conversation)
            (self.seq, self.object) = (seq, object)
        }

        public var description: String {
            let place = [conversation, seq == 0 ? "" : "seq \(seq)", object].filter { !$0.isEmpty }
            return "the \(kind)\(user.isEmpty ? "" : " of \(user)") at \(place.joined(separator: " "))"
        }
    }

    /// A request that sets the value.
    public struct Write: Hashable, Sendable {
        public var by: String
        public var value: String
        public var span: Span
        /// With the value that the reply reports.
        public var outcome: Outcome<String>
        /// Whether it breaks a rule.
        public var mustBeRefused: Bool

        public init(
            by: String, _ value: String, _ span: Span, _ outcome: Outcome<String>, mustBeRefused: Bool = false
        ) {
            (self.by, self.value, self.span, self.outcome) = (by, value, span, outcome)
            self.mustBeRefused = mustBeRefused
        }

        var isRefused: Bool { if case .refused = outcome { true } else { false } }
    }

    /// The value of a deleted message's text. Nothing replaces it.
    public static let deleted = "(deleted)"
    public static let yes = "yes"
    public static let no = "no"

    public var name: Name
    /// The id of the message whose text it is; empty for other kinds.
    public var message: String
    public var writes: [Write]
    /// The value before the first request.
    fileprivate(set) var initial = ValueFact.no

    public init(_ name: Name, message: String = "", _ writes: [Write] = []) {
        (self.name, self.message, self.writes) = (name, message, writes)
    }

    /// The values that it may have had at some time within a span, as far as the replies tell.
    ///
    /// A later value replaces an earlier one for certain if its request began after the reply to the earlier one. A
    /// request without a reply may take effect at any later time.
    func values(within span: Span) -> Set<String> {
        let settled = writes.filter { $0.outcome.reply != nil && $0.span.ended < span.began }
        if settled.contains(where: { $0.value == Self.deleted }) { return [Self.deleted] }
        var values: Set<String> = settled.isEmpty ? [initial] : []
        for write in writes where !write.isRefused && write.span.began <= span.ended {
            let isReplaced =
                write.outcome.reply != nil && settled.contains { $0.span.began > write.span.ended }
            if !isReplaced { values.insert(write.value) }
        }
        return values
    }

    /// All values that it may have had at any time.
    var valuesEver: Set<String> { Set([initial] + writes.filter { !$0.isRefused }.map(\.value)) }

    /// The values that it may have after everything has ended.
    var lastValues: Set<String> { values(within: Span(.max, .max)) }
}

/// How far a person has read a conversation. It only grows.
public struct ReadMarkFact: Hashable, Sendable {
    public var user: String
    public var conversation: String
    /// The largest seq whose mark was acknowledged, and the largest that was requested.
    public var acknowledged: Int64
    public var requested: Int64

    public init(user: String, conversation: String, acknowledged: Int64, requested: Int64) {
        (self.user, self.conversation) = (user, conversation)
        (self.acknowledged, self.requested) = (acknowledged, requested)
    }
}

/// An acknowledged acceptance of a message request.
public struct AcceptedRequest: Hashable, Sendable {
    public var conversation: String
    public var users: [String]

    public init(conversation: String, users: [String]) { (self.conversation, self.users) = (conversation, users) }
}

/// The file of a message, as a new device downloaded it.
public struct DownloadFact: Hashable, Sendable {
    public var reader: String
    /// The id of the message.
    public var message: String
    /// Whether it has the bytes that were sent.
    public var isSame: Bool
    /// The code of the refusal, if it could not be read.
    public var refusal: String?

    public init(reader: String, message: String, isSame: Bool, refusal: String? = nil) {
        (self.reader, self.message, self.isSame, self.refusal) = (reader, message, isSame, refusal)
    }
}

/// All values of a run by name.
struct Values {
    let all: [ValueFact]
    private let byName: [ValueFact.Name: ValueFact]
    /// The messages whose text or reactions may have changed.
    private let changed: Set<MessageName>

    struct MessageName: Hashable {
        var conversation: String
        var seq: Int64
    }

    init(_ facts: Facts) {
        let texts = Dictionary(facts.sends.map { ($0.id, $0.text) }, uniquingKeysWith: { $1 })
        all = facts.values.map { fact in
            var fact = fact
            if fact.name.kind == .text { fact.initial = texts[fact.message] ?? "" }
            return fact
        }
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let changing = all.filter { fact in
            [.text, .reaction].contains(fact.name.kind) && fact.writes.contains { !$0.isRefused }
        }
        changed = Set(changing.map { MessageName(conversation: $0.name.conversation, seq: $0.name.seq) })
    }

    subscript(_ name: ValueFact.Name) -> ValueFact? { byName[name] }

    /// Whether the position of a message may have grown since it was sent: somebody changed it, or it shows an event,
    /// whose changes and end it announces.
    func isChanged(_ message: StoredMessage) -> Bool {
        changed.contains(MessageName(conversation: message.conversation, seq: message.seq))
            || message.isSystem && CardNote(text: message.text)?.kind == .event
    }

    /// Whether one of the two people may have had the other blocked within a span, and whether that is certain.
    func block(between first: String, _ second: String, within span: Span) -> (possible: Bool, certain: Bool) {
        let both = [(first, second), (second, first)].map { user, other in
            byName[.init(.block, of: user, object: other)]?.values(within: span) ?? [ValueFact.no]
        }
        return (both.contains { $0.contains(ValueFact.yes) }, both.contains([ValueFact.yes]))
    }

    /// Whether a block can explain that a request of a member was refused. Only direct conversations know blocks.
    func block(of user: String, in conversation: String, within span: Span) -> (possible: Bool, certain: Bool) {
        let users = conversation.split(separator: "_").map(String.init)
        guard users.count == 2, let other = users.first(where: { $0 != user }) else { return (false, false) }
        return block(between: user, other, within: span)
    }
}
