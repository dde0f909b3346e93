// Generated from link.proto (sha256 b29335d44ab65960b1e650d947b86e41b59d7d34f91b6cc0b9255492ebe25d01) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

/// Served by every service with a journal, called by gateways. Any replica can answer for all lanes.
public enum JournalMethods {
    /// Gateway. Returns the content of the next heartbeat.
    public static let lanes = Method<LanesRequest, LanesReply>(name: "journal.Lanes", access: .gateway)
    /// Gateway. Returns published Updates by their numbers. Audiences are as they were then; bodies hold the current
    /// state. Refusals: invalid.
    public static let replay = Method<ReplayRequest, ReplayReply>(name: "journal.Replay", access: .gateway)

    public static let all: [String] = [
        "journal.Lanes",
        "journal.Replay",
    ]
}

/// The state of a process, served by every process.
public enum HealthMethods {
    /// Gateway. Or a monitor. Returns whether the process is ready, with its metrics.
    public static let check = Method<HealthRequest, HealthReply>(name: "health.Check", access: .gateway)

    public static let all: [String] = [
        "health.Check",
    ]
}

/// Everything needed to check tokens. Served by conversations, called by gateways.
public enum AuthorityMethods {
    /// Gateway. Returns the keys that check tokens, and the revocations that still matter.
    public static let keys = Method<AuthorityRequest, AuthorityReply>(name: "authority.Keys", access: .gateway)

    public static let all: [String] = [
        "authority.Keys",
    ]
}

/// The sessions of each gateway. Served by presence, called by gateways.
public enum SessionsMethods {
    /// Gateway. Reports all sessions of a gateway, or the changes since its last report; a session that is reported
    /// again does something else now. A replica that does not know the gateway's sessions replies with `send_full`.
    public static let report = Method<SessionsReport, SessionsReportReply>(name: "sessions.Report", access: .gateway)

    public static let all: [String] = [
        "sessions.Report",
    ]
}

/// Who has the app in the foreground: who uses a device with it there, or did so lately. Served by presence, called
/// by followers, services that act on it. LINKS.md says how to keep the whole picture.
public enum ForegroundMethods {
    /// Follower. Returns a page of the people who have the app in the foreground. Refusals: unavailable.
    public static let list = Method<ForegroundRequest, ForegroundReply>(name: "foreground.List", access: .follower)

    public static let all: [String] = [
        "foreground.List",
    ]
}

/// HTTP requests that gateways pass on to the service that declared their path. Each piece of an exchange is a
/// request of its own. The service keeps nothing between two pieces, so any replica can continue the exchange.
public enum HttpMethods {
    /// Gateway. Returns the paths that the service answers. Gateways ask each replica when its link comes up.
    public static let routes = Method<HttpRoutesRequest, HttpRoutesReply>(name: "http.Routes", access: .gateway)
    /// Gateway. Transfers the next piece of an exchange: first of the request's body, then of the reply's body.
    public static let exchange = Method<HttpRequest, HttpReply>(name: "http.Exchange", access: .gateway)

    public static let all: [String] = [
        "http.Routes",
        "http.Exchange",
    ]
}

/// The kinds of changes in each service's journal. Journals store the numbers, and services follow each other's
/// journals by them, so a number is never used again. A kind named after a message of the contract is a change of
/// that state.
public enum ConversationsKind: JournalKind {
    case unspecified
    case conversation
    /// A device, or all sign-ins, of the subject were revoked.
    case deviceRevoked
    /// A member joined. Like 4, 5 and 9 to 14, only for services that follow the journal.
    case joined
    case left
    case removed
    case requestCount
    case profile
    case block
    /// The name of a group changed.
    case renamed
    case photoChanged
    case ownershipTransferred
    /// A member became an admin.
    case madeAdmin
    /// An admin became a member.
    case madeMember
    /// People were invited into a group or no longer are, whether they see it or not.
    case invitations
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .conversation
        case 2: self = .deviceRevoked
        case 3: self = .joined
        case 4: self = .left
        case 5: self = .removed
        case 6: self = .requestCount
        case 7: self = .profile
        case 8: self = .block
        case 9: self = .renamed
        case 10: self = .photoChanged
        case 11: self = .ownershipTransferred
        case 12: self = .madeAdmin
        case 13: self = .madeMember
        case 14: self = .invitations
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .conversation: 1
        case .deviceRevoked: 2
        case .joined: 3
        case .left: 4
        case .removed: 5
        case .requestCount: 6
        case .profile: 7
        case .block: 8
        case .renamed: 9
        case .photoChanged: 10
        case .ownershipTransferred: 11
        case .madeAdmin: 12
        case .madeMember: 13
        case .invitations: 14
        case .unrecognized(let rawValue): rawValue
        }
    }

    public static let allCases: [ConversationsKind] = [.conversation, .deviceRevoked, .joined, .left, .removed, .requestCount, .profile, .block, .renamed, .photoChanged, .ownershipTransferred, .madeAdmin, .madeMember, .invitations]
}

public enum MessagingKind: JournalKind {
    case unspecified
    case message
    /// A message of a pending request, which reveals the request.
    case requestMessage
    case inboxState
    case messageState
    case reactions
    /// A change outside the window of some people, who get only its position.
    case notShown
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .message
        case 2: self = .requestMessage
        case 3: self = .inboxState
        case 4: self = .messageState
        case 5: self = .reactions
        case 6: self = .notShown
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .message: 1
        case .requestMessage: 2
        case .inboxState: 3
        case .messageState: 4
        case .reactions: 5
        case .notShown: 6
        case .unrecognized(let rawValue): rawValue
        }
    }

    public static let allCases: [MessagingKind] = [.message, .requestMessage, .inboxState, .messageState, .reactions, .notShown]
}

public enum EntitiesKind: JournalKind {
    case unspecified
    case reminder
    case decision
    /// A card of a conversation was made, changed or withdrawn. Only for services.
    case card
    case event
    case suggestion
    case eventCounts
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .reminder
        case 2: self = .decision
        case 3: self = .card
        case 4: self = .event
        case 5: self = .suggestion
        case 6: self = .eventCounts
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .reminder: 1
        case .decision: 2
        case .card: 3
        case .event: 4
        case .suggestion: 5
        case .eventCounts: 6
        case .unrecognized(let rawValue): rawValue
        }
    }

    public static let allCases: [EntitiesKind] = [.reminder, .decision, .card, .event, .suggestion, .eventCounts]
}

