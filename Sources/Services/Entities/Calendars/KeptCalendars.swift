import Schema

/// Calendars that are being sent piece by piece, so that each is made once. Pure.
struct KeptCalendars {
    private struct Kept {
        var account: AccountNumber
        var tag: [UInt8]
        var text: [UInt8]
        var until: ContinuousClock.Instant
    }

    /// How long one is kept after its last piece.
    private static let lifetime = Duration.seconds(30)
    /// The bytes of all.
    private static let bytesMax = 32 << 20

    private var kept: [Kept] = []
    private(set) var bytes = 0

    /// Keeps a calendar. The one that waited longest gives way if there is no room.
    mutating func keep(_ text: [UInt8], _ tag: [UInt8], of account: AccountNumber, at now: ContinuousClock.Instant) {
        kept.removeAll { $0.until < now || $0.account == account && $0.tag == tag }
        kept.append(Kept(account: account, tag: tag, text: text, until: now + Self.lifetime))
        bytes = kept.reduce(0) { $0 + $1.text.count }
        while bytes > Self.bytesMax, kept.count > 1 { bytes -= kept.removeFirst().text.count }
    }

    /// Returns the calendar with this tag; nil if it is not kept any more.
    mutating func find(_ tag: [UInt8], of account: AccountNumber, at now: ContinuousClock.Instant) -> [UInt8]? {
        guard let index = kept.firstIndex(where: { $0.account == account && $0.tag == tag && $0.until >= now }) else {
            return nil
        }
        var found = kept.remove(at: index)
        found.until = now + Self.lifetime
        kept.append(found)
        return found.text
    }

    /// Lets go of a calendar that was sent.
    mutating func forget(_ tag: [UInt8], of account: AccountNumber) {
        kept.removeAll { $0.account == account && $0.tag == tag }
        bytes = kept.reduce(0) { $0 + $1.text.count }
    }
}
