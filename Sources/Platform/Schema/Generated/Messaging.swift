// Generated from messaging.proto (sha256 20acb042cec4daf0a4998a2b8d4d2df1c2b2e6e7efa6e7643bdc753cb9bc0df9) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum MessagingMethods {
    /// Member. Sends a message. The reply comes once the message is durable. The same id again returns the first
    /// result with duplicate = true. Changes who sees what. Refusals: not_member, user_blocked, accept_first,
    /// request_pending, id_in_use, id_too_old, id_from_future, invalid, message_not_found (reply_to_seq, forward),
    /// attachment_not_found, quota_reached, rate_limited (too many bytes to too many members).
    public static let sendMessage = Method<SendMessageRequest, SendMessageReply>(name: "messaging.SendMessage", access: .member)
    /// Member. Or former member, each within their window of history. Returns a page of messages in order of seq.
    /// Refusals: not_member.
    public static let getHistory = Method<GetHistoryRequest, GetHistoryReply>(name: "messaging.GetHistory", access: .member)
    /// Member. Or former member. Returns the messages of a conversation that changed after a position of stream
    /// "messaging/c/CONVERSATION". Refusals: not_member.
    public static let getChanges = Method<GetChangesRequest, GetChangesReply>(name: "messaging.GetChanges", access: .member)
    /// Self. Returns the conversations with news for the caller since a cursor, and the changes of the caller's own
    /// state. The cost grows with the number of changes. Refusals: none.
    public static let sync = Method<MessagingSyncRequest, MessagingSyncReply>(name: "messaging.Sync", access: .own)
    /// Self. Returns the caller's conversations in one section: pinned ones first, then those with the latest news.
    /// Conversations without a message are left out: conversations.Sync has them. Paged; the cost grows with the
    /// page. Refusals: invalid.
    public static let getInbox = Method<GetInboxRequest, GetInboxReply>(name: "messaging.GetInbox", access: .own)
    /// Self. Returns the number for the app's icon. The cost grows with the number of the caller's conversations.
    /// Refusals: none.
    public static let getBadge = Method<GetBadgeRequest, GetBadgeReply>(name: "messaging.GetBadge", access: .own)
    /// Self. Returns how much of the server the caller uses, and how much they may use. Refusals: none.
    public static let getUsage = Method<GetUsageRequest, GetUsageReply>(name: "messaging.GetUsage", access: .own)
    /// Member. Changes the text of one of the caller's messages, within the edit window. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_member, user_blocked, accept_first, message_not_found,
    /// message_deleted, not_author, edit_window_closed, invalid, too_large.
    public static let editMessage = Method<EditMessageRequest, MessageReply>(name: "messaging.EditMessage", access: .member)
    /// Member. Deletes a message for everyone. Its author may do that, and in a group the owner and admins.
    /// Repeatable. Changes who sees what. Refusals: not_member, message_not_found, not_author.
    public static let deleteMessage = Method<DeleteMessageRequest, MessageReply>(name: "messaging.DeleteMessage", access: .member)
    /// Member. Or former member. Returns the earlier texts of an edited message, oldest first. Refusals: not_member,
    /// message_not_found.
    public static let listRevisions = Method<ListRevisionsRequest, ListRevisionsReply>(name: "messaging.ListRevisions", access: .member)
    /// Member. Adds or removes a reaction; each person has at most one of each emoji. Repeatable. Refusals:
    /// not_member, user_blocked, accept_first, message_not_found, message_deleted, too_many_reactions, invalid.
    public static let updateReaction = Method<UpdateReactionRequest, UpdateReactionReply>(name: "messaging.UpdateReaction", access: .member)
    /// Member. Or former member. Lists the reactions to a message, in the order they were added. Paged. Refusals:
    /// not_member, message_not_found, invalid.
    public static let listReactions = Method<ListReactionsRequest, ListReactionsReply>(name: "messaging.ListReactions", access: .member)
    /// Member. Or former member. Returns a thread's messages, including the first one, in order of seq. Refusals:
    /// not_member, message_not_found.
    public static let getThread = Method<GetThreadRequest, GetHistoryReply>(name: "messaging.GetThread", access: .member)
    /// Self. Moves the caller's read and delivered marks in up to 100 conversations, forwards only. Repeatable.
    /// Conversations that are not the caller's, or have no message for the caller, are left out of the reply.
    /// Refusals: none.
    public static let updateMarks = Method<UpdateMarksRequest, UpdateMarksReply>(name: "messaging.UpdateMarks", access: .own)
    /// Member. Lists how far the other members have read. Paged. In groups of more than 64 members there are no live
    /// Updates of this. Refusals: not_member, invalid.
    public static let listReceipts = Method<ListReceiptsRequest, ListReceiptsReply>(name: "messaging.ListReceipts", access: .member)
    /// Member. Lists who has read a message, and when, and to whom it was delivered. Paged. Refusals: not_member,
    /// message_not_found, invalid.
    public static let listReaders = Method<ListReadersRequest, ListReadersReply>(name: "messaging.ListReaders", access: .member)
    /// Member. Or former member. Pins, mutes, archives or marks unread a conversation, for the caller alone.
    /// Repeatable. Refusals: not_member, too_many_pinned, invalid.
    public static let updateInboxState = Method<UpdateInboxStateRequest, InboxStateReply>(name: "messaging.UpdateInboxState", access: .member)
    /// Member. Or former member. Deletes the conversation's messages up to a seq, for the caller alone. The
    /// conversation is hidden until a later message arrives. Repeatable. Changes who sees what. Refusals: not_member.
    public static let clearConversation = Method<ClearConversationRequest, InboxStateReply>(name: "messaging.ClearConversation", access: .member)
    /// Member. Or former member. Stars messages, or hides them, for the caller alone. Repeatable. Changes who sees
    /// what. Refusals: not_member, message_not_found, too_many_starred.
    public static let updateMessageState = Method<UpdateMessageStateRequest, UpdateMessageStateReply>(name: "messaging.UpdateMessageState", access: .member)
    /// Self. Lists the messages that the caller starred or that mention the caller, in all conversations, newest
    /// first. Leaves out mentions by people whom the caller blocks. Paged. Refusals: invalid.
    public static let listMentionsAndStars = Method<ListMentionsAndStarsRequest, ListMentionsAndStarsReply>(name: "messaging.ListMentionsAndStars", access: .own)
    /// Self. Finds messages that the caller may read and that contain all the words, best match first. Expensive.
    /// Paged. Refusals: invalid, not_member.
    public static let searchMessages = Method<SearchMessagesRequest, SearchMessagesReply>(name: "messaging.SearchMessages", access: .own, isExpensive: true)
    /// Member. In a group, its owner and admins. Sets how long after sending a message disappears. With `also_old`,
    /// this applies to existing messages too: in a group to all, in a direct conversation to the caller's own.
    /// Repeatable. Changes who sees what. Refusals: not_member, forbidden, user_blocked, accept_first, invalid.
    public static let setRetention = Method<SetRetentionRequest, SetRetentionReply>(name: "messaging.SetRetention", access: .member)
    /// Member. Registers a file to be sent to a conversation, and returns an upload URL. The same id again returns a
    /// new URL. Refusals: not_member, user_blocked, accept_first, id_in_use, id_too_old, id_from_future, too_large,
    /// invalid, rate_limited, quota_reached.
    public static let createAttachment = Method<CreateAttachmentRequest, CreateAttachmentReply>(name: "messaging.CreateAttachment", access: .member)
    /// Member. Or former member. Returns a download URL, valid for some minutes, for the file of a message that the
    /// caller may read, or with `attachment` for a file that the caller sent to the conversation, even if they may no
    /// longer read its message. Refusals: not_member, message_not_found, attachment_not_found.
    public static let getAttachment = Method<GetAttachmentRequest, GetAttachmentReply>(name: "messaging.GetAttachment", access: .member)
    /// Self. Lists the files that the caller sent, forwarded ones too, oldest first. Those of deleted messages are
    /// gone. Paged. Refusals: none.
    public static let listAttachments = Method<ListAttachmentsRequest, ListAttachmentsReply>(name: "messaging.ListAttachments", access: .own)

    public static let all: [String] = [
        "messaging.SendMessage",
        "messaging.GetHistory",
        "messaging.GetChanges",
        "messaging.Sync",
        "messaging.GetInbox",
        "messaging.GetBadge",
        "messaging.GetUsage",
        "messaging.EditMessage",
        "messaging.DeleteMessage",
        "messaging.ListRevisions",
        "messaging.UpdateReaction",
        "messaging.ListReactions",
        "messaging.GetThread",
        "messaging.UpdateMarks",
        "messaging.ListReceipts",
        "messaging.ListReaders",
        "messaging.UpdateInboxState",
        "messaging.ClearConversation",
        "messaging.UpdateMessageState",
        "messaging.ListMentionsAndStars",
        "messaging.SearchMessages",
        "messaging.SetRetention",
        "messaging.CreateAttachment",
        "messaging.GetAttachment",
        "messaging.ListAttachments",
    ]
}

