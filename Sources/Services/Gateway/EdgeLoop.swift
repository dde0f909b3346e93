import NIOCore
import Reactor
import Schema
import ServiceKit
import Synchronization
import Wire

/// An event that the reactor passes to an event loop.
enum Delivery: Sendable {
    /// One encoded frame, shared by all sessions that receive it.
    case update(Session, ByteBuffer, UpdateClass, collapseKey: String)
    case reply(Session, id: UInt64, Result<[UInt8], Refusal>)
    case admitted(Session, AccessToken, Share)
    /// The keys are up to date, so the token is checked again.
    case recheck(Session, token: String)
    case close(Session, Closing)
    case respond(HTTPExchange, status: Int, body: String)
    case piece(HTTPExchange, Result<[UInt8], Refusal>)
}

/// One event loop with its sessions and the queue from the reactor to them.
///
/// Everything the reactor posts in one turn arrives as one array with one wake-up. Each connection written to is
/// flushed once.
final class EdgeLoop: @unchecked Sendable {
    // Sendable: `waiting` is locked, only the reactor touches `posted`, and only the event loop everything else.

    private struct Waiting {
        var deliveries: [Delivery] = []
        var isWoken = false
        var isStopped = false
    }

    let eventLoop: any EventLoop
    private let metrics: GatewayMetrics
    private let waiting = Mutex(Waiting())
    @ReactorActor private var posted: [Delivery] = []

    private var handlers: [SessionHandler] = []
    /// The connections that are not sessions.
    private var connections: [ObjectIdentifier: HTTPHandler] = [:]
    private var touched: [SessionHandler] = []
    /// Whose turn it is to parse what has arrived.
    private(set) var turns = HTTPTurns<HTTPGate>()
    private var hasNextSlot = false
    private var sweep: RepeatedTask?
    private(set) var isDraining = false
    private var bytesIn = 0
    private var bytesOut = 0
    private var bytesQueued = 0
    private var sweepDue: Int64 = 0

    init(eventLoop: any EventLoop, metrics: GatewayMetrics) {
        self.eventLoop = eventLoop
        self.metrics = metrics
    }

    // MARK: From the reactor

    /// Passes `delivery` to the event loop at the end of this turn.
    @ReactorActor
    func post(_ delivery: Delivery) {
        if posted.isEmpty { Reactor.shared.atEndOfTurn { [self] in handOver() } }
        posted.append(delivery)
    }

    @ReactorActor
    private func handOver() {
        let mustWake = waiting.withLock { waiting in
            // The thread ends. Late replies find nobody.
            guard !waiting.isStopped else { return false }
            if waiting.deliveries.isEmpty {
                swap(&waiting.deliveries, &posted)
            } else {
                waiting.deliveries.append(contentsOf: posted)
            }
            defer { waiting.isWoken = true }
            return !waiting.isWoken
        }
        posted.removeAll(keepingCapacity: posted.capacity <= 4096)
        if mustWake { eventLoop.execute { self.deliver() } }
    }

    /// Drops what is posted from now on.
    func stopDelivering() {
        waiting.withLock { $0.isStopped = true }
    }

    // MARK: On the event loop

    private func deliver() {
        let deliveries = waiting.withLock { waiting in
            waiting.isWoken = false
            let deliveries = waiting.deliveries
            waiting.deliveries = []
            return deliveries
        }
        let now = Moment.now
        for delivery in deliveries { deliver(delivery, at: now) }
        for handler in touched { handler.flush() }
        touched.removeAll(keepingCapacity: touched.capacity <= 4096)
    }

