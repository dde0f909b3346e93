import Reactor
import ServiceKit
import Signatures
import Wire

/// The passwords that wait to be hashed, which takes tens of milliseconds each.
///
/// Half of the places are for those who signed in lately, or whose device did. Whoever comes from elsewhere has a few
/// places for each address, so that one address, and many of them together, leave room; their passwords wait for each
/// other, on half of the cores and with a small share of those while others need them. Half of their places are for
/// addresses where no password was wrong lately: many addresses that guess leave room for a new one.
@ReactorActor
final class PasswordQueue {
    private let pool = WorkPool(queue: PasswordAdmission.placesMax)
    private let strangers = WorkPool(
        threads: max(1, WorkPool.threadsOfMachine / 2), queue: PasswordAdmission.strangersMax, isPatient: true)
    private var admission = Admission(PasswordAdmission.limits)

    /// - Parameter place: the address that asks, of IPv6 its /64; nil for a request that needs no place of a stranger.
    /// - Throws: ``Refusal`` `rate_limited` if there is no place, `unavailable`.
    func hashed(_ password: String, for place: String?) async throws -> String {
        guard let hash = try await run(place, { Sodium.hashPassword(password) }) else {
            throw Refusal.unavailable("The server is short of memory. Try again shortly.", retryAfter: .seconds(1))
        }
        return hash
    }

    /// Whether `hash` is of this password.
    /// - Parameters:
    ///   - place: as for ``hashed(_:for:)``.
    ///   - count: counts the attempt, once there is a place for it. Those without one cost the database nothing.
    /// - Throws: ``Refusal`` `rate_limited` if there is no place; what `count` throws.
    func verified(
        _ password: String, against hash: String, for place: String?, _ count: () async throws -> Void = {}
    ) async throws -> Bool {
        try await run(place, after: count) {
            // An imported account has one of another system until its owner signs in.
            if let imported = ImportedPassword(hash) { return imported.verifies(password) }
            return Sodium.verifyPassword(password, against: hash)
        }
    }

    /// Notes that somebody signed in from here.
    func signedIn(from place: String) { admission.signedIn(from: place) }

    /// Notes a wrong password from here.
    func failed(from place: String) { admission.failed(from: place) }

    private func run<T: Sendable>(
        _ place: String?, after first: () async throws -> Void = {}, _ work: @escaping @Sendable () -> T
    ) async throws -> T {
        guard let ticket = admission.enter(place) else { throw Refusal.rateLimited(.seconds(1)) }
        defer { admission.leave(ticket) }
        try await first()
        do {
            return try await (ticket.isStranger ? strangers : pool).run(work)
        } catch is WorkPool.Overloaded {
            throw Refusal.rateLimited(.seconds(1))
        }
    }
}

/// How many passwords may wait.
enum PasswordAdmission {
    static let placesMax = 64
    static let strangersMax = 32
    static let failedMax = 16
    static let perPlaceMax = 4
    static let perKnownPlaceMax = 16
    static let limits = Admission.Limits(
        places: placesMax, strangers: strangersMax, failed: failedMax, perPlace: perPlaceMax,
        perKnownPlace: perKnownPlaceMax)
}
