// Generated from notifications.proto (sha256 e0c17eca88cac7cfc65282e62a5362f29dfaba55a83ad7098ea09a10d9b77564) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

public enum NotificationsMethods {
    /// Self. Registers the caller's device for pushes, in place of what it registered before. A token belongs to the
    /// device that registered it last. It ends when the device is signed out, and when the push service says that it
    /// is dead. With more devices than allowed (20) the one that registered longest ago is forgotten. Repeating it
    /// changes nothing. Refusals: invalid, rate_limited.
    public static let registerPush = Method<RegisterPushRequest, PushDevice>(name: "notifications.RegisterPush", access: .own)
    /// Self. Ends pushes to one of the caller's devices. Repeating it changes nothing. Refusals: rate_limited.
    public static let unregisterPush = Method<UnregisterPushRequest, Done>(name: "notifications.UnregisterPush", access: .own)
    /// Self. Returns the caller's devices that are registered for pushes, with what became of the last one sent to
    /// each, and over what this server sends. Refusals: none.
    public static let listPushDevices = Method<ListPushDevicesRequest, ListPushDevicesReply>(name: "notifications.ListPushDevices", access: .own)
    /// Self. Sends a push that says so to the caller's own device, whatever the settings are, and also while the app
    /// is open. Repeated, it sends another. Refusals: not_found (the device is not registered for pushes),
    /// rate_limited.
    public static let testPush = Method<TestPushRequest, Done>(name: "notifications.TestPush", access: .own)
    /// Self. Returns of what the caller is told by pushes. Refusals: none.
    public static let getPushSettings = Method<GetPushSettingsRequest, PushSettings>(name: "notifications.GetPushSettings", access: .own)
    /// Self. Changes of what the caller is told by pushes, on all devices. What the request does not have stays as it
    /// is. Repeating it changes nothing. Refusals: not_member (of the conversation it names), invalid (also more than
    /// 500 conversations), rate_limited.
    public static let updatePushSettings = Method<UpdatePushSettingsRequest, PushSettings>(name: "notifications.UpdatePushSettings", access: .own)

    public static let all: [String] = [
        "notifications.RegisterPush",
        "notifications.UnregisterPush",
        "notifications.ListPushDevices",
        "notifications.TestPush",
        "notifications.GetPushSettings",
        "notifications.UpdatePushSettings",
    ]
}

/// The service that brings pushes to a device.
public enum PushTransport: Sendable, Hashable {
    case unspecified
    /// Apple's.
    case apns
    /// Apple's for apps under development.
    case apnsSandbox
    /// Google's, by a registration token.
    case fcm
    /// Google's, by the id of an installation.
    case fcmInstallation
    /// That of a browser.
    case webPush
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .apns
        case 2: self = .apnsSandbox
        case 3: self = .fcm
        case 4: self = .fcmInstallation
        case 5: self = .webPush
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .apns: 1
        case .apnsSandbox: 2
        case .fcm: 3
        case .fcmInstallation: 4
        case .webPush: 5
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// Of which messages a person is told.
public enum PushLevel: Sendable, Hashable {
    case unspecified
    case allMessages
    /// Those that mention them or answer a message of theirs.
    case mentionsOnly
    case noMessages
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .allMessages
        case 2: self = .mentionsOnly
        case 3: self = .noMessages
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .allMessages: 1
        case .mentionsOnly: 2
        case .noMessages: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// What a push says of a message. An operator may allow less than a person chooses.
public enum PushContent: Sendable, Hashable {
    case unspecified
    /// Who wrote, where, and the beginning of the text.
    case fullText
    /// Who wrote, and where.
    case namesOnly
    /// That there is something new.
    case noContent
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .fullText
        case 2: self = .namesOnly
        case 3: self = .noContent
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .fullText: 1
        case .namesOnly: 2
        case .noContent: 3
        case .unrecognized(let rawValue): rawValue
        }
    }
}