public enum MessageKind: Sendable, Hashable {
    case unspecified
    case text
    case image
    case video
    case file
    case voice
    case system
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .text
        case 2: self = .image
        case 3: self = .video
        case 4: self = .file
        case 5: self = .voice
        case 6: self = .system
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .text: 1
        case .image: 2
        case .video: 3
        case .file: 4
        case .voice: 5
        case .system: 6
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum SystemNoteKind: Sendable, Hashable {
    case unspecified
    /// `actor` added `users`.
    case membersJoined
    /// `users` left; `actor` is the same.
    case memberLeft
    /// `actor` removed `users`.
    case memberRemoved
    /// `actor` named the group `name`.
    case groupRenamed
    case groupPhotoChanged
    /// `actor` made `users` the owner.
    case ownerChanged
    /// `actor` made `users` admins.
    case adminAdded
    /// `actor` made `users` members again.
    case adminRemoved
    /// `actor` set messages to disappear after `seconds`; zero: never.
    case retentionChanged
    /// `actor` shared the decision `entity`. Deleted together with the decision.
    case decisionShared
    /// `actor` invited the conversation to the event `entity`. Deleted when that is withdrawn.
    case eventShared
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .membersJoined
        case 2: self = .memberLeft
        case 3: self = .memberRemoved
        case 4: self = .groupRenamed
        case 5: self = .groupPhotoChanged
        case 6: self = .ownerChanged
        case 7: self = .adminAdded
        case 8: self = .adminRemoved
        case 9: self = .retentionChanged
        case 10: self = .decisionShared
        case 11: self = .eventShared
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .membersJoined: 1
        case .memberLeft: 2
        case .memberRemoved: 3
        case .groupRenamed: 4
        case .groupPhotoChanged: 5
        case .ownerChanged: 6
        case .adminAdded: 7
        case .adminRemoved: 8
        case .retentionChanged: 9
        case .decisionShared: 10
        case .eventShared: 11
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum MentionsAndStarsKind: Sendable, Hashable {
    case unspecified
    case starred
    case mentions
    case mentionsAndStars
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .starred
        case 2: self = .mentions
        case 3: self = .mentionsAndStars
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .starred: 1
        case .mentions: 2
        case .mentionsAndStars: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// The state of a message. Update of stream "messaging/c/CONVERSATION", key conversation seq, after a gap from
/// messaging.GetChanges.
public struct Message: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    /// 1, 2, 3 … within the conversation, without gaps.
    public var seq: Int64 = 0
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 64 bytes. User id; empty for system messages.
    public var sender: String = ""
    public var kind: MessageKind = .unspecified
    /// max 16384 bytes.
    public var text: String = ""
    /// When the server accepted it.
    public var sentAtUs: Int64 = 0
    /// The position of its last change in stream "messaging/c/CONVERSATION".
    public var position: Int64 = 0
    /// With kind SYSTEM: what happened; `sender` and `text` are empty.
    public var system: SystemNote?
    public var editedAtUs: Int64 = 0
    /// Not zero: deleted for everyone, or disappeared. Its content is gone.
    public var deletedAtUs: Int64 = 0
    /// When it disappears; zero: never. No Update is sent at that time.
    public var expiresAtUs: Int64 = 0
    /// The message it answers; zero: none.
    public var replyToSeq: Int64 = 0
    /// The first message of its thread; zero: in no thread, or itself the first.
    public var threadSeq: Int64 = 0
    /// The state of its thread, on every message of the thread.
    public var thread: Thread?
    /// max 1000 items of 64 bytes. User ids.
    public var mentions: [String] = []
    public var media: Media?
    /// max 64 bytes. User id of the original author; empty: not forwarded.
    public var forwardedFrom: String = ""
    /// max 32 items. In the order in which the emoji were first used.
    public var reactions: [ReactionCount] = []
    /// Private to the caller: in replies, never in Updates. Absent: none.
    public var own: OwnMessageState?

    public init() {}

    public init(
        conversation: String = "",
        seq: Int64 = 0,
        id: [UInt8] = [],
        sender: String = "",
        kind: MessageKind = .unspecified,
        text: String = "",
        sentAtUs: Int64 = 0,
        position: Int64 = 0,
        system: SystemNote? = nil,
        editedAtUs: Int64 = 0,
        deletedAtUs: Int64 = 0,
        expiresAtUs: Int64 = 0,
        replyToSeq: Int64 = 0,
        threadSeq: Int64 = 0,
        thread: Thread? = nil,
        mentions: [String] = [],
        media: Media? = nil,
        forwardedFrom: String = "",
        reactions: [ReactionCount] = [],
        own: OwnMessageState? = nil
    ) {
        self.conversation = conversation
        self.seq = seq
        self.id = id
        self.sender = sender
        self.kind = kind
        self.text = text
        self.sentAtUs = sentAtUs
        self.position = position
        self.system = system
        self.editedAtUs = editedAtUs
        self.deletedAtUs = deletedAtUs
        self.expiresAtUs = expiresAtUs
        self.replyToSeq = replyToSeq
        self.threadSeq = threadSeq
        self.thread = thread
        self.mentions = mentions
        self.media = media
        self.forwardedFrom = forwardedFrom
        self.reactions = reactions
        self.own = own
    }

    public static var messageName: String { "Message" }

    public static var streamPrefix: String { "messaging/c/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Message: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Message>? {
        parley__v1__message__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Message>) { parley__v1__message__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Message>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.sender = try readString(c.pointee.sender, max: 64, "sender")
        self.kind = MessageKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.sentAtUs = c.pointee.sent_at_us
        self.position = c.pointee.position
        self.system = try readMessage(c.pointee.system, "system")
        self.editedAtUs = c.pointee.edited_at_us
        self.deletedAtUs = c.pointee.deleted_at_us
        self.expiresAtUs = c.pointee.expires_at_us
        self.replyToSeq = c.pointee.reply_to_seq
        self.threadSeq = c.pointee.thread_seq
        self.thread = try readMessage(c.pointee.thread, "thread")
        self.mentions = try readStrings(c.pointee.mentions, c.pointee.n_mentions, maxItems: 1000, maxBytes: 64, "mentions")
        self.media = try readMessage(c.pointee.media, "media")
        self.forwardedFrom = try readString(c.pointee.forwarded_from, max: 64, "forwarded_from")
        self.reactions = try readMessages(c.pointee.reactions, c.pointee.n_reactions, maxItems: 32, "reactions")
        self.own = try readMessage(c.pointee.own, "own")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Message>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.id = arena.bytes(self.id)
        if !self.sender.isEmpty { c.pointee.sender = arena.string(self.sender) }
        c.pointee.kind = Parley__V1__MessageKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.sent_at_us = self.sentAtUs
        c.pointee.position = self.position
        if let system { c.pointee.system = arena.message(system) }
        c.pointee.edited_at_us = self.editedAtUs
        c.pointee.deleted_at_us = self.deletedAtUs
        c.pointee.expires_at_us = self.expiresAtUs
        c.pointee.reply_to_seq = self.replyToSeq
        c.pointee.thread_seq = self.threadSeq
        if let thread { c.pointee.thread = arena.message(thread) }
        c.pointee.n_mentions = self.mentions.count
        c.pointee.mentions = arena.strings(self.mentions)
        if let media { c.pointee.media = arena.message(media) }
        if !self.forwardedFrom.isEmpty { c.pointee.forwarded_from = arena.string(self.forwardedFrom) }
        c.pointee.n_reactions = self.reactions.count
        c.pointee.reactions = arena.messages(self.reactions)
        if let own { c.pointee.own = arena.message(own) }
    }
}

/// The state of a thread. Of two states, the one with the larger position is valid.
public struct Thread: WireMessage {
    /// The number of replies that nobody deleted. Those that disappeared still count.
    public var replies: Int64 = 0
    /// The seq of the newest reply ever sent.
    public var lastSeq: Int64 = 0
    /// The position of this state in the conversation's stream.
    public var position: Int64 = 0

    public init() {}

    public init(replies: Int64 = 0, lastSeq: Int64 = 0, position: Int64 = 0) {
        self.replies = replies
        self.lastSeq = lastSeq
        self.position = position
    }

    public static var messageName: String { "Thread" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Thread: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Thread>? {
        parley__v1__thread__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Thread>) { parley__v1__thread__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Thread>) throws(DecodeFailure) {
        self.replies = c.pointee.replies
        self.lastSeq = c.pointee.last_seq
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Thread>, _ arena: inout Arena) {
        c.pointee.replies = self.replies
        c.pointee.last_seq = self.lastSeq
        c.pointee.position = self.position
    }
}

public struct ReactionCount: WireMessage {
    /// max 64 bytes.
    public var emoji: String = ""
    public var count: Int64 = 0

    public init() {}

    public init(emoji: String = "", count: Int64 = 0) {
        self.emoji = emoji
        self.count = count
    }

    public static var messageName: String { "ReactionCount" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReactionCount: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReactionCount>? {
        parley__v1__reaction_count__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReactionCount>) { parley__v1__reaction_count__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReactionCount>) throws(DecodeFailure) {
        self.emoji = try readString(c.pointee.emoji, max: 64, "emoji")
        self.count = c.pointee.count
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReactionCount>, _ arena: inout Arena) {
        if !self.emoji.isEmpty { c.pointee.emoji = arena.string(self.emoji) }
        c.pointee.count = self.count
    }
}

/// The caller's own state of a message.
public struct OwnMessageState: WireMessage {
    public var starred: Bool = false
    /// Deleted for the caller; the message has only its seq and id.
    public var hidden: Bool = false
    /// max 32 items of 64 bytes. The emoji the caller reacted with.
    public var reactions: [String] = []

    public init() {}

    public init(starred: Bool = false, hidden: Bool = false, reactions: [String] = []) {
        self.starred = starred
        self.hidden = hidden
        self.reactions = reactions
    }

    public static var messageName: String { "OwnMessageState" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension OwnMessageState: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__OwnMessageState>? {
        parley__v1__own_message_state__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__OwnMessageState>) { parley__v1__own_message_state__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__OwnMessageState>) throws(DecodeFailure) {
        self.starred = c.pointee.starred != 0
        self.hidden = c.pointee.hidden != 0
        self.reactions = try readStrings(c.pointee.reactions, c.pointee.n_reactions, maxItems: 32, maxBytes: 64, "reactions")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__OwnMessageState>, _ arena: inout Arena) {
        c.pointee.starred = self.starred ? 1 : 0
        c.pointee.hidden = self.hidden ? 1 : 0
        c.pointee.n_reactions = self.reactions.count
        c.pointee.reactions = arena.strings(self.reactions)
    }
}

/// A file in a message. The service determines type and dimensions itself where it can.
public struct Media: WireMessage {
    /// exactly 16 bytes. The id given to CreateAttachment. Without one, there is a `url`.
    public var attachment: [UInt8] = []
    /// max 2048 bytes. An https URL of a file stored elsewhere.
    public var url: String = ""
    /// max 255 bytes. File name, without a path.
    public var name: String = ""
    /// max 127 bytes.
    public var mimeType: String = ""
    public var sizeBytes: Int64 = 0
    /// Pixels.
    public var width: UInt32 = 0
    public var height: UInt32 = 0
    public var durationMs: UInt32 = 0
    /// max 4096 bytes. A small JPEG, PNG or WebP to show while the file loads.
    public var thumbnail: [UInt8] = []

    public init() {}

    public init(
        attachment: [UInt8] = [],
        url: String = "",
        name: String = "",
        mimeType: String = "",
        sizeBytes: Int64 = 0,
        width: UInt32 = 0,
        height: UInt32 = 0,
        durationMs: UInt32 = 0,
        thumbnail: [UInt8] = []
    ) {
        self.attachment = attachment
        self.url = url
        self.name = name
        self.mimeType = mimeType
        self.sizeBytes = sizeBytes
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.thumbnail = thumbnail
    }

    public static var messageName: String { "Media" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Media: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Media>? {
        parley__v1__media__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Media>) { parley__v1__media__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Media>) throws(DecodeFailure) {
        self.attachment = try readBytes(c.pointee.attachment, exactly: 16, "attachment")
        self.url = try readString(c.pointee.url, max: 2048, "url")
        self.name = try readString(c.pointee.name, max: 255, "name")
        self.mimeType = try readString(c.pointee.mime_type, max: 127, "mime_type")
        self.sizeBytes = c.pointee.size_bytes
        self.width = c.pointee.width
        self.height = c.pointee.height
        self.durationMs = c.pointee.duration_ms
        self.thumbnail = try readBytes(c.pointee.thumbnail, max: 4096, "thumbnail")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Media>, _ arena: inout Arena) {
        c.pointee.attachment = arena.bytes(self.attachment)
        if !self.url.isEmpty { c.pointee.url = arena.string(self.url) }
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.mimeType.isEmpty { c.pointee.mime_type = arena.string(self.mimeType) }
        c.pointee.size_bytes = self.sizeBytes
        c.pointee.width = self.width
        c.pointee.height = self.height
        c.pointee.duration_ms = self.durationMs
        c.pointee.thumbnail = arena.bytes(self.thumbnail)
    }
}

/// The state of a message's reactions, and the changes that led to it. `position` is that of the Update. Update of
/// stream "messaging/c/CONVERSATION", key conversation seq of Message, after a gap from messaging.GetChanges.
public struct Reactions: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    public var position: Int64 = 0
    /// max 32 items. All current reactions.
    public var counts: [ReactionCount] = []
    /// max 256 items. In the order in which they were made. None: no longer known.
    public var changes: [ReactionChange] = []

    public init() {}

    public init(
        conversation: String = "",
        seq: Int64 = 0,
        position: Int64 = 0,
        counts: [ReactionCount] = [],
        changes: [ReactionChange] = []
    ) {
        self.conversation = conversation
        self.seq = seq
        self.position = position
        self.counts = counts
        self.changes = changes
    }

    public static var messageName: String { "Reactions" }

    public static var streamPrefix: String { "messaging/c/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Reactions: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Reactions>? {
        parley__v1__reactions__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Reactions>) { parley__v1__reactions__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Reactions>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.position = c.pointee.position
        self.counts = try readMessages(c.pointee.counts, c.pointee.n_counts, maxItems: 32, "counts")
        self.changes = try readMessages(c.pointee.changes, c.pointee.n_changes, maxItems: 256, "changes")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Reactions>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.position = self.position
        c.pointee.n_counts = self.counts.count
        c.pointee.counts = arena.messages(self.counts)
        c.pointee.n_changes = self.changes.count
        c.pointee.changes = arena.messages(self.changes)
    }
}

public struct ReactionChange: WireMessage {
    /// max 64 bytes.
    public var user: String = ""
    /// max 64 bytes.
    public var emoji: String = ""
    public var removed: Bool = false

    public init() {}

    public init(user: String = "", emoji: String = "", removed: Bool = false) {
        self.user = user
        self.emoji = emoji
        self.removed = removed
    }

    public static var messageName: String { "ReactionChange" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReactionChange: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReactionChange>? {
        parley__v1__reaction_change__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReactionChange>) { parley__v1__reaction_change__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReactionChange>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.emoji = try readString(c.pointee.emoji, max: 64, "emoji")
        self.removed = c.pointee.removed != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReactionChange>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.emoji.isEmpty { c.pointee.emoji = arena.string(self.emoji) }
        c.pointee.removed = self.removed ? 1 : 0
    }
}

/// How far another person has read. Of two for the same user, the larger value of each field is valid. Update of
/// stream "messaging/c/CONVERSATION" without positions, key conversation user, after a gap from
/// messaging.ListReceipts.
public struct Receipt: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes.
    public var user: String = ""
    public var readSeq: Int64 = 0
    /// At least read_seq.
    public var deliveredSeq: Int64 = 0
    /// When read_seq was reached.
    public var readAtUs: Int64 = 0
    public var deliveredAtUs: Int64 = 0

    public init() {}

    public init(
        conversation: String = "",
        user: String = "",
        readSeq: Int64 = 0,
        deliveredSeq: Int64 = 0,
        readAtUs: Int64 = 0,
        deliveredAtUs: Int64 = 0
    ) {
        self.conversation = conversation
        self.user = user
        self.readSeq = readSeq
        self.deliveredSeq = deliveredSeq
        self.readAtUs = readAtUs
        self.deliveredAtUs = deliveredAtUs
    }

    public static var messageName: String { "Receipt" }

    public static var streamPrefix: String { "messaging/c/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Receipt: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Receipt>? {
        parley__v1__receipt__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Receipt>) { parley__v1__receipt__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Receipt>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.readSeq = c.pointee.read_seq
        self.deliveredSeq = c.pointee.delivered_seq
        self.readAtUs = c.pointee.read_at_us
        self.deliveredAtUs = c.pointee.delivered_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Receipt>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.read_seq = self.readSeq
        c.pointee.delivered_seq = self.deliveredSeq
        c.pointee.read_at_us = self.readAtUs
        c.pointee.delivered_at_us = self.deliveredAtUs
    }
}

/// How many members have read a message in a group of more than 64 members. Sent to its author at most once per
/// second. Update of stream "messaging/c/CONVERSATION" without positions, key conversation seq, after a gap from
/// messaging.ListReaders.
public struct ReadCount: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    public var read: Int64 = 0
    public var delivered: Int64 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, read: Int64 = 0, delivered: Int64 = 0) {
        self.conversation = conversation
        self.seq = seq
        self.read = read
        self.delivered = delivered
    }

    public static var messageName: String { "ReadCount" }

    public static var streamPrefix: String { "messaging/c/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReadCount: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReadCount>? {
        parley__v1__read_count__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReadCount>) { parley__v1__read_count__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReadCount>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.read = c.pointee.read
        self.delivered = c.pointee.delivered
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReadCount>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.read = self.read
        c.pointee.delivered = self.delivered
    }
}

/// One person's private state of a conversation. Update of stream "messaging/u/ME/CELL", key conversation, after a
/// gap from messaging.Sync.
public struct InboxState: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    /// The position of its last change in stream "messaging/u/ME/CELL".
    public var ownPosition: Int64 = 0
    public var readSeq: Int64 = 0
    /// See REFERENCE.md, "Unread". 1,000 means 1,000 or more.
    public var unread: Int64 = 0
    /// How many of them mention this person, without those by people they block.
    public var mentions: Int64 = 0
    /// The position of "messaging/c/CONVERSATION" up to which both are counted.
    public var countedPosition: Int64 = 0
    /// The newest seq at that position.
    public var countedSeq: Int64 = 0
    /// When both were counted: without the messages that had disappeared by then.
    public var countedAtUs: Int64 = 0
    public var markedUnread: Bool = false
    /// Zero: not pinned.
    public var pinnedAtUs: Int64 = 0
    /// Zero: not muted; the largest int64: forever.
    public var mutedUntilUs: Int64 = 0
    /// Zero: not archived.
    public var archivedAtUs: Int64 = 0
    /// A message above this seq ends the archiving, unless it was sent while muted.
    public var archivedSeq: Int64 = 0
    /// Messages up to this seq are deleted for this person.
    public var clearedSeq: Int64 = 0
    /// The oldest seq that this person may read.
    public var firstSeq: Int64 = 0
    /// Of a group that they left: the own_position at which messages that they may read were last deleted, or given
    /// other times to disappear. Zero: never since. See REFERENCE.md, [renewed].
    public var renewedPosition: Int64 = 0

    public init() {}

    public init(
        conversation: String = "",
        ownPosition: Int64 = 0,
        readSeq: Int64 = 0,
        unread: Int64 = 0,
        mentions: Int64 = 0,
        countedPosition: Int64 = 0,
        countedSeq: Int64 = 0,
        countedAtUs: Int64 = 0,
        markedUnread: Bool = false,
        pinnedAtUs: Int64 = 0,
        mutedUntilUs: Int64 = 0,
        archivedAtUs: Int64 = 0,
        archivedSeq: Int64 = 0,
        clearedSeq: Int64 = 0,
        firstSeq: Int64 = 0,
        renewedPosition: Int64 = 0
    ) {
        self.conversation = conversation
        self.ownPosition = ownPosition
        self.readSeq = readSeq
        self.unread = unread
        self.mentions = mentions
        self.countedPosition = countedPosition
        self.countedSeq = countedSeq
        self.countedAtUs = countedAtUs
        self.markedUnread = markedUnread
        self.pinnedAtUs = pinnedAtUs
        self.mutedUntilUs = mutedUntilUs
        self.archivedAtUs = archivedAtUs
        self.archivedSeq = archivedSeq
        self.clearedSeq = clearedSeq
        self.firstSeq = firstSeq
        self.renewedPosition = renewedPosition
    }

    public static var messageName: String { "InboxState" }

    public static var streamPrefix: String { "messaging/u/" }

    public static var isPerCell: Bool { true }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InboxState: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InboxState>? {
        parley__v1__inbox_state__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InboxState>) { parley__v1__inbox_state__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InboxState>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.ownPosition = c.pointee.own_position
        self.readSeq = c.pointee.read_seq
        self.unread = c.pointee.unread
        self.mentions = c.pointee.mentions
        self.countedPosition = c.pointee.counted_position
        self.countedSeq = c.pointee.counted_seq
        self.countedAtUs = c.pointee.counted_at_us
        self.markedUnread = c.pointee.marked_unread != 0
        self.pinnedAtUs = c.pointee.pinned_at_us
        self.mutedUntilUs = c.pointee.muted_until_us
        self.archivedAtUs = c.pointee.archived_at_us
        self.archivedSeq = c.pointee.archived_seq
        self.clearedSeq = c.pointee.cleared_seq
        self.firstSeq = c.pointee.first_seq
        self.renewedPosition = c.pointee.renewed_position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxState>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.own_position = self.ownPosition
        c.pointee.read_seq = self.readSeq
        c.pointee.unread = self.unread
        c.pointee.mentions = self.mentions
        c.pointee.counted_position = self.countedPosition
        c.pointee.counted_seq = self.countedSeq
        c.pointee.counted_at_us = self.countedAtUs
        c.pointee.marked_unread = self.markedUnread ? 1 : 0
        c.pointee.pinned_at_us = self.pinnedAtUs
        c.pointee.muted_until_us = self.mutedUntilUs
        c.pointee.archived_at_us = self.archivedAtUs
        c.pointee.archived_seq = self.archivedSeq
        c.pointee.cleared_seq = self.clearedSeq
        c.pointee.first_seq = self.firstSeq
        c.pointee.renewed_position = self.renewedPosition
    }
}

/// One person's private state of a message. Update of stream "messaging/u/ME/CELL", key conversation seq of Message,
/// after a gap from messaging.Sync.
public struct MessageState: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    public var ownPosition: Int64 = 0
    public var starred: Bool = false
    public var hidden: Bool = false

    public init() {}

    public init(
        conversation: String = "",
        seq: Int64 = 0,
        ownPosition: Int64 = 0,
        starred: Bool = false,
        hidden: Bool = false
    ) {
        self.conversation = conversation
        self.seq = seq
        self.ownPosition = ownPosition
        self.starred = starred
        self.hidden = hidden
    }

    public static var messageName: String { "MessageState" }

    public static var streamPrefix: String { "messaging/u/" }

    public static var isPerCell: Bool { true }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension MessageState: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__MessageState>? {
        parley__v1__message_state__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__MessageState>) { parley__v1__message_state__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__MessageState>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.ownPosition = c.pointee.own_position
        self.starred = c.pointee.starred != 0
        self.hidden = c.pointee.hidden != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessageState>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.own_position = self.ownPosition
        c.pointee.starred = self.starred ? 1 : 0
        c.pointee.hidden = self.hidden ? 1 : 0
    }
}

/// The event that a system message reports. Clients put it into words.
public struct SystemNote: WireMessage {
    public var kind: SystemNoteKind = .unspecified
    /// max 64 bytes. User id of the person who acted.
    public var actor: String = ""
    /// max 64 items of 64 bytes. User ids of the people concerned.
    public var users: [String] = []
    /// max 512 bytes.
    public var name: String = ""
    public var seconds: Int64 = 0
    /// exactly 16 bytes. The id of what `actor` shared.
    public var entity: [UInt8] = []
    /// exactly 16 bytes. The id of what it supersedes, if anything.
    public var supersedes: [UInt8] = []
    /// How often what `actor` shared has changed. When this grows, get it again.
    public var changes: Int64 = 0

