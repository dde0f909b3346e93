// Generated from frames.proto (sha256 3235fd68b1f0d2ff89d103628e248d4dd0492096ddb7be2a600b1998c5836e55) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

/// How the gateway treats an Update when a session falls behind.
public enum UpdateClass: Sendable, Hashable {
    case unspecified
    /// Never dropped: the gateway closes the session with RESYNC instead.
    case durable
    /// Only the last Update of each collapse key is kept.
    case collapsible
    /// May be dropped: presence.
    case ephemeral
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .durable
        case 2: self = .collapsible
        case 3: self = .ephemeral
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .durable: 1
        case .collapsible: 2
        case .ephemeral: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// WebSocket close codes beyond the standard ones. After 1001 (going away) and 1013 (try again later), reconnect
/// after a random wait. 1000 is the client's own close.
public enum CloseCode: Sendable, Hashable {
    case unspecified
    /// The first frame was not hello. Do not reconnect unchanged.
    case helloExpected
    /// The token is invalid or has expired. Get another one, then reconnect.
    case unauthenticated
    /// This device was signed out. Sign in again.
    case revoked
    /// The session fell behind. Reconnect immediately and sync.
    case resync
    /// An unreadable frame. Do not reconnect unchanged.
    case protocolError
    /// Do not reconnect unchanged.
    case frameTooLarge
    case versionUnsupported
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 4001: self = .helloExpected
        case 4002: self = .unauthenticated
        case 4003: self = .revoked
        case 4004: self = .resync
        case 4005: self = .protocolError
        case 4006: self = .frameTooLarge
        case 4007: self = .versionUnsupported
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .helloExpected: 4001
        case .unauthenticated: 4002
        case .revoked: 4003
        case .resync: 4004
        case .protocolError: 4005
        case .frameTooLarge: 4006
        case .versionUnsupported: 4007
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// A frame from a client. The first must be `hello`, within 5 s of connecting.
public struct ClientFrame: WireMessage {
    public var frame: Frame?

    public enum Frame: Sendable, Equatable {
        case hello(Hello)
        case authenticate(Authenticate)
        case request(Request)
        case ping(Ping)
        case setTimeZone(SetTimeZone)
        case setActivity(Activity)
    }

    public init() {}

    public init(frame: Frame? = nil) {
        self.frame = frame
    }

