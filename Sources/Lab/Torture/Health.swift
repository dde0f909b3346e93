import NIOCore
import NIOPosix

/// Requests a gateway's health, as a load balancer does.
enum Health {
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

    /// - Parameter url: `http://HOST:PORT`
    /// - Returns: nil if everything is ready, else the end of the reply or the error.
    static func problem(at url: String, on group: any EventLoopGroup) async -> String? {
        let authority = url.dropFirst("http://".count)
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...])
        else { return "\(url) has no port" }
        let loop = group.next()
        let reply = loop.makePromise(of: String.self)
        let late = loop.scheduleTask(in: .seconds(5)) { reply.succeed("no reply within 5 s") }
        defer { late.cancel() }
        do {
            let channel = try await ClientBootstrap(group: loop).connectTimeout(.seconds(2))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(reply))
                    }
                }
                .connect(host: String(authority[..<colon]), port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(string: "GET /health HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"))
            let text = try await reply.futureResult.get()
            channel.close(promise: nil)
            return text.hasPrefix("HTTP/1.1 200 ") ? nil : String(text.suffix(500))
        } catch {
            reply.fail(error)
            return "\(error)"
        }
    }
}