    public init() {}

    public init(
        kind: SystemNoteKind = .unspecified,
        actor: String = "",
        users: [String] = [],
        name: String = "",
        seconds: Int64 = 0,
        entity: [UInt8] = [],
        supersedes: [UInt8] = [],
        changes: Int64 = 0
    ) {
        self.kind = kind
        self.actor = actor
        self.users = users
        self.name = name
        self.seconds = seconds
        self.entity = entity
        self.supersedes = supersedes
        self.changes = changes
    }

    public static var messageName: String { "SystemNote" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SystemNote: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SystemNote>? {
        parley__v1__system_note__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SystemNote>) { parley__v1__system_note__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SystemNote>) throws(DecodeFailure) {
        self.kind = SystemNoteKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.actor = try readString(c.pointee.actor, max: 64, "actor")
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 64, maxBytes: 64, "users")
        self.name = try readString(c.pointee.name, max: 512, "name")
        self.seconds = c.pointee.seconds
        self.entity = try readBytes(c.pointee.entity, exactly: 16, "entity")
        self.supersedes = try readBytes(c.pointee.supersedes, exactly: 16, "supersedes")
        self.changes = c.pointee.changes
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SystemNote>, _ arena: inout Arena) {
        c.pointee.kind = Parley__V1__SystemNoteKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.actor.isEmpty { c.pointee.actor = arena.string(self.actor) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.seconds = self.seconds
        c.pointee.entity = arena.bytes(self.entity)
        c.pointee.supersedes = arena.bytes(self.supersedes)
        c.pointee.changes = self.changes
    }
}

public struct SendMessageRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 by server time.
    public var id: [UInt8] = []
    /// max 129 bytes.
    public var conversation: String = ""
    /// Not SYSTEM. Kinds other than TEXT need `media`; `text` is then its caption.
    public var kind: MessageKind = .unspecified
    /// max 16384 bytes.
    public var text: String = ""
    /// The message it answers.
    public var replyToSeq: Int64 = 0
    /// max 1000 items of 64 bytes. User ids. Leaves out yours and those of non-members.
    public var mentions: [String] = []
    public var media: Media?
    /// Instead of kind, text, mentions and media: copies them from that message.
    public var forward: Forward?

