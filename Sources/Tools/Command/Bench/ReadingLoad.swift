import Foundation
import NIOCore
import ParleyClient

/// The clients of `parley bench group` and `parley bench receipts`: some of them ask, each with a window of requests
/// outstanding, and all count what they are told.
final class ReadingLoad: @unchecked Sendable {
    // Sendable: all its state is touched on `eventLoop` only.

    /// What the client of this place asks next.
    typealias Ask = @Sendable (_ client: Int, _ nth: Int, _ milliseconds: UInt64) throws -> BenchRequest

    struct Progress: Sendable {
        var at: NIODeadline
        var done: Int
        var told: Int
    }

    private struct Client {
        var session: BenchSession
        var asked = 0
    }

    let eventLoop: any EventLoop
    private let ask: Ask
    private var clients: [Client] = []
    private var isAsking = false
    private var asked = 0
    private var done = 0
    private var told = 0
    private var failure: (any Error)?

    init(eventLoop: any EventLoop, ask: @escaping Ask) { (self.eventLoop, self.ask) = (eventLoop, ask) }

    func connect(_ people: [BenchPerson], to address: LinkAddress) async throws {
        for (index, person) in people.enumerated() {
            let session = try await BenchSession.open(address, token: person.token, on: eventLoop) {
                [weak self] frame in
                self?.received(frame, by: index)
            } onClose: { [weak self] closed in
                self?.fail("closed", "a client's connection ended: \(closed.code) \(closed.reason)")
            }
            try await eventLoop.submit { [self] in clients.append(Client(session: session)) }.get()
        }
    }

    /// Keeps `window` requests of each of the first `askers` outstanding from now on.
    func begin(askers: Int, window: Int) async throws {
        try await eventLoop.submit { [self] in
            isAsking = true
            for index in 0..<askers { for slot in 0..<window { send(from: index, id: UInt64(slot + 1)) } }
        }.get()
    }

    func progress() async throws -> Progress {
        try await eventLoop.submit { [self] in
            if let failure { throw failure }
            return Progress(at: .now(), done: done, told: told)
        }.get()
    }

    /// Asks nothing more, and waits until all is answered and each answer is told to so many others.
    /// - Throws: `not_delivered` when that is not so within 30 s.
    func drain(toldEach: Int?) async throws {
        let all = try await eventLoop.submit { [self] in
            isAsking = false
            return asked
        }.get()
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let now = try await progress()
            if now.done == all, toldEach.map({ now.told == all * $0 }) ?? true { break }
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    "not_delivered", "Of \(all) requests \(now.done) were done and \(now.told) Updates came.")
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
            client.session.link.send(try ask(index, client.asked, client.session.milliseconds).frame(id: id))
            clients[index].asked += 1
            asked += 1
        } catch {
            if failure == nil { failure = error }
        }
    }

    private func received(_ frame: ByteBuffer, by index: Int) {
        switch FrameScan(frame) {
        case .done(let id):
            done += 1
            if isAsking { send(from: index, id: id) }
        case .refused:
            if case .reply(let reply) = try? IncomingFrame(frame), let error = reply.error {
                fail(error.code, error.message)
            }
        case .message, .other: told += 1
        }
    }

    private func fail(_ code: String, _ message: String) {
        if failure == nil { failure = Failure(code, message) }
    }
}

/// What a client of a bench asks.
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

/// What a load did in its seconds, and what it cost.
struct LoadFigures: Encodable, Sendable {
    var donePerS: Double
    var toldPerS: Double
    /// Of one core, 1 being all of it.
    var cores: [String: Double]
    var postgresCores: Double?
    var loadgenCores: Double

    /// Measures a load that is under way.
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
        guard last.done > first.done else { throw Failure("nothing_done", "Nothing was answered in \(seconds) s.") }
        return LoadFigures(
            donePerS: Double(last.done - first.done) / elapsed, toldPerS: Double(last.told - first.told) / elapsed,
            cores: after.0.merging(before.0) { ($0 - $1) / elapsed },
            postgresCores: zip(after.1, before.1).map { ($0 - $1) / elapsed },
            loadgenCores: (after.2 - before.2) / elapsed)
    }

    private static func zip(_ one: Double?, _ other: Double?) -> (Double, Double)? {
        guard let one, let other else { return nil }
        return (one, other)
    }

    func show(done: String, told: String) {
        printTable(
            [(done, rounded(donePerS)), (told, rounded(toldPerS))]
                + cores.filter { $0.value >= 0.005 }.sorted { $0.value > $1.value }.map {
                    ("  cores of \($0.key)", rounded($0.value))
                }
                + [
                    ("  cores of PostgreSQL", rounded(postgresCores)),
                    ("  cores of the load generator", rounded(loadgenCores)),
                ])
    }
}
