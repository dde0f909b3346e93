import Reactor
import Schema
import Wire

/// Asks every service how it is. Those who ask meanwhile share the answer.
@ReactorActor
final class HealthCheck {
    private struct State {
        var live = false
        var ready = false
        var reasons: [String] = []
    }

    private let services: [RequestClient]
    private let deadline: Duration
    /// Why this gateway itself is not ready.
    private let reasons: () -> [String]
    private var states: [State] = []
    private var missing = 0
    private var waiting: [HTTPExchange] = []

    init(services: [RequestClient], deadline: Duration, reasons: @escaping () -> [String]) {
        self.services = services
        self.deadline = deadline
        self.reasons = reasons
    }

    func ask(for exchange: HTTPExchange) {
        waiting.append(exchange)
        guard waiting.count == 1 else { return }
        states = services.map { _ in State() }
        missing = services.count
        if services.isEmpty { finish() }
        for (index, service) in services.enumerated() {
            service.ask(HealthMethods.check, HealthRequest(), deadline: deadline) { [weak self] result in
                self?.answered(index, result)
            }
        }
    }

    private func answered(_ index: Int, _ result: Result<HealthReply, Refusal>) {
        switch result {
        case .success(let reply): states[index] = State(live: true, ready: reply.ready, reasons: reply.reasons)
        case .failure(let refusal): states[index].reasons = [refusal.message]
        }
        missing -= 1
        if missing == 0 { finish() }
    }

    private func finish() {
        let own = reasons()
        let isReady = own.isEmpty && states.allSatisfy(\.ready)
        var items = zip(services, states).map { service, state in
            item(service.service, state)
        }
        items.append(item("gateway", State(live: true, ready: own.isEmpty, reasons: own)))
        let body = "{\"status\":\"\(isReady ? "ready" : "not ready")\",\"services\":{\(items.joined(separator: ","))}}"
        let waiting = self.waiting
        self.waiting = []
        for exchange in waiting {
            exchange.loop.post(.respond(exchange, status: isReady ? 200 : 503, body: body))
        }
    }

    private func item(_ name: String, _ state: State) -> String {
        let reasons = state.reasons.map(JSON.quote).joined(separator: ",")
        return "\(JSON.quote(name)):{\"live\":\(state.live),\"ready\":\(state.ready),\"reasons\":[\(reasons)]}"
    }
}
