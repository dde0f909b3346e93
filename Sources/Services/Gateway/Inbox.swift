import Reactor
import Schema
import ServiceKit
import Synchronization

/// What event loops hand to the reactor.
enum Arrival: Sendable {
    case request(Session, service: Int, Request, deadline: Duration)
    /// A token that is good but may be revoked: sign the session in.
    case admit(Session, AccessToken)
    /// A token signed by a key we do not have yet.
    case unknownKey(Session, token: String)
    case closed(Session)
    case health(HTTPExchange)
    /// A piece of an exchange, encoded.
    case exchange(HTTPExchange, service: Int, path: String, address: String, [UInt8])
}

/// The way from the event loops to the reactor: one locked array, one wake-up for all that comes meanwhile.
final class Inbox: Sendable {
    private struct State {
        var arrivals: [Arrival] = []
        var isWoken = false
    }

    private let state = Mutex(State())
    private let receive: @ReactorActor @Sendable ([Arrival]) -> Void

    init(_ receive: @escaping @ReactorActor @Sendable ([Arrival]) -> Void) {
        self.receive = receive
    }

    func put(_ arrival: Arrival) {
        let mustWake = state.withLock { state in
            state.arrivals.append(arrival)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if mustWake { Task { @ReactorActor in take() } }
    }

    @ReactorActor
    private func take() {
        let arrivals = state.withLock { state in
            state.isWoken = false
            let arrivals = state.arrivals
            state.arrivals = []
            state.arrivals.reserveCapacity(min(arrivals.count, 256))
            return arrivals
        }
        receive(arrivals)
    }
}
