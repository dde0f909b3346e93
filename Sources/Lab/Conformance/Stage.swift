import Foundation
import ParleyClient
import SwiftProtobuf

/// Ends a case: what the client did differs from what the case expects.
struct CaseFailure: Error {
    var differences: [Difference]
}

/// Ends a case that needs a command which the client does not take.
struct Unsupported: Error {
    var command: String
}

/// One client under test, the gateway that it connects to, and what has happened between the two.
final class Stage {
    /// A request of the client that is compared, and not answered yet.
    struct Asked {
        var id: UInt64
        var method: String
        var request: any State
        var at: ContinuousClock.Instant

        var text: String { Contract.text(method, request) }
    }

    let gateway: Gateway
    /// Those of welcome.
    var cells = [StreamName.cell]
    /// Where in the case it is, for people.
    var place = "at the beginning"
    /// The last that was sent and received, a line each.
    private(set) var log: [String] = []
    /// The session that was welcomed; nil: none is open.
    private(set) var session: Int?
    /// Requests of the session that nobody has looked at yet.
    private var fresh: [Asked] = []
    private let client: ClientProcess
    private let mailbox: Mailbox<Happening>
    private let limit: Duration
    private let token: String
    /// The session that said hello and waits for welcome.
    private var greeted: Int?
    /// The requests in its hello and behind it, with their times: they are answered after welcome.
    private var early: [(Parley_V1_Request, ContinuousClock.Instant)] = []
    private var lines: [String] = []
    private var pings = (sent: 0, answered: 0)

    private init(
        _ gateway: Gateway, _ client: ClientProcess, _ mailbox: Mailbox<Happening>, limit: Duration, token: String
    ) {
        (self.gateway, self.client, self.mailbox) = (gateway, client, mailbox)
        (self.limit, self.token) = (limit, token)
    }

    /// Starts a gateway and the client.
    /// - Parameters:
    ///   - command: the client's program and arguments.
    ///   - timeUs: the server's time.
    ///   - limit: the longest wait for anything that the client must do.
    static func open(_ command: [String], timeUs: Int64, limit: Duration) async throws -> Stage {
        let mailbox = Mailbox<Happening>()
        let gateway = try await Gateway.start(timeUs: timeUs, mailbox)
        let token = "conformance-\(gateway.port)"
        let variables = ["PARLEY_URL": "ws://127.0.0.1:\(gateway.port)", "PARLEY_TOKEN": token]
        let client = try ClientProcess(command, variables: variables) { report in
            switch report {
            case .line(let line): mailbox.put(.line(line))
            case .exited(let how): mailbox.put(.exited(how))
            case .drained: break
            }
        }
        return Stage(gateway, client, mailbox, limit: limit, token: token)
    }

    /// Ends the client, then the gateway.
    func close() async {
        await client.end()
        await gateway.stop()
    }

    /// More than a client says while it is asked what it holds until the end of the longest wait.
    private static let logMax = 3000

    private func note(_ line: @autoclosure () -> String) {
        let line = line()
        // While the client is asked what it holds until that is right, it says the same again and again.
        guard log.last != line else { return }
        if log.count >= Self.logMax { log.removeFirst(Self.logMax / 10) }
        log.append(line)
    }

    func failure(_ expected: String, _ seen: String) -> CaseFailure {
        CaseFailure(differences: [Difference(place: place, expected: expected, seen: seen)])
    }

    // MARK: Sessions

    /// Waits for hello, and begins a session.
    func welcome() async throws {
        let end = ContinuousClock.now + limit
        while greeted == nil {
            guard try await take(until: end) else {
                throw failure("a WebSocket with hello within \(limit)", "none")
            }
        }
        guard let number = greeted else { return }
        (session, greeted, fresh) = (number, nil, [])
        let now = gateway.now
        note("→ welcome to session \(number)")
        gateway.send(to: number) { frame in
            frame.welcome = .with {
                ($0.version, $0.session, $0.user, $0.device) = (1, "s\(number)", StreamName.me, "d1")
                ($0.serverTimeUs, $0.sessionEndsUs) = (now, now + 3_600_000_000)
                $0.cells = cells
                $0.limits = .with {
                    ($0.frameBytes, $0.textBytes, $0.requestsInFlight) = (131_072, 16_384, 32)
                    ($0.requestsPerSecond, $0.requestsBurst, $0.pageSize) = (1000, 1000, 200)
                }
            }
        }
        let requests = early
        early = []
        for (request, time) in requests { try take(request, at: time) }
    }