    public init() {}

    public init(
        id: [UInt8] = [],
        conversation: String = "",
        kind: MessageKind = .unspecified,
        text: String = "",
        replyToSeq: Int64 = 0,
        mentions: [String] = [],
        media: Media? = nil,
        forward: Forward? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.text = text
        self.replyToSeq = replyToSeq
        self.mentions = mentions
        self.media = media
        self.forward = forward
    }

    public static var messageName: String { "SendMessageRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SendMessageRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SendMessageRequest>? {
        parley__v1__send_message_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SendMessageRequest>) { parley__v1__send_message_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SendMessageRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.kind = MessageKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.replyToSeq = c.pointee.reply_to_seq
        self.mentions = try readStrings(c.pointee.mentions, c.pointee.n_mentions, maxItems: 1000, maxBytes: 64, "mentions")
        self.media = try readMessage(c.pointee.media, "media")
        self.forward = try readMessage(c.pointee.forward, "forward")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SendMessageRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.kind = Parley__V1__MessageKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.reply_to_seq = self.replyToSeq
        c.pointee.n_mentions = self.mentions.count
        c.pointee.mentions = arena.strings(self.mentions)
        if let media { c.pointee.media = arena.message(media) }
        if let forward { c.pointee.forward = arena.message(forward) }
    }
}

/// The message to forward, which the caller may read.
public struct Forward: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0) {
        self.conversation = conversation
        self.seq = seq
    }

    public static var messageName: String { "Forward" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Forward: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Forward>? {
        parley__v1__forward__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Forward>) { parley__v1__forward__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Forward>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Forward>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
    }
}

public struct SendMessageReply: WireMessage {
    public var seq: Int64 = 0
    /// With `duplicate`, that of the message's last change: it may have been edited or deleted.
    public var position: Int64 = 0
    public var sentAtUs: Int64 = 0
    public var duplicate: Bool = false
    /// The stored message, if it has more than the request gave. Absent with `duplicate`.
    public var message: Message?

    public init() {}

    public init(
        seq: Int64 = 0,
        position: Int64 = 0,
        sentAtUs: Int64 = 0,
        duplicate: Bool = false,
        message: Message? = nil
    ) {
        self.seq = seq
        self.position = position
        self.sentAtUs = sentAtUs
        self.duplicate = duplicate
        self.message = message
    }

    public static var messageName: String { "SendMessageReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SendMessageReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SendMessageReply>? {
        parley__v1__send_message_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SendMessageReply>) { parley__v1__send_message_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SendMessageReply>) throws(DecodeFailure) {
        self.seq = c.pointee.seq
        self.position = c.pointee.position
        self.sentAtUs = c.pointee.sent_at_us
        self.duplicate = c.pointee.duplicate != 0
        self.message = try readMessage(c.pointee.message, "message")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SendMessageReply>, _ arena: inout Arena) {
        c.pointee.seq = self.seq
        c.pointee.position = self.position
        c.pointee.sent_at_us = self.sentAtUs
        c.pointee.duplicate = self.duplicate ? 1 : 0
        if let message { c.pointee.message = arena.message(message) }
    }
}

public struct GetHistoryRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var from: From?
    /// Zero: 50; at most 200. A page ends earlier at 96 KiB.
    public var limit: UInt32 = 0

    public enum From: Sendable, Equatable {
        case beforeSeq(Int64)
        case afterSeq(Int64)
        case aroundSeq(Int64)
    }

    public init() {}

    public init(conversation: String = "", from: From? = nil, limit: UInt32 = 0) {
        self.conversation = conversation
        self.from = from
        self.limit = limit
    }

    public static var messageName: String { "GetHistoryRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetHistoryRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetHistoryRequest>? {
        parley__v1__get_history_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetHistoryRequest>) { parley__v1__get_history_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetHistoryRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        switch c.pointee.from_case.rawValue {
        case 2: self.from = .beforeSeq(c.pointee.before_seq)
        case 3: self.from = .afterSeq(c.pointee.after_seq)
        case 4: self.from = .aroundSeq(c.pointee.around_seq)
        default: break
        }
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetHistoryRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        switch self.from {
        case nil: break
        case .beforeSeq(let value):
            c.pointee.from_case = Parley__V1__GetHistoryRequest__FromCase(rawValue: 2)
            c.pointee.before_seq = value
        case .afterSeq(let value):
            c.pointee.from_case = Parley__V1__GetHistoryRequest__FromCase(rawValue: 3)
            c.pointee.after_seq = value
        case .aroundSeq(let value):
            c.pointee.from_case = Parley__V1__GetHistoryRequest__FromCase(rawValue: 4)
            c.pointee.around_seq = value
        }
        c.pointee.limit = self.limit
    }
}

public struct GetHistoryReply: WireMessage {
    /// max 200 items. Ascending seq.
    public var messages: [Message] = []
    public var moreBefore: Bool = false
    public var moreAfter: Bool = false
    /// The newest seq of the conversation that the caller may see.
    public var lastSeq: Int64 = 0

    public init() {}

    public init(messages: [Message] = [], moreBefore: Bool = false, moreAfter: Bool = false, lastSeq: Int64 = 0) {
        self.messages = messages
        self.moreBefore = moreBefore
        self.moreAfter = moreAfter
        self.lastSeq = lastSeq
    }

    public static var messageName: String { "GetHistoryReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetHistoryReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetHistoryReply>? {
        parley__v1__get_history_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetHistoryReply>) { parley__v1__get_history_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetHistoryReply>) throws(DecodeFailure) {
        self.messages = try readMessages(c.pointee.messages, c.pointee.n_messages, maxItems: 200, "messages")
        self.moreBefore = c.pointee.more_before != 0
        self.moreAfter = c.pointee.more_after != 0
        self.lastSeq = c.pointee.last_seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetHistoryReply>, _ arena: inout Arena) {
        c.pointee.n_messages = self.messages.count
        c.pointee.messages = arena.messages(self.messages)
        c.pointee.more_before = self.moreBefore ? 1 : 0
        c.pointee.more_after = self.moreAfter ? 1 : 0
        c.pointee.last_seq = self.lastSeq
    }
}

public struct GetChangesRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. From the same reply as the position.
    public var epoch: String = ""
    public var sincePosition: Int64 = 0
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", epoch: String = "", sincePosition: Int64 = 0, limit: UInt32 = 0) {
        self.conversation = conversation
        self.epoch = epoch
        self.sincePosition = sincePosition
        self.limit = limit
    }

    public static var messageName: String { "GetChangesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetChangesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetChangesRequest>? {
        parley__v1__get_changes_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetChangesRequest>) { parley__v1__get_changes_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetChangesRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.sincePosition = c.pointee.since_position
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetChangesRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.since_position = self.sincePosition
        c.pointee.limit = self.limit
    }
}

public struct GetChangesReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    /// The position is of another epoch or too far back, or the caller left and messages were changed since: drop the
    /// messages and call GetHistory.
    public var startOver: Bool = false
    /// Request the next page from here.
    public var position: Int64 = 0
    /// max 200 items. Ascending position.
    public var messages: [Message] = []
    public var more: Bool = false
    /// The newest seq that the caller may read.
    public var lastSeq: Int64 = 0

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        messages: [Message] = [],
        more: Bool = false,
        lastSeq: Int64 = 0
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.messages = messages
        self.more = more
        self.lastSeq = lastSeq
    }

    public static var messageName: String { "GetChangesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetChangesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetChangesReply>? {
        parley__v1__get_changes_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetChangesReply>) { parley__v1__get_changes_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetChangesReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.position = c.pointee.position
        self.messages = try readMessages(c.pointee.messages, c.pointee.n_messages, maxItems: 200, "messages")
        self.more = c.pointee.more != 0
        self.lastSeq = c.pointee.last_seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetChangesReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_messages = self.messages.count
        c.pointee.messages = arena.messages(self.messages)
        c.pointee.more = self.more ? 1 : 0
        c.pointee.last_seq = self.lastSeq
    }
}

