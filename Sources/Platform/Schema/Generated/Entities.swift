// Generated from entities.proto (sha256 94f809badc56d12b67ab818139ee0fc76efb729a435aba4ac379cd7338a4be20) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum EntitiesMethods {
    /// Signed in. Creates a reminder that only the caller sees. At its time it fires: `fired_at_us` is set, and every
    /// device of the caller gets the Update within a second. A time in the past fires at once. The same id again
    /// returns the first result. Refusals: not_member (of the conversation it names), invalid, id_too_old,
    /// id_from_future, too_many_reminders (10,000 open ones), rate_limited.
    public static let createReminder = Method<CreateReminderRequest, ReminderReply>(name: "entities.CreateReminder", access: .signedIn)
    /// Creator. Returns a reminder. Refusals: not_found.
    public static let getReminder = Method<GetReminderRequest, ReminderReply>(name: "entities.GetReminder", access: .creator)
    /// Creator. Changes a reminder. A reminder with another time fires at that time, even if it has fired before.
    /// Repeating it changes nothing. Refusals: not_found, invalid, rate_limited.
    public static let updateReminder = Method<UpdateReminderRequest, ReminderReply>(name: "entities.UpdateReminder", access: .creator)
    /// Creator. Moves an open reminder to a later time, at which it fires, even if it has fired before. Repeating it
    /// changes nothing. Refusals: not_found, reminder_completed, invalid (a time in the past), rate_limited.
    public static let snoozeReminder = Method<SnoozeReminderRequest, ReminderReply>(name: "entities.SnoozeReminder", access: .creator)
    /// Creator. Marks a reminder as completed, or as open again. A completed reminder does not fire; open again, it
    /// fires if it had not. Repeating it changes nothing. Refusals: not_found, too_many_reminders, rate_limited.
    public static let completeReminder = Method<CompleteReminderRequest, ReminderReply>(name: "entities.CompleteReminder", access: .creator)
    /// Creator. Deletes a reminder. Devices get it with `deleted_at_us` and without its content. Repeating it changes
    /// nothing. Refusals: not_found, rate_limited.
    public static let deleteReminder = Method<DeleteReminderRequest, ReminderReply>(name: "entities.DeleteReminder", access: .creator)
    /// Self. Lists the caller's reminders by due time. Paged. Refusals: not_member (of the conversation it names),
    /// invalid.
    public static let listReminders = Method<ListRemindersRequest, ListRemindersReply>(name: "entities.ListReminders", access: .own)
    /// Signed in. Records what was decided: for the caller alone, or shared with the members of a conversation in
    /// which the caller may write. A shared decision appears there as a system message (DECISION_SHARED) half a
    /// second later at most, if its author may still write by then. The same id again returns the first result.
    /// Refusals: not_member (of the conversation it names), user_blocked, accept_first, request_pending, id_in_use,
    /// id_too_old, id_from_future, invalid, too_large, decision_not_found (supersedes), already_superseded,
    /// too_many_decisions (10,000), rate_limited.
    public static let createDecision = Method<CreateDecisionRequest, DecisionReply>(name: "entities.CreateDecision", access: .signedIn)
    /// Creator. Or a member who may read the system message with it. Returns a decision. Refusals: not_found.
    public static let getDecision = Method<GetDecisionRequest, DecisionReply>(name: "entities.GetDecision", access: .creator)
    /// Creator. Deletes a decision, and the system message with it. What it superseded holds again. Repeating it
    /// changes nothing. Refusals: not_found, rate_limited.
    public static let deleteDecision = Method<DeleteDecisionRequest, DecisionReply>(name: "entities.DeleteDecision", access: .creator)
    /// Self. Lists decisions, newest first: the caller's own, or with `shared_only` those shared with the
    /// conversation that the caller may read. Paged. A page may have fewer decisions than requested, or none,
    /// although more follow. Refusals: not_member (of the conversation it names), invalid.
    public static let listDecisions = Method<ListDecisionsRequest, ListDecisionsReply>(name: "entities.ListDecisions", access: .own)
    /// Self. Returns the caller's entities that changed after a position of stream "entities/u/ME", in order of
    /// position.
    public static let sync = Method<EntitiesSyncRequest, EntitiesSyncReply>(name: "entities.Sync", access: .own)

    public static let all: [String] = [
        "entities.CreateReminder",
        "entities.GetReminder",
        "entities.UpdateReminder",
        "entities.SnoozeReminder",
        "entities.CompleteReminder",
        "entities.DeleteReminder",
        "entities.ListReminders",
        "entities.CreateDecision",
        "entities.GetDecision",
        "entities.DeleteDecision",
        "entities.ListDecisions",
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
    /// When it fires. Follows the rules of the zone: 10:00 stays 10:00 when they change.
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
    /// When it fired, by the clock of the database; zero: not yet.
    public var firedAtUs: Int64 = 0
    /// Not zero: deleted. Only `id` and the times remain.
    public var deletedAtUs: Int64 = 0
    /// max 19 bytes. The time on the wall in the zone: "2026-12-01T10:00:00".
    public var dueLocal: String = ""

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
        position: Int64 = 0,
        firedAtUs: Int64 = 0,
        deletedAtUs: Int64 = 0,
        dueLocal: String = ""
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
        self.firedAtUs = firedAtUs
        self.deletedAtUs = deletedAtUs
        self.dueLocal = dueLocal
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
        self.firedAtUs = c.pointee.fired_at_us
        self.deletedAtUs = c.pointee.deleted_at_us
        self.dueLocal = try readString(c.pointee.due_local, max: 19, "due_local")
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
        c.pointee.fired_at_us = self.firedAtUs
        c.pointee.deleted_at_us = self.deletedAtUs
        if !self.dueLocal.isEmpty { c.pointee.due_local = arena.string(self.dueLocal) }
    }
}

