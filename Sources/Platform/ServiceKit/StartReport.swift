import Reactor

/// Reports each step of a service's start, so that its supervisor sees that the start goes on, however long the
/// database takes.
@ReactorActor
final class StartReport {
    private let notify: Notify
    private var claims = 0
    private var isOver = false

    nonisolated init(_ notify: Notify) { self.notify = notify }

    /// Reports what comes next, in a few words for people. Does nothing once the service serves.
    func step(_ text: String) {
        if !isOver { notify.status(text) }
    }

    /// Reports that the next lane is to be claimed. They are counted, since only a changed text shows progress.
    func nextLane() {
        claims += 1
        step("waiting for the database: lane \(claims)")
    }

    /// Ends the reports, before the service says that it is ready.
    func end() { isOver = true }
}
