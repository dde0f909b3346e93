import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

@Suite("Closing a client", .timeLimit(.minutes(4))) struct ClosingTests {
    /// A server that takes connections and says nothing, not even in HTTP; it counts those that end.
    private final class SilentServer: Sendable {
        let ended = Mutex(0)
        private let channel = Mutex<(any Channel)?>(nil)
        var url: String { "ws://127.0.0.1:\(channel.withLock { $0?.localAddress?.port } ?? 0)" }

        func start() async throws {
            let started = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { [self] child in
                    child.closeFuture.whenComplete { _ in self.ended.withLock { $0 += 1 } }
                    return child.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            channel.withLock { $0 = started }
        }

        func stop() async throws { try await channel.withLock { $0 }?.close() }
    }

    /// One that waits for ever, were it not closed.
    private func patient(_ url: String) -> ParleyClient {
        let never = Duration.seconds(1000)
        return ParleyClient(
            url: url, options: .init(backoff: Backoff(first: never, last: never), link: .init(connectTimeout: never)))
    }

    /// A client that nothing holds any more asks nothing of its event loop.
    private func isGone(after use: (ScriptedGateway, ParleyClient) async throws -> Void) async throws {
        let gateway = ScriptedGateway()
        try await gateway.start()
        let left = Left()
        func useAndClose() async throws {
            let client = patient(gateway.url)
            left.client = client
            try await client.connect(token: "access-0")
            try await use(gateway, client)
            await client.close()
        }
        try await useAndClose()
        try await eventually("nothing holds the client any more") { left.client == nil }
    }

    private final class Left: @unchecked Sendable {
        // Sendable: weak references may be read from any thread.
        weak var client: ParleyClient?
    }

    @Test("One that is connected is gone when it was closed")
    func connected() async throws {
        try await isGone { _, _ in }
    }

    @Test("One that waits to connect again does not wait any longer")
    func waiting() async throws {
        try await isGone { gateway, client in
            gateway.closeAll(1013)
            try await eventually("it waits") { if case .connecting = await client.state { true } else { false } }
        }
    }

    @Test(
        "One that connects to a server that says nothing, or does not welcome it, ends that", arguments: [true, false])
    func connecting(saysNothing: Bool) async throws {
        let silent = SilentServer()
        try await silent.start()
        let server = try await SocketServer.start()
        let client = patient(saysNothing ? silent.url : server.url)
        let connecting = Task { () -> String in
            do throws(ParleyError) {
                try await client.connect()
                return "connected"
            } catch { return error.code }
        }
        try await eventually("it connects") { if case .connecting = await client.state { true } else { false } }
        try await Task.sleep(for: .milliseconds(50))
        await client.close()
        #expect(await connecting.value == "closed")
        try await server.stop()
        if saysNothing {
            try await eventually("its connection ends, too") { silent.ended.withLock { $0 } == 1 }
        }
        try await silent.stop()
    }
}
