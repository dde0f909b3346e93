import Schema
import ServiceKit
import Testing

@testable import GatewayService

/// The rules of a link, without a socket or a clock.
@Suite struct SessionMachineTests {
    static let start = Moment(steady: 1_000_000, wall: 1_700_000_000_000_000)

    static func after(_ seconds: Double) -> Moment {
        let passed = Int64(seconds * 1_000_000)
        return Moment(steady: start.steady + passed, wall: start.wall + passed)
    }

    static func machine(_ change: (inout GatewayLimits) -> Void = { _ in }) -> SessionMachine {
        var limits = GatewayLimits()
        change(&limits)
        let rules = SessionRules(limits: limits, services: ["conversations", "messaging"])
        return SessionMachine(rules: rules, session: "s1", at: start)
    }

    static func token(account: AccountNumber = 7, device: String = "phone", lasts seconds: Int64 = 900) -> AccessToken {
        AccessToken(
            user: "u\(account)", account: account, device: device, issuedAt: Timestamp(start.wall),
            expiresAt: Timestamp(start.wall) + .seconds(seconds))
    }

    static func anonymous(_ change: (inout GatewayLimits) -> Void = { _ in }) -> SessionMachine {
        var machine = machine(change)
        _ = machine.received(.hello(Hello(version: 1)), at: start)
        return machine
    }

    static func signedIn(_ change: (inout GatewayLimits) -> Void = { _ in }) -> SessionMachine {
        var machine = machine(change)
        _ = machine.received(.hello(Hello(version: 1, token: "t")), at: start)
        _ = machine.checked(.valid(token()), at: start)
        _ = machine.admitted(token(), at: start)
        return machine
    }

    static func request(_ id: UInt64, _ method: String = "messaging.SendMessage", deadline: UInt32 = 0)
        -> ClientFrame.Frame
    {
        .request(Request(id: id, method: method, deadlineMs: deadline))
    }

    static func code(_ action: SessionMachine.Action) -> UInt16? {
        if case .close(let closing) = action { closing.code } else { nil }
    }

    static func refusal(_ action: SessionMachine.Action) -> String? {
        if case .refuse(_, let problem) = action { problem.code } else { nil }
    }

    @Test("frames of any kind are counted, refused requests tenfold; what is owed is a pause of ten seconds at most")
    func frames() {
        var machine = Self.signedIn {
            ($0.framesPerSecond, $0.framesBurst) = (100, 200)
            ($0.requestsPerSecond, $0.requestsBurst) = (20, 60)
        }
        for _ in 0..<200 { machine.heard(at: Self.start) }
        #expect(machine.pause(at: Self.start) == 0)
        for _ in 0..<50 { machine.heard(at: Self.start) }
        #expect((490_000...510_000).contains(machine.pause(at: Self.start)))
        #expect(machine.pause(at: Self.after(0.6)) == 0)
        for id in 1...60 {
            #expect(Self.refusal(machine.received(Self.request(UInt64(id)), at: Self.after(10))) == nil)
            machine.answered(UInt64(id))
        }
        for id in 61...90 {
            #expect(Self.refusal(machine.received(Self.request(UInt64(id)), at: Self.after(10))) == "rate_limited")
        }
        #expect((900_000...1_100_000).contains(machine.pause(at: Self.after(10))), "300 of 200 frames")
        for _ in 0..<1_000_000 { machine.heard(at: Self.after(10)) }
        #expect((9_900_000...10_100_000).contains(machine.pause(at: Self.after(10))))
        #expect(machine.pause(at: Self.after(21)) == 0)
    }

    @Test(
        "the first frame decides whether and how a session begins",
        arguments: [
            (nil, 4005),
            (.hello(Hello(version: 1)), nil),
            (.hello(Hello(version: 1, token: "t")), nil),
            (.hello(Hello(version: 2)), 4007),
            (.hello(Hello(version: 0)), 4007),
            (.ping(Ping(id: 1)), 4001),
            (.authenticate(Authenticate(token: "t")), 4001),
            (request(1), 4001),
        ] as [(ClientFrame.Frame?, UInt16?)])
    func firstFrame(_ frame: ClientFrame.Frame?, _ code: UInt16?) {
        var machine = Self.machine()
        #expect(Self.code(machine.received(frame, at: Self.start)) == code)
        #expect(machine.isClosing == (code != nil))
    }

