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

/// What every process of Parley has: its settings, log, clock, and the line to whoever started it.
public struct ProcessContext: Sendable {
    /// "messaging"
    public let name: String
    /// Unique among running processes.
    public let instance: String
    public let settings: Settings
    public let log: Logger
    public let clock: WallClock
    public let notify: Notify
    public let startedAt: Int64
}

/// The part of a process that starts, serves and stops.
@ReactorActor
public protocol Component: AnyObject, Sendable {
    /// Returns once it serves.
    /// - Returns: the address clients can reach, when there is one.
    func start() async throws -> String?
    /// Refuses new work, finishes what is under way, closes.
    func stop() async
    /// Why it should be sent nothing now; empty: it serves. Costs a look at what it knows.
    var reasonsNotReady: [String] { get }
}

/// Starts a process: flags, settings, log, signals; runs its component until it is told to stop.
public enum ParleyProcess {
    private static let commonSettings: [Setting] = [
        Setting(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error"]), default: "info",
            "what is logged"),
        Setting("log.format", .choice(["text", "json"]), default: "text", "lines for people or for programs"),
        Setting("instance", .text, default: "", "this process's name among its like; default: made up"),
    ]

    private static let monitorSetting = Setting(
        "listen.monitor", .address,
        "where to ask how this process is: GET /live, /ready and /metrics (for Prometheus), not for clients; default: nowhere"
    )

    private static let traceSettings = [
        Setting(
            "trace.file", .text,
            "where traces of requests are appended, as lines of OpenTelemetry's JSON; default: nowhere"),
        Setting(
            "trace.sample", .share, default: "1",
            "which part of all requests is traced, 0 to 1: the gateway decides for the services, too"),
    ]

    /// Never returns: ends the process with 0 (stopped as asked), 1 (failed), 64 (wrong flag or setting) or 75
    /// (something it needs is taken or missing; trying again later may do).
    public static func run(
        name: String, settings declared: [Setting], arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        isMonitored: Bool = true,
        _ make: @escaping @ReactorActor (ProcessContext) async throws -> any Component
    ) async -> Never {
        signal(SIGPIPE, SIG_IGN)
        let all = declared + commonSettings + (isMonitored ? [monitorSetting] + traceSettings : [])
        let environment = readEnvironment()
        var arguments = arguments
        if arguments.contains("--help") { finish(0, help(name, all)) }
        if arguments.contains("--version") { finish(0, "parley-\(name) \(Parley.version)") }
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

    /// - Returns: nil when nobody asked for it.
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
        exit(code)
    }

    private struct Runner: ServiceLifecycle.Service {
        let context: ProcessContext
        let isMonitored: Bool
        let make: @ReactorActor (ProcessContext) async throws -> any Component

        func run() async throws {
            let state = await RunState(context)
            try await state.start(monitorAt: isMonitored ? context.settings.text("listen.monitor") : "")
            // Waiting for a database must end when asked to stop; what runs then is ended by the end of the process.
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
            // ZeroMQ writes on a thread of its own: the last replies need a moment, or they end with the process.
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
            let names = setting.isSecret ? "\(name), or \(name)_FILE: a file that holds it" : name
            return "  \(flag)  \(setting.help)\(value.isEmpty ? "" : " (\(value))")\n      \(names)"
        }
        return """
            parley-\(name) \(Parley.version): one process of Parley.

            Flags override the environment, which overrides the file, which overrides the defaults.

            \(lines.joined(separator: "\n"))
              --config FILE  lines key=value
            \(migrateOnlyHelp(settings))  --print-config  shows every setting and where it comes from
              --version  --help
            """
    }

    private static func migrateOnlyHelp(_ settings: [Setting]) -> String {
        settings.contains { $0.key == "database.url" }
            ? """
              --migrate-only  brings the schema up to date and ends
              --print-schema  shows the number of the schema that it works with

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

    /// Ends the process. (A name of ours, since callers do not import Glibc.)
    static func end(_ code: CInt) -> Never { exit(code) }

    private static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// How a process is, from its beginning to its end, and who tells it: the monitor.
@ReactorActor
private final class RunState {
    private let context: ProcessContext
    private let loop = LoopFigures()
    private var component: (any Component)?
    private var monitor: Monitor?

    init(_ context: ProcessContext) { self.context = context }

    /// - Parameter text: where the monitor listens; empty: nowhere.
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
            context.log.info("monitor listens", metadata: ["address": "\(bound)"])
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

/// A process cannot start, with what to do about it and its exit code.
public struct StartRefused: Error, CustomStringConvertible {
    public let description: String
    public let code: CInt

    public init(_ description: String, code: CInt = 75) {
        self.description = description
        self.code = code
    }
}
