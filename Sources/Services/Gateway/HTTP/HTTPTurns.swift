import NIOCore

/// Shares out the time that one event loop has for connections that are not sessions, so that sessions wait little
/// however many of the others send. Pure.
///
/// In each short slot, all of these connections together have some of the time. The others wait in line.
struct HTTPTurns<Member> {
    static var slot: TimeAmount { .milliseconds(1) }
    /// How much of a slot they have.
    static var share: TimeAmount { .microseconds(300) }

    /// Negative if the last piece took longer than there was time.
    private var left = Self.share
    private var line = CircularBuffer<Member>()

    /// Whether something was done in this slot, or somebody waits for a later one.
    var isInUse: Bool { left < Self.share || !line.isEmpty }

    /// Whether a connection may go on at once. If not, it has to ``wait(_:)``.
    var isFree: Bool { line.isEmpty && left > .zero }

    mutating func wait(_ member: Member) { line.append(member) }

    /// Counts what was done.
    mutating func spend(_ time: TimeAmount) { left = left - time }

    /// Begins the next slot. What was too much before is missing there.
    mutating func nextSlot() { left = min(left, .zero) + Self.share }

    /// Returns the next in line, if there is time for it in this slot. Call ``spend(_:)`` then.
    mutating func next() -> Member? { left > .zero ? line.popFirst() : nil }
}

extension TimeAmount { static var zero: TimeAmount { .nanoseconds(0) } }
