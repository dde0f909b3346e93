// Generated from messaging.proto (sha256 2a8a19dcd18f41bae437dcdef698e70def472ddaf71bdc288f15a2bc27118da5) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum MessagingMethods {
    /// Member. Answered once the message is durable. The same id again returns the first result with duplicate =
    /// true. Refusals: not_member, user_blocked, accept_first, request_pending, id_in_use, id_too_old,
    /// id_from_future, invalid.
    public static let send = Method<SendRequest, SendReply>(name: "messaging.Send", access: .member)
    /// Member. Or former member, each within their window of history. A page of messages in order of seq. Refusals:
    /// not_member.
    public static let history = Method<HistoryRequest, HistoryReply>(name: "messaging.History", access: .member)
    /// Member. Or former member. Messages of a conversation changed since a position of stream
    /// "messaging/c/CONVERSATION". Refusals: not_member.
    public static let changes = Method<ChangesRequest, ChangesReply>(name: "messaging.Changes", access: .member)
    /// Self. The conversations with news for me since a cursor: cost follows what changed.
    public static let sync = Method<MessagingSyncRequest, MessagingSyncReply>(name: "messaging.Sync", access: .own)
    /// Self. My conversations of one place, those with the latest news first. Paged; cost follows the page. Refusals:
    /// invalid.
    public static let inbox = Method<InboxRequest, InboxReply>(name: "messaging.Inbox", access: .own)

    public static let all: [String] = [
        "messaging.Send",
        "messaging.History",
        "messaging.Changes",
        "messaging.Sync",
        "messaging.Inbox",
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
    /// `actor` handed the group over to `users`.
    case ownerChanged
    /// `actor` made `users` admins.
    case adminAdded
    /// `actor` made `users` members again.
    case adminRemoved
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
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// State of a message.
public struct Message: WireMessage {
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
    /// When the server took it.
    public var sentAtUs: Int64 = 0
    /// Of its last change, in stream "messaging/c/CONVERSATION".
    public var position: Int64 = 0
    /// With kind SYSTEM: what happened; `sender` and `text` are empty.
    public var system: SystemNote?

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
        system: SystemNote? = nil
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
    }

    public static var messageName: String { "Message" }

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
    }
}

/// What a system message tells of; clients put it into words.
public struct SystemNote: WireMessage {
    public var kind: SystemNoteKind = .unspecified
    /// max 64 bytes. User id of who did it.
    public var actor: String = ""
    /// max 64 items of 64 bytes. User ids of whom it happened to.
    public var users: [String] = []
    /// max 128 bytes.
    public var name: String = ""

    public init() {}

    public init(kind: SystemNoteKind = .unspecified, actor: String = "", users: [String] = [], name: String = "") {
        self.kind = kind
        self.actor = actor
        self.users = users
        self.name = name
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
        self.name = try readString(c.pointee.name, max: 128, "name")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SystemNote>, _ arena: inout Arena) {
        c.pointee.kind = Parley__V1__SystemNoteKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.actor.isEmpty { c.pointee.actor = arena.string(self.actor) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
    }
}

public struct SendRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 by server time.
    public var id: [UInt8] = []
    /// max 129 bytes.
    public var conversation: String = ""
    /// TEXT
    public var kind: MessageKind = .unspecified
    /// max 16384 bytes.
    public var text: String = ""

    public init() {}

    public init(id: [UInt8] = [], conversation: String = "", kind: MessageKind = .unspecified, text: String = "") {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.text = text
    }

    public static var messageName: String { "SendRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SendRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SendRequest>? {
        parley__v1__send_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SendRequest>) { parley__v1__send_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SendRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.kind = MessageKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.text = try readString(c.pointee.text, max: 16384, "text")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SendRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.kind = Parley__V1__MessageKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
    }
}

public struct SendReply: WireMessage {
    public var seq: Int64 = 0
    public var position: Int64 = 0
    public var sentAtUs: Int64 = 0
    public var duplicate: Bool = false

    public init() {}

    public init(seq: Int64 = 0, position: Int64 = 0, sentAtUs: Int64 = 0, duplicate: Bool = false) {
        self.seq = seq
        self.position = position
        self.sentAtUs = sentAtUs
        self.duplicate = duplicate
    }

