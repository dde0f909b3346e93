import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

@Suite("Closing a client", .timeLimit(.minutes(4))) struct ClosingTests {
    /// A server that accepts connections and sends nothing, not even HTTP. It counts the connections that end.
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

    /// A client whose waits are so long that only closing ends them.
    private func patient(_ url: String) -> ParleyClient {
        let never = Duration.seconds(1000)
        return ParleyClient(
            url: url, options: .init(backoff: Backoff(first: never, last: never), link: .init(connectTimeout: never)))
    }

    /// Checks that a client is deallocated after use, so that it no longer uses its event loop.
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
        try await eventually("the client is deallocated") { left.client == nil }
    }

    private final class Left: @unchecked Sendable {
        // Sendable: weak references may be read from any thread.
        weak var client: ParleyClient?
    }

    @Test("A connected client is deallocated after closing")
    func connected() async throws {
        try await isGone { _, _ in }
    }

    @Test("Closing ends the wait of a client before its next attempt")
    func waiting() async throws {
        try await isGone { gateway, client in
            gateway.closeAll(1013)
            try await eventually("it waits") { if case .connecting = await client.state { true } else { false } }
        }
    }

    @Test(
        "Closing ends an attempt to connect to a server that sends nothing, or no Welcome", arguments: [true, false])
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
        try await eventually("the client connects") { if case .connecting = await client.state { true } else { false } }
        try await Task.sleep(for: .milliseconds(50))
        await client.close()
        #expect(await connecting.value == "closed")
        try await server.stop()
        if saysNothing {
            try await eventually("its connection ends") { silent.ended.withLock { $0 } == 1 }
        }
        try await silent.stop()
    }
}
