import Synchronization

/// Measures for how long this machine kept a process waiting that wanted to go on. Cases depend on waits of 250 ms:
/// what fails while the machine stood still says nothing about the client.
final class Standstill: Sendable {
    private let longest = Mutex(Duration.zero)
    private static let step = Duration.milliseconds(10)
    /// From here on, an Update may come too late that should come just in time.
    private static let bearable = Duration.milliseconds(50)

    /// Whether a case may have failed because of it.
    var isLong: Bool { longest.withLock { $0 } > Self.bearable }
    var text: String { "this machine stood still for \(longest.withLock { $0 / .milliseconds(1) }.rounded()) ms" }

    /// Measures until the task is cancelled.
    func measure() async {
        var due = ContinuousClock.now + Self.step
        while (try? await Task.sleep(until: due)) != nil {
            let late = ContinuousClock.now - due
            longest.withLock { $0 = max($0, late) }
            due = .now + Self.step
        }
    }
}
