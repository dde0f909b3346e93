import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Keeps each person to their messages of a day (UTC), and to the bytes that go out because of them
/// (``DeliveryLimit``): each message costs its size times its readers.
///
/// Messages are counted in memory, too, so that a send takes no further statement. Every few seconds one statement adds
/// what was sent meanwhile and returns what each person sent through all replicas. A person may therefore exceed the
/// quota by what they send in that time. A replica that dies takes its last seconds' counts along.
@ReactorActor
final class SendingLimits {
    nonisolated static var settings: [Setting] {
        [
            .limit(
                "limits.messages-per-day", 1...1_000_000_000,
                Limit(
                    20_000, "messages sent in a day (UTC)", per: "account",
                    beyond: .words("quota_reached, with the wait")))
        ] + DeliveryLimit.settings(for: "messages")
    }

    /// How often counts are stored.
    static let interval = Duration.seconds(2)
    /// The most people in one statement.
    private static let chunk = 1000

    private let database: Database
    private let clock: WallClock
    private let delivery: DeliveryLimit
    private let worker: Worker
    private var use = DailyUse()
    let messagesMax: Int

    init(_ context: ServiceContext) {
        database = context.database
        clock = context.clock
        messagesMax = context.settings.integer("limits.messages-per-day")
        delivery = DeliveryLimit(context.settings)
        worker = Worker(
            every: Self.interval, log: context.log, failed: "the numbers of messages sent could not be stored")
    }

    func start() { worker.start { [weak self] in try await self?.store() } }

    /// Stores what is counted.
    func stop() async {
        await worker.stop()
        try? await store()
    }

    /// Why the person may not send a message now; nil if they may.
    func refusal(for account: AccountNumber) -> Refusal? {
        let now = clock.now
        if use.messages(of: account, on: Day(now)) >= messagesMax {
            return .quotaReached(until: Day(now).end, now: now)
        }
        return delivery.refusal(for: account)
    }

    /// - Throws: ``Refusal`` `rate_limited` while more has gone out for the person than may.
    func requireDelivery(for account: AccountNumber) throws(Refusal) {
        try delivery.require(for: account)
    }

    /// Counts a message that was sent.
    /// - Parameter bytes: its size times its readers.
    func sent(_ account: AccountNumber, bytes: Int) {
        use.sent(by: account, on: Day(clock.now))
        delivery.delivered(for: account, bytes: bytes)
    }

    /// Counts an edit, which goes out like a message.
    func edited(by account: AccountNumber, bytes: Int) {
        delivery.delivered(for: account, bytes: bytes)
    }

    /// Returns what this replica has counted today and not stored yet.
    func unstored(of account: AccountNumber) -> Int { use.unstored(of: account, on: Day(clock.now)) }

    private func store() async throws {
        let day = Day(clock.now)
        while true {
            let counts = use.takeUnstored(on: day, most: Self.chunk)
            guard !counts.isEmpty else { return use.forget() }
            do {
                let totals = try await database.query(
                    UsageStore.addMessages, .numbers(counts.map(\.account)), .int32s(counts.map(\.messages)),
                    .int32(day.number))
                for (account, messages) in totals { use.stored(messages, of: account, on: day) }
            } catch {
                use.giveBack(counts, on: day)
                throw error
            }
        }
    }
}

/// A day, UTC.
struct Day: Equatable {
    private static let microseconds: Int64 = 86_400_000_000

    /// Days since 1970.
    let number: Int32

    init(_ time: Timestamp) { number = Int32(clamping: time.rawValue / Self.microseconds) }

    var end: Timestamp { Timestamp((Int64(number) + 1) * Self.microseconds) }
}

/// What people sent on one day, as far as this replica knows. Pure.
struct DailyUse {
    private struct Person {
        /// Through all replicas, when it was last stored.
        var stored: Int32 = 0
        /// Through this one since.
        var unstored: Int32 = 0
    }

    private var day = Day(0)
    private var people: [AccountNumber: Person] = [:]
    private var unstored: Set<AccountNumber> = []
    /// Beyond it, people are forgotten of whom nothing matters.
    private static let peopleMax = 100_000

    func messages(of account: AccountNumber, on day: Day) -> Int {
        guard day == self.day, let person = people[account] else { return 0 }
        return Int(person.stored) + Int(person.unstored)
    }

    func unstored(of account: AccountNumber, on day: Day) -> Int {
        day == self.day ? Int(people[account]?.unstored ?? 0) : 0
    }

    mutating func sent(by account: AccountNumber, on day: Day) {
        begin(day)
        let isFirst = { (person: inout Person) in
            person.unstored += 1
            return person.unstored == 1
        }(&people[account, default: Person()])
        if isFirst { unstored.insert(account) }
    }

    /// Counts start at zero with each day. What was not stored of the day before no longer matters.
    private mutating func begin(_ day: Day) {
        guard day != self.day else { return }
        self.day = day
        unstored = []
        people = [:]
    }

    mutating func takeUnstored(on day: Day, most: Int) -> [(account: AccountNumber, messages: Int32)] {
        begin(day)
        let accounts = unstored.prefix(most).sorted()
        var counts: [(account: AccountNumber, messages: Int32)] = []
        for account in accounts {
            unstored.remove(account)
            guard let count = people[account]?.unstored, count > 0 else { continue }
            people[account]?.unstored = 0
            people[account]?.stored += count
            counts.append((account, count))
        }
        return counts
    }

    mutating func giveBack(_ counts: [(account: AccountNumber, messages: Int32)], on day: Day) {
        guard day == self.day else { return }
        for (account, count) in counts {
            people[account]?.unstored += count
            people[account]?.stored -= count
            unstored.insert(account)
        }
    }

    mutating func stored(_ messages: Int32, of account: AccountNumber, on day: Day) {
        guard day == self.day else { return }
        people[account]?.stored = messages
    }

    /// Forgets people once there are many: their counts are read again when they next send.
    mutating func forget() {
        guard people.count > Self.peopleMax else { return }
        people = people.filter { unstored.contains($0.key) }
    }
}

extension Refusal {
    static func quotaReached(until end: Timestamp, now: Timestamp) -> Refusal {
        Refusal(
            .quotaReached, "You have sent as many messages as one person may in a day. Continue tomorrow (UTC).",
            retryAfter: max(end - now, .seconds(1)))
    }
}
