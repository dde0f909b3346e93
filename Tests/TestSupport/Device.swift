import Foundation
import ParleyClient

/// A signed-in device of a person in a test. It records every Update and closes when it is deallocated.
public final class Device: Sendable {
    public let client: ParleyClient
    public let username: String
    public let password: String
    public let user: String
    public let updates: Updates

    init(_ client: ParleyClient, username: String, password: String) async {
        (self.client, self.username, self.password) = (client, username, password)
        user = await client.user
        updates = Updates(await client.updates)
    }

    deinit {
        Task { [client] in await client.close() }
    }

    public static let password = "correct horse battery"
}

extension TestCluster {
    /// Creates a client for tests: it reconnects quickly, keeps all Updates and repeats requests as apps do.
    /// - Parameter once: whether to send each request once, for tests of limits and of errors while a service is down.
    /// - Parameter timeZone: of the person; empty: not known.
    public nonisolated func newClient(
        _ gateway: Int = 0, once: Bool = false, timeZone: String = ""
    ) -> ParleyClient {
        ParleyClient(
            url: url(gateway),
            options: .init(
                name: "tests", timeZone: timeZone, backoff: Backoff(first: .milliseconds(20), last: .milliseconds(500)),
                retriesFor: once || !repeats ? .zero : .seconds(60) * patience, updatesHeldMax: 1_000_000,
                link: .init(connectTimeout: .seconds(30))))
    }

    /// Returns a client that is connected and not signed in.
    /// - Parameter isInForeground: whether the app is in front of the person.
    public nonisolated func stranger(
        _ gateway: Int = 0, once: Bool = false, isInForeground: Bool = true
    ) async throws -> ParleyClient {
        let client = newClient(gateway, once: once)
        if !isInForeground { await client.setActivity(isInForeground: false) }
        try await client.connect()
        return client
    }

    /// Registers a new person with their first device.
    /// - Parameter isInForeground: whether the app is in front of the person.
    public nonisolated func person(
        _ name: String = "p", gateway: Int = 0, isInForeground: Bool = true
    ) async throws -> Device {
        let client = try await stranger(gateway, isInForeground: isInForeground)
        let username = name + String(UInt64.random(in: .min ... .max), radix: 36)
        try await client.register(username: username, password: Device.password, displayName: name)
        return await Device(client, username: username, password: Device.password)
    }

    /// Makes people known to one person, so that they can be added to that person's groups without an invitation.
    public nonisolated func acquaint(_ person: Device, _ others: [Device]) async throws {
        for other in others {
            _ = try await other.client.startDirect(with: person.user)
            _ = try await person.client.startDirect(with: other.user)
        }
    }

    public nonisolated func people(_ count: Int, gateway: @Sendable (Int) -> Int = { _ in 0 }) async throws -> [Device]
    {
        var people: [Device] = []
        for number in 0..<count { people.append(try await person("p\(number)x", gateway: gateway(number))) }
        return people
    }

    /// Signs a person in on another device.
    public nonisolated func device(
        of person: Device, gateway: Int = 0, isInForeground: Bool = true
    ) async throws -> Device {
        let client = try await stranger(gateway, isInForeground: isInForeground)
        try await client.signIn(username: person.username, password: person.password)
        return await Device(client, username: person.username, password: person.password)
    }

    /// Opens another session of the same device.
    public nonisolated func session(of device: Device, gateway: Int = 0, once: Bool = false) async throws -> Device {
        let client = newClient(gateway, once: once)
        try await client.connect(token: await device.client.credentials?.accessToken)
        return await Device(client, username: device.username, password: device.password)
    }
}