public struct MessagingSyncRequest: Paged {
    /// max 64 bytes. From the last reply; empty at first.
    public var epoch: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0
    /// The position up to which the caller holds "messaging/u/ME/CELL"; zero at first.
    public var ownPosition: Int64 = 0
    /// max 16 bytes. One of welcome's cells; empty: "0".
    public var cell: String = ""
    /// max 200 items. What the caller holds of conversations, those with the latest news first: the entries of these
    /// have `missed`.
    public var held: [HeldPosition] = []

    public init() {}

    public init(
        epoch: String = "",
        cursor: String = "",
        limit: UInt32 = 0,
        ownPosition: Int64 = 0,
        cell: String = "",
        held: [HeldPosition] = []
    ) {
        self.epoch = epoch
        self.cursor = cursor
        self.limit = limit
        self.ownPosition = ownPosition
        self.cell = cell
        self.held = held
    }

    public static var messageName: String { "MessagingSyncRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension MessagingSyncRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__MessagingSyncRequest>? {
        parley__v1__messaging_sync_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncRequest>) { parley__v1__messaging_sync_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__MessagingSyncRequest>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
        self.ownPosition = c.pointee.own_position
        self.cell = try readString(c.pointee.cell, max: 16, "cell")
        self.held = try readMessages(c.pointee.held, c.pointee.n_held, maxItems: 200, "held")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncRequest>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
        c.pointee.own_position = self.ownPosition
        if !self.cell.isEmpty { c.pointee.cell = arena.string(self.cell) }
        c.pointee.n_held = self.held.count
        c.pointee.held = arena.messages(self.held)
    }
}

/// The position up to which a client holds the messages of a conversation, in the epoch of the request.
public struct HeldPosition: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var position: Int64 = 0

    public init() {}

    public init(conversation: String = "", position: Int64 = 0) {
        self.conversation = conversation
        self.position = position
    }

    public static var messageName: String { "HeldPosition" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HeldPosition: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HeldPosition>? {
        parley__v1__held_position__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HeldPosition>) { parley__v1__held_position__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HeldPosition>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HeldPosition>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.position = self.position
    }
}

public struct MessagingSyncReply: Paged {
    /// max 64 bytes.
    public var epoch: String = ""
    public var startOver: Bool = false
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    /// max 200 items.
    public var entries: [InboxEntry] = []
    public var more: Bool = false
    /// Request the next page from here. Once `more` is false, the caller holds "messaging/u/ME/CELL" up to here.
    public var ownPosition: Int64 = 0
    /// max 200 items. Those that changed after the requested `own_position`.
    public var messageStates: [MessageState] = []

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        cursor: String = "",
        entries: [InboxEntry] = [],
        more: Bool = false,
        ownPosition: Int64 = 0,
        messageStates: [MessageState] = []
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.cursor = cursor
        self.entries = entries
        self.more = more
        self.ownPosition = ownPosition
        self.messageStates = messageStates
    }

    public static var messageName: String { "MessagingSyncReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension MessagingSyncReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__MessagingSyncReply>? {
        parley__v1__messaging_sync_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncReply>) { parley__v1__messaging_sync_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__MessagingSyncReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.entries = try readMessages(c.pointee.entries, c.pointee.n_entries, maxItems: 200, "entries")
        self.more = c.pointee.more != 0
        self.ownPosition = c.pointee.own_position
        self.messageStates = try readMessages(c.pointee.message_states, c.pointee.n_message_states, maxItems: 200, "message_states")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.n_entries = self.entries.count
        c.pointee.entries = arena.messages(self.entries)
        c.pointee.more = self.more ? 1 : 0
        c.pointee.own_position = self.ownPosition
        c.pointee.n_message_states = self.messageStates.count
        c.pointee.message_states = arena.messages(self.messageStates)
    }
}

public struct GetInboxRequest: Paged {
    /// Unspecified: INBOX, without archived conversations.
    public var section: ConversationSection = .unspecified
    /// Only archived conversations.
    public var archived: Bool = false
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(
        section: ConversationSection = .unspecified,
        archived: Bool = false,
        cursor: String = "",
        limit: UInt32 = 0
    ) {
        self.section = section
        self.archived = archived
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "GetInboxRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetInboxRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetInboxRequest>? {
        parley__v1__get_inbox_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetInboxRequest>) { parley__v1__get_inbox_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetInboxRequest>) throws(DecodeFailure) {
        self.section = ConversationSection(rawValue: Int32(bitPattern: c.pointee.section.rawValue))
        self.archived = c.pointee.archived != 0
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetInboxRequest>, _ arena: inout Arena) {
        c.pointee.section = Parley__V1__ConversationSection(rawValue: UInt32(bitPattern: self.section.rawValue))
        c.pointee.archived = self.archived ? 1 : 0
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct GetInboxReply: Paged {
    /// max 200 items.
    public var entries: [InboxEntry] = []
    /// max 256 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(entries: [InboxEntry] = [], cursor: String = "", more: Bool = false) {
        self.entries = entries
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "GetInboxReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetInboxReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetInboxReply>? {
        parley__v1__get_inbox_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetInboxReply>) { parley__v1__get_inbox_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetInboxReply>) throws(DecodeFailure) {
        self.entries = try readMessages(c.pointee.entries, c.pointee.n_entries, maxItems: 200, "entries")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetInboxReply>, _ arena: inout Arena) {
        c.pointee.n_entries = self.entries.count
        c.pointee.entries = arena.messages(self.entries)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

/// A conversation in the caller's inbox.
public struct InboxEntry: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var lastSeq: Int64 = 0
    /// The newest position of stream "messaging/c/CONVERSATION".
    public var position: Int64 = 0
    /// The newest that the caller may read and has neither hidden nor cleared. Absent: none.
    public var lastMessage: Message?
    public var section: ConversationSection = .unspecified
    public var state: InboxState?
    /// How long after sending new messages disappear; zero: never.
    public var retentionSeconds: Int64 = 0
    /// Whether it is archived now.
    public var archived: Bool = false
    /// max 512 bytes. GetInbox: the group's name, or the other person's display name.
    public var name: String = ""
    /// max 1024 bytes. GetInbox: the group's photo, or the other person's.
    public var photoUrl: String = ""
    /// max 50 items. Sync: the messages changed after the requested `held` position, in order of position.
    public var missed: [Message] = []
    /// Sync: whether `missed` has all of them, so that the caller holds the conversation up to `position`.
    public var caughtUp: Bool = false

    public init() {}

    public init(
        conversation: String = "",
        lastSeq: Int64 = 0,
        position: Int64 = 0,
        lastMessage: Message? = nil,
        section: ConversationSection = .unspecified,
        state: InboxState? = nil,
        retentionSeconds: Int64 = 0,
        archived: Bool = false,
        name: String = "",
        photoUrl: String = "",
        missed: [Message] = [],
        caughtUp: Bool = false
    ) {
        self.conversation = conversation
        self.lastSeq = lastSeq
        self.position = position
        self.lastMessage = lastMessage
        self.section = section
        self.state = state
        self.retentionSeconds = retentionSeconds
        self.archived = archived
        self.name = name
        self.photoUrl = photoUrl
        self.missed = missed
        self.caughtUp = caughtUp
    }

    public static var messageName: String { "InboxEntry" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InboxEntry: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InboxEntry>? {
        parley__v1__inbox_entry__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InboxEntry>) { parley__v1__inbox_entry__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InboxEntry>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.lastSeq = c.pointee.last_seq
        self.position = c.pointee.position
        self.lastMessage = try readMessage(c.pointee.last_message, "last_message")
        self.section = ConversationSection(rawValue: Int32(bitPattern: c.pointee.section.rawValue))
        self.state = try readMessage(c.pointee.state, "state")
        self.retentionSeconds = c.pointee.retention_seconds
        self.archived = c.pointee.archived != 0
        self.name = try readString(c.pointee.name, max: 512, "name")
        self.photoUrl = try readString(c.pointee.photo_url, max: 1024, "photo_url")
        self.missed = try readMessages(c.pointee.missed, c.pointee.n_missed, maxItems: 50, "missed")
        self.caughtUp = c.pointee.caught_up != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxEntry>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.last_seq = self.lastSeq
        c.pointee.position = self.position
        if let lastMessage { c.pointee.last_message = arena.message(lastMessage) }
        c.pointee.section = Parley__V1__ConversationSection(rawValue: UInt32(bitPattern: self.section.rawValue))
        if let state { c.pointee.state = arena.message(state) }
        c.pointee.retention_seconds = self.retentionSeconds
        c.pointee.archived = self.archived ? 1 : 0
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.photoUrl.isEmpty { c.pointee.photo_url = arena.string(self.photoUrl) }
        c.pointee.n_missed = self.missed.count
        c.pointee.missed = arena.messages(self.missed)
        c.pointee.caught_up = self.caughtUp ? 1 : 0
    }
}

public struct GetBadgeRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetBadgeRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetBadgeRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetBadgeRequest>? {
        parley__v1__get_badge_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetBadgeRequest>) { parley__v1__get_badge_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetBadgeRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetBadgeRequest>, _ arena: inout Arena) {
    }
}

public struct GetBadgeReply: WireMessage {
    /// Unread messages in the inbox, without archived and muted conversations. One that is only marked unread counts
    /// 1.
    public var badge: Int64 = 0
    /// The number of conversations that these are in.
    public var conversations: Int64 = 0
    public var mentions: Int64 = 0

    public init() {}

    public init(badge: Int64 = 0, conversations: Int64 = 0, mentions: Int64 = 0) {
        self.badge = badge
        self.conversations = conversations
        self.mentions = mentions
    }

    public static var messageName: String { "GetBadgeReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetBadgeReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetBadgeReply>? {
        parley__v1__get_badge_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetBadgeReply>) { parley__v1__get_badge_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetBadgeReply>) throws(DecodeFailure) {
        self.badge = c.pointee.badge
        self.conversations = c.pointee.conversations
        self.mentions = c.pointee.mentions
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetBadgeReply>, _ arena: inout Arena) {
        c.pointee.badge = self.badge
        c.pointee.conversations = self.conversations
        c.pointee.mentions = self.mentions
    }
}

public struct GetUsageRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetUsageRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetUsageRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetUsageRequest>? {
        parley__v1__get_usage_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetUsageRequest>) { parley__v1__get_usage_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetUsageRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetUsageRequest>, _ arena: inout Arena) {
    }
}

public struct GetUsageReply: WireMessage {
    /// Of the files that the caller uploaded; those of deleted messages no longer count.
    public var fileBytes: Int64 = 0
    /// A file that would exceed it is refused with quota_reached.
    public var fileBytesMax: Int64 = 0
    /// Sent today (UTC), up to a few seconds ago.
    public var messages: Int64 = 0
    /// Beyond it, messages are refused with quota_reached until the next day.
    public var messagesMax: Int64 = 0
    public var dayEndsUs: Int64 = 0

    public init() {}

