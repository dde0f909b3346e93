import Command
import Foundation
import NIOCore
import ParleyClient
import Postgres
import Reactor
import Synchronization
import Torture

/// What came to the server of pushes.
final class PushArrivals: Sendable {
    struct Message: Hashable, Sendable {
        var conversation: String
        var seq: Int64
    }

    struct Count: Sendable {
        var all = 0
        /// In microseconds since 1970.
        var first: Int64 = 0
        var last: Int64 = 0
    }

    private struct State {
        var count = Count()
        /// When each message came first, while that is kept.
        var times: [Message: Int64]?
    }

    private let state = Mutex(State())

    /// Those that tell of a message, since the last ``begin(keepsTimes:)``.
    var count: Count { state.withLock { $0.count } }
    var times: [Message: Int64] { state.withLock { $0.times ?? [:] } }

    func begin(keepsTimes: Bool = false) { state.withLock { $0 = State(times: keepsTimes ? [:] : nil) } }

    func take(_ pushes: [PushSink.Push]) {
        state.withLock { state in
            for push in pushes where push.kind == "message" {
                if state.count.all == 0 { state.count.first = push.at }
                state.count.all += 1
                state.count.last = push.at
                let message = Message(conversation: push.conversation, seq: push.seq)
                if state.times?[message] == nil { state.times?[message] = push.at }
            }
        }
    }

    /// Waits until so many have come.
    /// - Throws: `not_delivered` if none comes for 60 s.
    func wait(for expected: Int) async throws {
        var (last, at) = (-1, ContinuousClock.now)
        while case let now = count.all, now < expected {
            if now > last { (last, at) = (now, .now) }
            guard .now - at < .seconds(60) else {
                throw Failure(.notDelivered, "Of \(expected) pushes, \(now) came, and none for 60 s.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// The people of `parley-lab bench push` who are away, each with a device that is registered for pushes.
struct AwayPeople: Sendable {
    private static let together = 8

    /// Registers guests, whose passwords need no hash, and their devices.
    /// - Returns: their user ids.
    static func register(_ count: Int, at url: String, on group: any EventLoopGroup) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { tasks in
            for part in 0..<together {
                tasks.addTask {
                    var users: [String] = []
                    for number in stride(from: part, to: count, by: together) {
                        try Task.checkCancellation()
                        users.append(try await register(number, at: url, on: group))
                    }
                    return users
                }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    private static func register(_ number: Int, at url: String, on group: any EventLoopGroup) async throws -> String {
        let client = ParleyClient(url: url, options: .init(retriesFor: .seconds(30)), group: group)
        await client.setActivity(isInForeground: false)
        try await client.connect()
        let user = try await client.registerGuest().user.id
        _ = try await client.registerPush(.fcm, token: "device-\(number)", app: "")
        await client.close()
        return user
    }

    /// Imports groups of a sender and some of the people.
    /// - Parameter size: how many of them are in each.
    /// - Returns: the ids of the groups.
    @ReactorActor
    static func makeGroups(
        of users: [String], size: Int, sender: BenchPerson, in connection: Connection
    ) async throws -> [String] {
        let accounts = try await connection.query(BenchPeople.accountNumbers, .texts([sender.user] + users))
        guard accounts.count == users.count + 1 else {
            throw Failure(.failed, "Some people of the bench are not in the database.")
        }
        let run = BenchPeople.hex(.random(in: 0 ... .max))
        let groups = stride(from: 1, to: accounts.count, by: size).map { first in
            let members = accounts[first..<min(first + size, accounts.count)]
            return (id: run + BenchPeople.hex(UInt64(first)), members: [accounts[0]] + members)
        }
        let numbers = try await BenchPeople.importGroups(groups, at: Times.now() - 1_000_000, in: connection)
        for start in stride(from: 0, to: numbers.count, by: BenchPeople.together) {
            let part = Array(numbers[start..<min(start + BenchPeople.together, numbers.count)])
            try await connection.execute(BenchPeople.makeHeads, .int64s(part))
        }
        try await connection.execute(BenchPeople.settle)
        return groups.map(\.id)
    }

    /// The bytes on disk of all that notifications stores, with indexes.
    static let bytesOnDisk = Statement(
        """
        SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
        FROM pg_class AS c
        WHERE c.relnamespace = 'notifications'::regnamespace
            AND c.relkind = 'r'
        """
    ) { row in try row.int64(0) }
}
