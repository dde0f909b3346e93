import Foundation
import Observation
import ParleyClient

/// A person's chats on this device. It opens with what is stored, without waiting for the network, and keeps it equal
/// to what the server has. All that it shows is observed: SwiftUI views that read it change by themselves.
///
///     let parley = await Parley.open("wss://chat.example.com")
///     if parley.user == nil {
///         try await parley.signIn(username: "alice", password: password)
///     }
@MainActor
@Observable
public final class Parley {
    /// Whether the server can be reached.
    ///
    ///     switch parley.connection {
    ///     case .online, .elsewhere: show("")
    ///     case .connecting: show("Connecting …")
    ///     case .offline(let since): show("Offline since \(since)")
    ///     }
    public enum Connection: Hashable, Sendable {
        case connecting
        case online
        /// There is no connection since then. It is tried again and again.
        case offline(since: Date)
        /// Another process of the app has the connection. What it receives is shown within a second.
        case elsewhere
    }

    /// How many message requests and invitations there are.
    ///
    ///     if parley.requestCount.unread > 0 { show("\(parley.requestCount.unread) new requests") }
    public struct RequestCount: Hashable, Sendable, Codable {
        public var total = 0
        public var unread = 0

        /// Creates counts.
        public init(total: Int = 0, unread: Int = 0) { (self.total, self.unread) = (total, unread) }
    }

    /// Whether the server can be reached.
    public private(set) var connection = Connection.connecting {
        didSet { if connection != oldValue { account?.connectionChanged() } }
    }
    /// Why the last attempt to connect failed; nil after a success. If the server signed this device out, the reason,
    /// until somebody signs in.
    public internal(set) var problem: Refusal?
    /// Why the server signed this device out; nil: it did not.
    var ending: Refusal?
    var isSigningIn = false
    /// Tells the server of a sign-out that happened without a connection.
    @ObservationIgnored var farewell: Task<Void, Never>?
    /// Why the device's storage cannot be used: what arrives is not kept, or what is kept cannot be shown. Nil: it can.
    public internal(set) var storageProblem: Refusal?
    /// The person who is signed in; nil: nobody.
    public internal(set) var user: UserID?
    /// Whether somebody is signed in here.
    public var accountState: AccountState {
        if isSigningIn { return .signingIn }
        if let ending { return .ended(ending) }
        return user == nil ? .signedOut : .signedIn
    }
    /// My profile; nil until it is known.
    public internal(set) var profile: Profile?
    /// My conversations, apart from those that are archived.
    public let inbox = ConversationList(.inbox)
    /// Message requests to me, and invitations into groups.
    public let requests = ConversationList(.requests)
    /// My archived conversations. It is empty until ``ConversationList/loadMore()``.
    public let archived = ConversationList(.inbox, isArchived: true)
    public internal(set) var requestCount = RequestCount()
    /// My reminders, the next one first.
    public internal(set) var reminders: [Reminder] = []
    /// The decisions that I recorded, the newest first.
    public internal(set) var decisions: [Decision] = []
    /// The events that I created, host or answered, in order of their beginnings.
    public internal(set) var events: [Event] = []
    /// What messages suggest to me, the newest first. ``accept(_:title:)`` makes an event, a reminder or a decision of
    /// one.
    public internal(set) var suggestions: [Suggestion] = []
    /// The people whom I block.
    public internal(set) var blocked: [User] = []
    /// Who is online, of the people of ``watchPresence(of:)``.
    public internal(set) var presence: [UserID: Presence] = [:]
    /// What I say of myself on all my devices; nil until it is known.
    public internal(set) var ownPresence: OwnPresence?
    /// The version of ``ownPresence``.
    @ObservationIgnored var ownPresenceVersion: Int64 = 0
    /// Of what I am told by pushes; nil until ``readPushSettings()``.
    public internal(set) var pushSettings: PushSettings?
    /// Whether what is shown has not been confirmed by the server since the app started.
    public internal(set) var isFromCache = true

    /// What happens in all conversations from now on. Each use returns a new, independent stream; one whose reader is
    /// more than 10,000 changes behind ends.
    public var changes: AsyncStream<ConversationChange> { conversations.changes }

