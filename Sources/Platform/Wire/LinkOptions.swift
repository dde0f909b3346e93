import Reactor

extension Socket {
    /// A socket with the options every link between processes relies on. ZeroMQ's defaults fit none of them.
    static func link(_ kind: Kind) throws(ZeroMQError) -> Socket {
        let socket = try Socket(kind)
        // A peer that is gone without a word (power, network, stopped) is noticed within 3 s: a ping each second, whose
        // answer may take two. Without heartbeats: never.
        try socket.set(.heartbeatInterval, 1000)
        try socket.set(.heartbeatTimeout, 2000)
        // Back at once after a restart, yet no storm against a process that stays away.
        try socket.set(.reconnectInterval, 50)
        try socket.set(.reconnectIntervalMax, 2000)
        // Whoever connects and says nothing is dropped soon; the default is 30 s.
        try socket.set(.handshakeInterval, 2000)
        // No peer makes us allocate more than this for one frame; the default is without bound.
        try socket.set(.maxMessageSize, WireLimits.frameBytesMax)
        // What is queued when a socket closes still goes out, but a dead peer does not hold up our end.
        try socket.set(.linger, 500)
        switch kind {
        case .router:
            // A reply to a peer that is gone must be seen to fail; by default it vanishes.
            try socket.set(.routerMandatory, 1)
            // Connections have the names that the ROUTER makes: clients set none, and RequestServer serves none that
            // does. With names of their own, hand-over would give a peer the replies of the one whose name it takes,
            // and without hand-over a peer that comes back before we noticed it gone would be ignored. A made-up name
            // is counted on from a random number: it cannot be taken, and none comes twice.
            try socket.set(.routerHandover, 0)
            // As many as may be in flight, so that the limit on requests, which tells the caller, is met first. With
            // usual messages (1 KiB) a full queue is 10 MiB.
            try socket.set(.sendHighWaterMark, WireLimits.inFlightMax)
            try socket.set(.receiveHighWaterMark, WireLimits.inFlightMax)
        case .dealer:
            // Nothing queues for a peer that is not there: it would be served long after its caller gave up.
            try socket.set(.immediate, 1)
            try socket.set(.sendHighWaterMark, WireLimits.inFlightMax)
            try socket.set(.receiveHighWaterMark, WireLimits.inFlightMax)
        case .publisher:
            // Publishing never waits: a connection whose queue is full loses messages. 20 MiB with usual Updates.
            try socket.set(.sendHighWaterMark, WireLimits.waitingUpdatesMax)
            // Tells of each subscription, not only of the first of a kind: each subscriber is greeted.
            try socket.set(.allSubscriptions, 1)
        case .subscriber:
            try socket.set(.receiveHighWaterMark, WireLimits.waitingUpdatesMax)
        case .pair:
            break
        }
        return socket
    }
}
