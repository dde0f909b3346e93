/// The requests a server works on: each has a slot, which is used again when it has ended.
///
/// A ticket costs no allocation and keeps nothing alive, so that it can lie in a list of deadlines.
struct OpenRequests<Origin> {
    struct Ticket: Equatable {
        fileprivate var index: UInt32
        /// How often the slot had been used: a ticket of an earlier use is nobody's.
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

    /// Ends one. Each ends once.
    /// - Returns: where it came from, and whether that was told something already (``tell(_:)``); nil when it had
    ///   ended.
    mutating func close(_ ticket: Ticket) -> (origin: Origin, isAnswered: Bool)? {
        let index = Int(ticket.index)
        guard slots[index].use == ticket.use, let origin = slots[index].origin else { return nil }
        let isAnswered = slots[index].isAnswered
        slots[index] = Slot(use: ticket.use &+ 1)
        free.append(ticket.index)
        count -= 1
        return (origin, isAnswered)
    }

    /// Takes note that its caller is told to wait no longer. It stays open: its handler still runs.
    /// - Returns: where it came from, or nil when it has ended or was told before.
    mutating func tell(_ ticket: Ticket) -> Origin? {
        let index = Int(ticket.index)
        guard slots[index].use == ticket.use, let origin = slots[index].origin, !slots[index].isAnswered else {
            return nil
        }
        slots[index].isAnswered = true
        return origin
    }
}