    package let conversations = ConversationStore()
    @ObservationIgnored let options: Options
    @ObservationIgnored let server: String
    @ObservationIgnored var account: Account?
    @ObservationIgnored var client: ParleyClient?
    /// Whether the app is in the background, as ``suspend()`` and ``resume()`` last said.
    @ObservationIgnored private var isSuspended = false
    /// What I do in the app, which each new client is told.
    @ObservationIgnored var activity: (isInForeground: Bool, conversation: ConversationID?)?
    /// Whose presence the app wants to know, and the client that was asked for it.
    @ObservationIgnored var watched: (people: [UserID], by: ParleyClient?) = ([], nil)
    @ObservationIgnored var connecting: Task<Void, Never>?
    @ObservationIgnored var firstAttempt: Task<Void, Never>?
    /// What ends a sign-in that others ended. Whoever signs in meanwhile waits for it.
    @ObservationIgnored var leaving: Task<Void, Never>?
    @ObservationIgnored private var watching: Task<Void, Never>?
    @ObservationIgnored private var expiring: Task<Void, Never>?
    @ObservationIgnored private(set) lazy var directory = makeDirectory()
    @ObservationIgnored var loads: [ConversationID: Task<Refusal?, Never>] = [:]
    @ObservationIgnored var drafts: [ConversationID: String] = [:]
    @ObservationIgnored var draftWriter: Task<Void, Never>?
    /// Shows what has no order: the profile, reminders, decisions, events, suggestions.
    @ObservationIgnored var reloading: Task<Void, Never>?
    @ObservationIgnored private(set) var isClosed = false
    /// What is shown of each kind of states without an order.
    @ObservationIgnored let shownStates: [StateKind: any ShownStates]
    /// What I did and the server does not have yet.
    @ObservationIgnored private(set) lazy var outbox = Outbox(self)
    /// What is there instead of a server: ``ParleyDouble``.
    struct StandIn {
        let client: ParleyClient
        /// Called in the place of syncing.
        let follow: @MainActor () async -> Void
    }

    @ObservationIgnored var standIn: StandIn?
    /// Called when I begin, go on or stop writing.
    @ObservationIgnored var onComposing: ((_ isTyping: Bool, ConversationID) -> Void)?
    @ObservationIgnored private(set) lazy var composingSignals = newComposingSignals()
    /// Grows with each change of ``outbox``.
    var unsentVersion = 0
    @ObservationIgnored let delivered = DeliveredMarks()
    @ObservationIgnored let cards = EntityCards()
    @ObservationIgnored let overviews = MentionsAndStarsLists()
    /// Nil: no app asked for it.
    @ObservationIgnored var badgeCounter: BadgeCounter?
    @ObservationIgnored var storageProblems: [StoragePart: Refusal] = [:]
    @ObservationIgnored var following: Task<Void, Never>?

    init(_ server: String, _ options: Options) {
        (self.server, self.options) = (server, options)
        shownStates = .init(uniqueKeysWithValues: StateKind.allCases.map { ($0, $0.shown) })
        conversations.reader = self
        conversations.outbox = outbox
        for list in lists {
            list.loadPage = { [weak self, unowned list] in await self?.loadPage(of: list, after: $0) }
        }
    }

    /// Opens what is stored of the person who signed in last, then connects in the background. It does not wait for the
    /// network, and it never fails: ``storageProblem`` says what could not be opened.
    /// - Parameter server: "wss://host:port", or "ws://host:port" without TLS.
    public static func open(_ server: String, options: Options = Options()) async -> Parley {
        let parley = Parley(server, options)
        do {
            let known = try await parley.credentials.loadAny()
            if let known, known.signOut != nil {
                // The app may have ended before all was removed.
                try parley.removeFile(of: UserID(rawValue: known.user))
                parley.sayGoodbye(known)
            } else if let known {
                await parley.open(UserID(rawValue: known.user))
            }
        } catch {
            parley.problem = Refusal(ofCredentials: error)
        }
        if parley.account?.isLeading ?? true { parley.connect() } else { parley.watch() }
        parley.expire()
        return parley
    }

    /// Stores what is on its way and ends the connection. The objects stay as they are and change no more.
    public func close() async {
        isClosed = true
        outbox.close()
        delivered.stop()
        for task in [connecting, firstAttempt, watching, expiring, following, farewell] { task?.cancel() }
        await client?.close()
        await draftWriter?.value
        await account?.close()
        (account, client) = (nil, nil)
    }

    // MARK: Hints

    /// Ends the connection for now, and lets an extension take over: call it when the app goes to the background. Once
    /// it returns, nothing is written on its own and no lock is held. What is done meanwhile is stored.
    public func suspend() async {
        isSuspended = true
        watching?.cancel()
        await disconnect()
        await draftWriter?.value
        await noteSeen()
        if isSuspended, !isClosed { account?.letGo() }
    }

