import NIOCore
import NIOHTTP1
import Schema
import ServiceKit
import Wire

/// The rules of a connection until it is a session or has ended, without the connection. Parts of requests, decisions,
/// replies of services and time go in; actions come out. ``HTTPHandler`` performs them in
/// their order.
///
/// waiting → deciding → reading or relaying → answering → waiting …, at last closing or upgraded. One request is
/// answered after the other.
struct ConnectionMachine {
    enum Action: Equatable {
        /// The head that was parsed last has a body of so many bytes; nil: in chunks.
        case expectBody(Int?)
        /// Find out what becomes of this request, and call ``decided(_:)``.
        case decide(HTTPDemand)
        /// Count so many requests for a place. If it has sent too many, read nothing for a while.
        case count(Int, from: String)
        /// Read nothing for so long.
        case pause(Duration)
        case endPause

        /// Build the answer to a handshake, and call ``upgrade(_:)``.
        case buildUpgrade(HTTPRequestHead)
        /// Accept the handshake with these headers. The connection is a session from now on.
        case becomeSession(HTTPHeaders)
        /// Begin an exchange about the gateway's health, and call ``answeredHealth(_:_:)``.
        case askHealth
        /// Begin an exchange with a service.
        case beginExchange(HTTPDecision.Relay)
        /// Send this piece to the service and call ``answered(_:)``.
        case ask(HttpRequest, body: ByteBuffer)
        /// Nobody waits for replies to the exchange any more.
        case endExchange
        /// Make room in the kernel for a large body of the request, or no longer.
        case makeRoomToRead(Bool)
        /// The same for the response.
        case makeRoomToSend(Bool)

        /// Tell a client that waits for it to send the body: 100 Continue.
        case proceed
        case begin(Int, HTTPHeaders)
        /// Write a piece of the response's body and call ``wrote()`` once it is written.
        case write(ByteBuffer)
        /// End the response and call ``written()`` once all of it is written. Comes last.
        case end

        /// Call ``timedOut()`` after so long, and not at an earlier set time.
        case setTimeout(Duration)
        case stopTimeout
        case close
        case closeOutput
        /// Close at once, with everything that the kernel still holds.
        case reset
    }

    /// How long a client that is still sending may take to read the last response before the connection is cut.
    static let lingerTimeout: Duration = .seconds(2)
    /// A read or part of a body with fewer bytes counts.
    private static let smallBytes = 1024

    private enum State {
        case waiting, deciding
        /// The rest of a request to a path of the gateway's own is still to come.
        case reading(HTTPDecision.Own)
        case relaying
        /// The response is under way, or about to begin.
        case answering
        /// The response is written before the request has ended.
        case answered
        case closing, upgraded
    }

    /// The request that is being answered.
    private struct Request {
        let demand: HTTPDemand
        /// The place of the client that sent it.
        let place: String
        var hasEnded = false
        var responseHasBegun = false
        /// How long nothing more is read after the response, because the address sent too many requests.
        var pause: Duration?
    }

    private let rules: SessionRules
    private let isOverLimit: Bool
    /// The place of its other end; nil if that is a trusted proxy, whose connection carries requests of many people.
    private let peer: String?

    private var state = State.waiting
    private var request: Request?
    private var requests = 0
    private var keepsOpen = true
    private var relay: HTTPRelayMachine?
    /// Whether the kernel has room for a large body of the request, and of the response.
    private var (hasRoomToRead, hasRoomToSend) = (false, false)
    /// What was read and is not counted yet.
    private var uncounted = 0

    /// Whether nothing is parsed, because a request is unanswered or the service takes no more of its body.
    private(set) var isHeld = false
    /// Whether what arrives is dropped, because no answer follows.
    private(set) var isDiscarding = false

    /// - Parameters:
    ///   - isOverLimit: whether each request is refused, because there are too many connections.
    ///   - peer: the place of its other end; nil: a trusted proxy.
    init(rules: SessionRules, isOverLimit: Bool, peer: String?) {
        (self.rules, self.isOverLimit, self.peer) = (rules, isOverLimit, peer)
    }

