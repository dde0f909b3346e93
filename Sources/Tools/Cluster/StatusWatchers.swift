import Reactor

/// Who watches the states of processes.
@ReactorActor
final class StatusWatchers {
    private var watchers: [UInt64: AsyncStream<ProcessStatus>.Continuation] = [:]
    private var last: UInt64 = 0

    /// Streams `statuses`, then every change until ``finish()``.
    func changes(after statuses: [ProcessStatus]) -> AsyncStream<ProcessStatus> {
        last += 1
        let id = last
        let (stream, continuation) = AsyncStream.makeStream(
            of: ProcessStatus.self, bufferingPolicy: .bufferingNewest(256))
        watchers[id] = continuation
        continuation.onTermination = { [weak self] _ in Task { @ReactorActor in self?.watchers[id] = nil } }
        for status in statuses { continuation.yield(status) }
        return stream
    }

    func notify(of status: ProcessStatus) {
        for watcher in watchers.values { watcher.yield(status) }
    }

    /// Ends all streams.
    func finish() {
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
    }
}
