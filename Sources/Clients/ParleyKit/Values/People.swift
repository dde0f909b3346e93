import Foundation
import ParleyClient

/// A person, as everyone may see them.
///
///     let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")
///     show("\(ada.displayName) (@\(ada.username))")
public struct User: Identifiable, Hashable, Sendable, Codable {
    public let id: UserID
    public var username: String
    public var displayName: String
    public var photo: URL?
    /// Whether the account was erased. Only the id is then still known.
    public var isDeleted: Bool

    /// Creates a person, for previews and tests.
    public init(id: UserID, username: String, displayName: String, photo: URL? = nil, isDeleted: Bool = false) {
        (self.id, self.username, self.displayName) = (id, username, displayName)
        (self.photo, self.isDeleted) = (photo, isDeleted)
    }

    init(_ user: Parley_V1_User) {
        self.init(
            id: UserID(rawValue: user.id), username: user.username, displayName: user.displayName,
            photo: URL(string: user.photoURL), isDeleted: user.deleted)
    }

    var stored: Parley_V1_User {
        .with {
            ($0.id, $0.username, $0.displayName) = (id.rawValue, username, displayName)
            ($0.photoURL, $0.deleted) = (photo?.absoluteString ?? "", isDeleted)
        }
    }
}

/// My own profile, with what only I see of it.
///
///     if let profile = parley.profile { show("\(profile.user.displayName) \(profile.email ?? "")") }
///     try await parley.updateProfile(displayName: "Kit")
public struct Profile: Identifiable, Hashable, Sendable, Codable {
    public var user: User
    /// My email address, which nobody else sees; nil: none.
    public var email: String?
    /// Whether people who know the whole address can find me by it.
    public var isFindableByEmail: Bool
    /// Whether I showed that the address is mine.
    public var isEmailConfirmed: Bool
    /// Whether I am a guest, without username, password and identity.
    public var isGuest: Bool
    public var syncStatus = SyncStatus.synced

    public var id: UserID { user.id }

    /// Creates a profile, for previews and tests.
    public init(
        _ user: User, email: String? = nil, isFindableByEmail: Bool = false, isEmailConfirmed: Bool = false,
        isGuest: Bool = false
    ) {
        (self.user, self.email, self.isFindableByEmail) = (user, email, isFindableByEmail)
        (self.isEmailConfirmed, self.isGuest) = (isEmailConfirmed, isGuest)
    }

    init(_ profile: Parley_V1_Profile) {
        user = User(profile.user)
        email = profile.email.isEmpty ? nil : profile.email
        isFindableByEmail = profile.findableByEmail
        (isEmailConfirmed, isGuest) = (profile.emailConfirmed, profile.guest)
    }
}

/// A person in a conversation.
///
///     for member in chat.members where member.id == chat.messages.first?.sender {
///         show("\(member.user.displayName) wrote first")
///     }
public struct Member: Identifiable, Hashable, Sendable, Codable {
    /// What a member may do.
    ///
    ///     let admins = chat.members.filter { $0.role >= .admin }
    ///     show("Ask \(admins.map(\.user.displayName).joined(separator: " or ")).")
    public enum Role: String, Hashable, Sendable, Comparable, Codable {
        case member, admin, owner

        /// Whether somebody in the first role may do less.
        public static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

        private var rank: Int { self == .member ? 0 : self == .admin ? 1 : 2 }
    }

    public var user: User
    public var role: Role
    public var joinedAt: Date

    public var id: UserID { user.id }

    /// Creates a member, for previews and tests.
    public init(_ user: User, role: Role = .member, joinedAt: Date = .now) {
        (self.user, self.role, self.joinedAt) = (user, role, joinedAt)
    }

    init(_ member: Parley_V1_Member) {
        user = User(member.user)
        role =
            switch member.role {
            case .owner: .owner
            case .admin: .admin
            default: .member
            }
        joinedAt = Date(microseconds: member.joinedAtUs)
    }
}

/// How far another person has read a conversation.
///
///     if let receipt = chat.receipts[ada.id], let time = receipt.readAt {
///         show("Ada read up to message \(receipt.readUpTo) at \(time)")
///     }
public struct Receipt: Hashable, Sendable, Codable {
    /// The number of the newest message that they have read; 0: none.
    public var readUpTo: Int64
    public var readAt: Date?
    /// The number of the newest message that reached one of their devices; 0: none.
    public var deliveredUpTo: Int64
    public var deliveredAt: Date?

    /// Creates a receipt, for previews and tests.
    public init(readUpTo: Int64, readAt: Date? = nil, deliveredUpTo: Int64, deliveredAt: Date? = nil) {
        (self.readUpTo, self.readAt) = (readUpTo, readAt)
        (self.deliveredUpTo, self.deliveredAt) = (deliveredUpTo, deliveredAt)
    }

    package init(_ receipt: Parley_V1_Receipt) {
        (readUpTo, deliveredUpTo) = (receipt.readSeq, receipt.deliveredSeq)
        (readAt, deliveredAt) = (Date(set: receipt.readAtUs), Date(set: receipt.deliveredAtUs))
    }

    /// Nobody reads back: of each field the larger value is valid. One that was read from the store may be older than
    /// what came meanwhile.
    func joined(with other: Receipt) -> Receipt {
        Receipt(
            readUpTo: max(readUpTo, other.readUpTo), readAt: Self.later(readAt, other.readAt),
            deliveredUpTo: max(deliveredUpTo, other.deliveredUpTo),
            deliveredAt: Self.later(deliveredAt, other.deliveredAt))
    }

    private static func later(_ one: Date?, _ other: Date?) -> Date? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}

/// Why a person or a message is reported.
///
///     try await parley.report(message, for: .spam)
public enum ReportReason: String, Hashable, Sendable, CaseIterable, Codable {
    case spam, harassment, violence, sexual, impersonation, other

    var stored: Parley_V1_ReportReason {
        switch self {
        case .spam: .spam
        case .harassment: .harassment
        case .violence: .violence
        case .sexual: .sexual
        case .impersonation: .impersonation
        case .other: .other
        }
    }
}

/// A device on which I am signed in.
///
///     for device in try await parley.devices() where !device.isCurrent {
///         show("\(device.name), last used \(device.lastUsedAt.formatted())")
///     }
public struct SignedInDevice: Identifiable, Hashable, Sendable, Codable {
    public let id: String
    public var name: String
    public var signedInAt: Date
    public var lastUsedAt: Date
    /// Whether it is this one.
    public var isCurrent: Bool

    /// Creates a device, for previews and tests.
    public init(id: String, name: String, signedInAt: Date = .now, lastUsedAt: Date = .now, isCurrent: Bool = false) {
        (self.id, self.name, self.isCurrent) = (id, name, isCurrent)
        (self.signedInAt, self.lastUsedAt) = (signedInAt, lastUsedAt)
    }

    init(_ device: Parley_V1_Device) {
        (id, name, isCurrent) = (device.id, device.name, device.current)
        (signedInAt, lastUsedAt) = (Date(microseconds: device.signedInUs), Date(microseconds: device.lastUsedUs))
    }
}
