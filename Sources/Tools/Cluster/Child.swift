import Glibc
import Reactor

/// A program to start, with its arguments, environment and account.
struct Invocation: Sendable {
    var executable: String
    var arguments: [String] = []
    /// The whole environment of the process.
    var environment: [String: String] = Environment.current
    var folder = "/"
    /// The account to run as; only root can choose another one.
    var account: UserAccount?
    /// The signal that the kernel sends the process when this process ends in any way.
    var signalWhenParentEnds = LastSignal.terminate

    /// The raw values are setpriv's names.
    enum LastSignal: String, Sendable {
        case terminate = "TERM"
        case interrupt = "INT"
        case kill = "KILL"
    }

    /// Returns the command line, behind setpriv for the account and the parent-death signal and env for the folder.
    /// posix_spawn can do none of these.
    fileprivate func commandLine() throws(ClusterError) -> [String] {
        guard let setpriv = Files.executable("setpriv") else {
            throw ClusterError(
                .binaryMissing,
                "setpriv is missing. Parley needs it to start processes. Install it: apt-get install util-linux")
        }
        var line = [setpriv, "--pdeathsig", signalWhenParentEnds.rawValue]
        if let account, account.uid != geteuid() {
            line += ["--reuid=\(account.uid)", "--regid=\(account.gid)"]
            line += [UserAccount(uid: account.uid) == nil ? "--clear-groups" : "--init-groups", "--inh-caps=-all"]
        }
        return line + ["--", "env", "-C", folder, executable] + arguments
    }
}

/// How a process ended.
public enum Exit: Equatable, Sendable, CustomStringConvertible {
    case code(Int32)
    case signal(Int32)

    public var description: String {
        switch self {
        case .code(let code): "exit code \(code)"
        case .signal(let signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
        }
    }
}

/// A started process, in its own process group. It ends when this process ends.
@ReactorActor
final class Child {
    let pid: pid_t
    /// The kernel's start time of the process. Together with the pid it is an identity that is never reused.
    let startTime: String
    private(set) var exit: Exit?
    private let changes = Changes()

    private init(pid: pid_t) {
        self.pid = pid
        startTime = Self.startTime(of: pid) ?? ""
    }

    /// Starts the process with `output` as standard output and error. Standard input is `input`, or empty.
    static func start(_ invocation: Invocation, output: CInt, input: CInt? = nil) throws(ClusterError) -> Child {
        guard Files.isExecutable(invocation.executable) else {
            throw ClusterError(.binaryMissing, "\(invocation.executable) is missing or not executable.")
        }
        let line = try invocation.commandLine()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        // A started program must not hold this process's pipes and sockets open after it ends. They are closed on its
        // side: to mark them close-on-exec would take them from programs that other threads are starting, too.
        for descriptor in Files.openDescriptors() { posix_spawn_file_actions_addclose(&actions, descriptor) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid = pid_t()
        let code = withCStrings(line) { arguments in
            withCStrings(invocation.environment.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&pid, line[0], &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw Files.failure("start", invocation.executable, code) }
        let child = Child(pid: pid)
        child.watch()
        return child
    }

    /// Starts a thread that waits for the end without reaping; the event loop reaps. While `exit` is nil the pid is
    /// therefore still ours, and no signal can hit another process.
    private func watch() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 256 * 1024)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var handle = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()  // Released by the thread.
        let code = pthread_create(&handle, &attributes, waitForEnd, context)
        precondition(code == 0, "pthread_create: \(String(cString: strerror(code)))")
    }

    fileprivate func reap() {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        exit = signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
        changes.fire()
    }

    func send(signal: CInt) {
        if exit == nil { kill(pid, signal) }
    }

    /// Kills the process and its process group immediately.
    func destroy() {
        guard exit == nil else { return }
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
    }

    /// Waits for the process to end, at most `limit`. Returns nil if it is still running then.
    func wait(for limit: Duration = .seconds(86_400 * 365)) async -> Exit? {
        let end = ContinuousClock.now + limit
        while exit == nil, ContinuousClock.now < end { await changes.wait(until: end) }
        return exit
    }

    /// Runs the process to its end and returns its output.
    /// - Parameter limit: how long it may print nothing; the whole takes at most ten times as long.
    /// - Throws: ``ClusterError/Code/timeout`` at a limit; the process is then killed.
    static func run(
        _ invocation: Invocation, input text: String? = nil, limit: Duration
    ) async throws(ClusterError) -> (exit: Exit, output: String) {
        guard let output = tmpfile() else { throw Files.failure("create", "a temporary file") }
        defer { fclose(output) }
        _ = fcntl(fileno(output), F_SETFD, FD_CLOEXEC)
        var input: UnsafeMutablePointer<FILE>?
        if let text {
            input = tmpfile()
            guard input != nil else { throw Files.failure("create", "a temporary file") }
            fputs(text, input)
            rewind(input)
            _ = fcntl(fileno(input), F_SETFD, FD_CLOEXEC)
        }
        defer { if let input { fclose(input) } }
        let child = try start(invocation, output: fileno(output), input: input.map { fileno($0) })
        var patience = Patience(limit, atMost: limit * 10, from: .now)
        var printed = 0
        var exit: Exit?
        repeat {
            // Nothing tells when the output grows.
            exit = await child.wait(for: min(patience.end - .now, .seconds(1)))
            let size = Files.size(descriptor: fileno(output))
            if size > printed { patience.progressed(at: .now) }
            printed = size
        } while exit == nil && ContinuousClock.now < patience.end
        guard let exit else {
            child.destroy()
            let after = patience.isAtLongest ? "in \(limit * 10)" : "and printed nothing for \(limit)"
            throw ClusterError(.timeout, "\(invocation.executable) did not finish \(after).")
        }
        return (exit, Files.read(descriptor: fileno(output)) ?? "")
    }

    /// Field 22 of `/proc/PID/stat`; nil when the process does not exist or is a zombie.
    nonisolated static func startTime(of pid: pid_t) -> String? {
        guard let text = Files.read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 20, fields[1] != "Z" else { return nil }
        return String(fields[20])
    }
}

/// The body of the thread that waits for a child process.
private func waitForEnd(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let child = Unmanaged<Child>.fromOpaque(context).takeRetainedValue()
    var information = siginfo_t()
    while waitid(P_PID, id_t(child.pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    Task { @ReactorActor in child.reap() }
    return nil
}

/// Suspends tasks until something changes.
@ReactorActor
final class Changes {
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var last: UInt64 = 0

    func fire() {
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume() }
    }

    /// Returns at the next ``fire()`` or at `end`, whichever comes first.
    func wait(until end: ContinuousClock.Instant) async {
        last += 1
        let id = last
        let timer = Reactor.shared.after(max(.zero, end - .now)) { self.waiters.removeValue(forKey: id)?.resume() }
        await withCheckedContinuation { waiters[id] = $0 }
        Reactor.shared.cancel(timer)
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
}