    @Test("a hello without a token is welcomed immediately, with the limits and no user")
    func anonymousWelcome() throws {
        var machine = Self.machine()
        guard case .send(.welcome(let welcome)) = machine.received(.hello(Hello(version: 1)), at: Self.start) else {
            return #expect(Bool(false), "no welcome")
        }
        #expect(welcome.session == "s1" && welcome.user.isEmpty && welcome.sessionEndsUs == 0)
        #expect(welcome.serverTimeUs == Self.start.wall)
        #expect(welcome.limits?.requestsInFlight == 64 && welcome.limits?.frameBytes == 131_072)
    }

    @Test(
        "a session that has just begun may have as many requests under way as welcome says", arguments: [nil, 3, 100])
    func allUnderWay(burst: Int?) throws {
        func change(_ limits: inout GatewayLimits) { if let burst { limits.requestsBurst = burst } }
        var newcomer = Self.machine(change)
        guard case .send(.welcome(let welcome)) = newcomer.received(.hello(Hello(version: 1)), at: Self.start) else {
            return #expect(Bool(false), "no welcome")
        }
        let most = try #require(welcome.limits?.requestsInFlight)
        var machine = Self.signedIn(change)
        for id in 1...UInt64(most) { #expect(Self.refusal(machine.received(Self.request(id), at: Self.start)) == nil) }
        #expect(Self.refusal(machine.received(Self.request(1000), at: Self.start)) == "rate_limited")
    }

    @Test("a token is checked, then admitted, then welcomed; frames meanwhile are held in order")
    func signIn() {
        var machine = Self.machine()
        #expect(machine.received(.hello(Hello(version: 1, token: "t")), at: Self.start) == .check(token: "t"))
        #expect(machine.received(Self.request(1), at: Self.start) == .nothing)
        #expect(machine.received(.ping(Ping(id: 2)), at: Self.start) == .nothing)
        #expect(machine.nextHeld(at: Self.start) == nil)
        #expect(!machine.isOpen)
        #expect(machine.checked(.valid(Self.token()), at: Self.start) == .admit(Self.token()))
        guard case .send(.welcome(let welcome)) = machine.admitted(Self.token(), at: Self.start) else {
            return #expect(Bool(false), "no welcome")
        }
        #expect(
            welcome.user == "u7" && welcome.device == "phone"
                && welcome.sessionEndsUs == Self.token().expiresAt.rawValue)
        guard case .forward(let request, 1, _) = machine.nextHeld(at: Self.start) else {
            return #expect(Bool(false), "not forwarded")
        }
        #expect(request.id == 1)
        #expect(machine.nextHeld(at: Self.start) == .send(.pong(Pong(id: 2, serverTimeUs: Self.start.wall))))
        #expect(machine.nextHeld(at: Self.start) == nil)
    }

    @Test("Hello and SetTimeZone name the session's time zone; a name that no zone can have counts as none")
    func timeZones() {
        var machine = Self.machine()
        _ = machine.received(.hello(Hello(version: 1, timeZone: "Europe/Zurich")), at: Self.start)
        #expect(machine.timeZone == "Europe/Zurich")
        for (named, zone) in [
            ("Etc/GMT+5", "Etc/GMT+5"), ("not a zone", ""), ("America/Port-au-Prince", nil), ("", ""),
        ] {
            let frame = ClientFrame.Frame.setTimeZone(SetTimeZone(timeZone: named))
            #expect(machine.received(frame, at: Self.start) == .nothing && machine.timeZone == zone ?? named)
        }
        #expect(!machine.isClosing)
    }