public struct RegisterPushRequest: WireMessage {
    public var transport: PushTransport = .unspecified
    /// max 4096 bytes. Apple's in hexadecimal, FCM's, or the endpoint of a subscription.
    public var token: String = ""
    /// max 255 bytes. For which app: the bundle id, FCM's project; empty for Web Push.
    public var app: String = ""
    /// max 35 bytes. BCP 47 tag of the language of pushes; empty: English.
    public var language: String = ""
    /// The device's public key, to which pushes are encrypted (RFC 8291): a point of P-256, uncompressed. Web Push
    /// needs it. Without it, the push service can read what a push says. max 65 bytes. Exactly 65, or empty.
    public var contentKey: [UInt8] = []
    /// max 16 bytes. Beside the key: exactly 16.
    public var authSecret: [UInt8] = []

    public init() {}

    public init(
        transport: PushTransport = .unspecified,
        token: String = "",
        app: String = "",
        language: String = "",
        contentKey: [UInt8] = [],
        authSecret: [UInt8] = []
    ) {
        self.transport = transport
        self.token = token
        self.app = app
        self.language = language
        self.contentKey = contentKey
        self.authSecret = authSecret
    }

    public static var messageName: String { "RegisterPushRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension RegisterPushRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__RegisterPushRequest>? {
        parley__v1__register_push_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__RegisterPushRequest>) { parley__v1__register_push_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__RegisterPushRequest>) throws(DecodeFailure) {
        self.transport = PushTransport(rawValue: Int32(bitPattern: c.pointee.transport.rawValue))
        self.token = try readString(c.pointee.token, max: 4096, "token")
        self.app = try readString(c.pointee.app, max: 255, "app")
        self.language = try readString(c.pointee.language, max: 35, "language")
        self.contentKey = try readBytes(c.pointee.content_key, max: 65, "content_key")
        self.authSecret = try readBytes(c.pointee.auth_secret, max: 16, "auth_secret")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__RegisterPushRequest>, _ arena: inout Arena) {
        c.pointee.transport = Parley__V1__PushTransport(rawValue: UInt32(bitPattern: self.transport.rawValue))
        if !self.token.isEmpty { c.pointee.token = arena.string(self.token) }
        if !self.app.isEmpty { c.pointee.app = arena.string(self.app) }
        if !self.language.isEmpty { c.pointee.language = arena.string(self.language) }
        c.pointee.content_key = arena.bytes(self.contentKey)
        c.pointee.auth_secret = arena.bytes(self.authSecret)
    }
}

/// A device that is registered for pushes.
public struct PushDevice: WireMessage {
    /// max 64 bytes. As in conversations.ListDevices.
    public var device: String = ""
    public var transport: PushTransport = .unspecified
    /// max 255 bytes.
    public var app: String = ""
    /// max 35 bytes.
    public var language: String = ""
    /// It has a key to which pushes are encrypted.
    public var encrypted: Bool = false
    public var registeredAtUs: Int64 = 0
    /// max 32 bytes. The last characters of its token, to tell devices apart.
    public var tokenEnd: String = ""
    /// When a push was last sent to it; zero: never.
    public var lastSentUs: Int64 = 0
    /// max 64 bytes. What became of that: "accepted", or a word for the problem.
    public var lastResult: String = ""

    public init() {}

    public init(
        device: String = "",
        transport: PushTransport = .unspecified,
        app: String = "",
        language: String = "",
        encrypted: Bool = false,
        registeredAtUs: Int64 = 0,
        tokenEnd: String = "",
        lastSentUs: Int64 = 0,
        lastResult: String = ""
    ) {
        self.device = device
        self.transport = transport
        self.app = app
        self.language = language
        self.encrypted = encrypted
        self.registeredAtUs = registeredAtUs
        self.tokenEnd = tokenEnd
        self.lastSentUs = lastSentUs
        self.lastResult = lastResult
    }

