// Generated from presence.proto (sha256 ef4042f64e105a4ef823a380861835eacecaad01410d1b0374ff8a6365627127) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum PresenceMethods {
    /// Signed in. Returns who is online. People look offline if they share no conversation with the caller, have not
    /// accepted the caller yet, blocked the caller, or hide from the caller, and all do to a caller who hides from
    /// them. Refusals: none.
    public static let getPresence = Method<GetPresenceRequest, PresenceReply>(name: "presence.GetPresence", access: .signedIn)
    /// Signed in. Replies like GetPresence, then sends Updates of kind "PresenceState". Replaces the session's
    /// earlier watch. The watch ends with the session, or 90 s after the last request: renew it every 60 s. Refusals:
    /// none.
    public static let watchPresence = Method<WatchPresenceRequest, PresenceReply>(name: "presence.WatchPresence", access: .signedIn)
    /// Self. Returns what the caller says of themselves on all devices. Refusals: none.
    public static let getOwnPresence = Method<GetOwnPresenceRequest, OwnPresence>(name: "presence.GetOwnPresence", access: .own)
    /// Self. Changes what the caller says of themselves on all devices. What the request does not have stays as it
    /// is. Repeating it changes nothing. What one session does, the frame `set_activity` says. Refusals: invalid,
    /// rate_limited.
    public static let setPresence = Method<SetPresenceRequest, OwnPresence>(name: "presence.SetPresence", access: .own)
    /// Member. Says that the caller is typing in the conversation, or no longer is. Send it when they begin, again
    /// every 2 s while they go on, and when they stop; a refused one need not be repeated. Typing ends 3 s after the
    /// last request by the server's clock, with the session, and when the session types in another conversation. The
    /// other members get Updates of kind "Typing"; nobody does while the conversation is a request, or hears of
    /// somebody whom they block or who blocks them. Who hides from all types unseen and hears of nobody; who hides
    /// from all but accepted people, in groups. Refusals: not_member, rate_limited.
    public static let setTyping = Method<SetTypingRequest, Done>(name: "presence.SetTyping", access: .member)

    public static let all: [String] = [
        "presence.GetPresence",
        "presence.WatchPresence",
        "presence.GetOwnPresence",
        "presence.SetPresence",
        "presence.SetTyping",
    ]
}

public enum PresenceStatus: Sendable, Hashable {
    case unspecified
    case offline
    case online
    /// Connected, but says so, or has used no device for 10 minutes (unless configured otherwise).
    case away
    /// Connected, and says so.
    case doNotDisturb
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .offline
        case 2: self = .online
        case 3: self = .away
        case 4: self = .doNotDisturb
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .offline: 1
        case .online: 2
        case .away: 3
        case .doNotDisturb: 4
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// What a person says of themselves on all devices. It holds while they are connected.
public enum Availability: Sendable, Hashable {
    case unspecified
    /// Online or away, as they use their devices.
    case automatic
    case saysAway
    case saysDoNotDisturb
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .automatic
        case 2: self = .saysAway
        case 3: self = .saysDoNotDisturb
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .automatic: 1
        case .saysAway: 2
        case .saysDoNotDisturb: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// From whom a person hides: to them the person is offline, and they are to the person.
public enum Hiding: Sendable, Hashable {
    case unspecified
    case fromNobody
    case fromAll
    /// From all without an accepted direct conversation with the person.
    case fromAllButAccepted
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .fromNobody
        case 2: self = .fromAll
        case 3: self = .fromAllButAccepted
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .fromNobody: 1
        case .fromAll: 2
        case .fromAllButAccepted: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// Whether a person is online. Of somebody offline it has only `last_seen_us`. Update of stream "presence/u/USER"
/// without positions, key user, after a gap from presence.GetPresence.
public struct PresenceState: StreamState {
    /// max 64 bytes.
    public var user: String = ""
    public var status: PresenceStatus = .unspecified
    /// Zero: unknown, or connected now.
    public var lastSeenUs: Int64 = 0
    /// max 128 bytes. What they say; empty: nothing.
    public var statusText: String = ""
    /// When `status_text` ends; then no Update comes. Zero: it does not end.
    public var statusEndsUs: Int64 = 0
    /// max 129 bytes. The one that they look at, if the reader is a member of it, too.
    public var currentConversation: String = ""

    public init() {}

