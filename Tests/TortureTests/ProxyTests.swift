import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Torture

@Suite("A proxy on a link", .serialized)
struct ProxyTests {
    /// Collects what arrives.
    private final class Ear: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let heard = Mutex("")
        let isClosed = Mutex(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: Self.unwrapInboundIn(data))
            heard.withLock { $0 += text }
        }

        func channelInactive(context: ChannelHandlerContext) { isClosed.withLock { $0 = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        var text: String { heard.withLock { $0 } }
        var ended: Bool { isClosed.withLock { $0 } }
    }

    /// A server behind a proxy, and a way to connect to it.
    private final class Scene: Sendable {
        let group = MultiThreadedEventLoopGroup.singleton
        let path: String
        let server = Ear()
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
            proxy = LinkProxy(on: group.next(), upstream: path + ".s")
            try await proxy.listen(at: path + ".p").get()
        }

        deinit { for end in ["s", "p"] { unlink("\(path).\(end)") } }

        func connect(_ ear: Ear = Ear()) async throws -> any Channel {
            try await ClientBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(ear) }
                }
                .connect(unixDomainSocketPath: path + ".p").get()
        }
    }

    private func eventually(_ what: Comment, _ condition: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(10)
        while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        #expect(condition(), what)
    }

    @Test("bytes pass both ways, in order and untouched")
    func passes() async throws {
        let scene = try await Scene()
        let client = try await scene.connect()
        for number in 0..<100 { try await client.writeAndFlush(ByteBuffer(string: "\(number) ")) }
        let expected = (0..<100).map { "\($0) " }.joined()
        await eventually("all arrives") { scene.server.text == expected }
        try await client.close()
    }

    @Test("a cut closes what is open and refuses what comes, until it is over")
    func cuts() async throws {
        let scene = try await Scene()
        let ear = Ear()
        let client = try await scene.connect(ear)
        try await client.writeAndFlush(ByteBuffer(string: "before "))
        await eventually("it is connected") { scene.server.text == "before " }
        try await scene.proxy.cut(true).get()
        await eventually("it is closed") { ear.ended }
        let refused = Ear()
        _ = try? await scene.connect(refused)
        await eventually("nobody gets in") { refused.ended }
        try await scene.proxy.cut(false).get()
        let again = try await scene.connect()
        try await again.writeAndFlush(ByteBuffer(string: "after"))
        await eventually("it is connected again") { scene.server.text == "before after" }
        try await again.close()
    }

    @Test("a stall lets nothing through and closes nothing; what was said comes when it is over")
    func stalls() async throws {
        let scene = try await Scene()
        let ear = Ear()
        let client = try await scene.connect(ear)
        try await client.writeAndFlush(ByteBuffer(string: "1 "))
        await eventually("it is connected") { scene.server.text == "1 " }
        try await scene.proxy.stall(true).get()
        try await Task.sleep(for: .milliseconds(50))  // What is under way may pass.
        try await client.writeAndFlush(ByteBuffer(string: "2 "))
        try await Task.sleep(for: .milliseconds(200))  // That nothing comes can only be seen by waiting.
        #expect(scene.server.text == "1 " && !ear.ended)
        try await scene.proxy.stall(false).get()
        await eventually("it comes") { scene.server.text == "1 2 " }
        try await client.close()
    }

    @Test("a delay keeps the order, and what is sent after it does not overtake")
    func delays() async throws {
        let scene = try await Scene()
        let client = try await scene.connect()
        try await scene.proxy.delay(300).get()
        let began = ContinuousClock.now
        try await client.writeAndFlush(ByteBuffer(string: "late "))
        try await Task.sleep(for: .milliseconds(50))  // So that it is read before the delay ends.
        try await scene.proxy.delay(0).get()
        try await client.writeAndFlush(ByteBuffer(string: "later"))
        await eventually("both come") { scene.server.text == "late later" }
        #expect(ContinuousClock.now - began >= .milliseconds(290))
        try await client.close()
    }

    @Test("another server behind it means new connections")
    func moves() async throws {
        let scene = try await Scene()
        let ear = Ear()
        _ = try await scene.connect(ear)
        try await scene.proxy.setUpstream(nil).get()
        await eventually("it is closed") { ear.ended }
    }
}
