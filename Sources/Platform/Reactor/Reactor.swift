import CZeroMQ
import Glibc
import Synchronization

/// The process's event loop, one thread that polls ZeroMQ sockets and file descriptors, fires timers, and runs every
/// job of ``ReactorActor``.
///
/// A request is received, checked, batched and answered on this thread, without a thread hop or a lock. Work that takes
/// more than about 2 ms belongs in a ``WorkPool``.
public final class Reactor: SerialExecutor, @unchecked Sendable {
    // Sendable: `remote` is locked and `thread` is atomic. Only the loop's thread uses all other state.

    /// The reactor of this process. Its thread starts at first use.
    public static let shared = Reactor()

    /// The events for which a file descriptor is watched.
    public struct Interest: OptionSet, Sendable {
        public let rawValue: Int16
        public init(rawValue: Int16) { self.rawValue = rawValue }
        public static let readable = Interest(rawValue: Int16(ZMQ_POLLIN))
        public static let writable = Interest(rawValue: Int16(ZMQ_POLLOUT))
        public static let failed = Interest(rawValue: Int16(ZMQ_POLLERR))
    }

    /// Statistics since the last ``takeStatistics()``.
    public struct Statistics: Sendable {
        public var turns = 0
        /// Time spent working rather than waiting.
        public var busy: Duration = .zero
        /// The longest turn, which is how long a ready socket may have waited.
        public var longestTurn: Duration = .zero
    }

    /// A job to run. A task that prefers the loop (``Task/onLoop(_:)``) is told that it runs on ``LoopExecutor``;
    /// otherwise it would be queued again at each call of an asynchronous function.
    struct Job {
        let job: UnownedJob
        let prefersLoop: Bool
    }

    private struct Remote {
        var jobs: [Job] = []
        var isAwake = false
    }

    private struct Watched {
        var item: zmq_pollitem_t
        var handler: @ReactorActor (Interest) -> Void
    }

    private let remote = Mutex(Remote())
    private let wakeUp: CInt
    private let thread = Atomic<pthread_t>(0)

    private var jobs: [Job] = []
    private var watched: [UInt64: Watched] = [:]
    private var lastWatch: UInt64 = 0
    private var pollItems: [zmq_pollitem_t] = []
    private var pollOrder: [UInt64] = []
    private var pollIsStale = true
    private var timers = TimerQueue()
    private var endOfTurn: [@ReactorActor () -> Void] = []
    private var statistics = Statistics()

    private init() {
        wakeUp = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        precondition(wakeUp >= 0, "eventfd: \(String(cString: strerror(errno)))")
        start()
    }

    private func start() {
        var handle = pthread_t()
        let me = Unmanaged.passUnretained(self)  // The shared reactor is never freed.
        let code = pthread_create(
            &handle, nil,
            { context in
                let reactor = Unmanaged<Reactor>.fromOpaque(context!).takeUnretainedValue()  // the context passed below
                reactor.thread.store(pthread_self(), ordering: .releasing)
                ReactorActor.assumeIsolated { reactor.run() }
            }, me.toOpaque())
        precondition(code == 0, "pthread_create: \(String(cString: strerror(code)))")
    }

