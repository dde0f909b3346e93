import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns what was said: messages, and each person's place in each conversation.
///
/// Streams: `messaging/c/CONVERSATION`, with Updates of kind `Message`. Reads conversations' published views, and follows
/// its journal: who comes and goes is said in the conversation. Publishes the views `messaging.readable` and
/// `messaging.journal`.
@ReactorActor
public final class MessagingService: ParleyService {
    public nonisolated static let name = "messaging"
    public nonisolated static let reads = [
        "conversations.access(place)", "conversations.conversation_ids(name)", "conversations.account_ids",
        "conversations.journal", "conversations.lanes", "conversations.erased",
    ]

    public nonisolated static var settings: [Setting] {
        [Setting("limits.text-bytes", .integer(1...16384), default: "16384", "longest message text")]
    }

    public nonisolated static var migrations: [Migration] {
        [
            Migration(
                number: 1, name: "messages", sql: String(decoding: PackageResources._001_messages_sql, as: UTF8.self)),
            Migration(
                number: 2, name: "windows_and_notes",
                sql: String(decoding: PackageResources._002_windows_and_notes_sql, as: UTF8.self)),
            Migration(
                number: 3, name: "journal_by_the_databases_clock",
                sql: String(decoding: PackageResources._003_journal_by_the_databases_clock_sql, as: UTF8.self)),
            Migration(
                number: 4, name: "requests_and_erasure",
                sql: String(decoding: PackageResources._004_requests_and_erasure_sql, as: UTF8.self)),
        ]
    }

    let context: ServiceContext
    let directory: ConversationDirectory
    let textBytesMost: Int
    private let lanes: [SendLane]
    private let notes: JournalFollower
    private let erasure: ErasureSweep

    public init(_ context: ServiceContext) {
        self.context = context
        textBytesMost = context.settings.integer("limits.text-bytes")
        directory = ConversationDirectory(database: context.database)
        lanes = context.journal.lanes.enumerated().map { index, holder in
            SendLane(
                holder: holder, index: index, publisher: context.publisher, clock: context.clock, log: context.log)
        }
        let writer = NoteWriter(publisher: context.publisher, clock: context.clock)
        notes = JournalFollower(context, follows: "conversations") { entries, change in
            try await writer.write(entries, in: change)
        }
        erasure = ErasureSweep(context, steps: MessagingStore.erasure, unless: MessagingStore.isReader)
    }

    public func register(in routes: inout Routes) {
        routes.on(MessagingMethods.send, answering: send)
        routes.on(MessagingMethods.history, history)
        routes.on(MessagingMethods.changes, changes)
        routes.on(MessagingMethods.sync, sync)
        routes.on(MessagingMethods.inbox, inbox)
    }

    /// The lane that a conversation's messages take.
    func lane(for conversation: Int64) -> SendLane {
        // Fibonacci hashing: numbers given out one after the other spread evenly.
        let mixed = UInt64(bitPattern: conversation) &* 0x9E37_79B9_7F4A_7C15
        return lanes[Int((mixed >> 32) % UInt64(lanes.count))]
    }

    /// The number that no conversation has. What is asked of one that is not there is asked of it, so that it takes the
    /// same steps as with one that is not the caller's.
    nonisolated static let nowhere: Int64 = 0

    public func start() async throws {
        try await notes.start()
        erasure.start()
    }

    public func stop() async {
        await erasure.stop()
        await notes.stop()
        let deadline = ContinuousClock.now + .seconds(2)
        while lanes.contains(where: { $0.count > 0 }), !Task.isCancelled, ContinuousClock.now < deadline {
            try? await Reactor.shared.sleep(for: .milliseconds(5))
        }
    }
}
