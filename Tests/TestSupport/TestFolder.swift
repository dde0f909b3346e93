import Foundation
import Glibc

/// A short folder for one test's servers. It goes when the test process ends; when that was killed, with the next run.
public final class TestFolder: Sendable {
    public let path: String

    public init() throws {
        _ = Self.swept
        var template = Array("/tmp/parley-test-\(getpid())-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        chmod(path, 0o711)  // PostgreSQL's account must pass when the tests run as root.
    }

    /// Notes a folder elsewhere that goes together with this one.
    func takesAlong(_ other: String) throws {
        try other.write(toFile: "\(path)/along", atomically: true, encoding: .utf8)
    }

    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        if let along = try? String(contentsOfFile: "\(path)/along", encoding: .utf8), along.contains("/parley-") {
            try? FileManager.default.removeItem(atPath: along)
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes what killed runs left behind. Their processes have ended with them.
    private static let swept: Void = {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? [] {
            let parts = name.split(separator: "-")
            guard name.hasPrefix("parley-test-"), parts.count == 4, let pid = pid_t(parts[2]) else { continue }
            guard kill(pid, 0) != 0, errno == ESRCH else { continue }
            remove("/tmp/\(name)")
            removeSockets(of: pid)
        }
    }()

    /// A killed cluster's own sockets stand in a folder that bears its process's number.
    private static func removeSockets(of pid: pid_t) {
        let environment = ProcessInfo.processInfo.environment
        for place in ["/run", environment["XDG_RUNTIME_DIR"] ?? "", environment["TMPDIR"] ?? "", "/tmp"]
        where !place.isEmpty {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            where name.hasPrefix("parley-") {
                // Empty folders of others are theirs: they may be about to use them.
                guard (try? FileManager.default.removeItem(atPath: "\(place)/\(name)/run-\(pid)")) != nil else {
                    continue
                }
                rmdir("\(place)/\(name)")  // Only when nothing else is in it.
            }
        }
    }
}

/// What is to be done before the test process ends, newest first.
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
