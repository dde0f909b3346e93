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
        let ids = Dictionary(
            uniqueKeysWithValues: try await change.query(MessagingStore.conversationIDs, .numbers(conversations)))
        let accounts = Set(notes.flatMap { $0.accounts + [$0.actor] }).sorted()
        let users = Dictionary(uniqueKeysWithValues: try await change.query(MessagingStore.userIDs, .numbers(accounts)))
        let content = { (note: MemberNote) in note.note(users, name: ids[note.conversation]?.name ?? "") }
        try await change.lockHeads(of: conversations)
        let now = clock.now
        let outcomes = try await change.query(
            MessagingStore.sendBatch,
            [
                .int32(Int32(change.lane)), .number(now), .numbers(notes.map(\.conversation)),
                .int64s(notes.map { _ in 0 }), .uuids(notes.map(\.id)),
                .int16s(notes.map { _ in Int16(MessageKind.system.rawValue) }), .texts(notes.map { _ in "" }),
                .optionalBytesArray(notes.map { content($0).encode() }),
            ] + MessagingStore.more([]).dropFirst())
        var stored: [(note: MemberNote, outcome: SendOutcome, number: Int64, audience: Audience)] = []
        // The audience comes with the first message of each conversation.
        var audiences: [ConversationNumber: Audience] = [:]
        for outcome in outcomes.sorted(by: { $0.number < $1.number }) {
            let note = notes[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[note.conversation] = audience }
                stored.append((note, outcome, number, audiences[note.conversation] ?? []))
            case .duplicate: break
            case .notLocked: throw Refusal.conversationBusy
            case .refused(let refusal): throw DatabaseError.unexpected("a system message was refused: \(refusal)")
            }
        }
        let lane = change.lane
        change.afterCommit { [publisher] in
            for (note, outcome, number, audience) in stored {
                let message = Message(
                    conversation: ids[note.conversation]?.id ?? "", seq: outcome.seq.rawValue, id: note.id,
                    kind: .system,
                    sentAtUs: outcome.sentAt.rawValue, position: outcome.position.rawValue, system: content(note))
                publisher.publish(
                    UpdateHeader(
                        lane: UInt32(lane), number: number,
                        stream: Message.stream(of: message.conversation), position: message.position,
                        kind: Message.messageName, class: .durable, audience: audience.rawValues), message.encode())
            }
        }
    }
}
