// Generated from conversations.proto (sha256 ce44a0dff9c12351ca8dccc581b16522f1da7b8b2585ca140ba183227b7e8dcb) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum ConversationsMethods {
    /// Anyone. Makes an account and signs its first device in. Refusals: username_taken, invalid, rate_limited.
    public static let register = Method<RegisterRequest, SignedIn>(name: "conversations.Register")
    /// Anyone. Refusals: wrong_credentials, rate_limited (5 a minute for a person and for an address).
    public static let signIn = Method<SignInRequest, SignedIn>(name: "conversations.SignIn")
    /// Anyone who holds a refresh token. It rotates; using an old one again revokes the device. Refusals:
    /// refresh_refused.
    public static let refresh = Method<RefreshRequest, SignedIn>(name: "conversations.Refresh")
    /// Signed in. Ends this device's sign-in, or all of them. Its sessions close with REVOKED, this one perhaps
    /// before the reply is out.
    public static let signOut = Method<SignOutRequest, Done>(name: "conversations.SignOut")
    /// Signed in. My devices, most recently used first.
    public static let devices = Method<DevicesRequest, DevicesReply>(name: "conversations.Devices")
    /// Signed in, own devices. Refusals: not_found.
    public static let revokeDevice = Method<RevokeDeviceRequest, Done>(name: "conversations.RevokeDevice")
    /// Signed in. Refusals: user_not_found.
    public static let findUser = Method<FindUserRequest, FindUserReply>(name: "conversations.FindUser")
    /// Signed in. The same conversation whoever starts it. Refusals: user_not_found, user_blocked.
    public static let startDirect = Method<StartDirectRequest, ConversationReply>(name: "conversations.StartDirect")
    /// Signed in. The same id again returns the first result. Refusals: user_not_found, user_blocked, id_in_use.
    public static let createGroup = Method<CreateGroupRequest, ConversationReply>(name: "conversations.CreateGroup")
    /// Owner or admin of a group. Who is a member already stays one; repeating it changes nothing. Refusals:
    /// not_found, forbidden, user_not_found, user_blocked, group_full.
    public static let addMembers = Method<AddMembersRequest, ConversationReply>(name: "conversations.AddMembers")
    /// Owner or admin of a group; of admins and the owner only the owner. After the answer nothing that the person
    /// begins to send is taken. Repeating it changes nothing. Refusals: not_found, forbidden, invalid.
    public static let removeMember = Method<RemoveMemberRequest, Done>(name: "conversations.RemoveMember")
    /// Member of a group. Ownership goes on to the longest-serving admin, else member. Repeating it changes nothing.
    /// Refusals: not_found, invalid.
    public static let leaveGroup = Method<LeaveGroupRequest, Done>(name: "conversations.LeaveGroup")
    /// Member or former member. Refusals: not_found.
    public static let getConversation = Method<GetConversationRequest, ConversationReply>(name: "conversations.GetConversation")
    /// Signed in. My conversations changed since a position of stream "conversations/u/ME", in order of position.
    public static let sync = Method<ConversationsSyncRequest, ConversationsSyncReply>(name: "conversations.Sync")

    public static let all: [String] = [
        "conversations.Register",
        "conversations.SignIn",
        "conversations.Refresh",
        "conversations.SignOut",
        "conversations.Devices",
        "conversations.RevokeDevice",
        "conversations.FindUser",
        "conversations.StartDirect",
        "conversations.CreateGroup",
        "conversations.AddMembers",
        "conversations.RemoveMember",
        "conversations.LeaveGroup",
        "conversations.GetConversation",
        "conversations.Sync",
    ]
}

