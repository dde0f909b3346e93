import Metrics
import Schema
import Synchronization

/// The counters of this process, kept in memory and shown by its health answer: the backend of swift-metrics here.
public final class MetricsRegistry: MetricsFactory, Sendable {
    public static let shared = MetricsRegistry()

    private struct Key: Hashable {
        var label: String
        var dimensions: String
    }

    /// One figure or, for recorders and timers, count, sum and largest.
    final class Figure: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, FloatingPointCounterHandler,
        Sendable
    {
        enum Kind { case counter, gauge, summary }

        struct Value {
            var count = 0.0
            var sum = 0.0
            var largest = 0.0
        }

        let kind: Kind
        let value = Mutex(Value())

        init(_ kind: Kind) { self.kind = kind }

        func increment(by amount: Int64) { value.withLock { $0.sum += Double(amount) } }
        func increment(by amount: Double) { value.withLock { $0.sum += amount } }
        func decrement(by amount: Double) { value.withLock { $0.sum -= amount } }
        func reset() { value.withLock { $0 = Value() } }
        func set(_ amount: Int64) { value.withLock { $0.sum = Double(amount) } }
        func set(_ amount: Double) { value.withLock { $0.sum = amount } }
        func record(_ amount: Int64) { record(Double(amount)) }
        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

        func record(_ amount: Double) {
            // swift-metrics' Gauge is a recorder that does not aggregate.
            guard kind == .summary else { return set(amount) }
            value.withLock { value in
                value.count += 1
                value.sum += amount
                value.largest = max(value.largest, amount)
            }
        }
    }

    private let figures = Mutex<[Key: Figure]>([:])
    /// Past this many the rest share one: labels must be bounded, and a mistake must not eat the memory.
    private static let limit = 2000

    private func figure(_ label: String, _ dimensions: [(String, String)], _ kind: Figure.Kind) -> Figure {
        let key = Key(label: label, dimensions: dimensions.map { "\($0)=\($1)" }.joined(separator: ","))
        return figures.withLock { figures in
            if let known = figures[key] { return known }
            let place = figures.count < Self.limit ? key : Key(label: "metrics_overflow", dimensions: "")
            let made = figures[place] ?? Figure(kind)
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
        figure(label, dimensions, aggregate ? .summary : .gauge)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> TimerHandler {
        figure(label, dimensions, .summary)
    }

    public func destroyCounter(_ handler: CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: MeterHandler) {}
    public func destroyRecorder(_ handler: RecorderHandler) {}
    public func destroyTimer(_ handler: TimerHandler) {}

    /// All figures now, by name.
    public var snapshot: [Metric] {
        let all = figures.withLock { $0 }
        return all.sorted { ($0.key.label, $0.key.dimensions) < ($1.key.label, $1.key.dimensions) }.flatMap {
            key, figure in
            let value = figure.value.withLock { $0 }
            guard figure.kind == .summary else {
                return [Metric(name: key.label, labels: key.dimensions, value: value.sum)]
            }
            return [
                Metric(name: key.label + "_count", labels: key.dimensions, value: value.count),
                Metric(name: key.label + "_sum", labels: key.dimensions, value: value.sum),
                Metric(name: key.label + "_max", labels: key.dimensions, value: value.largest),
            ]
        }
    }
}
