import Command
import Foundation
import NIOCore
import ParleyClient

/// A client that asks one thing after another and notes when it asked and when the answer was there.
final class HopClient: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    private let eventLoop: any EventLoop
    private var session: BenchSession?
    private var waiting: (sent: UInt64, answered: EventLoopPromise<HopFigures.Sample>)?
    private var lastID: UInt64 = 0
    /// Why nothing is answered any longer.
    private var end: (any Error)?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func connect(_ person: BenchPerson, to address: LinkAddress) async throws {
        let session = try await BenchSession.open(address, token: person.token, on: eventLoop) { [weak self] in
            self?.received($0)
        } onClose: { [weak self] in
            self?.fail(Failure(.closed, "The gateway closed the connection: \($0.code) \($0.reason)"))
        }
        try await eventLoop.submit { [self] in self.session = session }.get()
    }

    /// Sends a frame and waits for its answer.
    /// - Parameter make: makes it of the request's id.
    func ask(_ make: @escaping @Sendable (UInt64) throws -> ByteBuffer) async throws -> HopFigures.Sample {
        try await withTaskCancellationHandler {
            try await eventLoop.flatSubmit { [self] in send(make) }.get()
        } onCancel: {
            eventLoop.execute { [self] in fail(CancellationError()) }
        }
    }

    private func send(_ make: (UInt64) throws -> ByteBuffer) -> EventLoopFuture<HopFigures.Sample> {
        let answered = eventLoop.makePromise(of: HopFigures.Sample.self)
        do {
            if let end { throw end }
            lastID += 1
            let frame = try make(lastID)
            waiting = (Self.now, answered)
            session?.link.send(frame)
        } catch {
            answered.fail(error)
        }
        return answered.futureResult
    }

    func close() async throws {
        try await eventLoop.submit { [self] in session?.close() }.get()
    }

    private func received(_ frame: ByteBuffer) {
        let now = Self.now
        guard let waiting else { return }
        switch try? IncomingFrame(frame) {
        case .reply(let reply) where reply.id == lastID:
            if let error = reply.error { return fail(Failure(Failure.Code(rawValue: error.code), error.message)) }
        case .pong: break
        case .goodbye(let goodbye):
            return fail(Failure(Failure.Code(rawValue: goodbye.error.code), goodbye.error.message))
        default: return
        }
        self.waiting = nil
        waiting.answered.succeed(.init(sent: waiting.sent, answered: now, end: now))
    }

    private func fail(_ error: any Error) {
        end = error
        waiting?.answered.fail(error)
        waiting = nil
    }

    /// The time of CLOCK_MONOTONIC in nanoseconds, which all processes share.
    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