public struct CreateReminderRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 512 bytes.
    public var title: String = ""
    /// Zero: `due_local` has the time.
    public var dueAtUs: Int64 = 0
    /// max 64 bytes. Empty: "UTC".
    public var timeZone: String = ""
    /// max 129 bytes.
    public var conversation: String = ""
    /// exactly 16 bytes.
    public var sourceMessage: [UInt8] = []
    /// max 128 bytes.
    public var notificationId: String = ""
    /// max 19 bytes. The time on the wall, "2026-12-01T10:00". One that the clocks skip is later by the length of the
    /// gap; of one that comes twice, the first counts.
    public var dueLocal: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        title: String = "",
        dueAtUs: Int64 = 0,
        timeZone: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        notificationId: String = "",
        dueLocal: String = ""
    ) {
        self.id = id
        self.title = title
        self.dueAtUs = dueAtUs
        self.timeZone = timeZone
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.notificationId = notificationId
        self.dueLocal = dueLocal
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
        self.dueLocal = try readString(c.pointee.due_local, max: 19, "due_local")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        c.pointee.due_at_us = self.dueAtUs
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        if !self.notificationId.isEmpty { c.pointee.notification_id = arena.string(self.notificationId) }
        if !self.dueLocal.isEmpty { c.pointee.due_local = arena.string(self.dueLocal) }
    }
}

public struct ReminderReply: WireMessage {
    public var reminder: Reminder?
    /// It was so already.
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

public struct GetReminderRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "GetReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetReminderRequest>? {
        parley__v1__get_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetReminderRequest>) { parley__v1__get_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct UpdateReminderRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    public var changeTitle: ChangeTitle?
    public var changeDue: ChangeDue?
    public var changeTimeZone: ChangeTimeZone?
    public var changeNotificationId: ChangeNotificationId?

    public enum ChangeTitle: Sendable, Equatable {
        case title(String)
    }

    public enum ChangeDue: Sendable, Equatable {
        case dueAtUs(Int64)
        case dueLocal(String)
    }

    public enum ChangeTimeZone: Sendable, Equatable {
        case timeZone(String)
    }

    public enum ChangeNotificationId: Sendable, Equatable {
        case notificationId(String)
    }

    public init() {}

    public init(
        id: [UInt8] = [],
        changeTitle: ChangeTitle? = nil,
        changeDue: ChangeDue? = nil,
        changeTimeZone: ChangeTimeZone? = nil,
        changeNotificationId: ChangeNotificationId? = nil
    ) {
        self.id = id
        self.changeTitle = changeTitle
        self.changeDue = changeDue
        self.changeTimeZone = changeTimeZone
        self.changeNotificationId = changeNotificationId
    }

    public static var messageName: String { "UpdateReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateReminderRequest>? {
        parley__v1__update_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateReminderRequest>) { parley__v1__update_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        switch c.pointee.change_title_case.rawValue {
        case 2: self.changeTitle = .title(try readString(c.pointee.title, max: 512, "title"))
        default: break
        }
        switch c.pointee.change_due_case.rawValue {
        case 3: self.changeDue = .dueAtUs(c.pointee.due_at_us)
        case 4: self.changeDue = .dueLocal(try readString(c.pointee.due_local, max: 19, "due_local"))
        default: break
        }
        switch c.pointee.change_time_zone_case.rawValue {
        case 5: self.changeTimeZone = .timeZone(try readString(c.pointee.time_zone, max: 64, "time_zone"))
        default: break
        }
        switch c.pointee.change_notification_id_case.rawValue {
        case 6: self.changeNotificationId = .notificationId(try readString(c.pointee.notification_id, max: 128, "notification_id"))
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        switch self.changeTitle {
        case nil: break
        case .title(let value):
            c.pointee.change_title_case = Parley__V1__UpdateReminderRequest__ChangeTitleCase(rawValue: 2)
            c.pointee.title = arena.string(value)
        }
        switch self.changeDue {
        case nil: break
        case .dueAtUs(let value):
            c.pointee.change_due_case = Parley__V1__UpdateReminderRequest__ChangeDueCase(rawValue: 3)
            c.pointee.due_at_us = value
        case .dueLocal(let value):
            c.pointee.change_due_case = Parley__V1__UpdateReminderRequest__ChangeDueCase(rawValue: 4)
            c.pointee.due_local = arena.string(value)
        }
        switch self.changeTimeZone {
        case nil: break
        case .timeZone(let value):
            c.pointee.change_time_zone_case = Parley__V1__UpdateReminderRequest__ChangeTimeZoneCase(rawValue: 5)
            c.pointee.time_zone = arena.string(value)
        }
        switch self.changeNotificationId {
        case nil: break
        case .notificationId(let value):
            c.pointee.change_notification_id_case = Parley__V1__UpdateReminderRequest__ChangeNotificationIdCase(rawValue: 6)
            c.pointee.notification_id = arena.string(value)
        }
    }
}

public struct SnoozeReminderRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// The next time. Later than now.
    public var untilUs: Int64 = 0

    public init() {}

    public init(id: [UInt8] = [], untilUs: Int64 = 0) {
        self.id = id
        self.untilUs = untilUs
    }

    public static var messageName: String { "SnoozeReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SnoozeReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SnoozeReminderRequest>? {
        parley__v1__snooze_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SnoozeReminderRequest>) { parley__v1__snooze_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SnoozeReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.untilUs = c.pointee.until_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SnoozeReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.until_us = self.untilUs
    }
}

