import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns messages, and each person's own state of conversations and messages.
///
/// Streams: `messaging/c/CONVERSATION` for messages, reactions and receipts, and `messaging/u/USER` for a person's own
/// state. Reads conversations' published views, and follows its journal to write system messages about changes of a
/// group and its members. It follows the journal of entities, too, for entities that appear in conversations. Publishes
/// the views `messaging.readable` and `messaging.journal`.
@ReactorActor
public final class MessagingService: ParleyService {
    public nonisolated static let name = "messaging"
    public nonisolated static let isHeardBy = ["entities", "notifications"]
    public nonisolated static let reads = [
        "conversations.blocked",
        "conversations.access(is_shown)", "conversations.conversation_ids(name)", "conversations.account_ids",
        "conversations.journal", "conversations.lanes", "conversations.erased", "conversations.suspended",
    ]

    public nonisolated static var settings: [Setting] {
        [
            .limit(
                "limits.text-bytes", 1...16384,
                Limit(16384, "bytes of text", per: "message", beyond: .refused(.tooLarge))),
            .limit(
                "limits.edit-window-hours", 0...87600,
                Limit(
                    24, "hours in which it can be edited", per: "message", beyond: .refused(.editWindowClosed))),
            .limit(
                "limits.pinned", 1...100,
                Limit(50, "pinned conversations", per: "account", beyond: .refused(.tooManyPinned))),
            .limit(
                "limits.starred", 1...1_000_000,
                Limit(10_000, "starred messages", per: "account", beyond: .refused(.tooManyStarred))),
            .limit(
                "limits.reactions", 1...32,
                Limit(32, "different emoji", per: "message", beyond: .refused(.tooManyReactions))),
        ] + SendingLimits.settings + Files.settings
    }

