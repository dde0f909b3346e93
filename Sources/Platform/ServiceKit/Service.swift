import Logging
import Metrics
import Postgres
import Reactor
import Schema
import Wire

/// The resources a service works with.
@ReactorActor
public struct ServiceContext {
    public let process: ProcessContext
    /// For reading. Writes that publish Updates go through `journal`.
    public let database: Database
    /// For requests that may read much. They have connections of their own.
    public let expensive: ExpensiveRequests
    public let journal: Journal
    public let publisher: UpdatePublisher
    /// Publishes to followers; nil: nobody may follow.
    public var followers: UpdatePublisher?
    /// For work that takes over 2 ms.
    public let pool: WorkPool
    /// Makes a separate journal with this many lanes, for writes that must not hold up `journal`. The caller starts and
    /// closes it.
    public let newJournal: @ReactorActor (Int) -> Journal
    /// Seals what clients carry and must not read.
    public let sealer: Sealer
    let followerNames = FollowerNames()
    /// Receives what the services publish that ``ParleyService/hears`` names, as far as the settings say where.
    public var subscribers: [String: UpdateSubscriber] = [:]

    public var log: Logger { process.log }
    public var clock: WallClock { process.clock }
    public var settings: Settings { process.settings }
}

/// A process that owns a schema: conversations, messaging, presence, entities.
@ReactorActor
public protocol ParleyService: AnyObject, Sendable {
    /// The name of its schema, and the prefix of its methods and streams: "messaging".
    nonisolated static var name: String { get }
    /// The kinds of changes in its journal, from link.proto.
    associatedtype Kind: JournalKind = NoKind
    /// The service's own settings.
    nonisolated static var settings: [Setting] { get }
    /// The limits that no setting changes.
    nonisolated static var fixedLimits: [Limit] { get }
    /// The files of its folder SQL, as the build embeds them: `SQLFiles.all`.
    nonisolated static var sqlFiles: [(path: String, text: String)] { get }
    /// Views of other services that it reads, each with a column if that is newer than the view:
    /// "conversations.access(left_version)". The service is not ready until all of them exist.
    nonisolated static var reads: [String] { get }
    /// How many write transactions it runs concurrently; zero if it journals nothing.
    nonisolated static var lanes: Int { get }
    /// PostgreSQL session settings of its lanes.
    nonisolated static var laneSettings: [String: String] { get }
    /// Whether it publishes to followers, too.
    nonisolated static var hasFollowers: Bool { get }
    /// The services whose Updates it may receive.
    nonisolated static var hears: [String] { get }
    /// The services that may receive its Updates.
    nonisolated static var isHeardBy: [String] { get }

    init(_ context: ServiceContext)

    /// Registers the handlers of its methods.
    func register(in routes: inout Routes)
    /// Registers the states that it stores: each kind of its journal, and the data of a person without one.
    func register(in states: inout States<Kind>)
    /// Prepares the service for requests. The database is reachable and the schema is up to date.
    func start() async throws
    /// Finishes the work under way. No more requests arrive.
    func stop() async
}

extension ParleyService {
    /// The migrations and definitions of its schema. Tests see to it that its files are in order.
    nonisolated static var sql: SchemaSQL {
        do {
            return try SchemaSQL(schema: name, files: sqlFiles, shared: SQLFiles.all)
        } catch {
            fatalError("\(error)")  // Never in a release: house tests read the files of every service.
        }
    }

    public nonisolated static var settings: [Setting] { [] }
    public nonisolated static var fixedLimits: [Limit] { [] }
    public nonisolated static var reads: [String] { [] }
    public nonisolated static var lanes: Int { 2 }
    public nonisolated static var laneSettings: [String: String] { [:] }
    public nonisolated static var hasFollowers: Bool { false }
    public nonisolated static var hears: [String] { [] }
    public nonisolated static var isHeardBy: [String] { [] }
    public func start() async throws {}
    public func stop() async {}
}

