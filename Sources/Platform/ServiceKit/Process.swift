import Glibc
import Logging
import Metrics
import Monitor
import Postgres
import Reactor
import Schema
import ServiceLifecycle
import Tracing
import Wire

/// The basics of every Parley process: its settings, log, clock, and the connection to its supervisor.
public struct ProcessContext: Sendable {
    /// The kind of process: "messaging".
    public let name: String
    /// Unique among running processes.
    public let instance: String
    public let settings: Settings
    public let log: Logger
    public let clock: WallClock
    public let notify: Notify
    public let startedAt: Timestamp
}

/// The part of a process that starts, serves and stops.
@ReactorActor
public protocol Component: AnyObject, Sendable {
    /// Starts, and returns once it serves.
    /// - Returns: the address clients connect to, if any.
    func start() async throws -> String?
    /// Refuses new work, finishes the work under way, then closes.
    func stop() async
    /// Why it should receive no work now; empty while it serves. Cheap, since it only reads known state.
    var reasonsNotReady: [String] { get }
}

/// Starts a process with its flags, settings, log and signals, and runs its component until it is asked to stop.
public enum ParleyProcess {
    private static let commonSettings: [Setting] = [
        Setting(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error"]), default: "info",
            "lowest level that is logged"),
        Setting(
            "log.format", .choice(["text", "json"]), default: "text",
            "log lines for people (text) or for programs (json)"),
        Setting("instance", .text, default: "", "this process's unique name; default: generated"),
    ]

    private static let monitorSetting = Setting(
        "listen.monitor", .address,
        "address of the monitor: GET /live, /ready and /metrics (for Prometheus), not for clients; default: none"
    )

    private static let traceSettings = [
        Setting(
            "trace.file", .text,
            "file to which traces of requests are appended, as lines of OpenTelemetry's JSON; default: none"),
        Setting(
            "trace.sample", .share, default: "1",
            "share of requests that is traced, 0 to 1; the gateway decides for the services, too"),
    ]

    /// - Parameter fixed: the limits that no setting changes.
    /// Runs the process and ends it with 0 (stopped as asked), 1 (failed), 64 (wrong flag or setting) or 75 (something
    /// it needs is taken or missing; trying again later may help).
    public static func run(
        name: String, settings declared: [Setting], fixed: [Limit] = [],
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        isMonitored: Bool = true,
        _ make: @escaping @ReactorActor (ProcessContext) async throws -> any Component
    ) async -> Never {
        signal(SIGPIPE, SIG_IGN)
        let all = declared + commonSettings + (isMonitored ? [monitorSetting] + traceSettings : [])
        let environment = readEnvironment()
        var arguments = arguments
        if arguments.contains("--help") { finish(0, help(name, all)) }
        if arguments.contains("--version") { finish(0, "parley-\(name) \(Parley.version)") }
        if arguments.contains("--print-limits") {
            let rows = all.compactMap { setting in setting.limit?.row(setting: setting.key) }
            finish(0, (rows + fixed.map { $0.row(setting: nil) }).joined(separator: "\n"))
        }
        let printOnly = arguments.contains("--print-config")
        arguments.removeAll { $0 == "--print-config" }
        let settings: Settings
        do {
            settings = try await Settings(all, arguments: arguments, environment: environment)
        } catch {
            complain("parley-\(name): \(error)")
            exit(64)
        }
        if printOnly { finish(0, settings.printed) }
        let log = makeLog(name, settings)
        for warning in settings.warnings { log.warning("\(warning)") }
        MetricsSystem.bootstrap(MetricsRegistry.shared)
        let clock = WallClock.system
        let given = settings.text("instance")
        let context = ProcessContext(
            name: name, instance: given.isEmpty ? "\(name)-\(Sodium.randomText(8))" : given, settings: settings,
            log: log,
            clock: clock, notify: Notify(environment: environment), startedAt: clock.now)
        var traces: TraceFile?
        do throws(TraceFile.Unwritable) {
            if isMonitored { traces = try startTracing(context) }
        } catch {
            complain("parley-\(name): trace.file: \(error)")
            exit(64)
        }
        await serve(context, isMonitored: isMonitored, traces, make)
    }

    /// - Returns: nil if `trace.file` is not set.
    private static func startTracing(_ context: ProcessContext) throws(TraceFile.Unwritable) -> TraceFile? {
        let path = context.settings.text("trace.file")
        guard !path.isEmpty else { return nil }
        let file = try TraceFile(
            path, TraceText(service: "parley-\(context.name)", instance: context.instance, version: Parley.version))
        InstrumentationSystem.bootstrap(FileTracer(file, share: context.settings.share("trace.sample")))
        return file
    }