    var isUpgraded: Bool { if case .upgraded = state { true } else { false } }
    /// Whether nothing that arrives matters any more.
    var isClosing: Bool { if case .closing = state { true } else { false } }
    /// The request that is being answered.
    var demand: HTTPDemand? { request?.demand }
    /// Whether it is the service's turn.
    var isAwaitingReply: Bool { relay?.isAwaitingReply ?? false }

    /// Returns whether nothing of an exchange has moved since the last call, although it is the client's turn.
    mutating func isSilent() -> Bool { relay?.isSilent() ?? false }

    // MARK: Time

    func start() -> [Action] { [.setTimeout(rules.limits.handshakeTimeout)] }

    mutating func timedOut() -> [Action] {
        switch state {
        // Between two requests a client may be silent, and then needs no response.
        case .waiting where requests > 0: return [.close]
        case .waiting, .deciding, .reading:
            keepsOpen = false
            // A client that sends no complete request may not read the response either.
            return refuse(
                HTTPProblem(408, .timeout, "No complete request arrived in time."), within: Self.lingerTimeout)
        case .relaying, .upgraded: return []
        case .answering, .answered, .closing: return [.reset]
        }
    }

    /// Ends the connection once no request is being answered, because the gateway stops.
    mutating func drain() -> [Action] {
        keepsOpen = false
        if case .waiting = state { return [.close] }
        return []
    }

    /// The connection has ended, or is a session.
    mutating func removed() {
        relay = nil
        if !isUpgraded { state = .closing }
    }

    // MARK: Bytes

    /// Counts what has arrived and is not parsed yet.
    /// - Returns: how many bytes may wait.
    mutating func arrived(_ bytes: Int) -> Int {
        guard relay?.isAccepted ?? false else {
            uncounted += 1
            return HTTPIntake.bytesMax
        }
        if bytes < Self.smallBytes { uncounted += 1 }
        return 2 * HTTPRelayMachine.pieceBytes
    }

    /// More has arrived than may wait.
    mutating func overflowed() { (keepsOpen, isDiscarding) = (false, true) }

    /// Counts what was read.
    mutating func settle() -> [Action] {
        defer { uncounted = 0 }
        guard uncounted > 0, let place = peer ?? request?.place else { return [] }
        return [.count(uncounted, from: place)]
    }

    // MARK: Requests

    /// - Parameters:
    ///   - pause: how long its address may send nothing more; nil: it may go on.
    ///   - staysOpen: whether there are few enough connections that it may wait for the next request.
    mutating func received(_ demand: HTTPDemand, place: String, pause: Duration?, staysOpen: Bool) -> [Action] {
        if isClosing { return [] }
        // The gate passes on one head at a time.
        guard case .waiting = state else {
            keepsOpen = false
            return []
        }
        requests += 1
        state = .deciding
        request = Request(demand: demand, place: place, pause: peer == nil ? nil : pause)
        // It counts for the read that brought it.
        (isHeld, uncounted) = (true, 0)
        keepsOpen =
            keepsOpen && staysOpen && demand.keepsOpen && !isOverLimit
            && requests < rules.limits.requestsPerConnection
        return [.expectBody(demand.isChunked ? nil : Int(clamping: demand.length))] + begin(demand, pause)
    }

    private mutating func begin(_ demand: HTTPDemand, _ pause: Duration?) -> [Action] {
        // The connection is also others': its proxy would send their requests on it.
        if let pause, peer == nil { return refuseWhole(HTTPProblem(.rateLimited(pause))) }
        if isOverLimit {
            return refuseWhole(
                HTTPProblem(
                    .unavailable(
                        "This gateway has reached its connection limit. Try again later.", retryAfter: .seconds(5))))
        }
        guard demand.namesHost else {
            keepsOpen = false
            return refuse(HTTPProblem(400, .invalid, "The request must have one Host header."))
        }
        return [.decide(demand)]
    }

    mutating func decided(_ decision: HTTPDecision) -> [Action] {
        guard case .deciding = state, let demand = request?.demand else { return [] }
        if let pause = decision.pause { request?.pause = pause }
        switch decision.outcome {
        case .refuse(let problem): return refuseWhole(problem)
        case .answer(let own):
            state = .reading(own)
            return []
        case .relay(let relay):
            state = .relaying
            var machine = HTTPRelayMachine(demand, route: relay.route)
            let first = machine.start()
            self.relay = machine
            return [.stopTimeout, .beginExchange(relay)] + relayed(first)
        }
    }

