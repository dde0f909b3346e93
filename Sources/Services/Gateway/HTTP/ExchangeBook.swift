/// How many exchanges with services are open, and whose. Uploads and downloads are counted apart, so that those of one
/// kind cannot take all places of the other. Those of an account end when all its devices are signed out. Pure.
struct ExchangeBook {
    enum Kind: Hashable, Sendable { case upload, download }

    private struct Account: Hashable {
        var number: Int64
        var kind: Kind
    }

    private let total: Int
    private let perAccount: Int
    private var kinds: [Kind: Int] = [:]
    private var places: [String: Int] = [:]
    private var accounts: [Account: Int] = [:]
    /// Accounts of which all devices were signed out lately, and until when what began ends.
    private var revocations: [Int64: Int64] = [:]
    /// How long after a revocation the service may still answer what was asked before it, in microseconds.
    static let remembered: Int64 = 120 * 1_000_000
    /// By how much the clocks of the gateway and of the revocation may differ, in microseconds.
    static let clocksApart: Int64 = 5 * 1_000_000

    /// - Parameters:
    ///   - total: of all exchanges. Three quarters may be of one kind, one quarter of one address.
    ///   - perAccount: of one account and kind.
    init(total: Int, perAccount: Int) { (self.total, self.perAccount) = (total, perAccount) }

    private var kindMax: Int { max(1, total * 3 / 4) }
    private var placeMax: Int { max(1, total / 4) }

    /// - Returns: false if there is no place.
    mutating func begin(_ kind: Kind, from place: String) -> Bool {
        let (ofKind, ofPlace) = (kinds[kind] ?? 0, places[place] ?? 0)
        guard kinds.values.reduce(0, +) < total, ofKind < kindMax, ofPlace < placeMax else { return false }
        (kinds[kind], places[place]) = (ofKind + 1, ofPlace + 1)
        return true
    }

    /// Counts an exchange that has begun for an account.
    /// - Returns: false if the account has as many as it may, or all its devices were signed out since.
    mutating func assign(_ kind: Kind, to account: Int64, begunAt: Int64) -> Bool {
        if let until = revocations[account], begunAt <= until { return false }
        let key = Account(number: account, kind: kind)
        let before = accounts[key] ?? 0
        guard before < perAccount else { return false }
        accounts[key] = before + 1
        return true
    }

    /// Notes that all devices of an account were signed out.
    /// - Returns: until when the exchanges began that end now: what begins after the news goes on.
    mutating func revoked(_ account: Int64, at time: Int64, now: Int64) -> Int64 {
        let until = min(now, time + Self.clocksApart)
        revocations = revocations.filter { $0.value > now - Self.remembered }
        if until > now - Self.remembered { revocations[account] = max(until, revocations[account] ?? until) }
        return until
    }

    /// - Parameter account: to whom it was assigned; nil: to nobody.
    mutating func end(_ kind: Kind, from place: String, of account: Int64?) {
        kinds[kind] = (kinds[kind] ?? 1) - 1
        Self.subtract(place, in: &places)
        if let account { Self.subtract(Account(number: account, kind: kind), in: &accounts) }
    }

    private static func subtract<Key>(_ key: Key, in counts: inout [Key: Int]) {
        let left = (counts[key] ?? 1) - 1
        counts[key] = left > 0 ? left : nil
    }

    /// Whether so few places of a kind are left that slow exchanges must end.
    func isShort(of kind: Kind) -> Bool { (kinds[kind] ?? 0) >= max(1, kindMax * 3 / 4) }
}