extension ParleyProcess {
    /// Runs a service; its `main` consists of this call.
    public static func run<S: ParleyService>(_ service: S.Type) async -> Never {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let migrateOnly = arguments.contains("--migrate-only")
        arguments.removeAll { $0 == "--migrate-only" }
        if arguments.contains("--print-schema") {
            ParleyProcess.finish(0, "\(S.sql.migrations.count) \(S.sql.definitionsVersion)")
        }
        let declared = ServiceHost<S>.databaseSettings + (migrateOnly ? [] : ServiceHost<S>.linkSettings)
        let limits = [
            Limit(WireLimits.inFlightMax, "unanswered requests", per: "replica", beyond: .wait),
            Limit(
                DatabaseConfiguration(url: "", applicationName: "").waitingMax, "statements that wait for a connection",
                per: "replica", beyond: .wait),
        ]
        await run(
            name: S.name, settings: declared + S.settings, fixed: limits + S.fixedLimits, arguments: arguments,
            isMonitored: !migrateOnly
        ) { process in
            if migrateOnly {
                try await SchemaUpdate<S>.run(process, for: .seconds(30))
                ParleyProcess.end(0)
            }
            return try ServiceHost<S>(process)
        }
    }
}

/// PostgreSQL session settings of every connection of a service. Every statement reads a few index ranges. Its plan is
/// made once per connection, perhaps while the tables are empty, and again after each ANALYZE, which autovacuum does as
/// tables grow. These settings leave the planner few plans that would be wrong until then.
let plannerSettings = [
    "plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_bitmapscan": "off",
    "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off",
]

/// The timeout of every statement of a service. A database server that stalls is noticed a second later
/// (``DatabaseConfiguration``), well before requests reach their deadlines.
let statementTimeout = Duration.seconds(5)

/// Runs one service: database, migrations, lanes, links, routes, health.
@ReactorActor
final class ServiceHost<S: ParleyService>: Component {
    nonisolated static var databaseSettings: [Setting] {
        [
            Setting(
                "database.url", .secret, required: true,
                "URL of the database, with this service's own role: postgresql://…"),
            Setting("database.connections", .integer(1...100), default: "4", "connections for reading"),
            Setting(
                "database.expensive-connections", .integer(1...100), default: "1",
                "connections for searches and exports, which hold up each other only; made when first used"),
        ]
            + (S.lanes > 0
                ? [Setting("database.lanes", .integer(1...16), default: "\(S.lanes)", "connections for writing")] : [])
    }

    nonisolated static var linkSettings: [Setting] {
        [
            Setting("listen.requests", .endpoint, required: true, "endpoint where gateways send requests"),
            Setting("listen.updates", .endpoint, required: true, "endpoint where gateways receive Updates"),
        ]
            + (S.hasFollowers
                ? [
                    Setting(
                        "listen.followers", .endpoint,
                        "endpoint where followers receive who uses the app; empty: nobody does")
                ] : [])
            + S.hears.map { service in
                Setting(
                    "\(service).updates", .endpoints,
                    "where \(service) publishes Updates; each address of a name is a replica; empty: nothing is heard"
                )
            } + LinkSettings.settings
    }

    private let process: ProcessContext
    private let database: Database
    private let expensive: Database
    private let publisher: UpdatePublisher
    private let followers: UpdatePublisher?
    private let server: RequestServer
    private let journal: Journal
    private let heartbeats: Heartbeats
    private let replay: Replay
    private let sealer: Sealer
    private let discovery: ReplicaDiscovery
    private var erasure: ErasureSweep?
    private let service: S
    private let pool = WorkPool()
    private let report: StartReport
    private var routes: Routes
    private var isServing = false
    private var gauges: Reactor.Repetition?
    private var keeper: Reactor.Timer?