    @Test("P1 what the person does is reported once the session is signed in; before, the first of it counts")
    func activity() {
        let background = Activity(background: true, currentConversation: "c")
        var machine = Self.anonymous()
        #expect(machine.received(.setActivity(background), at: Self.start) == .nothing)
        #expect(machine.firstActivity == background)
        machine = Self.machine()
        _ = machine.received(.hello(Hello(version: 1, token: "t", activity: background)), at: Self.start)
        #expect(machine.firstActivity == background)
        machine = Self.signedIn()
        #expect(machine.received(.setActivity(background), at: Self.start) == .report(background))
        #expect(machine.firstActivity == Activity())
    }

    @Test("P1 a session is reported when something of it changes, and while it is used every half minute")
    func doing() {
        let (start, foreground) = (ContinuousClock.now, Activity(currentConversation: "c"))
        var doing = Doing()
        #expect(doing.idleMs(at: start) < 0)
        func isReported(_ activity: Activity, after seconds: Int) -> Bool {
            doing.set(activity, at: start + .seconds(seconds))
        }
        let background = Activity(background: true)
        #expect(isReported(background, after: 0))
        #expect(doing.idleMs(at: start) < 0, "never used")
        #expect(isReported(foreground, after: 1))
        #expect(!isReported(foreground, after: 30))
        #expect(doing.idleMs(at: start + .seconds(31)) == 1_000)
        #expect(isReported(foreground, after: 32))
        #expect(isReported(background, after: 33))
        #expect(doing.idleMs(at: start + .seconds(40)) == 8_000, "going away is no use")
    }

    @Test("more frames before the welcome than may be in flight end the session")
    func tooManyHeld() {
        var machine = Self.machine { $0.requestsInFlight = 2 }
        _ = machine.received(.hello(Hello(version: 1, token: "t")), at: Self.start)
        #expect(machine.received(Self.request(1), at: Self.start) == .nothing)
        #expect(machine.received(Self.request(2), at: Self.start) == .nothing)
        #expect(Self.code(machine.received(Self.request(3), at: Self.start)) == 4005)
    }

    @Test("an invalid or expired token ends the session with 4002, one that cannot be checked with 1013")
    func badToken() {
        for (verdict, code): (SessionMachine.Verdict, UInt16) in [
            (.invalid("no"), 4002), (.unavailable, 1013), (.valid(Self.token(lasts: 0)), 4002),
        ] {
            var machine = Self.machine()
            _ = machine.received(.hello(Hello(version: 1, token: "t")), at: Self.start)
            #expect(Self.code(machine.checked(verdict, at: Self.start)) == code)
        }
    }

    @Test("Authenticate signs an anonymous session in or extends a session, and refuses another person or device")
    func authenticate() {
        for (before, token, code): (SessionMachine, AccessToken, UInt16?) in [
            (Self.anonymous(), Self.token(), nil),
            (Self.signedIn(), Self.token(lasts: 1800), nil),
            (Self.signedIn(), Self.token(account: 8), 4002),
            (Self.signedIn(), Self.token(device: "tablet"), 4002),
        ] {
            var machine = before
            #expect(machine.received(.authenticate(Authenticate(token: "n")), at: Self.start) == .check(token: "n"))
            let action = machine.checked(.valid(token), at: Self.start)
            #expect(Self.code(action) == code)
            guard code == nil else { continue }
            #expect(action == .admit(token))
            guard case .send(.authenticated(let authenticated)) = machine.admitted(token, at: Self.start) else {
                return #expect(Bool(false), "no answer")
            }
            #expect(authenticated.sessionEndsUs == token.expiresAt.rawValue)
        }
    }

    @Test("a session ends when its token expires, unless it was extended")
    func expiry() {
        var machine = Self.signedIn { $0.silenceTimeout = .seconds(10_000) }
        #expect(machine.tick(at: Self.after(899)) == .nothing)
        _ = machine.received(.authenticate(Authenticate(token: "n")), at: Self.after(899))
        _ = machine.checked(.valid(Self.token(lasts: 1800)), at: Self.after(899))
        _ = machine.admitted(Self.token(lasts: 1800), at: Self.after(899))
        #expect(machine.tick(at: Self.after(901)) == .nothing)
        #expect(Self.code(machine.tick(at: Self.after(1800))) == 4002)
    }