    public nonisolated static var fixedLimits: [Limit] {
        [
            Limit(
                BatchLaneLimits.waitingMax, "messages, reactions or marks that wait",
                per: "lane of a replica", beyond: .wait),
            Limit(
                ActionsStore.revisionsMax, "revisions", per: "message", beyond: .words("the oldest are forgotten")),
            Limit(SearchQuery.termsMax, "words", per: "search", beyond: .words("the others are ignored")),
            Limit(ZipRules(unpackedMax: 0).ratioMax, "times its size", per: "archive, unpacked", beyond: .words("413")),
            Limit(ZipRules(unpackedMax: 0).entriesMax, "entries", per: "archive", beyond: .words("413")),
        ] + ExpensiveRequests.limits
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext
    let directory: ConversationDirectory
    let files: Files
    let limits: SendingLimits
    let textBytesMax: Int
    /// How long after sending a message can be edited.
    let editWindow: Duration
    let pinnedMax: Int64
    let starredMax: Int64
    let sends: BatchLanes<PendingMessage, SendMessageReply>
    let reactions: BatchLanes<PendingReaction, UpdateReactionReply>
    /// The lanes of changes that wait for a conversation's lock. Sends use other lanes and never wait behind them.
    let changeJournal: Journal
    let marks: BatchLanes<PendingMark, InboxState?>
    private let readCounts: ReadCounts
    private let notes: JournalFollower
    /// Follows entities that appear in conversations. It waits for the journal of entities if that does not exist yet.
    private let cards: JournalFollower
    private let index: SearchIndex
    private let retention: RetentionSweep

    public init(_ context: ServiceContext) {
        self.context = context
        textBytesMax = context.settings.integer("limits.text-bytes")
        pinnedMax = Int64(context.settings.integer("limits.pinned"))
        starredMax = Int64(context.settings.integer("limits.starred"))
        editWindow = .seconds(context.settings.integer("limits.edit-window-hours") * 3600)
        changeJournal = context.newJournal(2)
        directory = ConversationDirectory(database: context.database)
        files = Files(context)
        limits = SendingLimits(context)
        sends = BatchLanes(
            "send", context,
            unfit: .invalid("text", "must not have characters that the server cannot store"),
            commit: SendBatch(publisher: context.publisher, clock: context.clock, sent: limits.sent).commit)
        reactions = BatchLanes(
            "react", context,
            unfit: .invalid("emoji", "must not have characters that the server cannot store"),
            commit: ReactBatch(
                publisher: context.publisher, clock: context.clock,
                emojiMax: context.settings.integer("limits.reactions")
            ).commit)
        readCounts = ReadCounts(database: context.database, publisher: context.publisher, log: context.log)
        marks = BatchLanes(
            "mark", context,
            unfit: .invalid("marks", "must have conversations and seqs that the server can store"),
            commit: MarkBatch(publisher: context.publisher, clock: context.clock, readCounts: readCounts).commit)
        let writer = NoteWriter(publisher: context.publisher, clock: context.clock)
        notes = JournalFollower(context, follows: "conversations") { entries, change in
            try await writer.write(entries, in: change)
        }
        let cardWriter = CardWriter(notes: writer)
        cards = JournalFollower(context, follows: "entities", kinds: [EntitiesKind.card.number]) { entries, change in
            try await cardWriter.write(entries, in: change)
        }
        index = SearchIndex(context) { [sends] in sends.count > 0 }
        retention = RetentionSweep(
            database: context.database, journal: changeJournal, clock: context.clock, log: context.log)
    }

    public func register(in routes: inout Routes) {
        routes.tellClients(textBytes: textBytesMax)
        routes.on(MessagingMethods.sendMessage, answering: sendMessage)
        routes.on(MessagingMethods.getHistory, getHistory)
        routes.on(MessagingMethods.getChanges, getChanges)
        routes.on(MessagingMethods.sync, sync)
        routes.on(MessagingMethods.createAttachment, createAttachment)
        routes.on(MessagingMethods.getAttachment, getAttachment)
        routes.on(MessagingMethods.listAttachments, listAttachments)
        let fileRoute = FileRoute(files: files)
        routes.on(fileRoute.route, fileRoute.answer)
        routes.on(MessagingMethods.getInbox, getInbox)
        routes.on(MessagingMethods.searchMessages, searchMessages)
        routes.on(MessagingMethods.editMessage, editMessage)
        routes.on(MessagingMethods.deleteMessage, deleteMessage)
        routes.on(MessagingMethods.listRevisions, listRevisions)
        routes.on(MessagingMethods.updateReaction, updateReaction)
        routes.on(MessagingMethods.listReactions, listReactions)
        routes.on(MessagingMethods.getThread, getThread)
        routes.on(MessagingMethods.setRetention, setRetention)
        routes.on(MessagingMethods.updateMarks, answering: updateMarks)
        routes.on(MessagingMethods.listReceipts, listReceipts)
        routes.on(MessagingMethods.listReaders, listReaders)
        routes.on(MessagingMethods.updateInboxState, updateInboxState)
        routes.on(MessagingMethods.clearConversation, clearConversation)
        routes.on(MessagingMethods.updateMessageState, updateMessageState)
        routes.on(MessagingMethods.listMentionsAndStars, listMentionsAndStars)
        routes.on(MessagingMethods.getBadge, getBadge)
        routes.on(MessagingMethods.getUsage, getUsage)
    }

    public func register(in states: inout States<MessagingKind>) {
        states.on(.message, .requestMessage, current: currentMessages)
        states.on(.reactions, current: currentReactions)
        states.on(.inboxState, current: currentInboxStates, erase: [InboxStore.erase])
        states.on(.messageState, current: OwnStateStore.currentMessageStates, erase: [OwnStateStore.erase])
        states.on(.notShown, replay: replayNotShown)
        states.erase(
            MessagingStore.eraseMentions, ReceiptsStore.eraseReceipts, ReceiptsStore.eraseReads,
            MessagingStore.eraseHead, UsageStore.erase)
        states.mayGrow = MessagingStore.isReader
    }

    public func start() async throws {
        try await changeJournal.start()
        try await notes.start()
        try await cards.start()
        try await index.start()
        try await files.start()
        limits.start()
        retention.start()
    }

    public func stop() async {
        await retention.stop()
        await files.stop()
        await index.stop()
        await cards.stop()
        await notes.stop()
        readCounts.stop()
        let deadline = ContinuousClock.now + .seconds(2)
        await sends.finish(by: deadline)
        await marks.finish(by: deadline)
        await reactions.finish(by: deadline)
        await limits.stop()
        changeJournal.close()
    }
}
