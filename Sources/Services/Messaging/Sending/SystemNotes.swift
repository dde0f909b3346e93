import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// The change that a system message reports, read from the journal of conversations. Pure.
struct MemberNote: Equatable {
    /// The lane and number of its first entry.
    var lane: Int
    var number: Int64
    var kind: SystemNoteKind
    var conversation: ConversationNumber
    var actor: AccountNumber
    var accounts: [AccountNumber]

    /// The maximum number of accounts in a ``SystemNote``.
    static let accountsMax = 64

    /// Returns the notes of entries of one lane, in order. Entries of one change, such as several members added
    /// together, form one note. Entries of other kinds are skipped.
    static func notes(of entries: [JournalEntry]) -> [MemberNote] {
        var notes: [MemberNote] = []
        var next: Int64?
        for entry in entries {
            guard let kind = kind(of: ConversationsKind(rawValue: Int32(entry.kind))), let actor = entry.audience.first
            else { continue }
            defer { next = entry.number + 1 }
            if isOfSeveral(kind), let last = notes.last, next == entry.number, last.lane == entry.lane,
                last.kind == kind,
                last.conversation.rawValue == entry.subject, last.actor == actor, last.accounts.count < accountsMax
            {
                notes[notes.count - 1].accounts.append(AccountNumber(entry.object))
            } else {
                notes.append(
                    MemberNote(
                        lane: entry.lane, number: entry.number, kind: kind,
                        conversation: ConversationNumber(entry.subject), actor: actor,
                        accounts: entry.object == 0 ? [] : [AccountNumber(entry.object)]))
            }
        }
        return notes
    }

    private static func kind(of kind: ConversationsKind) -> SystemNoteKind? {
        switch kind {
        case .joined: .membersJoined
        case .left: .memberLeft
        case .removed: .memberRemoved
        case .renamed: .groupRenamed
        case .photoChanged: .groupPhotoChanged
        case .ownershipTransferred: .ownerChanged
        case .madeAdmin: .adminAdded
        case .madeMember: .adminRemoved
        default: nil
        }
    }

    /// Whether one change can affect several people.
    private static func isOfSeveral(_ kind: SystemNoteKind) -> Bool {
        switch kind {
        case .membersJoined, .memberLeft, .memberRemoved: true
        default: false
        }
    }

    /// The id of its message: a UUIDv8 (RFC 9562) made of the journal, lane and number of its first entry. The same
    /// note always gets the same id, so it is stored once. It cannot equal a client's id, which is of version 7.
    var id: [UInt8] {
        let number = UInt64(bitPattern: number)
        let byte = { (shift: Int) in UInt8(truncatingIfNeeded: number >> shift) }
        let conversations: UInt8 = 1
        return [
            byte(56), byte(48), byte(40), byte(32), byte(24), byte(16), 0x80 | conversations,
            UInt8(truncatingIfNeeded: lane), 0x80, 0, byte(8), byte(0), 0, 0, 0, 0,
        ]
    }

    /// - Parameter name: the group's name.
    func note(_ users: [AccountNumber: String], name: String) -> SystemNote {
        SystemNote(
            kind: kind, actor: users[actor] ?? "", users: accounts.compactMap { users[$0] },
            name: kind == .groupRenamed ? name : "")
    }
}

/// A system message that is to be written. Pure.
struct SystemMessage: Sendable {
    var conversation: ConversationNumber
    /// Made from what the message is about, so that it is written once.
    var id: [UInt8]
    var note: SystemNote
}

/// Writes system messages about changes of a group and its members, each exactly once: a message is committed together
/// with the position in the journal that it comes from.
@ReactorActor
struct NoteWriter {
    let publisher: UpdatePublisher
    let clock: WallClock

    /// Stores the messages of journal entries and publishes them after the commit.
    /// - Throws: ``Refusal`` `unavailable` if others keep a conversation locked. Retry a moment later.
    func write(_ entries: [JournalEntry], in change: Change) async throws {
        let notes = MemberNote.notes(of: entries)
        guard !notes.isEmpty else { return }
        let conversations = Set(notes.map(\.conversation)).sorted()
        // Read before taking the lock, because nobody can send there while it is held.
        let ids = try await change.conversationIDs(of: conversations)
        let users = try await change.userIDs(of: notes.flatMap { $0.accounts + [$0.actor] })
        let messages = notes.map { note in
            SystemMessage(
                conversation: note.conversation, id: note.id,
                note: note.note(users, name: ids[note.conversation]?.name ?? ""))
        }
        try await change.lockHeads(of: conversations)
        try await store(messages, ids.mapValues(\.id), in: change)
    }

    /// Stores messages, except those that are stored already, and publishes them after the commit. The heads of their
    /// conversations are locked.
    func store(_ messages: [SystemMessage], _ ids: [ConversationNumber: String], in change: Change) async throws {
        guard !messages.isEmpty else { return }
        let now = clock.now
        let outcomes = try await change.query(
            MessagingStore.sendBatch,
            [
                .int32(Int32(change.lane)), .number(now), .numbers(messages.map(\.conversation)),
                .int64s(messages.map { _ in 0 }), .uuids(messages.map(\.id)),
                .int16s(messages.map { _ in Int16(MessageKind.system.rawValue) }), .texts(messages.map { _ in "" }),
                .optionalBytesArray(messages.map { $0.note.encode() }),
            ] + MessagingStore.more([]).dropFirst())
        var stored: [(message: SystemMessage, outcome: SendOutcome, number: Int64, audience: Audience)] = []
        // The audience comes with the first message of each conversation.
        var audiences: [ConversationNumber: Audience] = [:]
        for outcome in outcomes.sorted(by: { $0.number < $1.number }) {
            let message = messages[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[message.conversation] = audience }
                stored.append((message, outcome, number, audiences[message.conversation] ?? []))
            case .duplicate: break
            case .notLocked: throw Refusal.conversationBusy
            case .refused(let refusal): throw DatabaseError.unexpected("a system message was refused: \(refusal)")
            }
        }
        let lane = change.lane
        change.afterCommit { [publisher] in
            for (message, outcome, number, audience) in stored {
                let message = Message(
                    conversation: ids[message.conversation] ?? "", seq: outcome.seq.rawValue, id: message.id,
                    kind: .system,
                    sentAtUs: outcome.sentAt.rawValue, position: outcome.position.rawValue, system: message.note)
                publisher.publish(
                    UpdateHeader(
                        lane: UInt32(lane), number: number,
                        stream: Message.stream(of: message.conversation), position: message.position,
                        kind: Message.messageName, class: .durable, audience: audience.rawValues), message.encode())
            }
        }
    }
}

extension Change {
    /// The ids of conversations, with the current names of groups.
    func conversationIDs(
        of conversations: [ConversationNumber]
    ) async throws -> [ConversationNumber: (id: String, name: String)] {
        Dictionary(uniqueKeysWithValues: try await query(MessagingStore.conversationIDs, .numbers(conversations)))
    }

    /// The user ids of accounts.
    func userIDs(of accounts: [AccountNumber]) async throws -> [AccountNumber: String] {
        Dictionary(uniqueKeysWithValues: try await query(MessagingStore.userIDs, .numbers(Set(accounts).sorted())))
    }
}
