import Schema
import ServiceKit

/// The rules of one client link, without the link. Frames, verdicts and time go in; actions come out.
///
/// awaiting hello → (joining) → open, anonymous or signed in → closing. While a token is being checked (joining), later
/// frames are held, so that a client need not wait for its welcome.
struct SessionMachine {
    enum Action: Equatable {
        case nothing
        case send(ServerFrame.Frame)
        /// Answer this request with a refusal; the session continues.
        case refuse(id: UInt64, Problem)
        /// Check this token's signature and call ``checked(_:at:)``.
        case check(token: String)
        /// Sign the session in unless the token was revoked, then call ``admitted(_:at:)`` or ``close(_:at:)``.
        case admit(AccessToken)
        case forward(Request, service: Int, deadline: Duration)
        /// Report what the person does in the session.
        case report(Activity)
        /// Send the goodbye and close; nothing else will be sent.
        case close(Closing)
        /// Cut the connection, because the client does not answer the closing handshake.
        case cut
    }

    /// The result of checking a token.
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
    /// When the phase began. Awaiting hello, joining and closing are limited in time.
    private var since: Int64
    private let beganAt: Int64
    private var heardAt: Int64
    private var endsAt: Int64 = .max
    private var bucket: TokenBucket
    private var frames: TokenBucket
    /// What it may do together with others.
    private var share: Share?
    private(set) var identity: AccessToken?
    /// The IANA name of the zone that the client named; empty: none.
    private(set) var timeZone = ""
    /// What the person did in the session as it began.
    private(set) var firstActivity = Activity()
    private var inFlight: [UInt64] = []
    private var held: [ClientFrame.Frame] = []
    private var heldBytes = 0

    init(rules: SessionRules, session: String, at now: Moment) {
        self.rules = rules
        self.session = session
        since = now.steady
        beganAt = now.steady
        heardAt = now.steady
        bucket = TokenBucket(rules.requests, at: now.steady)
        frames = TokenBucket(rules.frames, at: now.steady)
    }

    var isClosing: Bool { phase == .closing }
    /// Whether replies and Updates may be sent.
    var isOpen: Bool { wasWelcomed && phase != .closing }

    // MARK: From the client

    /// Records that a WebSocket frame of any kind arrived, such as a ping or a fragment.
    mutating func heard(at now: Moment) {
        heardAt = now.steady
        spend(frames: 1, at: now)
    }

    /// Returns for how many microseconds the connection is not to be read, because too many frames came; zero: go on.
    mutating func pause(at now: Moment) -> Int64 { spend(frames: 0, at: now) }

    @discardableResult
    private mutating func spend(frames count: Int, at now: Moment) -> Int64 {
        let own = frames.spend(rules.frames, count: count, debtMax: rules.limits.pauseMax, at: now.steady)
        return max(own, share?.spend(frames: count, at: now.steady) ?? 0)
    }

    mutating func received(_ frame: ClientFrame.Frame?, at now: Moment) -> Action {
        heardAt = now.steady
        guard let frame else { return close(.malformed("The frame has no content known to this version."), at: now) }
        switch phase {
        case .closing: return .nothing
        case .awaitingHello:
            guard case .hello(let hello) = frame else { return close(.helloFirst, at: now) }
            return receivedHello(hello, at: now)
        case .joining:
            heldBytes += frame.weight
            guard held.count < rules.limits.requestsInFlight, heldBytes <= rules.limits.frameBytes else {
                return close(.malformed("Too many frames were sent before the welcome."), at: now)
            }
            held.append(frame)
            return .nothing
        case .open: return receivedWhileOpen(frame, at: now)
        }
    }

    /// Handles the next frame that came in hello, or was held while the token was checked. Call after
    /// ``received(_:at:)`` and ``admitted(_:at:)`` until it returns nil.
    mutating func nextHeld(at now: Moment) -> Action? {
        guard phase == .open, !held.isEmpty else { return nil }
        let frame = held.removeFirst()
        if held.isEmpty { (held, heldBytes) = ([], 0) }
        return receivedWhileOpen(frame, at: now)
    }

