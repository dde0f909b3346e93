import NIOCore
import NIOPosix

/// Asks a process's health or figures, as a load balancer or a monitoring system does.
public enum PlainHTTP {
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let reply: EventLoopPromise<String>
        private var text = ""

        init(_ reply: EventLoopPromise<String>) { self.reply = reply }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: Self.unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) { reply.succeed(text) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            reply.fail(error)
            context.close(promise: nil)
        }
    }

    /// Returns the reply with its head, or nil if it does not come within 5 s.
    public static func get(
        _ path: String, host: String, port: Int, on group: any EventLoopGroup
    ) async throws -> String? {
        let loop = group.next()
        let reply = loop.makePromise(of: String.self)
        let late = loop.scheduleTask(in: .seconds(5)) { reply.succeed("") }
        defer { late.cancel() }
        do {
            let channel = try await ClientBootstrap(group: loop).connectTimeout(.seconds(2))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(reply))
                    }
                }
                .connect(host: host, port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"))
            let text = try await reply.futureResult.get()
            channel.close(promise: nil)
            return text.isEmpty ? nil : text
        } catch {
            reply.fail(error)
            throw error
        }
    }
}