    public static var messageName: String { "PushDevice" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PushDevice: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PushDevice>? {
        parley__v1__push_device__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PushDevice>) { parley__v1__push_device__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PushDevice>) throws(DecodeFailure) {
        self.device = try readString(c.pointee.device, max: 64, "device")
        self.transport = PushTransport(rawValue: Int32(bitPattern: c.pointee.transport.rawValue))
        self.app = try readString(c.pointee.app, max: 255, "app")
        self.language = try readString(c.pointee.language, max: 35, "language")
        self.encrypted = c.pointee.encrypted != 0
        self.registeredAtUs = c.pointee.registered_at_us
        self.tokenEnd = try readString(c.pointee.token_end, max: 32, "token_end")
        self.lastSentUs = c.pointee.last_sent_us
        self.lastResult = try readString(c.pointee.last_result, max: 64, "last_result")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PushDevice>, _ arena: inout Arena) {
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
        c.pointee.transport = Parley__V1__PushTransport(rawValue: UInt32(bitPattern: self.transport.rawValue))
        if !self.app.isEmpty { c.pointee.app = arena.string(self.app) }
        if !self.language.isEmpty { c.pointee.language = arena.string(self.language) }
        c.pointee.encrypted = self.encrypted ? 1 : 0
        c.pointee.registered_at_us = self.registeredAtUs
        if !self.tokenEnd.isEmpty { c.pointee.token_end = arena.string(self.tokenEnd) }
        c.pointee.last_sent_us = self.lastSentUs
        if !self.lastResult.isEmpty { c.pointee.last_result = arena.string(self.lastResult) }
    }
}

public struct UnregisterPushRequest: WireMessage {
    /// max 64 bytes. Empty: the one that asks.
    public var device: String = ""

    public init() {}

    public init(device: String = "") {
        self.device = device
    }

    public static var messageName: String { "UnregisterPushRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UnregisterPushRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UnregisterPushRequest>? {
        parley__v1__unregister_push_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UnregisterPushRequest>) { parley__v1__unregister_push_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UnregisterPushRequest>) throws(DecodeFailure) {
        self.device = try readString(c.pointee.device, max: 64, "device")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UnregisterPushRequest>, _ arena: inout Arena) {
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
    }
}

public struct ListPushDevicesRequest: WireMessage {
    public init() {}

    public static var messageName: String { "ListPushDevicesRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListPushDevicesRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListPushDevicesRequest>? {
        parley__v1__list_push_devices_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListPushDevicesRequest>) { parley__v1__list_push_devices_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListPushDevicesRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListPushDevicesRequest>, _ arena: inout Arena) {
    }
}

public struct ListPushDevicesReply: WireMessage {
    /// max 100 items. The last registered first.
    public var devices: [PushDevice] = []
    /// max 16 items. Those over which this server sends, since it has keys.
    public var transports: [PushTransport] = []
    /// max 65 bytes. What a page passes to PushManager.subscribe as applicationServerKey: a point of P-256,
    /// uncompressed. Empty: this server sends no pushes to browsers.
    public var webPushKey: [UInt8] = []

    public init() {}

    public init(devices: [PushDevice] = [], transports: [PushTransport] = [], webPushKey: [UInt8] = []) {
        self.devices = devices
        self.transports = transports
        self.webPushKey = webPushKey
    }

    public static var messageName: String { "ListPushDevicesReply" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension ListPushDevicesReply: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__ListPushDevicesReply>? {
        parley__v1__list_push_devices_reply__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__ListPushDevicesReply>) { parley__v1__list_push_devices_reply__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__ListPushDevicesReply>) throws(DecodeFailure) {
        self.devices = try readMessages(c.pointee.devices, c.pointee.n_devices, maxItems: 100, "devices")
        self.transports = try readNumbers(c.pointee.transports, c.pointee.n_transports, maxItems: 16, "transports").map { PushTransport(rawValue: Int32(bitPattern: $0.rawValue)) }
        self.webPushKey = try readBytes(c.pointee.web_push_key, max: 65, "web_push_key")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__ListPushDevicesReply>, _ arena: inout Arena) {
        c.pointee.n_devices = self.devices.count
        c.pointee.devices = arena.messages(self.devices)
        c.pointee.n_transports = self.transports.count
        c.pointee.transports = arena.numbers(self.transports.map { Parley__V1__PushTransport(rawValue: UInt32(bitPattern: $0.rawValue)) })
        c.pointee.web_push_key = arena.bytes(self.webPushKey)
    }
}

public struct TestPushRequest: WireMessage {
    /// max 64 bytes. Empty: the one that asks.
    public var device: String = ""