    /// Stores what is on its way, and notes that all in the store is shown.
    private func noteSeen() async {
        guard let account, account.isShared, account.isLeading else { return }
        await account.committer?.flush()
        if let version = await read({ try $0.changed(since: .max).version }) { account.seenVersion = version }
    }

    private func disconnect() async {
        guard !isClosed, let old = client else { return }
        for task in [connecting, firstAttempt, following] { task?.cancel() }
        client = nil
        outbox.pauseUploads()
        set(.offline(since: .now))
        await account?.stopFollowing()
        await old.close()
    }

    /// Connects again after ``suspend()``: call it when the app comes to the foreground.
    public func resume() {
        isSuspended = false
        account?.mayLead = true
        // Another process may have gone on.
        if account?.isShared ?? false, client == nil, !isClosed { watch() } else { reconnect() }
    }

    /// Connects, unless there is a client, or the app does not want one now.
    func reconnect() {
        guard !isClosed, !isSuspended, client == nil, account?.isLeading ?? true else { return }
        connection = .connecting
        connect()
    }

    /// Connects again at once, without the waits between attempts: call it when the system says that the network has
    /// changed.
    public func networkChanged() async {
        guard client != nil else { return }
        await disconnect()
        reconnect()
    }

    // MARK: Reading

    /// Returns a conversation, always the same object for the same id, and begins to load its newest messages.
    public func conversation(_ id: ConversationID) -> Conversation {
        let conversation = conversations.conversation(id)
        conversation.reader = self
        if conversation.isLoaded {
            account?.lookAgain(at: id)
        } else if account != nil, loads[id] == nil {
            Task { await load(id) }
        }
        return conversation
    }

    /// Returns the direct conversation with a person, whether it exists already or not.
    public func conversation(with other: UserID) -> Conversation? {
        user.map { conversation(.direct($0, other)) }
    }

    func ask<Answer: Sendable>(
        _ request: @Sendable (ParleyClient) async throws(ParleyError) -> Answer
    ) async throws(Refusal) -> Answer {
        guard let client else { throw isClosed ? .wasClosed : .offline }
        do {
            return try await request(client)
        } catch {
            throw Refusal(error)
        }
    }

    // MARK: Opening

    /// Opens what is stored of a person and shows the first screen.
    func open(_ me: UserID) async {
        guard account?.me != me else { return }
        if account != nil { await closeAccount() }
        let folder: URL? = if case .folder(let folder) = options.storage { folder } else { nil }
        let account = await Account.open(me, in: folder, downloads: options.downloadFolder)
        account.clock.withLockedValue { $0 = ServerClock(skew: options.clockSkew) }
        await show(account)
    }

    /// Shows the first screen of an account.
    func show(_ account: Account) async {
        self.account = account
        (user, conversations.me) = (account.me, account.me)
        badgeCounter?.begin()
        showStorageProblem()
        account.commit(
            messagesMax: options.messagesKept, shown: { [weak self] in self?.take($0) },
            failed: { [weak self] in self?.note($0?.refusal, of: .writing) })
        for list in [inbox, requests] { await loadPage(of: list, after: nil) }
        for kind in StateKind.allCases { await reload(kind) }
        await outbox.reload()
        let (bytesMax, unsent) = (options.fileBytesKept, Set(outbox.entries.compactMap(\.item.file)))
        Task {
            await account.files.bound(to: bytesMax)
            if account.isLeading { await account.unsentFiles.removeOthers(than: unsent) }
        }
    }

    // MARK: Connecting

    func connect() {
        let client = standIn?.client ?? ParleyClient(url: server, options: clientOptions, store: credentials)
        self.client = client
        connecting?.cancel()
        let attempt = Task { await self.attempt(client) }
        firstAttempt = attempt
        connecting = Task { [weak self] in
            await self?.follow()
            await attempt.value
            await self?.stayConnected(client)
        }
    }

    /// Where the sign-in is kept.
    var credentials: ServerCredentials {
        ServerCredentials(store: options.credentials, server: server, formerServers: options.formerServers)
    }

    var clientOptions: ParleyClient.Options {
        var options = options.client
        options.name = self.options.name
        return options
    }

    func follow() async {
        guard let account, let client else { return }
        if let standIn { return await standIn.follow() }
        do throws(StoreProblem) {
            try await account.follow(client)
            note(nil, of: .reading)
            outbox.drain()
        } catch {
            // Without what is stored, everything would be read from the server anew.
            note(error.refusal, of: .reading)
            following = Task { [weak self] in
                try? await Task.sleep(for: .seconds(1))
                if !Task.isCancelled, account === self?.account { await self?.follow() }
            }
        }
    }