    init(_ process: ProcessContext) throws(StartRefused) {
        self.process = process
        let settings = process.settings
        let (requests, updates) = (settings.text("listen.requests"), settings.text("listen.updates"))
        let following = S.hasFollowers ? settings.text("listen.followers") : ""
        let heard = S.hears.filter { !settings.list("\($0).updates").isEmpty }
        let security = try LinkSettings.security(
            settings, role: .service(S.name), connectsTo: heard,
            endpoints: [requests, updates, following].filter { !$0.isEmpty }
                + heard.flatMap { settings.list("\($0).updates") })
        let url = settings.text("database.url")
        database = Database(
            DatabaseConfiguration(
                url: url, applicationName: "parley-\(S.name)", connections: settings.integer("database.connections"),
                statementTimeout: statementTimeout, settings: plannerSettings),
            log: process.log)
        expensive = Database(
            DatabaseConfiguration(
                url: url, applicationName: "parley-\(S.name)-expensive",
                connections: settings.integer("database.expensive-connections"),
                statementTimeout: statementTimeout, settings: plannerSettings),
            log: process.log)
        publisher = UpdatePublisher(
            endpoint: updates, security: security,
            admitting: Set([.gateway] + S.isHeardBy.map { .service($0) }), log: process.log)
        followers =
            following.isEmpty
            ? nil : UpdatePublisher(endpoint: following, security: security, admitting: [.follower], log: process.log)
        server = RequestServer(endpoint: requests, security: security, log: process.log)
        let heartbeats = Heartbeats(schema: S.name, database: database, publisher: publisher, log: process.log)
        self.heartbeats = heartbeats
        let report = StartReport(process.notify)
        self.report = report
        let newJournal = { @ReactorActor [publisher] lanes in
            Journal(
                schema: S.name,
                database: DatabaseConfiguration(
                    url: url, applicationName: "parley-\(S.name)-lane", connections: 1,
                    statementTimeout: statementTimeout, settings: plannerSettings.merging(S.laneSettings) { $1 }),
                laneCount: lanes, publisher: publisher, log: process.log, claimed: { heartbeats.beat() },
                claiming: { report.nextLane() })
        }
        journal = newJournal(S.lanes > 0 ? settings.integer("database.lanes") : 0)
        sealer = Sealer(schema: S.name, database: database)
        discovery = ReplicaDiscovery(log: process.log)
        var subscribers: [String: UpdateSubscriber] = [:]
        for name in heard {
            let configured = settings.list("\(name).updates")
            let subscriber = UpdateSubscriber(
                endpoints: ReplicaDiscovery.known(configured), of: name, security: security, log: process.log)
            discovery.follow(configured) { subscriber.setEndpoints($0) }
            subscribers[name] = subscriber
        }
        let expensive = ExpensiveRequests(
            expensive, connections: settings.integer("database.expensive-connections"))
        let service = S(
            ServiceContext(
                process: process, database: database, expensive: expensive,
                journal: journal, publisher: publisher, followers: followers, pool: pool,
                newJournal: newJournal, sealer: sealer, subscribers: subscribers))
        self.service = service
        var states = States<S.Kind>(database: database)
        service.register(in: &states)
        states.check()
        replay = Replay(schema: S.name, database: database, log: process.log) { [states] in
            try await states.replay($0)
        }
        if !states.erasure.isEmpty {
            erasure = ErasureSweep(
                schema: S.name, database: database, log: process.log, steps: states.erasure, unless: states.mayGrow)
        }
        routes = Routes(
            log: process.log, sealer: sealer, expensive: expensive,
            connections: settings.integer("database.connections"), isConnected: { [database] in database.isReady })
        service.register(in: &routes)
        routes.on(HealthMethods.check) { [unowned self] _, _ in self.health() }
        routes.on(HttpMethods.routes) { [http = routes.http] _, _ in http.reply }
        routes.on(HttpMethods.exchange.inPieces) { [http = routes.http] in try await http.answer($0, $1) }
        guard S.lanes > 0 else { return }
        routes.on(JournalMethods.lanes) { [heartbeats] _, _ in
            LanesReply(heartbeat: try await heartbeats.read())
        }
        routes.on(JournalMethods.replay) { [replay] request, _ in try await replay.answer(request) }
    }

    func start() async throws -> String? {
        database.start()
        // Before the migrations, which may depend on views of other services.
        try await waitForViews()
        report.step("bringing the schema up to date")
        try await SchemaUpdate<S>.run(process, for: nil)
        try await whileDatabaseIsLost { try await journal.start() }
        if S.lanes > 0 {
            report.step("making partitions of the journal")
            await keepJournal()
            report.step("reading the keys of sealed values")
            try await whileDatabaseIsLost { try await sealer.load() }
        }
        report.step("starting the service's own work")
        try await whileDatabaseIsLost { try await service.start() }
        discovery.start()
        erasure?.start()
        do {
            _ = try publisher.start()
            _ = try followers?.start()
            _ = try server.start { [routes] envelope, body, responder in routes.dispatch(envelope, body, responder) }
        } catch {
            throw StartRefused(
                "cannot listen: \(error). The endpoint may be in use; check the settings that begin with \"listen.\".")
        }
        isServing = true
        report.end()
        if S.lanes > 0 { heartbeats.start() }
        startGauges()
        return nil
    }