    public init() {}

    public init(device: String = "") {
        self.device = device
    }

    public static var messageName: String { "TestPushRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension TestPushRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__TestPushRequest>? {
        parley__v1__test_push_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__TestPushRequest>) { parley__v1__test_push_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__TestPushRequest>) throws(DecodeFailure) {
        self.device = try readString(c.pointee.device, max: 64, "device")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__TestPushRequest>, _ arena: inout Arena) {
        if !self.device.isEmpty { c.pointee.device = arena.string(self.device) }
    }
}

public struct GetPushSettingsRequest: WireMessage {
    public init() {}

    public static var messageName: String { "GetPushSettingsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension GetPushSettingsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__GetPushSettingsRequest>? {
        parley__v1__get_push_settings_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__GetPushSettingsRequest>) { parley__v1__get_push_settings_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__GetPushSettingsRequest>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__GetPushSettingsRequest>, _ arena: inout Arena) {
    }
}

/// Of what a person is told by pushes on their devices. Update of stream "notifications/u/ME" without positions, one,
/// after a gap from notifications.GetPushSettings.
public struct PushSettings: StreamState {
    /// For conversations that are not listed.
    public var level: PushLevel = .unspecified
    /// max 500 items. Those with a level of their own.
    public var conversations: [PushConversation] = []
    public var content: PushContent = .unspecified
    /// Tells of reactions to the person's messages. Off at first.
    public var reactions: Bool = false
    /// Tells of message requests and invitations into groups.
    public var requests: Bool = false
    /// Tells of reminders that fire.
    public var reminders: Bool = false
    /// Tells of events that are changed or called off, and reminds of events.
    public var events: Bool = false
    /// Tells of mentions in muted conversations, too. Off at first.
    public var mentionsWhenMuted: Bool = false
    public var quiet: QuietTime?
    /// max 64 bytes. Name of a sound that the app has; empty: the device's own.
    public var sound: String = ""
    /// Grows with each change. A state with a lower one than yours is older: ignore it.
    public var version: Int64 = 0

    public init() {}

    public init(
        level: PushLevel = .unspecified,
        conversations: [PushConversation] = [],
        content: PushContent = .unspecified,
        reactions: Bool = false,
        requests: Bool = false,
        reminders: Bool = false,
        events: Bool = false,
        mentionsWhenMuted: Bool = false,
        quiet: QuietTime? = nil,
        sound: String = "",
        version: Int64 = 0
    ) {
        self.level = level
        self.conversations = conversations
        self.content = content
        self.reactions = reactions
        self.requests = requests
        self.reminders = reminders
        self.events = events
        self.mentionsWhenMuted = mentionsWhenMuted
        self.quiet = quiet
        self.sound = sound
        self.version = version
    }

    public static var messageName: String { "PushSettings" }

    public static var streamPrefix: String { "notifications/u/" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PushSettings: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PushSettings>? {
        parley__v1__push_settings__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PushSettings>) { parley__v1__push_settings__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PushSettings>) throws(DecodeFailure) {
        self.level = PushLevel(rawValue: Int32(bitPattern: c.pointee.level.rawValue))
        self.conversations = try readMessages(c.pointee.conversations, c.pointee.n_conversations, maxItems: 500, "conversations")
        self.content = PushContent(rawValue: Int32(bitPattern: c.pointee.content.rawValue))
        self.reactions = c.pointee.reactions != 0
        self.requests = c.pointee.requests != 0
        self.reminders = c.pointee.reminders != 0
        self.events = c.pointee.events != 0
        self.mentionsWhenMuted = c.pointee.mentions_when_muted != 0
        self.quiet = try readMessage(c.pointee.quiet, "quiet")
        self.sound = try readString(c.pointee.sound, max: 64, "sound")
        self.version = c.pointee.version
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PushSettings>, _ arena: inout Arena) {
        c.pointee.level = Parley__V1__PushLevel(rawValue: UInt32(bitPattern: self.level.rawValue))
        c.pointee.n_conversations = self.conversations.count
        c.pointee.conversations = arena.messages(self.conversations)
        c.pointee.content = Parley__V1__PushContent(rawValue: UInt32(bitPattern: self.content.rawValue))
        c.pointee.reactions = self.reactions ? 1 : 0
        c.pointee.requests = self.requests ? 1 : 0
        c.pointee.reminders = self.reminders ? 1 : 0
        c.pointee.events = self.events ? 1 : 0
        c.pointee.mentions_when_muted = self.mentionsWhenMuted ? 1 : 0
        if let quiet { c.pointee.quiet = arena.message(quiet) }
        if !self.sound.isEmpty { c.pointee.sound = arena.string(self.sound) }
        c.pointee.version = self.version
    }
}

public struct PushConversation: WireMessage {
    /// max 129 bytes.
    public var conversation: String = ""
    public var level: PushLevel = .unspecified