    private static func serve(
        _ context: ProcessContext, isMonitored: Bool, _ traces: TraceFile?,
        _ make: @escaping @ReactorActor (ProcessContext) async throws -> any Component
    ) async -> Never {
        var configuration = ServiceGroupConfiguration(
            services: [Runner(context: context, isMonitored: isMonitored, make: make)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet(context.log))
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let code: CInt
        do {
            try await ServiceGroup(configuration: configuration).run()
            context.log.info("stopped")
            code = 0
        } catch is CancellationError {
            // Asked to stop before it served.
            context.log.info("stopped")
            code = 0
        } catch let refusal as StartRefused {
            complain("parley-\(context.name): \(refusal.description)")
            code = refusal.code
        } catch {
            context.log.critical("failed", metadata: ["error": "\(error)"])
            complain("parley-\(context.name): \(error)")
            code = 1
        }
        await traces?.close()
        // Without exit handlers: OpenSSL's would free what a thread that still connects to the database uses.
        fflush(nil)
        _exit(code)
    }

    private struct Runner: ServiceLifecycle.Service {
        let context: ProcessContext
        let isMonitored: Bool
        let make: @ReactorActor (ProcessContext) async throws -> any Component

        func run() async throws {
            let state = await RunState(context)
            try await state.start(monitorAt: isMonitored ? context.settings.text("listen.monitor") : "")
            // A stop must also end the wait for a database. Other work under way then ends with the process.
            let started = try await cancelWhenGracefulShutdown {
                let component = try await make(context)
                await state.made(component)
                let listen = try await component.start()
                return (component, listen)
            }
            context.log.info("ready", metadata: ["instance": "\(context.instance)", "listen": "\(started.1 ?? "-")"])
            context.notify.ready(listen: started.1)
            try? await gracefulShutdown()
            context.notify.stopping()
            context.log.info("stopping")
            await started.0.stop()
            await state.stop()
            // ZeroMQ writes on its own thread. Without this pause the last replies would be lost with the process.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func quiet(_ log: Logger) -> Logger {
        var log = log
        log.logLevel = .error
        return log
    }

    private static func makeLog(_ name: String, _ settings: Settings) -> Logger {
        let format = LineLogHandler.Format(rawValue: settings.text("log.format")) ?? .text
        let level = Logger.Level(rawValue: settings.text("log.level")) ?? .info
        LoggingSystem.bootstrap { LineLogHandler(label: $0, format: format, logLevel: level) }
        return Logger(label: name)
    }

    private static func help(_ name: String, _ settings: [Setting]) -> String {
        let lines = settings.map { setting in
            let flag = "--" + setting.key.replacing(".", with: "-")
            let value =
                setting.isRequired ? "required" : setting.defaultValue.isEmpty ? "" : "default \(setting.defaultValue)"
            let name = Settings.environmentName(setting.key)
            let names = setting.isSecret ? "\(name), or \(name)_FILE: a file with the value" : name
            return "  \(flag)  \(setting.help)\(value.isEmpty ? "" : " (\(value))")\n      \(names)"
        }
        return """
            parley-\(name) \(Parley.version), a Parley process.

            Flags override the environment, which overrides the file, which overrides the defaults.

            \(lines.joined(separator: "\n"))
              --config FILE  read settings from a file with lines key=value
            \(migrateOnlyHelp(settings))  --print-config  print every setting and its source
              --print-limits  print all limits: for whom they count, and what happens beyond them
              --version  --help
            """
    }

    private static func migrateOnlyHelp(_ settings: [Setting]) -> String {
        settings.contains { $0.key == "database.url" }
            ? """
              --migrate-only  bring the schema up to date and exit
              --print-schema  print the number of the schema that this program works with

            """ : ""
    }

    static func readEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            pointer += 1
        }
        return variables
    }

    static func finish(_ code: CInt, _ text: String) -> Never {
        print(text)
        exit(code)
    }

    /// Ends the process, for callers that do not import Glibc.
    static func end(_ code: CInt) -> Never { exit(code) }

    private static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// The state of a process from start to stop, and the monitor that reports it.
@ReactorActor
private final class RunState {
    private let context: ProcessContext
    private let loop = LoopFigures()
    private var component: (any Component)?
    private var monitor: Monitor?

    init(_ context: ProcessContext) { self.context = context }

    /// - Parameter text: the address of the monitor; empty starts none.
    func start(monitorAt text: String) async throws {
        loop.start()
        guard !text.isEmpty else { return }
        guard let address = HTTPAddress(text) else {
            throw StartRefused("listen.monitor: \"\(text)\" is not HOST:PORT", code: 64)
        }
        let figures = ProcessFigures(startedAt: context.startedAt, version: Parley.version)
        let monitor = Monitor(
            Monitor.Source(
                reasonsNotReady: { @ReactorActor [weak self] in self?.reasonsNotReady ?? [] },
                metrics: { MetricsRegistry.shared.text(with: figures.samples) }))
        do {
            let bound = try await monitor.start(at: address)
            context.log.info("monitor is listening", metadata: ["address": "\(bound)"])
        } catch {
            await monitor.stop()
            throw StartRefused("cannot listen on \(address) (listen.monitor): \(error)")
        }
        self.monitor = monitor
    }

    func made(_ component: any Component) { self.component = component }

    private var reasonsNotReady: [String] { component?.reasonsNotReady ?? ["The process is starting."] }

    func stop() async {
        loop.stop()
        await monitor?.stop()
    }
}

/// The reason why a process cannot start, with what to do about it and the exit code.
public struct StartRefused: Error, CustomStringConvertible {
    public let description: String
    public let code: CInt

    public init(_ description: String, code: CInt = 75) {
        self.description = description
        self.code = code
    }
}
