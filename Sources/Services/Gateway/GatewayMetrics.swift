import Metrics
import Schema
import Synchronization

/// The gateway's metrics, created once. Labels are services, codes and classes, so there are few of them.
final class GatewayMetrics: Sendable {
    private struct Outcome: Hashable {
        var service: String
        var code: String
    }

    /// Beyond this many pairs of service and code, further codes count as "other".
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
    private let pauses = Counter(label: "parley_gateway_pauses_total")
    private let heads = Counter(label: "parley_gateway_http_requests_total")
    private let refusedConnections = Counter(label: "parley_gateway_connections_refused_total")
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
    private let parsed = Atomic<Int>(0)
    private let paused = Atomic<Int>(0)

    init(services: [String]) {
        self.services = services
        updatesIn = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "in")])
        updatesOut = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "out")])
        succeeded = services.map {
            Counter(label: "parley_gateway_requests_total", dimensions: [("service", $0), ("outcome", "ok")])
        }
        durations = services.map { Timer(label: "parley_gateway_request_seconds", dimensions: [("service", $0)]) }
    }

    /// The number of open sessions.
    var sessionCount: Int { open.load(ordering: .relaxed) }

    func sessionOpened() { sessions.set(open.add(1, ordering: .relaxed).newValue) }
    func sessionClosed() { sessions.set(open.subtract(1, ordering: .relaxed).newValue) }

    /// Records a reply of a service, or a refusal on its behalf.
    /// - Parameters:
    ///   - code: "ok", or the code of the refusal.
    ///   - time: from the client's request to the reply.
    func answered(service: Int, _ code: String, after time: Duration) {
        durations[service].recordNanoseconds(time.microseconds * 1000)
        if code == "ok" { return succeeded[service].increment() }
        count(Outcome(service: services[service], code: code))
    }

    /// Counts a request that the gateway itself refused, such as one too many or one with an unknown method.
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
        // A client may send any code, so closes by clients share one label.
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

    /// Counts that a connection is not read for a while, since it sent too many frames or requests.
    func pausedOne() {
        pauses.increment()
        paused.add(1, ordering: .relaxed)
    }

    /// How many pauses began, and how many heads of HTTP requests were parsed.
    var pauseCount: Int { paused.load(ordering: .relaxed) }
    var headCount: Int { parsed.load(ordering: .relaxed) }

    /// Counts an HTTP request whose head was parsed.
    func parsedHead() {
        heads.increment()
        parsed.add(1, ordering: .relaxed)
    }

    /// Counts a connection that was ended at once, since its address opens too many.
    func refusedConnection() { refusedConnections.increment() }

    /// Counts an ephemeral Update dropped because its session is behind.
    func droppedOne() { dropped.increment() }

    func update(to sessions: Int) {
        updatesIn.increment()
        updatesOut.increment(by: Int64(sessions))
    }

    /// Counts lane numbers that did not arrive in time.
    func missed(_ count: Int64) { missed.increment(by: count) }

    /// Counts missed Updates that were replayed.
    /// - Parameter lag: the time since the first of them was noticed missing.
    func replayed(_ count: Int, after lag: Duration) {
        replayed.increment(by: Int64(count))
        replayLag.recordNanoseconds(lag.microseconds * 1000)
    }

    /// Counts sessions sent back to sync.
    func resync(_ count: Int, _ reason: ResyncReason) { resyncs[reason]?.increment(by: Int64(count)) }

    /// Counts a collapsible Update that replaced an earlier one.
    func collapsed() { merged.increment() }

    /// Records a loop's sweep over its sessions.
    /// - Parameters:
    ///   - late: how much later than scheduled it ran.
    ///   - bytes: by how much the sessions' queues have grown since the last sweep.
    func swept(late: Duration, queuedMore bytes: Int) {
        self.late.recordNanoseconds(late.microseconds * 1000)
        queued.set(bytesQueued.add(bytes, ordering: .relaxed).newValue)
    }

    func add(bytesIn: Int, bytesOut: Int) {
        if bytesIn > 0 { self.bytesIn.increment(by: Int64(bytesIn)) }
        if bytesOut > 0 { self.bytesOut.increment(by: Int64(bytesOut)) }
    }
}
