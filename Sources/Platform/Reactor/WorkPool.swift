import Glibc
import Synchronization

/// A few threads for work that would block the loop, such as password hashing, name resolution or extraction.
///
/// The threads and the queue are bounded. When the queue is full, the pool refuses work immediately. Work of people is
/// done in turns, and one person's takes a quarter of the queue at most.
public final class WorkPool: Sendable {
    /// The queue is full, or the work was not begun in time. The caller should try again later.
    public struct Overloaded: Error, Sendable {
        public init() {}
    }

    private struct State {
        var waiting = FairQueue<@Sendable () -> Void>()
        /// Threads, of which so many are idle.
        var threads = 0
        var idle = 0
    }

    private let threadLimit: Int
    private let queueLimit: Int
    private let isPatient: Bool
    private let state = Mutex(State())
    /// Counts the jobs that idle threads were woken for. POSIX semaphores may be used from any thread.
    private nonisolated(unsafe) let wakeUps = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// How long a thread stays without a job. To start one costs more than most jobs of a busy service.
    private static let idleSecondsMax = 1

    /// One thread per core, at most 8. A container sees all cores of its machine, even if it may use only a few, and
    /// hashing a password takes 19 MiB.
    public static var threadsOfMachine: Int { min(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))), 8) }

    /// - Parameters:
    ///   - threads: maximum number of jobs that run at the same time; nil for one per core, at most 8. A thread ends
    ///     when no job has come for a second.
    ///   - queue: maximum number of jobs that wait.
    ///   - isPatient: whether its threads leave most of the CPU to others that want it.
    public init(threads: Int? = nil, queue: Int = 64, isPatient: Bool = false) {
        let threads = threads ?? Self.threadsOfMachine
        threadLimit = threads
        queueLimit = queue
        self.isPatient = isPatient
        sem_init(wakeUps, 0, 0)
    }

    deinit {
        sem_destroy(wakeUps)
        wakeUps.deallocate()
    }

    /// Number of jobs that wait now.
    public var queueDepth: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` on a thread of the pool.
    /// - Parameters:
    ///   - key: the number of the person whose work it is; zero: nobody's.
    ///   - deadline: work that has not begun by then is not done.
    /// - Throws: ``Overloaded`` immediately when the queue is full, or when the work was not begun in time; otherwise
    ///   the error of `work`.
    public func run<T: Sendable>(
        for key: Int64 = 0, until deadline: ContinuousClock.Instant? = nil, _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = submit(for: key) {
                if let deadline, .now > deadline { return continuation.resume(throwing: Overloaded()) }
                continuation.resume(with: Result(catching: work))
            }
            if !accepted { continuation.resume(throwing: Overloaded()) }
        }
    }

    private func submit(for key: Int64, _ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.idle > state.waiting.count {
                state.waiting.append(job, of: key)
                sem_post(wakeUps)
                return true
            }
            if state.threads < threadLimit, startThread(job) {
                state.threads += 1
                return true
            }
            // If the system refuses a new thread, a running one takes the job later.
            guard state.threads > 0, state.waiting.count < queueLimit + state.idle,
                key == 0 || state.waiting.count(of: key) < max(1, queueLimit / 4)
            else { return false }
            state.waiting.append(job, of: key)
            return true
        }
    }

    /// - Returns: false when the system refuses a thread.
    private func startThread(_ first: @escaping @Sendable () -> Void) -> Bool {
        final class Start {
            let pool: WorkPool
            let job: @Sendable () -> Void
            init(_ pool: WorkPool, _ job: @escaping @Sendable () -> Void) { (self.pool, self.job) = (pool, job) }
        }
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(self, first))
        let code = pthread_create(
            &thread, nil,
            { context in
                let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()  // the context passed below
                // On Linux, of this thread alone.
                if start.pool.isPatient { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
                start.job()
                repeat {
                    while let next = start.pool.nextJob() { next() }
                } while start.pool.waitForJob()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Returns the next job; nil: the thread is idle now.
    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let next = state.waiting.popFirst() else {
                state.idle += 1
                return nil
            }
            return next
        }
    }

    /// Lets an idle thread wait for a job.
    /// - Returns: false if none came, and the thread ends.
    private func waitForJob() -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Self.idleSecondsMax
        while sem_timedwait(wakeUps, &end) != 0, errno == EINTR {}
        return state.withLock { state in
            state.idle -= 1
            guard state.waiting.count == 0 else { return true }
            state.threads -= 1
            return false
        }
    }
}
