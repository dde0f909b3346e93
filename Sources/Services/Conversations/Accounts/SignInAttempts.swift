import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Keys under which attempts to sign in are counted.
enum SignInKeys {
    /// A hash, because the username may belong to a person who wants to be forgotten.
    static func person(_ username: String) -> String {
        "person:" + Hex.text(Sodium.hash(Array(username.utf8)).prefix(16))
    }

    /// - Parameter place: an address, or the /64 of one.
    static func person(_ username: String, at place: String) -> String { "\(person(username))@\(place)" }

    static func place(_ place: String) -> String { "place:\(place)" }

    /// Beginning as the keys of the person, so that all are deleted with an account.
    static func turns(_ username: String) -> String { "\(person(username)):turns" }

    static func turns(_ username: String, at place: String) -> String { "\(person(username, at: place)):turns" }

    /// - Parameter proof: what a device keeps that signed in before.
    static func device(_ proof: String) -> String { "device:" + Hex.text(Sodium.hash(Array(proof.utf8)).prefix(16)) }

    /// What shows that an account's owner asks, of one device.
    static func owner(_ account: AccountNumber, _ device: String) -> String { "owner:\(account):\(device)" }

    static func token(_ place: String) -> String { "token:\(place)" }

    static func link(_ place: String) -> String { "link:\(place)" }

    static func code(_ place: String) -> String { "code:\(place)" }

    static func mail(from place: String) -> String { "mail:\(place)" }

    static func mail(of account: AccountNumber) -> String { "mail:\(account)" }

    /// - Parameter address: an email address; its hash, as of a username.
    static func mail(to address: String) -> String {
        "mail:" + Hex.text(Sodium.hash(Array(address.lowercased().utf8)).prefix(16))
    }

    static func register(_ place: String) -> String { "register:\(place)" }
}

/// How many attempts count under a key in which time.
struct SignInLimit {
    static let hour = Duration.seconds(3600)
    static let day = Duration.seconds(86_400)

    let key: String
    let limit: Int
    let window: Duration

    init(_ key: String, _ limit: Int, _ window: Duration = .seconds(60)) {
        (self.key, self.limit, self.window) = (key, limit, window)
    }
}

/// Counts attempts in the database, so that nobody may guess more passwords with several replicas.
///
/// An attempt counts before the password is checked, and a right password takes it back. A key beyond its limit is
/// remembered until its time is over: the refusals of that time cost the database nothing.
@ReactorActor
final class SignInAttempts {
    private static let rememberedMax = 10_000

    private let context: ServiceContext
    /// Keys beyond their limit, and until when.
    private var refused: [String: Timestamp] = [:]

    init(_ context: ServiceContext) { self.context = context }

    /// Counts an attempt under each key until one is beyond its limit.
    /// - Parameter others: count if the last of `limits` is beyond its limit. The attempt is refused only if one of
    ///   these is, too.
    /// - Returns: the keys under which it counts.
    /// - Throws: ``Refusal`` `rate_limited`, with the wait. Then the keys before the one beyond its limit stay counted,
    ///   but not those of `others`.
    @discardableResult
    func count(_ limits: [SignInLimit], insteadOfLast others: [SignInLimit] = []) async throws -> [String] {
        let first = others.isEmpty ? limits : Array(limits.dropLast())
        try requireRoom(first.map(\.key))
        guard let last = limits.last, !others.isEmpty else { return try await countAll(first) }
        if let until = refusedUntil([last.key]), let later = refusedUntil(others.map(\.key)) {
            throw refusal(until: min(until, later))
        }
        let keys = try await countAll(first)
        guard let until = try await countOne(last) else { return keys + [last.key] }
        var counted: [String] = []
        for other in others {
            if let later = try await countOne(other) {
                if !counted.isEmpty { try await takeBack(counted) }
                throw refusal(until: min(until, later))
            }
            counted.append(other.key)
        }
        return keys + counted
    }

    /// Takes back an attempt under each key, whose password was right.
    func takeBack(_ keys: [String]) async throws {
        try await context.database.execute(ConversationsStore.giveAttemptsBack, .texts(keys))
    }

    private func countAll(_ limits: [SignInLimit]) async throws -> [String] {
        for limit in limits {
            if let until = try await countOne(limit) { throw refusal(until: until) }
        }
        return limits.map(\.key)
    }

    /// - Returns: nil if it counts, or until when the key is beyond its limit.
    private func countOne(_ limit: SignInLimit) async throws -> Timestamp? {
        if let until = refusedUntil([limit.key]) { return until }
        let now = context.clock.now
        let counted = try await context.database.first(
            ConversationsStore.countAttempt, .text(limit.key), .number(now), .number(now - limit.window))
        guard let counted, counted.attempts > limit.limit else { return nil }
        let until = max(counted.windowStartedAt + limit.window, now + .seconds(1))
        remember(limit.key, until, now)
        return until
    }

    /// - Throws: ``Refusal`` `rate_limited` if one of these keys is known to be beyond its limit. Counts nothing.
    func requireRoom(_ keys: [String]) throws {
        if let until = refusedUntil(keys) { throw refusal(until: until) }
    }

    /// Until when the first of these keys that is remembered is beyond its limit.
    private func refusedUntil(_ keys: [String]) -> Timestamp? {
        let now = context.clock.now
        return keys.lazy.compactMap { self.refused[$0] }.first { $0 > now }
    }

    private func refusal(until: Timestamp) -> Refusal { .tooOften(wait: until - context.clock.now) }

    private func remember(_ key: String, _ until: Timestamp, _ now: Timestamp) {
        if refused.count >= Self.rememberedMax { refused = refused.filter { $0.value > now } }
        // Without room, the key is counted in the database again.
        if refused.count < Self.rememberedMax { refused[key] = until }
    }
}
