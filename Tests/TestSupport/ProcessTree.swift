import Foundation
import Glibc

/// A process and all that it started, as PostgreSQL with its sessions.
public enum ProcessTree {
    /// The process itself first.
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

    /// All stand still, as if the machine did: its sockets stay, nobody answers.
    public static func freeze(_ root: pid_t) {
        kill(root, SIGSTOP)  // First, so that it starts nothing any more.
        for pid in pids(of: root).dropFirst() { kill(pid, SIGSTOP) }
    }

    /// All go on.
    public static func thaw(_ root: pid_t) {
        for pid in pids(of: root).reversed() { kill(pid, SIGCONT) }
    }

    /// What a process holds in memory, in bytes; zero when it is gone.
    public static func residentBytes(of pid: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func parent(of pid: pid_t) -> pid_t? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
