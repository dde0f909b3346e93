import Schema
import ServiceKit

/// The rules of one client link, without the link: frames, verdicts and time go in, what to do comes out.
///
/// awaiting hello → (joining) → open, anonymous or signed in → closing. While a token is being checked (joining),
/// frames that follow are held, so a client need not wait for its welcome.
struct SessionMachine {
    enum Action: Equatable {
        case nothing
        case send(ServerFrame.Frame)
        /// Answer this request with a refusal; the session stays.
        case refuse(id: UInt64, Problem)
        /// Check this token's signature and call ``checked(_:at:)``.
        case check(token: String)
        /// Sign the session in unless the token was revoked, then call ``admitted(_:at:)`` or ``close(_:at:)``.
        case admit(AccessToken)
        case forward(Request, service: Int, deadline: Duration)
        /// Say goodbye and close; nothing else will be sent.
        case close(Closing)
        /// Cut the connection: the client does not take its leave.
        case cut
    }

    /// What came of checking a token.
    enum Verdict {
        case valid(AccessToken)
        case invalid(String)
        case unavailable
    }

    private enum Phase { case awaitingHello, joining, open, closing }

    private let rules: SessionRules
    let session: String
    private var phase = Phase.awaitingHello
    private var wasWelcomed = false
    private var isDraining = false
    /// When the phase began: hello, joining and closing may only last so long.
    private var since: Int64
    private var heardAt: Int64
    private var endsAt: Int64 = .max
    private var bucket: TokenBucket
    private(set) var identity: AccessToken?
    private var inFlight: [UInt64] = []
    private var held: [ClientFrame.Frame] = []
    private var heldBytes = 0

    init(rules: SessionRules, session: String, at now: Moment) {
        self.rules = rules
        self.session = session
        since = now.steady
        heardAt = now.steady
        bucket = TokenBucket(full: rules.limits.requestsBurst, at: now.steady)
    }

    var isClosing: Bool { phase == .closing }
    /// Replies and Updates may be sent.
    var isOpen: Bool { wasWelcomed && phase != .closing }

    // MARK: From the client

    /// A byte came that is no frame of ours, a WebSocket ping for instance.
    mutating func heard(at now: Moment) { heardAt = now.steady }

    mutating func received(_ frame: ClientFrame.Frame?, at now: Moment) -> Action {
        heardAt = now.steady
        guard let frame else { return close(.malformed("A frame holds nothing that this version knows."), at: now) }
        switch phase {
        case .closing: return .nothing
        case .awaitingHello:
            guard case .hello(let hello) = frame else { return close(.helloFirst, at: now) }
            return receivedHello(hello, at: now)
        case .joining:
            heldBytes += frame.weight
            guard held.count < rules.limits.requestsInFlight, heldBytes <= rules.limits.frameBytes else {
                return close(.malformed("Too many frames before the welcome."), at: now)
            }
            held.append(frame)
            return .nothing
        case .open: return receivedWhileOpen(frame, at: now)
        }
    }

    /// The next frame that waited for the token's verdict. Call after ``admitted(_:at:)`` until it returns nil.
    mutating func nextHeld(at now: Moment) -> Action? {
        guard phase == .open, !held.isEmpty else { return nil }
        let frame = held.removeFirst()
        if held.isEmpty { (held, heldBytes) = ([], 0) }
        return receivedWhileOpen(frame, at: now)
    }

    private mutating func receivedHello(_ hello: Hello, at now: Moment) -> Action {
        guard hello.version == 1 else { return close(.version(hello.version), at: now) }
        guard hello.token.isEmpty else { return join(hello.token, at: now) }
        phase = .open
        wasWelcomed = true
        return .send(.welcome(welcome(at: now)))
    }

    private mutating func join(_ token: String, at now: Moment) -> Action {
        phase = .joining
        since = now.steady
        return .check(token: token)
    }

    private mutating func receivedWhileOpen(_ frame: ClientFrame.Frame, at now: Moment) -> Action {
        switch frame {
        case .hello: return close(.malformed("Hello may only come once."), at: now)
        case .ping(let ping): return .send(.pong(Pong(id: ping.id, serverTimeUs: now.wall)))
        case .authenticate(let authenticate):
            guard take(at: now) == nil else { return close(.tooMuch, at: now) }
            return join(authenticate.token, at: now)
        case .request(let request): return receivedRequest(request, at: now)
        }
    }