    public init(
        user: String = "",
        status: PresenceStatus = .unspecified,
        lastSeenUs: Int64 = 0,
        statusText: String = "",
        statusEndsUs: Int64 = 0,
        currentConversation: String = ""
    ) {
        self.user = user
        self.status = status
        self.lastSeenUs = lastSeenUs
        self.statusText = statusText
        self.statusEndsUs = statusEndsUs
        self.currentConversation = currentConversation
    }

    public static var messageName: String { "PresenceState" }

    public static var streamPrefix: String { "presence/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PresenceState: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PresenceState>? {
        parley__v1__presence_state__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PresenceState>) { parley__v1__presence_state__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PresenceState>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.status = PresenceStatus(rawValue: Int32(bitPattern: c.pointee.status.rawValue))
        self.lastSeenUs = c.pointee.last_seen_us
        self.statusText = try readString(c.pointee.status_text, max: 128, "status_text")
        self.statusEndsUs = c.pointee.status_ends_us
        self.currentConversation = try readString(c.pointee.current_conversation, max: 129, "current_conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PresenceState>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.status = Parley__V1__PresenceStatus(rawValue: UInt32(bitPattern: self.status.rawValue))
        c.pointee.last_seen_us = self.lastSeenUs
        if !self.statusText.isEmpty { c.pointee.status_text = arena.string(self.statusText) }
        c.pointee.status_ends_us = self.statusEndsUs
        if !self.currentConversation.isEmpty { c.pointee.current_conversation = arena.string(self.currentConversation) }
    }
}

public struct GetPresenceRequest: WireMessage {
    /// max 200 items of 64 bytes.
    public var users: [String] = []

    public init() {}

    public init(users: [String] = []) {
        self.users = users
    }