    /// Ends the session as a gateway does of which the client missed Updates.
    func disconnect() {
        guard let session else { return }
        self.session = nil
        note("→ close RESYNC")
        gateway.close(session, .resync, "The session fell behind.")
    }

    /// Ends the session as a network failure does.
    func cut() {
        guard let session else { return }
        self.session = nil
        note("→ the connection is cut")
        gateway.cut(session)
    }

    func send(_ update: Parley_V1_Update) {
        guard let session else { return }
        let body = Contract.kinds[update.kind].flatMap { try? $0.init(serializedBytes: update.body) }
        note("→ update \(update.stream) \(update.position) \(update.kind) \(body.map(Contract.text) ?? "")")
        gateway.send(to: session) { $0.update = update }
    }

    func send(frame: [UInt8]) {
        if let session { gateway.send(frame, to: session) }
    }

    func answer(_ asked: Asked, _ body: any State) {
        guard let session else { return }
        note("→ reply to \(asked.text): \(Contract.text(body))")
        gateway.send(to: session) { frame in
            frame.reply.id = asked.id
            frame.reply.body = (try? body.serializedData()) ?? Data()
        }
    }

    func refuse(_ asked: Asked, _ code: String, retryAfterMs: Int64) {
        note("→ \(code) to \(asked.text)")
        refuse(asked.id, code, retryAfterMs)
    }

    private func refuse(_ id: UInt64, _ code: String, _ retryAfterMs: Int64 = 0) {
        guard let session else { return }
        gateway.send(to: session) { frame in
            frame.reply.id = id
            (frame.reply.error.code, frame.reply.error.message) = (code, "parley-lab conformance refuses this.")
            frame.reply.error.retryAfterMs = UInt32(clamping: retryAfterMs)
        }
    }

    // MARK: What happens

    /// Returns the requests that came since the last call.
    func newRequests() -> [Asked] {
        defer { fresh = [] }
        return fresh
    }

    /// Takes what happens next.
    /// - Returns: false when nothing has by then.
    func take(until end: ContinuousClock.Instant) async throws -> Bool {
        guard let happening = await mailbox.next(until: end) else {
            try Task.checkCancellation()
            return false
        }
        switch happening {
        case .hello(let number, let hello):
            guard hello.token == token else {
                throw failure("hello with the token in PARLEY_TOKEN", "hello with token \"\(hello.token)\"")
            }
            guard hello.version == 1 else { throw failure("hello with version 1", "version \(hello.version)") }
            (greeted, early) = (number, [])
        case .request(let number, let request, let time):
            if number == session {
                try take(request, at: time)
            } else if number == greeted {
                early.append((request, time))
            }
        case .authenticate(let number):
            let ends = gateway.now + 3_600_000_000
            gateway.send(to: number) { frame in
                frame.authenticated = .with {
                    ($0.user, $0.device, $0.sessionEndsUs) = (StreamName.me, "d1", ends)
                }
            }
        case .pong(let number): pings.answered = max(pings.answered, number)
        case .closed(let number, let code):
            if number == greeted { greeted = nil }
            if number == session {
                session = nil
                // The connection of a client that ends is closed a moment before.
                let end = ContinuousClock.now + .seconds(5)
                while let next = await mailbox.next(until: end) {
                    if case .exited(let how) = next { throw try await ended(how) }
                }
                throw failure("an open session", "the client closed it\(code.map { " with \($0)" } ?? "")")
            }
        case .broken(let number, let what):
            if number == session || session == nil { throw failure("frames as in frames.proto", what) }
        case .line(let line):
            note("← line \(quoted(line))")
            lines.append(line)
        case .exited(let how): throw try await ended(how)
        }
        return true
    }

