import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// A WebSocket server for one test, on a free port of this machine. The test provides its behaviour.
final class SocketServer: Sendable {
    let port: Int
    var url: String { "ws://127.0.0.1:\(port)" }
    private let channel: any Channel

    private init(_ channel: any Channel) {
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    /// Starts a server.
    /// - Parameter tls: makes the TLS context of each new connection; nil: no TLS.
    static func start(
        subprotocol: String? = "parley.v1",
        onFrame: @escaping @Sendable (ServerSocket, WebSocketFrame) -> Void = { _, _ in },
        onOpen: @escaping @Sendable (ServerSocket) -> Void = { _ in },
        tls: (@Sendable () -> NIOSSLContext)? = nil
    ) async throws -> SocketServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls()))
                    }
                    let upgrader = NIOWebSocketServerUpgrader(
                        maxFrameSize: 1 << 20,
                        shouldUpgrade: { channel, head in
                            let headers: HTTPHeaders = subprotocol.map { ["Sec-WebSocket-Protocol": $0] } ?? [:]
                            return channel.eventLoop.makeSucceededFuture(head.uri == "/v1/socket" ? headers : nil)
                        },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(
                                    Handler(ServerSocket(channel: channel), onOpen, onFrame))
                            }
                        })
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return SocketServer(channel)
    }

    func stop() async throws {
        try await channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        private let socket: ServerSocket
        private let onOpen: @Sendable (ServerSocket) -> Void
        private let onFrame: @Sendable (ServerSocket, WebSocketFrame) -> Void

        init(
            _ socket: ServerSocket, _ onOpen: @escaping @Sendable (ServerSocket) -> Void,
            _ onFrame: @escaping @Sendable (ServerSocket, WebSocketFrame) -> Void
        ) {
            (self.socket, self.onOpen, self.onFrame) = (socket, onOpen, onFrame)
        }

        func handlerAdded(context: ChannelHandlerContext) { onOpen(socket) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            onFrame(socket, unwrapInboundIn(data))
        }
    }
}

/// One client's connection, as the server sees it.
struct ServerSocket: Sendable {
    let channel: any Channel

    func send(_ opcode: WebSocketOpcode, fin: Bool = true, _ data: ByteBuffer) {
        channel.writeAndFlush(WebSocketFrame(fin: fin, opcode: opcode, data: data), promise: nil)
    }

    func send(_ data: ByteBuffer) { send(.binary, data) }

    func close(_ code: UInt16, _ reason: String = "") {
        var data = ByteBuffer(integer: code)
        data.writeString(reason)
        send(.connectionClose, data)
    }

    func vanish() { channel.close(promise: nil) }

    func stopReading() { _ = channel.setOption(.autoRead, value: false) }
}
