// Generated from entities.proto (sha256 957fc5c3fb76b4a9dae9f2c3ff94e3d4b1af4e678df0a76c69433981b8b52004) by proto/generate. Do not edit.

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
    /// Changes who sees what. Refusals: not_member (of the conversation it names), user_blocked, accept_first,
    /// request_pending, id_in_use, id_too_old, id_from_future, invalid, too_large, decision_not_found (supersedes),
    /// forbidden (to supersede what another member of a group decided, for members who are neither owner nor admin),
    /// already_superseded, too_many_decisions (10,000), rate_limited.
    public static let createDecision = Method<CreateDecisionRequest, DecisionReply>(name: "entities.CreateDecision", access: .signedIn)
    /// Creator. Or a member who may read the system message with it. Returns a decision. Refusals: not_found.
    public static let getDecision = Method<GetDecisionRequest, DecisionReply>(name: "entities.GetDecision", access: .creator)
    /// Creator. Deletes a decision, and the system message with it. What it superseded holds again. Repeating it
    /// changes nothing. Changes who sees what. Refusals: not_found, rate_limited.
    public static let deleteDecision = Method<DeleteDecisionRequest, DecisionReply>(name: "entities.DeleteDecision", access: .creator)
    /// Self. Lists decisions, newest first: the caller's own, or with `shared_only` those shared with the
    /// conversation that the caller may read. Expensive. Paged. A page may have fewer decisions than requested, or
    /// none, although more follow. Refusals: not_member (of the conversation it names), invalid.
    public static let listDecisions = Method<ListDecisionsRequest, ListDecisionsReply>(name: "entities.ListDecisions", access: .own, isExpensive: true)
    /// Signed in. Creates an event and invites conversations in which the caller may write. Without any, only the
    /// caller sees it. In each conversation it appears as a system message (EVENT_SHARED) half a second later at
    /// most, if the caller may still write by then. The caller accepts it at once. The same id again returns the
    /// first result. Refusals: not_member (of a conversation it names), user_blocked, accept_first, request_pending,
    /// id_in_use, id_too_old, id_from_future, invalid, too_many_events (10,000), rate_limited.
    public static let createEvent = Method<CreateEventRequest, EventReply>(name: "entities.CreateEvent", access: .signedIn)
    /// Creator. Or a co-host, somebody who accepted or may come, or a member who may read the system message with it.
    /// Returns an event. Refusals: not_found.
    public static let getEvent = Method<GetEventRequest, EventReply>(name: "entities.GetEvent", access: .creator)
    /// Creator. Or a co-host. Changes an event, if the caller knows its latest version. Repeating it changes nothing.
    /// Refusals: not_found, not_host, event_changed (the message says what others changed), event_cancelled, invalid,
    /// rate_limited.
    public static let updateEvent = Method<UpdateEventRequest, EventReply>(name: "entities.UpdateEvent", access: .creator)
    /// Creator. Or a co-host. Calls an event off. It stays in every list, with `cancelled_at_us`. Repeating it
    /// changes nothing. Refusals: not_found, not_host, rate_limited.
    public static let cancelEvent = Method<CancelEventRequest, EventReply>(name: "entities.CancelEvent", access: .creator)
    /// Creator. Deletes an event everywhere, with its system messages. Its devices get it with `deleted_at_us` and
    /// without its content. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host,
    /// rate_limited.
    public static let deleteEvent = Method<DeleteEventRequest, EventReply>(name: "entities.DeleteEvent", access: .creator)
    /// Creator. Or a co-host. Invites a conversation in which the caller may write, also one from which the event was
    /// withdrawn. Repeating it changes nothing. Changes who sees what. Refusals: not_found, not_host,
    /// event_cancelled, not_member, user_blocked, accept_first, request_pending, too_many_conversations (20),
    /// rate_limited.
    public static let inviteConversation = Method<InviteConversationRequest, EventReply>(name: "entities.InviteConversation", access: .creator)
    /// Creator. Or a co-host. Withdraws the invitation of a conversation, and deletes the system message there. Who
    /// neither accepted nor may come no longer sees the event, unless by another conversation. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_found, not_host, rate_limited.
    public static let uninviteConversation = Method<UninviteConversationRequest, EventReply>(name: "entities.UninviteConversation", access: .creator)
    /// Creator. Asks a person who sees the event to host it too: they are a guest like others until they accept
    /// (AnswerEvent). Without `host`, they are no longer asked, and no longer a co-host. Repeating it changes
    /// nothing. Changes who sees what. Refusals: not_found, not_host, user_not_invited, host_declined (they declined
    /// to host, or to come, and have not said since that they come), too_many_hosts (20, with those asked),
    /// too_many_attendees (1,000), rate_limited.
    public static let setEventHost = Method<SetEventHostRequest, EventReply>(name: "entities.SetEventHost", access: .creator)
    /// Creator. Or whoever sees the event. Answers an invitation, for all its dates, from any of the invited
    /// conversations, and to whoever asked the caller to host. A later answer replaces it. Who declines no longer
    /// hosts, and gets no more Updates of the event until they answer again. Repeating it changes nothing. Changes
    /// who sees what. Refusals: not_found, not_member (of the invited conversation it names), user_blocked,
    /// accept_first, not_asked (to host), event_cancelled, too_many_attendees (1,000), invalid, rate_limited.
    public static let answerEvent = Method<AnswerEventRequest, EventReply>(name: "entities.AnswerEvent", access: .creator)
    /// Creator. Or whoever sees the event. Lists the people who answered, and what they answered. Paged. Refusals:
    /// not_found, invalid.
    public static let listAttendees = Method<ListAttendeesRequest, ListAttendeesReply>(name: "entities.ListAttendees", access: .creator)
    /// Self. Lists the dates of events between two days, by time: those of the caller's own events, of those they
    /// answered and of those into which a conversation of theirs is invited. Paged. Refusals: not_member (of the
    /// conversation it names), invalid.
    public static let listEvents = Method<ListEventsRequest, ListEventsReply>(name: "entities.ListEvents", access: .own)
    /// Creator. Or whoever sees the event. Returns an event, with the people who answered, as a file in the format
    /// iCalendar. Expensive. Refusals: not_found.
    public static let exportEvent = Method<ExportEventRequest, ExportEventReply>(name: "entities.ExportEvent", access: .creator, isExpensive: true)
    /// Self. Makes a secret link by which calendars get the caller's events over HTTP, until it is deleted. The
    /// caller's earlier link ends. Repeating it makes another link, and ends the one before. Refusals: rate_limited.
    public static let createCalendarLink = Method<CreateCalendarLinkRequest, CreateCalendarLinkReply>(name: "entities.CreateCalendarLink", access: .own)
    /// Self. Ends the caller's secret link. Repeating it changes nothing. Refusals: rate_limited.
    public static let deleteCalendarLink = Method<DeleteCalendarLinkRequest, DeleteCalendarLinkReply>(name: "entities.DeleteCalendarLink", access: .own)
    /// Self. Lists the caller's open suggestions, newest first. Paged. Refusals: not_member (of the conversation it
    /// names), invalid.
    public static let listSuggestions = Method<ListSuggestionsRequest, ListSuggestionsReply>(name: "entities.ListSuggestions", access: .own)
    /// Creator. Here: the person for whom the suggestion was made. Makes what it says, with the changes that the
    /// request names. A reminder is the caller's own, and so is a decision unless it is to be shared. An event
    /// invites the conversation of the message; if another member made an event of the message before, this answers
    /// it. The entity has the id of the first suggestion that was accepted. Repeating it returns the first result.
    /// Changes who sees what. Refusals: not_found (also one that was dismissed, or whose message is gone), invalid,
    /// rate_limited, not_member (this and those that follow: of what it makes), user_blocked, accept_first,
    /// request_pending, event_cancelled, too_many_attendees (1,000), too_many_events (10,000), too_many_reminders
    /// (10,000), too_many_decisions (10,000).
    public static let acceptSuggestion = Method<AcceptSuggestionRequest, AcceptSuggestionReply>(name: "entities.AcceptSuggestion", access: .creator)
    /// Creator. Here: the person for whom the suggestion was made. Dismisses it, on all devices. Repeating it changes
    /// nothing. Refusals: not_found (also one that was accepted, or whose message is gone), rate_limited.
    public static let dismissSuggestion = Method<DismissSuggestionRequest, SuggestionReply>(name: "entities.DismissSuggestion", access: .creator)
    /// Self. Returns where the caller has turned suggestions off. Refusals: none.
    public static let getSuggestionSettings = Method<GetSuggestionSettingsRequest, SuggestionSettings>(name: "entities.GetSuggestionSettings", access: .own)
    /// Self. Turns suggestions off or on: all of the caller's, or those of a conversation. Off, open ones are
    /// withdrawn. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (more
    /// than 1,000 conversations), rate_limited.
    public static let updateSuggestionSettings = Method<UpdateSuggestionSettingsRequest, SuggestionSettings>(name: "entities.UpdateSuggestionSettings", access: .own)
    /// Self. Returns whether a language model outside Parley reads the messages of a conversation of the caller, and
    /// what the caller has said about it. Refusals: not_member.
    public static let getModelReading = Method<GetModelReadingRequest, ModelReading>(name: "entities.GetModelReading", access: .own)
    /// Self. Says whether a model may read the messages of a conversation of the caller: of a group its owner, of a
    /// direct conversation both people. Each member can keep their own messages from it, in one conversation or
    /// everywhere. Repeating it changes nothing. Refusals: not_member, forbidden (to allow it in a group of another
    /// owner), invalid (to allow it everywhere; 1,000 conversations), rate_limited.
    public static let updateModelReading = Method<UpdateModelReadingRequest, ModelReading>(name: "entities.UpdateModelReading", access: .own)
    /// Self. Returns the caller's entities that changed after a position of stream "entities/u/ME", in order of
    /// position. Refusals: none.
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
        "entities.CreateEvent",
        "entities.GetEvent",
        "entities.UpdateEvent",
        "entities.CancelEvent",
        "entities.DeleteEvent",
        "entities.InviteConversation",
        "entities.UninviteConversation",
        "entities.SetEventHost",
        "entities.AnswerEvent",
        "entities.ListAttendees",
        "entities.ListEvents",
        "entities.ExportEvent",
        "entities.CreateCalendarLink",
        "entities.DeleteCalendarLink",
        "entities.ListSuggestions",
        "entities.AcceptSuggestion",
        "entities.DismissSuggestion",
        "entities.GetSuggestionSettings",
        "entities.UpdateSuggestionSettings",
        "entities.GetModelReading",
        "entities.UpdateModelReading",
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

