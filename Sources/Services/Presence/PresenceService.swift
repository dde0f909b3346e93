import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns who is there now: in memory, from what gateways report of their sessions; only `last_seen` is stored, and which
/// gateways there are.
///
/// Every gateway reports to every replica, so all answer alike. A watch lives at the replica that was asked for it:
/// when that one is lost, gateways tell their clients, who ask again and reach another. A replica that has just started
/// answers `unavailable` until all gateways have reported (``WarmUp``).
///
/// Streams: `presence/u/USER`, without positions, with ephemeral Updates of kind `PresenceState` to those who watch.
@ReactorActor
public final class PresenceService: ParleyService {
    public nonisolated static let name = "presence"
    public nonisolated static let reads = [
        "conversations.access(place)", "conversations.conversation_ids", "conversations.account_ids",
        "conversations.blocked", "conversations.erased",
    ]
    public nonisolated static let lanes = 0

    public nonisolated static var settings: [Setting] {
        [
            Setting(
                "limits.lease-seconds", .integer(1...3600), default: "30",
                "a gateway not heard of for so long has lost its sessions"),
            Setting("limits.watch-seconds", .integer(1...3600), default: "90", "a watch not renewed for so long ends"),
        ]
    }

    public nonisolated static var migrations: [Migration] {
        [
            Migration(
                number: 1, name: "last_seen", sql: String(decoding: PackageResources._001_last_seen_sql, as: UTF8.self)),
            Migration(
                number: 2, name: "gateways", sql: String(decoding: PackageResources._002_gateways_sql, as: UTF8.self)),
            Migration(
                number: 3, name: "erasure", sql: String(decoding: PackageResources._003_erasure_sql, as: UTF8.self)),
        ]
    }

    let context: ServiceContext
    var sessions: PresenceSessions
    var watches: Watches
    /// People whose last_seen changed since it was written, with when.
    var unwritten: [Int64: Int64] = [:]
    /// Gateways heard of since it was written, with when.
    var unwrittenGateways: [String: Int64] = [:]
    /// Who came or went and was not told of yet, how they stand now.
    var untold: [Int64: Untold] = [:]
    var isTelling = false
    var untoldLine = LogThrottle(every: .seconds(10))
    var warmUp: WarmUp
    private let erasure: ErasureSweep
    private let lease: Duration
    private var sweeping: Reactor.Repetition?
    private var writing: Reactor.Repetition?

    public init(_ context: ServiceContext) {
        self.context = context
        lease = .seconds(context.settings.integer("limits.lease-seconds"))
        sessions = PresenceSessions(lease: lease)
        warmUp = WarmUp(gateways: [], lease: .zero, at: .now)
        watches = Watches(lifetime: .seconds(context.settings.integer("limits.watch-seconds")))
        erasure = ErasureSweep(context, steps: PresenceStore.erasure)
    }

    public func register(in routes: inout Routes) {
        routes.on(PresenceMethods.getPresence, getPresence)
        routes.on(PresenceMethods.watchPresence, watchPresence)
        routes.on(SessionsMethods.report, report)
    }

    public func start() async throws {
        let now = context.clock.now
        try await context.database.execute(PresenceStore.forgetGateways, .int64(now - 86_400_000_000))
        // What others wrote may be a report and a writing old.
        let gateways = try await context.database.query(PresenceStore.gateways, .int64(now - 2 * lease.microseconds))
        warmUp = WarmUp(gateways: gateways, lease: lease, at: .now)
        sweeping = Reactor.shared.every(.seconds(1)) { [weak self] in
            guard let self else { return }
            tell(sessions.expire(at: .now))
            watches.expire(at: .now)
        }
        erasure.start()
        writing = Reactor.shared.every(.seconds(5)) { [weak self] in
            Task.immediate { @ReactorActor in
                await self?.writeLastSeen()
                await self?.writeGateways()
            }
        }
    }

    public func stop() async {
        sweeping?.cancel()
        writing?.cancel()
        await erasure.stop()
        let now = context.clock.now
        for account in sessions.online { unwritten[account] = now }
        await writeLastSeen()
    }

    /// In one statement for all; those who come while it runs wait for the next.
    private func writeLastSeen() async {
        let batch = unwritten
        guard !batch.isEmpty else { return }
        unwritten = [:]
        do {
            try await context.database.execute(
                PresenceStore.writeLastSeen, .int64s(Array(batch.keys)), .int64s(Array(batch.values)))
        } catch {
            unwritten.merge(batch) { newer, _ in newer }
            context.log.warning("last seen not written yet", metadata: ["error": "\(error)"])
        }
    }

    /// So that a replica that starts knows whom to wait for.
    func writeGateways() async {
        let batch = unwrittenGateways
        guard !batch.isEmpty else { return }
        unwrittenGateways = [:]
        do {
            try await context.database.execute(
                PresenceStore.writeGateways, .texts(Array(batch.keys)), .int64s(Array(batch.values)))
        } catch {
            unwrittenGateways.merge(batch) { newer, _ in newer }
            context.log.warning("gateways not written yet", metadata: ["error": "\(error)"])
        }
    }
}