    private mutating func receivedRequest(_ request: Request, at now: Moment) -> Action {
        func refuse(_ code: String, _ message: String, field: String = "", after wait: Int64 = 0) -> Action {
            let retryAfterMs = UInt32(clamping: (wait + 999) / 1000)
            return .refuse(
                id: request.id, Problem(code: code, message: message, field: field, retryAfterMs: retryAfterMs))
        }
        if isDraining { return refuse("unavailable", "This gateway is stopping. Connect again.", after: 500_000) }
        if inFlight.contains(request.id) {
            return refuse("invalid", "A request with this id is still under way.", field: "id")
        }
        guard inFlight.count < rules.limits.requestsInFlight else {
            return refuse("rate_limited", "Too many requests are under way. Wait for answers.", after: 100_000)
        }
        if let wait = take(at: now) {
            return refuse("rate_limited", "Too many requests. Slow down.", after: wait)
        }
        guard let service = rules.service(of: request.method) else {
            return refuse("unknown_method", "There is no method of this name.", field: "method")
        }
        inFlight.append(request.id)
        let asked = request.deadlineMs == 0 ? rules.deadlineMs : request.deadlineMs
        return .forward(request, service: service, deadline: .milliseconds(Int64(min(asked, rules.deadlineMaxMs))))
    }

    private mutating func take(at now: Moment) -> Int64? {
        bucket.take(perSecond: rules.limits.requestsPerSecond, burst: rules.limits.requestsBurst, at: now.steady)
    }

    // MARK: From the gateway

    mutating func checked(_ verdict: Verdict, at now: Moment) -> Action {
        guard phase == .joining else { return .nothing }
        switch verdict {
        case .unavailable: return close(.tryAgainLater, at: now)
        case .invalid(let why): return close(.token(why), at: now)
        case .valid(let token):
            guard token.expiresAt > now.wall else { return close(.tokenRanOut, at: now) }
            if let identity, identity.account != token.account || identity.device != token.device {
                return close(.otherPerson, at: now)
            }
            return .admit(token)
        }
    }

    mutating func admitted(_ token: AccessToken, at now: Moment) -> Action {
        guard phase == .joining else { return .nothing }
        identity = token
        endsAt = now.steady + (token.expiresAt - now.wall)
        phase = .open
        guard !wasWelcomed else {
            return .send(
                .authenticated(
                    Authenticated(user: token.user, device: token.device, sessionEndsUs: token.expiresAt)))
        }
        wasWelcomed = true
        return .send(.welcome(welcome(at: now)))
    }

    private func welcome(at now: Moment) -> Welcome {
        Welcome(
            version: 1, capabilities: 0, session: session, user: identity?.user ?? "", device: identity?.device ?? "",
            serverTimeUs: now.wall, limits: rules.told, sessionEndsUs: identity?.expiresAt ?? 0)
    }

    /// The request `id` has its answer; it may be sent.
    mutating func answered(_ id: UInt64) {
        guard let index = inFlight.firstIndex(of: id) else { return }
        inFlight.swapAt(index, inFlight.count - 1)
        inFlight.removeLast()
    }

    /// The gateway is stopping: takes nothing new, and closes once nothing is in flight. Call again after each answer.
    mutating func drain(at now: Moment) -> Action {
        isDraining = true
        return inFlight.isEmpty ? close(.goingAway, at: now) : .nothing
    }

    /// After an answer was sent.
    mutating func settled(at now: Moment) -> Action {
        isDraining && inFlight.isEmpty ? close(.goingAway, at: now) : .nothing
    }

    mutating func close(_ closing: Closing, at now: Moment) -> Action {
        guard phase != .closing else { return .nothing }
        leave(at: now)
        return .close(closing)
    }

    /// The client closes by itself.
    mutating func leave(at now: Moment) {
        phase = .closing
        since = now.steady
        held = []
        inFlight = []
    }

    mutating func tick(at now: Moment) -> Action {
        if inFlight.isEmpty { inFlight = [] }  // An idle session holds no memory for requests.
        let waited = now.steady - since
        switch phase {
        case .awaitingHello: return waited >= rules.helloTimeout ? close(.helloMissing, at: now) : .nothing
        case .closing: return waited >= rules.closeTimeout ? .cut : .nothing
        case .joining where waited >= rules.helloTimeout: return close(.tryAgainLater, at: now)
        case .joining, .open:
            if now.steady >= endsAt { return close(.tokenRanOut, at: now) }
            return now.steady - heardAt >= rules.silenceTimeout ? close(.silent, at: now) : .nothing
        }
    }
}

extension ClientFrame.Frame {
    /// About how many bytes it keeps.
    fileprivate var weight: Int {
        switch self {
        case .request(let request): 128 + request.body.count
        case .hello(let hello): 128 + hello.token.utf8.count
        case .authenticate(let authenticate): 128 + authenticate.token.utf8.count
        case .ping: 128
        }
    }
}
