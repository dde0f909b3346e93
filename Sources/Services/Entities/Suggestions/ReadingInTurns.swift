import Glibc
import Schema

/// Reads texts in turns, one of each sender at a time, and measures what each sender's cost. Pure but for the clock.
///
/// Long texts made for it take a thousand times as long as a usual one. A sender's share is small, so that they cost
/// their sender's suggestions and nobody else's.
struct ReadingInTurns<Sender: Hashable & Sendable> {
    /// What reading one sender's messages may take of a processor.
    let millisecondsMax: Int
    /// What reading may take before the transaction ends. An idle one is ended after 10 s.
    private static var timeMax: Duration { .seconds(6) }

    init(millisecondsMax: Int) { self.millisecondsMax = millisecondsMax }

    /// The microseconds of a processor that each sender's messages took.
    private(set) var spent: [Sender: Int] = [:]
    /// Messages left out since their sender's share is used up.
    private(set) var leftOut = 0
    /// Whether there was no time for some.
    private(set) var isCutShort = false

    /// Reads messages where they are.
    /// - Parameters:
    ///   - used: the senders who have used up their share.
    ///   - read: reads one.
    mutating func read<Message>(
        _ messages: inout [Message], by sender: (Message) -> Sender, used: Set<Sender>,
        _ read: (inout Message) -> Void
    ) {
        let began = ContinuousClock.now
        for index in Self.turns(messages.map(sender)) {
            let account = sender(messages[index])
            guard !used.contains(account), spent[account, default: 0] < millisecondsMax * 1000 else {
                leftOut += 1
                continue
            }
            guard .now - began < Self.timeMax else {
                isCutShort = true
                return
            }
            let before = Self.processorTime()
            read(&messages[index])
            spent[account, default: 0] += Int((Self.processorTime() - before) / 1000)
        }
    }

    /// The order in which messages of these senders are read: the first of each, then the second of each.
    static func turns(_ senders: [Sender]) -> [Int] {
        var (counts, places) = ([Sender: Int](), [(turn: Int, index: Int)]())
        for (index, sender) in senders.enumerated() {
            places.append((counts[sender, default: 0], index))
            counts[sender, default: 0] += 1
        }
        return places.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }.map(\.index)
    }

    /// Nanoseconds that the current thread has used.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Reading the messages of a batch takes too long. A smaller batch is tried.
struct ReadingTakesTooLong: Error, CustomStringConvertible {
    var description: String { "the messages take too long to read; fewer are read together" }
}
