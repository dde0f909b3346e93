import Logging
import Reactor
import Schema
import Wire

/// Tells presence which sessions are here. What cannot be told now is told later: presence is never waited for.
@ReactorActor
final class PresenceReporter {
    private let presence: RequestClient
    private let limits: GatewayLimits
    private let log: Logger
    private var reports: SessionReports
    private var timer: Reactor.Timer?
    private var lease: Reactor.Repetition?
    /// Every session there is.
    private let all: () -> [SessionOpened]

    init(
        presence: RequestClient, gateway: String, limits: GatewayLimits, log: Logger,
        all: @escaping () -> [SessionOpened]
    ) {
        self.presence = presence
        self.limits = limits
        self.log = log
        self.all = all
        reports = SessionReports(gateway: gateway)
    }

    func start() {
        lease = Reactor.shared.every(limits.reportLease) { [weak self] in self?.report() }
    }

    func opened(_ session: SessionOpened) {
        reports.opened(session)
        schedule()
    }

    func closed(_ session: String) {
        reports.closed(session)
        schedule()
    }

    func presenceCameBack() {
        reports.presenceCameBack()
        schedule()
    }

    /// Tells what is left to tell, without waiting for the answer.
    func stop() {
        lease?.cancel()
        report()
    }

    private func schedule() {
        guard timer == nil else { return }
        timer = Reactor.shared.after(limits.reportDelay) { [weak self] in
            self?.timer = nil
            self?.report()
        }
    }

    private func report() {
        guard presence.isAvailable, let report = reports.next(all: all) else { return }
        presence.ask(SessionsMethods.report, report, deadline: .seconds(5)) { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<SessionsReportReply, Refusal>) {
        switch result {
        case .success(let reply):
            reports.answered(sendFull: reply.sendFull)
            if reports.hasNews { schedule() }
        case .failure(let refusal):
            reports.answered(sendFull: nil)  // The lease, or presence's coming back, tries again.
            log.warning("presence was not told of sessions", metadata: ["why": "\(refusal.code)"])
        }
    }
}
