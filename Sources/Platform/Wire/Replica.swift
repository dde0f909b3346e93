import Reactor

/// A client's link to one replica of a service: the socket, whether the replica is there, and what it was asked.
@ReactorActor
final class Replica {
    typealias Completion = @ReactorActor (Result<[UInt8], Refusal>) -> Void

    let endpoint: String
    let seed: UInt64
    let socket: Socket
    var isLive = false
    var inFlight: InFlight<Completion>

    /// - Parameter routingID: under which the replica knows this link; no other link may have the same.
    init(endpoint: String, routingID: [UInt8], inFlightMax: Int) throws(ZeroMQError) {
        self.endpoint = endpoint
        seed = Rendezvous.seed(endpoint)
        inFlight = InFlight(limit: inFlightMax)
        socket = try Socket.link(.dealer)
        try socket.setRoutingID(routingID)
    }

    /// A name no other process, restart or link has, that tells people whose it is. ZeroMQ allows 255 bytes.
    static func routingID(instance: String) -> [UInt8] {
        let random = String(UInt64.random(in: 0 ... .max), radix: 36)
        return Array("\(instance.prefix(utf8: 200))/\(random)".utf8)
    }
}