public struct Envelope: WireMessage {
    public var id: UInt64 = 0
    /// max 64 bytes.
    public var method: String = ""
    /// The caller's account number; zero: not signed in.
    public var account: Int64 = 0
    /// max 64 bytes. The caller's user id.
    public var user: String = ""
    /// max 64 bytes.
    public var device: String = ""
    /// max 64 bytes. The caller's session: the resulting Update is not sent to it.
    public var session: String = ""
    /// max 64 bytes. The client's address, for sign-in limits.
    public var address: String = ""
    /// The time left.
    public var deadlineMs: UInt32 = 0
    /// max 64 bytes. The request's id in the logs of all processes.
    public var trace: String = ""
    /// max 64 bytes. The gateway's span in W3C Trace Context format; empty: not traced.
    public var traceparent: String = ""
    /// max 64 bytes. IANA name of the time zone that the session named; empty: none.
    public var timeZone: String = ""

    public init() {}

    public init(
        id: UInt64 = 0,
        method: String = "",
        account: Int64 = 0,
        user: String = "",
        device: String = "",
        session: String = "",
        address: String = "",
        deadlineMs: UInt32 = 0,
        trace: String = "",
        traceparent: String = "",
        timeZone: String = ""
    ) {
        self.id = id
        self.method = method
        self.account = account
        self.user = user
        self.device = device
        self.session = session
        self.address = address
        self.deadlineMs = deadlineMs
        self.trace = trace
        self.traceparent = traceparent
        self.timeZone = timeZone
    }