    public init(
        fileBytes: Int64 = 0,
        fileBytesMax: Int64 = 0,
        messages: Int64 = 0,
        messagesMax: Int64 = 0,
        dayEndsUs: Int64 = 0
    ) {
        self.fileBytes = fileBytes
        self.fileBytesMax = fileBytesMax
        self.messages = messages
        self.messagesMax = messagesMax
        self.dayEndsUs = dayEndsUs
    }

    public static var messageName: String { "GetUsageReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetUsageReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetUsageReply>? {
        parley__v1__get_usage_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetUsageReply>) { parley__v1__get_usage_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetUsageReply>) throws(DecodeFailure) {
        self.fileBytes = c.pointee.file_bytes
        self.fileBytesMax = c.pointee.file_bytes_max
        self.messages = c.pointee.messages
        self.messagesMax = c.pointee.messages_max
        self.dayEndsUs = c.pointee.day_ends_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetUsageReply>, _ arena: inout Arena) {
        c.pointee.file_bytes = self.fileBytes
        c.pointee.file_bytes_max = self.fileBytesMax
        c.pointee.messages = self.messages
        c.pointee.messages_max = self.messagesMax
        c.pointee.day_ends_us = self.dayEndsUs
    }
}

public struct EditMessageRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    /// max 16384 bytes.
    public var text: String = ""
    /// max 1000 items of 64 bytes. As in SendMessage. Replaces all earlier ones.
    public var mentions: [String] = []

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, text: String = "", mentions: [String] = []) {
        self.conversation = conversation
        self.seq = seq
        self.text = text
        self.mentions = mentions
    }

    public static var messageName: String { "EditMessageRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EditMessageRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EditMessageRequest>? {
        parley__v1__edit_message_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EditMessageRequest>) { parley__v1__edit_message_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EditMessageRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.mentions = try readStrings(c.pointee.mentions, c.pointee.n_mentions, maxItems: 1000, maxBytes: 64, "mentions")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EditMessageRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.n_mentions = self.mentions.count
        c.pointee.mentions = arena.strings(self.mentions)
    }
}

public struct DeleteMessageRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0) {
        self.conversation = conversation
        self.seq = seq
    }

    public static var messageName: String { "DeleteMessageRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteMessageRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteMessageRequest>? {
        parley__v1__delete_message_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteMessageRequest>) { parley__v1__delete_message_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteMessageRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteMessageRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
    }
}

public struct MessageReply: WireMessage {
    /// Its state after the change.
    public var message: Message?

    public init() {}

    public init(message: Message? = nil) {
        self.message = message
    }

    public static var messageName: String { "MessageReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension MessageReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__MessageReply>? {
        parley__v1__message_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__MessageReply>) { parley__v1__message_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__MessageReply>) throws(DecodeFailure) {
        self.message = try readMessage(c.pointee.message, "message")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessageReply>, _ arena: inout Arena) {
        if let message { c.pointee.message = arena.message(message) }
    }
}

public struct ListRevisionsRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0) {
        self.conversation = conversation
        self.seq = seq
    }

    public static var messageName: String { "ListRevisionsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRevisionsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRevisionsRequest>? {
        parley__v1__list_revisions_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRevisionsRequest>) { parley__v1__list_revisions_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRevisionsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRevisionsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
    }
}

public struct ListRevisionsReply: WireMessage {
    /// max 100 items. As many of the newest as fit into 96 KiB.
    public var revisions: [Revision] = []

    public init() {}

    public init(revisions: [Revision] = []) {
        self.revisions = revisions
    }

    public static var messageName: String { "ListRevisionsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRevisionsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRevisionsReply>? {
        parley__v1__list_revisions_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRevisionsReply>) { parley__v1__list_revisions_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRevisionsReply>) throws(DecodeFailure) {
        self.revisions = try readMessages(c.pointee.revisions, c.pointee.n_revisions, maxItems: 100, "revisions")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRevisionsReply>, _ arena: inout Arena) {
        c.pointee.n_revisions = self.revisions.count
        c.pointee.revisions = arena.messages(self.revisions)
    }
}

public struct Revision: WireMessage {
    /// max 16384 bytes. That of an edit of the mentions alone repeats.
    public var text: String = ""
    /// When the next text replaced it.
    public var untilUs: Int64 = 0

    public init() {}

    public init(text: String = "", untilUs: Int64 = 0) {
        self.text = text
        self.untilUs = untilUs
    }

    public static var messageName: String { "Revision" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Revision: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Revision>? {
        parley__v1__revision__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Revision>) { parley__v1__revision__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Revision>) throws(DecodeFailure) {
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.untilUs = c.pointee.until_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Revision>, _ arena: inout Arena) {
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.until_us = self.untilUs
    }
}

public struct UpdateReactionRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    /// max 64 bytes. One emoji.
    public var emoji: String = ""
    public var remove: Bool = false

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, emoji: String = "", remove: Bool = false) {
        self.conversation = conversation
        self.seq = seq
        self.emoji = emoji
        self.remove = remove
    }

    public static var messageName: String { "UpdateReactionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateReactionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateReactionRequest>? {
        parley__v1__update_reaction_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateReactionRequest>) { parley__v1__update_reaction_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateReactionRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.emoji = try readString(c.pointee.emoji, max: 64, "emoji")
        self.remove = c.pointee.remove != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateReactionRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if !self.emoji.isEmpty { c.pointee.emoji = arena.string(self.emoji) }
        c.pointee.remove = self.remove ? 1 : 0
    }
}

public struct UpdateReactionReply: WireMessage {
    /// The position of the message's last change.
    public var position: Int64 = 0
    /// max 32 items.
    public var counts: [ReactionCount] = []

    public init() {}

    public init(position: Int64 = 0, counts: [ReactionCount] = []) {
        self.position = position
        self.counts = counts
    }

    public static var messageName: String { "UpdateReactionReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateReactionReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateReactionReply>? {
        parley__v1__update_reaction_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateReactionReply>) { parley__v1__update_reaction_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateReactionReply>) throws(DecodeFailure) {
        self.position = c.pointee.position
        self.counts = try readMessages(c.pointee.counts, c.pointee.n_counts, maxItems: 32, "counts")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateReactionReply>, _ arena: inout Arena) {
        c.pointee.position = self.position
        c.pointee.n_counts = self.counts.count
        c.pointee.counts = arena.messages(self.counts)
    }
}

