import Metrics
import Schema
import Synchronization

/// The figures of this process, kept in memory as the backend of swift-metrics. The health reply lists them, and
/// ``text`` formats them for Prometheus.
public final class MetricsRegistry: MetricsFactory, Sendable {
    public static let shared = MetricsRegistry()

    private struct Key: Hashable {
        var label: String
        var labels: [MetricLabel]
    }

    /// One figure: a number or, for recorders and timers, a distribution.
    final class Figure: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, FloatingPointCounterHandler,
        Sendable
    {
        let kind: MetricKind
        let labels: [MetricLabel]
        /// Made once, since every list of all figures is sorted by it.
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
            // The overflow figure only counts recorded values.
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
    /// Figures beyond this many share one. Labels should be bounded, but a mistake must not exhaust the memory.
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
            let overflowKey = Key(label: Self.overflow, labels: [])
            let made = figures[overflowKey] ?? Figure(.counter, labels: [], isOverflow: true)
            figures[overflowKey] = made
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

    /// All current figures, in order of name and labels.
    var samples: [MetricSample] {
        let all = figures.withLock { $0 }
        return all.map { key, figure in
            MetricSample(
                name: key.label, labels: figure.labels, labelText: figure.labelText, kind: figure.kind,
                value: figure.value.withLock { $0 })
        }.sorted { ($0.name, $0.labelText) < ($1.name, $1.labelText) }
    }

    /// All current figures as the health reply lists them, by name. A distribution has count, sum and maximum.
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

    /// Formats all current figures in Prometheus' text format 0.0.4.
    /// - Parameter more: samples to add to those kept here.
    func text(with more: [MetricSample] = []) -> String { MetricsText.text(samples + more) }
}

struct MetricLabel: Hashable, Sendable {
    var name: String
    var value: String
}

/// The kind of a figure.
enum MetricKind: Hashable, Sendable {
    case counter, gauge
    /// Counts the values up to each of these bounds, in ascending order.
    case histogram([Double])

    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256]
}

/// The value of a figure. Pure.
struct MetricValue: Sendable, Equatable {
    var count = 0.0
    /// For a counter or gauge, its value.
    var sum = 0.0
    var largest = 0.0
    /// For a histogram, how many values fell into each bucket and into none below it.
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

/// The name and value of a figure at one moment.
struct MetricSample: Sendable {
    var name: String
    var labels: [MetricLabel]
    /// `{a="b"}`, or empty.
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
