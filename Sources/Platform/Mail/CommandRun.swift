import Glibc
import Reactor

/// Runs a program that takes its input at once and ends in a while.
enum CommandRun {
    struct Ended: Equatable {
        /// Its exit code; of one that a signal ended 128 and the signal's number; -1: it could not be started.
        var code: Int32
        /// The beginning of what it wrote.
        var output: String
    }

    private static let outputBytesMax = 200
    private static let step = Duration.milliseconds(20)

    /// - Parameter limit: when it is killed.
    /// - Throws: `CancellationError`, after it was killed.
    @ReactorActor
    static func run(_ line: [String], input: [UInt8], limit: Duration) async throws -> Ended {
        // Sockets, since writing to a pipe whose reader has ended would end this process.
        guard let program = line.first, let given = SocketPair(), let said = SocketPair() else {
            return Ended(code: -1, output: "there are no sockets for its input and output")
        }
        var process = pid_t()
        let code = start(program, line, input: given.theirs, output: said.theirs, &process)
        given.closeTheirs()
        said.closeTheirs()
        guard code == 0 else { return Ended(code: -1, output: String(cString: strerror(code))) }
        var (left, output) = (input[...], [UInt8]())
        let end = await end(of: process, by: .now + limit) {
            left = given.give(left)
            output = Array((output + said.take()).prefix(outputBytesMax))
        }
        if end != 0 { try Task.checkCancellation() }
        let text = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " ")
        return Ended(code: end, output: text)
    }

    private static func start(
        _ program: String, _ line: [String], input: CInt, output: CInt, _ process: inout pid_t
    ) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        for descriptor in openDescriptors { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return withStrings(line) { arguments in
            // Nothing of this process's settings, of which some are secret.
            withStrings(environment) { posix_spawn(&process, program, &actions, &attributes, arguments, $0) }
        }
    }

    private static var environment: [String] {
        ["PATH", "HOME", "LANG", "TZ"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
    }

    /// This process's files and sockets, none of which the program gets.
    private static var openDescriptors: [CInt] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var found: [CInt] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = CInt(name), number > 2 { found.append(number) }
        }
        return found
    }

    /// Waits for the end of a process, which is killed when its time is over. Also if the task is cancelled, so that
    /// none is left behind.
    @ReactorActor
    private static func end(
        of process: pid_t, by end: ContinuousClock.Instant, _ meanwhile: () -> Void
    ) async -> Int32 {
        var status: CInt = 0
        while true {
            meanwhile()
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { break }
            if ended < 0, errno != EINTR { return -1 }
            do {
                if ContinuousClock.now > end { throw CancellationError() }
                // The end of a process wakes no loop, and this one is over in a moment.
                try await Reactor.shared.sleep(for: step)
            } catch {
                kill(-process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                break
            }
        }
        meanwhile()
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}

/// Two sockets that are connected: one for this process, one for a program.
private final class SocketPair {
    private let ours: CInt
    let theirs: CInt
    private var isOpen = true
    private var hasEnded = false

    init?() {
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
        (ours, theirs) = (pair[0], pair[1])
    }

    deinit {
        closeTheirs()
        close(ours)
    }

    func closeTheirs() {
        if isOpen { close(theirs) }
        isOpen = false
    }

    /// Gives as many bytes as fit, and says when these were all. Returns the rest.
    func give(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !hasEnded else { return [] }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(ours, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            guard count > 0 else { return rest }
            rest = rest.dropFirst(count)
        }
        shutdown(ours, CInt(SHUT_WR))
        hasEnded = true
        return rest
    }

    func take() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var taken: [UInt8] = []
        while true {
            let count = recv(ours, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            guard count > 0, taken.count < 1 << 20 else { return taken }
            taken += bytes.prefix(count)
        }
    }
}
