import Foundation

/// The CPU and memory use of processes, as Linux counts it in `/proc`.
enum ProcessUsage {
    /// Returns the CPU seconds of a process since its start.
    static func cpu(of pid: pid_t) -> Double { times(of: pid).map { $0.own } ?? 0 }

    /// Returns the CPU seconds of a process and its children, including those that have ended.
    static func cpuOfTree(_ pid: pid_t) -> Double {
        guard let parent = times(of: pid) else { return 0 }
        return children(of: pid).reduce(parent.own + parent.ended) { $0 + cpu(of: $1) }
    }

    /// The CPU seconds of this process.
    static var cpuOfThis: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// Returns resident memory in KiB.
    static func rssKiB(of pid: pid_t) -> Double { figure("VmRSS", in: "/proc/\(pid)/status") }

    /// Returns the most memory that a process had resident so far, in KiB; 0 once it has ended.
    static func peakKiB(of pid: pid_t) -> Double { figure("VmHWM", in: "/proc/\(pid)/status") }

    /// Returns proportional memory (PSS) in MiB, which counts shared pages in parts.
    static func pssMiB(of pid: pid_t) -> Double { figure("Pss", in: "/proc/\(pid)/smaps_rollup") / 1024 }

    static func children(of pid: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            (read("/proc/\(pid)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Returns the name of a thread, such as "reactor"; its number once it has ended.
    static func name(ofThread thread: UInt32, of pid: pid_t) -> String {
        let name = read("/proc/\(pid)/task/\(thread)/comm")?.trimmingCharacters(in: .whitespacesAndNewlines)
        return name ?? "thread \(thread)"
    }

    /// Returns what a process of PostgreSQL is there for, such as "walwriter", or whose session it has.
    static func title(of pid: pid_t) -> String {
        let line = (read("/proc/\(pid)/cmdline") ?? "").split(separator: "\0").joined(separator: " ")
        guard let colon = line.range(of: "postgres: ") else { return "main" }
        return line[colon.upperBound...].split(separator: " ").first.map(String.init) ?? "main"
    }

    private static func figure(_ name: String, in path: String) -> Double {
        let line = (read(path) ?? "").split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? 0
    }

    private static func times(of pid: pid_t) -> (own: Double, ended: Double)? {
        // The name in brackets may contain any character, so the fields are counted after it.
        guard let text = read("/proc/\(pid)/stat"), let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[name...].split(separator: " ")
        guard fields.count > 15 else { return nil }
        let ticks = fields[12...15].map { Double($0) ?? 0 }
        let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        return ((ticks[0] + ticks[1]) / perSecond, (ticks[2] + ticks[3]) / perSecond)
    }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
