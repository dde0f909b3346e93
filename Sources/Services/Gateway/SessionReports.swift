import Schema

/// What one replica of presence is still to be told about this gateway's sessions: reports one after the other, each
/// either answered or made good by a full list.
struct SessionReports {
    /// Items a report may hold, by the contract.
    static let largest = 10_000

    private let gateway: String
    private var opened: [String: SessionOpened] = [:]
    private var closed: [String] = []
    /// The rest of a full list that is longer than a report.
    private var rest: [SessionOpened] = []
    private var needsFull = true
    /// All of a full list was told in reports that were all full to the brim: only a further one shows its end.
    private var mustShowEnd = false
    private(set) var isAwaitingAnswer = false

    init(gateway: String) { self.gateway = gateway }

    /// Something is to be told besides that we are alive.
    var hasNews: Bool { needsFull || mustShowEnd || !rest.isEmpty || !opened.isEmpty || !closed.isEmpty }

    mutating func opened(_ session: SessionOpened) {
        // A full list will have it.
        if !needsFull { opened[session.session] = session }
    }

    mutating func closed(_ session: String) {
        // A full list will say it by leaving it out.
        guard !needsFull else { return }
        opened[session] = nil
        closed.append(session)
    }

    /// It may have lost, or will lose, what it was told.
    mutating func wasLost() {
        needsFull = true
        mustShowEnd = false
        (opened, closed, rest) = ([:], [], [])
    }

    /// The next report, or nil while one awaits its answer. Without news it is empty: a sign of life.
    /// - Parameter all: every session there is, asked for when a full list is due.
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

    /// - Parameter sendFull: it asks for all; nil: it did not answer, so what it knows is uncertain.
    mutating func answered(sendFull: Bool?) {
        isAwaitingAnswer = false
        if sendFull ?? true { wasLost() }
    }
}
