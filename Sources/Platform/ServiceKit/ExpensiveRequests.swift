import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Requests that may read much, such as searches and exports. Each person has few of them under way, for a short time,
/// and they use a database connection of their own, so that they hold up nobody's other requests.
///
/// Their statements run on it, one per connection. The others wait here, not in the database: one whose request has no
/// time left is dropped when its turn comes, so nobody waits for work that nobody waits for any more.
@ReactorActor
public final class ExpensiveRequests: Queryable {
    /// How many requests of one person may be under way in one process.
    nonisolated static let atOnceMax = 2
    /// How long such a request may take, whatever its deadline.
    nonisolated static let timeMax = Duration.seconds(5)

    /// Their rows in the table of limits of a service that has such requests.
    public nonisolated static var limits: [Limit] {
        [
            Limit(Self.atOnceMax, "searches and exports under way", per: "account", beyond: .wait),
            Limit(
                Self.timeMax.components.seconds, "seconds", per: "search or export",
                beyond: .words("deadline, with the wait")),
        ]
    }

    private let database: Database
    private var underWay: [AccountNumber: Int] = [:]
    /// How many more statements may begin.
    private var turns: Int
    /// Statements that wait for their turn, in order, until when; resumed with whether it has come.
    private var waiting: [(deadline: ContinuousClock.Instant, turn: CheckedContinuation<Bool, Never>)] = []

    /// - Parameters:
    ///   - database: with connections that only these requests use. It connects when it is first used.
    ///   - connections: how many it has.
    public init(_ database: Database, connections: Int = 1) { (self.database, turns) = (database, connections) }

    /// Runs a statement when its turn comes.
    /// - Throws: ``DatabaseError/busy`` if the request has no time left then.
    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        database.start()
        let deadline = ExpensiveDeadline.current ?? .now + Self.timeMax
        guard .now < deadline else { throw .busy }
        if turns > 0 {
            turns -= 1
        } else {
            guard await withCheckedContinuation({ waiting.append((deadline, $0)) }) else { throw .busy }
        }
        defer { next() }
        return try await database.run(text, parameters)
    }

    /// Passes a turn on to the first that has time left, and drops all before it.
    private func next() {
        let now = ContinuousClock.now
        let first = waiting.firstIndex { now < $0.deadline }
        for waiter in waiting[..<(first ?? waiting.endIndex)] { waiter.turn.resume(returning: false) }
        guard let first else {
            waiting = []
            turns += 1
            return
        }
        waiting[first].turn.resume(returning: true)
        waiting.removeFirst(first + 1)
    }

    /// Returns `handler` with the limits of expensive requests.
    func limited<Request, Reply>(
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) -> @ReactorActor (Request, RequestContext) async throws -> Reply {
        { [self] request, call in
            let call = call.within(Self.timeMax)
            return try await limit(call.caller.account, until: call.deadline) { try await handler(request, call) }
        }
    }

    /// Does something expensive for a person.
    /// - Parameter deadline: no statement begins after it.
    /// - Throws: ``Refusal`` `rate_limited` while they have as many other such requests under way as they may.
    public func limit<Result>(
        _ account: AccountNumber, until deadline: ContinuousClock.Instant, _ body: () async throws -> Result
    ) async throws -> Result {
        let before = underWay[account] ?? 0
        guard before < Self.atOnceMax else { throw Refusal.manyAtOnce }
        underWay[account] = before + 1
        defer {
            let left = (underWay[account] ?? 1) - 1
            underWay[account] = left > 0 ? left : nil
        }
        return try await ExpensiveDeadline.$current.withValue(deadline) { try await body() }
    }
}

/// When the expensive request of the current task has no time left.
private enum ExpensiveDeadline {
    @TaskLocal static var current: ContinuousClock.Instant?
}

extension Refusal {
    fileprivate static let manyAtOnce = Refusal(
        .rateLimited,
        "\(ExpensiveRequests.atOnceMax) searches or exports of yours are under way. Wait for the reply to one of them.",
        retryAfter: .milliseconds(250))
}