    func stop() async {
        isServing = false
        await server.finish(atMost: .seconds(3))
        await erasure?.stop()
        await service.stop()
        discovery.close()
        gauges?.cancel()
        if let keeper { Reactor.shared.cancel(keeper) }
        server.close()
        heartbeats.stop()
        publisher.close()
        followers?.close()
        journal.close()
        await expensive.close()
        await database.close()
    }

    // MARK: Before serving

    private static var viewIsReadable: Statement<Bool> {
        Statement(
            """
            SELECT COALESCE(has_table_privilege(v.view, 'SELECT'), false) AND (
                v.attribute = '' OR EXISTS (
                    SELECT
                    FROM pg_attribute
                    WHERE attrelid = v.view
                        AND attname = v.attribute))
            FROM (
                SELECT to_regclass(split_part($1, '(', 1)) AS view, rtrim(split_part($1, '(', 2), ')') AS attribute
            ) AS v
            """
        ) { row in try row.bool(0) }
    }

    /// Runs `step`, and runs it again after a wait whenever the database is lost during the start.
    private func whileDatabaseIsLost(_ step: () async throws -> Void) async throws {
        while true {
            do {
                return try await step()
            } catch let error as DatabaseError where error.code == .unavailable {
                process.log.warning("the database was lost during the start", metadata: ["why": "\(error.message)"])
                report.step("waiting for the database, which was lost during the start")
                // Replicas that lost it together do not try again together.
                try await Reactor.shared.sleep(for: .milliseconds(Int64.random(in: 200...600)))
                try await database.waitUntilReady()
            }
        }
    }

    private func waitForViews() async throws {
        for view in S.reads {
            report.step("looking for the view \(view)")
            var isFirst = true
            while try await readOnce(view) == false {
                if isFirst {
                    process.log.notice("waiting for a view of another service", metadata: ["view": "\(view)"])
                }
                isFirst = false
                report.step("waiting for the view \(view)")
                // PostgreSQL tells nobody of a new view.
                try await Reactor.shared.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Creates the journal's next partitions and drops expired ones, now and every hour. Retries soon if that could not
    /// be done immediately.
    private func keepJournal(orAgainIn wait: Duration = .seconds(1)) async {
        let statement = Statement("SELECT \(S.name).keep_journal($1)") { row in try row.int32(0) }
        var isKept = false
        do {
            isKept = try await database.first(statement, .number(process.clock.now)) ?? -1 >= 0
        } catch {
            process.log.warning("the journal's partitions could not be maintained", metadata: ["error": "\(error)"])
        }
        keeper = Reactor.shared.after(isKept ? .seconds(3600) : wait) { [weak self] in
            Task.onLoop {
                await self?.keepJournal(orAgainIn: isKept ? .seconds(1) : min(wait * 2, .seconds(60)))
            }
        }
    }

    private func readOnce(_ view: String) async throws -> Bool {
        do throws(DatabaseError) {
            return try await database.first(Self.viewIsReadable, .text(view)) ?? false
        } catch {
            if error.code == .unavailable { return false }
            throw error
        }
    }

    // MARK: Health

    var reasonsNotReady: [String] {
        var reasons: [String] = []
        if !isServing { reasons.append("The service is starting or stopping.") }
        if !database.isReady { reasons.append("The database cannot be reached.") }
        if S.lanes > 0, !journal.lanes.contains(where: \.isUsable) {
            reasons.append("No connection for writing is open.")
        }
        return reasons
    }

    private func health() -> HealthReply {
        let reasons = reasonsNotReady
        return HealthReply(
            service: S.name, instance: process.instance, version: Parley.version, ready: reasons.isEmpty,
            reasons: reasons, upSinceUs: process.startedAt.rawValue,
            metrics: Array(MetricsRegistry.shared.snapshot.prefix(500)))
    }

    private func startGauges() {
        let depth = Gauge(label: "parley_work_pool_queue")
        let inFlight = Gauge(label: "parley_requests_in_flight")
        let waiting = Gauge(label: "parley_database_waiting")
        let outstanding = Gauge(label: "parley_database_outstanding")
        gauges = Reactor.shared.every(.seconds(5)) { [weak self] in
            guard let self else { return }
            depth.record(pool.queueDepth)
            inFlight.record(server.inFlight)
            waiting.record(database.waitingCount)
            outstanding.record(database.outstandingCount)
        }
    }
}
