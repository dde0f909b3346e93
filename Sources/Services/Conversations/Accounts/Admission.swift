/// Decides who may wait for something slow that shows whether they were right, such as a password. Pure.
struct Admission {
    struct Limits {
        /// Of all.
        var places: Int
        /// Of those who come from where nobody was right lately.
        var strangers: Int
        /// Of those who come from where somebody was wrong lately.
        var failed: Int
        /// Of a stranger's address, and of another one.
        var perPlace: Int
        var perKnownPlace: Int
    }

    private let limits: Limits

    init(_ limits: Limits) { self.limits = limits }

    /// A place that is taken.
    struct Ticket {
        fileprivate(set) var isStranger: Bool
        fileprivate var hasFailed: Bool
        /// nil: of a device that signed in before.
        fileprivate var place: String?
    }

    private var waiting = 0
    private var strangersWaiting = 0
    private var failedWaiting = 0
    private var perPlace: [String: Int] = [:]
    /// Where somebody signed in lately, and nobody was wrong since.
    private var known = RecentPlaces()
    /// Where somebody was wrong lately, and nobody signed in since.
    private var failed = RecentPlaces()

    /// - Returns: nil if there is no room.
    mutating func enter(_ place: String?) -> Ticket? {
        guard waiting < limits.places else { return nil }
        let isStranger = place.map { !known.contains($0) } ?? false
        let hasFailed = place.map(failed.contains) ?? false
        if isStranger, strangersWaiting >= limits.strangers { return nil }
        if hasFailed, failedWaiting >= limits.failed { return nil }
        if let place {
            let count = perPlace[place] ?? 0
            guard count < (isStranger ? limits.perPlace : limits.perKnownPlace) else { return nil }
            perPlace[place] = count + 1
        }
        waiting += 1
        if isStranger { strangersWaiting += 1 }
        if hasFailed { failedWaiting += 1 }
        return Ticket(isStranger: isStranger, hasFailed: hasFailed, place: place)
    }

    mutating func leave(_ ticket: Ticket) {
        waiting -= 1
        if ticket.isStranger { strangersWaiting -= 1 }
        if ticket.hasFailed { failedWaiting -= 1 }
        guard let place = ticket.place, let count = perPlace[place] else { return }
        perPlace[place] = count > 1 ? count - 1 : nil
    }

    mutating func signedIn(from place: String) {
        failed.remove(place)
        known.insert(place)
    }

    mutating func failed(from place: String) {
        known.remove(place)
        failed.insert(place)
    }
}

/// Addresses in two generations: one that is not seen during a whole generation is forgotten.
private struct RecentPlaces {
    private var young: Set<String> = []
    private var old: Set<String> = []
    private static let generationMax = 5_000

    func contains(_ place: String) -> Bool { young.contains(place) || old.contains(place) }

    mutating func insert(_ place: String) {
        if young.count >= Self.generationMax { (old, young) = (young, []) }
        young.insert(place)
    }

    mutating func remove(_ place: String) {
        young.remove(place)
        old.remove(place)
    }
}
