import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

@Suite("M17: what becomes of an upload that is answered with an error", .timeLimit(.minutes(4)))
struct UploadTests {
    private static let size = 3
    private static let path = "/v1/files/there"

    /// Answers each request with the next of a few errors, and then takes the file.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let errors: ErrorsToGive
        private var isHead = false

        init(_ errors: ErrorsToGive) { self.errors = errors }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): isHead = head.method == .HEAD
            case .body: break
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let error = errors.next()
            let body = error.map { ByteBuffer(string: #"{"code":"\#($0.code)","message":"No."}"#) } ?? ByteBuffer()
            let status = error?.status ?? (isHead ? 200 : 204)
            var headers: HTTPHeaders = ["Upload-Offset": isHead ? "0" : "\(UploadTests.size)"]
            if status != 204 { headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if !isHead, error != nil { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private final class ErrorsToGive: Sendable {
        private let left: Mutex<[(status: Int, code: String)?]>
        init(_ errors: [(status: Int, code: String)?]) { left = Mutex(errors) }
        var isEmpty: Bool { left.withLock { $0.isEmpty } }
        func next() -> (status: Int, code: String)? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    /// Uploads a file to a server that first gives some errors. The requests are HEAD, PATCH, HEAD, PATCH and so on.
    /// - Returns: whether it gave all of them.
    private func upload(past errors: [(status: Int, code: String)?]) async throws -> Bool {
        let errors = ErrorsToGive(errors)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(errors))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let folder = try TestFolder()
        defer { folder.remove() }
        try Data(repeating: 97, count: Self.size).write(to: URL(fileURLWithPath: "\(folder.path)/file"))
        let quick = Backoff(first: .milliseconds(5), last: .milliseconds(20))
        let client = ParleyClient(
            url: "ws://127.0.0.1:\(server.localAddress?.port ?? 0)", options: .init(backoff: quick))
        let outcome: Result<Void, ParleyError>
        do throws(ParleyError) {
            outcome = .success(try await client.upload(fileAt: "\(folder.path)/file", toLink: Self.path))
        } catch {
            outcome = .failure(error)
        }
        await client.close()
        try await server.close()
        try outcome.get()
        return errors.isEmpty
    }

    @Test(
        "M17 it goes on after an answer that says nothing of the file",
        arguments: [
            (408, "timeout"), (409, "conflict"), (429, "rate_limited"), (500, "internal"), (503, "unavailable"),
            (504, "deadline"),
        ])
    func goesOn(status: Int, code: String) async throws {
        // Every other one is of a HEAD, which has no body: the status says what it is.
        let isThrough = try await upload(
            past: [(status, code), nil, (status, code), (status, code), nil, (status, code)])
        #expect(isThrough)
    }

    @Test(
        "M17 it ends with a refusal of the file", arguments: [(415, "invalid"), (413, "too_large"), (404, "not_found")])
    func ends(status: Int, code: String) async throws {
        for before in [[], [nil]] as [[(status: Int, code: String)?]] {
            let error = await #expect(throws: ParleyError.self) {
                _ = try await upload(past: before + [(status, code)])
            }
            #expect(error?.code == code)
        }
    }
}
