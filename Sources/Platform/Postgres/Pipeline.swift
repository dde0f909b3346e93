/// Which result belongs to which request on a pipelined connection. Pure: what was sent goes in, what was received
/// goes in, what is to be done comes out.
///
/// PostgreSQL answers in the order of sending. Requests stand in *groups* that end with a sync; after a failure the
/// rest of its group is skipped by the server ("aborted"), and the next group starts afresh.
///
/// Outside of an explicit transaction it is the sync that commits: a command's result may arrive, and the server may
/// still fail before. So a result counts only once its group's sync has come.
struct Pipeline<Request> {
    /// Names one prepared statement of the connection.
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
        /// The result just received is the request's; keep it until it is delivered or handed back.
        case keep(Request)
        /// These requests' results hold now.
        case deliver([Request])
        /// The request failed; `forget`: the statement is not, or no longer, usable on this connection.
        case fail(Request, DatabaseError, forget: StatementNumber?)
        /// The statement could not be prepared. The requests that need it fail by themselves later.
        case forget(StatementNumber)
        /// This cannot come now: the connection is of no more use.
        case violation(String)
    }

    private var entries = Queue<Entry>()
    private var awaitsEndOfCommand = false
    /// Requests with a result, whose group's sync has not come yet.
    private var kept: [Request] = []
    /// The first failure of the group now being received.
    private var groupFailure: DatabaseError?
    /// Why statements were not prepared, for requests sent before that was known.
    private var unprepared: [StatementNumber: DatabaseError] = [:]

    /// How many requests wait for their result.
    private(set) var requestCount = 0
    /// Whether the last group sent still lacks its sync.
    private(set) var isGroupOpen = false

    /// Whether anything is still to be received.
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
            guard awaitsEndOfCommand else { return .violation("a command ended that had not begun") }
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
            case .sync, nil: return .violation("a result nobody asked for")
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
            switch error.sqlstate {
            case "26000":  // No such prepared statement.
                forget = number
                error = unprepared[number] ?? error
            case "0A000": forget = number  // The table has changed: "cached plan must not change result type".
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
        .refused("25P02", "not run, since an earlier statement failed" + (failure.map { ": \($0)" } ?? ""))
    }

    /// The connection is gone.
    /// - Returns: the requests whose outcome will not be known, in order.
    mutating func lost() -> [Request] {
        defer { self = Pipeline() }
        return kept + entries.popAll().compactMap { if case .query(let request, _) = $0 { request } else { nil } }
    }
}
