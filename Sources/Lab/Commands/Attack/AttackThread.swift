import Foundation
import Synchronization

/// Repeats the rounds of an attack on a thread of its own, and counts the CPU that they take.
final class AttackThread: Sendable {
    /// What an attack did.
    struct Work: Sendable {
        /// The share of a core that the attacker used.
        var cores = 0.0
        var connections = 0
        var megabits = 0.0
    }

    private let mustStop = Atomic(false)
    private let result = Mutex<Result<Work, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)
    private let mayEnd = DispatchSemaphore(value: 0)

    /// Begins the rounds of the attack that `make` returns.
    init(_ make: @escaping @Sendable () throws -> any Attack) {
        let thread = Thread { [self] in
            do {
                let attack = try make()
                let work = try run(attack)
                finish(.success(work))
                // The attacker keeps its connections until then.
                withExtendedLifetime(attack) { mayEnd.wait() }
            } catch {
                finish(.failure(error))
            }
        }
        thread.start()
    }

    private func finish(_ outcome: Result<Work, any Error>) {
        result.withLock { $0 = outcome }
        isDone.signal()
    }

    private func run(_ attack: any Attack) throws -> Work {
        let (began, used) = (ContinuousClock.now, Self.cpu)
        var last = began
        while !mustStop.load(ordering: .relaxed) {
            let now = ContinuousClock.now
            try attack.round(after: now - last)
            last = now
            usleep(2000)
        }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let bytes = attack.sockets.reduce(0) { $0 + $1.sent }
        return Work(
            cores: (Self.cpu - used) / seconds, connections: attack.sockets.count,
            megabits: Double(bytes) * 8 / 1e6 / seconds)
    }

    /// Ends the connections. Call it once, after ``stop()``.
    func close() { mayEnd.signal() }

    /// Ends the attack. Its connections stay open until ``close()``.
    func stop() async throws -> Work {
        mustStop.store(true, ordering: .relaxed)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [self] in
                isDone.wait()
                continuation.resume(with: result.withLock { $0 } ?? .failure(CancellationError()))
            }
        }
    }

    /// The CPU seconds of this thread.
    private static var cpu: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Burns CPU as an attacker does, by sending to an address where nobody listens.
final class DeadSocket: Attack {
    private let cores: Double
    private let descriptor: Int32
    let sockets: [AttackSocket] = []

    /// - Parameter cores: the share of a core to use.
    init(cores: Double) {
        self.cores = cores
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        withUnsafeBytes(of: &address) {
            let pointer = $0.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            _ = connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }

    deinit { close(descriptor) }

    func round(after elapsed: Duration) {
        let end = ContinuousClock.now + min(elapsed, .milliseconds(50)) * cores
        var bytes = [UInt8](repeating: 0, count: 256)
        while ContinuousClock.now < end { _ = send(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }
}
