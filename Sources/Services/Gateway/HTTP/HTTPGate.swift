import NIOCore

/// Passes on to the HTTP decoder what arrives, as ``HTTPIntake`` and ``HTTPTurns`` say, and reads on only when nothing
/// waits.
final class HTTPGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    weak var handler: HTTPHandler?
    private let loop: EdgeLoop
    private var intake = HTTPIntake()
    private var context: ChannelHandlerContext?
    private var pauseEnd: Scheduled<Void>?
    private var isFeeding = false
    /// Whether it waits for its turn.
    private var isInLine = false
    private var isReading = true

    init(on loop: EdgeLoop) { self.loop = loop }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        pauseEnd?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        let bytesMax = handler?.arrived(bytes.readableBytes) ?? HTTPIntake.bytesMax
        if !intake.received(bytes, bytesMax: bytesMax) { handler?.overflowed() }
        feed()
        handler?.settle()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        intake.receivedEnd()
        feed()
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        let rest = intake.rest()
        if rest.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(rest))
            context.fireChannelReadComplete()
        }
        intake.isPaused = false
        feed()
        context.leavePipeline(removalToken: removalToken)
    }

    // MARK: From the handler

    /// - Parameters:
    ///   - isHeld: whether nothing is parsed, because a request is unanswered.
    ///   - isDiscarding: whether it reads on without parsing, because no answer follows.
    func follow(isHeld: Bool, isDiscarding: Bool) {
        let goesOn = intake.isHeld && !isHeld || isDiscarding && !intake.isDiscarding
        intake.isHeld = isHeld
        if isDiscarding { intake.discard() }
        if goesOn { feed() }
    }

    /// Reads and parses nothing for so long.
    func pause(_ wait: Duration) {
        intake.isPaused = true
        read()
        pauseEnd?.cancel()
        pauseEnd = context?.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(wait.microseconds)) {
            [weak self] in
            self?.intake.isPaused = false
            self?.feed()
        }
    }

    func endPause() {
        guard intake.isPaused else { return }
        pauseEnd?.cancel()
        intake.isPaused = false
        feed()
    }

    func expectBody(of length: Int) { intake.expectBody(of: length) }
    func expectChunks() { intake.expectChunks() }

    // MARK: To the decoder

    private func feed() {
        guard !isFeeding else { return }
        isFeeding = true
        while mayGoOn(), passOne() {}
        isFeeding = false
        read()
    }

    /// Whether there may be something to pass on, and it need not wait for its turn.
    private func mayGoOn() -> Bool {
        guard intake.hasPiece else { return true }
        guard !isInLine, !loop.turns.isFree else { return !isInLine }
        isInLine = true
        loop.wait(self)
        return false
    }

    /// - Returns: whether there may be more.
    private func passOne() -> Bool {
        guard let context else { return false }
        switch intake.next() {
        case .parse(let piece): loop.measured { context.fireChannelRead(wrapInboundOut(piece)) }
        case .end: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .wait: return false
        }
        return true
    }

    /// Passes on one piece, since it is its turn.
    func takeTurn() {
        isInLine = false
        isFeeding = true
        _ = passOne()
        isFeeding = false
        feed()
        handler?.settle()
    }

    private func read() {
        guard intake.wantsBytes != isReading else { return }
        isReading.toggle()
        _ = try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
