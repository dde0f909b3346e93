import Glibc
import Testing

@testable import Reactor

struct WatchTests {
    private struct Pipe {
        var reading: CInt
        var writing: CInt

        init() {
            var ends: [CInt] = [0, 0]
            precondition(Glibc.pipe(&ends) == 0)
            for end in ends { precondition(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
            (reading, writing) = (ends[0], ends[1])
        }

        func put() { precondition(Glibc.write(writing, "x", 1) == 1) }

        func take() {
            var byte: UInt8 = 0
            precondition(Glibc.read(reading, &byte, 1) == 1)
        }

        func close() {
            Glibc.close(reading)
            Glibc.close(writing)
        }
    }

    @ReactorActor
    private func pause(_ milliseconds: Int) async throws {
        try await Reactor.shared.sleep(for: .milliseconds(milliseconds))
    }

    /// Counts calls of handlers and resumes the test that waits for them.
    @ReactorActor
    private final class Calls {
        var count = 0
        var watches: [Reactor.Watch] = []
        private var waiter: CheckedContinuation<Void, Never>?

        func note() {
            count += 1
            waiter?.resume()
            waiter = nil
        }

        /// Waits for the next call, which `action` causes.
        func next(after action: () -> Void) async {
            await withCheckedContinuation {
                waiter = $0
                action()
            }
        }

        func unwatchAll() {
            for watch in watches { Reactor.shared.unwatch(watch) }
        }
    }

    @Test(
        "a descriptor's handler is called only when there is something to read", .timeLimit(.minutes(4)))
    @ReactorActor
    func readable() async throws {
        let pipe = Pipe()
        defer { pipe.close() }
        let calls = Calls()
        let watch = Reactor.shared.watch(descriptor: pipe.reading, for: .readable) { interest in
            #expect(interest == .readable)
            pipe.take()
            calls.note()
        }
        try await pause(3)
        #expect(calls.count == 0)
        for _ in 0..<3 { await calls.next { pipe.put() } }
        #expect(calls.count == 3)
        Reactor.shared.unwatch(watch)
        pipe.put()
        try await pause(3)
        #expect(calls.count == 3)
    }

    @Test("a handler that ends its own watch is not called again, although the descriptor stays ready")
    @ReactorActor
    func unwatchInHandler() async throws {
        let pipe = Pipe()
        defer { pipe.close() }
        let calls = Calls()
        let watch = Reactor.shared.watch(descriptor: pipe.writing, for: .writable) { interest in
            #expect(interest == .writable)
            calls.note()
            calls.unwatchAll()
        }
        calls.watches = [watch]
        try await pause(5)
        #expect(calls.count == 1)
    }

    @Test("the first of two handlers for ready descriptors can end the watch of the other")
    @ReactorActor
    func unwatchOther() async throws {
        let pipes = [Pipe(), Pipe()]
        defer { for pipe in pipes { pipe.close() } }
        let calls = Calls()
        calls.watches = pipes.map { pipe in
            Reactor.shared.watch(descriptor: pipe.writing, for: .writable) { _ in
                calls.note()
                calls.unwatchAll()
            }
        }
        try await pause(5)
        #expect(calls.count == 1)
    }

    @Test("a watch without events is inactive until it is changed back", .timeLimit(.minutes(4)))
    @ReactorActor
    func change() async throws {
        let pipe = Pipe()
        defer { pipe.close() }
        let calls = Calls()
        let watch = Reactor.shared.watch(descriptor: pipe.reading, for: []) { _ in
            pipe.take()
            calls.note()
        }
        pipe.put()
        try await pause(3)
        #expect(calls.count == 0)
        await calls.next { Reactor.shared.change(watch, to: .readable) }
        #expect(calls.count == 1)
        Reactor.shared.unwatch(watch)
    }

    @Test("closing the other end is reported as a failure or as something to read", .timeLimit(.minutes(4)))
    @ReactorActor
    func hangUp() async {
        let pipe = Pipe()
        defer { close(pipe.reading) }
        let calls = Calls()
        let watch = Reactor.shared.watch(descriptor: pipe.reading, for: .readable) { interest in
            #expect(!interest.isDisjoint(with: [.readable, .failed]))
            calls.unwatchAll()
            calls.note()
        }
        calls.watches = [watch]
        await calls.next { close(pipe.writing) }
        #expect(calls.count == 1)
    }
}
