import NIOCore
import NIOPosix
import SwiftProtobuf

/// A person's device at a Parley server: one session at a time, made anew whenever the connection ends.
///
/// It lives on the thread of its link: frames are handled where they arrive, in order. Requests may be made from
/// anywhere; they wait for a session until their deadline.
public actor ParleyClient {
    /// What may be set for a client.
    public struct Options: Sendable {
        /// Name and version of the app, for the server's logs.
        public var name: String
        /// Waits between attempts to connect.
        public var backoff: Backoff
        /// Of requests that name none, for each attempt.
        public var deadline: Duration
        /// For how long a request that names no deadline is repeated, with the same id, while the server refuses it for
        /// now or its outcome is not known. Zero: it is asked once.
        public var retriesFor: Duration
        /// How often a ping is sent.
        public var pingEvery: Duration
        /// A ping that is not answered within this ends the connection.
        public var pongWithin: Duration
        /// An ``ParleyClient/updates`` stream ends when its reader is this many behind.
        public var updatesHeldMax: Int
        /// Of the WebSocket.
        public var link: Link.Options

        /// The defaults: 10 s deadlines, no repeating, a ping every 20 s answered within 9 s, 10,000 Updates held.
        public init(
            name: String = "parley-swift", backoff: Backoff = Backoff(), deadline: Duration = .seconds(10),
            retriesFor: Duration = .zero, pingEvery: Duration = .seconds(20), pongWithin: Duration = .seconds(9),
            updatesHeldMax: Int = 10_000,
            link: Link.Options = Link.Options()
        ) {
            (self.name, self.backoff, self.deadline, self.retriesFor) = (name, backoff, deadline, retriesFor)
            (self.pingEvery, self.pongWithin) = (pingEvery, pongWithin)
            (self.updatesHeldMax, self.link) = (updatesHeldMax, link)
        }
    }

    /// Where a client stands.
    public enum State: Sendable {
        /// Not asked to connect.
        case idle
        /// On its way to a session; `attempt` counts from 0 since the last good one.
        case connecting(attempt: Int)
        /// In a session, or newly signed in. After each of these, sync: Updates may have been missed before it.
        case ready(Parley_V1_Welcome)
        /// It will not connect by itself any more: closed, or the server said so.
        case stopped(ParleyError)
    }

    /// One connection, from before its handshake.
    struct Session {
        let number: Int
        /// The attempt at it.
        let connecting: EventLoopPromise<Link>
        var link: Link?
        let welcome: EventLoopPromise<Parley_V1_Welcome>
        let closed: EventLoopPromise<LinkClosed>
        var isClosed = false
        var began = ContinuousClock.now
        var lastFrame = ContinuousClock.now
        var goodbye: ParleyError?
        var authenticated: [EventLoopPromise<Parley_V1_Authenticated>] = []
    }

    struct Pending {
        let session: Int
        let complete: (Result<ByteBuffer, ParleyError>) -> Void
        let late: Scheduled<Void>
        /// A late answer is still worth having.
        let isNoticed: Bool
    }

    public nonisolated let eventLoop: any EventLoop
    /// What was set.
    public nonisolated let options: Options
    let executor: any SerialExecutor
    let address: Result<LinkAddress, ParleyError>
    let store: (any CredentialStore)?

    /// Where the client stands.
    public private(set) var state = State.idle {
        didSet { for reader in stateReaders.values { reader.yield(state) } }
    }
    /// Why the last attempt to connect failed; nil after a good one. What a waiting app may tell its person.
    public private(set) var problem: ParleyError?
    /// What the server told of the current or the last session.
    public private(set) var welcome = Parley_V1_Welcome()
    /// The user id of whom this session is for; empty when nobody is signed in.
    public private(set) var user = ""
    /// What this device holds; nil when nobody is signed in, or a token was given to ``connect(token:)``.
    public internal(set) var credentials: Credentials?

    var token = ""
    var clock = ServerClock()
    var ids = UUIDv7.Generator()
    var session: Session?
    var lastSession = 0
    var lastRequest: UInt64 = 0
    var pending: [UInt64: Pending] = [:]
    var waiters: [UInt64: EventLoopPromise<Link>] = [:]
    var attempt = 0
    var supervisor: Task<Void, Never>?
    var refreshing: Task<Void, any Error>?
    var refreshTimer: Scheduled<Void>?
    var lastReader = 0
    var updateReaders: [Int: AsyncStream<Update>.Continuation] = [:]
    var stateReaders: [Int: AsyncStream<State>.Continuation] = [:]
    var observers: [any SessionObserver] = []
    var presence = PresenceWatch()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A client that is not connected yet.
    /// - Parameters:
    ///   - url: "wss://host:port", or "ws://host:port" without TLS.
    ///   - store: where credentials are kept; nil: in memory only.
    ///   - group: the threads to choose from.
    public init(
        url: String, options: Options = Options(), store: (any CredentialStore)? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        let eventLoop = group.next()
        self.eventLoop = eventLoop
        self.executor = eventLoop.executor
        self.options = options
        self.store = store
        do throws(ParleyError) {
            address = .success(try LinkAddress(url))
        } catch {
            address = .failure(error)
        }
    }

    // MARK: Connecting

    /// Connects once; from then on the client keeps itself connected (and in memory) until ``close()`` or the server's
    /// word.
    /// - Parameter token: an access token; nil: the stored credentials, if any, else a session that may only register
    ///   and sign in.
    /// - Throws: ``ParleyError`` when this first attempt fails; it may be repeated. When a later one fails because of
    ///   the server's certificate, the client goes on trying, and requests that wait for it are told so.
    @discardableResult
    public func connect(token: String? = nil) async throws(ParleyError) -> Parley_V1_Welcome {
        switch state {
        case .idle, .stopped: break
        case .ready(let welcome): return welcome
        case .connecting: throw ParleyError(code: "invalid", message: "This client is connecting already")
        }
        state = .connecting(attempt: 0)
        do {
            if let token {
                (credentials, self.token) = (nil, token)
            } else if credentials == nil, let store {
                credentials = try await store.load()
                self.token = credentials?.accessToken ?? ""
            }
            do {
                try await open(refreshFirst: false)
            } catch let ended as Ended where ended.reaction == .refresh && credentials != nil {
                try await open(refreshFirst: true)
            }
        } catch {
            let problem = (error as? Ended)?.problem ?? ParleyError(wrapping: error)
            self.problem = problem
            if case .connecting = state { state = .idle }
            throw problem
        }
        supervisor = Task { await self.supervise() }
        return welcome
    }

    /// Ends the session; requests under way fail with `closed`, and so does a ``connect(token:)``. When it returns the
    /// client asks nothing more of its event loop, which whoever owns it may shut down: unless its ``CredentialStore``
    /// or a lookup of names takes longer than 5 s.
    public func close() async {
        stop(.closed)
        guard let supervisor else { return }
        let ended = eventLoop.makePromise(of: Void.self)
        Task {
            await supervisor.value
            ended.succeed(())
        }
        let late = eventLoop.scheduleTask(in: .seconds(5)) { ended.succeed(()) }
        try? await ended.futureResult.get()
        late.cancel()
    }

    func stop(_ problem: ParleyError) {
        if case .stopped = state { return }
        state = .stopped(problem)
        supervisor?.cancel()
        refreshTimer?.cancel()
        presence.renewal?.cancel()
        session?.link?.close()
        session?.connecting.fail(problem)
        session?.welcome.fail(problem)
        session?.closed.succeed(LinkClosed(code: 1000, reason: "closed by this side"))
        failWaiters(problem)
        failPending(problem) { _ in true }
        for observer in observers { observer.stopped(problem) }
        for reader in updateReaders.values { reader.finish() }
        for reader in stateReaders.values { reader.finish() }
        (updateReaders, stateReaders, observers) = ([:], [:], [])
    }

    /// A connection that ended before its session was good.
    struct Ended: Error {
        var reaction: LinkClosed.Reaction
        var problem: ParleyError
    }

    /// Waits for the end of each session, and makes the next.
    func supervise() async {
        while let closed = try? await session?.closed.futureResult.get() {
            if case .stopped = state { return }
            let lived = ContinuousClock.now - (session?.began ?? .now)
            if lived > .seconds(5) { attempt = 0 }
            var reaction = closed.reaction
            var problem = session?.goodbye ?? .connectionLost("\(closed.code) \(closed.reason)")
            while true {
                switch reaction {
                case .never, .signInAgain: return stop(problem)
                case .atOnce where attempt == 0: break
                default: try? await Task.sleep(for: options.backoff.wait(attempt: attempt))
                }
                if case .stopped = state { return }
                attempt += 1
                state = .connecting(attempt: attempt)
                do {
                    try await open(refreshFirst: reaction == .refresh)
                    break
                } catch let error as Ended {
                    (reaction, problem) = (error.reaction, error.problem)
                } catch {
                    (reaction, problem) = (.wait, ParleyError(wrapping: error))
                }
                if case .stopped = state { return }
                self.problem = problem
                if problem.isOfCertificate { failWaiters(problem) }
            }
        }
    }

    /// Makes one connection and a session over it.
    private func open(refreshFirst: Bool) async throws {
        lastSession += 1
        let number = lastSession
        let closed = eventLoop.makePromise(of: LinkClosed.self)
        let welcomed = eventLoop.makePromise(of: Parley_V1_Welcome.self)
        let connecting = eventLoop.makePromise(of: Link.self)
        session = Session(number: number, connecting: connecting, welcome: welcomed, closed: closed)
        do {
            let connected = try Link.connect(
                to: address.get(), on: eventLoop, options: options.link, wanted: connecting.futureResult,
                onFrame: { [weak self] bytes in self?.assumeIsolated { $0.received(bytes, session: number) } },
                onClose: { [weak self] ending in
                    guard let self else { return closed.succeed(ending) }
                    self.assumeIsolated { $0.ended(ending, session: number) }
                }
            )
            connected.cascade(to: connecting)
            let link: Link
            do {
                link = try await connecting.futureResult.get()
            } catch {
                // Nothing of the attempt is left behind.
                if let late = try? await connected.get() { late.close() }
                throw error
            }
            if case .stopped(let problem) = state {
                link.close()
                throw problem
            }
            session?.link = link
            let mustRefresh = credentials.map { refreshFirst || $0.accessEndsUs < clock.now() + 15_000_000 } ?? false
            if refreshFirst, !mustRefresh { throw Ended(reaction: .never, problem: .unauthenticated) }
            try await greet(over: link, token: mustRefresh ? "" : token, number)
            if mustRefresh { try await refresh(over: link) }
            try begin(link)
        } catch {
            let current = session?.number == number ? session : nil
            if let link = current?.link {
                link.close()
            } else {
                closed.succeed(LinkClosed(code: 1006, reason: "\(error)"))
            }
            connecting.fail(error)
            welcomed.fail(error)
            throw error
        }
    }

    func greet(over link: Link, token: String, _ number: Int) async throws {
        var hello = Parley_V1_Hello()
        (hello.version, hello.token, hello.client) = (1, token, options.name)
        try link.send(Parley_V1_ClientFrame.with { $0.hello = hello })
        guard let promise = session?.welcome, session?.number == number else { throw ParleyError.notConnected }
        let late = eventLoop.scheduleTask(deadline: .now() + TimeAmount(options.link.connectTimeout)) {
            promise.fail(ParleyError.unavailable("The server did not welcome this session"))
        }
        defer { late.cancel() }
        welcome = try await promise.futureResult.get()
        user = welcome.user
    }

    /// Tells all who follow.
    func deliver(_ update: Update) {
        for observer in observers { observer.received(update) }
        for (number, reader) in updateReaders {
            if case .dropped = reader.yield(update) {
                reader.finish()
                updateReaders[number] = nil
            }
        }
    }

    /// The session is good: what waits may go.
    func begin(_ link: Link) throws {
        if case .stopped(let problem) = state { throw problem }
        guard let current = session, !current.isClosed else { throw ParleyError.connectionLost("at its beginning") }
        session?.began = .now
        problem = nil
        state = .ready(welcome)
        scheduleRefresh()
        schedulePing(session: current.number)
        for observer in observers { observer.sessionBegan(welcome) }
        let waiting = waiters
        waiters = [:]
        for promise in waiting.values { promise.succeed(link) }
        if !presence.users.isEmpty { Task { await renewWatch() } }
    }

    // MARK: Frames

    func received(_ bytes: ByteBuffer, session number: Int) {
        guard session?.number == number else { return }
        session?.lastFrame = .now
        let frame: IncomingFrame
        do {
            frame = try IncomingFrame(bytes)
        } catch {
            session?.link?.abort(code: 1007, reason: error.message)
            return
        }
        switch frame {
        case .welcome(let welcome):
            clock.set(welcome.serverTimeUs)
            session?.welcome.succeed(welcome)
        case .authenticated(let answer):
            let isSignedInNow = user.isEmpty
            welcome.sessionEndsUs = answer.sessionEndsUs
            (welcome.user, welcome.device, user) = (answer.user, answer.device, answer.user)
            if session?.authenticated.isEmpty == false {
                session?.authenticated.removeFirst().succeed(answer)
            }
            scheduleRefresh()
            if isSignedInNow, case .ready = state {
                state = .ready(welcome)
                for observer in observers { observer.sessionBegan(welcome) }
            }
        case .reply(let reply):
            guard let request = pending.removeValue(forKey: reply.id) else { return }
            request.late.cancel()
            request.complete(reply.error.map { .failure($0) } ?? .success(reply.body))
        case .update(let update) where update.kind == "PresenceRestarted": watchesWereLost()
        case .update(let update): deliver(update)
        case .pong(let pong): clock.set(pong.serverTimeUs)
        case .goodbye(let goodbye): session?.goodbye = ParleyError(goodbye.error)
        case .unknown: break
        }
    }

    func ended(_ closed: LinkClosed, session number: Int) {
        guard let current = session, current.number == number else { return }
        session?.isClosed = true
        refreshTimer?.cancel()
        let problem = current.goodbye ?? .connectionLost("\(closed.code) \(closed.reason)")
        if case .ready = state { state = .connecting(attempt: attempt) }
        current.welcome.fail(Ended(reaction: closed.reaction, problem: problem))
        for promise in current.authenticated { promise.fail(Ended(reaction: closed.reaction, problem: problem)) }
        session?.authenticated = []
        let lost = closed.code == 4003 ? ParleyError.revoked : .connectionLost("\(closed.code) \(closed.reason)")
        failPending(lost) { $0.session == number }
        current.closed.succeed(closed)
    }

    func schedulePing(session number: Int) {
        _ = eventLoop.scheduleTask(in: TimeAmount(options.pingEvery)) { [weak self] in
            self?.assumeIsolated { $0.ping(session: number) }
        }
    }

    func ping(session number: Int) {
        guard let current = session, current.number == number, !current.isClosed, let link = current.link else {
            return
        }
        let asked = ContinuousClock.now
        try? link.send(Parley_V1_ClientFrame.with { $0.ping.id = UInt64(clamping: clock.now()) })
        _ = eventLoop.scheduleTask(in: TimeAmount(options.pongWithin)) { [weak self] in
            self?.assumeIsolated { client in
                guard let current = client.session, current.number == number, current.lastFrame < asked else { return }
                link.abort(reason: "the server went silent")
            }
        }
        schedulePing(session: number)
    }

    // MARK: Ids and time

    /// An id for something new, by the server's time.
    public func newID() -> UUIDv7 {
        ids.next(at: clock.now())
    }

    /// The server's time, microseconds UTC.
    public var serverTimeUs: Int64 { clock.now() }
}

extension ParleyError {
    static let unauthenticated = ParleyError(code: "unauthenticated", message: "Nobody is signed in: sign in again")
}
