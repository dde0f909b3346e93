import Glibc
import Metrics
import Reactor
import Schema

/// Records every 5 s how busy the process's loop is.
@ReactorActor
final class LoopFigures {
    private static let interval = Duration.seconds(5)

    private let busy = Gauge(label: "parley_loop_busy_ratio")
    private let longestTurn = Gauge(label: "parley_loop_longest_turn_seconds")
    private var repetition: Reactor.Repetition?

    func start() {
        repetition = Reactor.shared.every(Self.interval) { [weak self] in
            guard let self else { return }
            let figures = Reactor.shared.takeStatistics()
            busy.record(figures.busy / Self.interval)
            longestTurn.record(figures.longestTurn / .seconds(1))
        }
    }

    func stop() { repetition?.cancel() }
}

/// The operating system's figures for this process, under the names that Prometheus' own libraries use. Read on demand.
struct ProcessFigures: Sendable {
    var startedAt: Timestamp
    var version: String

    var samples: [MetricSample] {
        var usage = rusage()
        getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return [
            MetricSample("parley_build_info", .gauge, 1, labels: [MetricLabel(name: "version", value: version)]),
            MetricSample(
                "process_cpu_seconds_total", .counter, Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)),
            MetricSample("process_max_fds", .gauge, Double(limit.rlim_cur)),
            MetricSample("process_open_fds", .gauge, Double(Self.openDescriptors)),
            MetricSample("process_resident_memory_bytes", .gauge, Double(Self.residentBytes)),
            MetricSample("process_start_time_seconds", .gauge, Double(startedAt.rawValue) / 1e6),
        ]
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// proc(5): the second number of statm, in pages.
    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let count = fread(&line, 1, line.count, file)
        let fields = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * sysconf(CInt(_SC_PAGESIZE))
    }

    private static var openDescriptors: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without ".", ".." and the descriptor of this read.
        return max(0, count - 3)
    }
}
