import Schema

/// What a person says of themselves on all devices, as others see it while the person is connected.
struct Words: Equatable, Sendable {
    var availability = Availability.automatic
    var text = ""
    /// When the text ends; zero: it does not.
    var endsAt: Timestamp = 0
}

/// What a watcher is shown of a person, apart from when they were last seen. Watchers who are shown the same share it.
final class Shown: Equatable, Sendable {
    let status: PresenceStatus
    let text: String
    let textEndsAt: Timestamp
    let conversation: String

    static let offline = Shown(PresenceSessions.Activity(), Words(), isMember: false, at: 0)

    /// - Parameter isMember: whether the watcher is a member of the conversation that the person looks at.
    init(_ activity: PresenceSessions.Activity, _ words: Words, isMember: Bool, at now: Timestamp) {
        let hasText = activity.isOnline && (words.endsAt == 0 || words.endsAt > now)
        status =
            switch words.availability {
            case _ where !activity.isOnline: .offline
            case .saysDoNotDisturb: .doNotDisturb
            case .saysAway: .away
            default: activity.isIdle ? .away : .online
            }
        (text, textEndsAt) = hasText ? (words.text, words.endsAt) : ("", 0)
        conversation = isMember ? activity.conversation : ""
    }

    var isOnline: Bool { status != .offline }

    static func == (one: Shown, other: Shown) -> Bool {
        one === other
            || one.status == other.status && one.text == other.text && one.textEndsAt == other.textEndsAt
                && one.conversation == other.conversation
    }

    /// - Parameter lastSeen: when the person was last seen, if they are offline.
    func state(of user: String, lastSeen: Timestamp) -> PresenceState {
        PresenceState(
            user: user, status: status, lastSeenUs: isOnline ? 0 : lastSeen.rawValue, statusText: text,
            statusEndsUs: textEndsAt.rawValue, currentConversation: conversation)
    }
}
