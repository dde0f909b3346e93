// Generated from presence.proto (sha256 77d59264bd413c6647aa278ad422a72a6b92138a52f04188cdd161d426ec9be7) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum PresenceMethods {
    /// Signed in. Returns who is online. People look offline if they share no conversation with the caller, have not
    /// accepted the caller yet, or blocked the caller.
    public static let getPresence = Method<GetPresenceRequest, PresenceReply>(name: "presence.GetPresence", access: .signedIn)
    /// Signed in. Replies like GetPresence, then sends Updates of kind "PresenceState". Replaces the session's
    /// earlier watch. The watch ends with the session, or 90 s after the last request: renew it every 60 s.
    public static let watchPresence = Method<WatchPresenceRequest, PresenceReply>(name: "presence.WatchPresence", access: .signedIn)

    public static let all: [String] = [
        "presence.GetPresence",
        "presence.WatchPresence",
    ]
}

public enum PresenceStatus: Sendable, Hashable {
    case unspecified
    case offline
    case online
    /// Reserved; not sent yet.
    case away
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .offline
        case 2: self = .online
        case 3: self = .away
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .offline: 1
        case .online: 2
        case .away: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// Whether a person is online. Update of stream "presence/u/USER" without positions, key user, after a gap from
/// presence.GetPresence.
public struct PresenceState: StreamState {
    /// max 64 bytes.
    public var user: String = ""
    public var status: PresenceStatus = .unspecified
    /// Zero: unknown, or online now.
    public var lastSeenUs: Int64 = 0

    public init() {}

    public init(user: String = "", status: PresenceStatus = .unspecified, lastSeenUs: Int64 = 0) {
        self.user = user
        self.status = status
        self.lastSeenUs = lastSeenUs
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
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PresenceState>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
        c.pointee.status = Parley__V1__PresenceStatus(rawValue: UInt32(bitPattern: self.status.rawValue))
        c.pointee.last_seen_us = self.lastSeenUs
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
