import Reactor

extension Socket {
    /// Makes a socket with the options that every link between processes relies on. ZeroMQ's defaults fit none of them.
    static func link(_ kind: Kind) throws(ZeroMQError) -> Socket {
        let socket = try Socket(kind)
        // A peer that goes silently (power, network, stopped) is noticed within 3 s by a ping each second, whose answer
        // may take two. Without heartbeats it would never be noticed.
        try socket.set(.heartbeatInterval, 1000)
        try socket.set(.heartbeatTimeout, 2000)
        // Reconnects soon after a restart, however long that took: what a process committed and did not publish before
        // it died reaches people a second after its return. A process that stays away costs four attempts a second.
        try socket.set(.reconnectInterval, 50)
        try socket.set(.reconnectIntervalMax, 250)
        // A peer that connects and sends nothing is dropped soon; the default is 30 s.
        try socket.set(.handshakeInterval, 2000)
        // No peer can make us allocate more than this for one frame; the default is unlimited.
        try socket.set(.maxMessageSize, WireLimits.frameBytesMax)
        // Messages queued when a socket closes still go out, but a dead peer does not hold up the end of the process.
        try socket.set(.linger, 500)
        switch kind {
        case .router:
            // Sending a reply to a peer that is gone must fail; by default the reply is dropped silently.
            try socket.set(.routerMandatory, 1)
            // The ROUTER names the connections. Clients set no names, and RequestServer serves none that does. If
            // clients set names, hand-over would give a peer the replies of the one whose name it takes. Without
            // hand-over, a peer that comes back before we noticed its loss would be ignored. The ROUTER's names count
            // up from a random number, so none can be taken or occurs twice.
            try socket.set(.routerHandover, 0)
            // As many as may be in flight, so that the limit on requests, which gives the caller an answer, is reached
            // first. With usual messages (1 KiB) a full queue takes 10 MiB.
            try socket.set(.sendHighWaterMark, WireLimits.inFlightMax)
            try socket.set(.receiveHighWaterMark, WireLimits.inFlightMax)
        case .dealer:
            // Queues nothing for a peer that is not connected. It would be served long after its caller gave up.
            try socket.set(.immediate, 1)
            try socket.set(.sendHighWaterMark, WireLimits.inFlightMax)
            try socket.set(.receiveHighWaterMark, WireLimits.inFlightMax)
        case .publisher:
            // Publishing never waits. A connection with a full queue loses frames. A full queue takes 20 MiB with one
            // usual Update in each frame, and at most 320 MiB with many.
            try socket.set(.sendHighWaterMark, WireLimits.waitingUpdateFramesMax)
            // Reports each subscription, not only the first of a kind, so that each subscriber is greeted.
            try socket.set(.allSubscriptions, 1)
        case .subscriber:
            try socket.set(.receiveHighWaterMark, WireLimits.waitingUpdateFramesMax)
        case .pair:
            break
        }
        return socket
    }
}