    private func deliver(_ delivery: Delivery, at now: Moment) {
        let handler: SessionHandler
        switch delivery {
        case .update(let session, let frame, let kind, let key):
            guard let found = session.handler else { return }
            handler = found
            handler.update(frame, kind, key, at: now)
        case .reply(let session, let id, let result):
            guard let found = session.handler else { return }
            handler = found
            handler.reply(id, result, at: now)
        case .admitted(let session, let token, let share):
            guard let found = session.handler else { return }
            handler = found
            handler.admitted(token, share, at: now)
        case .recheck(let session, let token):
            guard let found = session.handler else { return }
            handler = found
            handler.recheck(token, at: now)
        case .close(let session, let closing):
            guard let found = session.handler else { return }
            handler = found
            handler.close(closing, at: now)
        case .respond(let exchange, let status, let body):
            exchange.handler?.respond(to: exchange, status, json: body)
            return
        case .piece(let exchange, let result):
            exchange.handler?.answered(exchange, result)
            return
        }
        if handler.needsFlush, !handler.isTouched {
            handler.isTouched = true
            touched.append(handler)
        }
    }

    func add(_ handler: SessionHandler) {
        handler.position = handlers.count
        handlers.append(handler)
        metrics.sessionOpened()
    }

    func remove(_ handler: SessionHandler) {
        let last = handlers.removeLast()
        if last !== handler {
            handlers[handler.position] = last
            last.position = handler.position
        }
        metrics.sessionClosed()
    }

    func add(_ connection: HTTPHandler) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: HTTPHandler) { connections[ObjectIdentifier(connection)] = nil }

    /// Lets a connection go on when it is its turn.
    func wait(_ gate: HTTPGate) {
        turns.wait(gate)
        beginNextSlot()
    }

    /// Counts the time that `body` takes.
    func measured(_ body: () -> Void) {
        let began = NIODeadline.now()
        body()
        turns.spend(NIODeadline.now() - began)
        beginNextSlot()
    }

    /// Begins another slot when this one is over.
    private func beginNextSlot() {
        guard !hasNextSlot else { return }
        hasNextSlot = true
        eventLoop.assumeIsolated().scheduleTask(in: HTTPTurns<HTTPGate>.slot) { [weak self] in
            guard let self else { return }
            hasNextSlot = false
            turns.nextSlot()
            while let gate = turns.next() { gate.takeTurn() }
            if turns.isInUse { beginNextSlot() }
        }
    }

    func count(in bytes: Int) { bytesIn += bytes }
    func count(out bytes: Int) { bytesOut += bytes }

    /// Checks every session at this interval, because a timer for each session would cost memory.
    func startSweep(every interval: Duration) {
        let interval = TimeAmount.nanoseconds(interval.microseconds * 1000)
        let pause = interval.nanoseconds / 1000
        sweepDue = Moment.now.steady + pause
        sweep = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [unowned self] _ in
            let now = Moment.now
            var queued = 0
            forEachHandler { handler in
                handler.tick(at: now)
                queued += handler.bytesQueued
            }
            metrics.swept(late: .microseconds(max(0, now.steady - sweepDue)), queuedMore: queued - bytesQueued)
            bytesQueued = queued
            sweepDue = Moment.now.steady + pause
            metrics.add(bytesIn: bytesIn, bytesOut: bytesOut)
            (bytesIn, bytesOut) = (0, 0)
        }
    }

    func stopSweep() { sweep?.cancel() }

    /// Makes the sessions refuse new requests and close once none is in flight, and other connections likewise.
    func drain() {
        isDraining = true
        let now = Moment.now
        forEachHandler { $0.drain(at: now) }
        for connection in connections.values { connection.drain() }
    }

    func closeAll(_ closing: Closing) {
        let now = Moment.now
        forEachHandler { handler in
            handler.close(closing, at: now)
            handler.flush()
        }
    }

    var isEmpty: Bool { handlers.isEmpty }

    /// Iterates from the end, so that removing a handler moves none that is still to be visited.
    private func forEachHandler(_ body: (SessionHandler) -> Void) {
        var index = handlers.count - 1
        while index >= 0 {
            if index < handlers.count { body(handlers[index]) }
            index -= 1
        }
    }
}
