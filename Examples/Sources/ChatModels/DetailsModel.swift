import Foundation
import Observation
import ParleyKit

/// The details of a conversation: the person, or the group with its members, and what only I see of it.
@MainActor
@Observable
public final class DetailsModel: Acting, Identifiable {
    /// A member of a group.
    public struct Row: Identifiable, Hashable, Sendable {
        public let id: UserID
        public let name: String
        /// "Owner", "Admin"; empty: a member.
        public let role: String
        public let presence: String
        public let isMe: Bool
        /// What I may do with them.
        public let actions: [MemberAction]
    }

    public enum MemberAction: String, Identifiable, Hashable, Sendable {
        case makeAdmin = "Make admin"
        case makeMember = "Make member"
        case makeOwner = "Make owner"
        case remove = "Remove from group"

        public var id: String { rawValue }
        public var title: String { rawValue }
    }

    public let chat: Conversation
    public var problem: Refusal?
    /// The group's name in its field.
    public var name: String
    /// Open invitations, of those who may see them.
    public private(set) var invited: [User] = []
    /// All members of a large group; empty: those of the conversation are all.
    private var all: [Member] = []
    let parley: Parley
    private let words: Words

    public init(_ chat: Conversation, in parley: Parley, words: Words = Words()) {
        (self.chat, self.parley, self.words, name) = (chat, parley, words, chat.name)
    }

    public var isGroup: Bool { chat.kind == .group }
    public var title: String { chat.title }
    public var membersTitle: String { words.count(chat.memberCount, "member", "members") }
    public var presence: String {
        chat.other.flatMap { parley.presence[$0.id] }.map { PresenceText(words).text(of: $0) } ?? ""
    }
    public var username: String { chat.other.map { "@\($0.username)" } ?? "" }

    private var members: [Member] { all.isEmpty ? chat.members : all }
    private var role: Member.Role? { members.first { $0.id == parley.user }?.role }
    public var mayRename: Bool { isGroup && (role ?? .member) >= .admin }
    public var mayAdd: Bool { mayRename }
    public var mayLeave: Bool { isGroup && role != nil && (role != .owner || chat.memberCount == 1) }
    public var canRename: Bool { mayRename && !name.trimmed.isEmpty && name.trimmed != chat.name }

    public var rows: [Row] {
        members.sorted { ($1.role, $0.user.displayName) < ($0.role, $1.user.displayName) }.map { member in
            let isMe = member.id == parley.user
            return Row(
                id: member.id, name: isMe ? "You" : member.user.displayName, role: Self.title(of: member.role),
                presence: parley.presence[member.id].map { PresenceText(words).text(of: $0) } ?? "", isMe: isMe,
                actions: isMe ? [] : actions(for: member))
        }
    }

    private static func title(of role: Member.Role) -> String {
        switch role {
        case .owner: "Owner"
        case .admin: "Admin"
        case .member: ""
        }
    }

    private func actions(for member: Member) -> [MemberAction] {
        switch role {
        case .owner: [member.role == .admin ? .makeMember : .makeAdmin, .makeOwner, .remove]
        case .admin: member.role == .member ? [.remove] : []
        default: []
        }
    }

    /// Reads what the device does not have: all members of a large group, and open invitations.
    public func load() async {
        guard isGroup else { return }
        let isLarge = chat.memberCount > chat.members.count
        await attempt { () async throws(Refusal) in
            if isLarge { self.all = try await self.chat.allMembers() }
            if self.mayAdd { self.invited = try await self.chat.invitations().map(\.user) }
        }
        // What is known is shown.
        if problem?.code == .offline { problem = nil }
    }

    // MARK: Groups

    public func rename() async {
        guard canRename else { return }
        let name = name.trimmed
        await attempt { () async throws(Refusal) in try await self.chat.rename(name) }
    }

    public func add(_ people: [User]) async {
        await attempt { () async throws(Refusal) in try await self.chat.add(people.map(\.id)) }
    }

    public func perform(_ action: MemberAction, on person: UserID) async {
        await attempt { () async throws(Refusal) in
            switch action {
            case .makeAdmin: try await self.chat.setAdmin(true, person)
            case .makeMember: try await self.chat.setAdmin(false, person)
            case .makeOwner: try await self.chat.transferOwnership(to: person)
            case .remove: try await self.chat.remove(person)
            }
        }
        if !all.isEmpty { await load() }
    }

    public func withdrawInvitation(of person: UserID) async {
        await attempt { () async throws(Refusal) in
            try await self.chat.withdrawInvitation(of: person)
            self.invited.removeAll { $0.id == person }
        }
    }

    public func leave() async {
        await attempt { () async throws(Refusal) in try await self.chat.leave() }
    }

    /// Whom to add: people are found as one types.
    public func picker() -> NewMessageModel { NewMessageModel(parley, words: words) }
}
