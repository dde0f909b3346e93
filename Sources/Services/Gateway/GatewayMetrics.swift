import Metrics
import Schema
import Synchronization

/// The gateway's counters, made once: labels are services, codes and classes, so they are few.
final class GatewayMetrics: Sendable {
    private struct Outcome: Hashable {
        var service: String
        var code: String
    }

    /// Beyond so many codes of services, they count as "other".
    private static let outcomesMax = 500

    private let sessions = Meter(label: "parley_gateway_sessions")
    private let updatesIn: Counter
    private let updatesOut: Counter
    private let missed = Counter(label: "parley_gateway_updates_missed_total")
    private let replayed = Counter(label: "parley_gateway_updates_replayed_total")
    private let replayLag = Timer(label: "parley_gateway_replay_seconds")
    private let merged = Counter(label: "parley_gateway_updates_merged_total")
    private let dropped = Counter(
        label: "parley_gateway_updates_dropped_total", dimensions: [("class", "ephemeral")])
    private let bytesIn = Counter(label: "parley_gateway_bytes_total", dimensions: [("direction", "in")])
    private let bytesOut = Counter(label: "parley_gateway_bytes_total", dimensions: [("direction", "out")])
    private let succeeded: [Counter]
    private let durations: [Timer]
    private let queued = Meter(label: "parley_gateway_queue_bytes")
    private let late = Timer(label: "parley_gateway_loop_late_seconds")
    private let resyncs = Dictionary(
        uniqueKeysWithValues: ResyncReason.allCases.map {
            ($0, Counter(label: "parley_gateway_resyncs_total", dimensions: [("reason", $0.rawValue)]))
        })
    private let services: [String]
    private let outcomes = Mutex<[Outcome: Counter]>([:])
    private let closes = Mutex<[Int: Counter]>([:])
    private let open = Atomic<Int>(0)
    private let bytesQueued = Atomic<Int>(0)

    init(services: [String]) {
        self.services = services
        updatesIn = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "in")])
        updatesOut = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "out")])
        succeeded = services.map {
            Counter(label: "parley_gateway_requests_total", dimensions: [("service", $0), ("outcome", "ok")])
        }
        durations = services.map { Timer(label: "parley_gateway_request_seconds", dimensions: [("service", $0)]) }
    }

    /// Sessions open now.
    var sessionCount: Int { open.load(ordering: .relaxed) }

    func sessionOpened() { sessions.set(open.add(1, ordering: .relaxed).newValue) }
    func sessionClosed() { sessions.set(open.subtract(1, ordering: .relaxed).newValue) }

    /// A service answered, or it was refused on its behalf.
    /// - Parameters:
    ///   - code: "ok", or the refusal's.
    ///   - time: from the client's request to the answer.
    func answered(service: Int, _ code: String, after time: Duration) {
        durations[service].recordNanoseconds(time.microseconds * 1000)
        if code == "ok" { return succeeded[service].increment() }
        count(Outcome(service: services[service], code: code))
    }

    /// The gateway itself refused a request: too many, unknown method …
    func refusedAtEdge(_ code: String) { count(Outcome(service: "gateway", code: code)) }

    private func count(_ outcome: Outcome) {
        let counter = outcomes.withLock { outcomes in
            if let known = outcomes[outcome] { return known }
            var outcome = outcome
            if outcomes.count >= Self.outcomesMax { outcome.code = "other" }
            let made =
                outcomes[outcome]
                ?? Counter(
                    label: "parley_gateway_requests_total",
                    dimensions: [("service", outcome.service), ("outcome", outcome.code)])
            outcomes[outcome] = made
            return made
        }
        counter.increment()
    }

    func closed(byClient: Bool, code: UInt16) {
        // A client may name any code; its own closes count as one.
        let key = byClient ? 0 : Int(code)
        let counter = closes.withLock { closes in
            if let known = closes[key] { return known }
            let made = Counter(
                label: "parley_gateway_closes_total", dimensions: [("code", byClient ? "client" : "\(code)")])
            closes[key] = made
            return made
        }
        counter.increment()
    }

    /// An ephemeral Update for a session that is behind.
    func droppedOne() { dropped.increment() }

    func update(to sessions: Int) {
        updatesIn.increment()
        updatesOut.increment(by: Int64(sessions))
    }

    /// So many numbers of lanes were not heard in time.
    func missed(_ count: Int64) { missed.increment(by: count) }

    /// So many missed Updates were had after all, so long after the first was noticed.
    func replayed(_ count: Int, after lag: Duration) {
        replayed.increment(by: Int64(count))
        replayLag.recordNanoseconds(lag.microseconds * 1000)
    }

    /// So many sessions were sent back to sync.
    func resync(_ count: Int, _ reason: ResyncReason) { resyncs[reason]?.increment(by: Int64(count)) }

    /// A collapsible Update took the place of an earlier one.
    func collapsed() { merged.increment() }

    /// A loop looked at its sessions, so much later than it meant to; what waits in their queues has grown by so many
    /// bytes.
    func swept(late: Duration, queuedMore bytes: Int) {
        self.late.recordNanoseconds(late.microseconds * 1000)
        queued.set(bytesQueued.add(bytes, ordering: .relaxed).newValue)
    }

    func add(bytesIn: Int, bytesOut: Int) {
        if bytesIn > 0 { self.bytesIn.increment(by: Int64(bytesIn)) }
        if bytesOut > 0 { self.bytesOut.increment(by: Int64(bytesOut)) }
    }
}
