import NIOCore
import NIOWebSocket
import Schema
import ServiceKit
import Wire

/// The connection of one session. Decodes its WebSocket frames, performs the actions of ``SessionMachine`` and writes
/// the frames for the client.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = ByteBuffer

    private let edge: Edge
    private let session: Session
    private var machine: SessionMachine
    private var context: ChannelHandlerContext?
    /// Fragments received so far; nil between messages.
    private var fragments: [UInt8]?
    private var fragmentCount: UInt16 = 0
    static let fragmentsMax: UInt16 = 256
    /// Frames that wait until the connection is writable; nil if none do.
    private var queue: SessionQueue<ByteBuffer>?
    /// Its index among the handlers of its loop.
    var position = 0
    private(set) var needsFlush = false
    /// Bytes written since the last flush. TLS buffers them until then.
    private var unflushed = 0
    var isTouched = false
    /// Whether the connection is not read for now.
    private var isPaused = false
    /// Whether it counts among the sessions of its address that are not signed in.
    private var isAnonymous = false
    /// Where it counts among the connections that are not sessions yet; nil: it is one.
    private var newcomer: Newcomer?

    init(edge: Edge, session: Session, newcomer: Newcomer) {
        self.edge = edge
        self.session = session
        self.newcomer = newcomer
        machine = SessionMachine(rules: edge.rules, session: session.id, at: .now)
    }

    private var loop: EdgeLoop { session.loop }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        session.handler = self
        loop.add(self)
        if loop.isDraining { drain(at: .now) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        session.handler = nil
        loop.remove(self)
        endAnonymous()
        endNewcomer()
        edge.connectionClosed()
        edge.inbox.put(.closed(session))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let now = Moment.now
        switch error {
        case NIOWebSocketError.invalidFrameLength: close(.tooLarge(edge.rules.limits.frameBytes), at: now)
        case is NIOWebSocketError: close(.malformed("This is not a WebSocket frame."), at: now)
        default: context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        let wait = machine.pause(at: .now)
        guard wait > 0, !isPaused else { return }
        read(false)
        edge.metrics.pausedOne()
        context.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(wait)) { [weak self] in self?.read(true) }
    }

    private func read(_ isOn: Bool) {
        isPaused = !isOn
        _ = try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { sendQueued(context) }
    }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let now = Moment.now
        loop.count(in: frame.data.readableBytes)
        if machine.isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard let key = frame.maskKey, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return close(.malformed("A client's frames must be masked and use no extensions."), at: now)
        }
        machine.heard(at: now)
        switch frame.opcode {
        case .binary where frame.fin && fragments == nil:
            SocketFrame.withUnmasked(frame.data, key) { received($0, at: now) }
        case .binary where fragments == nil, .continuation where fragments != nil:
            SocketFrame.withUnmasked(frame.data, key) { received(fragment: $0, isLast: frame.fin, at: now) }
        case .ping:
            let payload = SocketFrame.withUnmasked(frame.data, key) { [UInt8]($0) }
            write(SocketFrame.encodePong(payload, context.channel.allocator), .ephemeral, at: now)
        case .pong: break
        case .connectionClose: leave(context, frame, key, at: now)
        case .text: close(.malformed("Frames must be binary."), at: now)
        default: close(.malformed("This WebSocket frame is not allowed here."), at: now)
        }
    }

    private func received(fragment: UnsafeRawBufferPointer, isLast: Bool, at now: Moment) {
        // Without this limit, empty fragments would cost the gateway time and their sender nothing.
        fragmentCount = fragments == nil ? 1 : fragmentCount + 1
        var whole = fragments ?? []
        fragments = nil
        guard fragmentCount <= Self.fragmentsMax else {
            return close(.malformed("A message may consist of at most \(Self.fragmentsMax) frames."), at: now)
        }
        guard whole.count + fragment.count <= edge.rules.limits.frameBytes else {
            return close(.tooLarge(edge.rules.limits.frameBytes), at: now)
        }
        whole.append(contentsOf: fragment)
        guard isLast else {
            fragments = whole
            return
        }
        whole.withUnsafeBytes { received($0, at: now) }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, at now: Moment) {
        do throws(DecodeFailure) {
            perform(machine.received(try ClientFrame.decode(bytes).frame, at: now), at: now)
            performHeld(at: now)
        } catch {
            close(.malformed(error.description), at: now)
        }
    }

    private func leave(
        _ context: ChannelHandlerContext, _ frame: WebSocketFrame, _ key: WebSocketMaskingKey, at now: Moment
    ) {
        let code = SocketFrame.withUnmasked(frame.data, key) { bytes in
            bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1000
        }
        machine.leave(at: now)
        queue = nil
        edge.metrics.closed(byClient: true, code: code)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(
            wrapOutboundOut(SocketFrame.encodeClose(1000, context.channel.allocator)), promise: promise)
    }

    // MARK: From the gateway

    func update(_ frame: ByteBuffer, _ kind: UpdateClass, _ key: String = "", at now: Moment) {
        guard machine.isOpen else { return }
        write(frame, kind, key, at: now)
    }

    func reply(_ id: UInt64, _ result: Result<[UInt8], Refusal>, at now: Moment) {
        guard !machine.isClosing else { return }
        machine.answered(id)
        switch result {
        case .success(let body): send(.reply(Reply(id: id, body: body)), at: now)
        case .failure(let refusal): send(.reply(Reply(id: id, error: refusal.problem)), at: now)
        }
        perform(machine.settled(at: now), at: now)
    }

    func admitted(_ token: AccessToken, _ share: Share, at now: Moment) {
        endAnonymous()
        endNewcomer()
        machine.join(share)
        // Its frames may now be many and large.
        let buffer = edge.rules.limits.sessionBufferBytes
        _ = try? context?.channel.syncOptions?.setOption(.socketOption(.so_rcvbuf), value: .init(buffer))
        perform(machine.admitted(token, at: now), at: now)
        performHeld(at: now)
    }

    private func performHeld(at now: Moment) {
        while let action = machine.nextHeld(at: now) { perform(action, at: now) }
    }

    func recheck(_ token: String, at now: Moment) {
        guard case .unknownKey = check(token, at: now) else { return }
        let verdict = SessionMachine.Verdict.invalid(
            "The access token is signed with an unknown key. Get another, then connect again.")
        perform(machine.checked(verdict, at: now), at: now)
    }

    /// How many bytes wait for a slow client.
    var bytesQueued: Int { queue?.bytes ?? 0 }

    func tick(at now: Moment) {
        perform(machine.tick(at: now), at: now)
        flush()
    }

    func drain(at now: Moment) {
        perform(machine.drain(at: now), at: now)
        flush()
    }

    func close(_ closing: Closing, at now: Moment) {
        perform(machine.close(closing, at: now), at: now)
    }

    // MARK: Performing actions

    private func perform(_ action: SessionMachine.Action, at now: Moment) {
        switch action {
        case .nothing: break
        case .send(.welcome(let welcome)) where welcome.user.isEmpty:
            guard let share = edge.anonymousBegins(from: session.address, at: now) else {
                return close(.tooManyAnonymous, at: now)
            }
            isAnonymous = true
            endNewcomer()
            machine.join(share)
            send(.welcome(welcome), at: now)
        case .send(let frame): send(frame, at: now)
        case .refuse(let id, let problem):
            edge.metrics.refusedAtEdge(problem.code)
            send(.reply(Reply(id: id, error: problem)), at: now)
        case .forward(let request, let service, let deadline):
            edge.inbox.put(
                .request(session, service: service, request, timeZone: machine.timeZone, deadline: deadline))
        case .check(let token):
            guard case .unknownKey = check(token, at: now) else { return }
            edge.inbox.put(.unknownKey(session, token: token))
        case .report(let activity):
            edge.inbox.put(.activity(session, activity))
        case .admit(let token):
            edge.inbox.put(.admit(session, token, machine.firstActivity))
        case .close(let closing): sayGoodbye(closing)
        case .cut: if let context { Edge.cut(context.channel) }
        }
    }

    private func endNewcomer() {
        if let newcomer { edge.newcomerEnded(newcomer.place) }
        newcomer = nil
    }

    private func endAnonymous() {
        guard isAnonymous else { return }
        isAnonymous = false
        edge.anonymousEnded(from: session.address)
    }

    private enum Checked { case done, unknownKey }

    private func check(_ token: String, at now: Moment) -> Checked {
        let verdict: SessionMachine.Verdict
        do throws(AccessToken.Flaw) {
            verdict = .valid(try edge.keys.verify(token, at: now.wall))
        } catch {
            switch error {
            case .unknownKey: return .unknownKey
            case .expired: verdict = .invalid("The access token has expired. Get another, then connect again.")
            case .malformed, .badSignature:
                verdict = .invalid("The access token is not valid. Get another, then connect again.")
            }
        }
        perform(machine.checked(verdict, at: now), at: now)
        return .done
    }

    private func send(_ frame: ServerFrame.Frame, at now: Moment) {
        guard let context else { return }
        write(SocketFrame.encode(frame, context.channel.allocator), nil, at: now)
    }

    /// - Parameter kind: nil for replies to this client.
    private func write(_ frame: ByteBuffer, _ kind: UpdateClass?, _ key: String = "", at now: Moment) {
        guard let context else { return }
        // Bytes count as waiting until they are flushed, although all of them may fit into the socket.
        if !context.channel.isWritable || unflushed >= SessionBehind.watermark { flush() }
        guard !context.channel.isWritable || queue != nil else { return put(frame, context) }
        let waiting = queue ?? SessionQueue()
        let pending = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? SessionBehind.watermark
        switch waiting.offer(
            frame, size: frame.readableBytes, kind: kind, key: key, pending: pending,
            limit: edge.rules.limits.queueBytes)
        {
        case .held: queue = waiting
        case .merged: edge.metrics.collapsed()
        case .dropped: edge.metrics.droppedOne()
        case .overflow:
            edge.metrics.resync(1, .slowReader)
            close(.resync, at: now)
        }
    }

    private func put(_ frame: ByteBuffer, _ context: ChannelHandlerContext) {
        needsFlush = true
        unflushed += frame.readableBytes
        loop.count(out: frame.readableBytes)
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    /// Sends the frames that waited until the connection became writable.
    private func sendQueued(_ context: ChannelHandlerContext) {
        guard let queue else { return }
        while context.channel.isWritable, let frame = queue.next() {
            put(frame, context)
            // With TLS the connection counts as writable until it is flushed.
            if unflushed >= SessionBehind.watermark { flush() }
        }
        if queue.isEmpty { self.queue = nil }
        flush()
    }

    func flush() {
        isTouched = false
        guard needsFlush else { return }
        (needsFlush, unflushed) = (false, 0)
        context?.flush()
    }

    /// Sends the last two frames and closes the sending half of the connection. The client then has
    /// ``GatewayLimits/closeTimeout`` to close its own half. Closing both halves immediately would lose the frames if
    /// bytes of the client were still unread.
    private func sayGoodbye(_ closing: Closing) {
        edge.metrics.closed(byClient: false, code: closing.code)
        fragments = nil
        guard let context else { return }
        // Queued frames, such as the reply to its last request, go first. A client that syncs again needs none of them.
        if closing != .resync { while let frame = queue?.next() { put(frame, context) } }
        queue = nil
        needsFlush = false
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: context.close(mode: .output, promise: nil)
            case .failure: context.close(promise: nil)
            }
        }
        let frames = SocketFrame.encode(closing, context.channel.allocator)
        context.writeAndFlush(wrapOutboundOut(frames), promise: promise)
    }
}
