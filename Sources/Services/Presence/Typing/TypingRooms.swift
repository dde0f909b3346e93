import Schema
import ServiceKit

/// Who is in the conversations in which people are typing, as last read from the database. What a conversation's
/// journal names is forgotten. Pure.
struct TypingRooms {
    /// The people of a conversation.
    struct Room: Equatable {
        var number: ConversationNumber
        /// Those who may write, with those of the others whom they block.
        var members: [AccountNumber: Set<AccountNumber>]
        /// Those who see the conversation and may not write, such as before they accept its request, or who hide. They
        /// neither send nor receive.
        var silent: Set<AccountNumber> = []

        /// Returns those who hear a person: the other members, if the person is a member, except those who block them
        /// or whom they block.
        func hearing(_ account: AccountNumber) -> Set<AccountNumber> {
            guard let blocked = members[account] else { return [] }
            return Set(
                members.compactMap { other, blocks in
                    other == account || blocked.contains(other) || blocks.contains(account) ? nil : other
                })
        }

        func contains(_ account: AccountNumber) -> Bool { members[account] != nil || silent.contains(account) }

        func hasAny(of accounts: Set<AccountNumber>) -> Bool { accounts.contains(where: contains) }
    }

    /// In larger groups typing is for those who look at the conversation now.
    static let membersMax = 64
    /// How long a room is kept that nobody is typing in.
    static let idleMax = Duration.seconds(60)
    /// The most people in all rooms together. Beyond that all rooms are forgotten.
    static let peopleMax = 1_000_000

    private var rooms: [String: (room: Room, usedAt: ContinuousClock.Instant)] = [:]
    private var ids: [ConversationNumber: String] = [:]
    private var people = 0
    /// Grows whenever something is forgotten.
    private(set) var revision = 0

    var isEmpty: Bool { rooms.isEmpty }

    subscript(conversation: String) -> Room? { rooms[conversation]?.room }

    /// Keeps what was read from the database.
    /// - Parameter revision: the ``revision`` before it was read. What was read before something was forgotten is not
    ///   kept, since it may be older than that.
    mutating func set(_ room: Room, of conversation: String, revision: Int, at now: ContinuousClock.Instant) {
        guard revision == self.revision else { return }
        forget(conversation)
        if people + room.size > Self.peopleMax { self = TypingRooms(revision: revision) }
        rooms[conversation] = (room, now)
        ids[room.number] = conversation
        people += room.size
    }

    init() {}

    private init(revision: Int) { self.revision = revision }

    /// Notes that somebody is typing in these conversations, and forgets rooms that are idle.
    mutating func use(_ conversations: some Sequence<String>, at now: ContinuousClock.Instant) {
        for conversation in conversations { rooms[conversation]?.usedAt = now }
        for (conversation, entry) in rooms where now - entry.usedAt >= Self.idleMax { forget(conversation) }
    }

    /// Forgets the rooms that entries of conversations' journal may have changed.
    /// - Returns: the conversations forgotten.
    mutating func forget(after entries: [JournalEntry]) -> Set<String> {
        guard !entries.isEmpty else { return [] }
        revision += 1
        var changed: Set<String> = []
        for entry in entries {
            switch entry.kind {
            case ConversationsKind.conversation.number:
                if let id = ids[ConversationNumber(entry.object)] { changed.insert(id) }
            case ConversationsKind.block.number:
                let two = (AccountNumber(entry.subject), AccountNumber(entry.object))
                for (id, entry) in rooms where entry.room.contains(two.0) && entry.room.contains(two.1) {
                    changed.insert(id)
                }
            default: if let id = ids[ConversationNumber(entry.subject)] { changed.insert(id) }
            }
        }
        for id in changed { forget(id) }
        return changed
    }

    /// Forgets the rooms of people.
    /// - Returns: the conversations forgotten.
    mutating func forget(of accounts: Set<AccountNumber>) -> Set<String> {
        guard !accounts.isEmpty else { return [] }
        revision += 1
        let changed = Set(rooms.filter { $0.value.room.hasAny(of: accounts) }.keys)
        for id in changed { forget(id) }
        return changed
    }

    mutating func forgetAll() { self = TypingRooms(revision: revision + 1) }

    private mutating func forget(_ conversation: String) {
        guard let (room, _) = rooms.removeValue(forKey: conversation) else { return }
        ids[room.number] = nil
        people -= room.size
    }
}

extension TypingRooms.Room {
    fileprivate var size: Int { members.values.reduce(members.count + silent.count) { $0 + $1.count } }
}
