import Metrics
import Schema
import Synchronization

/// The figures of this process, kept in memory: the backend of swift-metrics here. They are told by its health answer
/// and, in Prometheus' format, by ``text``.
public final class MetricsRegistry: MetricsFactory, Sendable {
    public static let shared = MetricsRegistry()

    private struct Key: Hashable {
        var label: String
        var labels: [MetricLabel]
    }

    /// One figure or, for recorders and timers, how they are spread.
    final class Figure: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, FloatingPointCounterHandler,
        Sendable
    {
        let kind: MetricKind
        let labels: [MetricLabel]
        /// Made once: all figures are put in its order with each look at them.
        let labelText: String
        let value: Mutex<MetricValue>
        private let isOverflow: Bool

        init(_ kind: MetricKind, labels: [MetricLabel], isOverflow: Bool = false) {
            (self.kind, self.labels, self.isOverflow) = (kind, labels, isOverflow)
            labelText = MetricsText.labels(labels)
            value = Mutex(MetricValue(kind))
        }

        func increment(by amount: Int64) { value.withLock { $0.sum += Double(amount) } }
        func increment(by amount: Double) { value.withLock { $0.sum += amount } }
        func decrement(by amount: Double) { value.withLock { $0.sum -= amount } }
        func reset() { value.withLock { $0 = MetricValue(kind) } }
        func set(_ amount: Int64) { set(Double(amount)) }
        func set(_ amount: Double) {
            // Of what could not be kept apart only how often is known.
            if isOverflow { return increment(by: 1.0) }
            value.withLock { $0.sum = amount }
        }
        func record(_ amount: Int64) { record(Double(amount)) }
        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

        func record(_ amount: Double) {
            // swift-metrics' Gauge is a recorder that does not aggregate.
            guard case .histogram(let bounds) = kind else { return set(amount) }
            value.withLock { $0.add(amount, bounds) }
        }
    }

    private let figures = Mutex<[Key: Figure]>([:])
    /// Past this many the rest share one: labels must be bounded, and a mistake must not eat the memory.
    private static let limit = 2000
    static let overflow = "parley_metrics_overflow_total"

    private func figure(_ label: String, _ dimensions: [(String, String)], _ kind: MetricKind) -> Figure {
        let key = Key(label: label, labels: dimensions.map { MetricLabel(name: $0, value: $1) })
        return figures.withLock { figures in
            if let known = figures[key] { return known }
            if figures.count < Self.limit {
                let made = Figure(kind, labels: key.labels)
                figures[key] = made
                return made
            }
            let place = Key(label: Self.overflow, labels: [])
            let made = figures[place] ?? Figure(.counter, labels: [], isOverflow: true)
            figures[place] = made
            return made
        }
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> CounterHandler {
        figure(label, dimensions, .counter)
    }

    public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> FloatingPointCounterHandler {
        figure(label, dimensions, .counter)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> MeterHandler {
        figure(label, dimensions, .gauge)
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> RecorderHandler {
        figure(label, dimensions, aggregate ? .histogram(MetricKind.sizes) : .gauge)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> TimerHandler {
        figure(label, dimensions, .histogram(MetricKind.seconds))
    }

    public func destroyCounter(_ handler: CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: MeterHandler) {}
    public func destroyRecorder(_ handler: RecorderHandler) {}
    public func destroyTimer(_ handler: TimerHandler) {}

    /// All figures now, in order of name and labels.
    var samples: [MetricSample] {
        let all = figures.withLock { $0 }
        return all.map { key, figure in
            MetricSample(
                name: key.label, labels: figure.labels, labelText: figure.labelText, kind: figure.kind,
                value: figure.value.withLock { $0 })
        }.sorted { ($0.name, $0.labelText) < ($1.name, $1.labelText) }
    }

    /// All figures now as the health answer tells them, by name: of those that are spread count, sum and largest.
    public var snapshot: [Metric] {
        samples.flatMap { sample in
            let labels = sample.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            func metric(_ suffix: String, _ value: Double) -> Metric {
                Metric(name: sample.name + suffix, labels: labels, value: value)
            }
            guard case .histogram = sample.kind else { return [metric("", sample.value.sum)] }
            return [
                metric("_count", sample.value.count), metric("_sum", sample.value.sum),
                metric("_max", sample.value.largest),
            ]
        }
    }

    /// All figures now in Prometheus' text format 0.0.4.
    /// - Parameter more: beside those kept here.
    func text(with more: [MetricSample] = []) -> String { MetricsText.text(samples + more) }
}

struct MetricLabel: Hashable, Sendable {
    var name: String
    var value: String
}

/// What kind of figure it is.
enum MetricKind: Hashable, Sendable {
    case counter, gauge
    /// How many were at most each of these, upwards.
    case histogram([Double])

    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256]
}

/// What a figure stands at. Pure.
struct MetricValue: Sendable, Equatable {
    var count = 0.0
    /// Of a counter or gauge: its value.
    var sum = 0.0
    var largest = 0.0
    /// Of a histogram: how many fell in each bucket and in none below it.
    var buckets: [Double] = []

    init(_ kind: MetricKind) {
        if case .histogram(let bounds) = kind { buckets = Array(repeating: 0, count: bounds.count) }
    }

    mutating func add(_ amount: Double, _ bounds: [Double]) {
        count += 1
        sum += amount
        largest = max(largest, amount)
        if let bucket = bounds.firstIndex(where: { amount <= $0 }) { buckets[bucket] += 1 }
    }
}

/// A figure with its name, as it stands at one moment.
struct MetricSample: Sendable {
    var name: String
    var labels: [MetricLabel]
    /// `{a="b"}`, or nothing.
    var labelText: String
    var kind: MetricKind
    var value: MetricValue

    init(name: String, labels: [MetricLabel], labelText: String, kind: MetricKind, value: MetricValue) {
        (self.name, self.labels, self.labelText) = (name, labels, labelText)
        (self.kind, self.value) = (kind, value)
    }

    init(_ name: String, _ kind: MetricKind, _ value: Double, labels: [MetricLabel] = []) {
        self.init(
            name: name, labels: labels, labelText: MetricsText.labels(labels), kind: kind, value: MetricValue(kind))
        self.value.sum = value
    }
}