/// The Updates of a device, in order of arrival. Since those of two replicas may arrive in either order, a state of an
/// entity that came after a newer one of the same entity stands before that.
public actor Updates {
    public private(set) var messages: [Parley_V1_Message] = []
    public private(set) var conversations: [Parley_V1_Conversation] = []
    public private(set) var reminders: [Parley_V1_Reminder] = []
    public private(set) var decisions: [Parley_V1_Decision] = []
    /// Events as they came, and as they became by the counts that came for them.
    public private(set) var events: [Parley_V1_Event] = []
    public private(set) var eventCounts: [Parley_V1_EventCounts] = []
    /// How many Updates brought a whole event.
    public private(set) var wholeEvents = 0
    public private(set) var suggestions: [Parley_V1_Suggestion] = []
    public private(set) var presence: [Parley_V1_PresenceState] = []
    public private(set) var ownPresence: [Parley_V1_OwnPresence] = []
    public private(set) var pushSettings: [Parley_V1_PushSettings] = []
    public private(set) var requestCounts: [Parley_V1_RequestCount] = []
    public private(set) var profiles: [Parley_V1_Profile] = []
    /// States of the kinds without a list here.
    private var others: [Update.Content] = []
    public private(set) var reactions: [Parley_V1_Reactions] = []
    public private(set) var receipts: [Parley_V1_Receipt] = []
    public private(set) var readCounts: [Parley_V1_ReadCount] = []
    public private(set) var inboxStates: [Parley_V1_InboxState] = []
    public private(set) var messageStates: [Parley_V1_MessageState] = []
    /// The positions by stream.
    public private(set) var positions: [String: [Int64]] = [:]
    public private(set) var unreadable = 0

    init(_ stream: AsyncStream<Update>) {
        Task { [weak self] in
            for await update in stream { await self?.note(update) }
        }
    }

    public var blocks: [Parley_V1_Block] {
        others.compactMap { if case .block(let block) = $0 { block } else { nil } }
    }

    public var typing: [Parley_V1_Typing] {
        others.compactMap { if case .typing(let state) = $0 { state } else { nil } }
    }

    private func note(_ update: Update) {
        positions[update.stream, default: []].append(update.position)
        switch try? update.content() {
        case .message(let message): messages.append(message)
        case .reactions(let change): reactions.append(change)
        case .receipt(let receipt): receipts.append(receipt)
        case .readCount(let count): readCounts.append(count)
        case .inboxState(let state): inboxStates.append(state)
        case .messageState(let change): messageStates.append(change)
        case .conversation(let conversation): conversations.append(conversation)
        case .reminder(let new): Self.add(new, to: &reminders) { $0.id == new.id && $0.position > new.position }
        case .decision(let decision): decisions.append(decision)
        case .event(let event): note(event)
        case .eventCounts(let counts): note(counts)
        case .suggestion(let new): Self.add(new, to: &suggestions) { $0.id == new.id && $0.position > new.position }
        case .presenceState(let state): presence.append(state)
        case .ownPresence(let state): ownPresence.append(state)
        case .pushSettings(let state): pushSettings.append(state)
        case .requestCount(let count): requestCounts.append(count)
        case .profile(let profile): profiles.append(profile)
        case .other, nil: unreadable += 1
        case let other?: others.append(other)
        }
    }

    private static func add<State>(_ state: State, to states: inout [State], before isNewer: (State) -> Bool) {
        states.insert(state, at: states.firstIndex(where: isNewer) ?? states.endIndex)
    }

    private func note(_ event: Parley_V1_Event) {
        wholeEvents += 1
        // Who has not answered has no position.
        Self.add(event, to: &events) { $0.id == event.id && event.position > 0 && $0.position > event.position }
        let latest = eventCounts.filter { $0.id == event.id }.max { $0.position < $1.position }
        if let latest, latest.position > event.position, event.deletedAtUs == 0 { merge(latest, into: event) }
    }

    private func note(_ counts: Parley_V1_EventCounts) {
        eventCounts.append(counts)
        let known = events.filter { $0.id == counts.id }.max { $0.position < $1.position }
        if let known, known.position < counts.position, known.deletedAtUs == 0 { merge(counts, into: known) }
    }

    private func merge(_ counts: Parley_V1_EventCounts, into event: Parley_V1_Event) {
        var event = event
        event.take(counts)
        events.append(event)
    }

    /// Returns the newest state of a conversation. Updates of two replicas may arrive in either order.
    public func newest(of conversation: String) -> Parley_V1_Conversation? {
        conversations.filter { $0.id == conversation }.max { $0.position < $1.position }
    }

    /// The newest number of message requests.
    public var newestRequestCount: Parley_V1_RequestCount? {
        requestCounts.max { $0.position < $1.position }
    }

    public func messages(of conversation: String) -> [Parley_V1_Message] {
        messages.filter { $0.conversation == conversation }
    }
}

/// The conversations of a device as the SDK's feed delivers them: each message once, in order of seq.
public actor Follower {
    public private(set) var messages: [String: [Parley_V1_Message]] = [:]
    private let feed: ConversationFeed

    public init(_ client: ParleyClient) async {
        feed = ConversationFeed(of: client)
        let items = feed.items
        Task { [weak self] in
            for await item in items { await self?.note(item) }
        }
        await feed.start()
    }

    deinit {
        Task { [feed] in await feed.stop() }
    }

    public var problem: ParleyError? {
        get async { await feed.problem }
    }

    private func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message): messages[message.conversation, default: []].append(message)
        case .startedOver(let conversation): messages[conversation] = nil
        case .conversation(let conversation) where conversation.section == .gone: messages[conversation.id] = nil
        case .changed, .reactions, .conversation, .inbox, .inboxState, .messageState, .receipt, .readCount, .typing:
            break
        }
    }
}

extension ParleyClient {
    /// Returns all messages of a conversation, read page by page.
    public func wholeHistory(of conversation: String) async throws -> [Parley_V1_Message] {
        var all: [Parley_V1_Message] = []
        while true {
            let page = try await history(of: conversation, .after(all.last?.seq ?? 0), limit: 200)
            all += page.messages
            guard page.moreAfter, !page.messages.isEmpty else { return all }
        }
    }

    /// Why this client stopped; nil while it runs.
    public var endedBy: ParleyError? {
        if case .stopped(let problem) = state { problem } else { nil }
    }

    public var isReady: Bool {
        if case .ready = state { true } else { false }
    }
}

/// Returns the error of a request that is expected to fail.
/// - Throws: ``NeverHappened`` when it succeeds.
public func refusal<T>(_ body: () async throws(ParleyError) -> T) async throws -> ParleyError {
    do {
        _ = try await body()
    } catch {
        return error
    }
    throw NeverHappened(description: "a refusal")
}

extension Parley_V1_InboxState {
    /// The state without the time at which its messages were counted, which differs each time.
    public var untimed: Parley_V1_InboxState {
        var state = self
        state.countedAtUs = 0
        return state
    }
}
