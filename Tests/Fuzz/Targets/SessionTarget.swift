@testable import GatewayService
@testable import Schema
@testable import ServiceKit

extension FuzzTarget {
    /// ``SessionMachine`` alone. An input is a sequence of frames, verdicts, answers and passing time.
    static let session = FuzzTarget("session", bytesMax: 2000, seeds: sessionSeeds) { input in
        var choices = Choices(input)
        var play = SessionPlay()
        while !choices.isEmpty { try play.step(&choices) }
    }

    private static func sessionSeeds() -> [[UInt8]] {
        let hello = ClientFrame(frame: .hello(Hello(version: 1, token: "t"))).encode()
        let request = ClientFrame(frame: .request(Request(id: 9, method: "messaging.SendMessage", body: [1, 2])))
            .encode()
        return [
            [1, 3, 1, 3, 2, 8, 0, 8, 0],  // hello, two requests, their answers
            [2, 3, 7, 6, 0, 7, 8, 0, 5, 6, 1, 7],  // hello with a token, a held request, admission, another token
            [0] + piece(hello) + [6, 0, 7, 0] + piece(request) + [4, 9, 20, 8, 0],
            [1, 3, 1, 10, 8, 0, 9, 30], [1, 3, 1, 11, 3, 2, 9, 31, 9, 31], [2, 9, 23, 13],
        ]
    }
}

/// A session machine with the choices in the role of the gateway, and the rules it must obey for any input.
private struct SessionPlay {
    private static let rules: SessionRules = {
        var limits = GatewayLimits()
        (limits.requestsInFlight, limits.requestsBurst, limits.frameBytes) = (3, 6, 2048)
        return SessionRules(limits: limits, services: ["conversations", "messaging"])
    }()

    private var now = Moment(steady: 1_000_000, wall: 1_800_000_000_000_000)
    private var machine: SessionMachine
    private var isChecking = false
    private var admissible: AccessToken?
    private var inFlight: [UInt64] = []
    /// How often each request id was sent, and how often it was answered.
    private var requests: [UInt64: Int] = [:]
    private var answers: [UInt64: Int] = [:]
    private var (pings, pongs, welcomes, closes) = (0, 0, 0, 0)

    init() { machine = SessionMachine(rules: Self.rules, session: "s", at: now) }

    mutating func step(_ choices: inout Choices) throws {
        switch choices.byte() % 14 {
        case 0: try receive(bytes: choices.piece())
        case 1: try receive(.hello(Hello(version: 1)))
        case 2: try receive(.hello(Hello(version: 1, token: "t")))
        case 3: try receive(.request(Request(id: UInt64(choices.byte() % 8), method: "messaging.SendMessage")))
        case 4: try receive(.ping(Ping(id: UInt64(choices.byte()))))
        case 5: try receive(.authenticate(Authenticate(token: "t")))
        case 6:
            guard isChecking else { return }
            isChecking = false
            try perform(machine.checked(verdict(choices.byte()), at: now))
        case 7:
            guard let token = admissible else { return }
            admissible = nil
            try perform(machine.admitted(token, at: now))
            while let action = machine.nextHeld(at: now) { try perform(action) }
        case 8: try answer(Int(choices.byte()))
        case 9:
            let passed = Int64(1) << Int64(choices.byte() % 36)
            now.steady += passed
            now.wall += passed
            try perform(machine.tick(at: now))
        case 10: try perform(machine.drain(at: now))
        case 11: try perform(machine.close(.revoked, at: now))
        case 12: machine.leave(at: now)
        default: try receive(nil)
        }
        try require(inFlight.count <= 3, "\(inFlight.count) requests are in flight")
    }

    private func verdict(_ choice: UInt8) -> SessionMachine.Verdict {
        switch choice % 8 {
        case 6: return .invalid("no")
        case 7: return .unavailable
        default:
            return .valid(
                AccessToken(
                    user: "u", account: 7, device: choice % 8 == 5 ? "other" : "phone", issuedAt: Timestamp(now.wall),
                    expiresAt: Timestamp(now.wall + (choice % 8 == 4 ? 0 : 900_000_000))))
        }
    }

    private mutating func receive(bytes: ArraySlice<UInt8>) throws {
        guard let frame = try? ClientFrame.decode(bytes) else {
            return try perform(machine.close(.malformed("unreadable"), at: now))
        }
        try receive(frame.frame)
    }

    private mutating func receive(_ frame: ClientFrame.Frame?) throws {
        switch frame {
        case .request(let request): requests[request.id, default: 0] += 1
        case .ping: pings += 1
        default: break
        }
        try perform(machine.received(frame, at: now))
    }

    private mutating func answer(_ choice: Int) throws {
        guard !inFlight.isEmpty, !machine.isClosing else { return }
        let id = inFlight.remove(at: choice % inFlight.count)
        machine.answered(id)
        try answered(id)
        try perform(machine.settled(at: now))
    }

    private mutating func answered(_ id: UInt64) throws {
        answers[id, default: 0] += 1
        try require(
            answers[id, default: 0] <= requests[id, default: 0],
            "request \(id) was sent \(requests[id, default: 0]) times and answered \(answers[id, default: 0]) times")
    }

    private mutating func perform(_ action: SessionMachine.Action) throws {
        let hasEnded = closes > 0 || (machine.isClosing && closes == 0 && !isClose(action))
        switch action {
        case .nothing, .cut: return
        case .close:
            closes += 1
            inFlight = []
            try require(closes == 1 && machine.isClosing, "closed \(closes) times")
        case _ where hasEnded: throw Broken(description: "\(action) after the end")
        case .send(let frame): try sent(frame)
        case .refuse(let id, let problem):
            try require(!problem.code.isEmpty, "a refusal without a code")
            try answered(id)
        case .check:
            try require(!isChecking, "two tokens are checked at the same time")
            (isChecking, admissible) = (true, nil)
        case .admit(let token):
            try require(token.expiresAt.rawValue > now.wall, "an expired token is admitted")
            admissible = token
        case .forward(let request, let service, let deadline):
            try require(machine.isOpen, "forwarded without a welcome")
            try require(!inFlight.contains(request.id), "request \(request.id) is in flight twice")
            try require(service < 2 && request.method.contains("."), "\(request.method) goes to \(service)")
            try require((.milliseconds(1)...(.seconds(60))).contains(deadline), "deadline \(deadline)")
            inFlight.append(request.id)
        case .report:
            try require(machine.isOpen && machine.identity != nil, "activity of nobody is reported")
        }
    }

    private func isClose(_ action: SessionMachine.Action) -> Bool {
        if case .close = action { true } else { false }
    }

    private mutating func sent(_ frame: ServerFrame.Frame) throws {
        switch frame {
        case .welcome:
            welcomes += 1
            try require(welcomes == 1, "welcomed twice")
        case .authenticated: try require(welcomes == 1, "a new token before the welcome")
        case .pong:
            pongs += 1
            try require(pongs <= pings, "a pong without a ping")
        default: throw Broken(description: "unexpected frame \(frame)")
        }
    }
}