    public init() {}

    public init(conversation: String = "", level: PushLevel = .unspecified) {
        self.conversation = conversation
        self.level = level
    }

    public static var messageName: String { "PushConversation" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension PushConversation: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__PushConversation>? {
        parley__v1__push_conversation__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__PushConversation>) { parley__v1__push_conversation__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__PushConversation>) throws(DecodeFailure) {
        self.conversation = try readString(c.pointee.conversation, max: 129, "conversation")
        self.level = PushLevel(rawValue: Int32(bitPattern: c.pointee.level.rawValue))
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__PushConversation>, _ arena: inout Arena) {
        if !self.conversation.isEmpty { c.pointee.conversation = arena.string(self.conversation) }
        c.pointee.level = Parley__V1__PushLevel(rawValue: UInt32(bitPattern: self.level.rawValue))
    }
}

/// When no push shows or sounds.
public struct QuietTime: WireMessage {
    /// max 28 items.
    public var hours: [QuietHours] = []
    /// max 64 bytes. IANA name: "Europe/Zurich". Empty: UTC.
    public var timeZone: String = ""

    public init() {}

    public init(hours: [QuietHours] = [], timeZone: String = "") {
        self.hours = hours
        self.timeZone = timeZone
    }

    public static var messageName: String { "QuietTime" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension QuietTime: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__QuietTime>? {
        parley__v1__quiet_time__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__QuietTime>) { parley__v1__quiet_time__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__QuietTime>) throws(DecodeFailure) {
        self.hours = try readMessages(c.pointee.hours, c.pointee.n_hours, maxItems: 28, "hours")
        self.timeZone = try readString(c.pointee.time_zone, max: 64, "time_zone")
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__QuietTime>, _ arena: inout Arena) {
        c.pointee.n_hours = self.hours.count
        c.pointee.hours = arena.messages(self.hours)
        if !self.timeZone.isEmpty { c.pointee.time_zone = arena.string(self.timeZone) }
    }
}

public struct QuietHours: WireMessage {
    /// On which day it begins: 1 is Monday, 7 Sunday.
    public var weekday: UInt32 = 0
    /// Minutes after midnight, at most 1439.
    public var fromMinute: UInt32 = 0
    /// At most 1440. Not above `from_minute`: on the next day.
    public var untilMinute: UInt32 = 0

    public init() {}

    public init(weekday: UInt32 = 0, fromMinute: UInt32 = 0, untilMinute: UInt32 = 0) {
        self.weekday = weekday
        self.fromMinute = fromMinute
        self.untilMinute = untilMinute
    }

