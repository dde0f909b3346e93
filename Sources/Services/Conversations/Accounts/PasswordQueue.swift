import Reactor
import ServiceKit
import Wire

/// The passwords that wait to be hashed, which takes tens of milliseconds each.
///
/// Half of the places are for those who signed in lately, or whose device did. Whoever comes from elsewhere has a few
/// places for each address, so that one address, and many of them together, leave room.
@ReactorActor
final class PasswordQueue {
    private let pool = WorkPool(queue: PasswordAdmission.placesMax)
    private var admission = PasswordAdmission()

    /// - Parameter place: the address that asks, of IPv6 its /64; nil for a request that needs no place of a stranger.
    /// - Throws: ``Refusal`` `rate_limited` if there is no place, `unavailable`.
    func hashed(_ password: String, for place: String?) async throws -> String {
        guard let hash = try await run(place, { Sodium.hashPassword(password) }) else {
            throw Refusal.unavailable("The server is short of memory. Try again shortly.", retryAfter: .seconds(1))
        }
        return hash
    }

    /// Whether `hash` is of this password.
    /// - Parameter place: as for ``hashed(_:for:)``.
    /// - Throws: ``Refusal`` `rate_limited` if there is no place.
    func verified(_ password: String, against hash: String, for place: String?) async throws -> Bool {
        try await run(place) { Sodium.verifyPassword(password, against: hash) }
    }

    /// Notes that somebody signed in from here.
    func signedIn(from place: String) { admission.signedIn(from: place) }

    private func run<T: Sendable>(_ place: String?, _ work: @escaping @Sendable () -> T) async throws -> T {
        guard let ticket = admission.enter(place) else { throw Refusal.rateLimited(.seconds(1)) }
        defer { admission.leave(ticket) }
        do {
            return try await pool.run(work)
        } catch is WorkPool.Overloaded {
            throw Refusal.rateLimited(.seconds(1))
        }
    }
}

/// Decides who may wait. Pure.
struct PasswordAdmission {
    static let placesMax = 64
    static let strangersMax = 32
    static let perPlaceMax = 4

    /// A place that is taken.
    struct Ticket {
        /// nil: not of a stranger.
        fileprivate var stranger: String?
    }

    private var waiting = 0
    private var strangers: [String: Int] = [:]
    private var strangersWaiting = 0
    /// Where somebody signed in lately, in two generations: a place not seen during a whole one is forgotten.
    private var young: Set<String> = []
    private var old: Set<String> = []
    private static let generationMax = 5_000

    /// - Returns: nil if there is no room.
    mutating func enter(_ place: String?) -> Ticket? {
        guard waiting < Self.placesMax else { return nil }
        guard let place, !young.contains(place), !old.contains(place) else {
            waiting += 1
            return Ticket(stranger: nil)
        }
        guard strangersWaiting < Self.strangersMax, strangers[place, default: 0] < Self.perPlaceMax
        else { return nil }
        waiting += 1
        strangersWaiting += 1
        strangers[place, default: 0] += 1
        return Ticket(stranger: place)
    }

    mutating func leave(_ ticket: Ticket) {
        waiting -= 1
        guard let place = ticket.stranger, let count = strangers[place] else { return }
        strangersWaiting -= 1
        strangers[place] = count > 1 ? count - 1 : nil
    }

    mutating func signedIn(from place: String) {
        if young.count >= Self.generationMax { (old, young) = (young, []) }
        young.insert(place)
    }
}
