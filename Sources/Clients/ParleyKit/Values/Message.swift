import Foundation
import ParleyClient

/// Whether the server has what an app shows.
///
///     switch message.syncStatus {
///     case .pending: show("…")
///     case .synced: show("")
///     case .failed(let refusal): show("Not sent: \(refusal.message)")
///     }
public enum SyncStatus: Hashable, Sendable, Codable {
    /// It was made on this device, and is on its way or waits for a connection.
    case pending
    /// The server has it.
    case synced
    /// The server refused it.
    case failed(Refusal)
}

/// How far a message of mine has come.
///
///     switch message.status {
///     case .sending: show("…")
///     case .sent: show("✓")
///     case .delivered: show("✓✓")
///     case .read: show("read")
///     case .failed(let refusal): show("Not sent: \(refusal.message)")
///     }
public enum DeliveryStatus: Hashable, Sendable, Codable {
    /// It waits for the server.
    case sending
    /// The server refused it.
    indirect case failed(Refusal)
    /// The server has stored it.
    case sent
    /// It reached a device of another member.
    case delivered
    /// Another member has read it.
    case read

    /// The statuses that the server knows only go up. ``sending`` and ``failed(_:)`` may take turns before.
    private var rank: Int {
        switch self {
        case .sending, .failed: 0
        case .sent: 1
        case .delivered: 2
        case .read: 3
        }
    }

    /// Returns the status after news of another one: news that are older than what is known change nothing.
    func advanced(to other: DeliveryStatus) -> DeliveryStatus {
        other.rank > rank || (other.rank == 0 && rank == 0) ? other : self
    }
}

/// A message in a conversation.
///
///     let message = try await chat.send("Hi")
///     show("\(message.text) \(message.sentAt)")
public struct Message: Identifiable, Hashable, Sendable, Codable {
    /// What kind of message it is.
    ///
    ///     switch message.kind {
    ///     case .text, .other: show(message.text)
    ///     case .image, .video, .file, .voice: show(message.attachment?.name ?? message.text)
    ///     case .system: show("something happened")
    ///     }
    public enum Kind: String, Hashable, Sendable, Codable {
        case text, image, video, file, voice
        /// Says what happened in the conversation: ``Message/note``.
        case system
        /// A kind that this version does not know. Show the text.
        case other
    }

    /// The conversation that starts with a message.
    ///
    ///     if let thread = message.thread { show("\(thread.replies) replies") }
    public struct Thread: Hashable, Sendable, Codable {
        /// How many replies there are that nobody deleted.
        public var replies: Int
        /// The number of the newest reply.
        public var lastSeq: Int64

        /// Creates the state of a thread, for previews and tests.
        public init(replies: Int, lastSeq: Int64) { (self.replies, self.lastSeq) = (replies, lastSeq) }
    }

    /// An emoji with which people reacted.
    ///
    ///     for reaction in message.reactions {
    ///         show("\(reaction.emoji) \(reaction.count)\(reaction.isMine ? ", you too" : "")")
    ///     }
    public struct Reaction: Hashable, Sendable, Identifiable, Codable {
        public var emoji: String
        public var count: Int
        /// Whether I am one of them.
        public var isMine: Bool

        public var id: String { emoji }

        /// Creates a reaction, for previews and tests.
        public init(emoji: String, count: Int = 1, isMine: Bool = false) {
            (self.emoji, self.count, self.isMine) = (emoji, count, isMine)
        }
    }

    public let id: MessageID
    public internal(set) var conversation: ConversationID
    /// Its number in the conversation, 1, 2, 3 …; nil while the server does not have it.
    public internal(set) var seq: Int64?
    /// Who wrote it; nil for a system message.
    public internal(set) var sender: UserID?
    public internal(set) var kind: Kind
    /// The text, or the caption of a file. Empty once the message is deleted.
    public internal(set) var text: String
    /// When the server accepted it, or when I wrote it.
    public internal(set) var sentAt: Date
    /// How far it has come, if it is mine. Messages of others are `sent`.
    public internal(set) var status: DeliveryStatus
    public internal(set) var isDeleted: Bool
    /// Whether I deleted it for myself.
    public internal(set) var isHidden: Bool
    /// Whether I starred it.
    public internal(set) var isStarred: Bool
    public internal(set) var editedAt: Date?
    /// When it disappears; nil: it stays.
    public internal(set) var expiresAt: Date?
    /// The number of the message that it answers.
    public internal(set) var replyTo: Int64?
    /// The people it mentions.
    public internal(set) var mentions: [UserID]
    /// In the order in which the emoji were first used.
    public internal(set) var reactions: [Reaction]
    private var rare: Rare?