    private mutating func receivedHello(_ hello: Hello, at now: Moment) -> Action {
        guard hello.version == 1 else { return close(.version(hello.version), at: now) }
        timeZone = Self.zone(hello.timeZone)
        firstActivity = hello.activity ?? Activity()
        held = hello.requests.map { .request($0) }
        heldBytes = held.reduce(0) { $0 + $1.weight }
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
        case .hello: return close(.malformed("Hello may be sent only once."), at: now)
        case .ping(let ping): return .send(.pong(Pong(id: ping.id, serverTimeUs: now.wall)))
        case .authenticate(let authenticate):
            guard take(at: now) == nil else { return close(.tooMuch, at: now) }
            return join(authenticate.token, at: now)
        case .request(let request): return receivedRequest(request, at: now)
        case .setTimeZone(let named):
            timeZone = Self.zone(named.timeZone)
            return .nothing
        case .setActivity(let activity):
            // Before it signs in, nobody is told what the session does.
            if identity == nil { firstActivity = activity }
            return identity == nil ? .nothing : .report(activity)
        }
    }

    /// Returns the name if a zone may have it, otherwise none. The services know which zones exist.
    private static func zone(_ name: String) -> String {
        name.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "+"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        } ? name : ""
    }

    private mutating func receivedRequest(_ request: Request, at now: Moment) -> Action {
        func refuse(_ code: RefusalCode, _ message: String, field: String = "", after wait: Int64 = 0) -> Action {
            let retryAfterMs = UInt32(clamping: (wait + 999) / 1000)
            return .refuse(
                id: request.id, Problem(code: code.rawValue, message: message, field: field, retryAfterMs: retryAfterMs)
            )
        }
        if isDraining { return refuse(.unavailable, "The gateway is stopping. Connect again.", after: 500_000) }
        if inFlight.contains(request.id) {
            return refuse(.invalid, "A request with this id is still in flight. Use another id.", field: "id")
        }
        guard inFlight.count < rules.limits.requestsInFlight else {
            spend(frames: rules.limits.framesOfRefused, at: now)
            return refuse(.rateLimited, "Too many requests are in flight. Wait for replies.", after: 100_000)
        }
        if let wait = take(at: now) {
            // Who does not wait is read more slowly.
            spend(frames: rules.limits.framesOfRefused, at: now)
            return refuse(.rateLimited, "Too many requests. Slow down.", after: wait)
        }
        guard let service = rules.service(of: request.method) else {
            return refuse(.unknownMethod, "There is no method with this name.", field: "method")
        }
        inFlight.append(request.id)
        let requested = request.deadlineMs == 0 ? rules.deadlineMs : request.deadlineMs
        return .forward(request, service: service, deadline: .milliseconds(Int64(min(requested, rules.deadlineMaxMs))))
    }

    private mutating func take(at now: Moment) -> Int64? {
        bucket.take(rules.requests, at: now.steady) ?? share?.takeRequest(at: now.steady)
    }

    // MARK: From the gateway

    mutating func checked(_ verdict: Verdict, at now: Moment) -> Action {
        guard phase == .joining else { return .nothing }
        switch verdict {
        case .unavailable: return close(.tryAgainLater, at: now)
        case .invalid(let why): return close(.token(why), at: now)
        case .valid(let token):
            guard token.expiresAt.rawValue > now.wall else { return close(.tokenExpired, at: now) }
            if let identity, identity.account != token.account || identity.device != token.device {
                return close(.otherPerson, at: now)
            }
            return .admit(token)
        }
    }

    /// Counts what the session does from now on together with what others do.
    mutating func join(_ share: Share) { self.share = share }

    mutating func admitted(_ token: AccessToken, at now: Moment) -> Action {
        guard phase == .joining else { return .nothing }
        identity = token
        endsAt = now.steady + (token.expiresAt.rawValue - now.wall)
        phase = .open
        guard !wasWelcomed else {
            return .send(
                .authenticated(
                    Authenticated(user: token.user, device: token.device, sessionEndsUs: token.expiresAt.rawValue)))
        }
        wasWelcomed = true
        return .send(.welcome(welcome(at: now)))
    }

    private func welcome(at now: Moment) -> Welcome {
        Welcome(
            version: 1, capabilities: 0, session: session, user: identity?.user ?? "", device: identity?.device ?? "",
            serverTimeUs: now.wall, limits: rules.welcomeLimits, sessionEndsUs: identity?.expiresAt.rawValue ?? 0,
            cells: Cell.all)
    }

    /// Records that the request `id` is answered. Its reply may be sent.
    mutating func answered(_ id: UInt64) {
        guard let index = inFlight.firstIndex(of: id) else { return }
        inFlight.swapAt(index, inFlight.count - 1)
        inFlight.removeLast()
    }

    /// Begins draining because the gateway is stopping. The session accepts no new requests and closes when none is in
    /// flight. Call ``settled(at:)`` after each reply.
    mutating func drain(at now: Moment) -> Action {
        isDraining = true
        return inFlight.isEmpty ? close(.goingAway, at: now) : .nothing
    }

    /// Closes a draining session after its last reply was sent.
    mutating func settled(at now: Moment) -> Action {
        isDraining && inFlight.isEmpty ? close(.goingAway, at: now) : .nothing
    }

    mutating func close(_ closing: Closing, at now: Moment) -> Action {
        guard phase != .closing else { return .nothing }
        leave(at: now)
        return .close(closing)
    }

    /// Ends the session because the client closed it.
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
            if now.steady >= endsAt { return close(.tokenExpired, at: now) }
            if identity == nil, phase == .open, now.steady - beganAt >= rules.anonymousTimeout {
                return close(.notSignedIn, at: now)
            }
            return now.steady - heardAt >= rules.silenceTimeout ? close(.silent, at: now) : .nothing
        }
    }
}

extension ClientFrame.Frame {
    /// Approximately how many bytes the frame occupies.
    fileprivate var weight: Int {
        switch self {
        case .request(let request): 128 + request.body.count
        case .hello(let hello): 128 + hello.token.utf8.count
        case .authenticate(let authenticate): 128 + authenticate.token.utf8.count
        case .setActivity(let activity): 128 + activity.currentConversation.utf8.count
        case .ping, .setTimeZone: 128
        }
    }
}
