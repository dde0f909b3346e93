import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Reports the state of a process to its operator over HTTP, at `GET /live`, `/ready` and `/metrics`.
///
/// It has its own thread, so it can also report that the process's loop is blocked. To limit the load, it serves one
/// request per connection and few connections at a time, and closes each after some seconds. It reports nothing secret,
/// but it is not meant for clients.
public final class Monitor: Sendable {
    /// The source of the reports, called for each request.
    public struct Source: Sendable {
        /// Returns the reasons why the process does not serve; empty once it does.
        public var reasonsNotReady: @Sendable () async -> [String]
        /// Returns the metrics in Prometheus' text format 0.0.4.
        public var metrics: @Sendable () async -> String

        public init(
            reasonsNotReady: @escaping @Sendable () async -> [String], metrics: @escaping @Sendable () async -> String
        ) {
            (self.reasonsNotReady, self.metrics) = (reasonsNotReady, metrics)
        }
    }

    static let connectionsMax = 64
    /// Time limit for receiving a request and sending its response.
    static let connectionLimit = TimeAmount.seconds(10)
    /// Time limit for the process's answer; after it the process counts as unresponsive.
    static let answerLimit = TimeAmount.seconds(2)

    private let source: Source
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Number of answers in progress.
    private let answering = Counted()
    private let listener = Mutex<(any Channel)?>(nil)

    public init(_ source: Source) { self.source = source }

    /// - Returns: the address bound.
    /// - Throws: `IOError` when the address is in use or does not belong to this machine.
    public func start(at address: HTTPAddress) async throws -> HTTPAddress {
        HTTPDecoders.complete()
        let loop = group.next()
        let open = NIOLoopBoundBox.makeBoxSendingValue([Handler](), eventLoop: loop)
        let channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGuard(spares: 4))
                }
            }
            .childChannelInitializer { [source, answering] channel in
                channel.eventLoop.makeCompletedFuture {
                    if open.value.count >= Self.connectionsMax {
                        // Whoever has not sent a whole request makes room, so that they cannot keep others away.
                        guard let oldest = open.value.first(where: \.isIncomplete) else {
                            return channel.close(promise: nil)
                        }
                        open.value.removeAll { $0 === oldest }
                        oldest.close()
                    }
                    let handler = Handler(source, answering)
                    open.value.append(handler)
                    channel.closeFuture.assumeIsolated().whenComplete { _ in open.value.removeAll { $0 === handler } }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: address.host, port: address.port).get()
        listener.withLock { $0 = channel }
        return HTTPAddress(channel.localAddress) ?? address
    }

    public func stop() async {
        let channel = listener.withLock { $0 }
        try? await channel?.close().get()
        // A loop that has ended accepts no answers, so wait for those in progress.
        for _ in 0..<50 where answering.count.load(ordering: .relaxed) > 0 {
            // Once, when the process ends, and only if somebody asks just then.
            try? await Task.sleep(for: .milliseconds(10))
        }
        try? await group.shutdownGracefully()
    }

    private final class Counted: Sendable {
        let count = Atomic<Int>(0)
    }

    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var type = "application/json; charset=utf-8"
        var body: String

        static let wrongMethod = Answer(
            status: .methodNotAllowed,
            body: #"{"code":"invalid","message":"This method is not allowed. Use GET or HEAD."}"#)
        static let unknownPath = Answer(
            status: .notFound,
            body: #"{"code":"not_found","message":"This path does not exist. Use /live, /ready or /metrics."}"#)
        static let unresponsive = Answer(
            status: .serviceUnavailable,
            body: #"{"live":false,"ready":false,"reasons":["The process did not answer within 2 s."]}"#)
    }

    /// Answers a request for `path`. Calling the source takes a turn of the process's loop, so an answer proves that
    /// the process is live.
    static func answer(_ path: Substring, _ source: Source) async -> Answer {
        switch path {
        case "/live":
            _ = await source.reasonsNotReady()
            return Answer(status: .ok, body: #"{"live":true}"#)
        case "/ready":
            let reasons = await source.reasonsNotReady()
            return Answer(
                status: reasons.isEmpty ? .ok : .serviceUnavailable,
                body: #"{"ready":\#(reasons.isEmpty),"reasons":\#(JSON.quote(reasons))}"#)
        case "/metrics":
            return Answer(
                status: .ok, type: "text/plain; version=0.0.4; charset=utf-8", body: await source.metrics())
        default: return .unknownPath
        }
    }

    /// One connection.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let source: Source
        private let answering: Counted
        private var head: HTTPRequestHead?
        private var hasAnswered = false
        private var isWhole = false
        private var context: ChannelHandlerContext?
        private var limits: [Scheduled<Void>] = []

        init(_ source: Source, _ answering: Counted) { (self.source, self.answering) = (source, answering) }

        /// Whether no whole request has arrived yet.
        var isIncomplete: Bool { !isWhole }

        func close() { context?.close(promise: nil) }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            limits = [after(Monitor.connectionLimit) { $0.context?.close(promise: nil) }]
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            for limit in limits { limit.cancel() }
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head(let head) where self.head == nil: self.head = head
            case .head, .body: break
            case .end:
                isWhole = true
                if let head, !hasAnswered { answer(head, context) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            guard head.method == .GET || head.method == .HEAD else { return respond(.wrongMethod) }
            let (path, source, answering) = (head.uri.prefix { $0 != "?" }, source, answering)
            let promise = context.eventLoop.makePromise(of: Answer.self)
            answering.count.add(1, ordering: .relaxed)
            promise.completeWithTask { await Monitor.answer(path, source) }
            promise.futureResult.whenComplete { _ in answering.count.subtract(1, ordering: .relaxed) }
            promise.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.respond($0) }
            limits.append(after(Monitor.answerLimit) { $0.respond(.unresponsive) })
        }

        private func after(_ time: TimeAmount, _ body: @escaping (Handler) -> Void) -> Scheduled<Void> {
            guard let context else { preconditionFailure("the handler is not in a pipeline") }
            return context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self.map(body) }
        }

        private func respond(_ answer: Answer) {
            guard let context, let head, !hasAnswered else { return }
            hasAnswered = true
            let headers: HTTPHeaders = [
                "Content-Type": answer.type, "Content-Length": "\(answer.body.utf8.count)", "Connection": "close",
                "Cache-Control": "no-store",
            ]
            let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            if head.method != .HEAD {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
            }
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        }
    }
}
