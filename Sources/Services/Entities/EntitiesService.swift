import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns the entities that people create in or beside conversations: reminders, decisions and events, and suggests them.
///
/// Streams: `entities/u/USER`, with Updates of kinds `Reminder`, `Decision`, `Event` and `Suggestion`. Its scheduler
/// fires what is due. Reads the published views of conversations, follows who leaves them, and reads
/// `messaging.readable`: who may read the message by which an entity appears in a conversation may read the entity.
/// Follows messaging, and reads what new messages say. Publishes the views
/// `entities.published_cards` and `entities.journal`, by which messaging writes these messages.
@ReactorActor
public final class EntitiesService: ParleyService {
    public nonisolated static let name = "entities"
    public nonisolated static let reads = [
        "conversations.access(takes_part)", "conversations.conversation_ids(member_count)", "conversations.account_ids",
        "conversations.blocked", "conversations.erased", "conversations.journal", "conversations.lanes",
        "messaging.readable(edited_at)",
        "messaging.journal", "messaging.lanes",
    ]

    public nonisolated static let hears = ["messaging"]

    public nonisolated static var settings: [Setting] {
        [
            .limit(
                "limits.open-reminders", 1...1_000_000,
                Limit(10_000, "open reminders", per: "account", beyond: .refused(.tooManyReminders))),
            .limit(
                "limits.decisions", 1...1_000_000,
                Limit(10_000, "decisions", per: "account", beyond: .refused(.tooManyDecisions))),
            .limit(
                "limits.events", 1...1_000_000,
                Limit(10_000, "events", per: "account", beyond: .refused(.tooManyEvents))),
            Setting(
                "events.remind-minutes", .integer(0...40_320), default: "30",
                "how long before an event its people are reminded unless they choose"),
            .limit(
                "limits.entity-changes-per-minute", 1...1_000_000,
                Limit(120, "entities created and changed in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.reading-ms-per-minute", 1...60_000,
                Limit(
                    1000, "milliseconds of a processor for reading messages in a minute", per: "sender",
                    beyond: .words("their messages suggest nothing"))),
            Setting(
                "extraction", .choice(["off", "rules", "model"]), default: "rules",
                "how messages become suggestions: by the rules for English, also by a model where people allow it, or "
                    + "not at all"),
            TimeZones.setting,
        ] + DeliveryLimit.settings(for: "entities") + ModelReader.settings
    }

    public nonisolated static var fixedLimits: [Limit] {
        [
            Limit(
                EntitiesService.conversationsMax, "conversations", per: "event",
                beyond: .refused(.tooManyConversations)),
            Limit(EntitiesService.hostsMax, "co-hosts", per: "event", beyond: .refused(.tooManyHosts)),
            Limit(EntitiesService.attendeesMax, "answers", per: "event", beyond: .refused(.tooManyAttendees)),
            Limit(EventSchedule.changesMax, "changed dates", per: "event", beyond: .refused(.invalid)),
            Limit(
                EntitiesService.openSuggestionsMax, "open suggestions", per: "account",
                beyond: .words("the oldest of whoever made most gives way")),
            Limit(
                SuggestionRules.ofMessageMax, "suggestions", per: "message and person",
                beyond: .words("no more are made")),
            Limit(
                EntitiesService.offMax, "conversations with suggestions off", per: "account",
                beyond: .refused(.invalid)),
            Limit(
                EntitiesService.modelSaidMax, "conversations with something said about reading by a model",
                per: "account", beyond: .refused(.invalid)),
            Limit(
                EntitiesService.fetchesMax, "times in an hour that a calendar is fetched", per: "account",
                beyond: .words("429, with Retry-After")),
            Limit(
                EntitiesService.calendarBytesMax, "bytes", per: "calendar",
                beyond: .words("later events are left out")),
            Limit(
                EntitiesService.feedMax, "events", per: "calendar link",
                beyond: .words("the oldest of whoever made most are left out")),
        ] + ExpensiveRequests.limits
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext
    let zones: TimeZones
    let remindersMax: Int64
    let decisionsMax: Int64
    let eventsMax: Int64
    /// How long before an event its people are reminded unless they choose.
    let remindMinutes: Int32
    /// Whether messages become suggestions.
    let isExtracting: Bool
    private var changes: RateLimiter<AccountNumber>
    let delivery: DeliveryLimit
    private(set) lazy var scheduler = Scheduler(
        context,
        [
            Scheduler.Task(next: RemindersStore.next, fire: { [unowned self] in try await fireReminders($0, $1) }),
            Scheduler.Task(
                next: EventsStore.nextReminder, fire: { [unowned self] in try await remindOfEvents($0, $1) }),
            Scheduler.Task(next: EventsStore.nextErased, fire: { [unowned self] in try await removeErased($0, $1) }),
            Scheduler.Task(
                next: SuggestionsStore.nextExpiry, fire: { [unowned self] in try await expireSuggestions($0, $1) }),
        ])
    /// Follows who leaves conversations and who blocks whom.
    private lazy var leaving = JournalFollower(
        context, follows: "conversations",
        kinds: [
            ConversationsKind.left.number, ConversationsKind.removed.number, ConversationsKind.block.number,
        ]
    ) { [unowned self] in try await followLeaving($0, $1) }
    /// Follows messages.
    private lazy var messages = JournalFollower(
        context, follows: "messaging", kinds: Self.followedOfMessages, batchMax: 500,
        hearing: context.subscribers["messaging"].map { subscriber in
            JournalHearing(subscriber, kinds: Self.judgedKinds, log: context.log) { [unowned self] in
                try await judge($0)
            }
        }
    ) { [unowned self] in try await followMessages($0, $1) }
    /// Follows the rules of time zones.
    let rulesWorker: Worker
    /// Tells everyone the counts of events after answers.
    let countsWorker: Worker
    /// The reminders that are due, when many are.
    var dueInTurns = DueInTurns(at: .now)
    /// Calendars that are being sent.
    var calendars = KeptCalendars()
    /// Expands recurring events.
    let listPool = WorkPool(threads: 1)
    /// Reads messages.
    let extractPool = WorkPool(threads: 1)
    /// What reading each sender's messages may take in a minute, in milliseconds, and what is left, in microseconds.
    let readingMilliseconds: Int
    var reading: RateLimiter<AccountNumber>
    /// The same for messages as they are heard, by the id of their sender.
    var glancing: RateLimiter<String>
    /// The last texts that were heard.
    var recentTalk = RecentTalk()
    /// Reads messages by a model; nil unless the operator has configured one.
    let modelReader: ModelReader?

    public init(_ context: ServiceContext) {
        self.context = context
        zones = TimeZones(folder: context.settings.text("time-zones.folder"))
        remindersMax = Int64(context.settings.integer("limits.open-reminders"))
        decisionsMax = Int64(context.settings.integer("limits.decisions"))
        eventsMax = Int64(context.settings.integer("limits.events"))
        remindMinutes = Int32(context.settings.integer("events.remind-minutes"))
        isExtracting = context.settings.text("extraction") != "off"
        readingMilliseconds = context.settings.integer("limits.reading-ms-per-minute")
        reading = RateLimiter(RateLimit(perMinute: readingMilliseconds * 1000))
        glancing = RateLimiter(RateLimit(perMinute: readingMilliseconds * 1000))
        modelReader = ModelReader(context)
        changes = RateLimiter(RateLimit(perMinute: context.settings.integer("limits.entity-changes-per-minute")))
        delivery = DeliveryLimit(context.settings)
        countsWorker = Worker(
            every: Self.countsLook, log: context.log, failed: "the counts of events cannot be told for now")
        rulesWorker = Worker(
            every: .seconds(3600), log: context.log, failed: "the rules of time zones cannot be followed for now")
    }

    public func register(in routes: inout Routes) {
        routes.on(EntitiesMethods.createReminder, createReminder)
        routes.on(EntitiesMethods.getReminder, getReminder)
        routes.on(EntitiesMethods.updateReminder, updateReminder)
        routes.on(EntitiesMethods.snoozeReminder, snoozeReminder)
        routes.on(EntitiesMethods.completeReminder, completeReminder)
        routes.on(EntitiesMethods.deleteReminder, deleteReminder)
        routes.on(EntitiesMethods.listReminders, listReminders)
        routes.on(EntitiesMethods.createDecision, createDecision)
        routes.on(EntitiesMethods.getDecision, getDecision)
        routes.on(EntitiesMethods.deleteDecision, deleteDecision)
        routes.on(EntitiesMethods.listDecisions, listDecisions)
        routes.on(EntitiesMethods.createEvent, createEvent)
        routes.on(EntitiesMethods.getEvent, getEvent)
        routes.on(EntitiesMethods.updateEvent, updateEvent)
        routes.on(EntitiesMethods.cancelEvent, cancelEvent)
        routes.on(EntitiesMethods.deleteEvent, deleteEvent)
        routes.on(EntitiesMethods.inviteConversation, inviteConversation)
        routes.on(EntitiesMethods.uninviteConversation, uninviteConversation)
        routes.on(EntitiesMethods.setEventHost, setEventHost)
        routes.on(EntitiesMethods.answerEvent, answerEvent)
        routes.on(EntitiesMethods.listAttendees, listAttendees)
        routes.on(EntitiesMethods.listEvents, listEvents)
        routes.on(EntitiesMethods.exportEvent, exportEvent)
        routes.on(EntitiesMethods.createCalendarLink, createCalendarLink)
        routes.on(EntitiesMethods.deleteCalendarLink, deleteCalendarLink)
        routes.on(EntitiesMethods.listSuggestions, listSuggestions)
        routes.on(EntitiesMethods.acceptSuggestion, acceptSuggestion)
        routes.on(EntitiesMethods.dismissSuggestion, dismissSuggestion)
        routes.on(EntitiesMethods.getSuggestionSettings, getSuggestionSettings)
        routes.on(EntitiesMethods.updateSuggestionSettings, updateSuggestionSettings)
        routes.on(EntitiesMethods.getModelReading, getModelReading)
        routes.on(EntitiesMethods.updateModelReading, updateModelReading)
        routes.on(Self.calendarRoute, calendar)
        routes.on(EntitiesMethods.sync, sync)
    }

    /// What ``sync`` returns.
    static let synced = [
        SyncedKind(RemindersStore.changed, in: \.reminders, at: \.position),
        SyncedKind(DecisionsStore.changed, in: \.decisions, at: \.position),
        SyncedKind(EventsStore.changed, in: \.events, at: \.position),
        SyncedKind(SuggestionsStore.changed, in: \.suggestions, at: \.position),
    ]

    public func register(in states: inout States<EntitiesKind>) {
        states.on(.reminder, current: RemindersStore.current, erase: [RemindersStore.erase])
        states.on(.decision, current: DecisionsStore.current, erase: [DecisionsStore.erase])
        states.on(.event, current: EventsStore.current, erase: [EventsStore.erase, EventsStore.eraseRemoved])
        states.on(.eventCounts, current: EventsStore.currentCounts)
        states.on(
            .suggestion, current: SuggestionsStore.current, erase: [SuggestionsStore.erase, SuggestionsStore.eraseOff])
        states.notes(.card)
        states.erase(ModelStore.eraseConsents, ModelStore.eraseKeptOut)
        states.erase(CalendarStore.erase, EntitiesStore.eraseHead)
    }

    public func start() async throws {
        try modelReader?.check()
        try zones.load()
        try await scheduler.start()
        try await leaving.start()
        try await messages.start()
        modelReader?.start { [weak self] in try await self?.readByModel($0) }
        rulesWorker.start { [weak self] in try await self?.followRules() }
        countsWorker.start { [weak self] in try await self?.tellDueCounts() }
    }

    public func stop() async {
        await modelReader?.stop()
        await countsWorker.stop()
        await rulesWorker.stop()
        await messages.stop()
        await leaving.stop()
        await scheduler.stop()
    }

    // MARK: What all entities share

    /// Counts a change that the caller is about to make.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit.
    func allowChange(by caller: Caller) throws(Refusal) {
        try delivery.require(for: caller.account)
        try changes.take(caller.account)
    }

    /// Runs a change that the caller was allowed, and counts the bytes that go out for it.
    func change<T: Sendable>(
        by caller: Caller, _ body: @escaping @ReactorActor (Change) async throws -> T
    ) async throws -> T {
        try await context.journal.change { [delivery] change in
            let value = try await body(change)
            let bytes = change.deliveredBytes
            change.afterCommit { delivery.delivered(for: caller.account, bytes: bytes) }
            return value
        }
    }

    /// Returns the number of the caller's conversation, or nil if `text` is empty.
    /// - Throws: ``Refusal`` `not_member`, also if the conversation does not exist.
    func conversationNumber(_ text: String, of caller: Caller) async throws -> ConversationNumber? {
        guard !text.isEmpty else { return nil }
        let number = try await context.database.first(
            EntitiesStore.memberConversation, .text(text), .number(caller.account))
        guard let number else { throw Refusal.notMember }
        return number
    }

    /// Locks the heads of people's streams until the end of the transaction, and returns their positions.
    func heads(of accounts: [AccountNumber], in change: Change) async throws -> [AccountNumber: Position] {
        let locked = try await change.query(EntitiesStore.lockHeads, .numbers(Set(accounts).sorted()))
        return Dictionary(uniqueKeysWithValues: locked.map { ($0.account, $0.position) })
    }

    /// Locks the head of one person's stream, and returns its position.
    func head(of account: AccountNumber, in change: Change) async throws -> Position {
        guard let head = try await heads(of: [account], in: change)[account] else {
            throw DatabaseError.unexpected("the account has no head")
        }
        return head
    }
}