public enum ConversationKind: Sendable, Hashable {
    case unspecified
    case direct
    case group
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .direct
        case 2: self = .group
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .direct: 1
        case .group: 2
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum ConversationStatus: Sendable, Hashable {
    case unspecified
    case pending
    case accepted
    case blocked
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .pending
        case 2: self = .accepted
        case 3: self = .blocked
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .pending: 1
        case .accepted: 2
        case .blocked: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public enum MemberRole: Sendable, Hashable {
    case unspecified
    case member
    case admin
    case owner
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .member
        case 2: self = .admin
        case 3: self = .owner
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .member: 1
        case .admin: 2
        case .owner: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public struct RegisterRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7 made by the client.
    public var id: [UInt8] = []
    /// max 32 bytes. [a-z0-9][a-z0-9.-]{1,31}
    public var username: String = ""
    /// max 256 bytes. At least 8 characters.
    public var password: String = ""
    /// max 128 bytes. Empty: the username.
    public var displayName: String = ""
    /// max 64 bytes. "Alice's iPhone"
    public var deviceName: String = ""

    public init() {}

    public init(
        id: [UInt8] = [],
        username: String = "",
        password: String = "",
        displayName: String = "",
        deviceName: String = ""
    ) {
        self.id = id
        self.username = username
        self.password = password
        self.displayName = displayName
        self.deviceName = deviceName
    }

    public static var messageName: String { "RegisterRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RegisterRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RegisterRequest>? {
        parley__v1__register_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RegisterRequest>) { parley__v1__register_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RegisterRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.username = try readString(c.pointee.username, max: 32, "username")
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.displayName = try readString(c.pointee.display_name, max: 128, "display_name")
        self.deviceName = try readString(c.pointee.device_name, max: 64, "device_name")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RegisterRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
    }
}

public struct SignInRequest: WireMessage {
    /// max 32 bytes.
    public var username: String = ""
    /// max 256 bytes.
    public var password: String = ""
    /// max 64 bytes.
    public var deviceName: String = ""

    public init() {}

    public init(username: String = "", password: String = "", deviceName: String = "") {
        self.username = username
        self.password = password
        self.deviceName = deviceName
    }

    public static var messageName: String { "SignInRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignInRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignInRequest>? {
        parley__v1__sign_in_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignInRequest>) { parley__v1__sign_in_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignInRequest>) throws(DecodeFailure) {
        self.username = try readString(c.pointee.username, max: 32, "username")
        self.password = try readString(c.pointee.password, max: 256, "password")
        self.deviceName = try readString(c.pointee.device_name, max: 64, "device_name")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignInRequest>, _ arena: inout Arena) {
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.password.isEmpty { c.pointee.password = arena.string(self.password) }
        if !self.deviceName.isEmpty { c.pointee.device_name = arena.string(self.deviceName) }
    }
}

public struct RefreshRequest: WireMessage {
    /// max 128 bytes.
    public var refreshToken: String = ""

    public init() {}

    public init(refreshToken: String = "") {
        self.refreshToken = refreshToken
    }

    public static var messageName: String { "RefreshRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RefreshRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RefreshRequest>? {
        parley__v1__refresh_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RefreshRequest>) { parley__v1__refresh_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RefreshRequest>) throws(DecodeFailure) {
        self.refreshToken = try readString(c.pointee.refresh_token, max: 128, "refresh_token")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RefreshRequest>, _ arena: inout Arena) {
        if !self.refreshToken.isEmpty { c.pointee.refresh_token = arena.string(self.refreshToken) }
    }
}

public struct SignedIn: WireMessage {
    public var user: User?
    /// max 64 bytes.
    public var device: String = ""
    /// max 2048 bytes. For hello and authenticate.
    public var accessToken: String = ""
    public var accessEndsUs: Int64 = 0
    /// max 128 bytes.
    public var refreshToken: String = ""
    public var refreshEndsUs: Int64 = 0

    public init() {}

    public init(
        user: User? = nil,
        device: String = "",
        accessToken: String = "",
        accessEndsUs: Int64 = 0,
        refreshToken: String = "",
        refreshEndsUs: Int64 = 0
    ) {
        self.user = user
        self.device = device
        self.accessToken = accessToken
        self.accessEndsUs = accessEndsUs
        self.refreshToken = refreshToken
        self.refreshEndsUs = refreshEndsUs
    }

    public static var messageName: String { "SignedIn" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignedIn: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignedIn>? {
        parley__v1__signed_in__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignedIn>) { parley__v1__signed_in__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignedIn>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.accessToken = try readString(c.pointee.access_token, max: 2048, "access_token")
        self.accessEndsUs = c.pointee.access_ends_us
        self.refreshToken = try readString(c.pointee.refresh_token, max: 128, "refresh_token")
        self.refreshEndsUs = c.pointee.refresh_ends_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignedIn>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        if !self.accessToken.isEmpty { c.pointee.access_token = arena.string(self.accessToken) }
        c.pointee.access_ends_us = self.accessEndsUs
        if !self.refreshToken.isEmpty { c.pointee.refresh_token = arena.string(self.refreshToken) }
        c.pointee.refresh_ends_us = self.refreshEndsUs
    }
}

public struct SignOutRequest: WireMessage {
    public var everywhere: Bool = false

    public init() {}

    public init(everywhere: Bool = false) {
        self.everywhere = everywhere
    }

    public static var messageName: String { "SignOutRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension SignOutRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__SignOutRequest>? {
        parley__v1__sign_out_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__SignOutRequest>) { parley__v1__sign_out_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__SignOutRequest>) throws(DecodeFailure) {
        self.everywhere = c.pointee.everywhere != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__SignOutRequest>, _ arena: inout Arena) {
        c.pointee.everywhere = self.everywhere ? 1 : 0
    }
}

public struct DevicesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "DevicesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DevicesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DevicesRequest>? {
        parley__v1__devices_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DevicesRequest>) { parley__v1__devices_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DevicesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DevicesRequest>, _ arena: inout Arena) {
    }
}

public struct DevicesReply: WireMessage {
    /// max 10 items.
    public var devices: [Device] = []

