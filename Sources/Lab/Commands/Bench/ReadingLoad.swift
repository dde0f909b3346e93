import Command
import Foundation
import NIOCore
import ParleyClient

/// The clients of `parley-lab bench group` and `parley-lab bench receipts`. Some of them send requests, each with a
/// window of outstanding ones, and all count the Updates they receive.
final class ReadingLoad: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    /// Returns the next request of the client with this index.
    typealias MakeRequest = @Sendable (_ client: Int, _ nth: Int, _ milliseconds: UInt64) throws -> BenchRequest

    struct Progress: Sendable {
        var at: NIODeadline
        var done: Int
        var delivered: Int
    }

    private struct Client {
        var session: BenchSession
        var requested = 0
    }

    let eventLoop: any EventLoop
    private let makeRequest: MakeRequest
    private var clients: [Client] = []
    private var isSending = false
    private var requested = 0
    private var done = 0
    private var delivered = 0
    private var failure: (any Error)?

    init(eventLoop: any EventLoop, makeRequest: @escaping MakeRequest) {
        (self.eventLoop, self.makeRequest) = (eventLoop, makeRequest)
    }

    func connect(_ people: [BenchPerson], to address: LinkAddress) async throws {
        for (index, person) in people.enumerated() {
            let session = try await BenchSession.open(address, token: person.token, on: eventLoop) {
                [weak self] frame in
                self?.received(frame, by: index)
            } onClose: { [weak self] closed in
                self?.fail("closed", "A client's connection ended: \(closed.code) \(closed.reason)")
            }
            try await eventLoop.submit { [self] in clients.append(Client(session: session)) }.get()
        }
    }

    /// Keeps `window` requests of each of the first `requesters` clients outstanding from now on.
    func begin(requesters: Int, window: Int) async throws {
        try await eventLoop.submit { [self] in
            isSending = true
            for index in 0..<requesters { for slot in 0..<window { send(from: index, id: UInt64(slot + 1)) } }
        }.get()
    }

    func progress() async throws -> Progress {
        try await eventLoop.submit { [self] in
            if let failure { throw failure }
            return Progress(at: .now(), done: done, delivered: delivered)
        }.get()
    }

    /// Stops sending, and waits until every request is answered and has caused this many Updates (nil: any number).
    /// - Throws: `not_delivered` if that takes longer than 30 s.
    func drain(deliveriesEach: Int?) async throws {
        let all = try await eventLoop.submit { [self] in
            isSending = false
            return requested
        }.get()
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let now = try await progress()
            if now.done == all, deliveriesEach.map({ now.delivered == all * $0 }) ?? true { break }
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    .notDelivered, "Of \(all) requests, \(now.done) were answered. \(now.delivered) Updates arrived.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await eventLoop.submit { [self] in
            for client in clients { client.session.close() }
        }.get()
    }

    // MARK: On the loop

    private func send(from index: Int, id: UInt64) {
        do {
            let client = clients[index]
            let request = try makeRequest(index, client.requested, client.session.milliseconds)
            client.session.link.send(try request.frame(id: id))
            clients[index].requested += 1
            requested += 1
        } catch {
            if failure == nil { failure = error }
        }
    }

    private func received(_ frame: ByteBuffer, by index: Int) {
        switch FrameScan(frame) {
        case .done(let id):
            done += 1
            if isSending { send(from: index, id: id) }
        case .refused:
            if case .reply(let reply) = try? IncomingFrame(frame), let error = reply.error {
                fail(error.code, error.message)
            }
        case .message, .other: delivered += 1
        }
    }

    private func fail(_ code: String, _ message: String) {
        if failure == nil { failure = Failure(Failure.Code(rawValue: code), message) }
    }
}

/// A request of a bench's client.
enum BenchRequest {
    case send(Parley_V1_SendMessageRequest)
    case mark(Parley_V1_UpdateMarksRequest, user: String)

    func frame(id: UInt64) throws -> ByteBuffer {
        switch self {
        case .send(let request):
            try OutgoingRequest.frame(id: id, MessagingMethods.sendMessage, key: request.conversation, request)
        case .mark(let request, let user):
            try OutgoingRequest.frame(id: id, MessagingMethods.updateMarks, key: user, request)
        }
    }
}

/// The throughput of a load and its CPU use.
struct LoadFigures: Encodable, Sendable {
    var donePerS: Double
    var deliveredPerS: Double
    /// The CPU use of each process; 1 is one whole core.
    var cores: [String: Double]
    var postgresCores: Double?
    var loadgenCores: Double

    /// Measures a load that is running.
    static func measure(_ load: ReadingLoad, seconds: Int, on cluster: BenchCluster) async throws -> LoadFigures {
        let services = await cluster.services()
        let postgres = await cluster.postgres()
        func cpu() -> ([String: Double], Double?, Double) {
            (services.mapValues(ProcessUsage.cpu), postgres.map(ProcessUsage.cpuOfTree), ProcessUsage.cpuOfThis)
        }
        try await Task.sleep(for: .seconds(1))
        let (before, first) = (cpu(), try await load.progress())
        try await Task.sleep(for: .seconds(seconds))
        let (after, last) = (cpu(), try await load.progress())
        let elapsed = Double((last.at - first.at).nanoseconds) / 1e9
        guard last.done > first.done else { throw Failure(.nothingDone, "No request was answered in \(seconds) s.") }
        return LoadFigures(
            donePerS: Double(last.done - first.done) / elapsed,
            deliveredPerS: Double(last.delivered - first.delivered) / elapsed,
            cores: after.0.merging(before.0) { ($0 - $1) / elapsed },
            postgresCores: zip(after.1, before.1).map { ($0 - $1) / elapsed },
            loadgenCores: (after.2 - before.2) / elapsed)
    }

    private static func zip(_ one: Double?, _ other: Double?) -> (Double, Double)? {
        guard let one, let other else { return nil }
        return (one, other)
    }

    func show(done: String, delivered: String) {
        printTable(
            [(done, rounded(donePerS)), (delivered, rounded(deliveredPerS))]
                + cores.filter { $0.value >= 0.005 }.sorted { $0.value > $1.value }.map {
                    ("  cores of \($0.key)", rounded($0.value))
                }
                + [
                    ("  cores of PostgreSQL", rounded(postgresCores)),
                    ("  cores of the load generator", rounded(loadgenCores)),
                ])
    }
}
