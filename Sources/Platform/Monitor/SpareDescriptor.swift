import Glibc
import NIOCore

/// Keeps a descriptor, so that the monitor can still answer when the process has no others left.
final class SpareDescriptor: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private var spare: CInt = -1
    private var isWaiting = false

    init() { fill() }

    deinit { if spare >= 0 { close(spare) } }

    private func fill() { if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What one connection gives back is kept again.
        Self.unwrapInboundIn(data).closeFuture.assumeIsolated().whenComplete { _ in self.fill() }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        if spare >= 0 {
            // The next attempt, which follows at once, takes it.
            close(spare)
            spare = -1
        } else if !isWaiting {
            isWaiting = true
            _ = try? context.channel.syncOptions?.setOption(.autoRead, value: false)
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) { [self] in
                isWaiting = false
                fill()
                _ = try? context.channel.syncOptions?.setOption(.autoRead, value: true)
            }
        }
    }
}