    public init() {}

    public init(devices: [Device] = []) {
        self.devices = devices
    }

    public static var messageName: String { "DevicesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension DevicesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__DevicesReply>? {
        parley__v1__devices_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__DevicesReply>) { parley__v1__devices_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__DevicesReply>) throws(DecodeFailure) {
        self.devices = try readMessages(c.pointee.devices, c.pointee.n_devices, maxItems: 10, "devices")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__DevicesReply>, _ arena: inout Arena) {
        c.pointee.n_devices = self.devices.count
        c.pointee.devices = arena.messages(self.devices)
    }
}

public struct Device: WireMessage {
    /// max 64 bytes.
    public var id: String = ""
    /// max 64 bytes.
    public var name: String = ""
    public var signedInUs: Int64 = 0
    public var lastUsedUs: Int64 = 0
    public var current: Bool = false

    public init() {}

    public init(
        id: String = "",
        name: String = "",
        signedInUs: Int64 = 0,
        lastUsedUs: Int64 = 0,
        current: Bool = false
    ) {
        self.id = id
        self.name = name
        self.signedInUs = signedInUs
        self.lastUsedUs = lastUsedUs
        self.current = current
    }

    public static var messageName: String { "Device" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Device: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Device>? {
        parley__v1__device__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Device>) { parley__v1__device__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Device>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.name = try readString(c.pointee.name, max: 64, "name")
        self.signedInUs = c.pointee.signed_in_us
        self.lastUsedUs = c.pointee.last_used_us
        self.current = c.pointee.current != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Device>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.signed_in_us = self.signedInUs
        c.pointee.last_used_us = self.lastUsedUs
        c.pointee.current = self.current ? 1 : 0
    }
}

public struct RevokeDeviceRequest: WireMessage {
    /// max 64 bytes.
    public var device: String = ""

    public init() {}

    public init(device: String = "") {
        self.device = device
    }

    public static var messageName: String { "RevokeDeviceRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RevokeDeviceRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>? {
        parley__v1__revoke_device_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>) { parley__v1__revoke_device_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>) throws(DecodeFailure) {
        self.device = try readString(c.pointee.device, max: 64, "device")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RevokeDeviceRequest>, _ arena: inout Arena) {
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
    }
}

/// What every signed-in person may see of another.
public struct User: WireMessage {
    /// max 64 bytes. Letters and digits only.
    public var id: String = ""
    /// max 32 bytes.
    public var username: String = ""
    /// max 128 bytes.
    public var displayName: String = ""
    /// max 1024 bytes.
    public var photoUrl: String = ""
    public var createdAtUs: Int64 = 0