    public static var messageName: String { "QuietHours" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension QuietHours: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__QuietHours>? {
        parley__v1__quiet_hours__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__QuietHours>) { parley__v1__quiet_hours__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__QuietHours>) throws(DecodeFailure) {
        self.weekday = c.pointee.weekday
        self.fromMinute = c.pointee.from_minute
        self.untilMinute = c.pointee.until_minute
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__QuietHours>, _ arena: inout Arena) {
        c.pointee.weekday = self.weekday
        c.pointee.from_minute = self.fromMinute
        c.pointee.until_minute = self.untilMinute
    }
}

public struct UpdatePushSettingsRequest: WireMessage {
    /// Unspecified: stays as it is.
    public var level: PushLevel = .unspecified
    /// The level of one conversation. Unspecified in it: the one of all others again.
    public var conversation: PushConversation?
    /// Unspecified: stays as it is.
    public var content: PushContent = .unspecified
    public var reactions: Choice = .unspecified
    public var requests: Choice = .unspecified
    public var reminders: Choice = .unspecified
    public var events: Choice = .unspecified
    public var mentionsWhenMuted: Choice = .unspecified
    /// Replaces all hours.
    public var quiet: QuietTime?
    public var changeSound: ChangeSound?

    public enum ChangeSound: Sendable, Equatable {
        case sound(String)
    }

    public init() {}

    public init(
        level: PushLevel = .unspecified,
        conversation: PushConversation? = nil,
        content: PushContent = .unspecified,
        reactions: Choice = .unspecified,
        requests: Choice = .unspecified,
        reminders: Choice = .unspecified,
        events: Choice = .unspecified,
        mentionsWhenMuted: Choice = .unspecified,
        quiet: QuietTime? = nil,
        changeSound: ChangeSound? = nil
    ) {
        self.level = level
        self.conversation = conversation
        self.content = content
        self.reactions = reactions
        self.requests = requests
        self.reminders = reminders
        self.events = events
        self.mentionsWhenMuted = mentionsWhenMuted
        self.quiet = quiet
        self.changeSound = changeSound
    }

    public static var messageName: String { "UpdatePushSettingsRequest" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension UpdatePushSettingsRequest: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__UpdatePushSettingsRequest>? {
        parley__v1__update_push_settings_request__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__UpdatePushSettingsRequest>) { parley__v1__update_push_settings_request__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__UpdatePushSettingsRequest>) throws(DecodeFailure) {
        self.level = PushLevel(rawValue: Int32(bitPattern: c.pointee.level.rawValue))
        self.conversation = try readMessage(c.pointee.conversation, "conversation")
        self.content = PushContent(rawValue: Int32(bitPattern: c.pointee.content.rawValue))
        self.reactions = Choice(rawValue: Int32(bitPattern: c.pointee.reactions.rawValue))
        self.requests = Choice(rawValue: Int32(bitPattern: c.pointee.requests.rawValue))
        self.reminders = Choice(rawValue: Int32(bitPattern: c.pointee.reminders.rawValue))
        self.events = Choice(rawValue: Int32(bitPattern: c.pointee.events.rawValue))
        self.mentionsWhenMuted = Choice(rawValue: Int32(bitPattern: c.pointee.mentions_when_muted.rawValue))
        self.quiet = try readMessage(c.pointee.quiet, "quiet")
        switch c.pointee.change_sound_case.rawValue {
        case 10: self.changeSound = .sound(try readString(c.pointee.sound, max: 64, "sound"))
        default: break
        }
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__UpdatePushSettingsRequest>, _ arena: inout Arena) {
        c.pointee.level = Parley__V1__PushLevel(rawValue: UInt32(bitPattern: self.level.rawValue))
        if let conversation { c.pointee.conversation = arena.message(conversation) }
        c.pointee.content = Parley__V1__PushContent(rawValue: UInt32(bitPattern: self.content.rawValue))
        c.pointee.reactions = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.reactions.rawValue))
        c.pointee.requests = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.requests.rawValue))
        c.pointee.reminders = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.reminders.rawValue))
        c.pointee.events = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.events.rawValue))
        c.pointee.mentions_when_muted = Parley__V1__Choice(rawValue: UInt32(bitPattern: self.mentionsWhenMuted.rawValue))
        if let quiet { c.pointee.quiet = arena.message(quiet) }
        switch self.changeSound {
        case nil: break
        case .sound(let value):
            c.pointee.change_sound_case = Parley__V1__UpdatePushSettingsRequest__ChangeSoundCase(rawValue: 10)
            c.pointee.sound = arena.string(value)
        }
    }
}