public struct DeleteReminderRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "DeleteReminderRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteReminderRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteReminderRequest>? {
        parley__v1__delete_reminder_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteReminderRequest>) { parley__v1__delete_reminder_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteReminderRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteReminderRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
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

/// The state of a decision. Only its author gets Updates; the others learn of a shared one, and of its end, from the
/// system message with it. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
public struct Decision: StreamState {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 64 bytes. User id of its author.
    public var user: String = ""
    /// max 16384 bytes.
    public var text: String = ""
    /// max 129 bytes. Where it was decided, if in a conversation.
    public var conversation: String = ""
    /// exactly 16 bytes. The message that it came from, if any.
    public var sourceMessage: [UInt8] = []
    public var createdAtUs: Int64 = 0
    /// Shared with the conversation.
    public var shared: Bool = false
    /// exactly 16 bytes. The earlier decision that it replaces, if any.
    public var supersedes: [UInt8] = []
    /// exactly 16 bytes. The later decision that replaces it; empty: it holds.
    public var supersededBy: [UInt8] = []
    /// Not zero: deleted. Only `id`, `user` and the times remain.
    public var deletedAtUs: Int64 = 0
    /// In stream "entities/u/ME" of its author; zero for others.
    public var position: Int64 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        user: String = "",
        text: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        createdAtUs: Int64 = 0,
        shared: Bool = false,
        supersedes: [UInt8] = [],
        supersededBy: [UInt8] = [],
        deletedAtUs: Int64 = 0,
        position: Int64 = 0
    ) {
        self.id = id
        self.user = user
        self.text = text
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.createdAtUs = createdAtUs
        self.shared = shared
        self.supersedes = supersedes
        self.supersededBy = supersededBy
        self.deletedAtUs = deletedAtUs
        self.position = position
    }

    public static var messageName: String { "Decision" }

    public static var streamPrefix: String { "entities/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Decision: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Decision>? {
        parley__v1__decision__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Decision>) { parley__v1__decision__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Decision>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.createdAtUs = c.pointee.created_at_us
        self.shared = c.pointee.shared != 0
        self.supersedes = try readBytes(c.pointee.supersedes, exactly: 16, "supersedes")
        self.supersededBy = try readBytes(c.pointee.superseded_by, exactly: 16, "superseded_by")
        self.deletedAtUs = c.pointee.deleted_at_us
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Decision>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        c.pointee.created_at_us = self.createdAtUs
        c.pointee.shared = self.shared ? 1 : 0
        c.pointee.supersedes = arena.bytes(self.supersedes)
        c.pointee.superseded_by = arena.bytes(self.supersededBy)
        c.pointee.deleted_at_us = self.deletedAtUs
        c.pointee.position = self.position
    }
}