    public init() {}

    public init(
        id: String = "",
        username: String = "",
        displayName: String = "",
        photoUrl: String = "",
        createdAtUs: Int64 = 0
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.photoUrl = photoUrl
        self.createdAtUs = createdAtUs
    }

    public static var messageName: String { "User" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension User: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__User>? {
        parley__v1__user__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__User>) { parley__v1__user__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__User>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 64, "id")
        self.username = try readString(c.pointee.username, max: 32, "username")
        self.displayName = try readString(c.pointee.display_name, max: 128, "display_name")
        self.photoUrl = try readString(c.pointee.photo_url, max: 1024, "photo_url")
        self.createdAtUs = c.pointee.created_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__User>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
        if !self.displayName.isEmpty { c.pointee.display_name = arena.string(self.displayName) }
        if !self.photoUrl.isEmpty { c.pointee.photo_url = arena.string(self.photoUrl) }
        c.pointee.created_at_us = self.createdAtUs
    }
}

public struct FindUserRequest: WireMessage {
    /// max 32 bytes.
    public var username: String = ""

    public init() {}

    public init(username: String = "") {
        self.username = username
    }

    public static var messageName: String { "FindUserRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindUserRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindUserRequest>? {
        parley__v1__find_user_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindUserRequest>) { parley__v1__find_user_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindUserRequest>) throws(DecodeFailure) {
        self.username = try readString(c.pointee.username, max: 32, "username")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindUserRequest>, _ arena: inout Arena) {
        if !self.username.isEmpty { c.pointee.username = arena.string(self.username) }
    }
}

public struct FindUserReply: WireMessage {
    public var user: User?

    public init() {}

    public init(user: User? = nil) {
        self.user = user
    }

    public static var messageName: String { "FindUserReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension FindUserReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__FindUserReply>? {
        parley__v1__find_user_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__FindUserReply>) { parley__v1__find_user_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__FindUserReply>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__FindUserReply>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
    }
}

public struct Member: WireMessage {
    public var user: User?
    public var role: MemberRole = .unspecified
    public var joinedAtUs: Int64 = 0

    public init() {}

    public init(user: User? = nil, role: MemberRole = .unspecified, joinedAtUs: Int64 = 0) {
        self.user = user
        self.role = role
        self.joinedAtUs = joinedAtUs
    }

    public static var messageName: String { "Member" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Member: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Member>? {
        parley__v1__member__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Member>) { parley__v1__member__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Member>) throws(DecodeFailure) {
        self.user = try readMessage(c.pointee.user, "user")
        self.role = MemberRole(rawValue: Int32(bitPattern: c.pointee.role.rawValue))
        self.joinedAtUs = c.pointee.joined_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Member>, _ arena: inout Arena) {
        if let user { c.pointee.user = arena.message(user) }
        c.pointee.role = Parley__V1__MemberRole(rawValue: UInt32(bitPattern: self.role.rawValue))
        c.pointee.joined_at_us = self.joinedAtUs
    }
}

/// State of a conversation as one member sees it.
public struct Conversation: WireMessage {
    /// max 129 bytes. Direct: both user ids, sorted, joined by "_". Groups: no "_".
    public var id: String = ""
    public var kind: ConversationKind = .unspecified
    /// max 128 bytes. Groups only.
    public var name: String = ""
    /// max 1000 items.
    public var members: [Member] = []
    public var conversationStatus: ConversationStatus = .unspecified
    /// max 64 bytes.
    public var requesterId: String = ""
    public var createdAtUs: Int64 = 0
    /// max 64 bytes.
    public var createdBy: String = ""
    /// In stream "conversations/u/ME".
    public var position: Int64 = 0
    /// When I left or was removed: `members` is empty then. Zero: I am a member.
    public var leftAtUs: Int64 = 0

    public init() {}

