import Logging
import Reactor
import Schema
import ServiceKit
import Wire

/// Who has the app in the foreground, as one replica of presence tells it (LINKS.md, "Followers"). Pure.
struct ForegroundPicture {
    /// Changes that wait for the list; beyond these, everything is asked again.
    static let keptMax = 10_000

    enum Step: Equatable {
        case nothing
        /// Ask for the list from its beginning.
        case ask
        /// Ask for its next page.
        case askAfter(Int64)
    }

    private(set) var people: Set<AccountNumber> = []
    private(set) var isWhole = false
    private var epoch = ""
    private var position: Int64 = 0
    /// The pages so far, while they are read.
    private var pages: (epoch: String, position: Int64, people: Set<AccountNumber>)?
    private var kept: [(position: Int64, change: ForegroundChange)] = []
    /// Who left since this was last asked.
    private var left: Set<AccountNumber> = []

    /// Nothing is known any more.
    mutating func forget() {
        let left = left
        self = ForegroundPicture()
        self.left = left
    }

    /// Takes a page of the list.
    mutating func take(_ reply: ForegroundReply) -> Step {
        if let pages, pages.epoch != reply.epoch {
            self.pages = nil
            return .ask
        }
        var read = pages ?? (reply.epoch, reply.position, [])
        read.people.formUnion(reply.accounts.map { AccountNumber($0) })
        guard !reply.more else {
            pages = read
            return .askAfter(reply.accounts.last ?? 0)
        }
        left.formUnion(people.subtracting(read.people))
        (people, epoch, position, pages) = (read.people, read.epoch, read.position, nil)
        isWhole = true
        let waiting = kept
        kept = []
        for next in waiting where apply(next.change, at: next.position) == .ask { return .ask }
        return .nothing
    }

    /// Takes a change that was heard.
    mutating func hear(_ change: ForegroundChange, at position: Int64) -> Step {
        guard isWhole else {
            kept.append((position, change))
            if kept.count > Self.keptMax { kept.removeFirst(Self.keptMax / 2) }
            return .nothing
        }
        return apply(change, at: position)
    }

    private mutating func apply(_ change: ForegroundChange, at position: Int64) -> Step {
        let isRepeat = change.came.isEmpty && change.went.isEmpty
        guard change.epoch == epoch, position <= self.position + (isRepeat ? 0 : 1) else {
            isWhole = false
            return .ask
        }
        guard position > self.position else { return .nothing }
        self.position = position
        let went = Set(change.went.map { AccountNumber($0) })
        left.formUnion(went.intersection(people))
        people.subtract(went)
        people.formUnion(change.came.map { AccountNumber($0) })
        return .nothing
    }

    /// Takes who left the foreground since this was last called.
    mutating func takeLeft() -> Set<AccountNumber> {
        defer { left = [] }
        return left
    }
}

/// Follows who has the app in the foreground at a replica of presence.
@ReactorActor
final class ForegroundFollowing {
    private let client: RequestClient
    private let subscriber: UpdateSubscriber
    private var picture = ForegroundPicture()
    private var isAsking = false
    private var onLeft: @ReactorActor (Set<AccountNumber>) -> Void = { _ in }
    private var retry: Reactor.Timer?
    private var isClosed = false

    init(requests: String, changes: String, instance: String, security: LinkSecurity, log: Logger) {
        client = RequestClient(
            service: "presence", endpoints: [requests], instance: instance, security: security, log: log)
        subscriber = UpdateSubscriber(endpoints: [changes], of: "presence", security: security, log: log)
    }

    /// Whether everybody in the foreground is known.
    var isWhole: Bool { picture.isWhole && subscriber.isConnected }

    func contains(_ account: AccountNumber) -> Bool { isWhole && picture.people.contains(account) }

    var count: Int { isWhole ? picture.people.count : 0 }

    /// - Parameter onLeft: called with the people who left the foreground.
    func start(onLeft: @escaping @ReactorActor (Set<AccountNumber>) -> Void) throws {
        self.onLeft = onLeft
        // Each greeting begins the picture anew, since changes before it were missed.
        subscriber.onConnected = { [weak self] _ in
            self?.picture.forget()
            self?.ask()
        }
        try client.start()
        try subscriber.start { [weak self] header, body in
            guard let self, let change = try? ForegroundChange.decode(body) else { return }
            follow(picture.hear(change, at: header.position))
        }
    }

    func close() {
        isClosed = true
        if let retry { Reactor.shared.cancel(retry) }
        subscriber.close()
        client.close()
    }