    /// Gives this thread a name, which `top -H` and `parley-lab bench hops` show.
    private static func nameThread() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "reactor", 7)
        close(file)
    }

    // MARK: Executor

    public var isOnLoop: Bool { thread.load(ordering: .acquiring) == pthread_self() }

    public func checkIsolated() {
        precondition(isOnLoop, "not on the reactor's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    public func enqueue(_ job: consuming ExecutorJob) {
        add(Job(job: UnownedJob(job), prefersLoop: false))
    }

    func add(_ job: Job) {
        if isOnLoop {
            jobs.append(job)
            return
        }
        let mustWake = remote.withLock { remote in
            remote.jobs.append(job)
            defer { remote.isAwake = true }
            return !remote.isAwake
        }
        if mustWake { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    // MARK: The loop

    @ReactorActor
    private func run() -> Never {
        Self.nameThread()
        let executor = asUnownedSerialExecutor()
        let loopExecutor = LoopExecutor.shared.asUnownedTaskExecutor()
        let clock = ContinuousClock()
        while true {
            let woke = clock.now
            dispatchReady()
            // Uses one instant for all timers, so that one that restarts itself without delay cannot block the loop.
            while let action = timers.popDue(at: woke) { action() }
            // Jobs queued by jobs run in the same turn, up to a limit, so that they cannot starve the sockets.
            var budget = 10_000
            repeat {
                takeRemoteJobs()
                while !jobs.isEmpty, budget > 0 {
                    let batch = jobs
                    jobs.removeAll(keepingCapacity: true)
                    for job in batch {
                        if job.prefersLoop {
                            job.job.runSynchronously(isolatedTo: executor, taskExecutor: loopExecutor)
                        } else {
                            job.job.runSynchronously(on: executor)
                        }
                    }
                    budget -= batch.count
                }
                let actions = endOfTurn
                endOfTurn.removeAll(keepingCapacity: true)
                for action in actions { action() }
            } while !endOfTurn.isEmpty || (!jobs.isEmpty && budget > 0)
            note(turn: clock.now - woke)
            poll(clock)
        }
    }

    private func note(turn: Duration) {
        statistics.turns += 1
        statistics.busy += turn
        if turn > statistics.longestTurn { statistics.longestTurn = turn }
    }

    private func takeRemoteJobs() {
        remote.withLock { remote in
            remote.isAwake = true  // No thread needs to write to the eventfd until the next poll, which checks again.
            guard !remote.jobs.isEmpty else { return }
            jobs.append(contentsOf: remote.jobs)
            remote.jobs.removeAll(keepingCapacity: true)
        }
    }

    @ReactorActor
    private func poll(_ clock: ContinuousClock) {
        if pollIsStale { rebuildPollItems() }
        // Remote jobs enqueued before this point are seen now; later ones must wake the loop.
        let mustNotWait = remote.withLock { remote in
            remote.isAwake = !remote.jobs.isEmpty
            return remote.isAwake
        }
        var timeout = -1
        if mustNotWait || !jobs.isEmpty {
            timeout = 0
        } else if let deadline = timers.next {
            let wait = max(.zero, deadline - clock.now).components  // Never negative, which would mean "forever".
            // Rounded up, so that a timer is due when the poll returns.
            timeout = Int(wait.seconds) * 1000 + Int((wait.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
        let ready = zmq_poll(&pollItems, CInt(pollItems.count), timeout)
        if ready < 0 { for index in pollItems.indices { pollItems[index].revents = 0 } }  // EINTR: start another turn.
    }

    @ReactorActor
    private func dispatchReady() {
        guard !pollItems.isEmpty else { return }
        if pollItems[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(wakeUp, &count, 8)
        }
        for index in 1..<pollItems.count where pollItems[index].revents != 0 {
            let events = pollItems[index].revents
            pollItems[index].revents = 0
            // An earlier handler of this turn may have ended this watch.
            if let entry = watched[pollOrder[index - 1]] { entry.handler(Interest(rawValue: events)) }
        }
    }

    @ReactorActor
    private func rebuildPollItems() {
        pollItems = [zmq_pollitem_t(socket: nil, fd: wakeUp, events: Int16(ZMQ_POLLIN), revents: 0)]
        pollOrder = []
        for (id, entry) in watched where entry.item.events != 0 {
            pollItems.append(entry.item)
            pollOrder.append(id)
        }
        pollIsStale = false
    }

    // MARK: Watches and timers

    /// Calls `handler` whenever `descriptor` is ready, until ``unwatch(_:)``. Level-triggered.
    @ReactorActor
    public func watch(
        descriptor: CInt, for interest: Interest, _ handler: @escaping @ReactorActor (Interest) -> Void
    ) -> Watch {
        add(zmq_pollitem_t(socket: nil, fd: descriptor, events: interest.rawValue, revents: 0), handler)
    }

    /// Calls `handler` whenever the socket has a message to read, until ``unwatch(_:)``. Level-triggered.
    @ReactorActor
    func watch(socket: UnsafeMutableRawPointer, _ handler: @escaping @ReactorActor (Interest) -> Void) -> Watch {
        add(zmq_pollitem_t(socket: socket, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0), handler)
    }

    @ReactorActor
    private func add(_ item: zmq_pollitem_t, _ handler: @escaping @ReactorActor (Interest) -> Void) -> Watch {
        lastWatch += 1
        watched[lastWatch] = Watched(item: item, handler: handler)
        pollIsStale = true
        return Watch(id: lastWatch)
    }

    /// Identifies a registration with the loop.
    public struct Watch: Sendable, Hashable {
        fileprivate let id: UInt64
    }

    @ReactorActor
    public func change(_ watch: Watch, to interest: Interest) {
        guard watched[watch.id]?.item.events != interest.rawValue else { return }
        watched[watch.id]?.item.events = interest.rawValue
        pollIsStale = true
    }

    @ReactorActor
    public func unwatch(_ watch: Watch) {
        watched[watch.id] = nil
        pollIsStale = true
    }

    /// Calls `action` once this turn's jobs have run. Use it to flush what they collected.
    @ReactorActor
    public func atEndOfTurn(_ action: @escaping @ReactorActor () -> Void) {
        endOfTurn.append(action)
    }

    /// Identifies a timer.
    public struct Timer: Sendable, Hashable {
        fileprivate let id: UInt64
    }

    /// Calls `action` once, `delay` from now, unless cancelled. O(log n).
    @ReactorActor
    @discardableResult
    public func after(_ delay: Duration, _ action: @escaping @ReactorActor () -> Void) -> Timer {
        Timer(id: timers.add(at: .now + delay, action))
    }

    @ReactorActor
    public func cancel(_ timer: Timer) {
        timers.cancel(timer.id)
    }

    /// Calls `action` every `interval` until the returned handle is cancelled.
    @ReactorActor
    public func every(_ interval: Duration, _ action: @escaping @ReactorActor () -> Void) -> Repetition {
        let repetition = Repetition(interval, action)
        repetition.schedule()
        return repetition
    }

    /// A repeated action. It ends when this object is cancelled or released.
    @ReactorActor
    public final class Repetition {
        private let interval: Duration
        private let action: @ReactorActor () -> Void
        private var timer: Timer?
        private var isCancelled = false

        fileprivate init(_ interval: Duration, _ action: @escaping @ReactorActor () -> Void) {
            self.interval = interval
            self.action = action
        }

        fileprivate func schedule() {
            timer = Reactor.shared.after(interval) { [weak self] in
                guard let self, !isCancelled else { return }
                action()
                if !isCancelled { schedule() }
            }
        }

        public func cancel() {
            isCancelled = true
            if let timer { Reactor.shared.cancel(timer) }
        }
    }

    /// Suspends the caller for `delay`.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @ReactorActor
    public func sleep(for delay: Duration) async throws {
        // Checked here too, so that a caller that ignores the error in a loop does not leave a task behind each time.
        try Task.checkCancellation()
        _ = await Wait().value(atMost: delay)
        try Task.checkCancellation()
    }

    /// Returns the statistics since the last call and resets them.
    @ReactorActor
    public func takeStatistics() -> Statistics {
        defer { statistics = Statistics() }
        return statistics
    }
}
