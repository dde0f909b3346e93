import Foundation
import ParleyClient

/// What I see of another person's presence.
///
///     let presence = parley.presence[ada.id]
///     switch presence?.status {
///     case .online: show("online")
///     case .away, .doNotDisturb: show(presence?.statusText ?? "away")
///     case .offline, nil: show(presence?.lastSeen.map { "last seen \($0)" } ?? "")
///     }
public struct Presence: Hashable, Sendable, Codable {
    /// Whether a person is online.
    ///
    ///     let isReachable = parley.presence[ada.id]?.status == .online
    public enum Status: String, Hashable, Sendable, Codable {
        case online
        /// Connected, but says so or has used no device for a while.
        case away
        case doNotDisturb
        /// Offline, or not to be seen by me.
        case offline
    }

    public var status: Status
    /// When the person was last connected; nil: they are, or it is not known.
    public var lastSeen: Date?
    /// What the person says; nil: nothing. It holds until ``statusEnds``.
    public var statusText: String?
    /// When ``statusText`` ends; nil: it does not.
    public var statusEnds: Date?
    /// The conversation that the person looks at, if I am a member of it, too; nil: none.
    public var currentConversation: ConversationID?

    /// Creates a presence, for previews and tests.
    public init(_ status: Status, lastSeen: Date? = nil, statusText: String? = nil, statusEnds: Date? = nil) {
        (self.status, self.lastSeen, self.statusText, self.statusEnds) = (status, lastSeen, statusText, statusEnds)
    }

    public static let online = Presence(.online)

    /// Somebody who was last seen then; nil: it is not known.
    public static func offline(lastSeen: Date?) -> Presence { Presence(.offline, lastSeen: lastSeen) }

    init(_ state: Parley_V1_PresenceState) {
        let status: Status =
            switch state.status {
            case .online: .online
            case .away: .away
            case .doNotDisturb: .doNotDisturb
            default: .offline
            }
        self.init(
            status, lastSeen: Date(set: state.lastSeenUs),
            statusText: state.statusText.isEmpty ? nil : state.statusText,
            statusEnds: Date(set: state.statusEndsUs))
        let conversation = state.currentConversation
        currentConversation = conversation.isEmpty ? nil : ConversationID(rawValue: conversation)
    }
}

/// What I say of myself on all my devices, and from whom I hide.
///
///     try await parley.setStatus("at the dentist", until: .now + 3600)
///     if let text = parley.ownPresence?.statusText { show(text) }
public struct OwnPresence: Hashable, Sendable, Codable {
    /// Whether others see me as I use my devices, or as I say.
    ///
    ///     try await parley.setAvailability(.doNotDisturb)
    public enum Availability: String, Hashable, Sendable, Codable {
        /// Online or away, as I use my devices.
        case automatic
        case away
        case doNotDisturb

        var sent: Parley_V1_Availability {
            switch self {
            case .automatic: .automatic
            case .away: .saysAway
            case .doNotDisturb: .saysDoNotDisturb
            }
        }
    }

    /// To whom I am offline. They are to me, too.
    ///
    ///     try await parley.setHiding(.fromAllButAccepted)
    public enum Hiding: String, Hashable, Sendable, Codable {
        case fromNobody
        case fromAll
        /// From all without an accepted direct conversation with me.
        case fromAllButAccepted

        var sent: Parley_V1_Hiding {
            switch self {
            case .fromNobody: .fromNobody
            case .fromAll: .fromAll
            case .fromAllButAccepted: .fromAllButAccepted
            }
        }
    }

    public var availability: Availability
    /// What others read while I am connected; nil: nothing. It holds until ``statusEnds``.
    public var statusText: String?
    /// When ``statusText`` ends; nil: it does not.
    public var statusEnds: Date?
    public var hiding: Hiding

    /// Creates what I say, for previews and tests.
    public init(
        _ availability: Availability = .automatic, statusText: String? = nil, statusEnds: Date? = nil,
        hiding: Hiding = .fromNobody
    ) {
        (self.availability, self.hiding) = (availability, hiding)
        (self.statusText, self.statusEnds) = (statusText, statusEnds)
    }

    init(_ state: Parley_V1_OwnPresence) {
        availability =
            switch state.availability {
            case .saysAway: .away
            case .saysDoNotDisturb: .doNotDisturb
            default: .automatic
            }
        hiding =
            switch state.hiding {
            case .fromAll: .fromAll
            case .fromAllButAccepted: .fromAllButAccepted
            default: .fromNobody
            }
        statusText = state.statusText.isEmpty ? nil : state.statusText
        statusEnds = Date(set: state.statusEndsUs)
    }
}