public struct ListReactionsRequest: Paged {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    /// max 64 bytes. Empty: all.
    public var emoji: String = ""
    /// max 256 bytes.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, emoji: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.seq = seq
        self.emoji = emoji
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListReactionsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReactionsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReactionsRequest>? {
        parley__v1__list_reactions_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReactionsRequest>) { parley__v1__list_reactions_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReactionsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.emoji = try readString(c.pointee.emoji, max: 64, "emoji")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReactionsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if !self.emoji.isEmpty { c.pointee.emoji = arena.string(self.emoji) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListReactionsReply: Paged {
    /// max 200 items.
    public var reactions: [Reaction] = []
    /// max 256 bytes.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(reactions: [Reaction] = [], cursor: String = "", more: Bool = false) {
        self.reactions = reactions
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListReactionsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReactionsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReactionsReply>? {
        parley__v1__list_reactions_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReactionsReply>) { parley__v1__list_reactions_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReactionsReply>) throws(DecodeFailure) {
        self.reactions = try readMessages(c.pointee.reactions, c.pointee.n_reactions, maxItems: 200, "reactions")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReactionsReply>, _ arena: inout Arena) {
        c.pointee.n_reactions = self.reactions.count
        c.pointee.reactions = arena.messages(self.reactions)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct Reaction: WireMessage {
    /// max 64 bytes.
    public var user: String = ""
    /// max 64 bytes.
    public var emoji: String = ""
    public var atUs: Int64 = 0

    public init() {}

    public init(user: String = "", emoji: String = "", atUs: Int64 = 0) {
        self.user = user
        self.emoji = emoji
        self.atUs = atUs
    }

    public static var messageName: String { "Reaction" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Reaction: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Reaction>? {
        parley__v1__reaction__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Reaction>) { parley__v1__reaction__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Reaction>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.emoji = try readString(c.pointee.emoji, max: 64, "emoji")
        self.atUs = c.pointee.at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Reaction>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.emoji.isEmpty { c.pointee.emoji = arena.string(self.emoji) }
        c.pointee.at_us = self.atUs
    }
}

public struct GetThreadRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var threadSeq: Int64 = 0
    /// Only replies above this seq; zero: all, starting with the first message.
    public var afterSeq: Int64 = 0
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", threadSeq: Int64 = 0, afterSeq: Int64 = 0, limit: UInt32 = 0) {
        self.conversation = conversation
        self.threadSeq = threadSeq
        self.afterSeq = afterSeq
        self.limit = limit
    }

    public static var messageName: String { "GetThreadRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetThreadRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetThreadRequest>? {
        parley__v1__get_thread_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetThreadRequest>) { parley__v1__get_thread_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetThreadRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.threadSeq = c.pointee.thread_seq
        self.afterSeq = c.pointee.after_seq
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetThreadRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.thread_seq = self.threadSeq
        c.pointee.after_seq = self.afterSeq
        c.pointee.limit = self.limit
    }
}

public struct UpdateMarksRequest: WireMessage {
    /// max 100 items.
    public var marks: [Watermark] = []

    public init() {}

    public init(marks: [Watermark] = []) {
        self.marks = marks
    }

    public static var messageName: String { "UpdateMarksRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateMarksRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateMarksRequest>? {
        parley__v1__update_marks_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateMarksRequest>) { parley__v1__update_marks_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateMarksRequest>) throws(DecodeFailure) {
        self.marks = try readMessages(c.pointee.marks, c.pointee.n_marks, maxItems: 100, "marks")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateMarksRequest>, _ arena: inout Arena) {
        c.pointee.n_marks = self.marks.count
        c.pointee.marks = arena.messages(self.marks)
    }
}

public struct Watermark: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// Zero, or lower than the stored mark: no change.
    public var readSeq: Int64 = 0
    public var deliveredSeq: Int64 = 0

    public init() {}

    public init(conversation: String = "", readSeq: Int64 = 0, deliveredSeq: Int64 = 0) {
        self.conversation = conversation
        self.readSeq = readSeq
        self.deliveredSeq = deliveredSeq
    }

    public static var messageName: String { "Watermark" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Watermark: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Watermark>? {
        parley__v1__watermark__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Watermark>) { parley__v1__watermark__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Watermark>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.readSeq = c.pointee.read_seq
        self.deliveredSeq = c.pointee.delivered_seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Watermark>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.read_seq = self.readSeq
        c.pointee.delivered_seq = self.deliveredSeq
    }
}

public struct UpdateMarksReply: WireMessage {
    /// max 100 items. The current states, including unchanged ones.
    public var states: [InboxState] = []

    public init() {}

    public init(states: [InboxState] = []) {
        self.states = states
    }

    public static var messageName: String { "UpdateMarksReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateMarksReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateMarksReply>? {
        parley__v1__update_marks_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateMarksReply>) { parley__v1__update_marks_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateMarksReply>) throws(DecodeFailure) {
        self.states = try readMessages(c.pointee.states, c.pointee.n_states, maxItems: 100, "states")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateMarksReply>, _ arena: inout Arena) {
        c.pointee.n_states = self.states.count
        c.pointee.states = arena.messages(self.states)
    }
}

public struct ListReceiptsRequest: Paged {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 256 bytes.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListReceiptsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReceiptsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReceiptsRequest>? {
        parley__v1__list_receipts_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReceiptsRequest>) { parley__v1__list_receipts_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReceiptsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReceiptsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListReceiptsReply: Paged {
    /// max 200 items. Of members other than the caller, in no particular order.
    public var receipts: [Receipt] = []
    /// max 256 bytes.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(receipts: [Receipt] = [], cursor: String = "", more: Bool = false) {
        self.receipts = receipts
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListReceiptsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReceiptsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReceiptsReply>? {
        parley__v1__list_receipts_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReceiptsReply>) { parley__v1__list_receipts_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReceiptsReply>) throws(DecodeFailure) {
        self.receipts = try readMessages(c.pointee.receipts, c.pointee.n_receipts, maxItems: 200, "receipts")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReceiptsReply>, _ arena: inout Arena) {
        c.pointee.n_receipts = self.receipts.count
        c.pointee.receipts = arena.messages(self.receipts)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct ListReadersRequest: Paged {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    /// max 256 bytes.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.seq = seq
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListReadersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReadersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReadersRequest>? {
        parley__v1__list_readers_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReadersRequest>) { parley__v1__list_readers_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReadersRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReadersRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListReadersReply: Paged {
    /// max 200 items. Members then and now, except the sender.
    public var readers: [Reader] = []
    /// max 256 bytes.
    public var cursor: String = ""
    public var more: Bool = false
    /// How many members have read it, on all pages.
    public var read: Int64 = 0
    /// How many members it was delivered to, on all pages.
    public var delivered: Int64 = 0

    public init() {}

    public init(
        readers: [Reader] = [],
        cursor: String = "",
        more: Bool = false,
        read: Int64 = 0,
        delivered: Int64 = 0
    ) {
        self.readers = readers
        self.cursor = cursor
        self.more = more
        self.read = read
        self.delivered = delivered
    }

    public static var messageName: String { "ListReadersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListReadersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListReadersReply>? {
        parley__v1__list_readers_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListReadersReply>) { parley__v1__list_readers_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListReadersReply>) throws(DecodeFailure) {
        self.readers = try readMessages(c.pointee.readers, c.pointee.n_readers, maxItems: 200, "readers")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
        self.read = c.pointee.read
        self.delivered = c.pointee.delivered
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListReadersReply>, _ arena: inout Arena) {
        c.pointee.n_readers = self.readers.count
        c.pointee.readers = arena.messages(self.readers)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
        c.pointee.read = self.read
        c.pointee.delivered = self.delivered
    }
}

public struct Reader: WireMessage {
    /// max 64 bytes.
    public var user: String = ""
    public var delivered: Bool = false
    /// Zero: not read.
    public var readAtUs: Int64 = 0

    public init() {}

    public init(user: String = "", delivered: Bool = false, readAtUs: Int64 = 0) {
        self.user = user
        self.delivered = delivered
        self.readAtUs = readAtUs
    }

    public static var messageName: String { "Reader" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Reader: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Reader>? {
        parley__v1__reader__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Reader>) { parley__v1__reader__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Reader>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.delivered = c.pointee.delivered != 0
        self.readAtUs = c.pointee.read_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Reader>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.delivered = self.delivered ? 1 : 0
        c.pointee.read_at_us = self.readAtUs
    }
}

public struct UpdateInboxStateRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// Unspecified: no change.
    public var pinned: Choice = .unspecified
    public var archived: Choice = .unspecified
    public var markedUnread: Choice = .unspecified
    public var muted: Choice = .unspecified
    /// With muted YES; zero: forever.
    public var mutedUntilUs: Int64 = 0

    public init() {}

    public init(
        conversation: String = "",
        pinned: Choice = .unspecified,
        archived: Choice = .unspecified,
        markedUnread: Choice = .unspecified,
        muted: Choice = .unspecified,
        mutedUntilUs: Int64 = 0
    ) {
        self.conversation = conversation
        self.pinned = pinned
        self.archived = archived
        self.markedUnread = markedUnread
        self.muted = muted
        self.mutedUntilUs = mutedUntilUs
    }

    public static var messageName: String { "UpdateInboxStateRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateInboxStateRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateInboxStateRequest>? {
        parley__v1__update_inbox_state_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateInboxStateRequest>) { parley__v1__update_inbox_state_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateInboxStateRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.pinned = Choice(rawValue: Int32(bitPattern: c.pointee.pinned.rawValue))
        self.archived = Choice(rawValue: Int32(bitPattern: c.pointee.archived.rawValue))
        self.markedUnread = Choice(rawValue: Int32(bitPattern: c.pointee.marked_unread.rawValue))
        self.muted = Choice(rawValue: Int32(bitPattern: c.pointee.muted.rawValue))
        self.mutedUntilUs = c.pointee.muted_until_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateInboxStateRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.pinned = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.pinned.rawValue))
        c.pointee.archived = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.archived.rawValue))
        c.pointee.marked_unread = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.markedUnread.rawValue))
        c.pointee.muted = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.muted.rawValue))
        c.pointee.muted_until_us = self.mutedUntilUs
    }
}

public struct InboxStateReply: WireMessage {
    public var state: InboxState?

    public init() {}

    public init(state: InboxState? = nil) {
        self.state = state
    }

    public static var messageName: String { "InboxStateReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InboxStateReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InboxStateReply>? {
        parley__v1__inbox_state_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InboxStateReply>) { parley__v1__inbox_state_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InboxStateReply>) throws(DecodeFailure) {
        self.state = try readMessage(c.pointee.state, "state")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxStateReply>, _ arena: inout Arena) {
        if let state { c.pointee.state = arena.message(state) }
    }
}

public struct ClearConversationRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// Inclusive; zero: all current messages.
    public var upToSeq: Int64 = 0

    public init() {}

    public init(conversation: String = "", upToSeq: Int64 = 0) {
        self.conversation = conversation
        self.upToSeq = upToSeq
    }

    public static var messageName: String { "ClearConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ClearConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ClearConversationRequest>? {
        parley__v1__clear_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ClearConversationRequest>) { parley__v1__clear_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ClearConversationRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.upToSeq = c.pointee.up_to_seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ClearConversationRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.up_to_seq = self.upToSeq
    }
}

public struct UpdateMessageStateRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 100 items.
    public var seqs: [Int64] = []
    public var starred: Choice = .unspecified
    /// Cannot be undone.
    public var hide: Bool = false

    public init() {}

    public init(conversation: String = "", seqs: [Int64] = [], starred: Choice = .unspecified, hide: Bool = false) {
        self.conversation = conversation
        self.seqs = seqs
        self.starred = starred
        self.hide = hide
    }

    public static var messageName: String { "UpdateMessageStateRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateMessageStateRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateMessageStateRequest>? {
        parley__v1__update_message_state_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateRequest>) { parley__v1__update_message_state_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seqs = try readNumbers(c.pointee.seqs, c.pointee.n_seqs, maxItems: 100, "seqs")
        self.starred = Choice(rawValue: Int32(bitPattern: c.pointee.starred.rawValue))
        self.hide = c.pointee.hide != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.n_seqs = self.seqs.count
        c.pointee.seqs = arena.numbers(self.seqs)
        c.pointee.starred = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.starred.rawValue))
        c.pointee.hide = self.hide ? 1 : 0
    }
}

public struct UpdateMessageStateReply: WireMessage {
    /// max 100 items.
    public var states: [MessageState] = []

    public init() {}

    public init(states: [MessageState] = []) {
        self.states = states
    }

    public static var messageName: String { "UpdateMessageStateReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateMessageStateReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateMessageStateReply>? {
        parley__v1__update_message_state_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateReply>) { parley__v1__update_message_state_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateReply>) throws(DecodeFailure) {
        self.states = try readMessages(c.pointee.states, c.pointee.n_states, maxItems: 100, "states")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateMessageStateReply>, _ arena: inout Arena) {
        c.pointee.n_states = self.states.count
        c.pointee.states = arena.messages(self.states)
    }
}

