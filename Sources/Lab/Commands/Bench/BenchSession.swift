import Command
import NIOCore
import ParleyClient

/// A signed-in session of a bench over a bare link. It keeps only what a measurement needs.
struct BenchSession: Sendable {
    let link: Link
    /// The gateway's limits for a session.
    let limits: Parley_V1_Limits
    /// The server's clock minus this machine's, in microseconds.
    private let clockOffset: Int64

    /// The server's time in milliseconds since 1970.
    var milliseconds: UInt64 { UInt64(Times.now() + clockOffset) / 1000 }

    /// Connects and says hello.
    /// - Parameters:
    ///   - onFrame: called on the event loop with every frame after the welcome.
    ///   - onClose: called when the connection ends before ``close()``.
    static func open(
        _ address: LinkAddress, _ options: Link.Options = .init(), token: String, on eventLoop: any EventLoop,
        onFrame: @escaping @Sendable (ByteBuffer) -> Void, onClose: @escaping @Sendable (LinkClosed) -> Void
    ) async throws -> BenchSession {
        let welcome = eventLoop.makePromise(of: Parley_V1_Welcome.self)
        let isWelcome = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: eventLoop)
        let link = try await Link.connect(to: address, on: eventLoop, options: options) { frame in
            guard !isWelcome.value else { return onFrame(frame) }
            switch try? IncomingFrame(frame) {
            case .welcome(let message):
                isWelcome.value = true
                welcome.succeed(message)
            case .goodbye(let goodbye):
                welcome.fail(Failure(Failure.Code(rawValue: goodbye.error.code), goodbye.error.message))
            default: break
            }
        } onClose: { closed in
            welcome.fail(Failure(.closed, "The gateway closed the connection: \(closed.code) \(closed.reason)"))
            if closed.code != 1000 { onClose(closed) }
        }.get()
        var hello = Parley_V1_Hello()
        (hello.version, hello.token, hello.client) = (1, token, "parley-bench")
        var frame = Parley_V1_ClientFrame()
        frame.hello = hello
        try link.send(frame)
        let welcomed = try await welcome.futureResult.get()
        return BenchSession(link: link, limits: welcomed.limits, clockOffset: welcomed.serverTimeUs - Times.now())
    }

    /// Sends a ping, because a gateway closes sessions that are silent for a minute.
    func ping() throws {
        var frame = Parley_V1_ClientFrame()
        frame.ping = Parley_V1_Ping()
        try link.send(frame)
    }

    func close() { link.close() }
}