    mutating func received(_ bytes: ByteBuffer) -> [Action] {
        if isClosing { return [] }
        if bytes.readableBytes < Self.smallBytes { uncounted += 1 }
        guard let actions = relay?.received(bytes) else { return [] }
        defer { isHeld = !(relay?.wantsBytes ?? false) }
        return relayed(actions)
    }

    mutating func receivedEnd() -> [Action] {
        guard !isClosing, request?.hasEnded == false else { return [] }
        request?.hasEnded = true
        isHeld = true
        switch state {
        case .relaying: return relayed(relay?.receivedEnd() ?? [])
        case .reading(let own): return answer(own)
        case .answered: return rest()
        case .waiting, .deciding, .answering, .closing, .upgraded: return []
        }
    }

    /// What arrived is no request.
    /// - Parameter error: nil if the connection is broken.
    mutating func failed(_ error: HTTPParserError?) -> [Action] {
        keepsOpen = false
        switch state {
        case .closing, .answering, .answered: return []
        // What is wrong came after this request.
        case .relaying where request?.hasEnded ?? false: return []
        case .relaying where request?.responseHasBegun ?? false: return [.close]
        case .upgraded: return [.close]
        case .waiting, .deciding, .reading, .relaying: break
        }
        switch error {
        case nil, .invalidEOFState: return [.close]
        case .headerOverflow: return refuse(HTTPProblem(431, .tooLarge, "The headers are larger than allowed."))
        default: return refuse(HTTPProblem(400, .invalid, "This is not HTTP/1.1."))
        }
    }

    /// The client sends nothing more.
    func inputClosed() -> [Action] {
        switch state {
        case .waiting, .deciding, .reading, .answered, .closing: [.close]
        case .relaying where request?.hasEnded == false: [.close]
        // It gets the responses to what it has sent.
        case .relaying, .answering, .upgraded: []
        }
    }

    // MARK: The gateway's own answers

    private mutating func answer(_ own: HTTPDecision.Own) -> [Action] {
        guard let head = request?.demand.head else { return [] }
        switch own {
        case .socket:
            state = .answering
            return [.buildUpgrade(head)]
        case .health:
            state = .answering
            return [.setTimeout(rules.limits.exchangeSilence), .askHealth]
        case .file(let number):
            let (status, headers, body) = WebFile.all[number].response(to: head.headers)
            return respond(status, headers, body)
        }
    }

    /// - Parameter headers: of the answer to the handshake; nil if it is not valid.
    mutating func upgrade(_ headers: HTTPHeaders?) -> [Action] {
        guard case .answering = state else { return [] }
        guard let headers else {
            return refuse(
                HTTPProblem(400, .invalid, "The WebSocket handshake is not valid. Use version 13 and one key."))
        }
        state = .upgraded
        return [.becomeSession(headers)]
    }

    mutating func answeredHealth(_ status: Int, _ json: String) -> [Action] {
        guard case .answering = state else { return [] }
        return [.endExchange] + respond(status, json: json)
    }

    // MARK: Replies of services

    mutating func answered(_ result: Result<HttpReply, Refusal>) -> [Action] {
        guard let replied = relay?.answered(result) else { return [] }
        var actions = relayed(replied)
        guard relay?.wantsBytes ?? false else { return actions }
        isHeld = false
        if !hasRoomToRead {
            hasRoomToRead = true
            actions.append(.makeRoomToRead(true))
        }
        return actions
    }

    mutating func wrote() -> [Action] { relayed(relay?.wrote() ?? []) }

    private mutating func relayed(_ actions: [HTTPRelayMachine.Action]) -> [Action] {
        actions.flatMap { (action) -> [Action] in
            switch action {
            case .ask(let piece, let body): return [.ask(piece, body: body)]
            case .proceed: return [.proceed]
            case .begin(let status, let headers): return beginRelayed(status, headers)
            case .write(let body): return makeRoom(toSend: body.count) + [.write(ByteBuffer(bytes: body))]
            case .end: return end()
            case .cut: return [.close]
            }
        }
    }

