import Reactor

/// A client's link to one replica of a service: the socket, whether the replica is there, and what it was asked.
@ReactorActor
final class Replica {
    typealias Completion = @ReactorActor (Result<[UInt8], Refusal>) -> Void

    let endpoint: String
    let seed: UInt64
    private(set) var socket: Socket
    private let service: String
    private let security: LinkSecurity
    /// Since when there has been no connection by this socket, while there is none.
    var waitingSince = ContinuousClock.now
    var isLive = false
    /// The replica does not admit this process's key.
    var isRefused = false
    var inFlight: InFlight<Completion>
    /// What this turn asks of it so far, and under which ids.
    var outgoing = RecordFrame.Builder()
    var outgoingIDs: [UInt64] = []

    init(endpoint: String, of service: String, security: LinkSecurity, inFlightMax: Int) throws(ZeroMQError) {
        self.endpoint = endpoint
        seed = Rendezvous.seed(endpoint)
        inFlight = InFlight(limit: inFlightMax)
        (self.service, self.security) = (service, security)
        socket = try Self.makeSocket(service, security)
    }

    /// Takes a new socket. (ZeroMQ gives up a connection for good when its peer refused our key or broke the protocol,
    /// though the peer may be another, or know us, the next time.)
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
