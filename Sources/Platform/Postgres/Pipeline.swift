/// Matches results to requests on a pipelined connection. It does no I/O: the caller reports each entry sent and each
/// message received, and gets the action to take.
///
/// PostgreSQL answers in the order of sending. Requests form *groups* that end with a sync. After a failure the server
/// skips the rest of the group ("aborted") and starts afresh with the next group.
///
/// Outside an explicit transaction the sync commits. The server may still fail between a command's result and the
/// commit, so a result is final only once its group's sync has arrived.
struct Pipeline<Request> {
    /// Identifies a prepared statement of the connection.
    typealias StatementNumber = Int

    enum Entry {
        case prepare(StatementNumber)
        case query(Request, StatementNumber)
        case sync
    }

    enum Received {
        case success
        case failure(DatabaseError)
        case aborted
        case endOfCommand
        case sync
    }

    enum Action {
        case none
        /// The result just received belongs to the request. Keep it until it is delivered or the connection is lost.
        case keep(Request)
        /// The results of these requests are final.
        case deliver([Request])
        /// The request failed. `forget` names a statement that is not, or no longer, usable on this connection.
        case fail(Request, DatabaseError, forget: StatementNumber?)
        /// The statement could not be prepared. The requests that need it fail later.
        case forget(StatementNumber)
        /// The message is out of order. The connection can no longer be used.
        case violation(String)
    }

    private var entries = Queue<Entry>()
    private var awaitsEndOfCommand = false
    /// Requests with a result whose group's sync has not arrived yet.
    private var kept: [Request] = []
    /// The first failure of the group being received.
    private var groupFailure: DatabaseError?
    /// Errors of statements that were not prepared, for requests sent before the error arrived.
    private var unprepared: [StatementNumber: DatabaseError] = [:]

    /// Number of requests that wait for their result.
    private(set) var requestCount = 0
    /// Whether the last group sent still lacks its sync.
    private(set) var isGroupOpen = false

    /// Whether nothing more is to be received.
    var isEmpty: Bool { entries.isEmpty && !awaitsEndOfCommand }

    mutating func sent(_ entry: Entry) {
        switch entry {
        case .prepare: isGroupOpen = true
        case .query:
            isGroupOpen = true
            requestCount += 1
        case .sync: isGroupOpen = false
        }
        entries.append(entry)
    }

    mutating func received(_ received: Received) -> Action {
        switch received {
        case .endOfCommand:
            guard awaitsEndOfCommand else { return .violation("the end of a command that had not begun") }
            awaitsEndOfCommand = false
            return .none
        case .sync:
            guard !awaitsEndOfCommand, case .sync = entries.popFirst() else { return .violation("sync out of order") }
            groupFailure = nil
            if entries.isEmpty { unprepared.removeAll() }
            guard !kept.isEmpty else { return .none }
            defer { kept.removeAll(keepingCapacity: true) }
            requestCount -= kept.count
            return .deliver(kept)
        case .success, .failure, .aborted:
            guard !awaitsEndOfCommand else { return .violation("two results for one command") }
            awaitsEndOfCommand = true
            switch entries.popFirst() {
            case .prepare(let number): return receivedPrepare(number, received)
            case .query(let request, let number):
                return receivedQuery(request, number, received)
            case .sync, nil: return .violation("a result without a request")
            }
        }
    }

    private mutating func receivedPrepare(_ number: StatementNumber, _ received: Received) -> Action {
        switch received {
        case .failure(let error):
            groupFailure = groupFailure ?? error
            unprepared[number] = error
            return .forget(number)
        case .aborted:
            unprepared[number] = Self.notRun(because: groupFailure)
            return .forget(number)
        default: return .none
        }
    }

    private mutating func receivedQuery(
        _ request: Request, _ number: StatementNumber, _ received: Received
    ) -> Action {
        switch received {
        case .failure(var error):
            requestCount -= 1
            var forget: StatementNumber?
            switch error.code {
            case .invalidSQLStatementName:  // The prepared statement does not exist.
                forget = number
                error = unprepared[number] ?? error
            case .featureNotSupported:  // The table has changed: "cached plan must not change result type".
                forget = number
            default: break
            }
            groupFailure = groupFailure ?? error
            return .fail(request, error, forget: forget)
        case .aborted:
            requestCount -= 1
            return .fail(request, unprepared[number] ?? Self.notRun(because: groupFailure), forget: nil)
        default:
            kept.append(request)
            return .keep(request)
        }
    }

    private static func notRun(because failure: DatabaseError?) -> DatabaseError {
        DatabaseError(
            .inFailedSQLTransaction,
            "not run because an earlier statement failed" + (failure.map { ": \($0)" } ?? ""))
    }

    /// Resets the pipeline after the loss of the connection.
    /// - Returns: the requests whose outcome is unknown, in order.
    mutating func lost() -> [Request] {
        defer { self = Pipeline() }
        return kept + entries.popAll().compactMap { if case .query(let request, _) = $0 { request } else { nil } }
    }
}