    /// What few messages have. It is stored apart, so that all others stay small.
    private final class Rare: Hashable, Sendable, Codable {
        let thread: Thread?
        let threadStart: Int64?
        let attachment: Attachment?
        let note: SystemNote?
        let forwardedFrom: UserID?
        /// Whether the server has what I changed of it.
        let change: SyncStatus
        let progress: Double?

        private enum CodingKeys: String, CodingKey {
            case thread, threadStart, attachment, note, forwardedFrom, progress
            case change = "syncStatus"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            thread = try values.decodeIfPresent(Thread.self, forKey: .thread)
            threadStart = try values.decodeIfPresent(Int64.self, forKey: .threadStart)
            attachment = try values.decodeIfPresent(Attachment.self, forKey: .attachment)
            note = try values.decodeIfPresent(SystemNote.self, forKey: .note)
            forwardedFrom = try values.decodeIfPresent(UserID.self, forKey: .forwardedFrom)
            change = try values.decodeIfPresent(SyncStatus.self, forKey: .change) ?? .synced
            progress = try values.decodeIfPresent(Double.self, forKey: .progress)
        }

        var isEmpty: Bool {
            thread == nil && threadStart == nil && attachment == nil && note == nil && forwardedFrom == nil
                && change == .synced && progress == nil
        }

        /// That of a file which is not sent yet.
        init(_ attachment: Attachment, progress: Double?) {
            (self.attachment, self.progress, change) = (attachment, progress, .synced)
            (thread, threadStart, note, forwardedFrom) = (nil, nil, nil, nil)
        }

        /// Takes over what it was, with another change, or without its content.
        init(_ rare: Rare?, change: SyncStatus, hasContent: Bool) {
            (thread, threadStart, self.change) = (rare?.thread, rare?.threadStart, change)
            progress = hasContent ? rare?.progress : nil
            attachment = hasContent ? rare?.attachment : nil
            note = hasContent ? rare?.note : nil
            forwardedFrom = hasContent ? rare?.forwardedFrom : nil
        }

        init(_ message: Parley_V1_Message) {
            (change, progress) = (.synced, nil)
            thread =
                message.hasThread
                ? Thread(replies: Int(message.thread.replies), lastSeq: message.thread.lastSeq) : nil
            threadStart = message.threadSeq == 0 ? nil : message.threadSeq
            attachment = message.hasMedia ? Attachment(message.media) : nil
            note = message.hasSystem ? SystemNote(message.system) : nil
            forwardedFrom = message.forwardedFrom.isEmpty ? nil : UserID(rawValue: message.forwardedFrom)
        }

        static func == (one: Rare, other: Rare) -> Bool {
            one.thread == other.thread && one.threadStart == other.threadStart && one.attachment == other.attachment
                && one.note == other.note && one.forwardedFrom == other.forwardedFrom && one.change == other.change
                && one.progress == other.progress
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(thread)
            hasher.combine(attachment)
            hasher.combine(note)
        }
    }

    /// The state of the thread that it belongs to.
    public var thread: Thread? { rare?.thread }
    /// The number of the first message of its thread; nil if it is in no thread, or itself the first.
    public var threadStart: Int64? { rare?.threadStart }
    public var attachment: Attachment? { rare?.attachment }
    /// What happened, if this is a system message.
    public var note: SystemNote? { rare?.note }
    /// How much of its file the server has, from 0 to 1; nil: nothing of it is to be uploaded.
    public var progress: Double? { rare?.progress }
    /// The original author, if it was forwarded.
    public var forwardedFrom: UserID? { rare?.forwardedFrom }

    /// Whether the server has it, and what I changed of it.
    public var syncStatus: SyncStatus {
        switch status {
        case .sending: .pending
        case .failed(let refusal): .failed(refusal)
        case .sent, .delivered, .read: rare?.change ?? .synced
        }
    }

    mutating func setChange(_ change: SyncStatus) {
        if change != rare?.change ?? .synced { rare = Rare(rare, change: change, hasContent: true) }
    }

    /// Gets a file that is not sent yet.
    mutating func setFile(_ attachment: Attachment, progress: Double?) {
        rare = Rare(attachment, progress: progress)
    }