    public static var messageName: String { "Envelope" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Envelope: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Envelope>? {
        parley__v1__envelope__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Envelope>) { parley__v1__envelope__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Envelope>) throws(DecodeFailure) {
        self.id = c.pointee.id
        self.method = try readString(c.pointee.method, max: 64, "method")
        self.account = c.pointee.account
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.session = try readString(c.pointee.session, max: 64, "session")
        self.address = try readString(c.pointee.address, max: 64, "address")
        self.deadlineMs = c.pointee.deadline_ms
        self.trace = try readString(c.pointee.trace, max: 64, "trace")
        self.traceparent = try readString(c.pointee.traceparent, max: 64, "traceparent")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Envelope>, _ arena: inout Arena) {
        c.pointee.id = self.id
        if !self.method.isEmpty { c.pointee.method = arena.string(self.method) }
        c.pointee.account = self.account
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        if !self.session.isEmpty { c.pointee.session = arena.string(self.session) }
        if !self.address.isEmpty { c.pointee.address = arena.string(self.address) }
        c.pointee.deadline_ms = self.deadlineMs
        if !self.trace.isEmpty { c.pointee.trace = arena.string(self.trace) }
        if !self.traceparent.isEmpty { c.pointee.traceparent = arena.string(self.traceparent) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
    }
}

public struct ReplyHeader: WireMessage {
    public var id: UInt64 = 0
    public var error: Problem?

    public init() {}

    public init(id: UInt64 = 0, error: Problem? = nil) {
        self.id = id
        self.error = error
    }

    public static var messageName: String { "ReplyHeader" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReplyHeader: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReplyHeader>? {
        parley__v1__reply_header__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReplyHeader>) { parley__v1__reply_header__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReplyHeader>) throws(DecodeFailure) {
        self.id = c.pointee.id
        self.error = try readMessage(c.pointee.error, "error")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReplyHeader>, _ arena: inout Arena) {
        c.pointee.id = self.id
        if let error { c.pointee.error = arena.message(error) }
    }
}

public struct UpdateHeader: WireMessage {
    /// Zero: not journaled (ephemeral, collapsible).
    public var lane: UInt32 = 0
    /// Dense within the lane.
    public var number: Int64 = 0
    /// max 192 bytes.
    public var stream: String = ""
    public var position: Int64 = 0
    /// max 64 bytes.
    public var kind: String = ""
    public var `class`: UpdateClass = .unspecified
    /// max 160 bytes.
    public var collapseKey: String = ""
    /// max 1000 items. Account numbers of the people who may see it.
    public var audience: [Int64] = []
    /// max 64 bytes. Left out: this session has the change from its reply.
    public var originSession: String = ""
    /// Present, with `kind` empty: for the gateways themselves; no client sees it. With neither, the number was used
    /// for an entry that only services follow, and gateways deliver nothing.
    public var control: Control?
    /// max 64 bytes. Of a new message: the zone that its sender's session named, for services.
    public var timeZone: String = ""

    public init() {}

    public init(
        lane: UInt32 = 0,
        number: Int64 = 0,
        stream: String = "",
        position: Int64 = 0,
        kind: String = "",
        `class`: UpdateClass = .unspecified,
        collapseKey: String = "",
        audience: [Int64] = [],
        originSession: String = "",
        control: Control? = nil,
        timeZone: String = ""
    ) {
        self.lane = lane
        self.number = number
        self.stream = stream
        self.position = position
        self.kind = kind
        self.`class` = `class`
        self.collapseKey = collapseKey
        self.audience = audience
        self.originSession = originSession
        self.control = control
        self.timeZone = timeZone
    }

    public static var messageName: String { "UpdateHeader" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdateHeader: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdateHeader>? {
        parley__v1__update_header__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdateHeader>) { parley__v1__update_header__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdateHeader>) throws(DecodeFailure) {
        self.lane = c.pointee.lane
        self.number = c.pointee.number
        self.stream = try readString(c.pointee.stream, max: 192, "stream")
        self.position = c.pointee.position
        self.kind = try readString(c.pointee.kind, max: 64, "kind")
        self.`class` = UpdateClass(rawValue: Int32(bitPattern: c.pointee.class_.rawValue))
        self.collapseKey = try readString(c.pointee.collapse_key, max: 160, "collapse_key")
        self.audience = try readNumbers(c.pointee.audience, c.pointee.n_audience, maxItems: 1000, "audience")
        self.originSession = try readString(c.pointee.origin_session, max: 64, "origin_session")
        self.control = try readMessage(c.pointee.control, "control")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdateHeader>, _ arena: inout Arena) {
        c.pointee.lane = self.lane
        c.pointee.number = self.number
        if !self.stream.isEmpty { c.pointee.stream = arena.string(self.stream) }
        c.pointee.position = self.position
        if !self.kind.isEmpty { c.pointee.kind = arena.string(self.kind) }
        c.pointee.class_ = Parley__V1__UpdateClass(rawValue: UInt32(bitPattern: self.`class`.rawValue))
        if !self.collapseKey.isEmpty { c.pointee.collapse_key = arena.string(self.collapseKey) }
        c.pointee.n_audience = self.audience.count
        c.pointee.audience = arena.numbers(self.audience)
        if !self.originSession.isEmpty { c.pointee.origin_session = arena.string(self.originSession) }
        if let control { c.pointee.control = arena.message(control) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
    }
}

/// What a service reads of each UpdateHeader that it hears: some of its fields, by their numbers.
public struct HeardHeader: WireMessage {
    public var lane: UInt32 = 0
    public var number: Int64 = 0
    /// max 64 bytes.
    public var kind: String = ""
    public var control: Control?
    /// max 64 bytes.
    public var timeZone: String = ""

    public init() {}

    public init(
        lane: UInt32 = 0,
        number: Int64 = 0,
        kind: String = "",
        control: Control? = nil,
        timeZone: String = ""
    ) {
        self.lane = lane
        self.number = number
        self.kind = kind
        self.control = control
        self.timeZone = timeZone
    }

    public static var messageName: String { "HeardHeader" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HeardHeader: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HeardHeader>? {
        parley__v1__heard_header__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HeardHeader>) { parley__v1__heard_header__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HeardHeader>) throws(DecodeFailure) {
        self.lane = c.pointee.lane
        self.number = c.pointee.number
        self.kind = try readString(c.pointee.kind, max: 64, "kind")
        self.control = try readMessage(c.pointee.control, "control")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HeardHeader>, _ arena: inout Arena) {
        c.pointee.lane = self.lane
        c.pointee.number = self.number
        if !self.kind.isEmpty { c.pointee.kind = arena.string(self.kind) }
        if let control { c.pointee.control = arena.message(control) }
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
    }
}

/// Whom a service that tells people of it finds in the same header.
public struct HeardAudience: WireMessage {
    /// max 1000 items.
    public var audience: [Int64] = []

    public init() {}

    public init(audience: [Int64] = []) {
        self.audience = audience
    }

    public static var messageName: String { "HeardAudience" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HeardAudience: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HeardAudience>? {
        parley__v1__heard_audience__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HeardAudience>) { parley__v1__heard_audience__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HeardAudience>) throws(DecodeFailure) {
        self.audience = try readNumbers(c.pointee.audience, c.pointee.n_audience, maxItems: 1000, "audience")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HeardAudience>, _ arena: inout Arena) {
        c.pointee.n_audience = self.audience.count
        c.pointee.audience = arena.numbers(self.audience)
    }
}

/// The same of a Message.
public struct HeardMessage: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var seq: Int64 = 0
    /// max 64 bytes.
    public var sender: String = ""
    /// A MessageKind.
    public var kind: Int32 = 0
    /// max 16384 bytes.
    public var text: String = ""
    public var sentAtUs: Int64 = 0
    public var editedAtUs: Int64 = 0
    public var deletedAtUs: Int64 = 0
    public var expiresAtUs: Int64 = 0

    public init() {}

    public init(
        conversation: String = "",
        seq: Int64 = 0,
        sender: String = "",
        kind: Int32 = 0,
        text: String = "",
        sentAtUs: Int64 = 0,
        editedAtUs: Int64 = 0,
        deletedAtUs: Int64 = 0,
        expiresAtUs: Int64 = 0
    ) {
        self.conversation = conversation
        self.seq = seq
        self.sender = sender
        self.kind = kind
        self.text = text
        self.sentAtUs = sentAtUs
        self.editedAtUs = editedAtUs
        self.deletedAtUs = deletedAtUs
        self.expiresAtUs = expiresAtUs
    }

    public static var messageName: String { "HeardMessage" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HeardMessage: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HeardMessage>? {
        parley__v1__heard_message__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HeardMessage>) { parley__v1__heard_message__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HeardMessage>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.seq = c.pointee.seq
        self.sender = try readString(c.pointee.sender, max: 64, "sender")
        self.kind = c.pointee.kind
        self.text = try readString(c.pointee.text, max: 16384, "text")
        self.sentAtUs = c.pointee.sent_at_us
        self.editedAtUs = c.pointee.edited_at_us
        self.deletedAtUs = c.pointee.deleted_at_us
        self.expiresAtUs = c.pointee.expires_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HeardMessage>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.seq = self.seq
        if !self.sender.isEmpty { c.pointee.sender = arena.string(self.sender) }
        c.pointee.kind = self.kind
        if !self.text.isEmpty { c.pointee.text = arena.string(self.text) }
        c.pointee.sent_at_us = self.sentAtUs
        c.pointee.edited_at_us = self.editedAtUs
        c.pointee.deleted_at_us = self.deletedAtUs
        c.pointee.expires_at_us = self.expiresAtUs
    }
}

/// An instruction to the gateways.
public struct Control: WireMessage {
    public var control: Control?

    public enum Control: Sendable, Equatable {
        case deviceRevoked(DeviceRevoked)
        case heartbeat(Heartbeat)
    }

    public init() {}

    public init(control: Control? = nil) {
        self.control = control
    }

    public static var messageName: String { "Control" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Control: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Control>? {
        parley__v1__control__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Control>) { parley__v1__control__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Control>) throws(DecodeFailure) {
        switch c.pointee.control_case.rawValue {
        case 1: self.control = try readMessage(c.pointee.device_revoked, "device_revoked").map { .deviceRevoked($0) }
        case 2: self.control = try readMessage(c.pointee.heartbeat, "heartbeat").map { .heartbeat($0) }
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Control>, _ arena: inout Arena) {
        switch self.control {
        case nil: break
        case .deviceRevoked(let value):
            c.pointee.control_case = Parley__V1__Control__ControlCase(rawValue: 1)
            c.pointee.device_revoked = arena.message(value)
        case .heartbeat(let value):
            c.pointee.control_case = Parley__V1__Control__ControlCase(rawValue: 2)
            c.pointee.heartbeat = arena.message(value)
        }
    }
}

/// How far all lanes of a service are committed. Every replica of a service with a journal publishes this twice a
/// second, for its own lanes and those of the other replicas. A gateway that has seen less calls Journal.Replay.
public struct Heartbeat: WireMessage {
    /// max 64 bytes. Numbers and positions of another epoch cannot be compared with these.
    public var epoch: String = ""
    /// max 1023 items. A lane that is not listed is at zero.
    public var lanes: [LaneNumber] = []

    public init() {}

    public init(epoch: String = "", lanes: [LaneNumber] = []) {
        self.epoch = epoch
        self.lanes = lanes
    }

    public static var messageName: String { "Heartbeat" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Heartbeat: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Heartbeat>? {
        parley__v1__heartbeat__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Heartbeat>) { parley__v1__heartbeat__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Heartbeat>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.lanes = try readMessages(c.pointee.lanes, c.pointee.n_lanes, maxItems: 1023, "lanes")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Heartbeat>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.n_lanes = self.lanes.count
        c.pointee.lanes = arena.messages(self.lanes)
    }
}

public struct LaneNumber: WireMessage {
    public var lane: UInt32 = 0
    public var number: Int64 = 0

    public init() {}

    public init(lane: UInt32 = 0, number: Int64 = 0) {
        self.lane = lane
        self.number = number
    }

    public static var messageName: String { "LaneNumber" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LaneNumber: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LaneNumber>? {
        parley__v1__lane_number__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LaneNumber>) { parley__v1__lane_number__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LaneNumber>) throws(DecodeFailure) {
        self.lane = c.pointee.lane
        self.number = c.pointee.number
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LaneNumber>, _ arena: inout Arena) {
        c.pointee.lane = self.lane
        c.pointee.number = self.number
    }
}

public struct LanesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "LanesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LanesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LanesRequest>? {
        parley__v1__lanes_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LanesRequest>) { parley__v1__lanes_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LanesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LanesRequest>, _ arena: inout Arena) {
    }
}

public struct LanesReply: WireMessage {
    public var heartbeat: Heartbeat?

    public init() {}

    public init(heartbeat: Heartbeat? = nil) {
        self.heartbeat = heartbeat
    }

    public static var messageName: String { "LanesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LanesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LanesReply>? {
        parley__v1__lanes_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LanesReply>) { parley__v1__lanes_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LanesReply>) throws(DecodeFailure) {
        self.heartbeat = try readMessage(c.pointee.heartbeat, "heartbeat")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LanesReply>, _ arena: inout Arena) {
        if let heartbeat { c.pointee.heartbeat = arena.message(heartbeat) }
    }
}

public struct ReplayRequest: WireMessage {
    public var lane: UInt32 = 0
    /// The first number, at least 1.
    public var from: Int64 = 0
    /// The last number, inclusive.
    public var to: Int64 = 0
    /// Return the accounts that may see the Updates instead, for a gateway too far behind.
    public var accountsOnly: Bool = false

    public init() {}

    public init(lane: UInt32 = 0, from: Int64 = 0, to: Int64 = 0, accountsOnly: Bool = false) {
        self.lane = lane
        self.from = from
        self.to = to
        self.accountsOnly = accountsOnly
    }

    public static var messageName: String { "ReplayRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReplayRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReplayRequest>? {
        parley__v1__replay_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReplayRequest>) { parley__v1__replay_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReplayRequest>) throws(DecodeFailure) {
        self.lane = c.pointee.lane
        self.from = c.pointee.from
        self.to = c.pointee.to
        self.accountsOnly = c.pointee.accounts_only != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReplayRequest>, _ arena: inout Arena) {
        c.pointee.lane = self.lane
        c.pointee.from = self.from
        c.pointee.to = self.to
        c.pointee.accounts_only = self.accountsOnly ? 1 : 0
    }
}

public struct ReplayReply: WireMessage {
    /// max 1000 items. In order of number. A number may have none or several.
    public var updates: [ReplayedUpdate] = []
    /// The last number covered by this reply. Continue with the next.
    public var through: Int64 = 0
    /// max 100000 items. With accounts_only.
    public var accounts: [Int64] = []
    /// The journal lacks some of the range: it may concern any account.
    public var incomplete: Bool = false

    public init() {}

    public init(updates: [ReplayedUpdate] = [], through: Int64 = 0, accounts: [Int64] = [], incomplete: Bool = false) {
        self.updates = updates
        self.through = through
        self.accounts = accounts
        self.incomplete = incomplete
    }

    public static var messageName: String { "ReplayReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReplayReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReplayReply>? {
        parley__v1__replay_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReplayReply>) { parley__v1__replay_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReplayReply>) throws(DecodeFailure) {
        self.updates = try readMessages(c.pointee.updates, c.pointee.n_updates, maxItems: 1000, "updates")
        self.through = c.pointee.through
        self.accounts = try readNumbers(c.pointee.accounts, c.pointee.n_accounts, maxItems: 100000, "accounts")
        self.incomplete = c.pointee.incomplete != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReplayReply>, _ arena: inout Arena) {
        c.pointee.n_updates = self.updates.count
        c.pointee.updates = arena.messages(self.updates)
        c.pointee.through = self.through
        c.pointee.n_accounts = self.accounts.count
        c.pointee.accounts = arena.numbers(self.accounts)
        c.pointee.incomplete = self.incomplete ? 1 : 0
    }
}

public struct ReplayedUpdate: WireMessage {
    public var header: UpdateHeader?
    /// max 122880 bytes.
    public var body: [UInt8] = []

    public init() {}

    public init(header: UpdateHeader? = nil, body: [UInt8] = []) {
        self.header = header
        self.body = body
    }

    public static var messageName: String { "ReplayedUpdate" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ReplayedUpdate: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ReplayedUpdate>? {
        parley__v1__replayed_update__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ReplayedUpdate>) { parley__v1__replayed_update__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ReplayedUpdate>) throws(DecodeFailure) {
        self.header = try readMessage(c.pointee.header, "header")
        self.body = try readBytes(c.pointee.body, max: 122880, "body")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ReplayedUpdate>, _ arena: inout Arena) {
        if let header { c.pointee.header = arena.message(header) }
        c.pointee.body = arena.bytes(self.body)
    }
}

/// Tokens of this device made before `at_us` are void, and its sessions close.
public struct DeviceRevoked: WireMessage {
    public var account: Int64 = 0
    /// max 64 bytes. Empty: all devices of the account.
    public var device: String = ""
    public var atUs: Int64 = 0

    public init() {}

    public init(account: Int64 = 0, device: String = "", atUs: Int64 = 0) {
        self.account = account
        self.device = device
        self.atUs = atUs
    }

    public static var messageName: String { "DeviceRevoked" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DeviceRevoked: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DeviceRevoked>? {
        parley__v1__device_revoked__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DeviceRevoked>) { parley__v1__device_revoked__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DeviceRevoked>) throws(DecodeFailure) {
        self.account = c.pointee.account
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.atUs = c.pointee.at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DeviceRevoked>, _ arena: inout Arena) {
        c.pointee.account = self.account
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        c.pointee.at_us = self.atUs
    }
}

public struct HealthRequest: WireMessage {
    public init() {}

    public static var messageName: String { "HealthRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HealthRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HealthRequest>? {
        parley__v1__health_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HealthRequest>) { parley__v1__health_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HealthRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HealthRequest>, _ arena: inout Arena) {
    }
}

public struct HealthReply: WireMessage {
    /// max 64 bytes.
    public var service: String = ""
    /// max 64 bytes.
    public var instance: String = ""
    /// max 64 bytes.
    public var version: String = ""
    public var ready: Bool = false
    /// max 16 items of 256 bytes. Why it is not ready.
    public var reasons: [String] = []
    public var upSinceUs: Int64 = 0
    /// max 500 items.
    public var metrics: [Metric] = []

    public init() {}

    public init(
        service: String = "",
        instance: String = "",
        version: String = "",
        ready: Bool = false,
        reasons: [String] = [],
        upSinceUs: Int64 = 0,
        metrics: [Metric] = []
    ) {
        self.service = service
        self.instance = instance
        self.version = version
        self.ready = ready
        self.reasons = reasons
        self.upSinceUs = upSinceUs
        self.metrics = metrics
    }

    public static var messageName: String { "HealthReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HealthReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HealthReply>? {
        parley__v1__health_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HealthReply>) { parley__v1__health_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HealthReply>) throws(DecodeFailure) {
        self.service = try readString(c.pointee.service, max: 64, "service")
        self.instance = try readString(c.pointee.instance, max: 64, "instance")
        self.version = try readString(c.pointee.version, max: 64, "version")
        self.ready = c.pointee.ready != 0
        self.reasons = try readStrings(c.pointee.reasons, c.pointee.n_reasons, maxItems: 16, maxBytes: 256, "reasons")
        self.upSinceUs = c.pointee.up_since_us
        self.metrics = try readMessages(c.pointee.metrics, c.pointee.n_metrics, maxItems: 500, "metrics")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HealthReply>, _ arena: inout Arena) {
        if !self.service.isEmpty { c.pointee.service = arena.string(self.service) }
        if !self.instance.isEmpty { c.pointee.instance = arena.string(self.instance) }
        if !self.version.isEmpty { c.pointee.version = arena.string(self.version) }
        c.pointee.ready = self.ready ? 1 : 0
        c.pointee.n_reasons = self.reasons.count
        c.pointee.reasons = arena.strings(self.reasons)
        c.pointee.up_since_us = self.upSinceUs
        c.pointee.n_metrics = self.metrics.count
        c.pointee.metrics = arena.messages(self.metrics)
    }
}

public struct Metric: WireMessage {
    /// max 128 bytes.
    public var name: String = ""
    /// max 256 bytes. "method=messaging.SendMessage,code=ok"
    public var labels: String = ""
    public var value: Double = 0

    public init() {}

    public init(name: String = "", labels: String = "", value: Double = 0) {
        self.name = name
        self.labels = labels
        self.value = value
    }

    public static var messageName: String { "Metric" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Metric: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Metric>? {
        parley__v1__metric__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Metric>) { parley__v1__metric__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Metric>) throws(DecodeFailure) {
        self.name = try readString(c.pointee.name, max: 128, "name")
        self.labels = try readString(c.pointee.labels, max: 256, "labels")
        self.value = c.pointee.value
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Metric>, _ arena: inout Arena) {
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.labels.isEmpty { c.pointee.labels = arena.string(self.labels) }
        c.pointee.value = self.value
    }
}

public struct AuthorityRequest: WireMessage {
    public init() {}

    public static var messageName: String { "AuthorityRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AuthorityRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AuthorityRequest>? {
        parley__v1__authority_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AuthorityRequest>) { parley__v1__authority_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AuthorityRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AuthorityRequest>, _ arena: inout Arena) {
    }
}

public struct AuthorityReply: WireMessage {
    /// max 16 items.
    public var keys: [PublicKey] = []
    /// max 100000 items. Those whose tokens have not expired yet.
    public var revoked: [DeviceRevoked] = []

    public init() {}

    public init(keys: [PublicKey] = [], revoked: [DeviceRevoked] = []) {
        self.keys = keys
        self.revoked = revoked
    }

    public static var messageName: String { "AuthorityReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AuthorityReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AuthorityReply>? {
        parley__v1__authority_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AuthorityReply>) { parley__v1__authority_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AuthorityReply>) throws(DecodeFailure) {
        self.keys = try readMessages(c.pointee.keys, c.pointee.n_keys, maxItems: 16, "keys")
        self.revoked = try readMessages(c.pointee.revoked, c.pointee.n_revoked, maxItems: 100000, "revoked")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AuthorityReply>, _ arena: inout Arena) {
        c.pointee.n_keys = self.keys.count
        c.pointee.keys = arena.messages(self.keys)
        c.pointee.n_revoked = self.revoked.count
        c.pointee.revoked = arena.messages(self.revoked)
    }
}

public struct PublicKey: WireMessage {
    /// max 64 bytes.
    public var id: String = ""
    /// exactly 32 bytes.
    public var ed25519: [UInt8] = []
    /// exactly 32 bytes. Opens the account number in the tokens that this key signed.
    public var seal: [UInt8] = []

    public init() {}

    public init(id: String = "", ed25519: [UInt8] = [], seal: [UInt8] = []) {
        self.id = id
        self.ed25519 = ed25519
        self.seal = seal
    }

    public static var messageName: String { "PublicKey" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PublicKey: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PublicKey>? {
        parley__v1__public_key__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PublicKey>) { parley__v1__public_key__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PublicKey>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.ed25519 = try readBytes(c.pointee.ed25519, exactly: 32, "ed25519")
        self.seal = try readBytes(c.pointee.seal, exactly: 32, "seal")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PublicKey>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        c.pointee.ed25519 = arena.bytes(self.ed25519)
        c.pointee.seal = arena.bytes(self.seal)
    }
}

public struct SessionsReport: WireMessage {
    /// max 64 bytes. Instance name.
    public var gateway: String = ""
    /// `opened` lists all sessions: forget this gateway's others.
    public var full: Bool = false
    /// max 10000 items.
    public var opened: [SessionOpened] = []
    /// max 10000 items of 64 bytes. Session ids.
    public var closed: [String] = []

    public init() {}

    public init(gateway: String = "", full: Bool = false, opened: [SessionOpened] = [], closed: [String] = []) {
        self.gateway = gateway
        self.full = full
        self.opened = opened
        self.closed = closed
    }

    public static var messageName: String { "SessionsReport" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SessionsReport: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SessionsReport>? {
        parley__v1__sessions_report__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SessionsReport>) { parley__v1__sessions_report__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SessionsReport>) throws(DecodeFailure) {
        self.gateway = try readString(c.pointee.gateway, max: 64, "gateway")
        self.full = c.pointee.full != 0
        self.opened = try readMessages(c.pointee.opened, c.pointee.n_opened, maxItems: 10000, "opened")
        self.closed = try readStrings(c.pointee.closed, c.pointee.n_closed, maxItems: 10000, maxBytes: 64, "closed")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SessionsReport>, _ arena: inout Arena) {
        if !self.gateway.isEmpty { c.pointee.gateway = arena.string(self.gateway) }
        c.pointee.full = self.full ? 1 : 0
        c.pointee.n_opened = self.opened.count
        c.pointee.opened = arena.messages(self.opened)
        c.pointee.n_closed = self.closed.count
        c.pointee.closed = arena.strings(self.closed)
    }
}

public struct SessionOpened: WireMessage {
    /// max 64 bytes.
    public var session: String = ""
    public var account: Int64 = 0
    public var background: Bool = false
    /// max 129 bytes.
    public var currentConversation: String = ""
    /// For how long nothing said that the person uses it; negative: nothing ever did.
    public var idleMs: Int64 = 0

    public init() {}

    public init(
        session: String = "",
        account: Int64 = 0,
        background: Bool = false,
        currentConversation: String = "",
        idleMs: Int64 = 0
    ) {
        self.session = session
        self.account = account
        self.background = background
        self.currentConversation = currentConversation
        self.idleMs = idleMs
    }

    public static var messageName: String { "SessionOpened" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SessionOpened: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SessionOpened>? {
        parley__v1__session_opened__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SessionOpened>) { parley__v1__session_opened__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SessionOpened>) throws(DecodeFailure) {
        self.session = try readString(c.pointee.session, max: 64, "session")
        self.account = c.pointee.account
        self.background = c.pointee.background != 0
        self.currentConversation = try readString(c.pointee.current_conversation, max: 129, "current_conversation")
        self.idleMs = c.pointee.idle_ms
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SessionOpened>, _ arena: inout Arena) {
        if !self.session.isEmpty { c.pointee.session = arena.string(self.session) }
        c.pointee.account = self.account
        c.pointee.background = self.background ? 1 : 0
        if !self.currentConversation.isEmpty { c.pointee.current_conversation = arena.string(self.currentConversation) }
        c.pointee.idle_ms = self.idleMs
    }
}

public struct SessionsReportReply: WireMessage {
    /// This replica restarted and does not know the gateway's sessions: report all of them.
    public var sendFull: Bool = false

    public init() {}

    public init(sendFull: Bool = false) {
        self.sendFull = sendFull
    }

    public static var messageName: String { "SessionsReportReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SessionsReportReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SessionsReportReply>? {
        parley__v1__sessions_report_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SessionsReportReply>) { parley__v1__sessions_report_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SessionsReportReply>) throws(DecodeFailure) {
        self.sendFull = c.pointee.send_full != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SessionsReportReply>, _ arena: inout Arena) {
        c.pointee.send_full = self.sendFull ? 1 : 0
    }
}

public struct ForegroundRequest: WireMessage {
    /// The last account of the page before; zero: the first page.
    public var after: Int64 = 0

    public init() {}

    public init(after: Int64 = 0) {
        self.after = after
    }

    public static var messageName: String { "ForegroundRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ForegroundRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ForegroundRequest>? {
        parley__v1__foreground_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ForegroundRequest>) { parley__v1__foreground_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ForegroundRequest>) throws(DecodeFailure) {
        self.after = c.pointee.after
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ForegroundRequest>, _ arena: inout Arena) {
        c.pointee.after = self.after
    }
}

public struct ForegroundReply: WireMessage {
    /// max 64 bytes. Each start of a replica has its own.
    public var epoch: String = ""
    /// Of the last change that this page knows.
    public var position: Int64 = 0
    /// max 100000 items. Ascending.
    public var accounts: [Int64] = []
    /// Another page follows.
    public var more: Bool = false

    public init() {}

    public init(epoch: String = "", position: Int64 = 0, accounts: [Int64] = [], more: Bool = false) {
        self.epoch = epoch
        self.position = position
        self.accounts = accounts
        self.more = more
    }

    public static var messageName: String { "ForegroundReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ForegroundReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ForegroundReply>? {
        parley__v1__foreground_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ForegroundReply>) { parley__v1__foreground_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ForegroundReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.position = c.pointee.position
        self.accounts = try readNumbers(c.pointee.accounts, c.pointee.n_accounts, maxItems: 100000, "accounts")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ForegroundReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.position = self.position
        c.pointee.n_accounts = self.accounts.count
        c.pointee.accounts = arena.numbers(self.accounts)
        c.pointee.more = self.more ? 1 : 0
    }
}

/// Who came to the foreground and who left it. Published to followers on the stream "presence/foreground", with dense
/// positions. Twice a second, one without accounts repeats the last position.
public struct ForegroundChange: WireMessage {
    /// max 64 bytes. Of the same replica's ForegroundReply.
    public var epoch: String = ""
    /// max 10000 items.
    public var came: [Int64] = []
    /// max 10000 items.
    public var went: [Int64] = []

    public init() {}

    public init(epoch: String = "", came: [Int64] = [], went: [Int64] = []) {
        self.epoch = epoch
        self.came = came
        self.went = went
    }

    public static var messageName: String { "ForegroundChange" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ForegroundChange: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ForegroundChange>? {
        parley__v1__foreground_change__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ForegroundChange>) { parley__v1__foreground_change__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ForegroundChange>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.came = try readNumbers(c.pointee.came, c.pointee.n_came, maxItems: 10000, "came")
        self.went = try readNumbers(c.pointee.went, c.pointee.n_went, maxItems: 10000, "went")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ForegroundChange>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.n_came = self.came.count
        c.pointee.came = arena.numbers(self.came)
        c.pointee.n_went = self.went.count
        c.pointee.went = arena.numbers(self.went)
    }
}

public struct HttpRoutesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "HttpRoutesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpRoutesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpRoutesRequest>? {
        parley__v1__http_routes_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpRoutesRequest>) { parley__v1__http_routes_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpRoutesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpRoutesRequest>, _ arena: inout Arena) {
    }
}

public struct HttpRoutesReply: WireMessage {
    /// max 64 items.
    public var routes: [HttpRoute] = []
    /// `limits.text-bytes` of the service, for `Limits` in the welcome; zero: it has none.
    public var textBytes: UInt32 = 0

    public init() {}

    public init(routes: [HttpRoute] = [], textBytes: UInt32 = 0) {
        self.routes = routes
        self.textBytes = textBytes
    }

    public static var messageName: String { "HttpRoutesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpRoutesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpRoutesReply>? {
        parley__v1__http_routes_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpRoutesReply>) { parley__v1__http_routes_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpRoutesReply>) throws(DecodeFailure) {
        self.routes = try readMessages(c.pointee.routes, c.pointee.n_routes, maxItems: 64, "routes")
        self.textBytes = c.pointee.text_bytes
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpRoutesReply>, _ arena: inout Arena) {
        c.pointee.n_routes = self.routes.count
        c.pointee.routes = arena.messages(self.routes)
        c.pointee.text_bytes = self.textBytes
    }
}

/// A path, and what gateways check before they pass on a request to it.
public struct HttpRoute: WireMessage {
    /// max 256 bytes. "/v1/files/"
    public var path: String = ""
    /// Also every path that begins with it.
    public var below: Bool = false
    /// max 8 items of 16 bytes. "GET". Other methods get 405.
    public var methods: [String] = []
    /// max 32 items of 64 bytes. Headers that are passed on, in lower case; no others are.
    public var headers: [String] = []
    /// A longer body gets 413.
    public var bodyBytesMax: Int64 = 0
    /// max 128 bytes. Header of successful replies without one; others get "no-store".
    public var cacheControl: String = ""

    public init() {}

    public init(
        path: String = "",
        below: Bool = false,
        methods: [String] = [],
        headers: [String] = [],
        bodyBytesMax: Int64 = 0,
        cacheControl: String = ""
    ) {
        self.path = path
        self.below = below
        self.methods = methods
        self.headers = headers
        self.bodyBytesMax = bodyBytesMax
        self.cacheControl = cacheControl
    }

    public static var messageName: String { "HttpRoute" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpRoute: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpRoute>? {
        parley__v1__http_route__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpRoute>) { parley__v1__http_route__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpRoute>) throws(DecodeFailure) {
        self.path = try readString(c.pointee.path, max: 256, "path")
        self.below = c.pointee.below != 0
        self.methods = try readStrings(c.pointee.methods, c.pointee.n_methods, maxItems: 8, maxBytes: 16, "methods")
        self.headers = try readStrings(c.pointee.headers, c.pointee.n_headers, maxItems: 32, maxBytes: 64, "headers")
        self.bodyBytesMax = c.pointee.body_bytes_max
        self.cacheControl = try readString(c.pointee.cache_control, max: 128, "cache_control")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpRoute>, _ arena: inout Arena) {
        if !self.path.isEmpty { c.pointee.path = arena.string(self.path) }
        c.pointee.below = self.below ? 1 : 0
        c.pointee.n_methods = self.methods.count
        c.pointee.methods = arena.strings(self.methods)
        c.pointee.n_headers = self.headers.count
        c.pointee.headers = arena.strings(self.headers)
        c.pointee.body_bytes_max = self.bodyBytesMax
        if !self.cacheControl.isEmpty { c.pointee.cache_control = arena.string(self.cacheControl) }
    }
}

public struct HttpRequest: WireMessage {
    /// max 16 bytes. "GET"
    public var method: String = ""
    /// max 8192 bytes. Including the query: issuers answer there with codes of some KiB.
    public var path: String = ""
    /// max 32 items. Those that the route lists, names in lower case.
    public var headers: [HttpHeader] = []
    /// max 262144 bytes. Senders put it last, where it is found without parsing.
    public var body: [UInt8] = []
    /// How many bytes of the body came before.
    public var bodyOffset: Int64 = 0
    /// This piece is the last of the body.
    public var bodyEnds: Bool = false
    /// max 512 bytes. The `state` of the last reply; empty at first.
    public var state: [UInt8] = []
    /// How many bytes of the reply's body have arrived.
    public var replyOffset: Int64 = 0

    public init() {}

    public init(
        method: String = "",
        path: String = "",
        headers: [HttpHeader] = [],
        body: [UInt8] = [],
        bodyOffset: Int64 = 0,
        bodyEnds: Bool = false,
        state: [UInt8] = [],
        replyOffset: Int64 = 0
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.bodyOffset = bodyOffset
        self.bodyEnds = bodyEnds
        self.state = state
        self.replyOffset = replyOffset
    }

    public static var messageName: String { "HttpRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpRequest>? {
        parley__v1__http_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpRequest>) { parley__v1__http_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpRequest>) throws(DecodeFailure) {
        self.method = try readString(c.pointee.method, max: 16, "method")
        self.path = try readString(c.pointee.path, max: 8192, "path")
        self.headers = try readMessages(c.pointee.headers, c.pointee.n_headers, maxItems: 32, "headers")
        self.body = try readBytes(c.pointee.body, max: 262144, "body")
        self.bodyOffset = c.pointee.body_offset
        self.bodyEnds = c.pointee.body_ends != 0
        self.state = try readBytes(c.pointee.state, max: 512, "state")
        self.replyOffset = c.pointee.reply_offset
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpRequest>, _ arena: inout Arena) {
        if !self.method.isEmpty { c.pointee.method = arena.string(self.method) }
        if !self.path.isEmpty { c.pointee.path = arena.string(self.path) }
        c.pointee.n_headers = self.headers.count
        c.pointee.headers = arena.messages(self.headers)
        c.pointee.body = arena.bytes(self.body)
        c.pointee.body_offset = self.bodyOffset
        c.pointee.body_ends = self.bodyEnds ? 1 : 0
        c.pointee.state = arena.bytes(self.state)
        c.pointee.reply_offset = self.replyOffset
    }
}

public struct HttpHeader: WireMessage {
    /// max 64 bytes.
    public var name: String = ""
    /// max 4096 bytes.
    public var value: String = ""

    public init() {}

    public init(name: String = "", value: String = "") {
        self.name = name
        self.value = value
    }

    public static var messageName: String { "HttpHeader" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpHeader: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpHeader>? {
        parley__v1__http_header__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpHeader>) { parley__v1__http_header__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpHeader>) throws(DecodeFailure) {
        self.name = try readString(c.pointee.name, max: 64, "name")
        self.value = try readString(c.pointee.value, max: 4096, "value")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpHeader>, _ arena: inout Arena) {
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        if !self.value.isEmpty { c.pointee.value = arena.string(self.value) }
    }
}

public struct HttpReply: WireMessage {
    /// In the reply's first piece. Zero before that: send the request's next piece.
    public var status: UInt32 = 0
    /// max 32 items. In the first piece.
    public var headers: [HttpHeader] = []
    /// max 262144 bytes.
    public var body: [UInt8] = []
    /// The body continues: request the next piece.
    public var more: Bool = false
    /// max 512 bytes. To be sent back with the next piece.
    public var state: [UInt8] = []
    /// In the first piece: whose exchange it is; zero: nobody's. Gateways bound them by account.
    public var account: Int64 = 0

    public init() {}

    public init(
        status: UInt32 = 0,
        headers: [HttpHeader] = [],
        body: [UInt8] = [],
        more: Bool = false,
        state: [UInt8] = [],
        account: Int64 = 0
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.more = more
        self.state = state
        self.account = account
    }

    public static var messageName: String { "HttpReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension HttpReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__HttpReply>? {
        parley__v1__http_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__HttpReply>) { parley__v1__http_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__HttpReply>) throws(DecodeFailure) {
        self.status = c.pointee.status
        self.headers = try readMessages(c.pointee.headers, c.pointee.n_headers, maxItems: 32, "headers")
        self.body = try readBytes(c.pointee.body, max: 262144, "body")
        self.more = c.pointee.more != 0
        self.state = try readBytes(c.pointee.state, max: 512, "state")
        self.account = c.pointee.account
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__HttpReply>, _ arena: inout Arena) {
        c.pointee.status = self.status
        c.pointee.n_headers = self.headers.count
        c.pointee.headers = arena.messages(self.headers)
        c.pointee.body = arena.bytes(self.body)
        c.pointee.more = self.more ? 1 : 0
        c.pointee.state = arena.bytes(self.state)
        c.pointee.account = self.account
    }
}

/// What the service of files needs for the next piece of an exchange: its `state`.
public struct FileExchange: WireMessage {
    public var exchange: Exchange?

    public enum Exchange: Sendable, Equatable {
        case upload(FileUpload)
        case download(FileDownload)
    }

    public init() {}

    public init(exchange: Exchange? = nil) {
        self.exchange = exchange
    }

    public static var messageName: String { "FileExchange" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FileExchange: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FileExchange>? {
        parley__v1__file_exchange__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FileExchange>) { parley__v1__file_exchange__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FileExchange>) throws(DecodeFailure) {
        switch c.pointee.exchange_case.rawValue {
        case 1: self.exchange = try readMessage(c.pointee.upload, "upload").map { .upload($0) }
        case 2: self.exchange = try readMessage(c.pointee.download, "download").map { .download($0) }
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FileExchange>, _ arena: inout Arena) {
        switch self.exchange {
        case nil: break
        case .upload(let value):
            c.pointee.exchange_case = Parley__V1__FileExchange__ExchangeCase(rawValue: 1)
            c.pointee.upload = arena.message(value)
        case .download(let value):
            c.pointee.exchange_case = Parley__V1__FileExchange__ExchangeCase(rawValue: 2)
            c.pointee.download = arena.message(value)
        }
    }
}

public struct FileUpload: WireMessage {
    /// max 64 bytes. The name of the stored bytes.
    public var object: String = ""
    /// Of the whole file.
    public var sizeBytes: Int64 = 0
    /// max 127 bytes. As declared.
    public var mimeType: String = ""
    /// All of the file had arrived before the exchange.
    public var isComplete: Bool = false
    /// Its number, and the attachment's id in it.
    public var conversation: Int64 = 0
    /// max 16 bytes.
    public var id: [UInt8] = []
    /// The offset in the file at which the request's body begins.
    public var start: Int64 = 0
    /// How many bytes of the file are stored.
    public var received: Int64 = 0
    /// What is stored is dropped first.
    public var beginsAnew: Bool = false

    public init() {}

    public init(
        object: String = "",
        sizeBytes: Int64 = 0,
        mimeType: String = "",
        isComplete: Bool = false,
        conversation: Int64 = 0,
        id: [UInt8] = [],
        start: Int64 = 0,
        received: Int64 = 0,
        beginsAnew: Bool = false
    ) {
        self.object = object
        self.sizeBytes = sizeBytes
        self.mimeType = mimeType
        self.isComplete = isComplete
        self.conversation = conversation
        self.id = id
        self.start = start
        self.received = received
        self.beginsAnew = beginsAnew
    }

    public static var messageName: String { "FileUpload" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FileUpload: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FileUpload>? {
        parley__v1__file_upload__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FileUpload>) { parley__v1__file_upload__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FileUpload>) throws(DecodeFailure) {
        self.object = try readString(c.pointee.object, max: 64, "object")
        self.sizeBytes = c.pointee.size_bytes
        self.mimeType = try readString(c.pointee.mime_type, max: 127, "mime_type")
        self.isComplete = c.pointee.is_complete != 0
        self.conversation = c.pointee.conversation
        self.id = try readBytes(c.pointee.id, max: 16, "id")
        self.start = c.pointee.start
        self.received = c.pointee.received
        self.beginsAnew = c.pointee.begins_anew != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FileUpload>, _ arena: inout Arena) {
        if !self.object.isEmpty { c.pointee.object = arena.string(self.object) }
        c.pointee.size_bytes = self.sizeBytes
        if !self.mimeType.isEmpty { c.pointee.mime_type = arena.string(self.mimeType) }
        c.pointee.is_complete = self.isComplete ? 1 : 0
        c.pointee.conversation = self.conversation
        c.pointee.id = arena.bytes(self.id)
        c.pointee.start = self.start
        c.pointee.received = self.received
        c.pointee.begins_anew = self.beginsAnew ? 1 : 0
    }
}

public struct FileDownload: WireMessage {
    /// max 64 bytes.
    public var object: String = ""
    /// The offset in the file at which the reply's body begins.
    public var first: Int64 = 0
    /// The offset after its last byte.
    public var end: Int64 = 0

    public init() {}

    public init(object: String = "", first: Int64 = 0, end: Int64 = 0) {
        self.object = object
        self.first = first
        self.end = end
    }

    public static var messageName: String { "FileDownload" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FileDownload: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FileDownload>? {
        parley__v1__file_download__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FileDownload>) { parley__v1__file_download__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FileDownload>) throws(DecodeFailure) {
        self.object = try readString(c.pointee.object, max: 64, "object")
        self.first = c.pointee.first
        self.end = c.pointee.end
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FileDownload>, _ arena: inout Arena) {
        if !self.object.isEmpty { c.pointee.object = arena.string(self.object) }
        c.pointee.first = self.first
        c.pointee.end = self.end
    }
}