    private func follow(_ step: ForegroundPicture.Step) {
        let left = picture.takeLeft()
        if !left.isEmpty { onLeft(left) }
        switch step {
        case .nothing: break
        case .ask: ask()
        case .askAfter(let account): ask(after: account)
        }
    }

    private func ask(after account: Int64 = 0) {
        guard !isAsking, !isClosed else { return }
        isAsking = true
        Task.onLoop { [weak self] in await self?.read(after: account) }
    }

    private func read(after account: Int64) async {
        do throws(Refusal) {
            let reply = try await client.call(
                ForegroundMethods.list, ForegroundRequest(after: account), deadline: .seconds(5))
            isAsking = false
            follow(picture.take(reply))
        } catch {
            // A replica that has just started does not know yet.
            retry = Reactor.shared.after(.milliseconds(500)) { [weak self] in
                self?.isAsking = false
                self?.ask()
            }
        }
    }
}

/// Who has the app in the foreground, of all replicas of presence: each of them knows everybody.
@ReactorActor
final class Foregrounds {
    private let instance: String
    private var security = LinkSecurity.plain
    private let log: Logger
    private var following: [String: ForegroundFollowing] = [:]
    private var onLeft: @ReactorActor (Set<AccountNumber>) -> Void = { _ in }
    private let discovery: ReplicaDiscovery
    private var named: (requests: [String], changes: [String])

    init(requests: [String], changes: [String], instance: String, log: Logger) {
        (self.instance, self.log) = (instance, log)
        discovery = ReplicaDiscovery(log: log)
        named = (ReplicaDiscovery.known(requests), ReplicaDiscovery.known(changes))
        discovery.follow(requests) { [weak self] in
            self?.named.requests = $0
            self?.connect()
        }
        discovery.follow(changes) { [weak self] in
            self?.named.changes = $0
            self?.connect()
        }
    }

    /// How long it waits for presence before everybody counts as away.
    static let patience: Duration = .seconds(10)
    private var knownAt = ContinuousClock.now

    /// Whether what it says can be used: presence tells it, or has been away for so long that people count as away.
    var isSettled: Bool {
        if following.isEmpty { return named.requests.isEmpty || .now - knownAt > Self.patience }
        guard following.values.contains(where: \.isWhole) else { return .now - knownAt > Self.patience }
        knownAt = .now
        return true
    }

    func contains(_ account: AccountNumber) -> Bool { following.values.contains { $0.contains(account) } }

    /// How many people have the app in front; whoever has it on two devices may count twice.
    var count: Int { following.values.reduce(0) { $0 + $1.count } }

    /// - Throws: ``StartRefused`` without a key for these links, or with endpoints that do not belong together.
    func start(
        _ settings: Settings, onLeft: @escaping @ReactorActor (Set<AccountNumber>) -> Void
    ) throws(StartRefused) {
        let (requests, changes) = (settings.list("presence.requests"), settings.list("presence.followers"))
        guard requests.count == changes.count else {
            throw StartRefused(
                "presence.requests names \(requests.count) endpoints and presence.followers \(changes.count); "
                    + "give both for the same replicas, in the same order", code: 64)
        }
        guard !requests.isEmpty else {
            return log.notice("presence is not followed: everybody counts as away from the app")
        }
        security = try LinkSettings.security(
            settings, role: .follower, connectsTo: ["presence"], endpoints: requests + changes, key: "follower.key")
        self.onLeft = onLeft
        connect()
        discovery.start()
    }

    func close() {
        discovery.close()
        for replica in following.values { replica.close() }
        following = [:]
    }

    /// Follows each replica whose two endpoints are known. Lists of names have the replicas in the same order.
    private func connect() {
        guard named.requests.count == named.changes.count else { return }
        let pairs = Dictionary(zip(named.changes, named.requests), uniquingKeysWith: { first, _ in first })
        for (changes, replica) in following where pairs[changes] == nil && !replica.isWhole {
            replica.close()
            following[changes] = nil
        }
        for (changes, requests) in pairs where following[changes] == nil {
            let replica = ForegroundFollowing(
                requests: requests, changes: changes, instance: instance, security: security, log: log)
            following[changes] = replica
            do {
                try replica.start { [weak self] people in
                    guard let self else { return }
                    // Another replica may know better.
                    let left = people.filter { !self.contains($0) }
                    if !left.isEmpty { onLeft(left) }
                }
            } catch {
                log.error("a link could not be opened", metadata: ["publisher": "\(changes)", "error": "\(error)"])
            }
        }
    }
}