    /// Loses what a deleted message does not have.
    mutating func dropContent() {
        if let rare { self.rare = Rare(rare, change: rare.change, hasContent: false) }
    }

    private enum CodingKeys: String, CodingKey {
        case id, conversation, seq, sender, kind, text, sentAt, status, isDeleted, isHidden, isStarred, editedAt
        case expiresAt, replyTo, mentions, reactions
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(MessageID.self, forKey: .id)
        conversation = try values.decode(ConversationID.self, forKey: .conversation)
        seq = try values.decodeIfPresent(Int64.self, forKey: .seq)
        sender = try values.decodeIfPresent(UserID.self, forKey: .sender)
        kind = try values.decode(Kind.self, forKey: .kind)
        text = try values.decode(String.self, forKey: .text)
        sentAt = try values.decode(Date.self, forKey: .sentAt)
        status = try values.decode(DeliveryStatus.self, forKey: .status)
        isDeleted = try values.decode(Bool.self, forKey: .isDeleted)
        isHidden = try values.decode(Bool.self, forKey: .isHidden)
        isStarred = try values.decode(Bool.self, forKey: .isStarred)
        editedAt = try values.decodeIfPresent(Date.self, forKey: .editedAt)
        expiresAt = try values.decodeIfPresent(Date.self, forKey: .expiresAt)
        replyTo = try values.decodeIfPresent(Int64.self, forKey: .replyTo)
        mentions = try values.decode([UserID].self, forKey: .mentions)
        reactions = try values.decode([Reaction].self, forKey: .reactions)
        let rare = try Rare(from: decoder)
        self.rare = rare.isEmpty ? nil : rare
    }

    /// Writes what an app sees of it. What it does not have is left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(conversation, forKey: .conversation)
        try values.encodeIfPresent(seq, forKey: .seq)
        try values.encodeIfPresent(sender, forKey: .sender)
        try values.encode(kind, forKey: .kind)
        try values.encode(text, forKey: .text)
        try values.encode(sentAt, forKey: .sentAt)
        try values.encode(status, forKey: .status)
        try values.encode(isDeleted, forKey: .isDeleted)
        try values.encode(isHidden, forKey: .isHidden)
        try values.encode(isStarred, forKey: .isStarred)
        try values.encodeIfPresent(editedAt, forKey: .editedAt)
        try values.encodeIfPresent(expiresAt, forKey: .expiresAt)
        try values.encodeIfPresent(replyTo, forKey: .replyTo)
        try values.encode(mentions, forKey: .mentions)
        try values.encode(reactions, forKey: .reactions)
        // Beside the others, as an app sees them.
        try rare?.encode(to: encoder)
    }

    /// Creates a message that was sent, for previews and tests.
    public init(
        _ text: String, id: MessageID = .init(), seq: Int64 = 1, in conversation: ConversationID, from sender: UserID?,
        at time: Date = .now, status: DeliveryStatus = .sent, reactions: [Reaction] = [], isStarred: Bool = false,
        replyTo: Int64? = nil
    ) {
        self.init(
            .with {
                ($0.id, $0.conversation, $0.seq) = (id.data, conversation.rawValue, seq)
                ($0.sender, $0.text, $0.kind) = (sender?.rawValue ?? "", text, sender == nil ? .system : .text)
                ($0.sentAtUs, $0.replyToSeq) = (time.microseconds, replyTo ?? 0)
            })
        (self.status, self.reactions, self.isStarred) = (status, reactions, isStarred)
    }

    /// Creates a message that the server does not have yet.
    package init(
        unsent text: String, id: MessageID, in conversation: ConversationID, from sender: UserID, at time: Date,
        status: DeliveryStatus = .sending
    ) {
        (self.id, self.conversation, self.sender, self.kind) = (id, conversation, sender, .text)
        (self.text, sentAt, self.status) = (text, time, status)
        (isDeleted, isHidden, isStarred, mentions, reactions) = (false, false, false, [], [])
    }

    /// Creates a message as the server has it.
    package init(_ message: Parley_V1_Message) {
        id = MessageID(message.id)
        conversation = ConversationID(rawValue: message.conversation)
        seq = message.seq
        sender = message.sender.isEmpty ? nil : UserID(rawValue: message.sender)
        kind = Kind(message.kind)
        (text, sentAt, status) = (message.text, Date(microseconds: message.sentAtUs), .sent)
        isDeleted = message.deletedAtUs != 0
        editedAt = Date(set: message.editedAtUs)
        expiresAt = Date(set: message.expiresAtUs)
        replyTo = message.replyToSeq == 0 ? nil : message.replyToSeq
        mentions = message.mentions.map(UserID.init(rawValue:))
        if message.hasOwn {
            (isHidden, isStarred) = (message.own.hidden, message.own.starred)
        } else {
            (isHidden, isStarred) = (false, false)
        }
        let mine = message.reactions.isEmpty ? [] : message.own.reactions
        reactions = message.reactions.map { reaction in
            Reaction(emoji: reaction.emoji, count: Int(reaction.count), isMine: mine.contains(reaction.emoji))
        }
        if message.hasThread || message.threadSeq != 0 || message.hasMedia || message.hasSystem
            || !message.forwardedFrom.isEmpty
        {
            rare = Rare(message)
        }
    }
}

