// Generated from entities.proto (sha256 ead5baef837ff4038d4a8d785f2245364104345fd15cfcf6ca74650ede626dfe) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum EntitiesMethods {
    /// Signed in. Creates a reminder that only the caller sees. The same id again returns the first result. Refusals:
    /// not_member (of the conversation it names), invalid.
    public static let createReminder = Method<CreateReminderRequest, ReminderReply>(name: "entities.CreateReminder", access: .signedIn)
    /// Creator. Marks a reminder as completed, or as open again. Repeating it changes nothing. Refusals: not_found.
    public static let completeReminder = Method<CompleteReminderRequest, ReminderReply>(name: "entities.CompleteReminder", access: .creator)
    /// Self. Lists the caller's reminders by due time. Paged. Refusals: not_member (of the conversation it names),
    /// invalid.
    public static let listReminders = Method<ListRemindersRequest, ListRemindersReply>(name: "entities.ListReminders", access: .own)
    /// Self. Returns the caller's entities that changed after a position of stream "entities/u/ME", in order of
    /// position.
    public static let sync = Method<EntitiesSyncRequest, EntitiesSyncReply>(name: "entities.Sync", access: .own)

    public static let all: [String] = [
        "entities.CreateReminder",
        "entities.CompleteReminder",
        "entities.ListReminders",
        "entities.Sync",
    ]
}

public enum CompletedFilter: Sendable, Hashable {
    /// Both.
    case unspecified
    case onlyOpen
    case onlyCompleted
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .onlyOpen
        case 2: self = .onlyCompleted
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .onlyOpen: 1
        case .onlyCompleted: 2
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// The state of a reminder. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
public struct Reminder: StreamState {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 512 bytes.
    public var title: String = ""
    public var dueAtUs: Int64 = 0
    /// max 64 bytes. IANA name of the zone the time was meant in: "Europe/Zurich".
    public var timeZone: String = ""
    /// max 129 bytes. The conversation that it came from, if any.
    public var conversation: String = ""
    /// exactly 16 bytes. The message that it came from, if any.
    public var sourceMessage: [UInt8] = []
    public var completed: Bool = false
    public var createdAtUs: Int64 = 0
    /// max 128 bytes. For the client's own use.
    public var notificationId: String = ""
    /// In stream "entities/u/ME".
    public var position: Int64 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        title: String = "",
        dueAtUs: Int64 = 0,
        timeZone: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        completed: Bool = false,
        createdAtUs: Int64 = 0,
        notificationId: String = "",
        position: Int64 = 0
    ) {
        self.id = id
        self.title = title
        self.dueAtUs = dueAtUs
        self.timeZone = timeZone
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.completed = completed
        self.createdAtUs = createdAtUs
        self.notificationId = notificationId
        self.position = position
    }

    public static var messageName: String { "Reminder" }

    public static var streamPrefix: String { "entities/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Reminder: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Reminder>? {
        parley__v1__reminder__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Reminder>) { parley__v1__reminder__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Reminder>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.dueAtUs = c.pointee.due_at_us
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.completed = c.pointee.completed != 0
        self.createdAtUs = c.pointee.created_at_us
        self.notificationId = try readString(c.pointee.notification_id, max: 128, "notification_id")
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Reminder>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        c.pointee.due_at_us = self.dueAtUs
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        c.pointee.completed = self.completed ? 1 : 0
        c.pointee.created_at_us = self.createdAtUs
        if !self.notificationId.isEmpty { c.pointee.notification_id = arena.string(self.notificationId) }
        c.pointee.position = self.position
    }
}

public struct CreateReminderRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 512 bytes.
    public var title: String = ""
    public var dueAtUs: Int64 = 0
    /// max 64 bytes. Empty: "UTC".
    public var timeZone: String = ""
    /// max 129 bytes.
    public var conversation: String = ""
    /// exactly 16 bytes.
    public var sourceMessage: [UInt8] = []
    /// max 128 bytes.
    public var notificationId: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        title: String = "",
        dueAtUs: Int64 = 0,
        timeZone: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        notificationId: String = ""
    ) {
        self.id = id
        self.title = title
        self.dueAtUs = dueAtUs
        self.timeZone = timeZone
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.notificationId = notificationId
    }

    public static var messageName: String { "CreateReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateReminderRequest>? {
        parley__v1__create_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateReminderRequest>) { parley__v1__create_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.dueAtUs = c.pointee.due_at_us
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.notificationId = try readString(c.pointee.notification_id, max: 128, "notification_id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        c.pointee.due_at_us = self.dueAtUs
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        if !self.notificationId.isEmpty { c.pointee.notification_id = arena.string(self.notificationId) }
    }
}