public struct ListMentionsAndStarsRequest: Paged {
    public var kind: MentionsAndStarsKind = .unspecified
    /// max 256 bytes.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(kind: MentionsAndStarsKind = .unspecified, cursor: String = "", limit: UInt32 = 0) {
        self.kind = kind
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListMentionsAndStarsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListMentionsAndStarsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsRequest>? {
        parley__v1__list_mentions_and_stars_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsRequest>) { parley__v1__list_mentions_and_stars_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsRequest>) throws(DecodeFailure) {
        self.kind = MentionsAndStarsKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsRequest>, _ arena: inout Arena) {
        c.pointee.kind = Parley__V1__MentionsAndStarsKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListMentionsAndStarsReply: Paged {
    /// max 200 items.
    public var messages: [Message] = []
    /// max 256 bytes.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(messages: [Message] = [], cursor: String = "", more: Bool = false) {
        self.messages = messages
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "ListMentionsAndStarsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListMentionsAndStarsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsReply>? {
        parley__v1__list_mentions_and_stars_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsReply>) { parley__v1__list_mentions_and_stars_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsReply>) throws(DecodeFailure) {
        self.messages = try readMessages(c.pointee.messages, c.pointee.n_messages, maxItems: 200, "messages")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListMentionsAndStarsReply>, _ arena: inout Arena) {
        c.pointee.n_messages = self.messages.count
        c.pointee.messages = arena.messages(self.messages)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct SearchMessagesRequest: Paged {
    /// max 256 bytes.
    public var text: String = ""
    /// max 129 bytes. Empty: all of the caller's conversations.
    public var conversation: String = ""
    /// max 64 bytes. User id; empty: anyone.
    public var sender: String = ""
    /// Unspecified: any kind.
    public var kind: MessageKind = .unspecified
    /// Inclusive. Zero: no bound.
    public var sentAfterUs: Int64 = 0
    /// Exclusive. Zero: no bound.
    public var sentBeforeUs: Int64 = 0
    /// max 256 bytes.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(
        text: String = "",
        conversation: String = "",
        sender: String = "",
        kind: MessageKind = .unspecified,
        sentAfterUs: Int64 = 0,
        sentBeforeUs: Int64 = 0,
        cursor: String = "",
        limit: UInt32 = 0
    ) {
        self.text = text
        self.conversation = conversation
        self.sender = sender
        self.kind = kind
        self.sentAfterUs = sentAfterUs
        self.sentBeforeUs = sentBeforeUs
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "SearchMessagesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SearchMessagesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SearchMessagesRequest>? {
        parley__v1__search_messages_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SearchMessagesRequest>) { parley__v1__search_messages_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SearchMessagesRequest>) throws(DecodeFailure) {
        self.text = try readString(c.pointee.text, max: 256, "text")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sender = try readString(c.pointee.sender, max: 64, "sender")
        self.kind = MessageKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.sentAfterUs = c.pointee.sent_after_us
        self.sentBeforeUs = c.pointee.sent_before_us
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SearchMessagesRequest>, _ arena: inout Arena) {
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.sender.isEmpty { c.pointee.sender = arena.string(self.sender) }
        c.pointee.kind = Parley__V1__MessageKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        c.pointee.sent_after_us = self.sentAfterUs
        c.pointee.sent_before_us = self.sentBeforeUs
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct SearchMessagesReply: Paged {
    /// max 200 items.
    public var found: [Found] = []
    /// max 256 bytes.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(found: [Found] = [], cursor: String = "", more: Bool = false) {
        self.found = found
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "SearchMessagesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SearchMessagesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SearchMessagesReply>? {
        parley__v1__search_messages_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SearchMessagesReply>) { parley__v1__search_messages_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SearchMessagesReply>) throws(DecodeFailure) {
        self.found = try readMessages(c.pointee.found, c.pointee.n_found, maxItems: 200, "found")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SearchMessagesReply>, _ arena: inout Arena) {
        c.pointee.n_found = self.found.count
        c.pointee.found = arena.messages(self.found)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct Found: WireMessage {
    public var message: Message?
    /// max 1024 bytes. The part of its text around the match.
    public var snippet: String = ""
    /// max 64 items. Begin and end of each match, as byte offsets in `snippet`.
    public var highlights: [UInt32] = []

    public init() {}

    public init(message: Message? = nil, snippet: String = "", highlights: [UInt32] = []) {
        self.message = message
        self.snippet = snippet
        self.highlights = highlights
    }

    public static var messageName: String { "Found" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Found: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Found>? {
        parley__v1__found__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Found>) { parley__v1__found__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Found>) throws(DecodeFailure) {
        self.message = try readMessage(c.pointee.message, "message")
        self.snippet = try readString(c.pointee.snippet, max: 1024, "snippet")
        self.highlights = try readNumbers(c.pointee.highlights, c.pointee.n_highlights, maxItems: 64, "highlights")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Found>, _ arena: inout Arena) {
        if let message { c.pointee.message = arena.message(message) }
        if !self.snippet.isEmpty { c.pointee.snippet = arena.string(self.snippet) }
        c.pointee.n_highlights = self.highlights.count
        c.pointee.highlights = arena.numbers(self.highlights)
    }
}

public struct SetRetentionRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// 60 … 31,536,000; zero: messages do not disappear.
    public var seconds: Int64 = 0
    /// Apply it to existing messages that the caller may delete, counted from their sending.
    public var alsoOld: Bool = false

    public init() {}

    public init(conversation: String = "", seconds: Int64 = 0, alsoOld: Bool = false) {
        self.conversation = conversation
        self.seconds = seconds
        self.alsoOld = alsoOld
    }

    public static var messageName: String { "SetRetentionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetRetentionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetRetentionRequest>? {
        parley__v1__set_retention_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetRetentionRequest>) { parley__v1__set_retention_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetRetentionRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seconds = c.pointee.seconds
        self.alsoOld = c.pointee.also_old != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetRetentionRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seconds = self.seconds
        c.pointee.also_old = self.alsoOld ? 1 : 0
    }
}

public struct SetRetentionReply: WireMessage {
    public var seconds: Int64 = 0

    public init() {}

    public init(seconds: Int64 = 0) {
        self.seconds = seconds
    }

    public static var messageName: String { "SetRetentionReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetRetentionReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetRetentionReply>? {
        parley__v1__set_retention_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetRetentionReply>) { parley__v1__set_retention_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetRetentionReply>) throws(DecodeFailure) {
        self.seconds = c.pointee.seconds
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetRetentionReply>, _ arena: inout Arena) {
        c.pointee.seconds = self.seconds
    }
}

public struct CreateAttachmentRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 by server time.
    public var id: [UInt8] = []
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 255 bytes. File name, without a path.
    public var name: String = ""
    /// max 127 bytes.
    public var mimeType: String = ""
    public var sizeBytes: Int64 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        conversation: String = "",
        name: String = "",
        mimeType: String = "",
        sizeBytes: Int64 = 0
    ) {
        self.id = id
        self.conversation = conversation
        self.name = name
        self.mimeType = mimeType
        self.sizeBytes = sizeBytes
    }

    public static var messageName: String { "CreateAttachmentRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateAttachmentRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateAttachmentRequest>? {
        parley__v1__create_attachment_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateAttachmentRequest>) { parley__v1__create_attachment_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateAttachmentRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.name = try readString(c.pointee.name, max: 255, "name")
        self.mimeType = try readString(c.pointee.mime_type, max: 127, "mime_type")
        self.sizeBytes = c.pointee.size_bytes
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateAttachmentRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.mimeType.isEmpty { c.pointee.mime_type = arena.string(self.mimeType) }
        c.pointee.size_bytes = self.sizeBytes
    }
}

public struct CreateAttachmentReply: WireMessage {
    /// max 512 bytes. On the gateway's HTTP: see REFERENCE.md, "Files".
    public var uploadPath: String = ""
    /// When the path, not the file, expires.
    public var expiresAtUs: Int64 = 0
    /// Continue the upload from here.
    public var receivedBytes: Int64 = 0
    public var complete: Bool = false

    public init() {}

    public init(uploadPath: String = "", expiresAtUs: Int64 = 0, receivedBytes: Int64 = 0, complete: Bool = false) {
        self.uploadPath = uploadPath
        self.expiresAtUs = expiresAtUs
        self.receivedBytes = receivedBytes
        self.complete = complete
    }

    public static var messageName: String { "CreateAttachmentReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateAttachmentReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateAttachmentReply>? {
        parley__v1__create_attachment_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateAttachmentReply>) { parley__v1__create_attachment_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateAttachmentReply>) throws(DecodeFailure) {
        self.uploadPath = try readString(c.pointee.upload_path, max: 512, "upload_path")
        self.expiresAtUs = c.pointee.expires_at_us
        self.receivedBytes = c.pointee.received_bytes
        self.complete = c.pointee.complete != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateAttachmentReply>, _ arena: inout Arena) {
        if !self.uploadPath.isEmpty { c.pointee.upload_path = arena.string(self.uploadPath) }
        c.pointee.expires_at_us = self.expiresAtUs
        c.pointee.received_bytes = self.receivedBytes
        c.pointee.complete = self.complete ? 1 : 0
    }
}

public struct GetAttachmentRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// The message with the file.
    public var seq: Int64 = 0
    /// exactly 16 bytes. Instead of `seq`: `media.attachment` of a SentAttachment. If it is not the caller's, the
    /// refusal is attachment_not_found.
    public var attachment: [UInt8] = []

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, attachment: [UInt8] = []) {
        self.conversation = conversation
        self.seq = seq
        self.attachment = attachment
    }

    public static var messageName: String { "GetAttachmentRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetAttachmentRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetAttachmentRequest>? {
        parley__v1__get_attachment_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetAttachmentRequest>) { parley__v1__get_attachment_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetAttachmentRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.attachment = try readBytes(c.pointee.attachment, exactly: 16, "attachment")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetAttachmentRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        c.pointee.attachment = arena.bytes(self.attachment)
    }
}

public struct GetAttachmentReply: WireMessage {
    /// max 512 bytes.
    public var downloadPath: String = ""
    public var expiresAtUs: Int64 = 0
    public var media: Media?

    public init() {}

    public init(downloadPath: String = "", expiresAtUs: Int64 = 0, media: Media? = nil) {
        self.downloadPath = downloadPath
        self.expiresAtUs = expiresAtUs
        self.media = media
    }

    public static var messageName: String { "GetAttachmentReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetAttachmentReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetAttachmentReply>? {
        parley__v1__get_attachment_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetAttachmentReply>) { parley__v1__get_attachment_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetAttachmentReply>) throws(DecodeFailure) {
        self.downloadPath = try readString(c.pointee.download_path, max: 512, "download_path")
        self.expiresAtUs = c.pointee.expires_at_us
        self.media = try readMessage(c.pointee.media, "media")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetAttachmentReply>, _ arena: inout Arena) {
        if !self.downloadPath.isEmpty { c.pointee.download_path = arena.string(self.downloadPath) }
        c.pointee.expires_at_us = self.expiresAtUs
        if let media { c.pointee.media = arena.message(media) }
    }
}

/// A file that the caller sent.
public struct SentAttachment: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// Its message.
    public var seq: Int64 = 0
    public var media: Media?
    /// When its upload was requested, or when it was forwarded.
    public var createdAtUs: Int64 = 0

    public init() {}

    public init(conversation: String = "", seq: Int64 = 0, media: Media? = nil, createdAtUs: Int64 = 0) {
        self.conversation = conversation
        self.seq = seq
        self.media = media
        self.createdAtUs = createdAtUs
    }

    public static var messageName: String { "SentAttachment" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SentAttachment: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SentAttachment>? {
        parley__v1__sent_attachment__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SentAttachment>) { parley__v1__sent_attachment__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SentAttachment>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.media = try readMessage(c.pointee.media, "media")
        self.createdAtUs = c.pointee.created_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SentAttachment>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if let media { c.pointee.media = arena.message(media) }
        c.pointee.created_at_us = self.createdAtUs
    }
}

public struct ListAttachmentsRequest: Paged {
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(cursor: String = "", limit: UInt32 = 0) {
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListAttachmentsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListAttachmentsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListAttachmentsRequest>? {
        parley__v1__list_attachments_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListAttachmentsRequest>) { parley__v1__list_attachments_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListAttachmentsRequest>) throws(DecodeFailure) {
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListAttachmentsRequest>, _ arena: inout Arena) {
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListAttachmentsReply: Paged {
    /// max 200 items.
    public var attachments: [SentAttachment] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(attachments: [SentAttachment] = [], cursor: String = "") {
        self.attachments = attachments
        self.cursor = cursor
    }

    public static var messageName: String { "ListAttachmentsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListAttachmentsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListAttachmentsReply>? {
        parley__v1__list_attachments_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListAttachmentsReply>) { parley__v1__list_attachments_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListAttachmentsReply>) throws(DecodeFailure) {
        self.attachments = try readMessages(c.pointee.attachments, c.pointee.n_attachments, maxItems: 200, "attachments")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListAttachmentsReply>, _ arena: inout Arena) {
        c.pointee.n_attachments = self.attachments.count
        c.pointee.attachments = arena.messages(self.attachments)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}
