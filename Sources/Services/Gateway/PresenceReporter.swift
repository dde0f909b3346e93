import Logging
import Reactor
import Schema
import Wire

/// Reports this gateway's sessions to every replica of presence, so that each replica knows all sessions. A report that
/// cannot be sent now is sent later; nothing waits for presence.
@ReactorActor
final class PresenceReporter {
    private static let pause: Duration = .seconds(1)

    private let presence: RequestClient
    private let gateway: String
    private let limits: GatewayLimits
    private let log: Logger
    /// The pending reports to each replica, by endpoint.
    private var reports: [String: SessionReports]
    /// When to retry replicas that did not accept a report.
    private var pausedUntil: [String: ContinuousClock.Instant] = [:]
    private var timer: Reactor.Timer?
    private var lease: Reactor.Repetition?
    /// Returns every open session.
    private let all: () -> [SessionOpened]

    init(
        presence: RequestClient, gateway: String, limits: GatewayLimits, log: Logger,
        all: @escaping () -> [SessionOpened]
    ) {
        (self.presence, self.gateway) = (presence, gateway)
        self.limits = limits
        self.log = log
        self.all = all
        reports = Dictionary(uniqueKeysWithValues: presence.endpoints.map { ($0, SessionReports(gateway: gateway)) })
    }

    func start() {
        lease = Reactor.shared.every(limits.reportLease) { [weak self] in self?.reportToAll { _ in true } }
    }

    func opened(_ session: SessionOpened) {
        for endpoint in reports.keys { reports[endpoint]?.opened(session) }
        schedule()
    }

    func closed(_ session: String) {
        for endpoint in reports.keys { reports[endpoint]?.closed(session) }
        schedule()
    }

    /// Handles a replica that came or went and may have lost the sessions reported to it.
    func changed(_ endpoint: String) {
        for gone in reports.keys where !presence.endpoints.contains(gone) { reports[gone] = nil }
        reports[endpoint, default: SessionReports(gateway: gateway)].wasLost()
        pausedUntil[endpoint] = nil
        schedule()
    }

    /// Sends the pending reports without waiting for replies.
    func stop() {
        lease?.cancel()
        reportToAll(where: \.hasNews)
    }

    private func schedule() {
        guard timer == nil else { return }
        timer = Reactor.shared.after(limits.reportDelay) { [weak self] in
            self?.timer = nil
            self?.reportToAll(where: \.hasNews)
        }
    }

    private func reportToAll(where isDue: (SessionReports) -> Bool) {
        let now = ContinuousClock.now
        for endpoint in presence.liveEndpoints where pausedUntil[endpoint].map({ $0 <= now }) ?? true {
            if let state = reports[endpoint], isDue(state) { report(to: endpoint) }
        }
    }

    private func report(to endpoint: String) {
        guard let report = reports[endpoint]?.next(all: all) else { return }
        presence.ask(SessionsMethods.report, report, to: endpoint, deadline: .seconds(5)) { [weak self] result in
            self?.answered(endpoint, result)
        }
    }

    private func answered(_ endpoint: String, _ result: Result<SessionsReportReply, Refusal>) {
        switch result {
        case .success(let reply):
            reports[endpoint]?.answered(sendFull: reply.sendFull)
            if reports[endpoint]?.hasNews ?? false { schedule() }
        case .failure(let refusal):
            reports[endpoint]?.answered(sendFull: nil)
            pausedUntil[endpoint] = .now + Self.pause
            Reactor.shared.after(Self.pause) { [weak self] in self?.schedule() }
            log.warning("a replica of presence did not accept a report", metadata: ["why": "\(refusal.code)"])
        }
    }
}
