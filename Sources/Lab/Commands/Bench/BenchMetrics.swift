import NIOCore
import NIOPosix

/// Reads the figures of a process from its monitor.
struct BenchMetrics: Sendable {
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

    private let group: any EventLoopGroup
    private let port: Int

    /// Takes a free port of this machine for a monitor that starts later.
    init(on group: any EventLoopGroup) async throws {
        let channel = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        (self.group, port) = (group, channel.localAddress?.port ?? 0)
        try await channel.close()
    }

    /// The value of the setting `listen.monitor`.
    var address: String { "127.0.0.1:\(port)" }

    /// Returns the value of a figure without labels; nil if there is none yet.
    func value(of name: String) async throws -> Double? {
        let loop = group.next()
        let reply = loop.makePromise(of: String.self)
        let late = loop.scheduleTask(in: .seconds(5)) { reply.succeed("") }
        defer { late.cancel() }
        do {
            let channel = try await ClientBootstrap(group: loop).connectTimeout(.seconds(5))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(reply))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            try await channel.writeAndFlush(
                ByteBuffer(string: "GET /metrics HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"))
        } catch {
            reply.fail(error)
        }
        let text = try await reply.futureResult.get()
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }
}
