import Foundation
import ParleyClient

/// What a push service knows this device by.
///
///     try await parley.registerForPush(token: .apns(deviceToken, app: "com.example.chat"))
public struct PushToken: Hashable, Sendable {
    let transport: Parley_V1_PushTransport
    let text: String
    let app: String

    /// Apple's, as `didRegisterForRemoteNotificationsWithDeviceToken` gives it.
    /// - Parameters:
    ///   - app: the app's bundle id.
    ///   - isDevelopment: whether Xcode installed the app; apps of TestFlight and the App Store are not.
    public static func apns(_ token: Data, app: String, isDevelopment: Bool = false) -> PushToken {
        PushToken(
            transport: isDevelopment ? .apnsSandbox : .apns,
            text: token.map { String(format: "%02x", $0) }.joined(), app: app)
    }

    /// Google's.
    /// - Parameter project: of Firebase; empty: that of the server.
    public static func fcm(_ token: String, project: String = "") -> PushToken {
        PushToken(transport: .fcm, text: token, app: project)
    }
}

/// One of my devices that is registered for pushes.
///
///     for device in try await parley.pushDevices() { show("\(device.app): \(device.lastResult)") }
public struct PushDevice: Hashable, Sendable, Identifiable, Codable {
    public var id: String
    /// The bundle id or project of the app.
    public var app: String
    /// Whether pushes to it are encrypted, so that the push service cannot read them.
    public var isEncrypted: Bool
    public var registered: Date
    /// When a push was last sent to it; nil: never.
    public var lastSent: Date?
    /// What became of that: "accepted", or a word for the problem.
    public var lastResult: String

    init(_ device: Parley_V1_PushDevice) {
        (id, app, isEncrypted) = (device.device, device.app, device.encrypted)
        registered = Date(microseconds: device.registeredAtUs)
        lastSent = device.lastSentUs == 0 ? nil : Date(microseconds: device.lastSentUs)
        lastResult = device.lastResult
    }
}

/// Of what I am told by pushes, on all my devices.
///
///     try await parley.updatePushSettings { $0.level = .mentions }
public struct PushSettings: Hashable, Sendable, Codable {
    /// Of which messages I am told.
    ///
    ///     try await parley.setPushLevel(.mentions, of: chat.id)
    public enum Level: String, Hashable, Sendable, Codable {
        case all
        /// Those that mention me or answer a message of mine.
        case mentions
        case none

        init?(_ level: Parley_V1_PushLevel) {
            switch level {
            case .allMessages: self = .all
            case .mentionsOnly: self = .mentions
            case .noMessages: self = .none
            case .unspecified, .UNRECOGNIZED: return nil
            }
        }

        var sent: Parley_V1_PushLevel {
            switch self {
            case .all: .allMessages
            case .mentions: .mentionsOnly
            case .none: .noMessages
            }
        }
    }

    /// What a push says of a message.
    ///
    ///     try await parley.updatePushSettings { $0.content = .names }
    public enum Content: String, Hashable, Sendable, Codable {
        case fullText
        /// Who wrote, and where.
        case names
        case none

        var sent: Parley_V1_PushContent {
            switch self {
            case .fullText: .fullText
            case .names: .namesOnly
            case .none: .noContent
            }
        }
    }

    /// A time of the week in which no push shows.
    ///
    ///     try await parley.updatePushSettings {
    ///         $0.quietHours = (1...7).map { .init(weekday: $0, from: 22 * 60, until: 7 * 60) }
    ///         $0.timeZone = TimeZone.current.identifier
    ///     }
    public struct QuietHours: Hashable, Sendable, Codable {
        /// On which day it begins: 1 is Monday, 7 Sunday.
        public var weekday: Int
        /// Minutes after midnight.
        public var from: Int
        /// Not above `from`: on the next day.
        public var until: Int

        public init(weekday: Int, from: Int, until: Int) {
            (self.weekday, self.from, self.until) = (weekday, from, until)
        }
    }

    public var level: Level
    public var content: Content
    /// Conversations with a level of their own.
    public private(set) var conversations: [ConversationID: Level]
    public var reactions: Bool
    public var requests: Bool
    public var reminders: Bool
    public var events: Bool
    public var mentionsWhenMuted: Bool
    public var quietHours: [QuietHours]
    /// The time zone of the quiet hours, by its IANA name; empty: UTC.
    public var timeZone: String
    /// Name of a sound that the app has; empty: the device's own.
    public var sound: String
    let version: Int64

    init(_ state: Parley_V1_PushSettings) {
        level = Level(state.level) ?? .all
        content =
            switch state.content {
            case .namesOnly: .names
            case .noContent: .none
            default: .fullText
            }
        conversations = [:]
        for one in state.conversations {
            if let level = Level(one.level) { conversations[ConversationID(rawValue: one.conversation)] = level }
        }
        (reactions, requests, reminders, events) = (state.reactions, state.requests, state.reminders, state.events)
        mentionsWhenMuted = state.mentionsWhenMuted
        quietHours = state.quiet.hours.map {
            QuietHours(weekday: Int($0.weekday), from: Int($0.fromMinute), until: Int($0.untilMinute))
        }
        (timeZone, sound, version) = (state.quiet.timeZone, state.sound, state.version)
    }

    /// The request that makes `before` to these settings.
    func change(from before: PushSettings) -> Parley_V1_UpdatePushSettingsRequest {
        func choice(_ now: Bool, _ then: Bool) -> Parley_V1_Choice {
            now == then ? .unspecified : now ? .yes : .no
        }
        return .with {
            if level != before.level { $0.level = level.sent }
            if content != before.content { $0.content = content.sent }
            $0.reactions = choice(reactions, before.reactions)
            $0.requests = choice(requests, before.requests)
            $0.reminders = choice(reminders, before.reminders)
            $0.events = choice(events, before.events)
            $0.mentionsWhenMuted = choice(mentionsWhenMuted, before.mentionsWhenMuted)
            if (quietHours, timeZone) != (before.quietHours, before.timeZone) {
                $0.quiet.timeZone = timeZone
                $0.quiet.hours = quietHours.map { hours in
                    .with {
                        $0.weekday = UInt32(clamping: hours.weekday)
                        ($0.fromMinute, $0.untilMinute) = (UInt32(clamping: hours.from), UInt32(clamping: hours.until))
                    }
                }
            }
            if sound != before.sound { $0.sound = sound }
        }
    }
}
