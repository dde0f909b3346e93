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
    private let lost = Counter(label: "parley_gateway_updates_missed_total")
    private let droppedEphemeral = Counter(
        label: "parley_gateway_updates_dropped_total", dimensions: [("class", "ephemeral")])
    private let droppedCollapsible = Counter(
        label: "parley_gateway_updates_dropped_total", dimensions: [("class", "collapsible")])
    private let bytesIn = Counter(label: "parley_gateway_bytes_total", dimensions: [("direction", "in")])
    private let bytesOut = Counter(label: "parley_gateway_bytes_total", dimensions: [("direction", "out")])
    private let succeeded: [Counter]
    private let services: [String]
    private let outcomes = Mutex<[Outcome: Counter]>([:])
    private let closes = Mutex<[Int: Counter]>([:])
    private let open = Atomic<Int>(0)

    init(services: [String]) {
        self.services = services
        updatesIn = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "in")])
        updatesOut = Counter(label: "parley_gateway_updates_total", dimensions: [("direction", "out")])
        succeeded = services.map {
            Counter(label: "parley_gateway_requests_total", dimensions: [("service", $0), ("outcome", "ok")])
        }
    }

    /// Sessions open now.
    var sessionCount: Int { open.load(ordering: .relaxed) }

    func sessionOpened() { sessions.set(open.add(1, ordering: .relaxed).newValue) }
    func sessionClosed() { sessions.set(open.subtract(1, ordering: .relaxed).newValue) }

    func answered(service: Int) { succeeded[service].increment() }

    func refused(service: Int, _ code: String) { count(Outcome(service: services[service], code: code)) }

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

    func dropped(_ kind: UpdateClass?) {
        if kind == .collapsible { droppedCollapsible.increment() } else { droppedEphemeral.increment() }
    }

    func update(to sessions: Int) {
        updatesIn.increment()
        updatesOut.increment(by: Int64(sessions))
    }

    func missed(_ count: Int64) { lost.increment(by: count) }

    func add(bytesIn: Int, bytesOut: Int) {
        if bytesIn > 0 { self.bytesIn.increment(by: Int64(bytesIn)) }
        if bytesOut > 0 { self.bytesOut.increment(by: Int64(bytesOut)) }
    }
}
