import Foundation
import ParleyClient

/// Plays a vector over a socket. The clock is the real one: waits of the vector become waits for the client, and the
/// longest are shortened.
struct VectorCase {
    private let vector: Vector
    private let stage: Stage
    private let limit: Duration
    /// Requests that are not answered yet.
    private var open: [Stage.Asked] = []
    /// When the client last got something.
    private var told = ContinuousClock.now
    /// How long after that the client must not make the next request.
    private var quiet = Duration.zero

    /// A clock that measures a wait may be this much behind.
    private static let tolerance = Duration.milliseconds(5)

    init(_ vector: Vector, _ stage: Stage, limit: Duration) {
        (self.vector, self.stage, self.limit) = (vector, stage, limit)
    }

    mutating func play() async throws {
        let beginsEmpty = !vector.isConnected && vector.states.isEmpty && vector.streams.isEmpty
        if !beginsEmpty {
            var beginning = Beginning(vector)
            try await beginning.play(stage, limit: limit)
            if !vector.isConnected { stage.disconnect() }
        }
        for (index, step) in vector.steps.enumerated() {
            stage.place = "step \(index + 1) (\(step.name))"
            try await take(step, next: index + 1 < vector.steps.count ? vector.steps[index + 1] : nil)
        }
        stage.place = "at the end"
        try await compare()
    }

    private mutating func take(_ step: Vector.Step, next: Vector.Step?) async throws {
        switch step.action {
        case .wait(let time): return try await wait(time, step, next)
        case .connect:
            try await stage.welcome()
        case .disconnect:
            // A reply that the client has not acted on when the session ends is lost, and may be.
            try await stage.settle(nowUs: vector.nowUs)
            stage.disconnect()
            open = []
        case .update(let update): stage.send(update)
        case .reply(let method, let body): stage.answer(try request(method), body)
        case .fail(let method, let code, let retry):
            stage.refuse(try request(method), code, retryAfterMs: retry > 5000 ? retry / 100 : retry)
        case .command(let name, let command):
            guard !(try await stage.tell(command)["unsupported"].isTrue) else { throw Unsupported(command: name) }
        }
        told = .now
        try await expect(step.asks)
    }

    private mutating func request(_ method: String) throws -> Stage.Asked {
        guard let index = open.firstIndex(where: { $0.method == method }) else {
            throw stage.failure(method, "no such request")
        }
        return open.remove(at: index)
    }

    /// Waits: for what the client must request now, or to see that it requests nothing.
    private mutating func wait(_ time: Duration, _ step: Vector.Step, _ next: Vector.Step?) async throws {
        // Between two sessions the client waits only for welcome.
        guard stage.session != nil else { return }
        let played = time > .seconds(5) ? time / 100 : time
        if !step.asks.isEmpty {
            return try await expect(step.asks)
        }
        if case .wait? = next?.action {
            quiet += played
            return
        }
        // An Update that comes just in time on an idle machine comes too late on a busy one.
        let longest: Duration =
            next == nil ? .seconds(1) : played < .milliseconds(250) ? .milliseconds(80) : .milliseconds(400)
        try await stage.take(for: min(played, longest))
        try await expect([])
    }

    /// Takes the requests that a step must cause, and no others.
    private mutating func expect(_ asks: [Vector.Request]) async throws {
        var missing = asks.map(\.text)
        var unexpected: [Stage.Asked] = []
        var end = ContinuousClock.now + limit
        func take() -> [Stage.Asked] {
            let requests = stage.newRequests()
            return requests.filter { request in
                guard let index = missing.firstIndex(of: request.text) else {
                    unexpected.append(request)
                    return false
                }
                missing.remove(at: index)
                return true
            }
        }
        var taken = take()
        while !missing.isEmpty, try await stage.take(until: end) {
            let before = unexpected.count
            taken += take()
            // A client that requests another thing hardly requests the right one later.
            if unexpected.count > before { end = min(end, .now + .milliseconds(500)) }
        }
        if missing.isEmpty {
            try await stage.drain()
            taken += take()
        }
        let early = quiet > .zero ? taken.filter { $0.at < told + quiet - Self.tolerance } : []
        defer { quiet = .zero }
        open += taken
        if let request = early.first {
            throw stage.failure("\(request.text), not before \(quiet)", "it came after \(request.at - told)")
        }
        guard missing.isEmpty, unexpected.isEmpty else {
            let expected = missing.isEmpty ? asks.map(\.text) : missing
            throw stage.failure(
                expected.isEmpty ? "no request" : expected.joined(separator: ", "),
                unexpected.isEmpty ? "no request" : unexpected.map(\.text).joined(separator: ", "))
        }
    }

    /// Compares what the client holds with what it must hold. It may take a moment to get there.
    private mutating func compare() async throws {
        let after = try JSON(text: vector.after)
        let expected = try Holdings(after)
        let end = ContinuousClock.now + min(limit, .seconds(3))
        while true {
            try await expect([])
            let differences = expected.differences(from: try await stage.holdings(nowUs: vector.nowUs))
            if differences.isEmpty { return }
            if ContinuousClock.now > end { throw CaseFailure(differences: differences) }
            try await stage.take(for: .milliseconds(30))
        }
    }
}