    public static var messageName: String { "GetPresenceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetPresenceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetPresenceRequest>? {
        parley__v1__get_presence_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetPresenceRequest>) { parley__v1__get_presence_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetPresenceRequest>) throws(DecodeFailure) {
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 200, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetPresenceRequest>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct WatchPresenceRequest: WireMessage {
    /// max 200 items of 64 bytes.
    public var users: [String] = []

    public init() {}

    public init(users: [String] = []) {
        self.users = users
    }

    public static var messageName: String { "WatchPresenceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension WatchPresenceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__WatchPresenceRequest>? {
        parley__v1__watch_presence_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__WatchPresenceRequest>) { parley__v1__watch_presence_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__WatchPresenceRequest>) throws(DecodeFailure) {
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 200, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__WatchPresenceRequest>, _ arena: inout Arena) {
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct PresenceReply: WireMessage {
    /// max 200 items. In the order requested.
    public var states: [PresenceState] = []

    public init() {}

    public init(states: [PresenceState] = []) {
        self.states = states
    }

    public static var messageName: String { "PresenceReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PresenceReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PresenceReply>? {
        parley__v1__presence_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PresenceReply>) { parley__v1__presence_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PresenceReply>) throws(DecodeFailure) {
        self.states = try readMessages(c.pointee.states, c.pointee.n_states, maxItems: 200, "states")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PresenceReply>, _ arena: inout Arena) {
        c.pointee.n_states = self.states.count
        c.pointee.states = arena.messages(self.states)
    }
}

public struct SetTypingRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var typing: Bool = false

    public init() {}

    public init(conversation: String = "", typing: Bool = false) {
        self.conversation = conversation
        self.typing = typing
    }

    public static var messageName: String { "SetTypingRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetTypingRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetTypingRequest>? {
        parley__v1__set_typing_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetTypingRequest>) { parley__v1__set_typing_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetTypingRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.typing = c.pointee.typing != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetTypingRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.typing = self.typing ? 1 : 0
    }
}

/// Whether another member is typing in a conversation. Update of stream "presence/c/CONVERSATION" without positions,
/// key conversation user, repeated every 5 s.
public struct Typing: StreamState {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes.
    public var user: String = ""
    public var typing: Bool = false

    public init() {}

    public init(conversation: String = "", user: String = "", typing: Bool = false) {
        self.conversation = conversation
        self.user = user
        self.typing = typing
    }

    public static var messageName: String { "Typing" }

    public static var streamPrefix: String { "presence/c/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Typing: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Typing>? {
        parley__v1__typing__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Typing>) { parley__v1__typing__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Typing>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.typing = c.pointee.typing != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Typing>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.typing = self.typing ? 1 : 0
    }
}

public struct GetOwnPresenceRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetOwnPresenceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetOwnPresenceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetOwnPresenceRequest>? {
        parley__v1__get_own_presence_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetOwnPresenceRequest>) { parley__v1__get_own_presence_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetOwnPresenceRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetOwnPresenceRequest>, _ arena: inout Arena) {
    }
}

public struct SetPresenceRequest: WireMessage {
    /// Unspecified: stays as it is.
    public var availability: Availability = .unspecified
    public var status: StatusText?
    /// Unspecified: stays as it is.
    public var hiding: Hiding = .unspecified

    public init() {}

    public init(availability: Availability = .unspecified, status: StatusText? = nil, hiding: Hiding = .unspecified) {
        self.availability = availability
        self.status = status
        self.hiding = hiding
    }

    public static var messageName: String { "SetPresenceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetPresenceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetPresenceRequest>? {
        parley__v1__set_presence_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetPresenceRequest>) { parley__v1__set_presence_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetPresenceRequest>) throws(DecodeFailure) {
        self.availability = Availability(rawValue: Int32(bitPattern: c.pointee.availability.rawValue))
        self.status = try readMessage(c.pointee.status, "status")
        self.hiding = Hiding(rawValue: Int32(bitPattern: c.pointee.hiding.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetPresenceRequest>, _ arena: inout Arena) {
        c.pointee.availability = Parley__V1__Availability(rawValue: UInt32(bitPattern: self.availability.rawValue))
        if let status { c.pointee.status = arena.message(status) }
        c.pointee.hiding = Parley__V1__Hiding(rawValue: UInt32(bitPattern: self.hiding.rawValue))
    }
}

/// A line that others see while the person is connected.
public struct StatusText: WireMessage {
    /// max 128 bytes. By the rules for names; empty: none.
    public var text: String = ""
    /// In the future; zero: it does not end.
    public var endsUs: Int64 = 0

    public init() {}

    public init(text: String = "", endsUs: Int64 = 0) {
        self.text = text
        self.endsUs = endsUs
    }

    public static var messageName: String { "StatusText" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension StatusText: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__StatusText>? {
        parley__v1__status_text__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__StatusText>) { parley__v1__status_text__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__StatusText>) throws(DecodeFailure) {
        self.text = try readString(c.pointee.text, max: 128, "text")
        self.endsUs = c.pointee.ends_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__StatusText>, _ arena: inout Arena) {
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.ends_us = self.endsUs
    }
}

/// What the caller says of themselves on all devices. Update of stream "presence/u/ME" without positions, one, after
/// a gap from presence.GetOwnPresence.
public struct OwnPresence: StreamState {
    public var availability: Availability = .unspecified
    /// max 128 bytes.
    public var statusText: String = ""
    /// Zero: it does not end.
    public var statusEndsUs: Int64 = 0
    public var hiding: Hiding = .unspecified
    /// Grows with each change. A state with a lower one than yours is older: ignore it.
    public var version: Int64 = 0

    public init() {}

    public init(
        availability: Availability = .unspecified,
        statusText: String = "",
        statusEndsUs: Int64 = 0,
        hiding: Hiding = .unspecified,
        version: Int64 = 0
    ) {
        self.availability = availability
        self.statusText = statusText
        self.statusEndsUs = statusEndsUs
        self.hiding = hiding
        self.version = version
    }

    public static var messageName: String { "OwnPresence" }

    public static var streamPrefix: String { "presence/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension OwnPresence: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__OwnPresence>? {
        parley__v1__own_presence__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__OwnPresence>) { parley__v1__own_presence__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__OwnPresence>) throws(DecodeFailure) {
        self.availability = Availability(rawValue: Int32(bitPattern: c.pointee.availability.rawValue))
        self.statusText = try readString(c.pointee.status_text, max: 128, "status_text")
        self.statusEndsUs = c.pointee.status_ends_us
        self.hiding = Hiding(rawValue: Int32(bitPattern: c.pointee.hiding.rawValue))
        self.version = c.pointee.version
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__OwnPresence>, _ arena: inout Arena) {
        c.pointee.availability = Parley__V1__Availability(rawValue: UInt32(bitPattern: self.availability.rawValue))
        if !self.statusText.isEmpty { c.pointee.status_text = arena.string(self.statusText) }
        c.pointee.status_ends_us = self.statusEndsUs
        c.pointee.hiding = Parley__V1__Hiding(rawValue: UInt32(bitPattern: self.hiding.rawValue))
        c.pointee.version = self.version
    }
}
