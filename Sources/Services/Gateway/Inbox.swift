import NIOCore
import Reactor
import Schema
import ServiceKit
import Synchronization

/// An event that an event loop passes to the reactor.
enum Arrival: Sendable {
    case request(Session, service: Int, Request, timeZone: String, deadline: Duration)
    /// Signs the session in. The token is valid but may be revoked.
    case admit(Session, AccessToken, Activity)
    /// The person does something else in the session, or still uses it.
    case activity(Session, Activity)
    /// A token signed with a key that the gateway does not have yet.
    case unknownKey(Session, token: String)
    case closed(Session)
    /// The last connection was closed.
    case lastConnectionClosed
    case health(HTTPExchange)
    /// A piece of an exchange: its encoded head, and the body behind it. Exchanges with the same key go to one replica.
    case exchange(HTTPExchange, service: Int, key: String, address: String, [UInt8], body: ByteBuffer)
}

/// The queue from the event loops to the reactor. It is one locked array, with one wake-up for everything that arrives
/// before the reactor runs.
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
        if mustWake { Task.onLoop { self.take() } }
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
