import Glibc
import NIOCore

/// Guards a listening channel for the time when connections cannot be accepted, as when the process has no descriptors
/// left: it rests between attempts instead of failing thousands of times a second, and may keep spare descriptors.
public final class AcceptGuard: ChannelInboundHandler {
    public typealias InboundIn = any Channel

    private static let rest = TimeAmount.milliseconds(100)

    private let sparesMax: Int
    private let admits: (any Channel) -> Bool
    private let note: (IOError) -> Void
    private var spares: [CInt] = []
    private var isResting = false

    /// - Parameters:
    ///   - spares: how many descriptors to keep for connections that come when no others are left.
    ///   - admits: whether to serve a connection. Otherwise it is cut, before it has any handlers.
    ///   - note: called before each rest.
    public init(
        spares: Int, admits: @escaping (any Channel) -> Bool = { _ in true },
        _ note: @escaping (IOError) -> Void = { _ in }
    ) {
        (sparesMax, self.admits, self.note) = (spares, admits, note)
        fill()
    }

    deinit { for spare in spares { close(spare) } }

    private func fill() {
        while spares.count < sparesMax {
            let spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard spare >= 0 else { return }
            spares.append(spare)
        }
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = Self.unwrapInboundIn(data)
        guard admits(connection) else {
            // Cut, so that the kernel keeps nothing of it either.
            if let options = connection as? any SocketOptionProvider {
                options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                    connection.close(promise: nil)
                }
            } else {
                connection.close(promise: nil)
            }
            return
        }
        if sparesMax > 0 {
            // What one connection gives back is kept again.
            connection.closeFuture.assumeIsolated().whenComplete { _ in self.fill() }
        }
        context.fireChannelRead(data)
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError else { return context.fireErrorCaught(error) }
        // The next attempt, which follows at once, takes the spare one.
        if [EMFILE, ENFILE].contains(error.errnoCode), let spare = spares.popLast() {
            close(spare)
            return
        }
        guard !isResting else { return }
        isResting = true
        note(error)
        let channel = context.channel
        _ = try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.rest) { [self] in
            isResting = false
            fill()
            _ = try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
