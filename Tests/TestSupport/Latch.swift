import Reactor

/// A latch that others wait for until it is opened.
@ReactorActor
public final class Latch {
    private var isOpen = false

    public nonisolated init() {}

    public func wait(file: String = #fileID, line: Int = #line) async throws {
        try await eventually(file: file, line: line) { isOpen }
    }

    public func open() { isOpen = true }
}
