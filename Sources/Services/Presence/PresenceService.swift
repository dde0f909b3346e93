import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns presence. Who is online is kept in memory, from the gateways' reports of their sessions. Only `last_seen` and
/// the known gateways are stored.
///
/// Every gateway reports to every replica, so all replicas give the same answers. A watch lives in the replica that
/// received its request. When that replica is lost, the gateways notify their clients, which request the watch again
/// from another replica. A replica that has just started answers `unavailable` until all gateways have reported
/// (``WarmUp``).
///
/// Streams: `presence/u/USER`, without positions, with ephemeral Updates of kind `PresenceState` to the watchers.
@ReactorActor
public final class PresenceService: ParleyService {
    public nonisolated static let name = "presence"
    public nonisolated static let reads = [
        "conversations.access(is_shown)", "conversations.conversation_ids", "conversations.account_ids",
        "conversations.blocked", "conversations.erased", "conversations.journal", "conversations.lanes",
    ]
    public nonisolated static let lanes = 0

    public nonisolated static var settings: [Setting] {
        [
            Setting(
                "limits.lease-seconds", .integer(1...3600), default: "30",
                "seconds without a report after which a gateway's sessions count as closed"),
            Setting(
                "limits.watch-seconds", .integer(1...3600), default: "90",
                "seconds until a watch ends unless it is renewed"),
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
    /// The times of people whose last_seen changed since it was last written.
    var unwritten: [AccountNumber: Timestamp] = [:]
    /// The times of gateways that reported since they were last written.
    var unwrittenGateways: [String: Timestamp] = [:]
    /// The latest change of each person that is not published yet.
    var unpublished: [AccountNumber: UnpublishedChange] = [:]
    /// What conversations commits, which may change what watchers may see.
    let rights: JournalTail
    private let publishing: Worker
    var warmUp: WarmUp
    private let lease: Duration
    private var sweeping: Reactor.Repetition?
    private var writing: [Reactor.Repetition] = []

    public init(_ context: ServiceContext) {
        self.context = context
        lease = .seconds(context.settings.integer("limits.lease-seconds"))
        sessions = PresenceSessions(lease: lease)
        warmUp = WarmUp(gateways: [], lease: .zero, at: .now)
        rights = JournalTail(context, of: "conversations", kinds: Self.kindsOfRights)
        publishing = Worker(
            every: Self.roundInterval, log: context.log, failed: "presence changes could not be published yet")
        watches = Watches(lifetime: .seconds(context.settings.integer("limits.watch-seconds")))
    }

    public func register(in routes: inout Routes) {
        routes.on(PresenceMethods.getPresence, getPresence)
        routes.on(PresenceMethods.watchPresence, watchPresence)
        routes.on(SessionsMethods.report, report)
    }

    public func register(in states: inout States<NoKind>) { states.erase(PresenceStore.eraseLastSeen) }

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
        writing = [
            Reactor.shared.every(Self.lastSeenInterval) { [weak self] in
                Task.onLoop { await self?.writeLastSeen() }
            },
            Reactor.shared.every(.seconds(5)) { [weak self] in
                Task.onLoop { await self?.writeGateways() }
            },
        ]
        publishing.start { [weak self] in try await self?.publishRound() }
    }

    public func stop() async {
        sweeping?.cancel()
        for repetition in writing { repetition.cancel() }
        await publishing.stop()
        let now = context.clock.now
        for account in sessions.online { unwritten[account] = now }
        await writeLastSeen()
    }

    /// Writes all pending times, in batches. A time stays pending until it is written, and answers use it.
    private func writeLastSeen() async {
        let pending = Array(unwritten)
        for start in stride(from: 0, to: pending.count, by: Self.lastSeenMax) {
            let batch = pending[start..<min(start + Self.lastSeenMax, pending.count)]
            do {
                try await context.database.execute(
                    PresenceStore.writeLastSeen, .numbers(batch.map(\.key)), .numbers(batch.map(\.value)))
                for (account, time) in batch where unwritten[account] == time { unwritten[account] = nil }
            } catch {
                return context.log.warning(
                    "last-seen times could not be written yet", metadata: ["error": "\(error)"])
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
