import NIOCore
import NIOPosix
import NIOWebSocket
import TestSupport
import Testing

@testable import ParleyClient

/// A link whose frames and end a test can wait for.
struct ProbedLink {
    let link: Link
    let frames: AsyncStream<ByteBuffer>
    let closed: EventLoopFuture<LinkClosed>

    static func open(_ url: String, options: Link.Options = .init()) async throws -> ProbedLink {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (frames, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        let closed = loop.makePromise(of: LinkClosed.self)
        do {
            let link = try await Link.connect(
                to: LinkAddress(url), on: loop, options: options, onFrame: { continuation.yield($0) },
                onClose: {
                    continuation.finish()
                    closed.succeed($0)
                }
            ).get()
            return ProbedLink(link: link, frames: frames, closed: closed.futureResult)
        } catch {
            closed.fail(error)
            throw error
        }
    }
}

@Suite(.timeLimit(.minutes(4))) struct LinkTests {
    @Test("Frames from any thread are masked, and come back unchanged and in order")
    func echo() async throws {
        let server = try await SocketServer.start { socket, frame in
            if frame.opcode == .binary, frame.maskKey != nil { socket.send(frame.unmaskedData) }
        }
        let probe = try await ProbedLink.open(server.url)
        let sizes = [0, 1, 125, 126, 4000, 65_535, 65_536, 120_000]
        for (index, size) in sizes.enumerated() {
            probe.link.send(ByteBuffer(repeating: UInt8(index), count: size))
        }
        let got = try await received("all frames", from: probe.frames) { $0.count == sizes.count }
        #expect(got == sizes.enumerated().map { ByteBuffer(repeating: UInt8($0), count: $1) })
        probe.link.close()
        #expect(try await probe.closed.get().code == 1000)
    }

    @Test("The server's close code and reason arrive", arguments: [1001, 1013, 4001, 4002, 4003, 4004] as [UInt16])
    func closeCodes(code: UInt16) async throws {
        let server = try await SocketServer.start(onOpen: { $0.close(code, "because") })
        let closed = try await ProbedLink.open(server.url).closed.get()
        #expect(closed == LinkClosed(code: code, reason: "because"))
    }

    @Test("When the server vanishes, the link closes and may be opened again")
    func vanished() async throws {
        let server = try await SocketServer.start { socket, _ in socket.vanish() }
        let probe = try await ProbedLink.open(server.url)
        probe.link.send(ByteBuffer(string: "x"))
        let closed = try await probe.closed.get()
        #expect(closed.code == 1006 && closed.comeBack)
    }

    @Test("A text frame ends the link")
    func text() async throws {
        let server = try await SocketServer.start(onOpen: { $0.send(.text, ByteBuffer(string: "hello")) })
        #expect(try await ProbedLink.open(server.url).closed.get().code == 1003)
    }

    @Test("A message larger than allowed ends the link, in one frame or in several")
    func oversized() async throws {
        let options = Link.Options(frameBytesMax: 1000)
        let whole = try await SocketServer.start(onOpen: { $0.send(ByteBuffer(repeating: 0, count: 1001)) })
        #expect(try await ProbedLink.open(whole.url, options: options).closed.get().code == 1009)
        let pieces = try await SocketServer.start(onOpen: {
            $0.send(.binary, fin: false, ByteBuffer(repeating: 0, count: 900))
            $0.send(.continuation, fin: true, ByteBuffer(repeating: 0, count: 900))
        })
        #expect(try await ProbedLink.open(pieces.url, options: options).closed.get().code == 1009)
    }

    @Test("A message in several frames arrives in one piece")
    func fragments() async throws {
        let server = try await SocketServer.start(onOpen: {
            $0.send(.binary, fin: false, ByteBuffer(string: "one "))
            $0.send(.ping, ByteBuffer(string: "p"))
            $0.send(.continuation, fin: true, ByteBuffer(string: "message"))
        })
        let probe = try await ProbedLink.open(server.url)
        let got = try await received("a frame", from: probe.frames) { !$0.isEmpty }
        #expect(got.map { String(buffer: $0) } == ["one message"])
        probe.link.close()
    }

    @Test("The link ends when the server stops reading, instead of filling memory")
    func slow() async throws {
        let server = try await SocketServer.start(onOpen: { $0.stopReading() })
        let probe = try await ProbedLink.open(server.url, options: .init(waitingBytesMax: 1 << 20))
        let frame = ByteBuffer(repeating: 7, count: 100_000)
        // More than any socket buffer takes.
        for _ in 0..<400 { probe.link.send(frame) }
        let closed = try await probe.closed.get()
        #expect(closed.code == 1006 && closed.reason.contains("stopped reading"))
    }

    @Test("Connecting fails when the server does not speak parley.v1, does not answer or does not exist")
    func refused() async throws {
        let other = try await SocketServer.start(subprotocol: nil)
        await #expect(throws: ParleyError.self) { try await ProbedLink.open(other.url) }
        await #expect(throws: ParleyError.self) {
            try await ProbedLink.open(other.url + "/silent", options: .init(connectTimeout: .milliseconds(100)))
        }
        let gone = try await SocketServer.start()
        try await gone.stop()
        await #expect(throws: ParleyError.self) { try await ProbedLink.open(gone.url) }
    }
}
