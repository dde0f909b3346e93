import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One HTTP request to a gateway, streamed in both directions. Each piece is written before the next one is read.
struct FileExchange: Sendable {
    typealias Outgoing = HTTPPart<HTTPRequestHead, ByteBuffer>

    /// The HTTP answer. `body` is empty when the body was streamed.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: ByteBuffer

        func number(_ header: String) -> Int64? { headers.first(name: header).flatMap { Int64($0) } }
    }

    /// How many bytes of an answer that is not streamed are read before the rest is dropped.
    private static let shortBody = 64 * 1024

    let address: LinkAddress
    let eventLoop: any EventLoop
    let options: Link.Options

    /// Sends the request and reads the answer.
    /// - Parameters:
    ///   - length: the length of the body in bytes.
    ///   - next: returns the next piece of the body; empty at its end.
    ///   - receive: called for an answer of status 2xx, first with its head and nil, then with each piece of its body.
    /// - Throws: ``ParleyError`` `connection_lost`, `unavailable`, the errors of certificates; the errors of `next` and
    ///   `receive`.
    func run(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], length: Int64? = nil,
        next: (@Sendable () throws -> ByteBuffer)? = nil,
        receive: (@Sendable (Answer, ByteBuffer?) throws -> Void)? = nil
    ) async throws -> Answer {
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        head.headers.add(name: "Host", value: address.authority)
        if let length { head.headers.add(name: "Content-Length", value: "\(length)") }
        let channel = try await connect()
        let begin = head
        do {
            return try await channel.executeThenClose { inbound, outbound in
                let writer = Task {
                    try await outbound.write(.head(begin))
                    while let piece = try next?(), piece.readableBytes > 0 { try await outbound.write(.body(piece)) }
                    try await outbound.write(.end(nil))
                }
                let answer: Result<Answer, any Error>
                do {
                    answer = .success(
                        try await withTaskCancellationHandler {
                            try await Self.answer(from: inbound, receive)
                        } onCancel: {
                            channel.channel.close(promise: nil)
                        })
                } catch {
                    answer = .failure(error)
                }
                // A retry reads from the same source, so this writer must have stopped using it.
                writer.cancel()
                _ = await writer.result
                return try answer.get()
            }
        } catch let error as ParleyError {
            throw error
        } catch let error as IOError {
            throw ParleyError.connectionLost("\(error)")
        } catch let error as ChannelError {
            throw ParleyError.connectionLost("\(error)")
        } catch let error as NIOSSLError {
            throw ParleyError.connectionLost("\(error)")
        } catch let error as HTTPParserError {
            throw ParleyError.connectionLost("\(error)")
        }
    }

    private func connect() async throws -> NIOAsyncChannel<HTTPClientResponsePart, Outgoing> {
        HTTPDecoders.complete()
        let (address, tls) = (address, try await LinkTLS.context(for: address, options.trust, on: eventLoop).get())
        do {
            return try await ClientBootstrap(group: eventLoop)
                .connectTimeout(TimeAmount(options.connectTimeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try LinkTLS.add(tls, to: channel, of: address)
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(OnlyBuffers())
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw ParleyError.cannotConnect(to: address.authority, error)
        }
    }

    private static func answer(
        from inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ receive: (@Sendable (Answer, ByteBuffer?) throws -> Void)?
    ) async throws -> Answer {
        var answer: Answer?
        var isStreamed = false
        for try await part in inbound {
            switch part {
            case .head(let head) where head.status.code < 200: continue
            case .head(let head):
                let begun = Answer(status: Int(head.status.code), headers: head.headers, body: ByteBuffer())
                answer = begun
                isStreamed = receive != nil && 200..<300 ~= begun.status
                if isStreamed { try receive?(begun, nil) }
            case .body(var bytes):
                guard let begun = answer else { continue }
                if isStreamed {
                    try receive?(begun, bytes)
                } else if begun.body.readableBytes < shortBody {
                    answer?.body.writeBuffer(&bytes)
                }
            case .end:
                if let answer { return answer }
            }
        }
        throw ParleyError.connectionLost("the answer is incomplete")
    }

    /// Passes on body parts as buffers: files are sent from memory, never by the kernel.
    private final class OnlyBuffers: ChannelOutboundHandler {
        typealias OutboundIn = Outgoing
        typealias OutboundOut = HTTPClientRequestPart

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part: HTTPClientRequestPart =
                switch Self.unwrapOutboundIn(data) {
                case .head(let head): .head(head)
                case .body(let bytes): .body(.byteBuffer(bytes))
                case .end(let trailers): .end(trailers)
                }
            context.write(Self.wrapOutboundOut(part), promise: promise)
        }
    }
}
