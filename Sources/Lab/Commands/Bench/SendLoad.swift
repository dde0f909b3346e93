import Command
import NIOCore
import ParleyClient

/// The clients of `parley-lab bench send`: WebSocket sessions in pairs that write to each other.
///
/// It takes little of the machine that it measures: one event loop, prepared frames, no task per message.
final class SendLoad: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    /// The counts at one instant of the event loop.
    struct Progress: Sendable {
        var at: NIODeadline
        var sent: Int
        var acked: Int
        var delivered: Int
        /// Whether scheduled messages remain to be sent.
        var isSending = false
    }

    private enum Mode {
        case pause
        /// Each acknowledgement triggers the next message.
        case closed
        /// Messages follow a schedule, regardless of acknowledgements. Message number `first + n` is due `n` intervals
        /// after `began`.
        case open(began: NIODeadline, interval: TimeAmount, first: Int, count: Int)
    }

    private struct Client {
        var session: BenchSession
        var template: SendTemplate
        /// The pair's conversations, used in turn; empty if it has only one.
        var conversations: [[UInt8]]
        var next: Int
        var nextRequest = SendTemplate.ids.lowerBound
    }

    let eventLoop: any EventLoop
    private var clients: [Client] = []
    private var mode = Mode.pause
    private let run = UInt32.random(in: 0..<1 << 28)
    private var acked = 0
    private var delivered = 0
    /// Whether a message has arrived at the other member, by message number.
    private var isDelivered: [Bool] = []
    private var latencies: [Int64] = []
    private var failure: (any Error)?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Opens everyone's session.
    /// - Parameter conversations: those of each pair; the ids of a pair must have the same length.
    func connect(
        _ people: [BenchPerson], to address: LinkAddress, _ options: Link.Options, _ conversations: [[String]],
        bodyBytes: Int
    ) async throws {
        for (index, person) in people.enumerated() {
            let session = try await BenchSession.open(address, options, token: person.token, on: eventLoop) {
                [weak self] frame in
                self?.received(frame, by: index)
            } onClose: { [weak self] closed in
                self?.fail("closed", "A client's connection ended: \(closed.code) \(closed.reason)")
            }
            let own = conversations[index / 2]
            let template = try SendTemplate(conversation: own[0], bodyBytes: bodyBytes)
            let bytes = own.count > 1 ? own.map { Array($0.utf8) } : []
            try await eventLoop.submit { [self] in
                // The two of a pair begin at different positions of their list.
                clients.append(
                    Client(
                        session: session, template: template, conversations: bytes, next: index % 2 * bytes.count / 2))
            }.get()
        }
    }

    /// Keeps `window` messages of each client outstanding from now on.
    func begin(window: Int) async throws {
        try await eventLoop.submit { [self] in
            mode = .closed
            for index in clients.indices {
                for slot in 0..<window { send(from: index, request: SendTemplate.ids.lowerBound + UInt64(slot)) }
            }
        }.get()
    }

    func progress() async throws -> Progress {
        try await eventLoop.submit { [self] in
            if let failure { throw failure }
            var progress = Progress(at: .now(), sent: isDelivered.count, acked: acked, delivered: delivered)
            if case .open(_, _, let first, let count) = mode { progress.isSending = isDelivered.count < first + count }
            return progress
        }.get()
    }

    /// Stops sending, and waits until every message is acknowledged and delivered.
    /// - Throws: `not_delivered` if that takes longer than 10 s.
    func drain() async throws {
        try await eventLoop.submit { [self] in mode = .pause }.get()
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let now = try await progress()
            if now.acked == now.sent, now.delivered == now.sent { return }
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    .notDelivered,
                    "Of \(now.sent) messages, \(now.acked) were acknowledged and \(now.delivered) delivered.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends `count` messages, `perSecond` per second, each at its time whether or not earlier ones have arrived.
    /// - Returns: the time from when each was due until it arrived at the other client, in nanoseconds.
    func measureLatency(count: Int, perSecond: Int) async throws -> [Int64] {
        try await eventLoop.submit { [self] in
            latencies = []
            latencies.reserveCapacity(count)
            let interval = TimeAmount.nanoseconds(1_000_000_000 / Int64(perSecond))
            mode = .open(began: .now() + .milliseconds(100), interval: interval, first: isDelivered.count, count: count)
            sendDue()
        }.get()
        while try await progress().isSending { try await Task.sleep(for: .milliseconds(50)) }
        while case let now = try await progress(), now.delivered < now.sent {
            try await Task.sleep(for: .milliseconds(20))
        }
        let measured = try await eventLoop.submit { [self] in latencies }.get()
        try await drain()
        return measured
    }

    func close() async throws {
        try await eventLoop.submit { [self] in
            for client in clients { client.session.close() }
        }.get()
    }

    // MARK: On the loop

    private func sendDue() {
        guard case .open(let began, let interval, let first, let count) = mode else { return }
        let now = NIODeadline.now()
        var number = isDelivered.count - first
        while number < count, began + interval * number <= now {
            let index = number % clients.count
            send(from: index, request: clients[index].nextRequest)
            clients[index].nextRequest += 1
            if clients[index].nextRequest == SendTemplate.ids.upperBound {
                clients[index].nextRequest = SendTemplate.ids.lowerBound
            }
            number += 1
        }
        guard number < count else { return }
        eventLoop.assumeIsolated().scheduleTask(deadline: began + interval * number) { self.sendDue() }
    }

    private func send(from index: Int, request: UInt64) {
        let message = MessageNumber(sender: UInt16(index), run: run, number: UInt32(isDelivered.count))
        isDelivered.append(false)
        var conversation: [UInt8]?
        if !clients[index].conversations.isEmpty {
            conversation = clients[index].conversations[clients[index].next]
            clients[index].next = (clients[index].next + 1) % clients[index].conversations.count
        }
        let client = clients[index]
        client.session.link.send(
            client.template.frame(
                request: request, message: message, at: client.session.milliseconds, conversation: conversation))
    }

    private func received(_ frame: ByteBuffer, by index: Int) {
        switch FrameScan(frame) {
        case .done(let request):
            acked += 1
            if case .closed = mode { send(from: index, request: request) }
        case .message(let low):
            guard let message = MessageNumber(low: low, run: run) else { return }
            arrived(message, at: index)
        case .refused:
            if case .reply(let reply) = try? IncomingFrame(frame), let error = reply.error {
                fail(error.code, error.message)
            }
        case .other: break
        }
    }

    private func arrived(_ message: MessageNumber, at index: Int) {
        let number = Int(message.number)
        guard number < isDelivered.count, Int(message.sender) ^ 1 == index else {
            return fail("misdelivered", "A message arrived at the wrong client.")
        }
        guard !isDelivered[number] else { return fail("delivered_twice", "A message was delivered twice.") }
        isDelivered[number] = true
        delivered += 1
        if case .open(let began, let interval, let first, _) = mode, number >= first {
            latencies.append((NIODeadline.now() - (began + interval * (number - first))).nanoseconds)
        }
    }

    private func fail(_ code: String, _ message: String) {
        if failure == nil { failure = Failure(Failure.Code(rawValue: code), message) }
    }
}