    public static var messageName: String { "SendReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SendReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SendReply>? {
        parley__v1__send_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SendReply>) { parley__v1__send_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SendReply>) throws(DecodeFailure) {
        self.seq = c.pointee.seq
        self.position = c.pointee.position
        self.sentAtUs = c.pointee.sent_at_us
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SendReply>, _ arena: inout Arena) {
        c.pointee.seq = self.seq
        c.pointee.position = self.position
        c.pointee.sent_at_us = self.sentAtUs
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct HistoryRequest: WireMessage {
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

    public static var messageName: String { "HistoryRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HistoryRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HistoryRequest>? {
        parley__v1__history_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HistoryRequest>) { parley__v1__history_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HistoryRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        switch c.pointee.from_case.rawValue {
        case 2: self.from = .beforeSeq(c.pointee.before_seq)
        case 3: self.from = .afterSeq(c.pointee.after_seq)
        case 4: self.from = .aroundSeq(c.pointee.around_seq)
        default: break
        }
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HistoryRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        switch self.from {
        case nil: break
        case .beforeSeq(let value):
            c.pointee.from_case = Parley__V1__HistoryRequest__FromCase(rawValue: 2)
            c.pointee.before_seq = value
        case .afterSeq(let value):
            c.pointee.from_case = Parley__V1__HistoryRequest__FromCase(rawValue: 3)
            c.pointee.after_seq = value
        case .aroundSeq(let value):
            c.pointee.from_case = Parley__V1__HistoryRequest__FromCase(rawValue: 4)
            c.pointee.around_seq = value
        }
        c.pointee.limit = self.limit
    }
}

public struct HistoryReply: WireMessage {
    /// max 200 items. Ascending seq.
    public var messages: [Message] = []
    public var moreBefore: Bool = false
    public var moreAfter: Bool = false
    /// Newest seq of the conversation that I may see.
    public var lastSeq: Int64 = 0

    public init() {}

    public init(messages: [Message] = [], moreBefore: Bool = false, moreAfter: Bool = false, lastSeq: Int64 = 0) {
        self.messages = messages
        self.moreBefore = moreBefore
        self.moreAfter = moreAfter
        self.lastSeq = lastSeq
    }

    public static var messageName: String { "HistoryReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HistoryReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HistoryReply>? {
        parley__v1__history_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HistoryReply>) { parley__v1__history_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HistoryReply>) throws(DecodeFailure) {
        self.messages = try readMessages(c.pointee.messages, c.pointee.n_messages, maxItems: 200, "messages")
        self.moreBefore = c.pointee.more_before != 0
        self.moreAfter = c.pointee.more_after != 0
        self.lastSeq = c.pointee.last_seq
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HistoryReply>, _ arena: inout Arena) {
        c.pointee.n_messages = self.messages.count
        c.pointee.messages = arena.messages(self.messages)
        c.pointee.more_before = self.moreBefore ? 1 : 0
        c.pointee.more_after = self.moreAfter ? 1 : 0
        c.pointee.last_seq = self.lastSeq
    }
}

public struct ChangesRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. Of the reply that the position came from.
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

    public static var messageName: String { "ChangesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ChangesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ChangesRequest>? {
        parley__v1__changes_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ChangesRequest>) { parley__v1__changes_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ChangesRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.sincePosition = c.pointee.since_position
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ChangesRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.since_position = self.sincePosition
        c.pointee.limit = self.limit
    }
}

public struct ChangesReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    /// The position is of another epoch or too far back: drop the messages and read History.
    public var startOver: Bool = false
    /// Ask again from here.
    public var position: Int64 = 0
    /// max 200 items. Ascending position.
    public var messages: [Message] = []
    public var more: Bool = false

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        messages: [Message] = [],
        more: Bool = false
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.messages = messages
        self.more = more
    }

    public static var messageName: String { "ChangesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ChangesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ChangesReply>? {
        parley__v1__changes_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ChangesReply>) { parley__v1__changes_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ChangesReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.position = c.pointee.position
        self.messages = try readMessages(c.pointee.messages, c.pointee.n_messages, maxItems: 200, "messages")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ChangesReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_messages = self.messages.count
        c.pointee.messages = arena.messages(self.messages)
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct MessagingSyncRequest: WireMessage {
    /// max 64 bytes. Of the last reply; empty at first.
    public var epoch: String = ""
    /// max 64 bytes. Of the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(epoch: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.epoch = epoch
        self.cursor = cursor
        self.limit = limit
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
        self.cursor = try readString(c.pointee.cursor, max: 64, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncRequest>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct MessagingSyncReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    public var startOver: Bool = false
    /// max 64 bytes. Opaque.
    public var cursor: String = ""
    /// max 200 items.
    public var entries: [InboxEntry] = []
    public var more: Bool = false

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        cursor: String = "",
        entries: [InboxEntry] = [],
        more: Bool = false
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.cursor = cursor
        self.entries = entries
        self.more = more
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
        self.cursor = try readString(c.pointee.cursor, max: 64, "cursor")
        self.entries = try readMessages(c.pointee.entries, c.pointee.n_entries, maxItems: 200, "entries")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__MessagingSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.n_entries = self.entries.count
        c.pointee.entries = arena.messages(self.entries)
        c.pointee.more = self.more ? 1 : 0
    }
}

public struct InboxRequest: WireMessage {
    /// Unspecified: INBOX.
    public var place: ConversationPlace = .unspecified
    /// max 64 bytes. Of the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(place: ConversationPlace = .unspecified, cursor: String = "", limit: UInt32 = 0) {
        self.place = place
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "InboxRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InboxRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InboxRequest>? {
        parley__v1__inbox_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InboxRequest>) { parley__v1__inbox_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InboxRequest>) throws(DecodeFailure) {
        self.place = ConversationPlace(rawValue: Int32(bitPattern: c.pointee.place.rawValue))
        self.cursor = try readString(c.pointee.cursor, max: 64, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxRequest>, _ arena: inout Arena) {
        c.pointee.place = Parley__V1__ConversationPlace(rawValue: UInt32(bitPattern: self.place.rawValue))
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct InboxReply: WireMessage {
    /// max 200 items.
    public var entries: [InboxEntry] = []
    /// max 64 bytes. Opaque.
    public var cursor: String = ""
    public var more: Bool = false

    public init() {}

    public init(entries: [InboxEntry] = [], cursor: String = "", more: Bool = false) {
        self.entries = entries
        self.cursor = cursor
        self.more = more
    }

    public static var messageName: String { "InboxReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InboxReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InboxReply>? {
        parley__v1__inbox_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InboxReply>) { parley__v1__inbox_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InboxReply>) throws(DecodeFailure) {
        self.entries = try readMessages(c.pointee.entries, c.pointee.n_entries, maxItems: 200, "entries")
        self.cursor = try readString(c.pointee.cursor, max: 64, "cursor")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxReply>, _ arena: inout Arena) {
        c.pointee.n_entries = self.entries.count
        c.pointee.entries = arena.messages(self.entries)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.more = self.more ? 1 : 0
    }
}

/// A conversation as it stands in my inbox.
public struct InboxEntry: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var lastSeq: Int64 = 0
    /// Head of stream "messaging/c/CONVERSATION".
    public var position: Int64 = 0
    /// Absent: no messages yet.
    public var lastMessage: Message?
    public var place: ConversationPlace = .unspecified

    public init() {}

    public init(
        conversation: String = "",
        lastSeq: Int64 = 0,
        position: Int64 = 0,
        lastMessage: Message? = nil,
        place: ConversationPlace = .unspecified
    ) {
        self.conversation = conversation
        self.lastSeq = lastSeq
        self.position = position
        self.lastMessage = lastMessage
        self.place = place
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
        self.place = ConversationPlace(rawValue: Int32(bitPattern: c.pointee.place.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InboxEntry>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.last_seq = self.lastSeq
        c.pointee.position = self.position
        if let lastMessage { c.pointee.last_message = arena.message(lastMessage) }
        c.pointee.place = Parley__V1__ConversationPlace(rawValue: UInt32(bitPattern: self.place.rawValue))
    }
}
