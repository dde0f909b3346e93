/// The requests a server is working on. Each has a slot, which is reused after the request has ended.
///
/// A ticket costs no allocation and keeps nothing alive, so it can be kept in a list of deadlines.
struct OpenRequests<Origin> {
    struct Ticket: Equatable {
        fileprivate var index: UInt32
        /// How often the slot was used before. A ticket of an earlier use is invalid.
        fileprivate var use: UInt32
    }

    private struct Slot {
        var use: UInt32 = 0
        var origin: Origin?
        var isAnswered = false
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    mutating func open(_ origin: Origin) -> Ticket {
        count += 1
        if let index = free.popLast() {
            slots[Int(index)].origin = origin
            return Ticket(index: index, use: slots[Int(index)].use)
        }
        slots.append(Slot(origin: origin))
        return Ticket(index: UInt32(slots.count - 1), use: 0)
    }

    /// Ends a request. Each ends once.
    /// - Returns: its origin, and whether it was already answered (``markAnswered(_:)``); nil if it had ended.
    mutating func close(_ ticket: Ticket) -> (origin: Origin, isAnswered: Bool)? {
        let index = Int(ticket.index)
        guard slots[index].use == ticket.use, let origin = slots[index].origin else { return nil }
        let isAnswered = slots[index].isAnswered
        slots[index] = Slot(use: ticket.use &+ 1)
        free.append(ticket.index)
        count -= 1
        return (origin, isAnswered)
    }

    /// Marks a request as answered before its handler ends. It stays open, since its handler still runs.
    /// - Returns: its origin, or nil if it has ended or was already answered.
    mutating func markAnswered(_ ticket: Ticket) -> Origin? {
        let index = Int(ticket.index)
        guard slots[index].use == ticket.use, let origin = slots[index].origin, !slots[index].isAnswered else {
            return nil
        }
        slots[index].isAnswered = true
        return origin
    }
}
