/// The requests a server works on: each has a place, which is used again when it has ended.
///
/// A ticket costs no allocation and keeps nothing alive, so that it can lie in a list of deadlines.
struct OpenRequests<Origin> {
    struct Ticket: Equatable {
        fileprivate var index: UInt32
        /// How often the place had been used: a ticket of an earlier use is nobody's.
        fileprivate var use: UInt32
    }

    private struct Place {
        var use: UInt32 = 0
        var origin: Origin?
        var isTold = false
    }

    private var places: [Place] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    mutating func open(_ origin: Origin) -> Ticket {
        count += 1
        if let index = free.popLast() {
            places[Int(index)].origin = origin
            return Ticket(index: index, use: places[Int(index)].use)
        }
        places.append(Place(origin: origin))
        return Ticket(index: UInt32(places.count - 1), use: 0)
    }

    /// Ends one. Each ends once.
    /// - Returns: where it came from, and whether that was told something already (``tell(_:)``); nil when it had
    ///   ended.
    mutating func close(_ ticket: Ticket) -> (origin: Origin, isTold: Bool)? {
        let index = Int(ticket.index)
        guard places[index].use == ticket.use, let origin = places[index].origin else { return nil }
        let isTold = places[index].isTold
        places[index] = Place(use: ticket.use &+ 1)
        free.append(ticket.index)
        count -= 1
        return (origin, isTold)
    }

    /// Takes note that its caller is told to wait no longer. It stays open: its handler still runs.
    /// - Returns: where it came from, or nil when it has ended or was told before.
    mutating func tell(_ ticket: Ticket) -> Origin? {
        let index = Int(ticket.index)
        guard places[index].use == ticket.use, let origin = places[index].origin, !places[index].isTold else {
            return nil
        }
        places[index].isTold = true
        return origin
    }
}