public enum AttendanceStatus: Sendable, Hashable {
    case unspecified
    /// No answer yet, or taken back.
    case pending
    case accepted
    case declined
    /// May come.
    case tentative
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .pending
        case 2: self = .accepted
        case 3: self = .declined
        case 4: self = .tentative
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .pending: 1
        case .accepted: 2
        case .declined: 3
        case .tentative: 4
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum SuggestionKind: Sendable, Hashable {
    case unspecified
    case event
    case reminder
    case decision
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .event
        case 2: self = .reminder
        case 3: self = .decision
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .event: 1
        case .reminder: 2
        case .decision: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum SuggestionState: Sendable, Hashable {
    case unspecified
    case `open`
    case accepted
    case dismissed
    /// The message says it no more, the person may no longer read it or blocks its sender, or others took its place.
    case withdrawn
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .`open`
        case 2: self = .accepted
        case 3: self = .dismissed
        case 4: self = .withdrawn
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .`open`: 1
        case .accepted: 2
        case .dismissed: 3
        case .withdrawn: 4
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

/// The state of an event, as the reader sees it: whoever created or hosts it, is asked to, or answered otherwise than
/// by declining. Other members learn of changes by the system message with it. Update of stream "entities/u/ME", key
/// id, after a gap from entities.Sync.
public struct Event: StreamState {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 64 bytes. User id.
    public var creator: String = ""
    /// max 512 bytes.
    public var title: String = ""
    /// Its first date.
    public var when: EventTime?
    /// max 512 bytes. In free form.
    public var location: String = ""
    /// max 2048 bytes. An https URL.
    public var link: String = ""
    /// max 4096 bytes.
    public var notes: String = ""
    /// max 256 bytes. As in CreateEventRequest; empty: it takes place once.
    public var recurrence: String = ""
    /// max 100 items. In order of date.
    public var changedDates: [ChangedDate] = []
    /// When its first date begins; without a time of day, midnight UTC.
    public var startsAtUs: Int64 = 0
    /// Grows with each change by a host, but not with answers.
    public var version: Int64 = 0
    /// max 129 bytes. Where it came from, if the reader created it.
    public var conversation: String = ""
    /// exactly 16 bytes. The message that it came from, if the reader created it.
    public var sourceMessage: [UInt8] = []
    public var createdAtUs: Int64 = 0
    /// Not zero: called off.
    public var cancelledAtUs: Int64 = 0
    /// Not zero: deleted, declined, or no longer theirs to see. Only `id` and times remain. GetEvent and replies
    /// still have what was declined.
    public var deletedAtUs: Int64 = 0
    /// How many people accepted.
    public var accepted: UInt32 = 0
    public var tentative: UInt32 = 0
    public var declined: UInt32 = 0
    /// Who accepted, with those whom they bring.
    public var coming: UInt32 = 0
    /// The reader's answer.
    public var own: Attendance?
    /// How long before each date the reader is reminded; -1: not at all.
    public var remindMinutes: Int32 = 0
    /// When the reader was last reminded; zero: not yet.
    public var remindedAtUs: Int64 = 0
    /// When the date begins of which the reader was last reminded.
    public var remindedOfUs: Int64 = 0
    /// max 20 items of 64 bytes. User ids of co-hosts.
    public var hosts: [String] = []
    /// max 20 items of 129 bytes. Those invited, if the reader is a host.
    public var conversations: [String] = []
    /// In stream "entities/u/ME"; zero for who has not answered, or declined.
    public var position: Int64 = 0
    /// max 20 items of 64 bytes. Who is asked to host, if the reader is a host.
    public var askedHosts: [String] = []

    public init() {}

    public init(
        id: [UInt8] = [],
        creator: String = "",
        title: String = "",
        when: EventTime? = nil,
        location: String = "",
        link: String = "",
        notes: String = "",
        recurrence: String = "",
        changedDates: [ChangedDate] = [],
        startsAtUs: Int64 = 0,
        version: Int64 = 0,
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        createdAtUs: Int64 = 0,
        cancelledAtUs: Int64 = 0,
        deletedAtUs: Int64 = 0,
        accepted: UInt32 = 0,
        tentative: UInt32 = 0,
        declined: UInt32 = 0,
        coming: UInt32 = 0,
        own: Attendance? = nil,
        remindMinutes: Int32 = 0,
        remindedAtUs: Int64 = 0,
        remindedOfUs: Int64 = 0,
        hosts: [String] = [],
        conversations: [String] = [],
        position: Int64 = 0,
        askedHosts: [String] = []
    ) {
        self.id = id
        self.creator = creator
        self.title = title
        self.when = when
        self.location = location
        self.link = link
        self.notes = notes
        self.recurrence = recurrence
        self.changedDates = changedDates
        self.startsAtUs = startsAtUs
        self.version = version
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.createdAtUs = createdAtUs
        self.cancelledAtUs = cancelledAtUs
        self.deletedAtUs = deletedAtUs
        self.accepted = accepted
        self.tentative = tentative
        self.declined = declined
        self.coming = coming
        self.own = own
        self.remindMinutes = remindMinutes
        self.remindedAtUs = remindedAtUs
        self.remindedOfUs = remindedOfUs
        self.hosts = hosts
        self.conversations = conversations
        self.position = position
        self.askedHosts = askedHosts
    }

    public static var messageName: String { "Event" }

    public static var streamPrefix: String { "entities/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Event: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Event>? {
        parley__v1__event__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Event>) { parley__v1__event__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Event>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.creator = try readString(c.pointee.creator, max: 64, "creator")
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.when = try readMessage(c.pointee.when, "when")
        self.location = try readString(c.pointee.location, max: 512, "location")
        self.link = try readString(c.pointee.link, max: 2048, "link")
        self.notes = try readString(c.pointee.notes, max: 4096, "notes")
        self.recurrence = try readString(c.pointee.recurrence, max: 256, "recurrence")
        self.changedDates = try readMessages(c.pointee.changed_dates, c.pointee.n_changed_dates, maxItems: 100, "changed_dates")
        self.startsAtUs = c.pointee.starts_at_us
        self.version = c.pointee.version
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.createdAtUs = c.pointee.created_at_us
        self.cancelledAtUs = c.pointee.cancelled_at_us
        self.deletedAtUs = c.pointee.deleted_at_us
        self.accepted = c.pointee.accepted
        self.tentative = c.pointee.tentative
        self.declined = c.pointee.declined
        self.coming = c.pointee.coming
        self.own = try readMessage(c.pointee.own, "own")
        self.remindMinutes = c.pointee.remind_minutes
        self.remindedAtUs = c.pointee.reminded_at_us
        self.remindedOfUs = c.pointee.reminded_of_us
        self.hosts = try readStrings(c.pointee.hosts, c.pointee.n_hosts, maxItems: 20, maxBytes: 64, "hosts")
        self.conversations = try readStrings(c.pointee.conversations, c.pointee.n_conversations, maxItems: 20, maxBytes: 129, "conversations")
        self.position = c.pointee.position
        self.askedHosts = try readStrings(c.pointee.asked_hosts, c.pointee.n_asked_hosts, maxItems: 20, maxBytes: 64, "asked_hosts")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Event>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.creator.isEmpty { c.pointee.creator = arena.string(self.creator) }
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        if let when { c.pointee.when = arena.message(when) }
        if !self.location.isEmpty { c.pointee.location = arena.string(self.location) }
        if !self.link.isEmpty { c.pointee.link = arena.string(self.link) }
        if !self.notes.isEmpty { c.pointee.notes = arena.string(self.notes) }
        if !self.recurrence.isEmpty { c.pointee.recurrence = arena.string(self.recurrence) }
        c.pointee.n_changed_dates = self.changedDates.count
        c.pointee.changed_dates = arena.messages(self.changedDates)
        c.pointee.starts_at_us = self.startsAtUs
        c.pointee.version = self.version
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        c.pointee.created_at_us = self.createdAtUs
        c.pointee.cancelled_at_us = self.cancelledAtUs
        c.pointee.deleted_at_us = self.deletedAtUs
        c.pointee.accepted = self.accepted
        c.pointee.tentative = self.tentative
        c.pointee.declined = self.declined
        c.pointee.coming = self.coming
        if let own { c.pointee.own = arena.message(own) }
        c.pointee.remind_minutes = self.remindMinutes
        c.pointee.reminded_at_us = self.remindedAtUs
        c.pointee.reminded_of_us = self.remindedOfUs
        c.pointee.n_hosts = self.hosts.count
        c.pointee.hosts = arena.strings(self.hosts)
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.strings(self.conversations)
        c.pointee.position = self.position
        c.pointee.n_asked_hosts = self.askedHosts.count
        c.pointee.asked_hosts = arena.strings(self.askedHosts)
    }
}

/// How many people come to an event after answers of others, which change nothing else for the reader: at most about
/// one Update a second, whatever many answer. Update of stream "entities/u/ME", key id of Event, after a gap from
/// entities.Sync.
public struct EventCounts: StreamState {
    /// exactly 16 bytes. The event's.
    public var id: [UInt8] = []
    /// That of the event from now on.
    public var position: Int64 = 0
    /// As in Event, and the next ones.
    public var accepted: UInt32 = 0
    public var tentative: UInt32 = 0
    public var declined: UInt32 = 0
    public var coming: UInt32 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        position: Int64 = 0,
        accepted: UInt32 = 0,
        tentative: UInt32 = 0,
        declined: UInt32 = 0,
        coming: UInt32 = 0
    ) {
        self.id = id
        self.position = position
        self.accepted = accepted
        self.tentative = tentative
        self.declined = declined
        self.coming = coming
    }

    public static var messageName: String { "EventCounts" }

    public static var streamPrefix: String { "entities/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EventCounts: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EventCounts>? {
        parley__v1__event_counts__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EventCounts>) { parley__v1__event_counts__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EventCounts>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.position = c.pointee.position
        self.accepted = c.pointee.accepted
        self.tentative = c.pointee.tentative
        self.declined = c.pointee.declined
        self.coming = c.pointee.coming
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EventCounts>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.position = self.position
        c.pointee.accepted = self.accepted
        c.pointee.tentative = self.tentative
        c.pointee.declined = self.declined
        c.pointee.coming = self.coming
    }
}

/// When an event takes place. A date without a time of day is that day wherever the reader is.
public struct EventTime: WireMessage {
    /// max 10 bytes. "2026-12-01"
    public var date: String = ""
    /// max 5 bytes. "19:30"; empty: whole days.
    public var time: String = ""
    /// max 64 bytes. IANA name; with `time` only, "UTC" if empty.
    public var timeZone: String = ""
    /// At most 527,040 (366 days). With `time`, zero says that it has no end. Without, it is a multiple of 1,440, and
    /// zero is one day.
    public var durationMinutes: UInt32 = 0

    public init() {}

    public init(date: String = "", time: String = "", timeZone: String = "", durationMinutes: UInt32 = 0) {
        self.date = date
        self.time = time
        self.timeZone = timeZone
        self.durationMinutes = durationMinutes
    }

    public static var messageName: String { "EventTime" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EventTime: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EventTime>? {
        parley__v1__event_time__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EventTime>) { parley__v1__event_time__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EventTime>) throws(DecodeFailure) {
        self.date = try readString(c.pointee.date, max: 10, "date")
        self.time = try readString(c.pointee.time, max: 5, "time")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.durationMinutes = c.pointee.duration_minutes
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EventTime>, _ arena: inout Arena) {
        if !self.date.isEmpty { c.pointee.date = arena.string(self.date) }
        if !self.time.isEmpty { c.pointee.time = arena.string(self.time) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        c.pointee.duration_minutes = self.durationMinutes
    }
}

/// A date of a recurring event that is called off or takes place at another time.
public struct ChangedDate: WireMessage {
    /// max 10 bytes. The date by the recurrence.
    public var date: String = ""
    public var cancelled: Bool = false
    /// max 10 bytes. Unless it is cancelled.
    public var newDate: String = ""
    /// max 5 bytes. Only for an event with a time of day.
    public var newTime: String = ""

    public init() {}

    public init(date: String = "", cancelled: Bool = false, newDate: String = "", newTime: String = "") {
        self.date = date
        self.cancelled = cancelled
        self.newDate = newDate
        self.newTime = newTime
    }

    public static var messageName: String { "ChangedDate" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ChangedDate: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ChangedDate>? {
        parley__v1__changed_date__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ChangedDate>) { parley__v1__changed_date__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ChangedDate>) throws(DecodeFailure) {
        self.date = try readString(c.pointee.date, max: 10, "date")
        self.cancelled = c.pointee.cancelled != 0
        self.newDate = try readString(c.pointee.new_date, max: 10, "new_date")
        self.newTime = try readString(c.pointee.new_time, max: 5, "new_time")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ChangedDate>, _ arena: inout Arena) {
        if !self.date.isEmpty { c.pointee.date = arena.string(self.date) }
        c.pointee.cancelled = self.cancelled ? 1 : 0
        if !self.newDate.isEmpty { c.pointee.new_date = arena.string(self.newDate) }
        if !self.newTime.isEmpty { c.pointee.new_time = arena.string(self.newTime) }
    }
}

public struct Attendance: WireMessage {
    /// max 64 bytes.
    public var user: String = ""
    public var status: AttendanceStatus = .unspecified
    /// How many come along.
    public var guests: UInt32 = 0
    /// max 129 bytes. From where they answered, for themselves and for hosts.
    public var conversation: String = ""
    /// Zero: not yet.
    public var answeredAtUs: Int64 = 0
    /// The creator or a co-host.
    public var host: Bool = false
    /// Asked to host, and not answered; for themselves and for hosts.
    public var askedToHost: Bool = false

    public init() {}

    public init(
        user: String = "",
        status: AttendanceStatus = .unspecified,
        guests: UInt32 = 0,
        conversation: String = "",
        answeredAtUs: Int64 = 0,
        host: Bool = false,
        askedToHost: Bool = false
    ) {
        self.user = user
        self.status = status
        self.guests = guests
        self.conversation = conversation
        self.answeredAtUs = answeredAtUs
        self.host = host
        self.askedToHost = askedToHost
    }

    public static var messageName: String { "Attendance" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Attendance: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Attendance>? {
        parley__v1__attendance__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Attendance>) { parley__v1__attendance__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Attendance>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.status = AttendanceStatus(rawValue: Int32(bitPattern: c.pointee.status.rawValue))
        self.guests = c.pointee.guests
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.answeredAtUs = c.pointee.answered_at_us
        self.host = c.pointee.host != 0
        self.askedToHost = c.pointee.asked_to_host != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Attendance>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.status = Parley__V1__AttendanceStatus(rawValue: UInt32(bitPattern: self.status.rawValue))
        c.pointee.guests = self.guests
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.answered_at_us = self.answeredAtUs
        c.pointee.host = self.host ? 1 : 0
        c.pointee.asked_to_host = self.askedToHost ? 1 : 0
    }
}

public struct CreateEventRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 512 bytes.
    public var title: String = ""
    public var when: EventTime?
    /// max 512 bytes.
    public var location: String = ""
    /// max 2048 bytes.
    public var link: String = ""
    /// max 4096 bytes.
    public var notes: String = ""
    /// max 256 bytes. A rule by RFC 5545, such as "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20271231". It may have FREQ (DAILY,
    /// WEEKLY, MONTHLY, YEARLY), INTERVAL, BYDAY, COUNT (at most 1,000), UNTIL and WKST. The first date is one of its
    /// dates. UNTIL is a day or a time in UTC.
    public var recurrence: String = ""
    /// max 20 items of 129 bytes. To invite at once.
    public var conversations: [String] = []
    /// max 129 bytes. Where it came from.
    public var conversation: String = ""
    /// exactly 16 bytes. The message that it came from.
    public var sourceMessage: [UInt8] = []

    public init() {}

    public init(
        id: [UInt8] = [],
        title: String = "",
        when: EventTime? = nil,
        location: String = "",
        link: String = "",
        notes: String = "",
        recurrence: String = "",
        conversations: [String] = [],
        conversation: String = "",
        sourceMessage: [UInt8] = []
    ) {
        self.id = id
        self.title = title
        self.when = when
        self.location = location
        self.link = link
        self.notes = notes
        self.recurrence = recurrence
        self.conversations = conversations
        self.conversation = conversation
        self.sourceMessage = sourceMessage
    }

    public static var messageName: String { "CreateEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateEventRequest>? {
        parley__v1__create_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateEventRequest>) { parley__v1__create_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.when = try readMessage(c.pointee.when, "when")
        self.location = try readString(c.pointee.location, max: 512, "location")
        self.link = try readString(c.pointee.link, max: 2048, "link")
        self.notes = try readString(c.pointee.notes, max: 4096, "notes")
        self.recurrence = try readString(c.pointee.recurrence, max: 256, "recurrence")
        self.conversations = try readStrings(c.pointee.conversations, c.pointee.n_conversations, maxItems: 20, maxBytes: 129, "conversations")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        if let when { c.pointee.when = arena.message(when) }
        if !self.location.isEmpty { c.pointee.location = arena.string(self.location) }
        if !self.link.isEmpty { c.pointee.link = arena.string(self.link) }
        if !self.notes.isEmpty { c.pointee.notes = arena.string(self.notes) }
        if !self.recurrence.isEmpty { c.pointee.recurrence = arena.string(self.recurrence) }
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.strings(self.conversations)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
    }
}

public struct EventReply: WireMessage {
    public var event: Event?
    /// It was so already.
    public var duplicate: Bool = false
    /// Of the Update that ends the event for who declined, in stream "entities/u/ME"; otherwise zero.
    public var position: Int64 = 0

    public init() {}

    public init(event: Event? = nil, duplicate: Bool = false, position: Int64 = 0) {
        self.event = event
        self.duplicate = duplicate
        self.position = position
    }

    public static var messageName: String { "EventReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EventReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EventReply>? {
        parley__v1__event_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EventReply>) { parley__v1__event_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EventReply>) throws(DecodeFailure) {
        self.event = try readMessage(c.pointee.event, "event")
        self.duplicate = c.pointee.duplicate != 0
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EventReply>, _ arena: inout Arena) {
        if let event { c.pointee.event = arena.message(event) }
        c.pointee.duplicate = self.duplicate ? 1 : 0
        c.pointee.position = self.position
    }
}

public struct GetEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "GetEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetEventRequest>? {
        parley__v1__get_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetEventRequest>) { parley__v1__get_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct UpdateEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// The version that the caller knows.
    public var version: Int64 = 0
    public var changeTitle: ChangeTitle?
    /// Dates that the rule no longer has are forgotten, also if they were changed. Absent: it stays.
    public var when: EventTime?
    public var changeLocation: ChangeLocation?
    public var changeLink: ChangeLink?
    public var changeNotes: ChangeNotes?
    public var changeRecurrence: ChangeRecurrence?
    /// max 100 items. Each replaces what was changed about its date before.
    public var changedDates: [ChangedDate] = []
    /// max 100 items of 10 bytes. Dates that take place as the rule says.
    public var restoredDates: [String] = []

    public enum ChangeTitle: Sendable, Equatable {
        case title(String)
    }

    public enum ChangeLocation: Sendable, Equatable {
        case location(String)
    }

    public enum ChangeLink: Sendable, Equatable {
        case link(String)
    }

    public enum ChangeNotes: Sendable, Equatable {
        case notes(String)
    }

    public enum ChangeRecurrence: Sendable, Equatable {
        case recurrence(String)
    }

    public init() {}

    public init(
        id: [UInt8] = [],
        version: Int64 = 0,
        changeTitle: ChangeTitle? = nil,
        when: EventTime? = nil,
        changeLocation: ChangeLocation? = nil,
        changeLink: ChangeLink? = nil,
        changeNotes: ChangeNotes? = nil,
        changeRecurrence: ChangeRecurrence? = nil,
        changedDates: [ChangedDate] = [],
        restoredDates: [String] = []
    ) {
        self.id = id
        self.version = version
        self.changeTitle = changeTitle
        self.when = when
        self.changeLocation = changeLocation
        self.changeLink = changeLink
        self.changeNotes = changeNotes
        self.changeRecurrence = changeRecurrence
        self.changedDates = changedDates
        self.restoredDates = restoredDates
    }

    public static var messageName: String { "UpdateEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateEventRequest>? {
        parley__v1__update_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateEventRequest>) { parley__v1__update_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.version = c.pointee.version
        switch c.pointee.change_title_case.rawValue {
        case 3: self.changeTitle = .title(try readString(c.pointee.title, max: 512, "title"))
        default: break
        }
        self.when = try readMessage(c.pointee.when, "when")
        switch c.pointee.change_location_case.rawValue {
        case 5: self.changeLocation = .location(try readString(c.pointee.location, max: 512, "location"))
        default: break
        }
        switch c.pointee.change_link_case.rawValue {
        case 6: self.changeLink = .link(try readString(c.pointee.link, max: 2048, "link"))
        default: break
        }
        switch c.pointee.change_notes_case.rawValue {
        case 7: self.changeNotes = .notes(try readString(c.pointee.notes, max: 4096, "notes"))
        default: break
        }
        switch c.pointee.change_recurrence_case.rawValue {
        case 8: self.changeRecurrence = .recurrence(try readString(c.pointee.recurrence, max: 256, "recurrence"))
        default: break
        }
        self.changedDates = try readMessages(c.pointee.changed_dates, c.pointee.n_changed_dates, maxItems: 100, "changed_dates")
        self.restoredDates = try readStrings(c.pointee.restored_dates, c.pointee.n_restored_dates, maxItems: 100, maxBytes: 10, "restored_dates")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.version = self.version
        switch self.changeTitle {
        case nil: break
        case .title(let value):
            c.pointee.change_title_case = Parley__V1__UpdateEventRequest__ChangeTitleCase(rawValue: 3)
            c.pointee.title = arena.string(value)
        }
        if let when { c.pointee.when = arena.message(when) }
        switch self.changeLocation {
        case nil: break
        case .location(let value):
            c.pointee.change_location_case = Parley__V1__UpdateEventRequest__ChangeLocationCase(rawValue: 5)
            c.pointee.location = arena.string(value)
        }
        switch self.changeLink {
        case nil: break
        case .link(let value):
            c.pointee.change_link_case = Parley__V1__UpdateEventRequest__ChangeLinkCase(rawValue: 6)
            c.pointee.link = arena.string(value)
        }
        switch self.changeNotes {
        case nil: break
        case .notes(let value):
            c.pointee.change_notes_case = Parley__V1__UpdateEventRequest__ChangeNotesCase(rawValue: 7)
            c.pointee.notes = arena.string(value)
        }
        switch self.changeRecurrence {
        case nil: break
        case .recurrence(let value):
            c.pointee.change_recurrence_case = Parley__V1__UpdateEventRequest__ChangeRecurrenceCase(rawValue: 8)
            c.pointee.recurrence = arena.string(value)
        }
        c.pointee.n_changed_dates = self.changedDates.count
        c.pointee.changed_dates = arena.messages(self.changedDates)
        c.pointee.n_restored_dates = self.restoredDates.count
        c.pointee.restored_dates = arena.strings(self.restoredDates)
    }
}

public struct CancelEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "CancelEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CancelEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CancelEventRequest>? {
        parley__v1__cancel_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CancelEventRequest>) { parley__v1__cancel_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CancelEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CancelEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct DeleteEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "DeleteEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteEventRequest>? {
        parley__v1__delete_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteEventRequest>) { parley__v1__delete_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct InviteConversationRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(id: [UInt8] = [], conversation: String = "") {
        self.id = id
        self.conversation = conversation
    }

    public static var messageName: String { "InviteConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension InviteConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__InviteConversationRequest>? {
        parley__v1__invite_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__InviteConversationRequest>) { parley__v1__invite_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__InviteConversationRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__InviteConversationRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct UninviteConversationRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(id: [UInt8] = [], conversation: String = "") {
        self.id = id
        self.conversation = conversation
    }

    public static var messageName: String { "UninviteConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UninviteConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UninviteConversationRequest>? {
        parley__v1__uninvite_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UninviteConversationRequest>) { parley__v1__uninvite_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UninviteConversationRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UninviteConversationRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct SetEventHostRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 64 bytes.
    public var user: String = ""
    public var host: Bool = false

    public init() {}

    public init(id: [UInt8] = [], user: String = "", host: Bool = false) {
        self.id = id
        self.user = user
        self.host = host
    }

    public static var messageName: String { "SetEventHostRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetEventHostRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetEventHostRequest>? {
        parley__v1__set_event_host_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetEventHostRequest>) { parley__v1__set_event_host_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetEventHostRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.host = c.pointee.host != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetEventHostRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.host = self.host ? 1 : 0
    }
}

public struct AnswerEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// Unspecified: the answer stays.
    public var status: AttendanceStatus = .unspecified
    /// How many come along, at most 100. Only if they accept or may come.
    public var guests: UInt32 = 0
    /// max 129 bytes. From where; empty: from one in which the caller sees it.
    public var conversation: String = ""
    public var changeReminder: ChangeReminder?
    public var changeHost: ChangeHost?

    public enum ChangeReminder: Sendable, Equatable {
        case remindMinutes(Int32)
    }

    public enum ChangeHost: Sendable, Equatable {
        case host(Bool)
    }

    public init() {}

    public init(
        id: [UInt8] = [],
        status: AttendanceStatus = .unspecified,
        guests: UInt32 = 0,
        conversation: String = "",
        changeReminder: ChangeReminder? = nil,
        changeHost: ChangeHost? = nil
    ) {
        self.id = id
        self.status = status
        self.guests = guests
        self.conversation = conversation
        self.changeReminder = changeReminder
        self.changeHost = changeHost
    }

    public static var messageName: String { "AnswerEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AnswerEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AnswerEventRequest>? {
        parley__v1__answer_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AnswerEventRequest>) { parley__v1__answer_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AnswerEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.status = AttendanceStatus(rawValue: Int32(bitPattern: c.pointee.status.rawValue))
        self.guests = c.pointee.guests
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        switch c.pointee.change_reminder_case.rawValue {
        case 5: self.changeReminder = .remindMinutes(c.pointee.remind_minutes)
        default: break
        }
        switch c.pointee.change_host_case.rawValue {
        case 6: self.changeHost = .host(c.pointee.host != 0)
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AnswerEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.status = Parley__V1__AttendanceStatus(rawValue: UInt32(bitPattern: self.status.rawValue))
        c.pointee.guests = self.guests
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        switch self.changeReminder {
        case nil: break
        case .remindMinutes(let value):
            c.pointee.change_reminder_case = Parley__V1__AnswerEventRequest__ChangeReminderCase(rawValue: 5)
            c.pointee.remind_minutes = value
        }
        switch self.changeHost {
        case nil: break
        case .host(let value):
            c.pointee.change_host_case = Parley__V1__AnswerEventRequest__ChangeHostCase(rawValue: 6)
            c.pointee.host = value ? 1 : 0
        }
    }
}

public struct ListAttendeesRequest: Paged {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(id: [UInt8] = [], cursor: String = "", limit: UInt32 = 0) {
        self.id = id
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListAttendeesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListAttendeesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListAttendeesRequest>? {
        parley__v1__list_attendees_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListAttendeesRequest>) { parley__v1__list_attendees_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListAttendeesRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListAttendeesRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListAttendeesReply: Paged {
    /// max 200 items. In order of their answers.
    public var attendees: [Attendance] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(attendees: [Attendance] = [], cursor: String = "") {
        self.attendees = attendees
        self.cursor = cursor
    }

    public static var messageName: String { "ListAttendeesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListAttendeesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListAttendeesReply>? {
        parley__v1__list_attendees_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListAttendeesReply>) { parley__v1__list_attendees_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListAttendeesReply>) throws(DecodeFailure) {
        self.attendees = try readMessages(c.pointee.attendees, c.pointee.n_attendees, maxItems: 200, "attendees")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListAttendeesReply>, _ arena: inout Arena) {
        c.pointee.n_attendees = self.attendees.count
        c.pointee.attendees = arena.messages(self.attendees)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

public struct ListEventsRequest: Paged {
    /// max 10 bytes. The first day.
    public var fromDate: String = ""
    /// max 10 bytes. The last day, at most 366 days in all.
    public var toDate: String = ""
    /// max 64 bytes. In which these days are meant. Empty: "UTC".
    public var timeZone: String = ""
    /// max 129 bytes. Only events into which it is invited. Empty: all.
    public var conversation: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 200; at most 1,000.
    public var limit: UInt32 = 0

    public init() {}

    public init(
        fromDate: String = "",
        toDate: String = "",
        timeZone: String = "",
        conversation: String = "",
        cursor: String = "",
        limit: UInt32 = 0
    ) {
        self.fromDate = fromDate
        self.toDate = toDate
        self.timeZone = timeZone
        self.conversation = conversation
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListEventsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListEventsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListEventsRequest>? {
        parley__v1__list_events_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListEventsRequest>) { parley__v1__list_events_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListEventsRequest>) throws(DecodeFailure) {
        self.fromDate = try readString(c.pointee.from_date, max: 10, "from_date")
        self.toDate = try readString(c.pointee.to_date, max: 10, "to_date")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListEventsRequest>, _ arena: inout Arena) {
        if !self.fromDate.isEmpty { c.pointee.from_date = arena.string(self.fromDate) }
        if !self.toDate.isEmpty { c.pointee.to_date = arena.string(self.toDate) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListEventsReply: Paged {
    /// max 1000 items.
    public var dates: [EventDate] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(dates: [EventDate] = [], cursor: String = "") {
        self.dates = dates
        self.cursor = cursor
    }

    public static var messageName: String { "ListEventsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListEventsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListEventsReply>? {
        parley__v1__list_events_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListEventsReply>) { parley__v1__list_events_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListEventsReply>) throws(DecodeFailure) {
        self.dates = try readMessages(c.pointee.dates, c.pointee.n_dates, maxItems: 1000, "dates")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListEventsReply>, _ arena: inout Arena) {
        c.pointee.n_dates = self.dates.count
        c.pointee.dates = arena.messages(self.dates)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

/// One date of an event. Cancelled dates are left out.
public struct EventDate: WireMessage {
    /// exactly 16 bytes.
    public var event: [UInt8] = []
    /// max 10 bytes. The date by the recurrence, also if it was moved.
    public var date: String = ""
    /// Without a time of day, midnight in the zone of the request.
    public var startsAtUs: Int64 = 0
    public var endsAtUs: Int64 = 0
    /// max 16 bytes. "2026-12-01T19:30" in the event's zone, or "2026-12-01".
    public var startsLocal: String = ""
    /// max 64 bytes. Empty: whole days.
    public var timeZone: String = ""
    /// max 512 bytes.
    public var title: String = ""
    /// max 512 bytes.
    public var location: String = ""
    /// The event was called off.
    public var cancelled: Bool = false
    /// The caller's answer.
    public var own: AttendanceStatus = .unspecified

    public init() {}

    public init(
        event: [UInt8] = [],
        date: String = "",
        startsAtUs: Int64 = 0,
        endsAtUs: Int64 = 0,
        startsLocal: String = "",
        timeZone: String = "",
        title: String = "",
        location: String = "",
        cancelled: Bool = false,
        own: AttendanceStatus = .unspecified
    ) {
        self.event = event
        self.date = date
        self.startsAtUs = startsAtUs
        self.endsAtUs = endsAtUs
        self.startsLocal = startsLocal
        self.timeZone = timeZone
        self.title = title
        self.location = location
        self.cancelled = cancelled
        self.own = own
    }

    public static var messageName: String { "EventDate" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension EventDate: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__EventDate>? {
        parley__v1__event_date__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__EventDate>) { parley__v1__event_date__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__EventDate>) throws(DecodeFailure) {
        self.event = try readBytes(c.pointee.event, exactly: 16, "event")
        self.date = try readString(c.pointee.date, max: 10, "date")
        self.startsAtUs = c.pointee.starts_at_us
        self.endsAtUs = c.pointee.ends_at_us
        self.startsLocal = try readString(c.pointee.starts_local, max: 16, "starts_local")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.location = try readString(c.pointee.location, max: 512, "location")
        self.cancelled = c.pointee.cancelled != 0
        self.own = AttendanceStatus(rawValue: Int32(bitPattern: c.pointee.own.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__EventDate>, _ arena: inout Arena) {
        c.pointee.event = arena.bytes(self.event)
        if !self.date.isEmpty { c.pointee.date = arena.string(self.date) }
        c.pointee.starts_at_us = self.startsAtUs
        c.pointee.ends_at_us = self.endsAtUs
        if !self.startsLocal.isEmpty { c.pointee.starts_local = arena.string(self.startsLocal) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        if !self.location.isEmpty { c.pointee.location = arena.string(self.location) }
        c.pointee.cancelled = self.cancelled ? 1 : 0
        c.pointee.own = Parley__V1__AttendanceStatus(rawValue: UInt32(bitPattern: self.own.rawValue))
    }
}

public struct ExportEventRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "ExportEventRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ExportEventRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ExportEventRequest>? {
        parley__v1__export_event_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ExportEventRequest>) { parley__v1__export_event_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ExportEventRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ExportEventRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct ExportEventReply: WireMessage {
    /// max 524288 bytes. RFC 5545, with METHOD:CANCEL (RFC 5546) if the event is called off.
    public var calendar: String = ""

    public init() {}

    public init(calendar: String = "") {
        self.calendar = calendar
    }

    public static var messageName: String { "ExportEventReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ExportEventReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ExportEventReply>? {
        parley__v1__export_event_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ExportEventReply>) { parley__v1__export_event_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ExportEventReply>) throws(DecodeFailure) {
        self.calendar = try readString(c.pointee.calendar, max: 524288, "calendar")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ExportEventReply>, _ arena: inout Arena) {
        if !self.calendar.isEmpty { c.pointee.calendar = arena.string(self.calendar) }
    }
}

public struct CreateCalendarLinkRequest: WireMessage {
    public init() {}

    public static var messageName: String { "CreateCalendarLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateCalendarLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateCalendarLinkRequest>? {
        parley__v1__create_calendar_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkRequest>) { parley__v1__create_calendar_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkRequest>, _ arena: inout Arena) {
    }
}

public struct CreateCalendarLinkReply: WireMessage {
    /// max 64 bytes. At every gateway. Returned only here: the server keeps a hash of it.
    public var path: String = ""

    public init() {}

    public init(path: String = "") {
        self.path = path
    }

    public static var messageName: String { "CreateCalendarLinkReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateCalendarLinkReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateCalendarLinkReply>? {
        parley__v1__create_calendar_link_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkReply>) { parley__v1__create_calendar_link_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkReply>) throws(DecodeFailure) {
        self.path = try readString(c.pointee.path, max: 64, "path")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateCalendarLinkReply>, _ arena: inout Arena) {
        if !self.path.isEmpty { c.pointee.path = arena.string(self.path) }
    }
}

public struct DeleteCalendarLinkRequest: WireMessage {
    public init() {}

    public static var messageName: String { "DeleteCalendarLinkRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteCalendarLinkRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkRequest>? {
        parley__v1__delete_calendar_link_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkRequest>) { parley__v1__delete_calendar_link_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkRequest>, _ arena: inout Arena) {
    }
}

public struct DeleteCalendarLinkReply: WireMessage {
    /// There was none.
    public var duplicate: Bool = false

    public init() {}

    public init(duplicate: Bool = false) {
        self.duplicate = duplicate
    }

    public static var messageName: String { "DeleteCalendarLinkReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeleteCalendarLinkReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkReply>? {
        parley__v1__delete_calendar_link_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkReply>) { parley__v1__delete_calendar_link_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkReply>) throws(DecodeFailure) {
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeleteCalendarLinkReply>, _ arena: inout Arena) {
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

/// The state of a suggestion: what a message seems to say, for one person alone until they accept it. Unless it is
/// open, only its id, kind, state, entity and times remain. Update of stream "entities/u/ME", key id, after a gap
/// from entities.Sync.
public struct Suggestion: StreamState {
    /// exactly 16 bytes. Made by the server.
    public var id: [UInt8] = []
    public var kind: SuggestionKind = .unspecified
    public var state: SuggestionState = .unspecified
    /// max 512 bytes. Of a decision: what was decided.
    public var title: String = ""
    /// Of an event, its only date.
    public var when: EventTime?
    /// max 512 bytes.
    public var location: String = ""
    /// Of a reminder.
    public var dueAtUs: Int64 = 0
    /// max 19 bytes. The same on the wall in the zone of the message's sender.
    public var dueLocal: String = ""
    /// max 64 bytes. IANA name of that zone.
    public var timeZone: String = ""
    /// max 129 bytes. Of the message.
    public var conversation: String = ""
    /// exactly 16 bytes. The message.
    public var sourceMessage: [UInt8] = []
    /// Its seq.
    public var sourceSeq: Int64 = 0
    /// exactly 16 bytes. What accepting it made. Of an open one, the event that another member made of the message:
    /// accepting answers it.
    public var entity: [UInt8] = []
    public var createdAtUs: Int64 = 0
    /// When it ends: with its date, a decision after a week, each with its message. No Update is sent then: hide it.
    public var expiresAtUs: Int64 = 0
    /// In stream "entities/u/ME".
    public var position: Int64 = 0

    public init() {}

    public init(
        id: [UInt8] = [],
        kind: SuggestionKind = .unspecified,
        state: SuggestionState = .unspecified,
        title: String = "",
        when: EventTime? = nil,
        location: String = "",
        dueAtUs: Int64 = 0,
        dueLocal: String = "",
        timeZone: String = "",
        conversation: String = "",
        sourceMessage: [UInt8] = [],
        sourceSeq: Int64 = 0,
        entity: [UInt8] = [],
        createdAtUs: Int64 = 0,
        expiresAtUs: Int64 = 0,
        position: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.title = title
        self.when = when
        self.location = location
        self.dueAtUs = dueAtUs
        self.dueLocal = dueLocal
        self.timeZone = timeZone
        self.conversation = conversation
        self.sourceMessage = sourceMessage
        self.sourceSeq = sourceSeq
        self.entity = entity
        self.createdAtUs = createdAtUs
        self.expiresAtUs = expiresAtUs
        self.position = position
    }

    public static var messageName: String { "Suggestion" }

    public static var streamPrefix: String { "entities/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Suggestion: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Suggestion>? {
        parley__v1__suggestion__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Suggestion>) { parley__v1__suggestion__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Suggestion>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.kind = SuggestionKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.state = SuggestionState(rawValue: Int32(bitPattern: c.pointee.state.rawValue))
        self.title = try readString(c.pointee.title, max: 512, "title")
        self.when = try readMessage(c.pointee.when, "when")
        self.location = try readString(c.pointee.location, max: 512, "location")
        self.dueAtUs = c.pointee.due_at_us
        self.dueLocal = try readString(c.pointee.due_local, max: 19, "due_local")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.sourceMessage = try readBytes(c.pointee.source_message, exactly: 16, "source_message")
        self.sourceSeq = c.pointee.source_seq
        self.entity = try readBytes(c.pointee.entity, exactly: 16, "entity")
        self.createdAtUs = c.pointee.created_at_us
        self.expiresAtUs = c.pointee.expires_at_us
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Suggestion>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        c.pointee.kind = Parley__V1__SuggestionKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        c.pointee.state = Parley__V1__SuggestionState(rawValue: UInt32(bitPattern: self.state.rawValue))
        if !self.title.isEmpty { c.pointee.title = arena.string(self.title) }
        if let when { c.pointee.when = arena.message(when) }
        if !self.location.isEmpty { c.pointee.location = arena.string(self.location) }
        c.pointee.due_at_us = self.dueAtUs
        if !self.dueLocal.isEmpty { c.pointee.due_local = arena.string(self.dueLocal) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.source_message = arena.bytes(self.sourceMessage)
        c.pointee.source_seq = self.sourceSeq
        c.pointee.entity = arena.bytes(self.entity)
        c.pointee.created_at_us = self.createdAtUs
        c.pointee.expires_at_us = self.expiresAtUs
        c.pointee.position = self.position
    }
}

public struct ListSuggestionsRequest: Paged {
    /// max 129 bytes. Empty: all.
    public var conversation: String = ""
    /// max 256 bytes. From the last reply; empty at first.
    public var cursor: String = ""
    /// Zero: 50; at most 200.
    public var limit: UInt32 = 0

    public init() {}

    public init(conversation: String = "", cursor: String = "", limit: UInt32 = 0) {
        self.conversation = conversation
        self.cursor = cursor
        self.limit = limit
    }

    public static var messageName: String { "ListSuggestionsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListSuggestionsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListSuggestionsRequest>? {
        parley__v1__list_suggestions_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListSuggestionsRequest>) { parley__v1__list_suggestions_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListSuggestionsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListSuggestionsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
        c.pointee.limit = self.limit
    }
}

public struct ListSuggestionsReply: Paged {
    /// max 200 items.
    public var suggestions: [Suggestion] = []
    /// max 256 bytes. Empty: this was the last page.
    public var cursor: String = ""

    public init() {}

    public init(suggestions: [Suggestion] = [], cursor: String = "") {
        self.suggestions = suggestions
        self.cursor = cursor
    }

    public static var messageName: String { "ListSuggestionsReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListSuggestionsReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListSuggestionsReply>? {
        parley__v1__list_suggestions_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListSuggestionsReply>) { parley__v1__list_suggestions_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListSuggestionsReply>) throws(DecodeFailure) {
        self.suggestions = try readMessages(c.pointee.suggestions, c.pointee.n_suggestions, maxItems: 200, "suggestions")
        self.cursor = try readString(c.pointee.cursor, max: 256, "cursor")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListSuggestionsReply>, _ arena: inout Arena) {
        c.pointee.n_suggestions = self.suggestions.count
        c.pointee.suggestions = arena.messages(self.suggestions)
        if !self.cursor.isEmpty { c.pointee.cursor = arena.string(self.cursor) }
    }
}

public struct AcceptSuggestionRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []
    public var changeTitle: ChangeTitle?
    /// Of an event. Absent: it stays.
    public var when: EventTime?
    public var changeLocation: ChangeLocation?
    public var changeDue: ChangeDue?
    public var changeTimeZone: ChangeTimeZone?
    /// Of a decision: shared with the conversation.
    public var shared: Bool = false
    /// To an event that another member made. Unspecified: accepted.
    public var answer: AttendanceStatus = .unspecified

    public enum ChangeTitle: Sendable, Equatable {
        case title(String)
    }

    public enum ChangeLocation: Sendable, Equatable {
        case location(String)
    }

    public enum ChangeDue: Sendable, Equatable {
        case dueAtUs(Int64)
        case dueLocal(String)
    }

    public enum ChangeTimeZone: Sendable, Equatable {
        case timeZone(String)
    }

    public init() {}

    public init(
        id: [UInt8] = [],
        changeTitle: ChangeTitle? = nil,
        when: EventTime? = nil,
        changeLocation: ChangeLocation? = nil,
        changeDue: ChangeDue? = nil,
        changeTimeZone: ChangeTimeZone? = nil,
        shared: Bool = false,
        answer: AttendanceStatus = .unspecified
    ) {
        self.id = id
        self.changeTitle = changeTitle
        self.when = when
        self.changeLocation = changeLocation
        self.changeDue = changeDue
        self.changeTimeZone = changeTimeZone
        self.shared = shared
        self.answer = answer
    }

    public static var messageName: String { "AcceptSuggestionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AcceptSuggestionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AcceptSuggestionRequest>? {
        parley__v1__accept_suggestion_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionRequest>) { parley__v1__accept_suggestion_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        switch c.pointee.change_title_case.rawValue {
        case 2: self.changeTitle = .title(try readString(c.pointee.title, max: 512, "title"))
        default: break
        }
        self.when = try readMessage(c.pointee.when, "when")
        switch c.pointee.change_location_case.rawValue {
        case 4: self.changeLocation = .location(try readString(c.pointee.location, max: 512, "location"))
        default: break
        }
        switch c.pointee.change_due_case.rawValue {
        case 5: self.changeDue = .dueAtUs(c.pointee.due_at_us)
        case 6: self.changeDue = .dueLocal(try readString(c.pointee.due_local, max: 19, "due_local"))
        default: break
        }
        switch c.pointee.change_time_zone_case.rawValue {
        case 7: self.changeTimeZone = .timeZone(try readString(c.pointee.time_zone, max: 64, "time_zone"))
        default: break
        }
        self.shared = c.pointee.shared != 0
        self.answer = AttendanceStatus(rawValue: Int32(bitPattern: c.pointee.answer.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        switch self.changeTitle {
        case nil: break
        case .title(let value):
            c.pointee.change_title_case = Parley__V1__AcceptSuggestionRequest__ChangeTitleCase(rawValue: 2)
            c.pointee.title = arena.string(value)
        }
        if let when { c.pointee.when = arena.message(when) }
        switch self.changeLocation {
        case nil: break
        case .location(let value):
            c.pointee.change_location_case = Parley__V1__AcceptSuggestionRequest__ChangeLocationCase(rawValue: 4)
            c.pointee.location = arena.string(value)
        }
        switch self.changeDue {
        case nil: break
        case .dueAtUs(let value):
            c.pointee.change_due_case = Parley__V1__AcceptSuggestionRequest__ChangeDueCase(rawValue: 5)
            c.pointee.due_at_us = value
        case .dueLocal(let value):
            c.pointee.change_due_case = Parley__V1__AcceptSuggestionRequest__ChangeDueCase(rawValue: 6)
            c.pointee.due_local = arena.string(value)
        }
        switch self.changeTimeZone {
        case nil: break
        case .timeZone(let value):
            c.pointee.change_time_zone_case = Parley__V1__AcceptSuggestionRequest__ChangeTimeZoneCase(rawValue: 7)
            c.pointee.time_zone = arena.string(value)
        }
        c.pointee.shared = self.shared ? 1 : 0
        c.pointee.answer = Parley__V1__AttendanceStatus(rawValue: UInt32(bitPattern: self.answer.rawValue))
    }
}

public struct AcceptSuggestionReply: WireMessage {
    public var suggestion: Suggestion?
    /// What it made or answered: one of the three.
    public var event: Event?
    public var reminder: Reminder?
    public var decision: Decision?
    /// It was so already.
    public var duplicate: Bool = false
    /// As in EventReply, for who declined.
    public var position: Int64 = 0

    public init() {}

    public init(
        suggestion: Suggestion? = nil,
        event: Event? = nil,
        reminder: Reminder? = nil,
        decision: Decision? = nil,
        duplicate: Bool = false,
        position: Int64 = 0
    ) {
        self.suggestion = suggestion
        self.event = event
        self.reminder = reminder
        self.decision = decision
        self.duplicate = duplicate
        self.position = position
    }

    public static var messageName: String { "AcceptSuggestionReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AcceptSuggestionReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AcceptSuggestionReply>? {
        parley__v1__accept_suggestion_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionReply>) { parley__v1__accept_suggestion_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionReply>) throws(DecodeFailure) {
        self.suggestion = try readMessage(c.pointee.suggestion, "suggestion")
        self.event = try readMessage(c.pointee.event, "event")
        self.reminder = try readMessage(c.pointee.reminder, "reminder")
        self.decision = try readMessage(c.pointee.decision, "decision")
        self.duplicate = c.pointee.duplicate != 0
        self.position = c.pointee.position
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AcceptSuggestionReply>, _ arena: inout Arena) {
        if let suggestion { c.pointee.suggestion = arena.message(suggestion) }
        if let event { c.pointee.event = arena.message(event) }
        if let reminder { c.pointee.reminder = arena.message(reminder) }
        if let decision { c.pointee.decision = arena.message(decision) }
        c.pointee.duplicate = self.duplicate ? 1 : 0
        c.pointee.position = self.position
    }
}

public struct DismissSuggestionRequest: WireMessage {
    /// exactly 16 bytes.
    public var id: [UInt8] = []

    public init() {}

    public init(id: [UInt8] = []) {
        self.id = id
    }

    public static var messageName: String { "DismissSuggestionRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DismissSuggestionRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DismissSuggestionRequest>? {
        parley__v1__dismiss_suggestion_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DismissSuggestionRequest>) { parley__v1__dismiss_suggestion_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DismissSuggestionRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DismissSuggestionRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
    }
}

public struct SuggestionReply: WireMessage {
    public var suggestion: Suggestion?
    /// It was so already.
    public var duplicate: Bool = false

    public init() {}

    public init(suggestion: Suggestion? = nil, duplicate: Bool = false) {
        self.suggestion = suggestion
        self.duplicate = duplicate
    }

    public static var messageName: String { "SuggestionReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SuggestionReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SuggestionReply>? {
        parley__v1__suggestion_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SuggestionReply>) { parley__v1__suggestion_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SuggestionReply>) throws(DecodeFailure) {
        self.suggestion = try readMessage(c.pointee.suggestion, "suggestion")
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SuggestionReply>, _ arena: inout Arena) {
        if let suggestion { c.pointee.suggestion = arena.message(suggestion) }
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct GetSuggestionSettingsRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetSuggestionSettingsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetSuggestionSettingsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetSuggestionSettingsRequest>? {
        parley__v1__get_suggestion_settings_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetSuggestionSettingsRequest>) { parley__v1__get_suggestion_settings_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetSuggestionSettingsRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetSuggestionSettingsRequest>, _ arena: inout Arena) {
    }
}

public struct SuggestionSettings: WireMessage {
    /// All suggestions are off.
    public var off: Bool = false
    /// max 1000 items of 129 bytes. Those whose suggestions are off.
    public var conversations: [String] = []
    /// It was so already.
    public var duplicate: Bool = false

    public init() {}

    public init(off: Bool = false, conversations: [String] = [], duplicate: Bool = false) {
        self.off = off
        self.conversations = conversations
        self.duplicate = duplicate
    }

    public static var messageName: String { "SuggestionSettings" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SuggestionSettings: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SuggestionSettings>? {
        parley__v1__suggestion_settings__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SuggestionSettings>) { parley__v1__suggestion_settings__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SuggestionSettings>) throws(DecodeFailure) {
        self.off = c.pointee.off != 0
        self.conversations = try readStrings(c.pointee.conversations, c.pointee.n_conversations, maxItems: 1000, maxBytes: 129, "conversations")
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SuggestionSettings>, _ arena: inout Arena) {
        c.pointee.off = self.off ? 1 : 0
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.strings(self.conversations)
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct UpdateSuggestionSettingsRequest: WireMessage {
    /// max 129 bytes. Empty: all suggestions.
    public var conversation: String = ""
    public var off: Bool = false

    public init() {}

    public init(conversation: String = "", off: Bool = false) {
        self.conversation = conversation
        self.off = off
    }

    public static var messageName: String { "UpdateSuggestionSettingsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateSuggestionSettingsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateSuggestionSettingsRequest>? {
        parley__v1__update_suggestion_settings_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateSuggestionSettingsRequest>) { parley__v1__update_suggestion_settings_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateSuggestionSettingsRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.off = c.pointee.off != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateSuggestionSettingsRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.off = self.off ? 1 : 0
    }
}

public struct GetModelReadingRequest: WireMessage {
    /// max 129 bytes. Empty: what holds everywhere.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "GetModelReadingRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetModelReadingRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetModelReadingRequest>? {
        parley__v1__get_model_reading_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetModelReadingRequest>) { parley__v1__get_model_reading_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetModelReadingRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetModelReadingRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

/// Whether a language model reads the messages of a conversation. It gets messages sent while it is on, each with up
/// to five before it that all who are suggested something may read, without ids and addresses of people.
public struct ModelReading: WireMessage {
    /// The operator has configured a model.
    public var available: Bool = false
    /// It reads this conversation: available, and allowed by all who must.
    public var on: Bool = false
    /// The caller allows it.
    public var allowed: Bool = false
    /// The caller's own messages are kept from it here.
    public var keptOut: Bool = false
    public var keptOutEverywhere: Bool = false
    /// It was so already.
    public var duplicate: Bool = false

    public init() {}

    public init(
        available: Bool = false,
        on: Bool = false,
        allowed: Bool = false,
        keptOut: Bool = false,
        keptOutEverywhere: Bool = false,
        duplicate: Bool = false
    ) {
        self.available = available
        self.on = on
        self.allowed = allowed
        self.keptOut = keptOut
        self.keptOutEverywhere = keptOutEverywhere
        self.duplicate = duplicate
    }

    public static var messageName: String { "ModelReading" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ModelReading: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ModelReading>? {
        parley__v1__model_reading__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ModelReading>) { parley__v1__model_reading__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ModelReading>) throws(DecodeFailure) {
        self.available = c.pointee.available != 0
        self.on = c.pointee.on != 0
        self.allowed = c.pointee.allowed != 0
        self.keptOut = c.pointee.kept_out != 0
        self.keptOutEverywhere = c.pointee.kept_out_everywhere != 0
        self.duplicate = c.pointee.duplicate != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ModelReading>, _ arena: inout Arena) {
        c.pointee.available = self.available ? 1 : 0
        c.pointee.on = self.on ? 1 : 0
        c.pointee.allowed = self.allowed ? 1 : 0
        c.pointee.kept_out = self.keptOut ? 1 : 0
        c.pointee.kept_out_everywhere = self.keptOutEverywhere ? 1 : 0
        c.pointee.duplicate = self.duplicate ? 1 : 0
    }
}

public struct UpdateModelReadingRequest: WireMessage {
    /// max 129 bytes. Empty: everywhere, for `kept_out` only.
    public var conversation: String = ""
    public var changeAllowed: ChangeAllowed?
    public var changeKeptOut: ChangeKeptOut?

    public enum ChangeAllowed: Sendable, Equatable {
        case allowed(Bool)
    }

    public enum ChangeKeptOut: Sendable, Equatable {
        case keptOut(Bool)
    }

    public init() {}

    public init(conversation: String = "", changeAllowed: ChangeAllowed? = nil, changeKeptOut: ChangeKeptOut? = nil) {
        self.conversation = conversation
        self.changeAllowed = changeAllowed
        self.changeKeptOut = changeKeptOut
    }

    public static var messageName: String { "UpdateModelReadingRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateModelReadingRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateModelReadingRequest>? {
        parley__v1__update_model_reading_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateModelReadingRequest>) { parley__v1__update_model_reading_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateModelReadingRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        switch c.pointee.change_allowed_case.rawValue {
        case 2: self.changeAllowed = .allowed(c.pointee.allowed != 0)
        default: break
        }
        switch c.pointee.change_kept_out_case.rawValue {
        case 3: self.changeKeptOut = .keptOut(c.pointee.kept_out != 0)
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateModelReadingRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        switch self.changeAllowed {
        case nil: break
        case .allowed(let value):
            c.pointee.change_allowed_case = Parley__V1__UpdateModelReadingRequest__ChangeAllowedCase(rawValue: 2)
            c.pointee.allowed = value ? 1 : 0
        }
        switch self.changeKeptOut {
        case nil: break
        case .keptOut(let value):
            c.pointee.change_kept_out_case = Parley__V1__UpdateModelReadingRequest__ChangeKeptOutCase(rawValue: 3)
            c.pointee.kept_out = value ? 1 : 0
        }
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
    /// max 100 items.
    public var events: [Event] = []
    /// max 100 items.
    public var suggestions: [Suggestion] = []

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        reminders: [Reminder] = [],
        more: Bool = false,
        decisions: [Decision] = [],
        events: [Event] = [],
        suggestions: [Suggestion] = []
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.reminders = reminders
        self.more = more
        self.decisions = decisions
        self.events = events
        self.suggestions = suggestions
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
        self.events = try readMessages(c.pointee.events, c.pointee.n_events, maxItems: 100, "events")
        self.suggestions = try readMessages(c.pointee.suggestions, c.pointee.n_suggestions, maxItems: 100, "suggestions")
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
        c.pointee.n_events = self.events.count
        c.pointee.events = arena.messages(self.events)
        c.pointee.n_suggestions = self.suggestions.count
        c.pointee.suggestions = arena.messages(self.suggestions)
    }
}
