import Logging
import Reactor
import Schema
import ServiceKit
import Wire

/// The keys of access tokens and the revoked devices, both requested from conversations.
///
/// The gateway accepts no sessions before the first reply.
@ReactorActor
final class Authority {
    private static let retryDelay: Duration = .milliseconds(250)

    private let conversations: RequestClient
    private let keys: KeyRing
    private let clock: WallClock
    private let refresh: Duration
    private let pause: Duration
    private let log: Logger
    private(set) var denyList: DenyList
    private(set) var isKnown = false
    private var isAsking = false
    private var isStopped = false
    private var timer: Reactor.Timer?
    /// Called with the outcome of the request in flight.
    private var waiting: [(Bool) -> Void] = []
    /// Called with the outcome of the next request, because the reply in flight may be older than their call.
    private var waitingForNext: [(Bool) -> Void] = []
    private var mustAskAgain = false
    /// Called with the outcome of the next request for a key that is not known.
    private var waitingForKey: [(Bool) -> Void] = []
    private var askedForKeyAt: ContinuousClock.Instant?

    /// Called with each revocation received, to close its sessions.
    var onRevoked: ((DeviceRevoked) -> Void)?
    /// Called with the first reply.
    var onKnown: (() -> Void)?

    init(conversations: RequestClient, keys: KeyRing, limits: GatewayLimits, clock: WallClock, log: Logger) {
        self.conversations = conversations
        self.keys = keys
        self.clock = clock
        refresh = limits.keyRefresh
        pause = limits.keyPause
        self.log = log
        denyList = DenyList(lifetime: limits.tokenLifetime.microseconds)
    }

    func stop() {
        isStopped = true
        if let timer { Reactor.shared.cancel(timer) }
    }

    func revoke(_ revoked: DeviceRevoked) {
        denyList.add(revoked)
        onRevoked?(revoked)
    }

    /// Requests keys because one is not known. Anybody can send such a token, so all of a time share a request.
    /// - Parameter done: called with whether a reply came.
    func askForKey(_ done: @escaping (Bool) -> Void) {
        waitingForKey.append(done)
        guard waitingForKey.count == 1 else { return }
        let wait = askedForKeyAt.map { $0 + pause - .now } ?? .zero
        Reactor.shared.after(max(.zero, wait)) { [weak self] in
            guard let self else { return }
            let waiting = waitingForKey
            waitingForKey = []
            askedForKeyAt = .now
            ask { isAnswered in for done in waiting { done(isAnswered) } }
        }
    }

    /// Requests keys and revocations now, or again after the request in flight, so that the reply is never older than
    /// this call.
    /// - Parameter done: called with whether a reply came.
    func ask(_ done: ((Bool) -> Void)? = nil) {
        guard !isStopped else { return }
        guard !isAsking else {
            if let done { waitingForNext.append(done) }
            mustAskAgain = true
            return
        }
        if let done { waiting.append(done) }
        isAsking = true
        if let timer { Reactor.shared.cancel(timer) }
        conversations.ask(AuthorityMethods.keys, AuthorityRequest(), deadline: .seconds(2)) { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<AuthorityReply, Refusal>) {
        isAsking = false
        switch result {
        case .success(let reply):
            let checking = reply.keys.map { key in
                (key.id, AccessToken.CheckingKey(publicKey: key.ed25519, seal: key.seal))
            }
            keys.replace(by: Dictionary(checking) { first, _ in first })
            for revoked in reply.revoked { revoke(revoked) }
            denyList.prune(now: clock.now.rawValue)
            schedule(in: refresh)
            if !isKnown {
                isKnown = true
                onKnown?()
            }
        case .failure(let refusal):
            log.log(
                level: isKnown ? .warning : .debug, "cannot get the keys of access tokens from conversations",
                metadata: ["why": "\(refusal.code)"])
            schedule(in: isKnown ? min(refresh, .seconds(2)) : Self.retryDelay)
        }
        let waiting = self.waiting
        self.waiting = []
        let isAnswered = if case .success = result { true } else { false }
        for done in waiting { done(isAnswered) }
        askAgain(isAnswered)
    }

    private func askAgain(_ isAnswered: Bool) {
        guard mustAskAgain else { return }
        mustAskAgain = false
        let next = waitingForNext
        waitingForNext = []
        // Without a reply the timer repeats the request, and the waiting callers learn of the failure now.
        guard isAnswered else { return next.forEach { $0(false) } }
        waiting += next
        ask()
    }

    private func schedule(in delay: Duration) {
        guard !isStopped else { return }
        timer = Reactor.shared.after(delay) { [weak self] in self?.ask() }
    }
}

extension RequestClient {
    /// Sends one request to any replica on behalf of this process, without a task.
    func ask<Request, Reply>(
        _ method: Method<Request, Reply>, _ request: Request, deadline: Duration,
        _ done: @escaping @ReactorActor (Result<Reply, Refusal>) -> Void
    ) {
        send(Envelope(method: method.name), key: "", body: request.encode(), deadline: deadline) { result in
            done(result.flatMap(Self.read))
        }
    }

    private static func read<Reply: WireMessage>(_ body: [UInt8]) -> Result<Reply, Refusal> {
        do throws(DecodeFailure) {
            return .success(try Reply.decode(body))
        } catch {
            return .failure(.internal)
        }
    }
}
