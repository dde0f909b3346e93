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

    /// - Parameter proof: what a device keeps that signed in before.
    static func device(_ proof: String) -> String { "device:" + Hex.text(Sodium.hash(Array(proof.utf8)).prefix(16)) }

    static func register(_ place: String) -> String { "register:\(place)" }
}

/// Counts attempts in the database, so that nobody may guess more passwords with several replicas.
///
/// An attempt counts before the password is checked, and a right password takes it back. A key beyond its limit is
/// remembered until its minute is over: the refusals of that time cost the database nothing.
@ReactorActor
final class SignInAttempts {
    private static let window = Duration.seconds(60)
    private static let rememberedMax = 10_000

    private let context: ServiceContext
    /// Keys beyond their limit, and until when.
    private var refused: [String: Timestamp] = [:]

    init(_ context: ServiceContext) { self.context = context }

    /// Counts an attempt under each key until one is beyond its limit, which is for a minute.
    /// - Throws: ``Refusal`` `rate_limited`. The keys after the one beyond its limit are not counted.
    func count(_ keys: [(key: String, limit: Int)]) async throws {
        let now = context.clock.now
        for (key, _) in keys {
            if let until = refused[key], until > now { throw Refusal.tooOften(wait: until - now) }
        }
        for (key, limit) in keys {
            let counted = try await context.database.first(
                ConversationsStore.countAttempt, .text(key), .number(now), .number(now - Self.window))
            guard let counted, counted.attempts > limit else { continue }
            let until = max(counted.windowStartedAt + Self.window, now + .seconds(1))
            remember(key, until, now)
            throw Refusal.tooOften(wait: until - now)
        }
    }

    /// Takes back an attempt under each key, whose password was right.
    func takeBack(_ keys: [String]) async throws {
        try await context.database.execute(ConversationsStore.giveAttemptsBack, .texts(keys))
    }

    private func remember(_ key: String, _ until: Timestamp, _ now: Timestamp) {
        if refused.count >= Self.rememberedMax { refused = refused.filter { $0.value > now } }
        // Without room, the key is counted in the database again.
        if refused.count < Self.rememberedMax { refused[key] = until }
    }
}
