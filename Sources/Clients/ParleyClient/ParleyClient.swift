import NIOCore
import NIOPosix
import SwiftProtobuf

/// The connection of one device to a Parley server. It has one session at a time and opens a new one whenever the
/// connection ends.
///
/// The actor runs on the event loop of its connection and handles frames in order of arrival. Requests may be made from
/// any task; they wait for a session until their deadline.
public actor ParleyClient {
    /// Settings of a client.
    public struct Options: Sendable {
        /// The app's name and version, for the server's logs.
        public var name: String
        /// The IANA name of the person's time zone, in which the server understands what they write; empty: not known.
        /// ``ParleyClient/setTimeZone(_:)`` changes it later.
        public var timeZone: String
        /// The waits between attempts to connect and between attempts of a repeated request.
        public var backoff: Backoff
        /// The deadline of each attempt of a request that has none of its own.
        public var deadline: Duration
        /// How long a request without a deadline of its own is repeated, with the same id, while the server refuses it
        /// temporarily or its outcome is unknown. Zero: it is sent once.
        public var retriesFor: Duration
        /// The interval between pings.
        public var pingEvery: Duration
        /// The connection is dropped when nothing arrives within this time after a ping.
        public var pongWithin: Duration
        /// An ``ParleyClient/updates`` stream ends when its reader is more than this many Updates behind.
        public var updatesHeldMax: Int
        /// Settings of the WebSocket connection.
        public var link: Link.Options

        /// Creates options. By default deadlines are 10 s, requests are not repeated, a ping goes out every 20 s and
        /// must be answered within 9 s, and a stream holds 10,000 Updates.
        public init(
            name: String = "parley-swift", timeZone: String = "", backoff: Backoff = Backoff(),
            deadline: Duration = .seconds(10),
            retriesFor: Duration = .zero, pingEvery: Duration = .seconds(20), pongWithin: Duration = .seconds(9),
            updatesHeldMax: Int = 10_000,
            link: Link.Options = Link.Options()
        ) {
            (self.name, self.timeZone) = (name, timeZone)
            (self.backoff, self.deadline, self.retriesFor) = (backoff, deadline, retriesFor)
            (self.pingEvery, self.pongWithin) = (pingEvery, pongWithin)
            (self.updatesHeldMax, self.link) = (updatesHeldMax, link)
        }
    }

    /// The states of a client.
    public enum State: Sendable {
        /// Not connected: ``ParleyClient/connect(token:)`` was not called, or its first attempt failed.
        case idle
        /// Opening a session. `attempt` counts from 0 since the last session that lasted more than 5 s.
        case connecting(attempt: Int)
        /// A session was established, or was just signed in. Sync each time: Updates may have been missed before it.
        case ready(Parley_V1_Welcome)
        /// The client no longer reconnects, because it was closed or the server ended it for good.
        case stopped(ParleyError)
    }

    /// One connection and its session, from before the handshake.
    struct Session {
        let number: Int
        /// Succeeds when the connection is established.
        let connecting: EventLoopPromise<Link>
        var link: Link?
        let welcome: EventLoopPromise<Parley_V1_Welcome>
        let closed: EventLoopPromise<LinkClosed>
        var isClosed = false
        /// Whether the observers began with the welcome of the session before: hello was sent for the same person.
        var beganEarly = false
        /// Whether hello was sent.
        var isGreeted = false
        /// Whether the observers know of it.
        var hasBegun = false
        /// The Updates that came with the welcome, before the observers knew of the session.
        var early: [Update] = []
        var began = ContinuousClock.now
        var lastFrame = ContinuousClock.now
        var goodbye: ParleyError?
        var authenticated: [EventLoopPromise<Parley_V1_Authenticated>] = []
    }

    /// A request that waits for its reply.
    struct Pending {
        let session: Int
        let complete: (Result<ByteBuffer, ParleyError>) -> Void
        let late: Scheduled<Void>
        /// Whether a reply after the deadline is still passed on.
        let isNoticed: Bool
    }

    /// The event loop that this actor runs on.
    public nonisolated let eventLoop: any EventLoop
    /// The settings given when the client was created.
    public nonisolated let options: Options
    let executor: any SerialExecutor
    let address: Result<LinkAddress, ParleyError>
    let store: (any CredentialStore)?
    /// Answers requests in the place of a server.
    let answering: Answering?

    /// The current state.
    public private(set) var state = State.idle {
        didSet { for reader in stateReaders.values { reader.yield(state) } }
    }
    /// Why the last attempt to connect failed; nil after a success. An app may show it while it waits.
    public private(set) var problem: ParleyError?
    /// The Welcome of the current or last session, kept up to date when the session is signed in or extended.
    public private(set) var welcome = Parley_V1_Welcome()
    /// The user id that the session is signed in as; empty when nobody is.
    public private(set) var user = ""
    /// The credentials of this device; nil when nobody is signed in, or when ``connect(token:)`` was given a token.
    public internal(set) var credentials: Credentials?

    var token = ""
    var timeZone: String
    var clock = ServerClock()
    var ids = UUIDv7.Generator()
    var session: Session?
    var lastSession = 0
    var lastRequest: UInt64 = 0
    var pending: [UInt64: Pending] = [:]
    var waiters: [UInt64: EventLoopPromise<Link>] = [:]
    var sessions: SessionMachine
    var supervisor: Task<Void, Never>?
    var refreshing: Task<Void, any Error>?
    var refreshTimer: Scheduled<Void>?
    var lastReader = 0
    var updateReaders: [Int: AsyncStream<Update>.Continuation] = [:]
    var stateReaders: [Int: AsyncStream<State>.Continuation] = [:]
    var observers: [any SessionObserver] = []
    var presence = PresenceWatch()
    var activity = SessionActivity()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a client that is not connected yet. With an invalid URL, ``connect(token:)`` fails.
    /// - Parameters:
    ///   - url: "wss://host:port", or "ws://host:port" without TLS.
    ///   - store: keeps the credentials; nil: they are kept in memory only.
    ///   - group: the event loops to choose one from.
    public init(
        url: String, options: Options = Options(), store: (any CredentialStore)? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.init(url: url, options: options, store: store, group: group, answering: nil)
    }

    init(
        url: String, options: Options, store: (any CredentialStore)?, group: any EventLoopGroup, answering: Answering?
    ) {
        let eventLoop = group.next()
        self.eventLoop = eventLoop
        self.executor = eventLoop.executor
        self.options = options
        sessions = SessionMachine(backoff: options.backoff)
        timeZone = options.timeZone
        (self.store, self.answering) = (store, answering)
        do throws(ParleyError) {
            address = .success(try LinkAddress(url))
        } catch {
            address = .failure(error)
        }
    }

    // MARK: Connecting

    /// Connects and waits for a session. From then on the client reconnects automatically, and stays in memory, until
    /// ``close()`` is called or the server ends it for good.
    /// - Parameter token: an access token; nil: the stored credentials. Without either, the session may only register
    ///   and sign in.
    /// - Returns: the Welcome; if a session already exists, that of this session.
    /// - Throws: ``ParleyError`` when this first attempt fails; call again to retry. When a later attempt fails because
    ///   of the server's certificate, the client keeps trying, and requests that wait for a session fail with that
    ///   error.
    @discardableResult
    public func connect(token: String? = nil) async throws(ParleyError) -> Parley_V1_Welcome {
        switch state {
        case .idle, .stopped: break
        case .ready(let welcome): return welcome
        case .connecting: throw ParleyError(.invalid, "This client is already connecting.")
        }
        if answering != nil {
            state = .ready(welcome)
            return welcome
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

    /// Ends the session. Requests and a ``connect(token:)`` under way fail with `closed`. When this returns, the client
    /// no longer uses its event loop, and the loop's owner may shut it down. The exception is a call to the
    /// ``CredentialStore`` or a name lookup that takes longer than 5 s.
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
        session?.closed.succeed(LinkClosed(code: 1000, reason: "closed by the client"))
        failWaiters(problem)
        failPending(problem) { _ in true }
        for observer in observers { observer.stopped(problem) }
        for reader in updateReaders.values { reader.finish() }
        for reader in stateReaders.values { reader.finish() }
        (updateReaders, stateReaders, observers) = ([:], [:], [])
    }

    /// The error of a connection that ended before its session was ready.
    struct Ended: Error {
        var reaction: LinkClosed.Reaction
        var problem: ParleyError
    }

    /// Waits for the end of each session and opens the next one.
    func supervise() async {
        while let closed = try? await session?.closed.futureResult.get() {
            if case .stopped = state { return }
            let lived = ContinuousClock.now - (session?.began ?? .now)
            let problem = session?.goodbye ?? .connectionLost("\(closed.code) \(closed.reason)")
            var step = sessions.ended(closed.reaction, problem, after: lived)
            while true {
                let (wait, refreshFirst): (Duration, Bool)
                switch step {
                case .stop(let problem): return stop(problem)
                case .open(let after, let first): (wait, refreshFirst) = (after, first)
                }
                if wait > .zero { try? await Task.sleep(for: wait) }
                if case .stopped = state { return }
                state = .connecting(attempt: sessions.attempt)
                let failure: Ended
                do {
                    try await open(refreshFirst: refreshFirst)
                    break
                } catch let error as Ended {
                    failure = error
                } catch {
                    failure = Ended(reaction: .wait, problem: ParleyError(wrapping: error))
                }
                if case .stopped = state { return }
                self.problem = failure.problem
                if failure.problem.isOfCertificate { failWaiters(failure.problem) }
                step = sessions.failed(failure.reaction, failure.problem)
            }
        }
    }

    /// Opens one connection and a session over it.
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
                    self?.assumeIsolated { $0.ended(ending, session: number) }
                    // Where a later session has taken its place, nobody else says so.
                    closed.succeed(ending)
                }
            )
            connected.cascade(to: connecting)
            let link: Link
            do {
                link = try await connecting.futureResult.get()
            } catch {
                // A connection that is established after the attempt failed is closed.
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
        (hello.version, hello.token, hello.client, hello.timeZone) = (1, token, options.name, timeZone)
        hello.activity = activity.first(at: .now)
        try link.send(Parley_V1_ClientFrame.with { $0.hello = hello })
        if session?.number == number { session?.isGreeted = true }
        guard let promise = session?.welcome, session?.number == number else { throw ParleyError.notConnected }
        if !token.isEmpty, !welcome.user.isEmpty {
            // Saves a round trip: what they request now is answered right after the welcome.
            session?.beganEarly = true
            for observer in observers { observer.sessionBegan(welcome) }
        }
        let expected = welcome
        let late = eventLoop.scheduleTask(deadline: .now() + TimeAmount(options.link.connectTimeout)) {
            promise.fail(ParleyError.unavailable("The server did not send a Welcome in time."))
        }
        defer { late.cancel() }
        welcome = try await promise.futureResult.get()
        user = welcome.user
        if (welcome.user, welcome.cells) != (expected.user, expected.cells) { session?.beganEarly = false }
    }

    /// Passes an Update to the observers and the ``updates`` streams, and ends the streams that are too far behind.
    func deliver(_ update: Update) {
        for observer in observers { observer.received(update) }
        for (number, reader) in updateReaders {
            if case .dropped = reader.yield(update) {
                reader.finish()
                updateReaders[number] = nil
            }
        }
    }

    /// Marks the session as ready and lets waiting requests continue.
    func begin(_ link: Link) throws {
        if case .stopped(let problem) = state { throw problem }
        guard let current = session, !current.isClosed else {
            throw ParleyError.connectionLost("it closed while the session began")
        }
        session?.began = .now
        problem = nil
        state = .ready(welcome)
        scheduleRefresh()
        schedulePing(session: current.number)
        if !current.beganEarly { for observer in observers { observer.sessionBegan(welcome) } }
        session?.hasBegun = true
        for update in current.early { deliver(update) }
        session?.early = []
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
        case .update(let update):
            if session?.hasBegun ?? false { deliver(update) } else { session?.early.append(update) }
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
        if case .ready = state { state = .connecting(attempt: sessions.attempt) }
        current.welcome.fail(Ended(reaction: closed.reaction, problem: problem))
        for promise in current.authenticated { promise.fail(Ended(reaction: closed.reaction, problem: problem)) }
        session?.authenticated = []
        // They know of it before their requests fail, and make no others that would wait for the next session.
        for observer in observers { observer.sessionEnded() }
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
        let sentAt = ContinuousClock.now
        try? link.send(Parley_V1_ClientFrame.with { $0.ping.id = UInt64(clamping: clock.now()) })
        _ = eventLoop.scheduleTask(in: TimeAmount(options.pongWithin)) { [weak self] in
            self?.assumeIsolated { client in
                guard let current = client.session, current.number == number, current.lastFrame < sentAt else { return }
                link.abort(reason: "the server went silent")
            }
        }
        schedulePing(session: number)
    }

    // MARK: Ids and time

    /// Returns a new id, made with the server's time. Ids of one client ascend.
    public func newID() -> UUIDv7 {
        ids.next(at: clock.now())
    }

    /// The server's time in microseconds UTC, taken from the last Welcome or Pong and kept up to date with this
    /// machine's monotonic clock.
    public var serverTimeUs: Int64 { clock.now() }
}

extension ParleyError {
    static let unauthenticated = ParleyError(.unauthenticated, "Nobody is signed in. Sign in again.")
}
