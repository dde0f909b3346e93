import Logging
import Metrics
import Postgres
import PushSenders
import Reactor
import Schema
import ServiceKit
import Wire

/// Tells devices on which the app is not open what happened, by the push services of Apple and Google and by Web Push.
///
/// No service waits for it, and it calls none: it follows the journals of conversations, messaging and entities, and
/// who has the app in the foreground (``Foregrounds``), and reads the views that decide who is told of what
/// (``PushRules``). A decision and the rows of the queue that follow from it commit together with the follower's
/// cursor. Rows are decided again when they are sent, and have the ids under which they are sent, each time.
///
/// Stream, without positions: `notifications/u/USER`, of kind `PushSettings` to the person's own devices.
@ReactorActor
public final class NotificationsService: ParleyService {
    public nonisolated static let name = "notifications"
    public nonisolated static let reads = [
        "conversations.conversation_ids(name)", "conversations.account_ids", "conversations.blocked",
        "conversations.erased", "conversations.titles", "conversations.asked", "conversations.signed_in",
        "conversations.access(is_reader)",
        "conversations.journal", "conversations.lanes", "messaging.readable(edited_at)", "messaging.standings",
        "messaging.reacted", "messaging.journal", "messaging.lanes", "presence.undisturbed",
        "entities.fired_reminders", "entities.attended_events", "entities.shared_entities", "entities.journal",
        "entities.lanes",
    ]
    public nonisolated static let lanes = 0
    public nonisolated static let hears = ["messaging"]

    public nonisolated static var settings: [Setting] {
        [
            Setting(
                "presence.requests", .endpoints,
                "where presence answers who uses the app; empty: everybody counts as away"),
            Setting(
                "presence.followers", .endpoints,
                "where presence tells who uses the app, in the order of presence.requests"),
            Setting("follower.key", .key, "secret key of the role follower, for the links to presence"),
            .limit(
                "limits.push-devices", 1...100,
                Limit(
                    20, "devices registered for pushes", per: "account",
                    beyond: .words("the one registered longest ago is forgotten"))),
            .limit(
                "limits.queued-pushes", 1...10_000,
                Limit(100, "pushes that wait", per: "device", beyond: .words("the oldest are dropped"))),
            .limit(
                "limits.push-changes-per-minute", 1...1_000_000,
                Limit(60, "registrations, tests and changes of settings in a minute", per: "account", beyond: .wait)),
            Setting(
                "push.content", .choice(["full", "names", "none", "encrypted"]), default: "full",
                "what a push may say at most: the text, who wrote and where, or that there is something new; "
                    + "encrypted: the text, to devices that alone can read it, and nothing to others"),
            TimeZones.setting,
        ] + ConfiguredSenders.settings
    }

