import Monitor
import Reactor
import Schema
import Wire

/// Checks the health of every replica of every service. Requests that arrive during a check share its result.
@ReactorActor
final class HealthCheck {
    private let services: [RequestClient]
    private let deadline: Duration
    /// Why this gateway itself is not ready.
    private let reasons: () -> [String]
    private var states: [ServiceHealth] = []
    private var missing = 0
    private var waiting: [HTTPExchange] = []

    init(services: [RequestClient], deadline: Duration, reasons: @escaping () -> [String]) {
        self.services = services
        self.deadline = deadline
        self.reasons = reasons
    }

    func check(for exchange: HTTPExchange) {
        waiting.append(exchange)
        guard waiting.count == 1 else { return }
        states = services.map { service in
            // Anybody may ask, so replicas have numbers and no names.
            ServiceHealth(
                name: service.service, replicas: service.endpoints.indices.map { .init(instance: "\($0 + 1)") })
        }
        missing = services.reduce(0) { $0 + $1.endpoints.count }
        if missing == 0 { finish() }
        for (number, service) in services.enumerated() {
            for (replica, endpoint) in service.endpoints.enumerated() {
                service.ask(HealthMethods.check, HealthRequest(), to: endpoint, deadline: deadline) {
                    [weak self] result in
                    self?.answered(number, replica, result)
                }
            }
        }
    }

    private func answered(_ service: Int, _ replica: Int, _ result: Result<HealthReply, Refusal>) {
        switch result {
        case .success(let reply):
            states[service].replicas[replica].isLive = true
            states[service].replicas[replica].isReady = reply.ready
            states[service].replicas[replica].reasons = reply.reasons
        case .failure(let refusal): states[service].replicas[replica].reasons = [refusal.message]
        }
        missing -= 1
        if missing == 0 { finish() }
    }

    private func finish() {
        let own = reasons()
        let isReady = own.isEmpty && states.allSatisfy(\.isReady)
        let gateway = ServiceHealth.Replica(isLive: true, isReady: own.isEmpty, reasons: own)
        let items = states.map { "\(JSON.quote($0.name)):\($0.json)" } + ["\"gateway\":{\(gateway.json)}"]
        let body = "{\"status\":\"\(isReady ? "ready" : "not ready")\",\"services\":{\(items.joined(separator: ","))}}"
        let waiting = self.waiting
        self.waiting = []
        for exchange in waiting {
            exchange.loop.post(.respond(exchange, status: isReady ? 200 : 503, body: body))
        }
    }
}

/// The health of a service, which is that of its best replica. Pure.
struct ServiceHealth {
    struct Replica {
        /// Its number among the replicas.
        var instance = ""
        var isLive = false
        var isReady = false
        var reasons: [String] = []

        fileprivate var json: String {
            "\"live\":\(isLive),\"ready\":\(isReady),\"reasons\":\(JSON.quote(reasons))"
        }
    }

    var name: String
    var replicas: [Replica]

    /// Whether the service can answer requests.
    var isReady: Bool { replicas.contains(where: \.isReady) }

    var json: String {
        var seen: Set<String> = []
        let found = replicas.isEmpty ? ["None of its host names resolves to an address."] : replicas.flatMap(\.reasons)
        let reasons = isReady ? [] : found.filter { seen.insert($0).inserted }
        let whole = Replica(isLive: replicas.contains(where: \.isLive), isReady: isReady, reasons: reasons)
        let each = replicas.map { "{\"instance\":\(JSON.quote($0.instance)),\($0.json)}" }
        return "{\(whole.json),\"replicas\":[\(each.joined(separator: ","))]}"
    }
}