    private func attempt(_ client: ParleyClient) async {
        if let activity {
            await client.setActivity(
                isInForeground: activity.isInForeground, conversation: activity.conversation?.rawValue)
        }
        do {
            try await client.connect()
            guard client === self.client else { return }
            problem = ending
            set(.online)
        } catch {
            guard client === self.client else { return }
            let refusal = Refusal(error)
            if Self.endsSession.contains(refusal.code) {
                await end(because: refusal)
            } else {
                failed(refusal)
            }
        }
    }

    func set(_ connection: Connection) {
        self.connection = connection
        guard connection == .online else { return }
        outbox.hurry()
        directory.begin()
        delivered.tell(self)
        cards.readMissing(in: self)
        overviews.refresh()
        Task { await readOwnPresence() }
        if pushSettings != nil { Task { await readPushSettingsAgain() } }
        if !watched.people.isEmpty, watched.by !== client { Task { await watchAgain() } }
    }

    private func failed(_ refusal: Refusal) {
        problem = refusal
        if case .offline = connection { return }
        connection = .offline(since: .now)
    }

    /// Connects until it succeeds, then notes what becomes of the connection.
    private func stayConnected(_ client: ParleyClient) async {
        var attempts = 0
        while client === self.client, problem != nil, case .idle = await client.state {
            try? await Task.sleep(for: clientOptions.backoff.wait(attempt: attempts))
            if Task.isCancelled { return }
            attempts += 1
            await attempt(client)
        }
        for await state in await client.states {
            if Task.isCancelled || client !== self.client { return }
            switch state {
            case .ready:
                problem = ending
                set(.online)
            case .connecting(let attempt) where attempt <= 1: connection = .connecting
            case .idle, .connecting: failed(await client.problem.map(Refusal.init) ?? .offline)
            case .stopped(let error):
                let refusal = Refusal(error)
                if Self.endsSession.contains(refusal.code) { return await end(because: refusal) }
                failed(refusal)
            }
        }
    }

    /// Codes after which this device has to sign in again.
    private static let endsSession: Set<Refusal.Code> = [.unauthenticated, .revoked, .refreshRefused]

    /// Goes on without a sign-in: what is stored stays, and the person can sign in again.
    func end(because why: Refusal) async {
        let leaving = Task { await leave(because: why) }
        self.leaving = leaving
        await leaving.value
    }

    private func leave(because why: Refusal) async {
        guard !isClosed else { return }
        do {
            try await credentials.save(nil)
            note(nil, of: .credentials)
        } catch {
            note(Refusal(ofCredentials: error), of: .credentials)
        }
        ending = why
        await account?.stopFollowing()
        let old = client
        await old?.close()
        if why.code == .revoked, !options.keepsEndedAccounts, let account {
            await closeAccount()
            removeWhatEnded(account.me)
        }
        // The app may have gone to the background meanwhile, or come back.
        if !isClosed, client === old {
            client = nil
            reconnect()
        }
        (problem, connection) = (why, isSuspended ? .offline(since: .now) : .connecting)
    }

    /// Removes messages when they disappear, on screen and in the store.
    private func expire() {
        expiring = Task { [weak self] in
            var (seconds, removal) = (0, 0)
            while !Task.isCancelled {
                guard let self else { return }
                if let account, !isSuspended {
                    let now = account.now
                    conversations.expire(at: Date(microseconds: now))
                    for states in shownStates.values { states.hideEnded(at: Date(microseconds: now), in: self) }
                    // In the store they are not shown any more. A wrong clock must not remove what others still read.
                    if seconds >= removal, account.wasAhead != nil, account.isLeading {
                        removal = seconds + 60
                        await write { try $0.removeExpired(at: now) }
                    }
                    writeDrafts()
                    // Another process may have done something. Only this one sends it.
                    if account.isShared, account.isLeading { await outbox.reload() }
                }
                seconds += 1
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    // MARK: Another process

    /// Shows what another process stores, until this one has the lock.
    func watch() {
        if let account, !account.isLeading { connection = .elsewhere }
        watching?.cancel()
        watching = Task { [weak self] in
            while !Task.isCancelled {
                guard let self, let account else { return }
                let leads = account.isLeading
                await showChanges(of: account)
                if leads { return reconnect() }
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}