    public nonisolated static var fixedLimits: [Limit] {
        [
            Limit(
                NotificationsService.levelsMax, "conversations with a level of their own", per: "account",
                beyond: .refused(.invalid)),
            Limit(QuietHoursOfWeek.hoursMax, "quiet hours", per: "account", beyond: .refused(.invalid)),
            Limit(
                NotificationsService.underWayMax, "pushes under way", per: "replica",
                beyond: .words("the others wait")),
        ]
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext
    let zones: TimeZones
    let devicesMax: Int
    let queuedMax: Int
    /// What a push may say at most.
    let contentAllowed: PushContent
    /// Whether more is said to devices that alone can read it.
    let saysOnlyEncrypted: Bool
    /// For what requests change.
    let journal: Journal
    let foreground: Foregrounds
    var registry = Registry()
    var recent = RecentlyInFront()
    /// Nil: before the start.
    private(set) var senders: ConfiguredSenders?
    var underWay = 0
    /// What was sent, until that is stored.
    var ended: [EndedNotice] = []
    var refusedLine = LogThrottle(every: .seconds(10))
    var failedLine = LogThrottle(every: .seconds(10))
    let people = Gauge(label: "parley_push_people")
    let waiting = Gauge(label: "parley_push_waiting")
    let inFront = Gauge(label: "parley_push_in_front")
    private var changes: RateLimiter<AccountNumber>
    private let registryWorker: Worker
    private let sweepWorker: Worker
    let finishWorker: Worker
    private(set) lazy var scheduler = Scheduler(
        context, batchMax: 200,
        [Scheduler.Task(next: QueueStore.next, fire: { [unowned self] in try await takeDue($0, $1) })])
    private lazy var messages = JournalFollower(
        context, follows: "messaging", kinds: Self.followedOfMessages, batchMax: 500,
        hearing: context.subscribers["messaging"].map { subscriber in
            JournalHearing(subscriber, kinds: Self.judgedKinds, hearsAudience: true, log: context.log) {
                [unowned self] in try judge($0)
            }
        }
    ) { [unowned self] in try await followMessages($0, $1) }
    private lazy var requests = JournalFollower(context, follows: "conversations", kinds: Self.followedOfPeople) {
        [unowned self] in try await followPeople($0, $1)
    }
    private lazy var entities = JournalFollower(context, follows: "entities", kinds: Self.followedOfEntities) {
        [unowned self] in try await followEntities($0, $1)
    }

    public init(_ context: ServiceContext) {
        self.context = context
        let settings = context.settings
        zones = TimeZones(folder: settings.text("time-zones.folder"))
        devicesMax = settings.integer("limits.push-devices")
        queuedMax = settings.integer("limits.queued-pushes")
        contentAllowed =
            switch settings.text("push.content") {
            case "names": .namesOnly
            case "none": .noContent
            default: .fullText
            }
        saysOnlyEncrypted = settings.text("push.content") == "encrypted"
        changes = RateLimiter(RateLimit(perMinute: settings.integer("limits.push-changes-per-minute")))
        journal = context.newJournal(1)
        foreground = Foregrounds(
            requests: settings.list("presence.requests"), changes: settings.list("presence.followers"),
            instance: context.process.instance, log: context.log)
        registryWorker = Worker(
            every: Self.registryInterval, log: context.log, failed: "registered devices cannot be read for now")
        sweepWorker = Worker(
            every: .seconds(60), log: context.log, failed: "what is of no use any more cannot be deleted for now")
        finishWorker = Worker(
            every: .seconds(1), log: context.log, failed: "what became of pushes cannot be stored for now")
    }

    public func register(in routes: inout Routes) {
        routes.on(NotificationsMethods.registerPush, registerPush)
        routes.on(NotificationsMethods.unregisterPush, unregisterPush)
        routes.on(NotificationsMethods.listPushDevices, listPushDevices)
        routes.on(NotificationsMethods.testPush, testPush)
        routes.on(NotificationsMethods.getPushSettings, getPushSettings)
        routes.on(NotificationsMethods.updatePushSettings, updatePushSettings)
    }

    public func register(in states: inout States<NoKind>) {
        states.erase(DevicesStore.erase, SettingsStore.eraseLevels, SettingsStore.erase)
        states.erase(QueueStore.erase, QueueStore.eraseTold)
    }

    public func start() async throws {
        try zones.load()
        senders = try ConfiguredSenders(context)
        try await journal.start()
        try await release()
        // Before the followers, which pass over what concerns nobody.
        try await readRegistry()
        try foreground.start(context.settings) { [weak self] in self?.tellWhoLeft($0) }
        finishWorker.start { [weak self] in try await self?.finishEnded() }
        try await scheduler.start()
        try await requests.start()
        try await entities.start()
        try await messages.start()
        registryWorker.start { [weak self] in try await self?.readRegistry() }
        sweepWorker.start { [weak self] in try await self?.sweep() }
    }

    public func stop() async {
        await sweepWorker.stop()
        await registryWorker.stop()
        await messages.stop()
        await entities.stop()
        await requests.stop()
        await scheduler.stop()
        await finishWorker.stop()
        do {
            try await finishEnded()
        } catch {
            // They are sent again, under the same ids.
            finishWorker.note(error)
        }
        foreground.close()
        journal.close()
    }

    /// Counts a change that the caller is about to make.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit.
    func allowChange(by caller: Caller) throws(Refusal) { try changes.take(caller.account) }
}
