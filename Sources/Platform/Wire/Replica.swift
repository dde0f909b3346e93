import Reactor

/// A client's link to one replica of a service: the socket, whether the replica is connected, and its unanswered
/// requests.
@ReactorActor
final class Replica {
    typealias Completion = @ReactorActor (Result<[UInt8], Refusal>) -> Void

    let endpoint: String
    let seed: UInt64
    private(set) var socket: Socket
    private let service: String
    private let security: LinkSecurity
    /// Since when this socket has had no connection, while it has none.
    var waitingSince = ContinuousClock.now
    var isLive = false
    /// Whether the replica does not admit this process's key.
    var isRefused = false
    var inFlight: InFlight<Completion>
    /// The requests to it in this turn so far, and their ids.
    var outgoing = RecordFrame.Builder()
    var outgoingIDs: [UInt64] = []

    init(endpoint: String, of service: String, security: LinkSecurity, inFlightMax: Int) throws(ZeroMQError) {
        self.endpoint = endpoint
        seed = Rendezvous.seed(endpoint)
        inFlight = InFlight(limit: inFlightMax)
        (self.service, self.security) = (service, security)
        socket = try Self.makeSocket(service, security)
    }

    /// Replaces the socket. ZeroMQ gives up a connection for good when its peer refused our key or broke the protocol,
    /// although the peer may have been replaced or know us the next time.
    func renewSocket() throws(ZeroMQError) {
        let new = try Self.makeSocket(service, security)
        socket.close()
        socket = new
        waitingSince = .now
    }

    private static func makeSocket(_ service: String, _ security: LinkSecurity) throws(ZeroMQError) -> Socket {
        let socket = try Socket.link(.dealer)
        try security.secure(asClient: socket, of: service)
        return socket
    }
}