/// A file in a message.
///
///     if let attachment = message.attachment {
///         show("\(attachment.name), \(attachment.sizeBytes / 1000) kB")
///     }
public struct Attachment: Hashable, Sendable, Codable {
    /// The file name, without a path.
    public var name: String
    public var mimeType: String
    public var sizeBytes: Int64
    /// Width and height in pixels; nil when it has none.
    public var pixels: (width: Int, height: Int)? { width > 0 && height > 0 ? (width, height) : nil }
    /// How long it plays; nil when it does not.
    public var duration: Duration?
    /// A small picture to show while the file loads.
    public var thumbnail: Data?
    /// Where it is, if it is not stored by Parley.
    public var url: URL?
    private let width: Int
    private let height: Int

    /// Creates a file, for previews and tests.
    public init(
        name: String, mimeType: String, sizeBytes: Int64, pixels: (width: Int, height: Int)? = nil,
        duration: Duration? = nil, thumbnail: Data? = nil, url: URL? = nil
    ) {
        (self.name, self.mimeType, self.sizeBytes) = (name, mimeType, sizeBytes)
        (width, height) = pixels ?? (0, 0)
        (self.duration, self.thumbnail, self.url) = (duration, thumbnail, url)
    }

    init(_ media: Parley_V1_Media) {
        (name, mimeType, sizeBytes) = (media.name, media.mimeType, media.sizeBytes)
        (width, height) = (Int(media.width), Int(media.height))
        duration = media.durationMs == 0 ? nil : .milliseconds(media.durationMs)
        thumbnail = media.thumbnail.isEmpty ? nil : media.thumbnail
        url = media.url.isEmpty ? nil : URL(string: media.url)
    }
}

/// What happened in a conversation. An app puts it into words.
///
///     switch message.note {
///     case .joined(let people, _): show("\(people.count) people joined")
///     case .renamed(let name, _): show("The group is now called \(name)")
///     default: break
///     }
public enum SystemNote: Hashable, Sendable, Codable {
    case joined([UserID], addedBy: UserID)
    case left(UserID)
    case removed([UserID], by: UserID)
    case renamed(String, by: UserID)
    case photoChanged(by: UserID)
    case ownerChanged(to: UserID, by: UserID)
    case adminsAdded([UserID], by: UserID)
    case adminsRemoved([UserID], by: UserID)
    /// How long after sending messages disappear; nil: never.
    case retentionChanged(Duration?, by: UserID)
    case decisionShared(DecisionID, by: UserID)
    /// The conversation was invited to an event.
    case eventShared(EventID, by: UserID)
    /// Something that this version does not know.
    case other

    init(_ note: Parley_V1_SystemNote) {
        let (actor, users) = (UserID(rawValue: note.actor), note.users.map(UserID.init(rawValue:)))
        switch note.kind {
        case .membersJoined: self = .joined(users, addedBy: actor)
        case .memberLeft: self = .left(actor)
        case .memberRemoved: self = .removed(users, by: actor)
        case .groupRenamed: self = .renamed(note.name, by: actor)
        case .groupPhotoChanged: self = .photoChanged(by: actor)
        case .ownerChanged: self = users.first.map { .ownerChanged(to: $0, by: actor) } ?? .other
        case .adminAdded: self = .adminsAdded(users, by: actor)
        case .adminRemoved: self = .adminsRemoved(users, by: actor)
        case .retentionChanged: self = .retentionChanged(note.seconds == 0 ? nil : .seconds(note.seconds), by: actor)
        case .decisionShared: self = .decisionShared(DecisionID(note.entity), by: actor)
        case .eventShared: self = .eventShared(EventID(note.entity), by: actor)
        default: self = .other
        }
    }
}
