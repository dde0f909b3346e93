/// A connection that is not a session yet.
struct Newcomer {
    /// The place of its other end; nil: a trusted proxy, whose connections are of many people.
    var place: String?
}

/// How many connections are not sessions, in total and of each ``ClientAddress/place(of:)``. Pure.
struct NewcomerBook {
    private let total: Int
    private let perPlace: Int
    private(set) var count = 0
    private var places: [String: Int] = [:]

    /// - Parameters:
    ///   - total: of all places.
    ///   - perPlace: of one place, which also gets a quarter of what is free at most. So some are left for others,
    ///     however many places want all they can get.
    init(total: Int, perPlace: Int) { (self.total, self.perPlace) = (total, perPlace) }

    /// - Parameter place: nil: a trusted proxy.
    /// - Returns: false if there is no room.
    mutating func begin(_ place: String?) -> Bool {
        guard count < total else { return false }
        if let place {
            let before = places[place] ?? 0
            guard before < min(perPlace, (total - count + 3) / 4) else { return false }
            places[place] = before + 1
        }
        count += 1
        return true
    }

    mutating func end(_ place: String?) {
        count -= 1
        guard let place, let before = places[place] else { return }
        places[place] = before > 1 ? before - 1 : nil
    }

    /// Whether so little room is left that none may stay idle.
    var isShort: Bool { count >= max(1, total * 3 / 4) }
}
