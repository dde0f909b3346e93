import NIOCore
import NIOPosix

/// Asks a gateway how everything is, as a load balancer does.
enum Health {
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let answer: EventLoopPromise<String>
        private var text = ""

        init(_ answer: EventLoopPromise<String>) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: Self.unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) { answer.succeed(text) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            answer.fail(error)
            context.close(promise: nil)
        }
    }

    /// - Parameter url: `http://HOST:PORT`
    /// - Returns: nil when all is ready, else what was answered.
    static func problem(at url: String, on group: any EventLoopGroup) async -> String? {
        let authority = url.dropFirst("http://".count)
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...])
        else { return "\(url) has no port" }
        let loop = group.next()
        let answer = loop.makePromise(of: String.self)
        let late = loop.scheduleTask(in: .seconds(5)) { answer.succeed("no answer within 5 s") }
        defer { late.cancel() }
        do {
            let channel = try await ClientBootstrap(group: loop).connectTimeout(.seconds(2))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(answer))
                    }
                }
                .connect(host: String(authority[..<colon]), port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(string: "GET /health HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"))
            let text = try await answer.futureResult.get()
            channel.close(promise: nil)
            return text.hasPrefix("HTTP/1.1 200 ") ? nil : String(text.suffix(500))
        } catch {
            answer.fail(error)
            return "\(error)"
        }
    }
}
