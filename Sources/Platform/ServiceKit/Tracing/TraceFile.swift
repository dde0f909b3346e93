import Glibc
import Metrics
import Reactor
import Synchronization

/// Appends finished spans to a file, on its own thread. Spans that come faster than the disk takes them, or cannot be
/// written, are dropped and counted. So tracing delays no request.
///
/// Several processes may write to one file, since each line is written in one piece. After the file is moved away
/// (logrotate), the next line goes to a new one.
final class TraceFile: Sendable {
    /// A file that cannot be written to, and why.
    struct Unwritable: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var waiting: [FinishedSpan] = []
        /// Whether a thread is writing, or about to write.
        var isWriting = false
        var isClosing = false
    }

    /// Further spans are dropped. The default takes about 8 MB.
    private let spansHeldMax: Int
    private static let spansOfLineMax = 256
    /// How long it collects spans, so that a line holds more than one.
    private static let pause = Duration.milliseconds(200)

    private let path: String
    private let text: TraceText
    private let state = Mutex(State())
    private let output: Mutex<Output>
    private let pool = WorkPool(threads: 1, queue: 1)
    private let written: Counter
    private let dropped: Counter

    /// - Throws: ``Unwritable``.
    init(
        _ path: String, _ text: TraceText, spansHeldMax: Int = 8192, metrics: any MetricsFactory = MetricsSystem.factory
    ) throws(Unwritable) {
        (self.path, self.text, self.spansHeldMax) = (path, text, spansHeldMax)
        written = Counter(label: "parley_trace_spans_written_total", dimensions: [], factory: metrics)
        dropped = Counter(label: "parley_trace_spans_dropped_total", dimensions: [], factory: metrics)
        guard let output = Output(path) else {
            throw Unwritable(description: "cannot write \(path) (\(lastSystemError))")
        }
        self.output = Mutex(output)
    }

    /// Adds a span to write. Returns immediately.
    func add(_ span: FinishedSpan) {
        enum Decision { case drop, wait, start }
        let decision = state.withLock { state -> Decision in
            guard state.waiting.count < spansHeldMax else { return .drop }
            state.waiting.append(span)
            if state.isWriting { return .wait }
            state.isWriting = true
            return .start
        }
        switch decision {
        case .drop: dropped.increment()
        case .wait: return
        // It only waits for the pool.
        case .start: Task { [pool] in try? await pool.run { self.write() } }
        }
    }

    /// Writes the waiting spans, if that is possible within `limit`. Add no more after this.
    func close(within limit: Duration = .seconds(1)) async {
        state.withLock { $0.isClosing = true }
        let end = ContinuousClock.now + limit
        while state.withLock({ $0.isWriting }), ContinuousClock.now < end {
            // Once, when the process ends. The writer is a thread of the pool, which wakes no task.
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func write() {
        let end = ContinuousClock.now + Self.pause
        // Gathers spans, so that a line has many. The thread is one of the pool.
        while !state.withLock({ $0.isClosing }), ContinuousClock.now < end { usleep(5000) }
        while let spans = next() {
            let line = text.line(spans)
            if output.withLock({ $0.write(line, to: path) }) {
                written.increment(by: Int64(spans.count))
            } else {
                dropped.increment(by: Int64(spans.count))
            }
        }
    }

    /// Returns the spans of the next line; nil if none are left and the thread may end.
    private func next() -> [FinishedSpan]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            guard state.waiting.count > Self.spansOfLineMax else {
                defer { state.waiting.removeAll(keepingCapacity: true) }
                return state.waiting
            }
            defer { state.waiting.removeFirst(Self.spansOfLineMax) }
            return Array(state.waiting.prefix(Self.spansOfLineMax))
        }
    }
}

/// The open file. Only one thread uses it at a time.
private struct Output: ~Copyable {
    private var descriptor: Int32
    private var device: dev_t = 0
    private var inode: ino_t = 0
    /// Whether the last line was written in part, so that the next needs a line break before it.
    private var isWithinLine = false

    /// Returns nil with `errno` set if the file cannot be opened.
    init?(_ path: String) {
        descriptor = -1
        guard open(path) else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private mutating func open(_ path: String) -> Bool {
        // Non-blocking, so that a pipe without a reader blocks no thread; it has no effect on files.
        let opened = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard opened >= 0 else { return false }
        if descriptor >= 0 { close(descriptor) }
        descriptor = opened
        isWithinLine = false
        var found = stat()
        if fstat(opened, &found) == 0 { (device, inode) = (found.st_dev, found.st_ino) }
        return true
    }

    /// - Returns: whether the whole line was written.
    mutating func write(_ line: [UInt8], to path: String) -> Bool {
        var found = stat()
        let isInPlace = stat(path, &found) == 0 && found.st_dev == device && found.st_ino == inode
        guard isInPlace || open(path) else { return false }
        let bytes = isWithinLine ? [UInt8(ascii: "\n")] + line : line
        let count = Glibc.write(descriptor, bytes, bytes.count)
        if count == bytes.count {
            isWithinLine = false
            return true
        }
        if count > 0 { isWithinLine = true }
        return false
    }
}
