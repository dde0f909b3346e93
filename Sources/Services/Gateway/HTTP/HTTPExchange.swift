import ServiceKit

/// One HTTP request answered through the reactor.
final class HTTPExchange: @unchecked Sendable {
    // Sendable: only the event loop touches `handler`.
    let loop: EdgeLoop
    /// Its id in all logs.
    let id = "http." + Sodium.randomText(12)
    var handler: HTTPHandler?

    init(loop: EdgeLoop, handler: HTTPHandler) {
        self.loop = loop
        self.handler = handler
    }
}
