import NIOCore
import NIOWebSocket

/// The last handler of a link's pipeline. It joins fragments, answers pings and closes, coalesces flushes and reports
/// the end once.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let options: Link.Options
    private let onFrame: @Sendable (ByteBuffer) -> Void
    private let onClose: @Sendable (LinkClosed) -> Void
    private var context: ChannelHandlerContext?
    private var flushIsDue = false
    /// Bytes written since the socket stopped taking more.
    private var waitingBytes = 0
    /// Fragments received so far; nil between messages.
    private var partial: ByteBuffer?
    /// How the link ends, once that is known; reported when the channel is gone.
    private var ending: LinkClosed?
    private var hasReported = false

    init(
        options: Link.Options, onFrame: @escaping @Sendable (ByteBuffer) -> Void,
        onClose: @escaping @Sendable (LinkClosed) -> Void
    ) {
        (self.options, self.onFrame, self.onClose) = (options, onFrame, onClose)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        reportEnd()
    }

    func channelInactive(context: ChannelHandlerContext) {
        reportEnd()
        context.fireChannelInactive()
    }

    private func reportEnd() {
        context = nil
        guard !hasReported else { return }
        hasReported = true
        onClose(ending ?? LinkClosed(code: 1006, reason: "the connection broke"))
    }

    // MARK: Sending

    func send(_ frame: ByteBuffer) {
        guard ending == nil else { return }
        write(.binary, frame)
    }

    private func write(_ opcode: WebSocketOpcode, _ data: consuming ByteBuffer) {
        guard let context else { return }
        if !context.channel.isWritable {
            waitingBytes += data.readableBytes
            guard waitingBytes <= options.waitingBytesMax else {
                abort(code: 1006, reason: "the server stopped reading")
                return
            }
        }
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.write(wrapOutboundOut(frame), promise: nil)
        guard !flushIsDue else { return }
        flushIsDue = true
        context.eventLoop.assumeIsolated().execute { [self] in
            flushIsDue = false
            self.context?.flush()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { waitingBytes = 0 }
        context.fireChannelWritabilityChanged()
    }

    func close(code: UInt16, reason: String) {
        guard ending == nil else { return }
        ending = LinkClosed(code: code, reason: reason)
        writeClose(code)
        // The connection ends with the server's close frame, or after a second without one.
        guard let context else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in
            self.context?.close(promise: nil)
        }
    }

    func abort(code: UInt16, reason: String) {
        if ending == nil { ending = LinkClosed(code: code, reason: reason) }
        context?.close(promise: nil)
    }

    private func writeClose(_ code: UInt16) {
        var data = ByteBuffer(frameOf: 2)
        data.writeInteger(code)
        write(.connectionClose, data)
    }

    // MARK: Receiving

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .binary:
            guard partial == nil else { return refuse("a message inside another message") }
            if frame.fin { deliver(frame.data) } else { partial = frame.data }
        case .continuation:
            guard var message = partial else { return refuse("a continuation frame without a message") }
            partial = nil
            guard message.readableBytes + frame.data.readableBytes <= options.frameBytesMax else {
                return refuse("a message that is too large", code: 1009)
            }
            message.writeImmutableBuffer(frame.data)
            if frame.fin { deliver(message) } else { partial = message }
        case .ping:
            guard ending == nil else { return }
            var data = ByteBuffer(frameOf: frame.data.readableBytes)
            data.writeImmutableBuffer(frame.data)
            write(.pong, data)
        case .pong:
            break
        case .connectionClose:
            closed(by: frame.data, context: context)
        default:
            refuse("a message that is not binary", code: 1003)
        }
    }

    private func deliver(_ message: ByteBuffer) {
        guard ending == nil else { return }
        onFrame(message)
    }

    private func closed(by data: ByteBuffer, context: ChannelHandlerContext) {
        var data = data
        let code: UInt16 = data.readInteger() ?? 1005
        if ending == nil {
            ending = LinkClosed(code: code, reason: data.readString(length: data.readableBytes) ?? "")
            writeClose(code == 1005 ? 1000 : code)
        }
        context.flush()
        context.close(promise: nil)
    }

    private func refuse(_ why: String, code: UInt16 = 1002) {
        guard ending == nil else { return }
        ending = LinkClosed(code: code, reason: "the server sent \(why)")
        writeClose(code)
        context?.flush()
        context?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: refuse("a frame that is too large", code: 1009)
        case is NIOWebSocketError: refuse("an invalid frame (\(error))")
        default: abort(code: 1006, reason: "\(error)")
        }
    }
}