    public init(
        id: String = "",
        kind: ConversationKind = .unspecified,
        name: String = "",
        members: [Member] = [],
        conversationStatus: ConversationStatus = .unspecified,
        requesterId: String = "",
        createdAtUs: Int64 = 0,
        createdBy: String = "",
        position: Int64 = 0,
        leftAtUs: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.members = members
        self.conversationStatus = conversationStatus
        self.requesterId = requesterId
        self.createdAtUs = createdAtUs
        self.createdBy = createdBy
        self.position = position
        self.leftAtUs = leftAtUs
    }

    public static var messageName: String { "Conversation" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Conversation: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Conversation>? {
        parley__v1__conversation__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Conversation>) { parley__v1__conversation__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Conversation>) throws(DecodeFailure) {
        self.id = try readString(c.pointee.id, max: 129, "id")
        self.kind = ConversationKind(rawValue: Int32(bitPattern: c.pointee.kind.rawValue))
        self.name = try readString(c.pointee.name, max: 128, "name")
        self.members = try readMessages(c.pointee.members, c.pointee.n_members, maxItems: 1000, "members")
        self.conversationStatus = ConversationStatus(rawValue: Int32(bitPattern: c.pointee.conversation_status.rawValue))
        self.requesterId = try readString(c.pointee.requester_id, max: 64, "requester_id")
        self.createdAtUs = c.pointee.created_at_us
        self.createdBy = try readString(c.pointee.created_by, max: 64, "created_by")
        self.position = c.pointee.position
        self.leftAtUs = c.pointee.left_at_us
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Conversation>, _ arena: inout Arena) {
        if !self.id.isEmpty { c.pointee.id = arena.string(self.id) }
        c.pointee.kind = Parley__V1__ConversationKind(rawValue: UInt32(bitPattern: self.kind.rawValue))
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.n_members = self.members.count
        c.pointee.members = arena.messages(self.members)
        c.pointee.conversation_status = Parley__V1__ConversationStatus(rawValue: UInt32(bitPattern: self.conversationStatus.rawValue))
        if !self.requesterId.isEmpty { c.pointee.requester_id = arena.string(self.requesterId) }
        c.pointee.created_at_us = self.createdAtUs
        if !self.createdBy.isEmpty { c.pointee.created_by = arena.string(self.createdBy) }
        c.pointee.position = self.position
        c.pointee.left_at_us = self.leftAtUs
    }
}

public struct StartDirectRequest: WireMessage {
    /// max 64 bytes. User id of the other person, or my own for notes.
    public var user: String = ""

    public init() {}

    public init(user: String = "") {
        self.user = user
    }

