import NIOHTTP1
import Schema
import ServiceKit

/// What the gateway reads of the head of a request before it decides. Pure.
struct HTTPDemand: Equatable {
    let head: HTTPRequestHead
    /// The client's address.
    let address: String
    /// The path and query.
    let target: String
    /// The declared length of its body; zero: none.
    let length: Int64
    let isChunked: Bool

    init(_ head: HTTPRequestHead, address: String) {
        (self.head, self.address) = (head, address)
        target = HTTPPaths.target(of: head)
        length = head.headers[canonicalForm: "content-length"].first.map { Int64($0) ?? .max } ?? 0
        isChunked = head.headers.contains(name: "transfer-encoding")
    }

    var hasBody: Bool { isChunked || length > 0 }

    /// Whether another request may follow on its connection. The decoder passes on nothing after an upgrade.
    var keepsOpen: Bool {
        head.isKeepAlive && !head.headers.contains(name: "upgrade") && head.method != .CONNECT && !isChunked
    }

    /// Whether the client sends the body only after 100 Continue.
    var expectsContinue: Bool {
        head.version == .http1_1
            && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// Whether it names one host, as HTTP/1.1 requires.
    var namesHost: Bool {
        let hosts = head.headers["host"].count
        return hosts == 1 || hosts == 0 && head.version != .http1_1
    }

    /// - Parameters:
    ///   - route: the route at its target, if there is one.
    ///   - pathsAreKnown: whether every service has said its routes.
    /// - Returns: the refusal; nil if it can be answered.
    func problem(at route: HttpRoute?, pathsAreKnown: Bool) -> HTTPProblem? {
        guard let route else {
            if pathsAreKnown { return .noPath }
            return HTTPProblem(
                .unavailable("A service cannot be reached now, and this path may be its own. Try again in a moment."))
        }
        if isChunked, route.bodyBytesMax == 0 {
            return HTTPProblem(413, .tooLarge, "Requests to this path have no body.")
        }
        return HTTPRelayMachine.refusal(
            method: head.method.rawValue, path: target, length: isChunked ? nil : length, route: route)
    }

    /// - Returns: why the request cannot begin a session; nil if it may.
    static func problem(withHandshake head: HTTPRequestHead) -> HTTPProblem? {
        func lists(_ name: String, _ word: String) -> Bool {
            head.headers[canonicalForm: name].contains { $0.lowercased() == word }
        }
        guard lists("upgrade", "websocket"), lists("connection", "upgrade") else {
            return HTTPProblem(426, .invalid, "This path is for WebSocket connections.")
        }
        guard head.headers[canonicalForm: "sec-websocket-protocol"].contains("parley.v1") else {
            return HTTPProblem(
                400, .invalid, "The WebSocket subprotocol must be \"parley.v1\" (Sec-WebSocket-Protocol).")
        }
        guard head.version == .http1_1 else {
            return HTTPProblem(400, .invalid, "The WebSocket handshake must be HTTP/1.1.")
        }
        return nil
    }
}
