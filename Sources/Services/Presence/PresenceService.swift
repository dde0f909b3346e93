import Metrics
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns presence. Who is online, and what they do in their sessions, is kept in memory, from the gateways' reports.
/// Only `last_seen`, what people say of themselves and the known gateways are stored.
///
/// Every gateway reports to every replica, so all replicas give the same answers. A watch lives in the replica that
/// received its request. When that replica is lost, the gateways notify their clients, which request the watch again
/// from another replica. A replica that has just started answers `unavailable` until all gateways have reported
/// (``WarmUp``).
///
/// Streams, without positions and with ephemeral Updates: `presence/u/USER`, of kind `PresenceState` to the watchers
/// and of kind `OwnPresence` to the person's own devices; `presence/c/CONVERSATION`, of kind `Typing` to its members.
/// Followers have an endpoint of their own, with one stream: ``Foreground``.
@ReactorActor
public final class PresenceService: ParleyService {
    public nonisolated static let name = "presence"
    public nonisolated static let reads = [
        "conversations.access(takes_part)", "conversations.conversation_ids", "conversations.account_ids",
        "conversations.blocked", "conversations.erased", "conversations.journal", "conversations.lanes",
    ]
    public nonisolated static let lanes = 0
    public nonisolated static let hasFollowers = true