    public static var messageName: String { "ClientFrame" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ClientFrame: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ClientFrame>? {
        parley__v1__client_frame__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ClientFrame>) { parley__v1__client_frame__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ClientFrame>) throws(DecodeFailure) {
        switch c.pointee.frame_case.rawValue {
        case 1: self.frame = try readMessage(c.pointee.hello, "hello").map { .hello($0) }
        case 2: self.frame = try readMessage(c.pointee.authenticate, "authenticate").map { .authenticate($0) }
        case 3: self.frame = try readMessage(c.pointee.request, "request").map { .request($0) }
        case 4: self.frame = try readMessage(c.pointee.ping, "ping").map { .ping($0) }
        case 5: self.frame = try readMessage(c.pointee.set_time_zone, "set_time_zone").map { .setTimeZone($0) }
        case 6: self.frame = try readMessage(c.pointee.set_activity, "set_activity").map { .setActivity($0) }
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ClientFrame>, _ arena: inout Arena) {
        switch self.frame {
        case nil: break
        case .hello(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 1)
            c.pointee.hello = arena.message(value)
        case .authenticate(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 2)
            c.pointee.authenticate = arena.message(value)
        case .request(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 3)
            c.pointee.request = arena.message(value)
        case .ping(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 4)
            c.pointee.ping = arena.message(value)
        case .setTimeZone(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 5)
            c.pointee.set_time_zone = arena.message(value)
        case .setActivity(let value):
            c.pointee.frame_case = Parley__V1__ClientFrame__FrameCase(rawValue: 6)
            c.pointee.set_activity = arena.message(value)
        }
    }
}

/// A frame to a client.
public struct ServerFrame: WireMessage {
    public var frame: Frame?

    public enum Frame: Sendable, Equatable {
        case welcome(Welcome)
        case authenticated(Authenticated)
        case reply(Reply)
        case update(Update)
        case pong(Pong)
        case goodbye(Goodbye)
    }

    public init() {}

    public init(frame: Frame? = nil) {
        self.frame = frame
    }

    public static var messageName: String { "ServerFrame" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ServerFrame: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ServerFrame>? {
        parley__v1__server_frame__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ServerFrame>) { parley__v1__server_frame__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ServerFrame>) throws(DecodeFailure) {
        switch c.pointee.frame_case.rawValue {
        case 1: self.frame = try readMessage(c.pointee.welcome, "welcome").map { .welcome($0) }
        case 2: self.frame = try readMessage(c.pointee.authenticated, "authenticated").map { .authenticated($0) }
        case 3: self.frame = try readMessage(c.pointee.reply, "reply").map { .reply($0) }
        case 4: self.frame = try readMessage(c.pointee.update, "update").map { .update($0) }
        case 5: self.frame = try readMessage(c.pointee.pong, "pong").map { .pong($0) }
        case 6: self.frame = try readMessage(c.pointee.goodbye, "goodbye").map { .goodbye($0) }
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ServerFrame>, _ arena: inout Arena) {
        switch self.frame {
        case nil: break
        case .welcome(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 1)
            c.pointee.welcome = arena.message(value)
        case .authenticated(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 2)
            c.pointee.authenticated = arena.message(value)
        case .reply(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 3)
            c.pointee.reply = arena.message(value)
        case .update(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 4)
            c.pointee.update = arena.message(value)
        case .pong(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 5)
            c.pointee.pong = arena.message(value)
        case .goodbye(let value):
            c.pointee.frame_case = Parley__V1__ServerFrame__FrameCase(rawValue: 6)
            c.pointee.goodbye = arena.message(value)
        }
    }
}

public struct Hello: WireMessage {
    /// 1
    public var version: UInt32 = 0
    /// Bits of Capability that the client understands.
    public var capabilities: UInt64 = 0
    /// max 2048 bytes. An access token; empty: a session that may only register and sign in.
    public var token: String = ""
    /// max 128 bytes. The app's name and version, for logs.
    public var client: String = ""
    /// max 4 items. Answered after welcome, like requests sent then. A refused token ends the session without them.
    public var requests: [Request] = []
    /// max 64 bytes. IANA name of the person's time zone: "Europe/Zurich". What they write is understood in it.
    /// Empty: not known; no suggestion then depends on a time of day.
    public var timeZone: String = ""
    /// What the person does in this session as it begins; absent: it is in the foreground.
    public var activity: Activity?

    public init() {}

    public init(
        version: UInt32 = 0,
        capabilities: UInt64 = 0,
        token: String = "",
        client: String = "",
        requests: [Request] = [],
        timeZone: String = "",
        activity: Activity? = nil
    ) {
        self.version = version
        self.capabilities = capabilities
        self.token = token
        self.client = client
        self.requests = requests
        self.timeZone = timeZone
        self.activity = activity
    }

    public static var messageName: String { "Hello" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Hello: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Hello>? {
        parley__v1__hello__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Hello>) { parley__v1__hello__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Hello>) throws(DecodeFailure) {
        self.version = c.pointee.version
        self.capabilities = c.pointee.capabilities
        self.token = try readString(c.pointee.token, max: 2048, "token")
        self.client = try readString(c.pointee.client, max: 128, "client")
        self.requests = try readMessages(c.pointee.requests, c.pointee.n_requests, maxItems: 4, "requests")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
        self.activity = try readMessage(c.pointee.activity, "activity")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Hello>, _ arena: inout Arena) {
        c.pointee.version = self.version
        c.pointee.capabilities = self.capabilities
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.client.isEmpty { c.pointee.client = arena.string(self.client) }
        c.pointee.n_requests = self.requests.count
        c.pointee.requests = arena.messages(self.requests)
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
        if let activity { c.pointee.activity = arena.message(activity) }
    }
}

/// Names the time zone of a running session, as in hello, after the person has travelled. It holds for the requests
/// after it, and has no answer.
public struct SetTimeZone: WireMessage {
    /// max 64 bytes.
    public var timeZone: String = ""

    public init() {}

    public init(timeZone: String = "") {
        self.timeZone = timeZone
    }

    public static var messageName: String { "SetTimeZone" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SetTimeZone: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SetTimeZone>? {
        parley__v1__set_time_zone__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SetTimeZone>) { parley__v1__set_time_zone__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SetTimeZone>) throws(DecodeFailure) {
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SetTimeZone>, _ arena: inout Arena) {
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
    }
}

/// What the person does in a session. As `set_activity` it has no answer, replaces what was said before, and ends
/// with the session. In the foreground it says that the person uses the device now: send it when something of it
/// changes, and every 5 minutes while they use it.
public struct Activity: WireMessage {
    public var background: Bool = false
    /// max 129 bytes. The conversation on the screen; empty: none.
    public var currentConversation: String = ""

    public init() {}

    public init(background: Bool = false, currentConversation: String = "") {
        self.background = background
        self.currentConversation = currentConversation
    }

    public static var messageName: String { "Activity" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Activity: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Activity>? {
        parley__v1__activity__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Activity>) { parley__v1__activity__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Activity>) throws(DecodeFailure) {
        self.background = c.pointee.background != 0
        self.currentConversation = try readString(c.pointee.current_conversation, max: 129, "current_conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Activity>, _ arena: inout Arena) {
        c.pointee.background = self.background ? 1 : 0
        if !self.currentConversation.isEmpty { c.pointee.current_conversation = arena.string(self.currentConversation) }
    }
}

/// Signs in a running session, or extends it with a newer token of the same person and device.
public struct Authenticate: WireMessage {
    /// max 2048 bytes.
    public var token: String = ""

    public init() {}

    public init(token: String = "") {
        self.token = token
    }

    public static var messageName: String { "Authenticate" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Authenticate: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Authenticate>? {
        parley__v1__authenticate__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Authenticate>) { parley__v1__authenticate__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Authenticate>) throws(DecodeFailure) {
        self.token = try readString(c.pointee.token, max: 2048, "token")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Authenticate>, _ arena: inout Arena) {
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
    }
}

public struct Request: WireMessage {
    /// Chosen by the client; unique among its requests under way.
    public var id: UInt64 = 0
    /// max 64 bytes. "messaging.SendMessage"
    public var method: String = ""
    /// max 160 bytes. The conversation or user concerned; selects the replica. May be empty.
    public var key: String = ""
    /// Zero: 10,000. At most 60,000.
    public var deadlineMs: UInt32 = 0
    /// max 122880 bytes. The method's request message.
    public var body: [UInt8] = []

    public init() {}

    public init(id: UInt64 = 0, method: String = "", key: String = "", deadlineMs: UInt32 = 0, body: [UInt8] = []) {
        self.id = id
        self.method = method
        self.key = key
        self.deadlineMs = deadlineMs
        self.body = body
    }

    public static var messageName: String { "Request" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Request: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Request>? {
        parley__v1__request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Request>) { parley__v1__request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Request>) throws(DecodeFailure) {
        self.id = c.pointee.id
        self.method = try readString(c.pointee.method, max: 64, "method")
        self.key = try readString(c.pointee.key, max: 160, "key")
        self.deadlineMs = c.pointee.deadline_ms
        self.body = try readBytes(c.pointee.body, max: 122880, "body")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Request>, _ arena: inout Arena) {
        c.pointee.id = self.id
        if !self.method.isEmpty { c.pointee.method = arena.string(self.method) }
        if !self.key.isEmpty { c.pointee.key = arena.string(self.key) }
        c.pointee.deadline_ms = self.deadlineMs
        c.pointee.body = arena.bytes(self.body)
    }
}

public struct Ping: WireMessage {
    public var id: UInt64 = 0

    public init() {}

    public init(id: UInt64 = 0) {
        self.id = id
    }

    public static var messageName: String { "Ping" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Ping: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Ping>? {
        parley__v1__ping__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Ping>) { parley__v1__ping__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Ping>) throws(DecodeFailure) {
        self.id = c.pointee.id
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Ping>, _ arena: inout Arena) {
        c.pointee.id = self.id
    }
}

public struct Welcome: WireMessage {
    public var version: UInt32 = 0
    public var capabilities: UInt64 = 0
    /// max 64 bytes.
    public var session: String = ""
    /// max 64 bytes. Empty when not signed in.
    public var user: String = ""
    /// max 64 bytes.
    public var device: String = ""
    /// Make ids and times with this clock.
    public var serverTimeUs: Int64 = 0
    public var limits: Limits?
    /// Authenticate again before this. Zero when not signed in.
    public var sessionEndsUs: Int64 = 0
    /// max 32 items of 16 bytes. The cells, which are the parts of messaging. Each has a stream
    /// "messaging/u/ME/CELL".
    public var cells: [String] = []

    public init() {}

    public init(
        version: UInt32 = 0,
        capabilities: UInt64 = 0,
        session: String = "",
        user: String = "",
        device: String = "",
        serverTimeUs: Int64 = 0,
        limits: Limits? = nil,
        sessionEndsUs: Int64 = 0,
        cells: [String] = []
    ) {
        self.version = version
        self.capabilities = capabilities
        self.session = session
        self.user = user
        self.device = device
        self.serverTimeUs = serverTimeUs
        self.limits = limits
        self.sessionEndsUs = sessionEndsUs
        self.cells = cells
    }

    public static var messageName: String { "Welcome" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Welcome: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Welcome>? {
        parley__v1__welcome__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Welcome>) { parley__v1__welcome__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Welcome>) throws(DecodeFailure) {
        self.version = c.pointee.version
        self.capabilities = c.pointee.capabilities
        self.session = try readString(c.pointee.session, max: 64, "session")
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.serverTimeUs = c.pointee.server_time_us
        self.limits = try readMessage(c.pointee.limits, "limits")
        self.sessionEndsUs = c.pointee.session_ends_us
        self.cells = try readStrings(c.pointee.cells, c.pointee.n_cells, maxItems: 32, maxBytes: 16, "cells")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Welcome>, _ arena: inout Arena) {
        c.pointee.version = self.version
        c.pointee.capabilities = self.capabilities
        if !self.session.isEmpty { c.pointee.session = arena.string(self.session) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        c.pointee.server_time_us = self.serverTimeUs
        if let limits { c.pointee.limits = arena.message(limits) }
        c.pointee.session_ends_us = self.sessionEndsUs
        c.pointee.n_cells = self.cells.count
        c.pointee.cells = arena.strings(self.cells)
    }
}

/// The limits of a session at this gateway.
public struct Limits: WireMessage {
    public var frameBytes: UInt32 = 0
    public var textBytes: UInt32 = 0
    public var requestsInFlight: UInt32 = 0
    public var requestsPerSecond: UInt32 = 0
    public var requestsBurst: UInt32 = 0
    public var pageSize: UInt32 = 0

    public init() {}

    public init(
        frameBytes: UInt32 = 0,
        textBytes: UInt32 = 0,
        requestsInFlight: UInt32 = 0,
        requestsPerSecond: UInt32 = 0,
        requestsBurst: UInt32 = 0,
        pageSize: UInt32 = 0
    ) {
        self.frameBytes = frameBytes
        self.textBytes = textBytes
        self.requestsInFlight = requestsInFlight
        self.requestsPerSecond = requestsPerSecond
        self.requestsBurst = requestsBurst
        self.pageSize = pageSize
    }

    public static var messageName: String { "Limits" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Limits: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Limits>? {
        parley__v1__limits__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Limits>) { parley__v1__limits__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Limits>) throws(DecodeFailure) {
        self.frameBytes = c.pointee.frame_bytes
        self.textBytes = c.pointee.text_bytes
        self.requestsInFlight = c.pointee.requests_in_flight
        self.requestsPerSecond = c.pointee.requests_per_second
        self.requestsBurst = c.pointee.requests_burst
        self.pageSize = c.pointee.page_size
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Limits>, _ arena: inout Arena) {
        c.pointee.frame_bytes = self.frameBytes
        c.pointee.text_bytes = self.textBytes
        c.pointee.requests_in_flight = self.requestsInFlight
        c.pointee.requests_per_second = self.requestsPerSecond
        c.pointee.requests_burst = self.requestsBurst
        c.pointee.page_size = self.pageSize
    }
}

public struct Authenticated: WireMessage {
    /// max 64 bytes.
    public var user: String = ""
    /// max 64 bytes.
    public var device: String = ""
    public var sessionEndsUs: Int64 = 0

    public init() {}

    public init(user: String = "", device: String = "", sessionEndsUs: Int64 = 0) {
        self.user = user
        self.device = device
        self.sessionEndsUs = sessionEndsUs
    }

    public static var messageName: String { "Authenticated" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Authenticated: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Authenticated>? {
        parley__v1__authenticated__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Authenticated>) { parley__v1__authenticated__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Authenticated>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.sessionEndsUs = c.pointee.session_ends_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Authenticated>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        c.pointee.session_ends_us = self.sessionEndsUs
    }
}

public struct Reply: WireMessage {
    public var id: UInt64 = 0
    /// Present: the request was refused or failed, and `body` is empty.
    public var error: Problem?
    /// max 1048576 bytes. The method's reply message.
    public var body: [UInt8] = []

    public init() {}

    public init(id: UInt64 = 0, error: Problem? = nil, body: [UInt8] = []) {
        self.id = id
        self.error = error
        self.body = body
    }

    public static var messageName: String { "Reply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Reply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Reply>? {
        parley__v1__reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Reply>) { parley__v1__reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Reply>) throws(DecodeFailure) {
        self.id = c.pointee.id
        self.error = try readMessage(c.pointee.error, "error")
        self.body = try readBytes(c.pointee.body, max: 1048576, "body")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Reply>, _ arena: inout Arena) {
        c.pointee.id = self.id
        if let error { c.pointee.error = arena.message(error) }
        c.pointee.body = arena.bytes(self.body)
    }
}

/// A committed change. Each Update can be applied alone; positions order the changes of one stream.
public struct Update: WireMessage {
    /// max 192 bytes. "messaging/c/CONVERSATION", "conversations/u/USER" …
    public var stream: String = ""
    /// Dense within the stream; zero for streams without positions.
    public var position: Int64 = 0
    /// max 64 bytes. The message type in `body`: "Message", "Conversation" …
    public var kind: String = ""
    public var `class`: UpdateClass = .unspecified
    /// max 122880 bytes.
    public var body: [UInt8] = []

    public init() {}

    public init(
        stream: String = "",
        position: Int64 = 0,
        kind: String = "",
        `class`: UpdateClass = .unspecified,
        body: [UInt8] = []
    ) {
        self.stream = stream
        self.position = position
        self.kind = kind
        self.`class` = `class`
        self.body = body
    }

    public static var messageName: String { "Update" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Update: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Update>? {
        parley__v1__update__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Update>) { parley__v1__update__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Update>) throws(DecodeFailure) {
        self.stream = try readString(c.pointee.stream, max: 192, "stream")
        self.position = c.pointee.position
        self.kind = try readString(c.pointee.kind, max: 64, "kind")
        self.`class` = UpdateClass(rawValue: Int32(bitPattern: c.pointee.class_.rawValue))
        self.body = try readBytes(c.pointee.body, max: 122880, "body")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Update>, _ arena: inout Arena) {
        if !self.stream.isEmpty { c.pointee.stream = arena.string(self.stream) }
        c.pointee.position = self.position
        if !self.kind.isEmpty { c.pointee.kind = arena.string(self.kind) }
        c.pointee.class_ = Parley__V1__UpdateClass(rawValue: UInt32(bitPattern: self.`class`.rawValue))
        c.pointee.body = arena.bytes(self.body)
    }
}

public struct Pong: WireMessage {
    public var id: UInt64 = 0
    public var serverTimeUs: Int64 = 0

    public init() {}

    public init(id: UInt64 = 0, serverTimeUs: Int64 = 0) {
        self.id = id
        self.serverTimeUs = serverTimeUs
    }

    public static var messageName: String { "Pong" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Pong: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Pong>? {
        parley__v1__pong__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Pong>) { parley__v1__pong__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Pong>) throws(DecodeFailure) {
        self.id = c.pointee.id
        self.serverTimeUs = c.pointee.server_time_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Pong>, _ arena: inout Arena) {
        c.pointee.id = self.id
        c.pointee.server_time_us = self.serverTimeUs
    }
}

/// The last frame before the gateway closes the connection. `error` gives the reason in words.
public struct Goodbye: WireMessage {
    public var error: Problem?
    public var closeCode: CloseCode = .unspecified

    public init() {}

    public init(error: Problem? = nil, closeCode: CloseCode = .unspecified) {
        self.error = error
        self.closeCode = closeCode
    }

    public static var messageName: String { "Goodbye" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Goodbye: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Goodbye>? {
        parley__v1__goodbye__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Goodbye>) { parley__v1__goodbye__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Goodbye>) throws(DecodeFailure) {
        self.error = try readMessage(c.pointee.error, "error")
        self.closeCode = CloseCode(rawValue: Int32(bitPattern: c.pointee.close_code.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Goodbye>, _ arena: inout Arena) {
        if let error { c.pointee.error = arena.message(error) }
        c.pointee.close_code = Parley__V1__CloseCode(rawValue: UInt32(bitPattern: self.closeCode.rawValue))
    }
}
