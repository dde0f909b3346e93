import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Torture

@Suite("A proxy on a link", .serialized)
struct ProxyTests {
    /// Collects the bytes that arrive.
    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let received = Mutex("")
        let isClosed = Mutex(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: Self.unwrapInboundIn(data))
            received.withLock { $0 += text }
        }

        func channelInactive(context: ChannelHandlerContext) { isClosed.withLock { $0 = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        var text: String { received.withLock { $0 } }
        var ended: Bool { isClosed.withLock { $0 } }
    }

    /// A server behind a proxy.
    private final class Scene: Sendable {
        let group = MultiThreadedEventLoopGroup.singleton
        let path: String
        let server = Receiver()
        let proxy: LinkProxy

        init() async throws {
            path = "/tmp/parley-proxy-\(UInt32.random(in: 0 ... .max))"
            let server = server
            _ = try await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(server)
                    }
                }
                .bind(unixDomainSocketPath: path + ".s", cleanupExistingSocketFile: true).get()
            proxy = LinkProxy(on: group.next(), upstream: try SocketAddress(unixDomainSocketPath: path + ".s"))
            try await proxy.listen(at: path + ".p").get()
        }

        deinit { for end in ["s", "p"] { unlink("\(path).\(end)") } }

        func connect(_ receiver: Receiver = Receiver()) async throws -> any Channel {
            try await ClientBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(receiver) }
                }
                .connect(unixDomainSocketPath: path + ".p").get()
        }
    }

    private func eventually(_ goal: Comment, _ condition: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(10)
        while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        #expect(condition(), goal)
    }

    @Test("bytes pass in order and unchanged")
    func passes() async throws {
        let scene = try await Scene()
        let client = try await scene.connect()
        for number in 0..<100 { try await client.writeAndFlush(ByteBuffer(string: "\(number) ")) }
        let expected = (0..<100).map { "\($0) " }.joined()
        await eventually("everything arrives") { scene.server.text == expected }
        try await client.close()
    }

    @Test("a cut closes all connections and refuses new ones until it ends")
    func cuts() async throws {
        let scene = try await Scene()
        let receiver = Receiver()
        let client = try await scene.connect(receiver)
        try await client.writeAndFlush(ByteBuffer(string: "before "))
        await eventually("it is connected") { scene.server.text == "before " }
        try await scene.proxy.cut(true).get()
        await eventually("it is closed") { receiver.ended }
        let refused = Receiver()
        _ = try? await scene.connect(refused)
        await eventually("a new connection is closed") { refused.ended }
        try await scene.proxy.cut(false).get()
        let again = try await scene.connect()
        try await again.writeAndFlush(ByteBuffer(string: "after"))
        await eventually("it is connected again") { scene.server.text == "before after" }
        try await again.close()
    }

    @Test("a stall holds all bytes back without closing connections, and delivers them when it ends")
    func stalls() async throws {
        let scene = try await Scene()
        let receiver = Receiver()
        let client = try await scene.connect(receiver)
        try await client.writeAndFlush(ByteBuffer(string: "1 "))
        await eventually("it is connected") { scene.server.text == "1 " }
        try await scene.proxy.stall(true).get()
        try await Task.sleep(for: .milliseconds(50))  // Bytes on their way may still pass.
        try await client.writeAndFlush(ByteBuffer(string: "2 "))
        try await Task.sleep(for: .milliseconds(200))  // Only waiting shows that nothing arrives.
        #expect(scene.server.text == "1 " && !receiver.ended)
        try await scene.proxy.stall(false).get()
        await eventually("the held bytes arrive") { scene.server.text == "1 2 " }
        try await client.close()
    }

    @Test("a delay keeps the order: bytes sent after it do not overtake delayed ones")
    func delays() async throws {
        let scene = try await Scene()
        let client = try await scene.connect()
        try await scene.proxy.delay(300).get()
        let began = ContinuousClock.now
        try await client.writeAndFlush(ByteBuffer(string: "late "))
        try await Task.sleep(for: .milliseconds(50))  // So that the proxy reads it before the delay ends.
        try await scene.proxy.delay(0).get()
        try await client.writeAndFlush(ByteBuffer(string: "later"))
        await eventually("both arrive") { scene.server.text == "late later" }
        #expect(ContinuousClock.now - began >= .milliseconds(290))
        try await client.close()
    }

    @Test("on a dead link bytes vanish and connections stay; they stay dead afterwards, and new ones live")
    func vanishes() async throws {
        let scene = try await Scene()
        let (old, during) = (Receiver(), Receiver())
        let client = try await scene.connect(old)
        try await client.writeAndFlush(ByteBuffer(string: "1 "))
        await eventually("it is connected") { scene.server.text == "1 " }
        try await scene.proxy.vanish(true).get()
        try await client.writeAndFlush(ByteBuffer(string: "lost "))
        let late = try await scene.connect(during)
        try await late.writeAndFlush(ByteBuffer(string: "lost, too "))
        try await Task.sleep(for: .milliseconds(200))  // Only waiting shows that nothing arrives.
        #expect(scene.server.text == "1 " && !old.ended && !during.ended)
        try await scene.proxy.vanish(false).get()
        try await client.writeAndFlush(ByteBuffer(string: "still dead "))
        let new = try await scene.connect()
        try await new.writeAndFlush(ByteBuffer(string: "2 "))
        await eventually("a new connection lives") { scene.server.text == "1 2 " }
        #expect(!old.ended && !during.ended)
        for channel in [client, late, new] { try await channel.close() }
    }

    @Test("a link over TCP passes bytes as one over a path does")
    func loopback() async throws {
        let scene = try await Scene()
        let port = try await scene.proxy.listenOnLoopback().get()
        let client = try await ClientBootstrap(group: scene.group).connect(host: "127.0.0.1", port: port).get()
        try await client.writeAndFlush(ByteBuffer(string: "over TCP"))
        await eventually("it arrives") { scene.server.text == "over TCP" }
        try await client.close()
    }

    @Test("changing the server closes the connections")
    func moves() async throws {
        let scene = try await Scene()
        let receiver = Receiver()
        _ = try await scene.connect(receiver)
        try await scene.proxy.setUpstream(nil).get()
        await eventually("it is closed") { receiver.ended }
    }
}
