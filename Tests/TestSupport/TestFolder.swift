import Foundation
import Glibc

/// A folder with a short path for the servers of one test. ``remove()`` deletes it; if the process was killed, the next
/// run does.
public final class TestFolder: Sendable {
    public let path: String

    public init() throws {
        _ = Self.swept
        var template = Array("\(Self.parent)/parley-test-\(getpid())-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        chmod(path, 0o711)  // When the tests run as root, PostgreSQL's account must be able to enter.
    }

    /// Notes a folder elsewhere that is removed together with this one.
    func alsoRemove(_ other: String) throws {
        try other.write(toFile: "\(path)/along", atomically: true, encoding: .utf8)
    }

    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        if let along = try? String(contentsOfFile: "\(path)/along", encoding: .utf8), along.contains("/parley-") {
            try? FileManager.default.removeItem(atPath: along)
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// In memory on machines that have plenty: on a disk PostgreSQL takes two thirds more processor time, most of it to
    /// make and delete the files of new databases.
    private static let parent = {
        let memory = "/dev/shm"
        var space = statvfs()
        guard statvfs(memory, &space) == 0, access(memory, W_OK) == 0, space.f_flag & 8 == 0 else {  // ST_NOEXEC
            return "/tmp"
        }
        return min(ProcessInfo.processInfo.physicalMemory / 2, freeBytes(at: memory)) >= 6 << 30 ? memory : "/tmp"
    }()

    /// Removes the folders of killed runs, whose processes have ended with them.
    private static let swept: Void = {
        for parent in Set(["/tmp", parent]) { sweep(parent) }
    }()

    private static func sweep(_ parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            let parts = name.split(separator: "-")
            guard name.hasPrefix("parley-test-"), parts.count == 4, let pid = pid_t(parts[2]) else { continue }
            guard kill(pid, 0) != 0, errno == ESRCH else { continue }
            remove("\(parent)/\(name)")
            removeSockets(of: pid)
        }
    }

    /// Removes the sockets of a killed cluster, which are in a folder named by its process id.
    private static func removeSockets(of pid: pid_t) {
        let environment = ProcessInfo.processInfo.environment
        for parent in ["/run", environment["XDG_RUNTIME_DIR"] ?? "", environment["TMPDIR"] ?? "", "/tmp"]
        where !parent.isEmpty {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            where name.hasPrefix("parley-") {
                // Empty folders of other processes stay, because they may be about to be used.
                guard (try? FileManager.default.removeItem(atPath: "\(parent)/\(name)/run-\(pid)")) != nil else {
                    continue
                }
                rmdir("\(parent)/\(name)")  // Fails while it contains anything else.
            }
        }
    }
}

/// The free space of a folder's disk; 0 if it does not exist.
func freeBytes(at path: String) -> UInt64 {
    var space = statvfs()
    return statvfs(path, &space) == 0 ? UInt64(space.f_bavail) * UInt64(space.f_frsize) : 0
}

/// Copies a folder with the owners of its files.
/// - Parameter copy: its path; nothing must be there.
func copyFolder(_ original: String, to copy: String) async throws {
    let copying = try await runToEnd(["cp", "-a", original, copy])
    guard copying.status == 0 else { throw NeverHappened(description: copying.errors) }
}

/// Work to do before the test process ends. All of it starts together, the newest first.
enum AtExit {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var duties: [@Sendable () async -> Void] = []  // Under `lock`.
    private static let registered: Void = { atexit { AtExit.run() } }()

    static func add(_ duty: @escaping @Sendable () async -> Void) {
        _ = registered
        lock.withLock { duties.append(duty) }
    }

    private static func run() {
        let all = lock.withLock { duties }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await withTaskGroup(of: Void.self) { group in
                for duty in all.reversed() { group.addTask { await duty() } }
            }
            done.signal()
        }
        _ = done.wait(timeout: .now() + 20)
    }
}