    private func ended(_ how: String) async throws -> CaseFailure {
        // What it said last may still be on the way.
        try await Task.sleep(for: .milliseconds(50))
        let errors = client.errors.split(separator: "\n")
        let said = errors.first { $0.contains("rror:") } ?? errors.last ?? ""
        return failure("a client that runs", "it ended with \(how)" + (said.isEmpty ? "" : ": \(said)"))
    }

    private func take(_ request: Parley_V1_Request, at time: ContinuousClock.Instant) throws {
        if let types = Contract.methods[request.method] {
            guard let body = try? types.request.init(serializedBytes: request.body) else {
                throw failure("a body of \(request.method)", "one that cannot be read")
            }
            let moves = (body as? Parley_V1_UpdateMarksRequest)?.marks.contains {
                $0.readSeq != 0 || $0.deliveredSeq != 0
            }
            guard moves ?? false else {
                let request = Asked(
                    id: request.id, method: request.method, request: Contract.withoutLimit(body), at: time)
                note("← request \(request.text)")
                return fresh.append(request)
            }
            // Marks that the client moves on its own are not what a case is about.
            return answer(.init(id: request.id, method: request.method, request: body, at: time), types.reply.init())
        }
        guard request.method.hasPrefix("presence.") else { return refuse(request.id, "unknown_method") }
        answer(
            .init(id: request.id, method: request.method, request: Parley_V1_Done(), at: time),
            Parley_V1_PresenceReply())
    }

    /// Takes what happens for a time.
    func take(for time: Duration) async throws {
        let end = ContinuousClock.now + time
        while try await take(until: end) {}
    }

    /// Waits until the client has read all that was sent: it answers a ping of the WebSocket.
    func drain() async throws {
        guard let session else { return }
        pings.sent += 1
        gateway.ping(pings.sent, to: session)
        let end = ContinuousClock.now + limit
        while pings.answered < pings.sent {
            guard try await take(until: end) else {
                throw failure("a pong for the WebSocket's ping within \(limit)", "none")
            }
        }
        while try await take(until: .now) {}
    }

    /// Waits until the client has probably acted on all that was sent: it has read it, then twice says the same of what
    /// it holds.
    func settle(nowUs: Int64) async throws {
        guard session != nil else { return }
        try await drain()
        var before = try await holdings(nowUs: nowUs)
        let end = ContinuousClock.now + limit
        repeat {
            try await take(for: .milliseconds(10))
            let now = try await holdings(nowUs: nowUs)
            if now.differences(from: before).isEmpty { return }
            before = now
        } while ContinuousClock.now < end
    }

    // MARK: The client's standard input and output

    /// Gives the client a command, and returns its answer.
    func tell(_ command: String) async throws -> JSON {
        if let line = lines.first {
            throw failure("nothing on standard output but answers to commands", "the line \(quoted(line))")
        }
        client.write(command)
        let end = ContinuousClock.now + limit
        while lines.isEmpty {
            guard try await take(until: end) else {
                throw failure("a line on standard output for \(command) within \(limit)", "none")
            }
        }
        let line = lines.removeFirst()
        guard let answer = try? JSON(text: line), !answer.object.isEmpty else {
            throw failure("a JSON object for \(command)", "the line \(quoted(line))")
        }
        return answer
    }

    /// Returns what the client holds.
    func holdings(nowUs: Int64, _ normalise: (any State) -> (any State)? = { $0 }) async throws -> Holdings {
        let answer = try await tell("{\"do\":\"state\",\"now_us\":\(nowUs)}")
        do {
            return try Holdings(answer, normalise)
        } catch {
            throw failure("states in the JSON of proto3", "\(error), in \(quoted(Self.text(answer)))")
        }
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.data, as: UTF8.self) }

    private func quoted(_ line: String) -> String {
        line.count > 300 ? "‘\(line.prefix(300))…’" : "‘\(line)’"
    }
}
