/// What the requests of one kind cost: which threads woke for one, when, and for how long.
struct HopFigures: Encodable, Sendable, Equatable {
    /// A thread that woke for at least half of the requests. All figures are medians.
    struct Hop: Encodable, Sendable, Equatable {
        /// The process and the thread.
        var place: String
        /// From when the client sent the request until the thread woke.
        var wokeAtUs: Double
        /// Until it waited again.
        var workedUs: Double
        /// The part of `workedUs` in which it waited for the disk.
        var syncUs: Double
        var reads: Int
        var writes: Int
        /// Whether it woke after the client had the answer, so that the client did not wait for it.
        var isAfterAnswer: Bool
    }

    /// A request: when it was sent, when its answer was there, and when the next one was sent.
    struct Sample: Sendable {
        var sent: UInt64
        var answered: UInt64
        var end: UInt64
    }

    var request: String
    var p50Ms: Double
    var p99Ms: Double
    /// How often threads woke for one request until the answer was there.
    var wakeUps: Int
    /// How often they woke from then on until the next request.
    var wakeUpsAfter: Int
    var hops: [Hop]

    /// - Parameters:
    ///   - samples: in order of time.
    ///   - stretches: in the order in which the threads woke.
    init(_ request: String, _ samples: [Sample], _ stretches: [Stretch]) {
        self.request = request
        let latencies = Milliseconds(samples.map { .nanoseconds($0.answered - $0.sent) })
        (p50Ms, p99Ms) = (latencies.p50, latencies.p99)
        var found: [Place: [(sample: Sample, stretch: Stretch)]] = [:]
        var (counts, countsAfter): ([Int], [Int]) = ([], [])
        var next = 0
        for sample in samples {
            var times: [String: Int] = [:]
            var (count, countAfter) = (0, 0)
            while next < stretches.count, stretches[next].woke < sample.end {
                let stretch = stretches[next]
                next += 1
                guard stretch.woke >= sample.sent else { continue }
                if stretch.woke <= sample.answered { count += 1 } else { countAfter += 1 }
                found[Place(name: stretch.place, time: times[stretch.place, default: 0]), default: []]
                    .append((sample, stretch))
                times[stretch.place, default: 0] += 1
            }
            counts.append(count)
            countsAfter.append(countAfter)
        }
        (wakeUps, wakeUpsAfter) = (Self.median(counts), Self.median(countsAfter))
        hops = found.filter { $0.value.count * 2 >= samples.count }.map { place, times in
            func microseconds(_ value: (Sample, Stretch) -> UInt64) -> Double {
                Double(Self.median(times.map { value($0.sample, $0.stretch) })) / 1000
            }
            return Hop(
                place: place.name, wokeAtUs: microseconds { $1.woke - $0.sent },
                workedUs: microseconds { $1.slept - $1.woke }, syncUs: microseconds { $1.syncs },
                reads: Self.median(times.map(\.stretch.reads)), writes: Self.median(times.map(\.stretch.writes)),
                isAfterAnswer: times.count { $0.stretch.woke > $0.sample.answered } * 2 > times.count)
        }.sorted { $0.wokeAtUs < $1.wokeAtUs }
    }

    /// A thread may wake several times for one request.
    private struct Place: Hashable {
        var name: String
        var time: Int
    }

    private static func median<T: Comparable & ExpressibleByIntegerLiteral>(_ values: [T]) -> T {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}
