import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Requests that may read much, such as searches and exports. Each person has few of them under way, for a short time,
/// and they use a database connection of their own, so that they hold up nobody's other requests.
@ReactorActor
public final class ExpensiveRequests {
    /// How many requests of one person may be under way in one process.
    nonisolated static let atOnceMax = 2
    /// How long such a request may take, whatever its deadline.
    nonisolated static let timeMax = Duration.seconds(5)

    private let connections: Database
    private var underWay: [AccountNumber: Int] = [:]

    /// - Parameter database: with connections that only these requests use.
    public init(_ database: Database) { connections = database }

    /// The database for their statements. It connects when it is first used.
    public var database: Database {
        connections.start()
        return connections
    }

    /// Returns `handler` with the limits of expensive requests.
    public func limited<Request, Reply>(
        _ handler: @escaping @ReactorActor (Request, RequestContext) async throws -> Reply
    ) -> @ReactorActor (Request, RequestContext) async throws -> Reply {
        { [self] request, call in
            try await limit(call.caller.account) { try await handler(request, call.within(Self.timeMax)) }
        }
    }

    /// Does something expensive for a person.
    /// - Throws: ``Refusal`` `rate_limited` while they have as many other such requests under way as they may.
    public func limit<Result>(_ account: AccountNumber, _ body: () async throws -> Result) async throws -> Result {
        let before = underWay[account] ?? 0
        guard before < Self.atOnceMax else { throw Refusal.manyAtOnce }
        underWay[account] = before + 1
        defer {
            let left = (underWay[account] ?? 1) - 1
            underWay[account] = left > 0 ? left : nil
        }
        return try await body()
    }
}

extension Refusal {
    fileprivate static let manyAtOnce = Refusal(
        .rateLimited,
        "\(ExpensiveRequests.atOnceMax) searches or exports of yours are under way. Wait for the reply to one of them.",
        retryAfter: .milliseconds(250))
}
