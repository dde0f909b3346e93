import Reactor

/// The service that brings a notice to a device.
public enum PushTransport: Int16, Sendable, CaseIterable {
    /// Apple's, for apps from the App Store and TestFlight.
    case apns = 1
    /// Apple's, for apps that Xcode installed.
    case apnsSandbox = 2
    /// Google's, by a registration token.
    case fcm = 3
    /// Google's, by the id of a Firebase installation (`fid`).
    case fcmInstallation = 4
    /// That of a browser (RFC 8030).
    case web = 5
}

/// What one device is told.
public struct PushNotice: Sendable {
    /// 16 bytes of a UUID. The same notice sent again has the same id, so that its receiver can tell.
    public var id: [UInt8]
    public var transport: PushTransport
    /// The device's token in hexadecimal (APNs), the registration token or installation id (FCM), or the endpoint.
    public var token: String
    /// The app's bundle id (APNs) or the project (FCM, empty: that of the service account); unused for browsers.
    public var app: String
    /// The device's P-256 key, uncompressed in 65 bytes: `p256dh` of a browser, and for the others what the app
    /// registered to read encrypted content.
    public var contentKey: [UInt8]?
    /// The 16 bytes that belong to the key: `auth` of a browser.
    public var authSecret: [UInt8]?
    public var payload: PushPayload
    /// Of notices with the same key, the newest replaces the others, on the way and on the device. Of any length.
    public var collapse: String?
    /// Notices with the same thread are shown together: the id of the conversation.
    public var thread: String?
    /// What the app's icon shows; nil: as before.
    public var badge: Int?
    /// Changes the badge, or clears what was shown, without showing anything.
    public var silent: Bool
    /// Wakes a sleeping device.
    public var urgent: Bool
    /// When the notice is of no use any more, in microseconds since 1970.
    public var expires: Int64

    public init(
        id: [UInt8], transport: PushTransport, token: String, app: String, contentKey: [UInt8]? = nil,
        authSecret: [UInt8]? = nil, payload: PushPayload, collapse: String? = nil, thread: String? = nil,
        badge: Int? = nil, silent: Bool = false, urgent: Bool = true, expires: Int64
    ) {
        (self.id, self.transport, self.token, self.app) = (id, transport, token, app)
        (self.contentKey, self.authSecret, self.payload) = (contentKey, authSecret, payload)
        (self.collapse, self.thread, self.badge) = (collapse, thread, badge)
        (self.silent, self.urgent, self.expires) = (silent, urgent, expires)
    }
}

/// What a notice says. The caller has applied the setting of content: what must not leave is not in it.
public struct PushPayload: Sendable, Equatable {
    /// What it is about, a word of ASCII: "message", "mention", "reminder", "read" … The app decides by it.
    public var kind: String
    public var title: String
    /// Cut at the end of a character if the payload would be too long.
    public var body: String
    public var conversation: String?
    /// Of the message; of a silent notice "read", how far the conversation was read.
    public var seq: Int64?
    public var sender: String?
    /// The id of the entity: an event, a reminder, a decision.
    public var entity: String?
    /// nil: without a sound.
    public var sound: String?
    /// Where a browser goes when the notice is clicked. It may be relative to the page.
    public var link: String
    /// Whether only the device can read it. A browser's always is encrypted. Where the device has registered no key,
    /// only ``fallback`` is shown and nothing else is told.
    public var encrypted: Bool
    /// What is shown in place of encrypted content that the app cannot read: "New message".
    public var fallback: String

    public init(
        kind: String, title: String, body: String, conversation: String? = nil, seq: Int64? = nil,
        sender: String? = nil, entity: String? = nil, sound: String? = "default", link: String = "/",
        encrypted: Bool = false, fallback: String = "New message"
    ) {
        (self.kind, self.title, self.body, self.conversation) = (kind, title, body, conversation)
        (self.seq, self.sender, self.entity, self.sound) = (seq, sender, entity, sound)
        (self.link, self.encrypted, self.fallback) = (link, encrypted, fallback)
    }
}

/// What became of a notice.
public enum PushResult: Sendable, Equatable {
    /// The provider will deliver it, or has replaced it already. Of FCM and browsers, with the provider's id.
    case accepted(providerID: String?)
    /// The token is dead: forget it. This notice reaches nobody.
    case gone
    /// The provider is busy, cannot be reached, or refuses everything until an operator mends a setting (then the
    /// senders report a ``PushProblem``). Send the same notice again after this time, if it still matters then.
    case later(afterMicroseconds: Int64)
    /// The provider does not accept this notice, nor will it ever. `code` is one of ``PushCode``; `text` says what an
    /// operator can do. Do not send it again.
    case refused(code: String, text: String)
}

/// Sends notices to devices. `PushSenders` has one for each transport.
@ReactorActor
public protocol PushSender: Sendable {
    /// Never throws and ends within a limited time; any number of calls may be under way.
    func send(_ notice: PushNotice) async -> PushResult
}