public struct CreateDecisionRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 16384 bytes.
    public var text: String = ""
    /// max 129 bytes.
    public var conversation: String = ""
    /// exactly 16 bytes.
    public var sourceMessage: [UInt8] = []
    /// Needs `conversation`.
    public var shared: Bool = false
    /// exactly 16 bytes. An earlier decision of the caller's own, or one shared with the same conversation. If that
    /// is shared, so must be this one.
    public var supersedes: [UInt8] = []

    public init() {}

    public init(
        id: [UInt8] = [],
        text: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        shared: Bool = false,
        supersedes: [UInt8] = []
    ) {
        self.id = id
        self.text = text
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.shared = shared
        self.supersedes = supersedes
    }

    public static var messageName: String { "CreateDecisionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateDecisionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateDecisionRequest>? {
        parley__v1__create_decision_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateDecisionRequest>) { parley__v1__create_decision_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateDecisionRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.shared = c.pointee.shared != 0
        self.supersedes = try readBytes(c.pointee.supersedes, exactly: 16, "supersedes")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateDecisionRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        c.pointee.shared = self.shared ? 1 : 0
        c.pointee.supersedes = arena.bytes(self.supersedes)
    }
}

public struct DecisionReply: WireMessage {
    public var decision: Decision?
    /// It was so already.
    public var duplicate: Bool = false

    public init() {}

    public init(decision: Decision? = nil, duplicate: Bool = false) {
        self.decision = decision
        self.duplicate = duplicate
    }

    public static var messageName: String { "DecisionReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DecisionReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DecisionReply>? {
        parley__v1__decision_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DecisionReply>) { parley__v1__decision_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DecisionReply>) throws(DecodeFailure) {
        self.decision = try readMessage(c.pointee.decision, "decision")
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DecisionReply>, _ arena: inout Arena) {
        if let decision { c.pointee.decision = arena.message(decision) }
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct GetDecisionRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "GetDecisionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetDecisionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetDecisionRequest>? {
        parley__v1__get_decision_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetDecisionRequest>) { parley__v1__get_decision_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetDecisionRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetDecisionRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct DeleteDecisionRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "DeleteDecisionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteDecisionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteDecisionRequest>? {
        parley__v1__delete_decision_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteDecisionRequest>) { parley__v1__delete_decision_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteDecisionRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteDecisionRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct ListDecisionsRequest: Paged {
    /// max 129 bytes. Empty: all of the caller's own.
    public var conversation: String = ""
    /// Those shared with `conversation`, by anyone, instead of the caller's own.
    public var sharedOnly: Bool = false
    /// max 256 bytes. Only decisions that contain it, ignoring case and accents.
    public var text: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 100.
    public var limit: UInt32 = 0

    public init() {}

    public init(
        conversation: String = "",
        sharedOnly: Bool = false,
        text: String = "",
        cursor: String = "",
        limit: UInt32 = 0
    ) {
        self.conversation = conversation
        self.sharedOnly = sharedOnly
        self.text = text
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListDecisionsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListDecisionsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListDecisionsRequest>? {
        parley__v1__list_decisions_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListDecisionsRequest>) { parley__v1__list_decisions_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListDecisionsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sharedOnly = c.pointee.shared_only != 0
        self.text = try readString(c.pointee.text, max: 256, "text")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListDecisionsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.shared_only = self.sharedOnly ? 1 : 0
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListDecisionsReply: Paged {
    /// max 100 items.
    public var decisions: [Decision] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(decisions: [Decision] = [], cursor: String = "") {
        self.decisions = decisions
        self.cursor = cursor
    }

    public static var messageName: String { "ListDecisionsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListDecisionsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListDecisionsReply>? {
        parley__v1__list_decisions_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListDecisionsReply>) { parley__v1__list_decisions_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListDecisionsReply>) throws(DecodeFailure) {
        self.decisions = try readMessages(c.pointee.decisions, c.pointee.n_decisions, maxItems: 100, "decisions")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListDecisionsReply>, _ arena: inout Arena) {
        c.pointee.n_decisions = self.decisions.count
        c.pointee.decisions = arena.messages(self.decisions)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

public struct EntitiesSyncRequest: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    public var sincePosition: Int64 = 0
    /// Zero: 50; at most 100.
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
    /// max 100 items.
    public var decisions: [Decision] = []

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        reminders: [Reminder] = [],
        more: Bool = false,
        decisions: [Decision] = []
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.reminders = reminders
        self.more = more
        self.decisions = decisions
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
        self.decisions = try readMessages(c.pointee.decisions, c.pointee.n_decisions, maxItems: 100, "decisions")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EntitiesSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_reminders = self.reminders.count
        c.pointee.reminders = arena.messages(self.reminders)
        c.pointee.more = self.more ? 1 : 0
        c.pointee.n_decisions = self.decisions.count
        c.pointee.decisions = arena.messages(self.decisions)
    }
}