public struct ReminderReply: WireMessage {
    public var reminder: Reminder?
    public var duplicate: Bool = false

    public init() {}

    public init(reminder: Reminder? = nil, duplicate: Bool = false) {
        self.reminder = reminder
        self.duplicate = duplicate
    }

    public static var messageName: String { "ReminderReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReminderReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReminderReply>? {
        parley__v1__reminder_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReminderReply>) { parley__v1__reminder_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReminderReply>) throws(DecodeFailure) {
        self.reminder = try readMessage(c.pointee.reminder, "reminder")
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReminderReply>, _ arena: inout Arena) {
        if let reminder { c.pointee.reminder = arena.message(reminder) }
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct CompleteReminderRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// False: it is reopened.
    public var completed: Bool = false

    public init() {}

    public init(id: [UInt8] = [], completed: Bool = false) {
        self.id = id
        self.completed = completed
    }

    public static var messageName: String { "CompleteReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CompleteReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CompleteReminderRequest>? {
        parley__v1__complete_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CompleteReminderRequest>) { parley__v1__complete_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CompleteReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.completed = c.pointee.completed != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CompleteReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.completed = self.completed ? 1 : 0
    }
}

public struct ListRemindersRequest: Paged {
    public var completed: CompletedFilter = .unspecified
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0
    /// max 129 bytes. Empty: all.
    public var conversation: String = ""

    public init() {}

    public init(
        completed: CompletedFilter = .unspecified,
        cursor: String = "",
        limit: UInt32 = 0,
        conversation: String = ""
    ) {
        self.completed = completed
        self.cursor = cursor
        self.limit = limit
        self.conversation = conversation
    }

    public static var messageName: String { "ListRemindersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRemindersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRemindersRequest>? {
        parley__v1__list_reminders_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRemindersRequest>) { parley__v1__list_reminders_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRemindersRequest>) throws(DecodeFailure) {
        self.completed = CompletedFilter(rawValue: Int32(bitPattern: c.pointee.completed.rawValue))
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRemindersRequest>, _ arena: inout Arena) {
        c.pointee.completed = Parley__V1__CompletedFilter(rawValue: UInt32(bitPattern: self.completed.rawValue))
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct ListRemindersReply: Paged {
    /// max 200 items.
    public var reminders: [Reminder] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(reminders: [Reminder] = [], cursor: String = "") {
        self.reminders = reminders
        self.cursor = cursor
    }

    public static var messageName: String { "ListRemindersReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListRemindersReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListRemindersReply>? {
        parley__v1__list_reminders_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListRemindersReply>) { parley__v1__list_reminders_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListRemindersReply>) throws(DecodeFailure) {
        self.reminders = try readMessages(c.pointee.reminders, c.pointee.n_reminders, maxItems: 200, "reminders")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListRemindersReply>, _ arena: inout Arena) {
        c.pointee.n_reminders = self.reminders.count
        c.pointee.reminders = arena.messages(self.reminders)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

public struct EntitiesSyncRequest: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    public var sincePosition: Int64 = 0
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(epoch: String = "", sincePosition: Int64 = 0, limit: UInt32 = 0) {
        self.epoch = epoch
        self.sincePosition = sincePosition
        self.limit = limit
    }

    public static var messageName: String { "EntitiesSyncRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EntitiesSyncRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EntitiesSyncRequest>? {
        parley__v1__entities_sync_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EntitiesSyncRequest>) { parley__v1__entities_sync_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EntitiesSyncRequest>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.sincePosition = c.pointee.since_position
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EntitiesSyncRequest>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.since_position = self.sincePosition
        c.pointee.limit = self.limit
    }
}

public struct EntitiesSyncReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    public var startOver: Bool = false
    public var position: Int64 = 0
    /// max 200 items.
    public var reminders: [Reminder] = []
    public var more: Bool = false

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        reminders: [Reminder] = [],
        more: Bool = false
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.reminders = reminders
        self.more = more
    }

    public static var messageName: String { "EntitiesSyncReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EntitiesSyncReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EntitiesSyncReply>? {
        parley__v1__entities_sync_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EntitiesSyncReply>) { parley__v1__entities_sync_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EntitiesSyncReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.position = c.pointee.position
        self.reminders = try readMessages(c.pointee.reminders, c.pointee.n_reminders, maxItems: 200, "reminders")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EntitiesSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_reminders = self.reminders.count
        c.pointee.reminders = arena.messages(self.reminders)
        c.pointee.more = self.more ? 1 : 0
    }
}