    public nonisolated static var settings: [Setting] {
        [
            .limit(
                "limits.lease-seconds", 1...3600,
                Limit(30, "seconds without a report", per: "gateway", beyond: .words("its sessions count as closed"))),
            .limit(
                "limits.watch-seconds", 1...3600,
                Limit(90, "seconds", per: "watch of people's presence", beyond: .words("it ends unless renewed"))),
            Setting(
                "away-after-seconds", .integer(1...86_400), default: "600",
                "seconds without a sign that a person uses a device after which they are away"),
            .limit(
                "limits.presence-changes-per-minute", 1...1_000_000,
                Limit(60, "changes in a minute to what one says of oneself", per: "account", beyond: .wait)),
        ]
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    /// The wait between writings of last_seen: nobody's is written more often, except once more at stop.
    private static let lastSeenInterval = Duration.seconds(60)
    /// The most people in one statement that writes last_seen.
    private static let lastSeenMax = 10_000

    let context: ServiceContext
    var sessions: PresenceSessions
    var watches: Watches
    var typing = Typists()
    var rooms = TypingRooms()
    var typingLimits = TypingLimits()
    /// When people whose last_seen changed since it was last written came or went.
    var unwritten: [AccountNumber: Sighting] = [:]
    /// What the last writing wrote. Answers whose statement began before it need it.
    private var written: [AccountNumber: Sighting] = [:]
    /// The times of gateways that reported since they were last written.
    var unwrittenGateways: [String: Timestamp] = [:]
    /// People of whom a change is not published yet.
    var unpublished: Set<AccountNumber> = []
    /// The number of the last change of what people say that this replica knows of; nil: anything may have changed.
    var lastChange: Int64?
    private var changes: RateLimiter<AccountNumber>
    /// What conversations commits, which may change what watchers may see.
    let rights: JournalTail
    private let publishing: Worker
    /// How many changes a round of publishing takes.
    let waiting = Gauge(label: "parley_presence_changes_waiting")
    var warmUp: WarmUp
    var foreground = Foreground()
    private let lease: Duration
    private var sweeping: Reactor.Repetition?
    private var repeating: [Reactor.Repetition] = []

    public init(_ context: ServiceContext) {
        self.context = context
        lease = .seconds(context.settings.integer("limits.lease-seconds"))
        sessions = PresenceSessions(
            lease: lease, idleAfter: .seconds(context.settings.integer("away-after-seconds")))
        warmUp = WarmUp(gateways: [], lease: .zero, at: .now)
        rights = JournalTail(context, of: "conversations", kinds: Self.kindsOfRights)
        publishing = Worker(
            every: Self.roundInterval, log: context.log, failed: "presence changes could not be published yet")
        watches = Watches(lifetime: .seconds(context.settings.integer("limits.watch-seconds")))
        changes = RateLimiter(RateLimit(perMinute: context.settings.integer("limits.presence-changes-per-minute")))
    }

    public func register(in routes: inout Routes) {
        routes.on(PresenceMethods.getPresence, getPresence)
        routes.on(PresenceMethods.watchPresence, watchPresence)
        routes.on(PresenceMethods.setTyping, setTyping)
        routes.on(PresenceMethods.getOwnPresence, getOwnPresence)
        routes.on(PresenceMethods.setPresence, setPresence)
        routes.on(SessionsMethods.report, report)
        routes.on(ForegroundMethods.list, listForeground)
    }

    public func register(in states: inout States<NoKind>) {
        states.erase(PresenceStore.eraseLastSeen, PresenceStore.eraseFrozen, PresenceStore.eraseOwn)
    }

    public func start() async throws {
        let now = context.clock.now
        try await context.database.execute(PresenceStore.forgetGateways, .number(now - .seconds(86_400)))
        // The stored times may lag behind by the intervals of reports and of writing.
        let gateways = try await context.database.query(PresenceStore.gateways, .number(now - lease * 2))
        warmUp = WarmUp(gateways: gateways, lease: lease, at: .now)
        sweeping = Reactor.shared.every(.seconds(1)) { [weak self] in
            guard let self else { return }
            note(sessions.expire(at: .now))
            watches.expire(at: .now)
        }
        repeating = [
            Reactor.shared.every(Self.lastSeenInterval) { [weak self] in
                Task.onLoop { await self?.writeLastSeen() }
            },
            Reactor.shared.every(.seconds(5)) { [weak self] in
                Task.onLoop { await self?.writeGateways() }
            },
            Reactor.shared.every(Self.foregroundInterval) { [weak self] in self?.repeatForeground() },
        ]
        publishing.start { [weak self] in try await self?.publishRound() }
    }

    public func stop() async {
        sweeping?.cancel()
        for repetition in repeating { repetition.cancel() }
        await publishing.stop()
        let now = context.clock.now
        // Should another replica go on, they come again there or here.
        for account in sessions.online { noteSighting(of: account, isPresent: false, at: now) }
        await writeLastSeen()
    }

    /// Counts a change that the caller is about to make.
    /// - Throws: ``Refusal`` `rate_limited` beyond the limit.
    func allowChange(by caller: Caller) throws(Refusal) { try changes.take(caller.account) }

    func noteSighting(of account: AccountNumber, isPresent: Bool, at now: Timestamp) {
        if unwritten[account]?.change(isPresent: isPresent, at: now) == nil {
            unwritten[account] = Sighting(at: now, isPresent: isPresent)
        }
    }

    /// When a person came and went, as far as an answer of the database may lack it.
    func sighting(of account: AccountNumber) -> Sighting? {
        unwritten[account]?.after(written[account]) ?? written[account]
    }

    /// Writes all pending times, in batches. A time stays pending until it is written, and answers use it.
    private func writeLastSeen() async {
        let pending = Array(unwritten)
        written = [:]
        for start in stride(from: 0, to: pending.count, by: Self.lastSeenMax) {
            let batch = pending[start..<min(start + Self.lastSeenMax, pending.count)]
            let absences = batch.flatMap { account, sighting in sighting.absences.map { (account, $0) } }
            do {
                try await context.database.execute(
                    PresenceStore.writeLastSeen, .numbers(batch.map(\.key)), .numbers(batch.map(\.value.at)),
                    .bools(batch.map(\.value.isPresent)), .numbers(absences.map(\.0)),
                    .optionalNumbers(absences.map(\.1.from)), .numbers(absences.map(\.1.to)))
            } catch {
                return context.log.warning(
                    "last-seen times could not be written yet", metadata: ["error": "\(error)"])
            }
            for (account, sighting) in batch {
                written[account] = sighting
                if unwritten[account] == sighting {
                    unwritten[account] = nil
                } else {
                    unwritten[account]?.wasWritten(sighting)
                }
            }
        }
    }

    /// Stores the known gateways, so that a replica that starts knows which ones to wait for.
    func writeGateways() async {
        let batch = unwrittenGateways
        guard !batch.isEmpty else { return }
        unwrittenGateways = [:]
        do {
            try await context.database.execute(
                PresenceStore.writeGateways, .texts(Array(batch.keys)), .numbers(batch.values))
        } catch {
            unwrittenGateways.merge(batch) { newer, _ in newer }
            context.log.warning("known gateways could not be written yet", metadata: ["error": "\(error)"])
        }
    }
}
