import Foundation
import Glibc

/// A PostgreSQL server of the test's own: unix socket only, in a fresh folder, gone when the test process is.
///
/// A small `sh` owns the server. It reads commands from a pipe whose other end only this process has, so however this
/// process ends (exit, crash, SIGKILL) the pipe closes, and `sh` stops the server and removes the folder. That needs no
/// handler in this process, and unlike `prctl(PR_SET_PDEATHSIG)` it does not fire when merely the *thread* that
/// started the server ends. As root everything runs as the user `postgres`, since PostgreSQL refuses root.
public final class PrivatePostgres: @unchecked Sendable {
    // Sendable: the pipes are used under `lock` only.

    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    public enum StopMode: String, Sendable {
        /// Rolls back what runs and disconnects everybody.
        case fast
        /// As if the machine had lost power.
        case immediate
    }

    /// The one that the tests of this process share: don't stop it. Made with the first use, in about 1.5 s.
    public static let shared: PrivatePostgres = {
        do { return try PrivatePostgres() } catch { fatalError("no private PostgreSQL: \(error)") }
    }()

    /// The folder of the socket, the data and the log.
    public let folder: String
    private let password: String
    private let commands: CInt
    private let answers: CInt
    private let lock = NSLock()
    private var lastDatabase = 0
    private var isEnded = false

    /// Starts a server.
    /// - Parameter fsync: without it commits are quicker, and mean less.
    public init(fsync: Bool = true, settings: [String: String] = [:]) throws {
        signal(SIGPIPE, SIG_IGN)
        folder = try Self.makeFolder()
        password = (0..<24).map { _ in String(UInt8.random(in: 0...255), radix: 16) }.joined()
        var lines = ["listen_addresses = ''", "unix_socket_directories = '\(folder)'", "max_connections = 100"]
        if !fsync { lines += ["fsync = off"] }
        lines += settings.map { "\($0.key) = '\($0.value)'" }
        (commands, answers) = try Self.spawn(Self.script(
            folder: folder, binaries: try Self.binaries(), password: password, settings: lines))
        try expectAnswer(to: "initdb")
        try start()
    }

    deinit { end() }

    /// Stops the server and removes its folder; also done when the process ends.
    public func end() {
        lock.withLock {
            guard !isEnded else { return }
            isEnded = true
            close(commands)
            var byte: UInt8 = 0
            while read(answers, &byte, 1) > 0 {}  // Until `sh` has ended.
            close(answers)
        }
    }

    // MARK: Use

    /// The URL of a database, as superuser.
    public func url(database: String = "postgres") -> String {
        "postgresql://parley:\(password)@/\(database)?host=\(folder)"
    }

    /// Makes a fresh, empty database.
    /// - Returns: its URL, as superuser.
    public func makeDatabase() throws -> String {
        let name = lock.withLock {
            lastDatabase += 1
            return "test\(lastDatabase)"
        }
        try command("create \(name)")
        return url(database: name)
    }

    public func start() throws { try command("start") }
    public func stop(_ mode: StopMode = .fast) throws { try command("stop \(mode.rawValue)") }

    // MARK: Making it

    private static func makeFolder() throws -> String {
        // Short, since the path of a socket is limited to 107 bytes.
        var template = Array("/tmp/parley-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "mkdtemp: \(String(cString: strerror(errno)))")
        }
        let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        if getuid() == 0 {
            guard let user = getpwnam("postgres") else { throw Failure(description: "there is no user postgres") }
            guard chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw Failure(description: "chown: \(String(cString: strerror(errno)))")
            }
        }
        return folder
    }

    /// The folder of `initdb`, `pg_ctl` and `psql`, which are not in the PATH on Debian.
    private static func binaries() throws -> String {
        var candidates = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let debian = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
        candidates += versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(debian)/\($0)/bin" }
        let found = candidates.first { folder in
            ["initdb", "pg_ctl", "psql"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
        }
        guard let found else { throw Failure(description: "PostgreSQL's server is not installed (no initdb found)") }
        return found
    }

    private static func script(folder: String, binaries: String, password: String, settings: [String]) -> String {
        """
        trap '' INT TERM HUP
        cd / && umask 077
        D='\(folder)'; B='\(binaries)'
        export HOME="$D" PGPASSWORD='\(password)' PGHOST="$D" PGUSER=parley PGDATABASE=postgres LC_ALL=C.UTF-8
        answer() { if [ "$1" = 0 ]; then echo ok; else echo failed; fi; }
        printf '%s\\n' "$PGPASSWORD" >"$D/password"
        "$B/initdb" -D "$D/data" -U parley -A scram-sha-256 --pwfile="$D/password" -E UTF8 --locale=C.UTF-8 \
            --no-instructions >"$D/log" 2>&1
        code=$?
        cat >>"$D/data/postgresql.conf" <<'SETTINGS'
        \(settings.joined(separator: "\n"))
        SETTINGS
        answer $code
        while read -r command argument; do
            case $command in
            start) "$B/pg_ctl" -D "$D/data" -l "$D/log" -w -t 60 -s start >>"$D/log" 2>&1 </dev/null ;;
            stop) "$B/pg_ctl" -D "$D/data" -m "$argument" -w -t 60 -s stop >>"$D/log" 2>&1 </dev/null ;;
            create) "$B/psql" -q -c "CREATE DATABASE $argument" >>"$D/log" 2>&1 </dev/null ;;
            esac
            answer $?
        done
        "$B/pg_ctl" -D "$D/data" -m immediate -w -t 60 -s stop >/dev/null 2>&1
        rm -rf "$D"
        """
    }

    /// Starts `sh`.
    /// - Returns: where its commands go and its answers come from.
    private static func spawn(_ script: String) throws -> (commands: CInt, answers: CInt) {
        var input: [CInt] = [0, 0]
        var output: [CInt] = [0, 0]
        // Close-on-exec, so that no other child of this process keeps the pipe open.
        guard pipe(&input) == 0, pipe(&output) == 0 else {
            throw Failure(description: "pipe: \(String(cString: strerror(errno)))")
        }
        for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: Ctrl-C is for the tests.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var arguments = ["/bin/sh", "-c", script]
        if getuid() == 0 {
            arguments.insert(
                contentsOf: ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--inh-caps=-all"], at: 0)
        }
        var list = arguments.map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &list, environ)
        close(input[0])
        close(output[1])
        guard code == 0 else { throw Failure(description: "\(arguments[0]): \(String(cString: strerror(code)))") }
        return (input[1], output[0])
    }

    // MARK: Commands

    private func command(_ line: String) throws {
        try lock.withLock {
            let bytes = Array((line + "\n").utf8)
            guard write(commands, bytes, bytes.count) == bytes.count else {
                throw Failure(description: "the server's keeper is gone")
            }
            try expectAnswer(to: line)
        }
    }

    private func expectAnswer(to command: String) throws {
        var answer = ""
        var byte: UInt8 = 0
        while true {
            let count = read(answers, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            answer.unicodeScalars.append(Unicode.Scalar(byte))
        }
        guard answer == "ok" else {
            let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "no log"
            throw Failure(description: "\(command): \(answer.isEmpty ? "the server's keeper ended" : answer)\n\(log)")
        }
    }
}
