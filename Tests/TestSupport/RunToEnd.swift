import Foundation
import Glibc

/// What a program that ended left.
public struct Ended: Sendable {
    /// Its exit code, or the number of the signal that ended it.
    public var status: Int32
    public var output: String
    public var errors: String
}

/// Runs a program to its end.
///
/// Its input and output are files, and its end is asked of the kernel. With pipes and Foundation's `Process`, a program
/// that another thread starts at the same moment can get the pipe too, and the reader then waits for the end of that
/// one: for a cluster of tests, the end of all tests.
/// - Parameters:
///   - command: the program, which is looked up in PATH unless it is a path, and its arguments.
///   - environment: its whole environment; nil: that of this process.
///   - input: its standard input. ``FileHandle/holding(_:)`` makes one of data.
/// - Throws: ``NeverHappened`` if it does not start, or does not end in time. Then it is killed.
public func runToEnd(
    _ command: [String], environment: [String: String]? = nil, in folder: String = "/",
    input: FileHandle = .nullDevice, within limit: Duration = .seconds(240)
) async throws -> Ended {
    try await onThread {
        let (output, errors) = (try FileHandle.scratch(), try FileHandle.scratch())
        let pid = try start(command, environment, folder, [input, output, errors].map(\.fileDescriptor))
        let end = ContinuousClock.now + limit * patience
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < end else {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                throw NeverHappened(
                    description: "the end of \(command): not within \(limit): \(output.whole)\(errors.whole)")
            }
            usleep(1000)
        }
        let signal = status & 0x7f
        return Ended(
            status: signal == 0 ? (status >> 8) & 0xff : signal, output: output.whole, errors: errors.whole)
    }
}

/// Starts a program in its own process, with the default action for each signal, and nothing open but `files`.
private func start(
    _ command: [String], _ environment: [String: String]?, _ folder: String, _ files: [Int32]
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, file) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, file, Int32(descriptor)) }
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A shell that runs tests in the background has them ignore SIGINT, and what they start would inherit that.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = (["env", "-C", folder] + command).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var settings = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for setting in settings { free(setting) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, &arguments, &settings)
    guard code == 0 else { throw NeverHappened(description: "\(command): \(String(cString: strerror(code)))") }
    return pid
}

extension FileHandle {
    /// Opens a file that can be read from its beginning.
    public static func holding(_ data: Data) throws -> FileHandle {
        let file = try scratch()
        try file.write(contentsOf: data)
        try file.seek(toOffset: 0)
        return file
    }

    /// Makes a file without a name, which is gone when it is closed.
    fileprivate static func scratch() throws -> FileHandle {
        var path = Array("/tmp/parley-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// All that the file holds.
    fileprivate var whole: String {
        let data = (try? seek(toOffset: 0)).flatMap { try? readToEnd() } ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
