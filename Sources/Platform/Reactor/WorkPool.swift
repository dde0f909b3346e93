import Glibc
import Synchronization

/// A few threads for work that would hold up the loop: password hashing, name resolution, extraction.
///
/// Bounded both ways: so many threads, so many waiting; beyond that it refuses at once rather than queueing.
public final class WorkPool: Sendable {
    /// The queue is full. The caller should be told to come back later.
    public struct Overloaded: Error, Sendable {}

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
    }

    private let threadLimit: Int
    private let queueLimit: Int
    private let state = Mutex(State())

    /// One a core, and no more than 8: a container sees all cores of its machine, however few it may use, and a
    /// password takes 19 MiB while it is hashed.
    private static var threadsOfMachine: Int { min(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))), 8) }

    /// - Parameters:
    ///   - threads: at most so many jobs run at once; threads end when nothing waits. nil: a few, by the machine.
    ///   - queue: at most so many wait.
    public init(threads: Int? = nil, queue: Int = 64) {
        let threads = threads ?? Self.threadsOfMachine
        threadLimit = threads
        queueLimit = queue
    }

    /// How many jobs wait now.
    public var queueDepth: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` on a thread of the pool.
    /// - Throws: ``Overloaded`` at once when the queue is full; else what `work` throws.
    public func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = submit { continuation.resume(with: Result(catching: work)) }
            if !accepted { continuation.resume(throwing: Overloaded()) }
        }
    }

    private func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.running < threadLimit, startThread(job) {
                state.running += 1
                return true
            }
            // Also when the system gives no thread: one of those that run takes it.
            guard state.running > 0, state.waiting.count < queueLimit else { return false }
            state.waiting.append(job)
            return true
        }
    }

    /// - Returns: false when the system refuses.
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
                let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()  // what was passed below
                start.job()
                while let next = start.pool.nextJob() { next() }
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
