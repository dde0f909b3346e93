import Schema

/// The sessions of each gateway and the people they belong to. Pure.
struct PresenceSessions {
    struct Person: Hashable {
        var account: AccountNumber
        var user: String
    }

    /// A person who came online or went offline, counted over all their sessions.
    struct Change: Equatable {
        var person: Person
        var isOnline: Bool
    }

    private struct Gateway {
        var sessions: [String: Person] = [:]
        /// Sessions of earlier reports that the full list now arriving in pages has not named yet.
        var unconfirmed: Set<String> = []
        var heardAt: ContinuousClock.Instant
    }

    /// How many items a report may hold, by the contract. A page with fewer is the last of its list.
    static let pageItems = 10_000

    private let lease: Duration
    private var gateways: [String: Gateway] = [:]
    private var sessionCounts: [AccountNumber: Int] = [:]

    init(lease: Duration) { self.lease = lease }

    /// Whether this gateway has reported and its lease has not expired.
    func knows(_ gateway: String) -> Bool { gateways[gateway] != nil }

    func isOnline(_ account: AccountNumber) -> Bool { sessionCounts[account] != nil }

    var online: some Collection<AccountNumber> { sessionCounts.keys }

    /// - Returns: the people who came or went; nil if this gateway is unknown and its report is not full.
    mutating func apply(_ report: SessionsReport, at now: ContinuousClock.Instant) -> [Change]? {
        guard report.full || gateways[report.gateway] != nil else { return nil }
        let before = Before()
        var gateway = gateways[report.gateway] ?? Gateway(heardAt: now)
        gateway.heardAt = now
        if report.full { gateway.unconfirmed = Set(gateway.sessions.keys) }
        for opened in report.opened { gateway.unconfirmed.remove(opened.session) }
        var closed = report.closed
        // A page with room left is the last, so sessions that no page named are gone. Until then nobody goes offline
        // who is on a later page.
        if report.opened.count < Self.pageItems {
            closed += gateway.unconfirmed
            gateway.unconfirmed = []
        }
        for session in closed {
            if let person = gateway.sessions.removeValue(forKey: session) { remove(person, before) }
        }
        for opened in report.opened {
            let person = Person(account: AccountNumber(opened.account), user: opened.user)
            if let earlier = gateway.sessions.updateValue(person, forKey: opened.session) { remove(earlier, before) }
            add(person, before)
        }
        gateways[report.gateway] = gateway
        return changes(since: before)
    }

    /// Forgets gateways whose lease has expired, with their sessions.
    mutating func expire(at now: ContinuousClock.Instant) -> [Change] {
        let before = Before()
        for (name, gateway) in gateways where now - gateway.heardAt > lease {
            for person in gateway.sessions.values { remove(person, before) }
            gateways[name] = nil
        }
        return changes(since: before)
    }

    /// Who was online before a change, for the people it concerns. Only differences are published.
    private final class Before { var wasOnline: [Person: Bool] = [:] }

    private mutating func add(_ person: Person, _ before: Before) {
        if before.wasOnline[person] == nil { before.wasOnline[person] = isOnline(person.account) }
        sessionCounts[person.account, default: 0] += 1
    }

    private mutating func remove(_ person: Person, _ before: Before) {
        if before.wasOnline[person] == nil { before.wasOnline[person] = isOnline(person.account) }
        guard let count = sessionCounts[person.account] else { return }
        sessionCounts[person.account] = count > 1 ? count - 1 : nil
    }

    private func changes(since before: Before) -> [Change] {
        before.wasOnline.compactMap { person, wasOnline in
            let isOnline = isOnline(person.account)
            return isOnline == wasOnline ? nil : Change(person: person, isOnline: isOnline)
        }
    }
}
