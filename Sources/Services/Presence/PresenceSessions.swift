import Schema

/// The sessions of each gateway, the people they belong to, and what these do in them. Pure.
struct PresenceSessions {
    /// What all sessions of a person together say.
    struct Activity: Equatable, Sendable {
        var isOnline = false
        /// Whether no session says that the person has used a device lately.
        var isIdle = false
        /// The conversation on the screen of the device they used last, by its id; empty: none.
        var conversation = ""
        /// Whether the app is in the foreground in a session, of a person who is not idle.
        var isInForeground = false
    }

    /// A person of whom another ``Activity`` holds than before.
    struct Change: Equatable {
        var account: AccountNumber
        var wasOnline: Bool
        var wasInForeground = false
        var activity: Activity

        var isOnline: Bool { activity.isOnline }
    }

    private struct Session {
        var id: String
        /// When it last said that the person uses it, in milliseconds since ``start``; nil: never.
        var usedAt: Int64?
        var isInBackground = false
        /// Empty in the background.
        var conversation: String
    }

    private struct Connected {
        var sessions: [Session] = []
        /// The second since ``start`` in which ``isIdle`` is to be looked at again; nil: no time will change it.
        var checkedIn: Int32?
        var isIdle = false

        var activity: Activity {
            Activity(
                isOnline: !sessions.isEmpty, isIdle: isIdle, conversation: isIdle ? "" : conversation,
                isInForeground: !isIdle && sessions.contains { !$0.isInBackground })
        }

        private var conversation: String {
            var latest: Session?
            for session in sessions where !session.conversation.isEmpty {
                if (session.usedAt ?? .min) >= (latest?.usedAt ?? .min) { latest = session }
            }
            return latest?.conversation ?? ""
        }
    }

    private struct Gateway {
        var sessions: [String: AccountNumber] = [:]
        /// Sessions of earlier reports that the full list now arriving in pages has not named yet.
        var unconfirmed: Set<String> = []
        var heardAt: ContinuousClock.Instant
    }

    /// How many items a report may hold, by the contract. A page with fewer is the last of its list.
    static let pageItems = 10_000

    private let lease: Duration
    private let idleAfterMs: Int64
    private let start: ContinuousClock.Instant
    private var gateways: [String: Gateway] = [:]
    private var people: [AccountNumber: Connected] = [:]
    /// Who may become idle in each second. A person is in one of them at most, however often they use a device.
    private var checks: [Int32: [AccountNumber]] = [:]
    private var checkedThrough: Int32 = 0

    /// - Parameter idleAfter: how long a person who uses no device is not idle yet.
    init(lease: Duration, idleAfter: Duration = .seconds(600), at now: ContinuousClock.Instant = .now) {
        self.lease = lease
        idleAfterMs = idleAfter.milliseconds
        start = now
    }

    /// Whether this gateway has reported and its lease has not expired.
    func knows(_ gateway: String) -> Bool { gateways[gateway] != nil }

    func isOnline(_ account: AccountNumber) -> Bool { people[account] != nil }

    func activity(of account: AccountNumber) -> Activity { people[account]?.activity ?? Activity() }

    /// The id of the conversation on the screen of the device that a person used last; nil: none.
    func currentConversation(of account: AccountNumber) -> String? {
        let conversation = activity(of: account).conversation
        return conversation.isEmpty ? nil : conversation
    }

    var online: some Collection<AccountNumber> { people.keys }

    /// Those who have the app in the foreground, in no order.
    var inForeground: [AccountNumber] { people.filter { $0.value.activity.isInForeground }.map(\.key) }

    /// - Returns: the people who came or went or do something else; nil if this gateway is unknown and its report is
    ///   not full.
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
            if let account = gateway.sessions.removeValue(forKey: session) { remove(session, of: account, before) }
        }
        for opened in report.opened {
            let account = AccountNumber(opened.account)
            if let earlier = gateway.sessions.updateValue(account, forKey: opened.session), earlier != account {
                remove(opened.session, of: earlier, before)
            }
            put(opened, of: account, at: now, before)
        }
        gateways[report.gateway] = gateway
        return changes(since: before, at: now)
    }

    /// Forgets gateways whose lease has expired, with their sessions, and notes who became idle.
    mutating func expire(at now: ContinuousClock.Instant) -> [Change] {
        let before = Before()
        for (name, gateway) in gateways where now - gateway.heardAt > lease {
            for (session, account) in gateway.sessions { remove(session, of: account, before) }
            gateways[name] = nil
        }
        let second = Int32(milliseconds(now) / 1000)
        while checkedThrough < second {
            checkedThrough += 1
            for account in checks.removeValue(forKey: checkedThrough) ?? []
            where people[account]?.checkedIn == checkedThrough {
                note(account, before)
                people[account]?.checkedIn = nil
            }
        }
        return changes(since: before, at: now)
    }

    /// What people did before a change, for those whom it concerns. Only differences are published.
    private final class Before { var activities: [AccountNumber: Activity] = [:] }

    private func note(_ account: AccountNumber, _ before: Before) {
        if before.activities[account] == nil { before.activities[account] = activity(of: account) }
    }

    private mutating func put(
        _ opened: SessionOpened, of account: AccountNumber, at now: ContinuousClock.Instant, _ before: Before
    ) {
        note(account, before)
        let session = Session(
            id: opened.session, usedAt: opened.idleMs < 0 ? nil : milliseconds(now) - opened.idleMs,
            isInBackground: opened.background, conversation: opened.background ? "" : opened.currentConversation)
        var connected = people[account] ?? Connected()
        if let index = connected.sessions.firstIndex(where: { $0.id == session.id }) {
            connected.sessions[index] = session
        } else {
            connected.sessions.append(session)
        }
        people[account] = connected
    }

    private mutating func remove(_ session: String, of account: AccountNumber, _ before: Before) {
        note(account, before)
        people[account]?.sessions.removeAll { $0.id == session }
    }

    private mutating func changes(since before: Before, at now: ContinuousClock.Instant) -> [Change] {
        before.activities.compactMap { account, earlier in
            settle(account, at: now)
            let activity = activity(of: account)
            guard activity != earlier else { return nil }
            return Change(
                account: account, wasOnline: earlier.isOnline, wasInForeground: earlier.isInForeground,
                activity: activity)
        }
    }

    /// Decides whether a person is idle, and when to look again. Forgets those without a session.
    private mutating func settle(_ account: AccountNumber, at now: ContinuousClock.Instant) {
        guard var connected = people[account] else { return }
        guard !connected.sessions.isEmpty else {
            people[account] = nil
            return
        }
        let idleAt = connected.sessions.compactMap(\.usedAt).max().map { $0 + idleAfterMs } ?? .min
        connected.isIdle = idleAt <= milliseconds(now)
        if !connected.isIdle, connected.checkedIn == nil {
            let second = max(Int32(idleAt / 1000), checkedThrough) + 1
            checks[second, default: []].append(account)
            connected.checkedIn = second
        }
        people[account] = connected
    }

    private func milliseconds(_ now: ContinuousClock.Instant) -> Int64 { (now - start).milliseconds }
}