    private mutating func beginRelayed(_ status: Int, _ headers: [HttpHeader]) -> [Action] {
        // A body that was not read to its end would be taken for the next request.
        if request?.hasEnded == false { (keepsOpen, isDiscarding) = (false, true) }
        return [begin(status, HTTPHeaders(headers.map { ($0.name, $0.value) }))]
    }

    private mutating func makeRoom(toSend bytes: Int) -> [Action] {
        guard bytes > rules.limits.responseBufferBytes, !hasRoomToSend else { return [] }
        hasRoomToSend = true
        return [.makeRoomToSend(true)]
    }

    private mutating func endExchange() -> [Action] {
        guard relay != nil else { return [] }
        defer { (relay, hasRoomToRead) = (nil, false) }
        return (hasRoomToRead ? [.makeRoomToRead(false)] : []) + [.endExchange]
    }

    // MARK: Responses

    /// What follows the response cannot be told from a body that was not read.
    private mutating func refuseWhole(_ problem: HTTPProblem) -> [Action] {
        keepsOpen = keepsOpen && !(request?.demand.hasBody ?? false)
        return refuse(problem)
    }

    private mutating func refuse(_ problem: HTTPProblem, within limit: Duration? = nil) -> [Action] {
        respond(
            Int(problem.status), json: problem.body, problem.headers.map { ($0.name, $0.value) },
            isOpen: problem != .otherPage, within: limit)
    }

    /// - Parameter isOpen: whether pages of other origins may read it; those that are not allowed were refused before.
    private mutating func respond(
        _ status: Int, json: String, _ extra: [(String, String)] = [], isOpen: Bool = true,
        within limit: Duration? = nil
    ) -> [Action] {
        let headers = [
            ("Content-Type", "application/json; charset=utf-8"), ("Content-Length", "\(json.utf8.count)"),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        let open = [
            ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "Retry-After, X-Request-Id"),
        ]
        return respond(
            status, HTTPHeaders(headers + (isOpen ? open : []) + extra), ByteBuffer(string: json), within: limit)
    }

    private mutating func respond(
        _ status: Int, _ headers: HTTPHeaders, _ body: ByteBuffer, within limit: Duration? = nil
    ) -> [Action] {
        let isHead = request?.demand.head.method == .HEAD
        var actions = endExchange() + [begin(status, headers)]
        if !isHead, body.readableBytes > 0 { actions.append(.write(body)) }
        return actions + end(within: limit)
    }

    /// Begins the response. It ends the connection if that cannot be used for another request.
    private mutating func begin(_ status: Int, _ headers: HTTPHeaders) -> Action {
        request?.responseHasBegun = true
        var headers = headers
        headers.replaceOrAdd(name: "Connection", value: keepsOpen ? "keep-alive" : "close")
        return .begin(status, headers)
    }

    /// Ends the response.
    /// - Parameter limit: how long the client may take to read it; nil: as long as it may be silent.
    private mutating func end(within limit: Duration? = nil) -> [Action] {
        state = .answering
        return endExchange() + [.setTimeout(limit ?? rules.limits.exchangeSilence), .end]
    }

    /// The response is written. Goes on with the next request.
    mutating func written() -> [Action] {
        guard case .answering = state else { return [] }
        // Not before: what is written goes to the kernel at the end of all actions.
        let shrinks: [Action] = hasRoomToSend ? [.makeRoomToSend(false)] : []
        hasRoomToSend = false
        if keepsOpen {
            if request?.hasEnded ?? true { return shrinks + rest() }
            state = .answered
            return shrinks
        }
        state = .closing
        // A client that is still sending would otherwise be cut off before it has read the response.
        isDiscarding = true
        return shrinks + [.closeOutput, .setTimeout(Self.lingerTimeout)]
    }

    /// Goes on with the next request, after a pause if the address has sent too many.
    private mutating func rest() -> [Action] {
        let wait = request?.pause ?? .zero
        (state, request, isHeld) = (.waiting, nil, false)
        let timeout = Action.setTimeout(rules.limits.keepAliveTimeout + wait)
        if wait > .zero { return [timeout, .pause(wait)] }
        // What one client has sent too much of is not what the next one waits for.
        return peer == nil ? [timeout, .endPause] : [timeout]
    }
}
