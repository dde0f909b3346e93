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
    var conversation: Int64
    var actor: Int64
    var accounts: [Int64]

    /// The maximum number of accounts in a ``SystemNote``.
    static let accountsMax = 64

    /// Returns the notes of entries of one lane, in order. Entries of one change, such as several members added
    /// together, form one note. Entries of other kinds are skipped.
    static func notes(of entries: [JournalEntry]) -> [MemberNote] {
        var notes: [MemberNote] = []
        var next: Int64?
        for entry in entries {
            guard let kind = kind(of: entry.kind), let actor = entry.audience.first else { continue }
            defer { next = entry.number + 1 }
            if isOfSeveral(kind), let last = notes.last, next == entry.number, last.lane == entry.lane,
                last.kind == kind,
                last.conversation == entry.subject, last.actor == actor, last.accounts.count < accountsMax
            {
                notes[notes.count - 1].accounts.append(entry.object)
            } else {
                notes.append(
                    MemberNote(
                        lane: entry.lane, number: entry.number, kind: kind, conversation: entry.subject, actor: actor,
                        accounts: entry.object == 0 ? [] : [entry.object]))
            }
        }
        return notes
    }

    private static func kind(of journalKind: Int16) -> SystemNoteKind? {
        switch journalKind {
        case 3: .membersJoined
        case 4: .memberLeft
        case 5: .memberRemoved
        case 9: .groupRenamed
        case 10: .groupPhotoChanged
        case 11: .ownerChanged
        case 12: .adminAdded
        case 13: .adminRemoved
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
    func note(_ users: [Int64: String], name: String) -> SystemNote {
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
            uniqueKeysWithValues: try await change.query(MessagingStore.conversationIDs, .int64s(conversations)))
        let accounts = Set(notes.flatMap { $0.accounts + [$0.actor] }).sorted()
        let users = Dictionary(uniqueKeysWithValues: try await change.query(MessagingStore.userIDs, .int64s(accounts)))
        let content = { (note: MemberNote) in note.note(users, name: ids[note.conversation]?.name ?? "") }
        try await lock(conversations, in: change)
        let now = clock.now
        let outcomes = try await change.query(
            MessagingStore.sendBatch,
            [
                .int32(Int32(change.lane)), .int64(now), .int64s(notes.map(\.conversation)),
                .int64s(notes.map { _ in 0 }), .uuids(notes.map(\.id)),
                .int16s(notes.map { _ in Int16(MessageKind.system.rawValue) }), .texts(notes.map { _ in "" }),
                .optionalBytesArray(notes.map { content($0).encode() }),
            ] + MessagingStore.more([]).dropFirst())
        var stored: [(note: MemberNote, outcome: SendOutcome, number: Int64, audience: [Int64])] = []
        // The audience comes with the first message of each conversation.
        var audiences: [Int64: [Int64]] = [:]
        for outcome in outcomes.sorted(by: { $0.number < $1.number }) {
            let note = notes[outcome.ordinal - 1]
            switch outcome.result {
            case .accepted(let number, let audience):
                if let audience { audiences[note.conversation] = audience }
                stored.append((note, outcome, number, audiences[note.conversation] ?? []))
            case .duplicate: break
            case .notLocked: throw Self.conversationBusy
            case .refused(let refusal): throw DatabaseError.unexpected("a system message was refused: \(refusal)")
            }
        }
        let lane = change.lane
        change.afterCommit { [publisher] in
            for (note, outcome, number, audience) in stored {
                let message = Message(
                    conversation: ids[note.conversation]?.id ?? "", seq: outcome.seq, id: note.id, kind: .system,
                    sentAtUs: outcome.sentAt, position: outcome.position, system: content(note))
                publisher.publish(
                    UpdateHeader(
                        lane: UInt32(lane), number: number,
                        stream: MessagingStream.conversation(named: message.conversation), position: outcome.position,
                        kind: Message.messageName, class: .durable, audience: audience), message.encode())
            }
        }
    }

    /// Waits for the locks of the heads. In a busy conversation a batch nearly always holds one, but batches skip a
    /// head that another transaction waits for.
    private func lock(_ conversations: [Int64], in change: Change) async throws {
        do {
            _ = try await change.query(MessagingStore.lockHeads, .int64s(conversations))
        } catch DatabaseError.failed(let state, _, _, _) where state == "55P03" {
            throw Self.conversationBusy
        }
    }

    private static let conversationBusy = Refusal.unavailable(
        "The conversation is busy. Try again shortly.", retryAfter: .milliseconds(50))
}