    public static var messageName: String { "StartDirectRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension StartDirectRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__StartDirectRequest>? {
        parley__v1__start_direct_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>) { parley__v1__start_direct_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>) throws(DecodeFailure) {
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__StartDirectRequest>, _ arena: inout Arena) {
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct CreateGroupRequest: WireMessage {
    /// exactly 16 bytes. A UUIDv7; as 32 hexadecimal digits it is the conversation's id.
    public var id: [UInt8] = []
    /// max 128 bytes.
    public var name: String = ""
    /// max 63 items of 64 bytes. User ids of the others.
    public var users: [String] = []

    public init() {}

    public init(id: [UInt8] = [], name: String = "", users: [String] = []) {
        self.id = id
        self.name = name
        self.users = users
    }

    public static var messageName: String { "CreateGroupRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension CreateGroupRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__CreateGroupRequest>? {
        parley__v1__create_group_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>) { parley__v1__create_group_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>) throws(DecodeFailure) {
        self.id = try readBytes(c.pointee.id, exactly: 16, "id")
        self.name = try readString(c.pointee.name, max: 128, "name")
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 63, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__CreateGroupRequest>, _ arena: inout Arena) {
        c.pointee.id = arena.bytes(self.id)
        if !self.name.isEmpty { c.pointee.name = arena.string(self.name) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct AddMembersRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 63 items of 64 bytes. User ids.
    public var users: [String] = []

    public init() {}

    public init(conversation: String = "", users: [String] = []) {
        self.conversation = conversation
        self.users = users
    }

    public static var messageName: String { "AddMembersRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension AddMembersRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__AddMembersRequest>? {
        parley__v1__add_members_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>) { parley__v1__add_members_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.users = try readStrings(c.pointee.users, c.pointee.n_users, maxItems: 63, maxBytes: 64, "users")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__AddMembersRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.n_users = self.users.count
        c.pointee.users = arena.strings(self.users)
    }
}

public struct RemoveMemberRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    /// max 64 bytes. Another member.
    public var user: String = ""

    public init() {}

    public init(conversation: String = "", user: String = "") {
        self.conversation = conversation
        self.user = user
    }

    public static var messageName: String { "RemoveMemberRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RemoveMemberRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>? {
        parley__v1__remove_member_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>) { parley__v1__remove_member_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.user = try readString(c.pointee.user, max: 64, "user")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RemoveMemberRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        if !self.user.isEmpty { c.pointee.user = arena.string(self.user) }
    }
}

public struct LeaveGroupRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "LeaveGroupRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension LeaveGroupRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>? {
        parley__v1__leave_group_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>) { parley__v1__leave_group_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__LeaveGroupRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct GetConversationRequest: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""

    public init() {}

    public init(conversation: String = "") {
        self.conversation = conversation
    }

    public static var messageName: String { "GetConversationRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetConversationRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetConversationRequest>? {
        parley__v1__get_conversation_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>) { parley__v1__get_conversation_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetConversationRequest>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
    }
}

public struct ConversationReply: WireMessage {
    public var conversation: Conversation?
    /// False: it existed already.
    public var created: Bool = false

    public init() {}

    public init(conversation: Conversation? = nil, created: Bool = false) {
        self.conversation = conversation
        self.created = created
    }

    public static var messageName: String { "ConversationReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationReply>? {
        parley__v1__conversation_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationReply>) { parley__v1__conversation_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationReply>) throws(DecodeFailure) {
        self.conversation = try readMessage(c.pointee.conversation, "conversation")
        self.created = c.pointee.created != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationReply>, _ arena: inout Arena) {
        if let conversation { c.pointee.conversation = arena.message(conversation) }
        c.pointee.created = self.created ? 1 : 0
    }
}

public struct ConversationsSyncRequest: WireMessage {
    /// max 64 bytes. Of the last reply; empty at first.
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

    public static var messageName: String { "ConversationsSyncRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationsSyncRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>? {
        parley__v1__conversations_sync_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>) { parley__v1__conversations_sync_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.sincePosition = c.pointee.since_position
        self.limit = c.pointee.limit
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncRequest>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.since_position = self.sincePosition
        c.pointee.limit = self.limit
    }
}

public struct ConversationsSyncReply: WireMessage {
    /// max 64 bytes.
    public var epoch: String = ""
    /// What you hold is of another epoch: drop it; this page starts at zero.
    public var startOver: Bool = false
    /// Ask again from here.
    public var position: Int64 = 0
    /// max 200 items.
    public var conversations: [Conversation] = []
    public var more: Bool = false

    public init() {}

    public init(
        epoch: String = "",
        startOver: Bool = false,
        position: Int64 = 0,
        conversations: [Conversation] = [],
        more: Bool = false
    ) {
        self.epoch = epoch
        self.startOver = startOver
        self.position = position
        self.conversations = conversations
        self.more = more
    }

    public static var messageName: String { "ConversationsSyncReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ConversationsSyncReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>? {
        parley__v1__conversations_sync_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>) { parley__v1__conversations_sync_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>) throws(DecodeFailure) {
        self.epoch = try readString(c.pointee.epoch, max: 64, "epoch")
        self.startOver = c.pointee.start_over != 0
        self.position = c.pointee.position
        self.conversations = try readMessages(c.pointee.conversations, c.pointee.n_conversations, maxItems: 200, "conversations")
        self.more = c.pointee.more != 0
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ConversationsSyncReply>, _ arena: inout Arena) {
        if !self.epoch.isEmpty { c.pointee.epoch = arena.string(self.epoch) }
        c.pointee.start_over = self.startOver ? 1 : 0
        c.pointee.position = self.position
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.messages(self.conversations)
        c.pointee.more = self.more ? 1 : 0
    }
}
