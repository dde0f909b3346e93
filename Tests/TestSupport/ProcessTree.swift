import Foundation
import Glibc

/// A process and all its descendants, such as PostgreSQL with its sessions.
public enum ProcessTree {
    /// Returns the ids of a process and its descendants, the process itself first.
    public static func pids(of root: pid_t) -> [pid_t] {
        let parents = Dictionary(
            uniqueKeysWithValues: ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [])
                .compactMap(pid_t.init).compactMap { pid in parent(of: pid).map { (pid, $0) } })
        var found = [root]
        var next = 0
        while next < found.count {
            found += parents.filter { $0.value == found[next] }.map(\.key)
            next += 1
        }
        return found
    }

    /// Stops all of them as if the machine had stopped: sockets stay open, and nothing answers.
    public static func freeze(_ root: pid_t) {
        kill(root, SIGSTOP)  // First, so that it starts no more processes.
        for pid in pids(of: root).dropFirst() { kill(pid, SIGSTOP) }
    }

    /// Lets all of them continue.
    public static func thaw(_ root: pid_t) {
        for pid in pids(of: root).reversed() { kill(pid, SIGCONT) }
    }

    /// Returns the resident memory of a process in bytes; zero when it has ended.
    public static func residentBytes(of pid: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Returns how long each thread of a process and its descendants could have run but waited for a core, so far.
    static func waits(of root: pid_t) -> [pid_t: Duration] {
        var waits: [pid_t: Duration] = [:]
        for pid in pids(of: root) {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
            for thread in threads.compactMap(pid_t.init) {
                let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/schedstat", encoding: .utf8)
                // Nanoseconds on a core, nanoseconds in the queue for one, and how often it ran.
                guard let waited = text?.split(separator: " ").dropFirst().first.flatMap({ Int64($0) }) else {
                    continue
                }
                waits[thread] = .nanoseconds(waited)
            }
        }
        return waits
    }

    private static func parent(of pid: pid_t) -> pid_t? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
