import Postgres
import Reactor
import Schema

/// Lets a person have a few requests under way in a process, so that their statements take at most half of its reading
/// connections. Others of theirs wait here, in order, and nobody else waits for them. Without any connection there is
/// nothing to share: all wait for one together, as long as requests do, and are then refused.
///
/// Batched requests, such as sends, have queues of their own, and expensive ones connections of their own.
@ReactorActor
final class RequestTurns {
    private struct Person {
        var underWay = 0
        /// What waits, until when; resumed with whether its turn came in time.
        var waiting: [(deadline: ContinuousClock.Instant, turn: CheckedContinuation<Bool, Never>)] = []
    }

    private let most: Int
    private let isConnected: @ReactorActor () -> Bool
    private var people: [AccountNumber: Person] = [:]

    /// - Parameters:
    ///   - connections: how many connections for reading the process has; nil: no limit.
    ///   - isConnected: whether any of them is open.
    init(connections: Int?, isConnected: @escaping @ReactorActor () -> Bool) {
        most = connections.map { max(1, $0 / 2) } ?? .max
        self.isConnected = isConnected
    }

    /// Waits for the turn of a request. The caller calls ``pass(_:)`` when it is done, unless this throws.
    /// - Throws: ``DatabaseError/busy`` if the request has no time left when its turn comes.
    func take(_ account: AccountNumber, until deadline: ContinuousClock.Instant) async throws(DatabaseError) {
        guard people[account, default: Person()].underWay >= most, isConnected() else {
            people[account, default: Person()].underWay += 1
            return
        }
        let isInTime = await withCheckedContinuation { turn in
            people[account, default: Person()].waiting.append((deadline, turn))
        }
        guard isInTime else { throw .busy }
    }

    /// Passes a turn on to the person's next request that has time left.
    func pass(_ account: AccountNumber) {
        guard var person = people[account] else { return }
        guard isConnected() else { return passToAll(account) }
        let now = ContinuousClock.now
        let next = person.waiting.firstIndex { now < $0.deadline } ?? person.waiting.endIndex
        let late = person.waiting[..<next].map(\.turn)
        let turn = person.waiting.indices.contains(next) ? person.waiting[next].turn : nil
        person.waiting.removeFirst(min(next + 1, person.waiting.count))
        if turn == nil { person.underWay -= 1 }
        people[account] = person.underWay > 0 ? person : nil
        for one in late { one.resume(returning: false) }
        turn?.resume(returning: true)
    }

    private func passToAll(_ account: AccountNumber) {
        guard var person = people[account] else { return }
        let waiting = person.waiting
        person.waiting = []
        person.underWay += waiting.count - 1
        people[account] = person.underWay > 0 ? person : nil
        for one in waiting { one.turn.resume(returning: true) }
    }
}
