import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ParleyClient
import SwiftProtobuf
import Synchronization

/// What the client under test does, as a case sees it.
enum Happening: Sendable {
    /// A WebSocket opened, and this was its first frame.
    case hello(session: Int, Parley_V1_Hello)
    case request(session: Int, Parley_V1_Request, at: ContinuousClock.Instant)
    case authenticate(session: Int)
    /// The client answered the WebSocket's ping with this number.
    case pong(Int)
    case closed(session: Int, code: UInt16?)
    /// A frame that a gateway refuses, in words.
    case broken(session: Int, String)
    /// A line of the client's standard output.
    case line(String)
    /// The client's process ended, in words.
    case exited(String)
}

/// Listens on a free port of this machine as a gateway does. What to send is up to the case.
final class Gateway: Sendable {
    let port: Int
    private let channel: any Channel
    private let sessions: Sessions
    private let began = ContinuousClock.now
    private let timeUs: Int64

    /// The server's time.
    var now: Int64 { Self.time(timeUs, since: began) }

    fileprivate static func time(_ timeUs: Int64, since began: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - began).components
        return timeUs + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// The open WebSockets by number.
    fileprivate final class Sessions: Sendable {
        let channels = Mutex<(last: Int, open: [Int: any Channel])>((0, [:]))

        func add(_ channel: any Channel) -> Int {
            channels.withLock { state in
                state.last += 1
                state.open[state.last] = channel
                return state.last
            }
        }
    }

    private init(_ channel: any Channel, _ sessions: Sessions, timeUs: Int64) {
        (self.channel, self.sessions, self.timeUs) = (channel, sessions, timeUs)
        port = channel.localAddress?.port ?? 0
    }

    /// Starts to listen.
    /// - Parameter timeUs: the server's time at the beginning.
    static func start(timeUs: Int64, _ mailbox: Mailbox<Happening>) async throws -> Gateway {
        let (sessions, began) = (Sessions(), ContinuousClock.now)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOWebSocketServerUpgrader(
                        maxFrameSize: 1 << 20,
                        shouldUpgrade: { channel, head in
                            let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
                            let isWanted = head.uri == "/v1/socket" && offered.contains { $0 == Link.subprotocol }
                            let headers: HTTPHeaders = ["Sec-WebSocket-Protocol": Link.subprotocol]
                            return channel.eventLoop.makeSucceededFuture(isWanted ? headers : nil)
                        },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                let whole = NIOWebSocketFrameAggregator(
                                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 256,
                                    maxAccumulatedFrameSize: 1 << 20)
                                let session = Session(sessions.add(channel), mailbox) { time(timeUs, since: began) }
                                try channel.pipeline.syncOperations.addHandlers(whole, session)
                            }
                        })
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Gateway(channel, sessions, timeUs: timeUs)
    }

    func stop() async {
        for channel in sessions.channels.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
        try? await channel.close()
    }

    // MARK: Sending

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, to session: Int) {
        guard let channel = sessions.channels.withLock({ $0.open[session] }) else { return }
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data), promise: nil)
    }

    func send(_ bytes: [UInt8], to session: Int) { write(.binary, ByteBuffer(bytes: bytes), to: session) }

    func send(to session: Int, _ fill: (inout Parley_V1_ServerFrame) -> Void) {
        var frame = Parley_V1_ServerFrame()
        fill(&frame)
        send((try? frame.serializedBytes()) ?? [], to: session)
    }

    /// Sends the WebSocket's ping, whose answer says that the client has read what came before.
    func ping(_ number: Int, to session: Int) { write(.ping, ByteBuffer(integer: number), to: session) }

    /// Says goodbye and closes.
    func close(_ session: Int, _ code: Parley_V1_CloseCode, _ reason: String) {
        send(to: session) { frame in
            frame.goodbye.closeCode = code
            frame.goodbye.error.message = reason
        }
        write(.connectionClose, ByteBuffer(integer: UInt16(code.rawValue)), to: session)
        forget(session)
    }

    /// Cuts the connection as a network failure does.
    func cut(_ session: Int) {
        let channel = sessions.channels.withLock { $0.open.removeValue(forKey: session) }
        channel?.close(promise: nil)
    }

    private func forget(_ session: Int) { sessions.channels.withLock { $0.open[session] = nil } }

    // MARK: Receiving

    /// One WebSocket.
    private final class Session: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame
        private let number: Int
        private let mailbox: Mailbox<Happening>
        private let now: @Sendable () -> Int64
        private var hasGreeted = false
        private var closeCode: UInt16?

        init(_ number: Int, _ mailbox: Mailbox<Happening>, now: @escaping @Sendable () -> Int64) {
            (self.number, self.mailbox, self.now) = (number, mailbox, now)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .binary: received(frame.unmaskedData, context)
            case .text: mailbox.put(.broken(session: number, "a text message instead of a binary one"))
            case .ping:
                let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
            case .pong:
                var data = frame.unmaskedData
                if let ping: Int = data.readInteger() { mailbox.put(.pong(ping)) }
            case .connectionClose:
                var data = frame.unmaskedData
                closeCode = data.readInteger()
                frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
                context.close(promise: nil)
            default: break
            }
        }

        private func received(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            guard let frame = try? Parley_V1_ClientFrame(frame: bytes), let content = frame.frame else {
                return mailbox.put(.broken(session: number, "a message that is not a ClientFrame with content"))
            }
            if case .hello(let hello) = content {
                hasGreeted = true
                mailbox.put(.hello(session: number, hello))
                // Those in hello are answered like those sent behind it.
                for request in hello.requests { mailbox.put(.request(session: number, request, at: .now)) }
                return
            }
            guard hasGreeted else { return mailbox.put(.broken(session: number, "a first frame that is not hello")) }
            switch content {
            case .hello, .setTimeZone, .setActivity: break
            case .authenticate: mailbox.put(.authenticate(session: number))
            case .request(let request): mailbox.put(.request(session: number, request, at: .now))
            case .ping(let ping):
                let answer = Parley_V1_ServerFrame.with {
                    $0.pong.id = ping.id
                    $0.pong.serverTimeUs = now()
                }
                let bytes: [UInt8] = (try? answer.serializedBytes()) ?? []
                let frame = WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes))
                context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            mailbox.put(.closed(session: number, code: closeCode))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