    @Test("timeouts end a session without a hello, a silent one, and one whose client does not close")
    func timeouts() {
        var silent = Self.machine()
        #expect(silent.tick(at: Self.after(4.9)) == .nothing)
        #expect(Self.code(silent.tick(at: Self.after(5))) == 1001)
        #expect(silent.tick(at: Self.after(9.9)) == .nothing)
        #expect(silent.tick(at: Self.after(10)) == .cut)

        var idle = Self.signedIn()
        #expect(idle.tick(at: Self.after(59)) == .nothing)
        idle.heard(at: Self.after(59))
        #expect(idle.tick(at: Self.after(118)) == .nothing)
        #expect(Self.code(idle.tick(at: Self.after(119))) == 1001)

        var anonymous = Self.anonymous()
        anonymous.heard(at: Self.after(59))
        #expect(anonymous.tick(at: Self.after(59.9)) == .nothing)
        #expect(anonymous.tick(at: Self.after(60)) == .close(.notSignedIn))
    }

    @Test(
        "a request goes to the service in its method's prefix; other methods are unknown",
        arguments: [
            ("conversations.SignIn", 0), ("messaging.SendMessage", 1), ("messaging.", nil), ("messagingSend", nil),
            ("authority.Keys", nil), ("sessions.Report", nil), ("health.Check", nil), ("presence.GetPresence", nil),
            ("", nil),
            ("Messaging.SendMessage", nil),
        ] as [(String, Int?)])
    func routing(_ method: String, _ service: Int?) {
        var machine = Self.anonymous()
        let action = machine.received(Self.request(1, method), at: Self.start)
        if case .forward(_, let number, _) = action {
            #expect(number == service)
        } else {
            #expect(service == nil && Self.refusal(action) == "unknown_method")
            #expect(!machine.isClosing)
        }
    }

    @Test(
        "a deadline is 10 s by default and at most 60 s",
        arguments: [
            (0, 10_000), (500, 500), (60_000, 60_000), (600_000, 60_000),
        ] as [(UInt32, Int64)])
    func deadlines(_ requested: UInt32, _ expected: Int64) {
        var machine = Self.anonymous()
        guard case .forward(_, _, let deadline) = machine.received(Self.request(1, deadline: requested), at: Self.start)
        else {
            return #expect(Bool(false), "not forwarded")
        }
        #expect(deadline == .milliseconds(expected))
    }

    @Test("an id in flight is refused, and can be used again once answered")
    func reusedID() {
        var machine = Self.anonymous()
        _ = machine.received(Self.request(5), at: Self.start)
        #expect(Self.refusal(machine.received(Self.request(5), at: Self.start)) == "invalid")
        machine.answered(5)
        #expect(Self.refusal(machine.received(Self.request(5), at: Self.start)) == nil)
    }

    @Test("too many requests in flight are refused, and the session continues")
    func inFlight() {
        var machine = Self.anonymous { $0.requestsInFlight = 2 }
        _ = machine.received(Self.request(1), at: Self.start)
        _ = machine.received(Self.request(2), at: Self.start)
        guard case .refuse(3, let problem) = machine.received(Self.request(3), at: Self.start) else {
            return #expect(Bool(false), "not refused")
        }
        #expect(problem.code == "rate_limited" && problem.retryAfterMs > 0)
        machine.answered(1)
        #expect(Self.refusal(machine.received(Self.request(3), at: Self.start)) == nil)
    }

