import Schema

/// The pending reports of this gateway's sessions to one replica of presence. They are sent one at a time. If one is
/// not answered, a full list follows.
struct SessionReports {
    /// How many items a report may hold, by the contract.
    static let largest = 10_000

    private let gateway: String
    private var opened: [String: SessionOpened] = [:]
    private var closed: [String] = []
    /// The unsent rest of a full list that is longer than one report.
    private var rest: [SessionOpened] = []
    private var needsFull = true
    /// Whether the last report of a full list was filled completely, so that only another report shows the end.
    private var mustShowEnd = false
    private(set) var isAwaitingAnswer = false

    init(gateway: String) { self.gateway = gateway }

    /// Whether there is anything to report besides a sign of life.
    var hasNews: Bool { needsFull || mustShowEnd || !rest.isEmpty || !opened.isEmpty || !closed.isEmpty }

    mutating func opened(_ session: SessionOpened) {
        // Otherwise the full list will include it.
        if !needsFull { opened[session.session] = session }
    }

    mutating func closed(_ session: String) {
        // The full list will omit it.
        guard !needsFull else { return }
        opened[session] = nil
        closed.append(session)
    }

    /// Starts over with a full list, because the replica may have lost the earlier reports.
    mutating func wasLost() {
        needsFull = true
        mustShowEnd = false
        (opened, closed, rest) = ([:], [], [])
    }

    /// Returns the next report, or nil while one awaits its reply. Without news it is empty, as a sign of life.
    /// - Parameter all: returns every open session; called when a full list is due.
    mutating func next(all: () -> [SessionOpened]) -> SessionsReport? {
        guard !isAwaitingAnswer else { return nil }
        isAwaitingAnswer = true
        var report = SessionsReport(gateway: gateway, full: needsFull, opened: [], closed: [])
        if needsFull {
            needsFull = false
            rest = all()
        }
        if report.full || !rest.isEmpty {
            report.opened = Array(rest.prefix(Self.largest))
            rest.removeFirst(report.opened.count)
            mustShowEnd = rest.isEmpty && report.opened.count == Self.largest
            return report
        }
        mustShowEnd = false
        report.opened = Array(opened.values.prefix(Self.largest))
        for session in report.opened { opened[session.session] = nil }
        report.closed = Array(closed.prefix(Self.largest))
        closed.removeFirst(report.closed.count)
        return report
    }

    /// - Parameter sendFull: whether the replica requests a full list; nil if it did not reply and its state is
    ///   unknown.
    mutating func answered(sendFull: Bool?) {
        isAwaitingAnswer = false
        if sendFull ?? true { wasLost() }
    }
}