    @Test("64 requests pass in a burst, then 20 per second, and the refusal states when to retry")
    func rate() {
        var machine = Self.anonymous { $0.requestsInFlight = 1000 }
        for id in 1...64 { #expect(Self.refusal(machine.received(Self.request(UInt64(id)), at: Self.start)) == nil) }
        guard case .refuse(_, let problem) = machine.received(Self.request(65), at: Self.start) else {
            return #expect(Bool(false), "not refused")
        }
        #expect(problem.code == "rate_limited" && (50...51).contains(problem.retryAfterMs))
        let later = Self.after(0.1)
        #expect(Self.refusal(machine.received(Self.request(65), at: later)) == nil)
        #expect(Self.refusal(machine.received(Self.request(66), at: later)) == nil)
        #expect(Self.refusal(machine.received(Self.request(67), at: later)) == "rate_limited")
    }

    @Test("sessions that share an account make no more requests, and send no more frames, than it may")
    func share() {
        let rules = SessionRules(
            limits: {
                var limits = GatewayLimits()
                (limits.accountRequestsPerSecond, limits.accountRequestsBurst) = (20, 90)
                (limits.accountFramesPerSecond, limits.accountFramesBurst) = (200, 1000)
                (limits.requestsBurst, limits.requestsInFlight) = (60, 1000)
                return limits
            }(), services: ["messaging"])
        let shared = Share(rules, at: Self.start.steady)
        var machines = (0..<2).map { SessionMachine(rules: rules, session: "s\($0)", at: Self.start) }
        for index in machines.indices {
            _ = machines[index].received(.hello(Hello(version: 1, token: "t")), at: Self.start)
            machines[index].join(shared)
            _ = machines[index].checked(.valid(Self.token()), at: Self.start)
            _ = machines[index].admitted(Self.token(), at: Self.start)
        }
        func accepted(_ index: Int, at now: Moment) -> Int {
            (1...100).count {
                Self.refusal(machines[index].received(Self.request(UInt64($0)), at: now)) == nil
            }
        }
        #expect(accepted(0, at: Self.start) == 60)
        // What the first session was refused costs frames of both.
        #expect(accepted(1, at: Self.start) == 30)
        #expect(machines[1].pause(at: Self.start) > 0)
        #expect(!shared.isUnused(at: Self.after(5).steady))
        #expect(shared.isUnused(at: Self.after(6).steady))
    }

    @Test("a share stays while it was used or has sessions, and others make room")
    func shares() {
        let rules = SessionRules(limits: GatewayLimits(), services: [])
        var shares = AccountShares(rules)
        let used = shares.share(of: 1, at: 0) { _ in false }
        let kept = shares.share(of: 2, at: 0) { _ in false }
        let unused = shares.share(of: 3, at: 0) { _ in false }
        _ = used.takeRequest(at: 0)
        for account in 4...10_001 { _ = shares.share(of: Int64(account), at: 0) { $0 == 2 } }
        #expect(shares.share(of: 1, at: 0) { $0 == 2 } === used)
        #expect(shares.share(of: 2, at: 0) { $0 == 2 } === kept)
        #expect(shares.share(of: 3, at: 0) { $0 == 2 } !== unused)
    }

    @Test("a draining session refuses new requests and closes once its last request is answered")
    func drain() {
        var idle = Self.anonymous()
        #expect(Self.code(idle.drain(at: Self.start)) == 1001)

        var busy = Self.anonymous()
        _ = busy.received(Self.request(1), at: Self.start)
        #expect(busy.drain(at: Self.start) == .nothing)
        #expect(Self.refusal(busy.received(Self.request(2), at: Self.start)) == "unavailable")
        #expect(busy.settled(at: Self.start) == .nothing)
        busy.answered(1)
        #expect(Self.code(busy.settled(at: Self.start)) == 1001)
    }

    @Test("after the goodbye nothing is sent or accepted")
    func closing() {
        var machine = Self.signedIn()
        #expect(Self.code(machine.close(.revoked, at: Self.start)) == 4003)
        #expect(machine.close(.resync, at: Self.start) == .nothing)
        #expect(machine.received(Self.request(1), at: Self.start) == .nothing)
        #expect(machine.admitted(Self.token(), at: Self.start) == .nothing)
        #expect(!machine.isOpen)
    }
}
